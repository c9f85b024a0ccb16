"""What a page must not do: cite where a noun is wanted, prove a definition, name in a proof what it proves."""

import re
from pathlib import Path

from tools import notebooks

ROOT = Path(__file__).resolve().parents[2]
# "[Mohri et al., 2018]" is an aside and no part of the sentence: behind these words, or at the start of one, a reader
# expects a noun, which is what {cite:t} makes: "Mohri et al. [2018]".
BEFORE_A_NOUN = "of|in|from|by|to|with|as|at|and|or|than|see|like|after|for|follow|follows|is|are"
NOUN = re.compile(rf"(?:\A|\n\n|^- |[.:;?!]\s+|\b(?:{BEFORE_A_NOUN})\s+)\{{cite(?::p)?\}}`[^`]*`", re.MULTILINE)
BLOCK = re.compile(r"^:{3,}\{prf:(?P<kind>\w+)\}[^\n]*\n(?P<body>.*?)^:{3,}$", re.MULTILINE | re.DOTALL)
NAMES_WHAT_STANDS_ABOVE = re.compile(r"\s*(?:Of|For|Proof of) \{prf:ref\}`(?P<label>[^`]*)`[.:]")
LABEL = re.compile(r"^:label: (\S+)", re.MULTILINE)


def text(page):
    if page.suffix == ".md":
        return page.read_text(encoding="utf-8")
    return "\n\n".join(cell.source for cell in notebooks.read(page).cells if cell.cell_type == "markdown")


PAGES = {page.stem: page for page in sorted([*(ROOT / "book").glob("*.md"), *(ROOT / "book").glob("*.ipynb")])}


def citations_as_nouns(source):
    return [match[0].strip() for match in NOUN.finditer(source)]


def wrong_proofs(source):
    """Proofs of what is only defined, and proofs that begin with the name of the statement right above them."""
    above = None
    for block in BLOCK.finditer(source):
        if block["kind"] == "proof":
            named = NAMES_WHAT_STANDS_ABOVE.match(block["body"])
            if above and above["kind"] == "definition" and not named:
                yield f"a definition is proved: {above['body'][:60]!r}"
            if above and named and LABEL.search(above["body"])[1] == named["label"]:
                yield f"a proof names the statement above it: {named['label']}"
        else:
            above = block


def test_citations_are_no_nouns_definitions_define_and_proofs_stand_below_what_they_prove():
    for name, page in PAGES.items():
        found = citations_as_nouns(text(page))
        assert not found, f"{name}: write {{cite:t}} where a sentence needs the authors' names: {found}"
        assert list(wrong_proofs(text(page))) == [], name


def test_citation_as_noun_is_noticed():
    for bad, good in (
        ("The lemma of {cite}`a2000` says so.", "The lemma of {cite:t}`a2000` says so."),
        ("{cite}`a2000` says so.", "{cite:t}`a2000` says so."),
        ("It holds. {cite:p}`a2000` says so.", "It holds {cite:p}`a2000`. Sauer says so {cite}`b1999`."),
        ("It is Ann's {cite}`a2000`, in the form of\n{cite}`b1999`.", "It is Ann's {cite}`a2000`, Ben's {cite}`b1`."),
    ):
        assert len(citations_as_nouns(bad)) == 1
        assert citations_as_nouns(good) == []


STATEMENT = "::::{{prf:{kind}}} Title\n:label: {label}\n\nText.\n::::\n\n::::{{prf:proof}}\n{proof}\n::::\n"


def test_wrong_proofs_are_noticed():
    assert list(wrong_proofs(STATEMENT.format(kind="lemma", label="lem-a", proof="Clear."))) == []
    assert len(list(wrong_proofs(STATEMENT.format(kind="definition", label="def-a", proof="Clear.")))) == 1
    own = STATEMENT.format(kind="lemma", label="lem-a", proof="For {prf:ref}`lem-a`. Clear.")
    other = STATEMENT.format(kind="lemma", label="lem-a", proof="For {prf:ref}`lem-b`. Clear.")
    assert (len(list(wrong_proofs(own))), len(list(wrong_proofs(other)))) == (1, 0)
