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
SMALL = '<button aria-label="Go"></button>'
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


# fmt: off
# For each check: what is wrong, what the complaint names, the bad body, the good one beside it.
CASES: dict[str, list[tuple[str, str, str, str]]] = {
    "quietness": [
        ("a script from the web", "https://cdn.example.org/lib.js",
         '<script src="https://cdn.example.org/lib.js"></script>', "<script>1 + 1</script>"),
        ("a picture from the web that loads only when seen", "cdn.example.org/a.png",
         '<div style="height: 9000px"></div><img loading="lazy" alt="A cone." src="//cdn.example.org/a.png">',
         f'<img alt="A cone." src="{PIXEL}">'),
        ("a request made by a script", "counter.example.org",
         "<script>new Image().src = 'http://counter.example.org/hit'</script>",
         '<a href="https://example.org">a link is not a request</a>'),
        ("a missing file", "gone.png", '<img alt="A cone." src="gone.png">', "<p>none</p>"),
        ("an error in a script", "nowhere", "<script>nowhere()</script>", "<p>none</p>"),
        ("an error on the console", "E1", "<script>console.error('E1')</script>", "<p>none</p>"),
    ],
    "formulas": [
        ("raw inline TeX", r"\\(k", r"<p>the \(k\) classes</p>", r"<code>\(k\)</code>"),
        ("raw display TeX", "$$ a", "<p>$$ a = b $$</p>", "<p>costs $5 or $6</p>"),
        ("raw dollar TeX", "$k$", "<p>here $k$ is</p>", "<pre>here $k$ is</pre>"),
        ("a raw environment", "begin", r"<p>\begin{align}</p>", "<p>begin{align}</p>"),
        ("a raw role", "prf:ref", "<p>see {prf:ref}`thm-a`</p>", "<p>see Theorem 1</p>"),
        ("a role set as code", "{eq}", "<p>{eq}<code>eq-a</code></p>", "<p>{1, 2}</p>"),
        ("a raw directive", ":::", "<p>:::{detail} More</p>", "<p>More: a detail</p>"),
        ("a formula not set", "not set", '<span class="math">x</span>', SET),
        ("a formula in error", "Missing brace",
         '<mjx-container><mjx-merror data-mjx-error="Missing brace"></mjx-merror></mjx-container>', SET),
        ("an unknown command", "nosuch",
         r"<mjx-container><mjx-assistive-mml><math><mtext>\nosuch</mtext></math></mjx-assistive-mml></mjx-container>",
         SET),
    ],
    "pictures": [
        ("no alt text", "without alt text", f'<img src="{PIXEL}">',
         f'<img alt="Three cones that meet at the origin." src="{PIXEL}">'),
        ("a file name as alt text", "f509d6.png", f'<img alt="../_images/f509d6.png" src="{PIXEL}">',
         f'<img alt="Three cones." src="{PIXEL}">'),
        ("a word that says nothing as alt text", "'figure'", f'<img alt="figure" src="{PIXEL}">',
         f'<img alt="Figure of three cones." src="{PIXEL}">'),
        ("a drawing without a name", "svg", '<div class="cell_output"><svg></svg></div>',
         '<div class="cell_output"><svg><title>Three cones.</title></svg></div>'),
    ],
    "headings": [
        ("a jump in the headings", "from level 1 to 3", "<h3>Deep</h3>", "<h2>Next</h2>"),
        ("a second title", "2 titles", "<h1>Again</h1>", "<h2>Next</h2>"),
    ],
    "double_anchors": [
        ("the same anchor twice", "'a'", '<p id="a"></p><p id="a"></p>', '<p id="a"></p><p id="b"></p>'),
    ],
    "overflow": [
        ("a wide element", "sticks out", WIDE, f'<div style="overflow-x: auto">{WIDE}</div>'),
        ("a wide element in the article's own scroll box", "sticks out",
         f'<div class="bd-article-container" style="overflow-x: auto">{WIDE}</div>',
         f'<div class="bd-article-container"><div style="overflow-x: auto">{WIDE}</div></div>'),
        ("text that is cut off", "cut off", f'<div style="overflow-x: hidden">{WIDE}</div>',
         f'<div style="overflow-x: scroll">{WIDE}</div>'),
    ],
    "accessibility": [
        ("faint text", "color-contrast", '<p style="color: #bbb">faint</p>', '<p style="color: #333">clear</p>'),
        ("a button without a name", "button-name", "<button></button>", "<button>Go</button>"),
        ("faint text by the highest level", "color-contrast-enhanced", '<p style="color: #707070">weak</p>',
         '<p style="color: #333">clear</p>'),
        ("a name that is not what is written", "label-content-name-mismatch",
         '<button aria-label="Toggle hidden content">Show the solution</button>', "<button>Show the solution</button>"),
    ],
    "accessibility_on_a_phone": [
        ("a button without a name that no desktop shows", "button-name",
         "<style>@media (width > 600px) { button { display: none } }</style><button></button>",
         "<style>@media (width > 600px) { button { display: none } }</style><button>Go</button>"),
        ("a target that is too small where it is narrow", "target-size",
         "<style>@media (width < 600px) { button { all: unset; display: block; width: 9px; height: 9px } }</style>"
         + 2 * SMALL,
         "<style>button { width: 30px; height: 30px }</style>" + 2 * SMALL),
    ],
    "colours": [
        ("faint text in dark mode", "color-contrast", '<p style="background: #111; color: #444">faint</p>',
         '<p style="background: #111; color: #ddd">clear</p><button></button>'),
    ],
    "readable_figures": [
        ("a figure whose letters nobody can read", "too small to be read: Three cones",
         SHRUNK.format(style="max-width: 100%"),
         f'<div style="overflow-x: auto" tabindex="0">{SHRUNK.format(style="width: 640px")}</div>'),
        ("a figure that the keyboard does not reach", "only a finger can scroll",
         f'<div class="book-figure-box" style="overflow-x: auto">{WIDE}</div>',
         f'<div class="book-figure-box" style="overflow-x: auto" tabindex="0">{WIDE}</div>'),
    ],
    "paper": [
        ("code that scrolls on paper", "cuts off <pre", f'<pre style="overflow-x: auto">{"x" * 400}</pre>',
         f'<pre style="white-space: pre-wrap; overflow-wrap: anywhere">{"x" * 400}</pre>'),
        ("a fold on paper", "hides what is folded", "<details><summary>More</summary>hidden</details>",
         "<details open><summary>More</summary>shown</details>"),
        ("a solution on paper that nobody opened", "prints what the reader has not opened",
         '<div class="solution toggle-hidden"><p>It is two.</p></div>',
         '<div class="solution"><p>It is two.</p></div>'),
        ("a formula on paper that nobody can read", "sets a formula too small to be read",
         '<mjx-container display="true" style="display: block; font-size: 8px">x</mjx-container>',
         '<mjx-container display="true" style="display: block; font-size: 14px">x</mjx-container>'),
        ("code on paper that is still fading in", "does not show the code",
         '<div class="cell"><details class="hide" open><div style="opacity: 0.2">x = 1</div></details></div>',
         '<div class="cell"><details class="hide" open><div>x = 1</div></details></div>'),
        ("a picture beyond the edge of the paper", "loses beyond its edge", WIDE, "<p>none</p>"),
    ],
    "dark_mode": [
        ("a light page in dark mode", "did not take", "<p>light</p>", "<style>body { background: #111 }</style>"),
    ],
}
# fmt: on


def check_of(name: str) -> Callable[[Visit], list[str]]:
    if name == "dark_mode":
        return lambda seen: page_checks.mode_shown(seen.page, "dark")
    check = getattr(page_checks, name)
    return check if name == "quietness" else on_page(check)


@pytest.mark.parametrize("name", CASES)
def test_check_bites(browser: Browser, tmp_path: Path, name: str) -> None:
    for what, named, bad, good in CASES[name]:
        assert named in complaints_about(browser, tmp_path, check_of(name), bad), what
        assert complaints_about(browser, tmp_path, check_of(name), good) == "", what


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
