"""The entries of the ledger: what they must say, and in which order they come."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from mcbook.claims import ledger
from mcbook.claims.spine import entries
from mcbook.claims.spine.entries import KINDS, NATURES
from mcbook.foundation.proof import Tier

BOOK = Path(__file__).resolve().parents[2] / "book"

ENTRY = """
[[entry]]
id = "{id}"
label = "{label}"
title = "Title"
says = "That it is so."
kind = "{kind}"
tier = "{tier}"
tier_from = "enumeration"
source = {source}
where = ""
errata = []
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    """The ledger made of the files given by chapter."""
    monkeypatch.setattr("importlib.resources.files", lambda package: tmp_path)

    def write(**texts):
        for chapter, text in texts.items():
            (tmp_path / chapter).mkdir()
            (tmp_path / chapter / "ledger.toml").write_text(text, encoding="utf-8")
        return entries.ledger.__wrapped__()

    return write


def entry(id="A.1", label="thm-a", kind="identity", tier="exact", source='"someone2000"'):
    return ENTRY.format(id=id, label=label, kind=kind, tier=tier, source=source)


def test_an_entry_is_read(read):
    (found,) = read(a=entry()).values()
    assert (found.id, found.chapter, found.tier, found.source) == ("A.1", "a", Tier.EXACT, ("someone2000",))
    assert found.nature == "theorem"


def test_several_sources(read):
    assert read(a=entry(source='["one", "two"]'))["A.1"].source == ("one", "two")


def test_chapters_come_in_the_order_of_their_names_whatever_the_folder_says(read, tmp_path, monkeypatch):
    folders = [tmp_path / name for name in "bca"]
    monkeypatch.setattr(Path, "iterdir", lambda self: iter(folders))
    found = read(**{name: entry(id=f"{name}.1", label=f"thm-{name}") for name in "bca"})
    assert list(found) == ["a.1", "b.1", "c.1"]


@pytest.mark.parametrize(
    ("first", "second"), [(entry(), entry(label="thm-b")), (entry(), entry(id="A.2")), (entry(), entry())]
)
def test_ids_and_labels_are_taken_once(read, first, second):
    with pytest.raises(ValueError, match="is taken already"):
        read(a=first, b=second)


def test_a_field_that_is_missing_is_named(read):
    with pytest.raises(ValueError, match=r"entry A\.1 of a: expected .*'errata'"):
        read(a=entry().replace("errata = []", ""))


def test_a_field_that_is_made_up_is_named(read):
    with pytest.raises(ValueError, match=r"got .*'proof'"):
        read(a=entry() + 'proof = ""\n')


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "hope"}, "kind must be one of"),
        ({"label": "idea-a"}, "must begin with one of"),
        ({"tier": "certain"}, "unknown tier"),
    ],
)
def test_a_word_that_is_not_known_is_named(read, change, message):
    with pytest.raises(ValueError, match=message):
        read(a=entry(**change))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prefix", NATURES)
def test_what_a_claim_owes(kind, prefix):
    one = dataclasses.replace(next(iter(ledger().values())), kind=kind, label=f"{prefix}-x")
    bound = kind in ("upper bound", "lower bound", "growth rate")
    assert ("extremal instance" in one.owed) is bound
    assert ("trace of its proof" in one.owed) is (bound and prefix == "thm")
    assert {"check", "control"} <= set(one.owed)


def test_every_entry_says_something_and_names_its_sources():
    sources = {f"{{{key}," for one in ledger().values() for key in one.source}
    references = (BOOK / "references.bib").read_text(encoding="utf-8")
    assert all(source in references for source in sources)
    assert all(one.says and one.title and one.tier_from for one in ledger().values())
