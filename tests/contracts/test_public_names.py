"""A chapter shows what its readers need: every public name is used on a page, on trial in a claim, or an estimator."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import mcbook
from mcbook.claims import claims
from mcbook.claims.spine.book import listed_chapters, read_book

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = listed_chapters(ROOT)


@pytest.fixture(scope="module")
def needed():
    """Objects that some page uses, that some claim puts on trial, or that ``mcbook`` itself exports."""
    on_pages = [one for code in read_book(ROOT / "book").code.values() for one in code.objects()]
    on_trial = [one for claim in claims().values() for one in claim.implements]
    return [*on_pages, *on_trial, *(getattr(mcbook, name) for name in mcbook.__all__)]


def idle(package, needed):
    """The public names of a package that nothing needs."""
    known = {id(one) for one in needed}
    return [name for name in package.__all__ if id(getattr(package, name)) not in known]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_public_names_are_needed(chapter, needed):
    assert idle(importlib.import_module(f"mcbook.{chapter}"), needed) == []


def test_an_idle_name_is_noticed(needed):
    package = mcbook.perceptron
    assert "mistake_bound" in idle(package, [one for one in needed if one is not package.mistake_bound])


def test_chapters_stay_small():
    sizes = {chapter: len(importlib.import_module(f"mcbook.{chapter}").__all__) for chapter in CHAPTERS}
    assert {chapter: size for chapter, size in sizes.items() if size > 40} == {}
