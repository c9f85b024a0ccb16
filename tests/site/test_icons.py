"""The style sheet of the pages names the icons that they use, and no others."""

from pathlib import Path

from mcbook_icons import STYLES, icons_in, keep_icons

RULES = '.a{color:red}.fa-bus:before{content:"b"}.fa-cat:before,.fa-pet:before{content:"c"}'


def test_rules_of_icons_that_nobody_names_go() -> None:
    assert keep_icons(RULES, {"fa-pet", "fa-dog"}) == '.a{color:red}.fa-cat:before,.fa-pet:before{content:"c"}'
    assert keep_icons(RULES, {"fa-bus"}) == '.a{color:red}.fa-bus:before{content:"b"}'
    assert keep_icons(RULES, set()) == ".a{color:red}"


def test_icons_are_found_in_pages_and_scripts(tmp_path: Path) -> None:
    (tmp_path / "_static" / "scripts").mkdir(parents=True)
    (tmp_path / "page.html").write_text('<i class="fa-solid fa-bars"></i>')
    (tmp_path / "_static" / "scripts" / "theme.js").write_text('icon("fa-moon")')
    assert icons_in(tmp_path) == {"fa-solid", "fa-bars", "fa-moon"}


def test_the_built_book_keeps_what_it_uses(site: Path) -> None:
    styles = (site / STYLES).read_text(encoding="utf-8")
    assert keep_icons(styles, icons_in(site)) == styles
    for name in ("fa-bars", "fa-download", "fa-magnifying-glass", "fa-circle-half-stroke"):
        assert f".{name}:before" in styles, name
