"""The handwritten words: how they are read, and what is run on them.  No test needs the data."""

import numpy as np
import pytest

from mcbook.experiments import DATASETS, letters
from mcbook.experiments.parsing import Words, read_words
from mcbook.foundation.pages import measured
from mcbook.structured_margins import chain_problem
from mcbook.structured_margins.algorithm.working_set import solve_working_set


def line(number, letter, following, word, place, fold, pixels):
    return "\t".join(map(str, (number, letter, following, word, place, fold, *pixels))) + "\t\n"


@pytest.fixture
def content():
    """Two words, "ab" and "b"; equal numbers in different folds."""
    rng = np.random.default_rng(0)
    rows = [("a", 2, 7, 1, 0), ("b", -1, 7, 2, 0), ("b", -1, 7, 1, 3)]
    return "".join(line(i + 1, *row, rng.integers(0, 2, 128)) for i, row in enumerate(rows)).encode()


def test_words_are_read_letter_by_letter(content):
    words = read_words(content)
    assert words.lengths.tolist() == [2, 1]
    assert words.classes[words.y].tolist() == ["a", "b", "b"]
    assert words.folds.tolist() == [0, 3]
    assert words.X.shape == (3, 128)
    assert words.X[1].tolist() == [float(v) for v in content.decode().splitlines()[1].split("\t")[6:134]]


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
    assert (with_chain["C"] in with_chain["tried"]) == (method != "Perceptron")


def test_a_letter_by_itself_has_one_machine_for_both_rescalings(invented, monkeypatch):
    monkeypatch.setattr(letters, "GAP", 1e-9)
    training = invented.folds < 5
    data, y = letters._part(invented, training, False)
    found = [letters._multiclass(data, y, 3, 0.1)]
    for method in letters.MARGIN_METHODS:
        data, y = letters._part(invented, training, False)
        problem = chain_problem(data, y, 3, 0.1, rescaling=method)
        found.append(solve_working_set(problem, tol=1e-9).w)
    assert found[1] == pytest.approx(found[2], abs=1e-9)
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def test_a_cell_trains_on_one_fold_or_on_nine(invented, monkeypatch):
    seen = []
    monkeypatch.setattr(letters, "errors_on", lambda words, training, method, chain: seen.append(training) or {})
    for protocol in letters.PROTOCOLS:
        letters._cell(invented, protocol, 3, "Perceptron", True)
    assert seen[0].tolist() == (invented.folds == 3).tolist()
    assert seen[1].tolist() == (invented.folds != 3).tolist()


def test_the_recorded_run_is_complete_and_of_this_data():
    kept = measured(letters.RECORD)
    assert kept["data"] == {source.path: source.sha256 for source in DATASETS["letters"].files}
    assert (kept["passes"], kept["gap"]) == (letters.PASSES, letters.GAP)
    cells = [(c["protocol"], c["fold"], c["method"], c["chain"]) for c in kept["cells"]]
    assert len(cells) == len(set(cells))
    assert set(cells) == set(letters.listed(letters.METHODS))
    assert all(0 < c["letters"] < c["words"] < 1 for c in kept["cells"])
    for cell in kept["cells"]:
        grid, tried = letters.GRIDS.get(cell["method"], ()), tuple(cell["tried"])
        assert tried[: len(grid)] == grid
        assert tried == tuple(sorted(tried))
        assert cell["C"] in (tried or (None,))


def test_every_recorded_choice_lies_inside_of_its_list():
    kept = [c for c in measured(letters.RECORD)["cells"] if c["tried"]]
    assert [c for c in kept if not min(c["tried"]) < c["C"] < max(c["tried"])] == []


@pytest.mark.parametrize(
    ("best", "tried"),
    [
        (0.1, (0.03, 0.1, 0.3)),
        (0.3, (0.03, 0.1, 0.3, 1.0)),
        (10.0, (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)),
    ],
)
def test_a_list_of_costs_is_continued_while_its_last_is_the_best(best, tried):
    choice = letters.least(lambda C: (abs(np.log(C / best)), 0.0), (0.03, 0.1, 0.3))
    assert choice == (best, list(tried))
