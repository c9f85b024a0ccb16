"""What a result of the book uses, and what a chapter refers to, read from the notebooks.

Nothing of this is written down a second time: a reference that is added to a proof is on the map of the book at the
next build.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from mcbook.claims.spine.book import NAMING, REFERENCE, BookText
from mcbook.claims.spine.glossary import Finder, read_glossary

_EQUATIONS = re.compile(r"\{eq\}`([a-z0-9-]+)`")
_CHAPTERS = re.compile(r"\{doc\}`(?:[^`<]*<)?(\w+)>?`")
_LABELLED = re.compile(r"^\$\$\s*\(([a-z0-9-]+)\)\s*$|^:label:\s*([a-z0-9-]+)\s*$", re.M)

Uses = dict[str, list[str]]


def direct_uses(book: BookText) -> Uses:
    """Of every statement: those that it or its proof refers to, in the order of the book.

    An equation stands for the statement in which, or in whose proof, it has its number, and a word of the glossary for
    the statement that fixes it, where that stands before.
    """
    texts = {label: f"{one.text}\n{_own_proof(book, label)}" for label, one in book.statements.items()}
    owner = {name: label for label, text in texts.items() for name in _names(_LABELLED.findall(text))}
    terms = read_glossary(book.folder) if book.folder else []
    words = {chapter: Finder(terms, chapter) for chapter in book.chapters}
    found: Uses = {}
    for label, text in texts.items():
        named = {*REFERENCE.findall(text), *(owner.get(name, "") for name in _EQUATIONS.findall(text))}
        named |= {term.at for term in words[book.chapter_of[label]].terms_in(text)} & found.keys()
        found[label] = _ordered(book, named - {label})
    return found


def all_uses(uses: Uses, label: str) -> set[str]:
    """What a statement rests on: what it uses, what that uses, and so on."""
    found: set[str] = set()
    waiting = [label]
    while waiting:
        new = [used for used in uses[waiting.pop()] if used not in found and used != label]
        found.update(new)
        waiting += new
    return found


def used_by(uses: Uses) -> Uses:
    """The same, seen from the other side: of every statement those that refer to it."""
    return {label: [user for user, used in uses.items() if label in used] for label in uses}


def chapter_uses(book: BookText) -> dict[str, Counter[str]]:
    """Of every chapter: how often its results refer to results of each other chapter, and its text to earlier ones.

    What the text says of later chapters points ahead: it is no use.
    """
    counts: dict[str, Counter[str]] = {chapter: Counter() for chapter in book.chapters}
    chapter_of = book.chapter_of
    for label, used in direct_uses(book).items():
        counts[chapter_of[label]].update(chapter_of[one] for one in used if chapter_of[one] != chapter_of[label])
    for place, chapter in enumerate(book.chapters):
        named = _named_in_text(book, chapter)
        for earlier in book.chapters[:place]:
            counts[chapter][earlier] = max(counts[chapter][earlier], named[earlier])
    return {chapter: +count for chapter, count in counts.items()}


def _named_in_text(book: BookText, chapter: str) -> Counter[str]:
    """How many results, equations and titles of each chapter the text of a chapter names."""
    text = book.pages.get(chapter, "")
    home = {label: one for one, page in book.pages.items() for label in _names(_LABELLED.findall(page))}
    named = {*REFERENCE.findall(text), *_EQUATIONS.findall(text)} & home.keys()
    return Counter([*(home[label] for label in named), *set(_CHAPTERS.findall(text)).intersection(book.chapters)])


def _own_proof(book: BookText, label: str) -> str:
    """The proofs of a statement without their first words, and without proofs of others that begin with its name."""
    first, *rest = NAMING.split(book.proofs.get(label, ""))
    named = zip(rest[::2], rest[1::2], strict=True)
    return "\n".join([first, *(proof for names, proof in named if label in REFERENCE.findall(names))])


def _names(matches: Iterable[tuple[str, str]]) -> list[str]:
    return [displayed or optioned for displayed, optioned in matches]


def _ordered(book: BookText, labels: set[str]) -> list[str]:
    return [label for label in book.statements if label in labels]
