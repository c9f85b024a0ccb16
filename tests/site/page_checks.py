"""What a page of the book must satisfy: each check looks at an open page and returns complaints with a remedy."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit
from urllib.request import url2pathname

from axe_playwright_python.sync_playwright import Axe
from page_visit import DESKTOP, PHONE, Visit, resize
from playwright.sync_api import Page

# The rules of axe-core that depend on colours, and so on the mode; and on sizes and places, and so on the width.
COLOUR_RULES = ("color-contrast-enhanced", "link-in-text-block")
LAYOUT_RULES = ("target-size", "scrollable-region-focusable")

# Every rule of axe-core: all levels of WCAG, best practices and what is still on trial there.
LEVELS = [*("wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa"), *("best-practice", "experimental")]
LEFT_OUT = (
    # It wants a role of a widget where keys move the focus; a formula or figure that scrolls by keys is no widget, and
    # another rule wants it within their reach.
    "focus-order-semantics",
    # The enhanced rule asks for more, once it no longer leaves to this one what breaks both.
    "color-contrast",
    # It asks for a look at what is hidden, and has no violations.
    "hidden-content",
)
LEAVE_NOTHING = {"contrastRatio": {size: {"minThreshold": 0} for size in ("normal", "large")}}

LOADED_FROM_THE_WEB = """() => {
    const loading = 'script[src], img[src], iframe[src], source[src], video[src], audio[src], embed[src], object[data],'
        + 'link[rel~=stylesheet], link[rel~=preload], link[rel~=icon], link[rel~=preconnect], link[rel~=modulepreload]';
    return [...document.querySelectorAll(loading)]
        .map(element => element.src || element.href || element.data)
        .filter(address => /^(https?|wss?):|^file:\\/\\/[^/]/.test(address));
}"""

RAW_TEX = r"""() => {
    const source = /\\[()\[\]]|\$\$|\\[a-zA-Z]{2,}|(^|[\s(])\$[^\s$]([^$\n]*[^\s$])?\$(?!\d)|\{[a-z:]+\}`|^:label:/;
    const markup = /:::|\{(eq|ref|doc|numref|cite|prf|term|detail)[a-z:]*\}/;
    const raw = text => source.test(text) || markup.test(text);
    const skip = 'pre, code, script, style, noscript, textarea, kbd, mjx-container';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = raw(document.title) ? ['(title) ' + document.title] : [];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (!node.parentElement.closest(skip) && raw(node.data)) found.push(node.data.trim().slice(0, 80));
    }
    return found;
}"""

MATH_ERRORS = r"""() => [...document.querySelectorAll('mjx-merror, [data-mjx-error], merror')]
    .map(error => error.getAttribute('data-mjx-error') || error.textContent.slice(0, 80))
    .concat([...document.querySelectorAll('mjx-assistive-mml mtext')]
        .filter(text => /^\\[a-zA-Z]+$/.test(text.textContent)).map(text => 'unknown command ' + text.textContent))"""

UNRENDERED_MATH = """() => [...document.querySelectorAll('.math')]
    .filter(formula => !formula.querySelector('mjx-container')).map(formula => formula.textContent.slice(0, 80))"""

PICTURES = """() => [...document.querySelectorAll('img, .cell_output svg, [role=img], canvas, object, embed, iframe')]
    .filter(picture => !picture.closest('[aria-hidden=true]'))
    .map(picture => ({
        what: picture.getAttribute('src') || picture.getAttribute('data') || picture.outerHTML.slice(0, 60),
        alt: picture.getAttribute('alt') || picture.getAttribute('aria-label')
            || picture.querySelector?.('title')?.textContent || picture.getAttribute('title') || '',
    }))
    .filter(({alt}) => alt.trim().length < 4 || !alt.trim().match(/[a-zA-Z]/)
        || /\\.(png|svg|jpe?g|gif|webp)$|^_?images?[/\\\\]|^[0-9a-f]{12,}|^(figure|image|plot|picture|graph)\\.?$/i
            .test(alt.trim()))
    .map(({what, alt}) => `${what} (alt text: '${alt}')`)"""

# The theme repeats the title for printing in a block that no screen shows.
HEADINGS = """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
    .filter(heading => !heading.closest('.onlyprint'))
    .map(heading => [Number(heading.tagName[1]), heading.textContent.trim().slice(0, 60)])"""

ANCHORS = "() => [...document.querySelectorAll('[id], a[name]')].map(element => element.id || element.name)"

DOUBLE_ANCHORS = """() => {
    const ids = [...document.querySelectorAll('[id]')].filter(element => !element.closest('mjx-container, svg'))
        .map(element => element.id);
    return [...new Set(ids.filter((id, place) => ids.indexOf(id) !== place))];
}"""

LINKS = """() => [...document.querySelectorAll('a[href], area[href]')]
    .map(link => link.href).filter(address => address.startsWith('file:'))"""

# The theme lets the whole article scroll sideways; a reader on a phone should never have to, so that does not count.
STICKING_OUT = """() => {
    const scrolls = element => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    const whole = 'article, main, body, .bd-article-container, .bd-content, .bd-container';
    const inOwnBox = element => {
        for (let box = element.parentElement; box && !box.matches(whole); box = box.parentElement)
            if (scrolls(box) && box.getBoundingClientRect().right <= innerWidth + 1) return true;
        return false;
    };
    // Closed drawers wait beyond the edge of the window, and text for screen readers only is cut to one pixel.
    const waiting = element => element.closest(
        '.bd-sidebar-primary, .bd-sidebar-secondary, dialog, mjx-assistive-mml, .visually-hidden, .skip-link');
    const article = document.querySelector('.bd-article-container') || document.body;
    const edge = Math.min(innerWidth, article.getBoundingClientRect().right);
    return [...document.body.querySelectorAll('*')].filter(element => {
        const box = element.getBoundingClientRect();
        const limit = article.contains(element) ? edge : innerWidth;
        return box.width > 1 && box.height > 1 && (box.right > limit + 1 || box.left < -1)
            && element.checkVisibility() && !waiting(element) && !inOwnBox(element);
    }).map(element => element.outerHTML.slice(0, 100));
}"""

# Text that a box without a scrollbar cuts off is lost to the reader, though nothing sticks out of the window.
CUT_OFF = """() => [...document.querySelectorAll('main *')].filter(element => {
    const style = getComputedStyle(element);
    return ['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis'
        && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
        && element.checkVisibility() && !element.closest('mjx-container, svg');
}).map(element => element.outerHTML.slice(0, 100))"""

# An A4 page between margins of a centimetre.
PAPER = {"width": 718, "height": 1047}

# On paper nothing can be opened, pressed or scrolled.
ON_PAPER = """() => {
    const article = document.querySelector('.bd-article, article') || document.body;
    const heard = 'mjx-assistive-mml, .visually-hidden, .explorer-announced';
    const drawn = [...article.querySelectorAll('*')].filter(element =>
        element.checkVisibility() && element.clientWidth > 1 && !element.closest(heard));
    const shown = element => element.outerHTML.slice(0, 100);
    const cutOff = element => element.scrollWidth > element.clientWidth + 2
        && getComputedStyle(element).overflowX !== 'visible' && !element.closest('svg')
        && !element.parentElement.closest('mjx-container');
    const beyond = element => element.getBoundingClientRect().right > innerWidth + 2 && !element.closest('svg');
    const folded = element => element.matches('details:not([open])');
    const unasked = element => element.matches('.solution.toggle-hidden, .book-answer-hint:not([open])');
    const small = element => element.matches('mjx-container[display="true"]')
        && parseFloat(getComputedStyle(element).fontSize) < 9;
    const unseen = element => element.matches('.cell details.hide > *') && getComputedStyle(element).opacity !== '1';
    const pressed = element => element.matches('.explorer-controls, .book-layers, .toggle-button, .book-figure-switch');
    const bare = element => element.matches('.explorer-frame')
        && ![...element.querySelectorAll('svg, table')].some(picture => picture.checkVisibility());
    return [
        ...drawn.filter(cutOff).map(element => `cuts off ${shown(element)}`),
        ...drawn.filter(beyond).map(element => `loses beyond its edge ${shown(element)}`),
        ...drawn.filter(folded).map(element => `hides what is folded in ${shown(element)}`),
        ...drawn.filter(unasked).map(element => `prints what the reader has not opened, ${shown(element)}`),
        ...drawn.filter(small).map(element => `sets a formula too small to be read, ${shown(element)}`),
        ...drawn.filter(unseen).map(element => `does not show the code of ${shown(element)}`),
        ...drawn.filter(pressed).map(element => `shows what nobody can press, ${shown(element)}`),
        ...drawn.filter(bare).map(element => `has no picture of an explorer, ${shown(element)}`),
    ];
}"""

# Figures are drawn with letters of 13 pixels of the page; at three quarters of their size these are 10.
LEAST_SCALE = 0.75

SMALL_FIGURES = """least => [...document.querySelectorAll('img.book-figure')].filter(image => image.checkVisibility()
        && image.getBoundingClientRect().width < least * Math.min(image.naturalWidth / 2, 900) - 1)
    .map(image => image.alt.slice(0, 60))"""

OUT_OF_REACH = """() => [...document.querySelectorAll('.book-figure-box')].filter(box => box.checkVisibility()
        && box.scrollWidth > box.clientWidth + 1 && box.tabIndex !== 0)
    .map(box => box.innerHTML.slice(0, 80))"""


def readable_figures(page: Page) -> list[str]:
    """Letters in figures have 10 pixels at least, and what scrolls therefore is within reach of the keyboard."""
    return [
        *(
            f"shows a figure too small to be read: {alt}: let its box scroll"
            for alt in page.evaluate(SMALL_FIGURES, LEAST_SCALE)
        ),
        *(f"has a figure that only a finger can scroll: {box}: see figures.js" for box in page.evaluate(OUT_OF_REACH)),
    ]


def paper(page: Page) -> list[str]:
    """On paper all is open but solutions and hints, within the page and large enough; explorers are pictures."""
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    found: list[str] = page.evaluate(ON_PAPER)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    return [f"on paper {complaint}: see what book.css says of print" for complaint in found[:5]]


def quietness(seen: Visit) -> list[str]:
    """No script error, no file missing, nothing fetched from the web."""
    loaded = seen.page.evaluate(LOADED_FROM_THE_WEB)
    return [
        *(f"the console shows an error: {error}: find the script and mend it" for error in seen.errors),
        *(f"cannot load {address}: put the file where the page expects it" for address in seen.failed_requests),
        *(
            f"asks the web for {address}: serve it from the book or switch off what adds it"
            for address in dict.fromkeys(seen.outside_requests + loaded)
        ),
    ]


def formulas(page: Page) -> list[str]:
    """Every formula is set, none in error, no source of a formula or a role is left in the text."""
    return [
        *(f"shows raw source: {text!r}: mark it as mathematics or as code" for text in page.evaluate(RAW_TEX)),
        *(f"has a formula in error: {error}: correct its TeX" for error in page.evaluate(MATH_ERRORS)),
        *(
            f"has a formula that is not set: {text!r}: look for a MathJax error"
            for text in page.evaluate(UNRENDERED_MATH)
        ),
    ]


def pictures(page: Page) -> list[str]:
    """Every picture says in words what it shows."""
    remedy = 'give its cell the metadata "mystnb": {"image": {"alt": "..."}} with a sentence on what is to be seen'
    return [f"has a picture without alt text: {picture}: {remedy}" for picture in page.evaluate(PICTURES)]


def headings(page: Page) -> list[str]:
    """One title, and sections that go down one level at a time."""
    found: list[tuple[int, str]] = [(level, text) for level, text in page.evaluate(HEADINGS)]
    titles = [text for level, text in found if level == 1]
    complaints = []
    if len(titles) != 1:
        complaints.append(f"has {len(titles)} titles {titles}: a page starts with one '# Title' and has no other")
    if found and found[0][0] != 1:
        complaints.append(f"starts with the heading {found[0][1]!r}: the title comes first")
    complaints += [
        f"jumps from level {above} to {below} at {text!r}: use {'#' * (above + 1)}"
        for (above, _), (below, text) in itertools.pairwise(found)
        if below > above + 1
    ]
    return complaints


def double_anchors(page: Page) -> list[str]:
    """No id twice: a link to it would lead to the first only."""
    return [f"has the anchor {anchor!r} twice: rename one" for anchor in page.evaluate(DOUBLE_ANCHORS)]


def dead_links(links: dict[str, list[str]], anchors: dict[str, set[str]]) -> list[str]:
    """Links between the pages (by file: address) whose target is not there."""
    complaints = []
    for source, addresses in links.items():
        for address in dict.fromkeys(addresses):
            target, fragment = urldefrag(address)
            target = target.partition("?")[0]
            if target not in anchors:
                if not file_exists(target):
                    complaints.append(
                        f"{page_name(source)} links to {page_name(target)}, which does not exist: mend it"
                    )
            elif fragment and unquote(fragment) not in anchors[target]:
                complaints.append(f"{page_name(source)} links to {page_name(target)}#{fragment}: no such anchor there")
    return complaints


def overflow(page: Page) -> list[str]:
    """Nothing is wider than the window, except inside a box that scrolls."""
    width, window = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    wide = [f"is {width} px wide in a window of {window} px: find what sticks out below"] if width > window else []
    remedy = "wrap it, or let its box scroll (overflow-x: auto)"
    return [
        *wide,
        *(f"sticks out: {element}: {remedy}" for element in page.evaluate(STICKING_OUT)[:5]),
        *(f"is cut off: {element}: {remedy}" for element in page.evaluate(CUT_OFF)[:5]),
    ]


NOTE_WHAT_IS_SEEN = """() => {
    window.seenBefore = new WeakSet([...document.querySelectorAll('body *')].filter(one => one.checkVisibility()));
}"""

MARK_WHAT_IS_NEW = """() => [...document.querySelectorAll('body *')]
    .filter(one => one.checkVisibility() && !window.seenBefore.has(one))
    .map(one => one.toggleAttribute('data-new', true)).length"""


def accessibility_on_a_phone(page: Page) -> list[str]:
    """The rules of sizes and places, and all rules for what is seen on a phone and not on a desktop."""
    resize(page, DESKTOP)
    page.evaluate(NOTE_WHAT_IS_SEEN)
    resize(page, PHONE)
    found = accessibility(page, only=LAYOUT_RULES)
    return found + (accessibility(page, within="[data-new]") if page.evaluate(MARK_WHAT_IS_NEW) else [])


def colours(page: Page) -> list[str]:
    """The rules of colours; formulas, which are drawn and have no text that these rules see, are emptied first."""
    page.evaluate("document.querySelectorAll('mjx-container').forEach(formula => formula.replaceChildren())")
    return accessibility(page, only=COLOUR_RULES)


def accessibility(page: Page, *, only: Sequence[str] = (), within: str = "") -> list[str]:
    """No rule of axe-core is broken, of any level and impact; `only` names the rules to try."""
    options: dict[str, Any] = {
        # axe would fetch the style sheets once more, which a browser refuses for files from disk.
        "preload": False,
        "resultTypes": ["violations"],
        "runOnly": list(only or LEVELS),
        "checks": {"color-contrast-enhanced": {"options": LEAVE_NOTHING}},
        "rules": {} if only else {rule: {"enabled": False} for rule in LEFT_OUT},
    }
    violations: list[dict[str, Any]] = Axe().run(page, within or None, options).response["violations"]
    return [
        f"breaks {violation['id']} ({violation['impact']}) at {node['html'][:120]}: {summary(node)}"
        for violation in violations
        for node in violation["nodes"][:3]
    ]


def summary(node: dict[str, Any]) -> str:
    return " ".join(node.get("failureSummary", "").split())


def mode_shown(page: Page, mode: str) -> list[str]:
    """Without this the dark pages could be tested in the light and nobody would notice."""
    background = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number)")
    if (max(background[:3]) < 64) == (mode == "dark"):
        return []
    return [f"has the background {background} in {mode} mode: the theme did not take data-theme={mode!r}"]


def page_name(address: str) -> str:
    return unquote(address.rpartition("/")[2])


def file_exists(address: str) -> bool:
    return Path(url2pathname(urlsplit(address).path)).is_file()
