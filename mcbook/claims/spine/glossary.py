"""The words of the book, from ``book/glossary.toml``: what they mean, their forms, and the statement that fixes them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FILE = "glossary.toml"

# Formulas, code and roles are not words of the text.
_NOT_WORDS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\{[a-z:]+\}`[^`]*`|`[^`]*`", re.S)


@dataclass(frozen=True)
class Term:
    """A word of the book."""

    term: str
    says: str
    words: tuple[str, ...] = ()
    at: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.term, *self.words)


def read_glossary(book: Path) -> list[Term]:
    """The words of the book in this folder, in the order of the alphabet; none where it has no glossary."""
    path = book / FILE
    if not path.is_file():
        return []
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["term"]
    terms = [Term(**{**row, "words": tuple(row.get("words", ()))}) for row in rows]
    forms = [form.lower() for term in terms for form in term.forms]
    twice = sorted({form for form in forms if forms.count(form) > 1})
    if twice:
        raise ValueError(f"{path.name} explains {', '.join(twice)} twice: every form belongs to one term")
    return sorted(terms, key=lambda term: term.term.lower())


class Finder:
    """Finds the terms in running text; where one is a part of another, the longer one."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._term_of = {form.lower(): term for term in terms for form in term.forms}
        longest_first = sorted(self._term_of, key=len, reverse=True)
        forms = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self._pattern = re.compile(rf"(?<![\w-])({forms})(?:e?s)?(?![\w-])", re.I)

    def finds(self, text: str) -> Iterator[tuple[Term, int, int]]:
        """The terms with their places from and to, in the order of the text."""
        for match in self._pattern.finditer(text):
            yield self._term_of[match[1].lower()], match.start(), match.end()

    def terms_in(self, markdown: str) -> set[Term]:
        """The terms among the words of a text with formulas, code and roles."""
        return {term for term, _, _ in self.finds(_NOT_WORDS.sub(" ", markdown))}
