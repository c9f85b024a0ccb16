"""Every claim of the book is put on trial, stands, and finds what is recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcbook.claims import claims, verify
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.record import PLACE, RENEW, differences, read_records, record, texts

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def trials_of_its_own():
    """Not here: a claim that a notebook has tried in this run is not tried again."""


@pytest.fixture(scope="module")
def book():
    return read_book(ROOT / "book")


@pytest.fixture(scope="module")
def records():
    return read_records(ROOT)


@pytest.mark.parametrize("label", claims())
def test_the_claim_stands_as_it_is_recorded(label, book, records):
    trial = verify(label)
    assert trial.stands, "\n".join(trial.complaints)
    changed = differences(records.get(label), record(trial, book))
    renew = f"where this is as it should be, say so: {RENEW.format(trial.claim.label)}"
    assert not changed, "\n".join([f"{label} is not as {PLACE} has it:", *changed, renew])


def test_what_no_claim_tries_says_what_is_recorded(book, records):
    for label, text in texts(book).items():
        changed = differences(records.get(label), text)
        assert not changed, "\n".join([f"{label} is not as {PLACE} has it:", *changed, RENEW.format(label)])


def test_nothing_is_recorded_of_what_is_gone(book, records):
    assert list(records) == [label for label in (*claims(), *texts(book)) if label in records]
