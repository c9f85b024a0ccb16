"""Data sets: fetched, checked, read; and what is run on them.  No test needs the network or the data."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from mcbook.experiments import DATASETS, DataError, Dataset, Source, data, letters, load
from mcbook.experiments.parsing import Words, read_words
from mcbook.foundation.pages import measured


def line(number, letter, following, word, place, fold, pixels):
    return "\t".join(map(str, (number, letter, following, word, place, fold, *pixels))) + "\t\n"


@pytest.fixture
def content():
    """Two words, "ab" and "b"; equal numbers in different folds."""
    rng = np.random.default_rng(0)
    rows = [("a", 2, 7, 1, 0), ("b", -1, 7, 2, 0), ("b", -1, 7, 1, 3)]
    return "".join(line(i + 1, *row, rng.integers(0, 2, 128)) for i, row in enumerate(rows)).encode()


@pytest.fixture
def tiny(monkeypatch, tmp_path, content):
    """A data set "tiny" of that content, and the folder in which it is looked for."""
    source = Source("some/tiny.data", hashlib.sha256(content).hexdigest(), len(content), "https://example.org/tiny.gz")
    monkeypatch.setitem(DATASETS, "tiny", Dataset("tiny", "two words", "nobody", (source,), read_words))
    monkeypatch.setenv(data.FOLDER, str(tmp_path))
    (tmp_path / "some").mkdir()
    return tmp_path / "some" / "tiny.data"


def test_words_are_read_letter_by_letter(content):
    words = read_words(content)
    assert words.lengths.tolist() == [2, 1]
    assert words.classes[words.y].tolist() == ["a", "b", "b"]
    assert words.folds.tolist() == [0, 3]
    assert words.X.shape == (3, 128)
    assert words.X[1].tolist() == [float(v) for v in content.decode().splitlines()[1].split("\t")[6:134]]


@pytest.mark.parametrize("packed", [False, True])
def test_files_are_taken_from_the_folder_packed_or_not(tiny, content, packed):
    if packed:
        tiny.with_name("tiny.data.gz").write_bytes(gzip.compress(content))
    else:
        tiny.write_bytes(content)
    assert load("tiny").lengths.tolist() == [2, 1]


def test_a_file_that_is_missing_truncated_or_altered_is_refused(tiny, content):
    with pytest.raises(DataError, match=r"expected the file some/tiny.data or some/tiny.data.gz in .* found neither"):
        load("tiny")
    digest = hashlib.sha256(content).hexdigest()
    for wrong, what in ((content[:-9], "truncated"), (content.replace(b"a", b"c"), "altered")):
        tiny.write_bytes(wrong)
        found = hashlib.sha256(wrong).hexdigest()
        message = (
            rf"tiny.data to hold {len(content)} bytes with the SHA-256 {digest}, but it has .* {found}: .* is {what}"
        )
        with pytest.raises(DataError, match=message):
            load("tiny")
    tiny.unlink()
    tiny.with_name("tiny.data.gz").write_bytes(gzip.compress(content)[:-40])
    with pytest.raises(DataError, match=r"does not unpack .* truncated or altered; delete it, and fetch it again"):
        load("tiny")


def test_without_a_folder_files_are_fetched_into_the_cache(tiny, content, monkeypatch, tmp_path):
    monkeypatch.delenv(data.FOLDER)
    asked = []

    def retrieve(url, known_hash, fname, path):
        asked.append(url)
        if len(asked) == 1:
            raise OSError("no network")
        target = Path(path) / fname
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.compress(content))
        return str(target)

    monkeypatch.setattr("pooch.retrieve", retrieve)
    monkeypatch.setattr("pooch.os_cache", lambda name: tmp_path / "cache" / name)
    with pytest.raises(DataError, match=r"which failed \(no network\): go online, or put the file .* MCBOOK_DATA"):
        load("tiny")
    assert load("tiny").lengths.tolist() == [2, 1]
    assert asked == ["https://example.org/tiny.gz"] * 2


def test_a_name_that_is_no_data_set_is_refused():
    with pytest.raises(ValueError, match="expected name to be one of 'letters'"):
        load("numbers")


@pytest.fixture
def invented():
    """Words of three letters that are always "abc", "bca" or "cab", whose last letter cannot be seen."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, 3, 60)
    y = (first[:, None] + np.arange(3)) % 3
    X = np.eye(3)[y] + 0.1 * rng.normal(size=(60, 3, 3))
    X[:, 2] = 0
    return Words(X.reshape(180, 3), y.ravel(), np.full(60, 3), np.arange(60) % 10, np.array(["a", "b", "c"]))


@pytest.mark.parametrize("method", list(letters.METHODS))
def test_the_chain_reads_what_a_letter_alone_cannot_show(invented, method):
    training = invented.folds < 5
    with_chain, alone = (letters.errors_on(invented, training, method, chain=chain) for chain in (True, False))
    assert with_chain["letters"] < 0.05
    assert 0.1 < alone["letters"] < 0.4
    assert alone["words"] >= 2 * alone["letters"]
    assert (with_chain["C"] in letters.GRID) == (method != "Perceptron")


@pytest.mark.parametrize("method", letters.MARGIN_METHODS)
def test_methods_with_a_margin_use_the_chain_too(invented, method):
    training = invented.folds < 5
    with_chain, alone = (letters.errors_on(invented, training, method, chain=chain) for chain in (True, False))
    assert with_chain["letters"] < alone["letters"] / 2
    assert with_chain["C"] in letters.GRID


def test_a_cell_trains_on_one_fold_or_on_nine(invented, monkeypatch):
    seen = []
    monkeypatch.setattr(letters, "errors_on", lambda words, training, method, chain: seen.append(training) or {})
    for protocol in letters.PROTOCOLS:
        letters._cell(invented, protocol, 3, "Perceptron", True)
    assert seen[0].tolist() == (invented.folds == 3).tolist()
    assert seen[1].tolist() == (invented.folds != 3).tolist()


def test_the_recorded_run_with_a_margin_is_complete_and_of_this_data():
    kept = measured(f"{letters.RECORD}_margin")
    assert kept["data"] == {source.path: source.sha256 for source in DATASETS["letters"].files}
    assert (tuple(kept["grid"]), kept["gap"]) == (letters.GRID, letters.GAP)
    cells = {(c["protocol"], c["fold"], c["method"], c["chain"]) for c in kept["cells"]}
    assert cells == {("one fold", fold, "margin", chain) for fold in range(10) for chain in (False, True)}
    assert len(kept["cells"]) == 20
    assert all(0 < c["letters"] < c["words"] < 1 for c in kept["cells"])


def test_the_recorded_run_is_complete_and_of_this_data():
    kept = measured(letters.RECORD)
    assert kept["data"] == {source.path: source.sha256 for source in DATASETS["letters"].files}
    assert (tuple(kept["grid"]), kept["passes"]) == (letters.GRID, letters.PASSES)
    cells = {(c["protocol"], c["fold"], c["method"], c["chain"]) for c in kept["cells"]}
    assert len(kept["cells"]) == len(cells) == 2 * 10 * 3 * 2
    assert all(0 < c["letters"] < c["words"] < 1 for c in kept["cells"])
    json.dumps(kept)
