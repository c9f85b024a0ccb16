"""Every check of the pages goes red on a page made bad on purpose, and stays green on the good one beside it."""

from collections.abc import Callable
from pathlib import Path

import page_checks
import pytest
from page_visit import PHONE, Visit, visit
from playwright.sync_api import Browser, Page

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>body {{ background: #fff; color: #000 }}</style></head>
<body><main><h1>Title</h1><article class="bd-article">{body}</article></main></body></html>"""

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
SET = '<span class="math"><mjx-container>x</mjx-container></span>'
SHRUNK = (
    "<img class='book-figure' alt='Three cones.' style='{style}' src=\"data:image/svg+xml,"
    "%3Csvg xmlns='http://www.w3.org/2000/svg' width='1280' height='600'/%3E\">"
)
WIDE = '<div style="width: 2000px">wide</div>'


def complaints_about(
    browser: Browser, folder: Path, check: Callable[[Visit], list[str]], body: str, title: str = "Title"
) -> str:
    path = folder / "page.html"
    path.write_text(PAGE.format(body=body, title=title), "utf8")
    with visit(browser, path, width=PHONE) as seen:
        return "\n".join(check(seen))


def on_page(check: Callable[[Page], list[str]]) -> Callable[[Visit], list[str]]:
    return lambda seen: check(seen.page)


CASES = [
    # what is wrong, the check, the bad body, what the complaint names, the good body
    (
        "a script from the web",
        page_checks.quietness,
        '<script src="https://cdn.example.org/lib.js"></script>',
        "https://cdn.example.org/lib.js",
        "<script>1 + 1</script>",
    ),
    (
        "a picture from the web that loads only when seen",
        page_checks.quietness,
        '<div style="height: 9000px"></div><img loading="lazy" alt="A cone." src="//cdn.example.org/a.png">',
        "cdn.example.org/a.png",
        f'<img alt="A cone." src="{PIXEL}">',
    ),
    (
        "a request made by a script",
        page_checks.quietness,
        "<script>new Image().src = 'http://counter.example.org/hit'</script>",
        "counter.example.org",
        '<a href="https://example.org">a link is not a request</a>',
    ),
    ("a missing file", page_checks.quietness, '<img alt="A cone." src="gone.png">', "gone.png", "<p>none</p>"),
    ("an error in a script", page_checks.quietness, "<script>nowhere()</script>", "nowhere", "<p>none</p>"),
    ("an error on the console", page_checks.quietness, "<script>console.error('E1')</script>", "E1", "<p>none</p>"),
    ("raw inline TeX", on_page(page_checks.formulas), r"<p>the \(k\) classes</p>", r"\\(k", r"<code>\(k\)</code>"),
    ("raw display TeX", on_page(page_checks.formulas), "<p>$$ a = b $$</p>", "$$ a", "<p>costs $5 or $6</p>"),
    ("raw dollar TeX", on_page(page_checks.formulas), "<p>here $k$ is</p>", "$k$", "<pre>here $k$ is</pre>"),
    ("a raw environment", on_page(page_checks.formulas), r"<p>\begin{align}</p>", "begin", "<p>begin{align}</p>"),
    ("a raw role", on_page(page_checks.formulas), "<p>see {prf:ref}`thm-a`</p>", "prf:ref", "<p>see Theorem 1</p>"),
    ("a role set as code", on_page(page_checks.formulas), "<p>{eq}<code>eq-a</code></p>", "{eq}", "<p>{1, 2}</p>"),
    ("a raw directive", on_page(page_checks.formulas), "<p>:::{detail} More</p>", ":::", "<p>More: a detail</p>"),
    ("a formula not set", on_page(page_checks.formulas), '<span class="math">x</span>', "not set", SET),
    (
        "a formula in error",
        on_page(page_checks.formulas),
        '<mjx-container><mjx-merror data-mjx-error="Missing brace"></mjx-merror></mjx-container>',
        "Missing brace",
        SET,
    ),
    (
        "an unknown command",
        on_page(page_checks.formulas),
        r"<mjx-container><mjx-assistive-mml><math><mtext>\nosuch</mtext></math></mjx-assistive-mml></mjx-container>",
        "nosuch",
        SET,
    ),
    (
        "no alt text",
        on_page(page_checks.pictures),
        f'<img src="{PIXEL}">',
        "without alt text",
        f'<img alt="Three cones that meet at the origin." src="{PIXEL}">',
    ),
    (
        "a file name as alt text",
        on_page(page_checks.pictures),
        f'<img alt="../_images/f509d6.png" src="{PIXEL}">',
        "f509d6.png",
        f'<img alt="Three cones." src="{PIXEL}">',
    ),
    (
        "a word that says nothing as alt text",
        on_page(page_checks.pictures),
        f'<img alt="figure" src="{PIXEL}">',
        "'figure'",
        f'<img alt="Figure of three cones." src="{PIXEL}">',
    ),
    (
        "a drawing without a name",
        on_page(page_checks.pictures),
        '<div class="cell_output"><svg></svg></div>',
        "svg",
        '<div class="cell_output"><svg><title>Three cones.</title></svg></div>',
    ),
    ("a jump in the headings", on_page(page_checks.headings), "<h3>Deep</h3>", "from level 1 to 3", "<h2>Next</h2>"),
    ("a second title", on_page(page_checks.headings), "<h1>Again</h1>", "2 titles", "<h2>Next</h2>"),
    (
        "the same anchor twice",
        on_page(page_checks.double_anchors),
        '<p id="a"></p><p id="a"></p>',
        "'a'",
        '<p id="a"></p><p id="b"></p>',
    ),
    (
        "a wide element",
        on_page(page_checks.overflow),
        WIDE,
        "sticks out",
        f'<div style="overflow-x: auto">{WIDE}</div>',
    ),
    (
        "a wide element in the article's own scroll box",
        on_page(page_checks.overflow),
        f'<div class="bd-article-container" style="overflow-x: auto">{WIDE}</div>',
        "sticks out",
        f'<div class="bd-article-container"><div style="overflow-x: auto">{WIDE}</div></div>',
    ),
    (
        "text that is cut off",
        on_page(page_checks.overflow),
        f'<div style="overflow-x: hidden">{WIDE}</div>',
        "cut off",
        f'<div style="overflow-x: scroll">{WIDE}</div>',
    ),
    (
        "faint text",
        on_page(page_checks.accessibility),
        '<p style="color: #bbb">faint</p>',
        "color-contrast",
        '<p style="color: #333">clear</p>',
    ),
    (
        "faint text in dark mode",
        lambda seen: page_checks.accessibility(seen.page, only=page_checks.COLOUR_RULES),
        '<p style="background: #111; color: #444">faint</p>',
        "color-contrast",
        '<p style="background: #111; color: #ddd">clear</p><button></button>',
    ),
    (
        "a button without a name",
        on_page(page_checks.accessibility),
        "<button></button>",
        "button-name",
        "<button>Go</button>",
    ),
    (
        "faint text by the highest level",
        on_page(page_checks.accessibility),
        '<p style="color: #707070">weak</p>',
        "color-contrast-enhanced",
        '<p style="color: #333">clear</p>',
    ),
    (
        "a name that is not what is written",
        on_page(page_checks.accessibility),
        '<button aria-label="Toggle hidden content">Show the solution</button>',
        "label-content-name-mismatch",
        "<button>Show the solution</button>",
    ),
    (
        "a figure whose letters nobody can read",
        on_page(page_checks.readable_figures),
        SHRUNK.format(style="max-width: 100%"),
        "too small to be read: Three cones",
        f'<div style="overflow-x: auto" tabindex="0">{SHRUNK.format(style="width: 640px")}</div>',
    ),
    (
        "a figure that the keyboard does not reach",
        on_page(page_checks.readable_figures),
        f'<div class="book-figure-box" style="overflow-x: auto">{WIDE}</div>',
        "only a finger can scroll",
        f'<div class="book-figure-box" style="overflow-x: auto" tabindex="0">{WIDE}</div>',
    ),
    (
        "code that scrolls on paper",
        on_page(page_checks.paper),
        f'<pre style="overflow-x: auto">{"x" * 400}</pre>',
        "cuts off <pre",
        f'<pre style="white-space: pre-wrap; overflow-wrap: anywhere">{"x" * 400}</pre>',
    ),
    (
        "a fold on paper",
        on_page(page_checks.paper),
        "<details><summary>More</summary>hidden</details>",
        "hides what is folded",
        "<details open><summary>More</summary>shown</details>",
    ),
    (
        "a solution on paper that nobody opened",
        on_page(page_checks.paper),
        '<div class="solution toggle-hidden"><p>It is two.</p></div>',
        "prints what the reader has not opened",
        '<div class="solution"><p>It is two.</p></div>',
    ),
    (
        "a formula on paper that nobody can read",
        on_page(page_checks.paper),
        '<mjx-container display="true" style="display: block; font-size: 8px">x</mjx-container>',
        "sets a formula too small to be read",
        '<mjx-container display="true" style="display: block; font-size: 14px">x</mjx-container>',
    ),
    (
        "code on paper that is still fading in",
        on_page(page_checks.paper),
        '<div class="cell"><details class="hide" open><div style="opacity: 0.2">x = 1</div></details></div>',
        "does not show the code",
        '<div class="cell"><details class="hide" open><div>x = 1</div></details></div>',
    ),
    (
        "a picture beyond the edge of the paper",
        on_page(page_checks.paper),
        WIDE,
        "loses beyond its edge",
        "<p>none</p>",
    ),
    (
        "a light page in dark mode",
        lambda seen: page_checks.mode_shown(seen.page, "dark"),
        "<p>light</p>",
        "did not take",
        "<style>body { background: #111 }</style>",
    ),
]


@pytest.mark.parametrize(
    ("check", "bad", "named", "good"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_check_bites(
    browser: Browser, tmp_path: Path, check: Callable[[Visit], list[str]], bad: str, named: str, good: str
) -> None:
    assert named in complaints_about(browser, tmp_path, check, bad)
    assert complaints_about(browser, tmp_path, check, good) == ""


def test_raw_tex_in_the_title_is_seen(browser: Browser, tmp_path: Path) -> None:
    found = complaints_about(
        browser, tmp_path, on_page(page_checks.formulas), "<p>text</p>", title=r"The \(k\) classes"
    )
    assert "(title)" in found


def test_dead_links_are_seen(browser: Browser, tmp_path: Path) -> None:
    body = (
        '<p id="here"></p><a href="#here">1</a><a href="#gone">2</a><a href="missing.html">3</a><a href="a.txt">4</a>'
    )
    (tmp_path / "a.txt").write_text("a file that can be downloaded", "utf8")
    (tmp_path / "page.html").write_text(PAGE.format(body=body, title="Title"), "utf8")
    with visit(browser, tmp_path / "page.html") as seen:
        address = (tmp_path / "page.html").as_uri()
        links, anchors = seen.page.evaluate(page_checks.LINKS), set(seen.page.evaluate(page_checks.ANCHORS))
    complaints = page_checks.dead_links({address: links}, {address: anchors})
    assert len(complaints) == 2
    assert "#gone" in complaints[0]
    assert "missing.html" in complaints[1]
