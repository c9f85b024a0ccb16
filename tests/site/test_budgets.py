"""The budgets of a page go red on what is over them, and only on that."""

from pathlib import Path

from playwright.sync_api import Browser

from tools import budgets

PAGE = """<!DOCTYPE html><html lang="en"><head><title>Page</title><style>
* {{ margin: 0; padding: 0; border: 0 }} pre {{ overflow-x: auto }}
.cue {{ background-image: linear-gradient(red, blue) }}
</style></head><body><article class="bd-article">{body}</article></body></html>"""


def px(tag: str, height: int, attributes: str = "", inside: str = "") -> str:
    return f'<{tag} {attributes} style="height: {height}px; width: 100px; display: block">{inside}</{tag}>'


def complaints_about(browser: Browser, folder: Path, body: str) -> str:
    path = folder / "page.html"
    path.write_text(PAGE.format(body=body), "utf8")
    with budgets.opened(browser, path) as (page, addresses):
        return "\n".join(budgets.measured(page, addresses).complaints())


CODE = px("figure", 300) + px("h2", 10, "", "Proof") + px("div", 300, 'class="cell_input"', "x = 1") + px("p", 390)
BUTTON = "<button><svg width='9' height='9'></svg></button>"
OVER = [
    (px("figure", 8000) + px("p", 15000), "25.6 screens long, 25 at most"),
    (CODE, "30% code"),
    (CODE, "300 px under 'Proof': x = 1"),
    (px("figure", 300) + px("div", 400, 'class="cell_input"', BUTTON) + px("p", 300), "40% code"),
    (px("figure", 200) + px("p", 800), "20% figures and explorers, 25% at least"),
    (px("figure", 300) + px("p", 700) + "<script>/*" + "x" * 2_600_000 + "*/</script>", "weighs 2.60 MB"),
    (px("figure", 300) + px("pre", 20, "", "x" * 400) + px("p", 500), "without a cue, what is in <pre"),
]
WITHIN = [
    px("figure", 300) + px("div", 190, 'class="cell_input"') + px("p", 510),
    # What is folded, and what is nested, does not count; a table in an explorer is the explorer's.
    px("figure", 300) + f"<details>{px('pre', 900)}</details>" + px("p", 680),
    px("figure", 300) + px("div", 190, 'class="cell_input"', px("div", 190, 'class="highlight"')) + px("p", 510),
    px("div", 300, 'class="explorer-frame"', px("table", 300)) + px("p", 700),
    px("figure", 300) + px("pre", 20, 'class="cue"', "x" * 400) + px("p", 500),
    # The button beside code is drawn, and the code is no figure for it.
    px("figure", 300) + px("div", 100, 'class="cell_input"', "<button><svg></svg></button>") + px("p", 500),
]


def test_what_is_over_a_budget_is_named_and_nothing_else(browser: Browser, tmp_path: Path) -> None:
    for body, complaint in OVER:
        assert complaint in complaints_about(browser, tmp_path, body)
    for body in WITHIN:
        assert complaints_about(browser, tmp_path, body) == ""
