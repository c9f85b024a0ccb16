"""The words of the book, from ``book/glossary.toml``: their meanings, their forms, the statements that fix them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = "glossary.toml"

# Formulas, code and roles are not words of the text.
_NOT_WORDS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\{[a-z:]+\}`[^`]*`|`[^`]*`", re.S)


@dataclass(frozen=True)
class Term:
    """A word of the book."""

    term: str
    says: str
    words: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    not_on: tuple[str, ...] = ()
    at: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """How the glossary lists it."""
        return (self.term, *self.words)

    @property
    def recognised(self) -> tuple[str, ...]:
        return (*self.names, *self.forms)


def read_glossary(book: Path) -> list[Term]:
    """The words of the book in this folder, in the order of the alphabet; none where it has no glossary."""
    path = book / FILE
    if not path.is_file():
        return []
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["term"]
    terms = [_term(row) for row in rows]
    forms = [_plain(form) for term in terms for form in term.recognised]
    twice = sorted({form for form in forms if forms.count(form) > 1})
    if twice:
        raise ValueError(f"{path.name} explains {', '.join(twice)} twice: every form belongs to one term")
    return sorted(terms, key=lambda term: term.term.lower())


def _term(row: dict[str, Any]) -> Term:
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return Term(**fields)


class Finder:
    """Finds the terms in a chapter's running text; where one is a part of another, the longer one."""

    def __init__(self, terms: Iterable[Term], chapter: str = "") -> None:
        here = [term for term in terms if chapter not in term.not_on]
        self._term_of = {_plain(form): term for term in here for form in term.recognised}
        longest_first = sorted(self._term_of, key=len, reverse=True)
        forms = "|".join(re.escape(form).replace("'", "['’]") for form in longest_first) or r"(?!)"
        self._pattern = re.compile(rf"(?<![\w-])({forms})(?:e?s)?(?![\w-])", re.I)

    def finds(self, text: str) -> Iterator[tuple[Term, int, int]]:
        """The terms with their places from and to, in the order of the text."""
        for match in self._pattern.finditer(text):
            yield self._term_of[_plain(match[1])], match.start(), match.end()

    def terms_in(self, markdown: str) -> set[Term]:
        """The terms among the words of a text with formulas, code and roles."""
        return {term for term, _, _ in self.finds(_NOT_WORDS.sub(" ", markdown))}


def _plain(form: str) -> str:
    """Pages are set with typographic apostrophes, notebooks are written with plain ones."""
    return form.lower().replace("’", "'")
