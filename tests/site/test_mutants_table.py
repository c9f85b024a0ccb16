"""The table of small errors that are noticed, on the page of the ledger."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

from tools.mutation.parts import TARGETS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return importlib.import_module("mcbook_mutants")


def test_every_part_has_a_name_for_people(extension: ModuleType) -> None:
    assert list(extension.PARTS) == list(TARGETS)


def test_the_rows_are_those_of_the_record(extension: ModuleType) -> None:
    record = json.loads((ROOT / extension.PLACE).read_text(encoding="utf-8"))
    rows = extension.rows_of(record)
    assert len(rows) == len(record["parts"])
    for row, found in zip(rows, record["parts"].values(), strict=True):
        assert row[1:3] == (str(found["mutants"]), str(found["noticed"]))
        assert float(row[3].rstrip("%")) == pytest.approx(100 * found["noticed"] / found["mutants"], abs=0.05)
