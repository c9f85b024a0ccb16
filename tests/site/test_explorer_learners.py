"""Explorers that learn: reductions by least squares, and SVMs computed beforehand; both against the package."""

import importlib.util
import itertools
import json
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from explorer_book import ROOT, SOURCES, Mathematics, close
from sklearn.base import BaseEstimator

from mcbook.one_vs_rest_and_pairs import all_tournaments, extremal_duels, majority, one_vs_one_bound, votes
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import all_pairs_code, one_estimator_per_column, one_vs_rest_code
from mcbook.perceptron import frobenius_product
from mcbook.svm import class_weights, dual_objective, flow_violation, primal_objective, slacks
from mcbook.svm_solvers import solve_multiclass


class LeastSquares(BaseEstimator):
    """The affine function with the least sum of squares, as numpy finds it."""

    def fit(self, X: Any, y: Any) -> "LeastSquares":
        self.coef_ = np.linalg.lstsq(np.c_[X, np.ones(len(X))], y, rcond=None)[0]
        return self


@pytest.mark.parametrize(("function", "code"), [("oneVsRest", one_vs_rest_code(3)), ("allPairs", all_pairs_code(3))])
def test_reductions_are_those_of_the_package(mathematics: Mathematics, function: str, code: Any) -> None:
    rng = np.random.default_rng(0)
    for _ in range(15):
        y = np.arange(21) % 3
        X = rng.normal(size=(21, 2)) + rng.normal(size=(3, 2))[y]
        learners = one_estimator_per_column(LeastSquares(), X, code[y])
        ours = mathematics("reductions", function, X, y)
        assert np.array(ours) == close(np.array([learner.coef_ for learner in learners]))


def test_votes_and_winners_are_those_of_the_package(mathematics: Mathematics) -> None:
    drawn = np.random.default_rng(3).integers(-1, 2, (20, 6))
    for k, duels in ((3, all_tournaments(3)), (4, all_tournaments(4)), (4, drawn)):
        for outcomes in duels:
            won = mathematics("reductions", "votes", outcomes, k)
            assert won == votes(outcomes[None, :], k)[0].tolist()
            assert mathematics("reductions", "majority", won) == majority(outcomes[None, :], k)[0]


def test_errors_on_a_sample_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(1)
    M = all_pairs_code(3)
    for _ in range(15):
        y = np.arange(30) % 3
        X = rng.normal(size=(30, 2)) + 0.8 * rng.normal(size=(3, 2))[y]
        duels = rng.normal(size=(3, 3))
        outcomes = np.c_[X, np.ones(30)] @ duels.T
        ours = mathematics("reductions", "pairErrors", X, y, duels)
        assert ours["error"] == close((majority(outcomes, 3) != y).mean())
        asked = M[y] != 0
        wrong = asked & (M[y] * outcomes <= 0)
        assert ours["largest"] == close((wrong.sum(axis=0) / asked.sum(axis=0)).max())


def test_the_extremal_distribution_is_that_of_the_package(mathematics: Mathematics) -> None:
    for k, r in itertools.product((3, 4, 6), (Fraction(0), Fraction(1, 50), Fraction(1, 5))):
        distribution = extremal_duels([Fraction(1, k)] * k, r)
        ours = mathematics("reductions", "extremal", {"classes": k, "r": float(r)})
        assert ours["error"] == close(float(distribution.error(majority(distribution.outputs, k))))
        assert ours["duel"] == close(float(max(distribution.binary_errors(all_pairs_code(k)))))
        assert ours["allowed"] == close(float(one_vs_one_bound(k, r)))
        assert not ours["broken"]
        less = mathematics("reductions", "extremal", {"classes": k, "r": float(r), "factor": k - 1.05})
        assert less["broken"] == (r > 0)


@pytest.mark.parametrize(("function", "claims"), [("restParts", 1), ("pairParts", 2)])
def test_the_parts_cover_the_square_and_have_the_signs_of_their_label(
    mathematics: Mathematics, function: str, claims: int
) -> None:
    rng = np.random.default_rng(2)
    for _ in range(10):
        functions = rng.normal(size=(3, 3))
        parts = mathematics("reductions", function, functions)
        polygons = [(np.array(part["corners"]), part["label"]) for part in parts if part["corners"]]
        covered = 0.0
        for corners, label in polygons:
            x, y = corners.T
            covered += abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
            values = functions @ [*corners.mean(axis=0), 1]
            if function == "restParts":
                count, winner = (values > 0).sum(), int(np.argmax(values))
            else:
                won = votes(values[None, :], 3)[0]
                count, winner = won.max(), int(won.argmax())
            assert label == (winner if count == claims else -1)
        assert covered == close(64)


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("explorer_data", ROOT / "tools" / "explorer_data.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stored(path: Path = SOURCES / "data" / "svm-c.js") -> Any:
    return json.loads(path.read_text("utf8").partition("grid = ")[2].rstrip().removesuffix(";"))


def test_the_stored_svms_are_certified_optima_of_the_tools_sample(tool: ModuleType) -> None:
    data = stored()
    X, y = tool.sample()
    assert (data["X"], data["y"]) == (X.tolist(), y.tolist())
    assert [found["C"] for found in data["solutions"]] == tool.GRID.tolist()
    for found in data["solutions"]:
        C, alpha = found["C"], found["C"] * np.array(found["shares"])
        assert flow_violation(alpha, y, C) <= 1e-9 * C
        primal = primal_objective(class_weights(alpha, X), X, y, C)
        gap = primal - dual_objective(alpha, X @ X.T, y)
        assert -1e-12 <= gap <= 1e-8 * primal, f"C = {C}: the flows leave a gap of {gap}: run tools/explorer_data.py"
    # They are those that the package finds today.
    for found in data["solutions"][::8]:
        W = class_weights(found["C"] * np.array(found["shares"]), X)
        now = solve_multiclass(X, y, tool.N_CLASSES, found["C"], tol=1e-10)
        assert np.abs(W - now.W).max() <= 1e-4 * (1 + np.sqrt(frobenius_product(now.W, now.W)))


def test_svms_have_the_packages_numbers(mathematics: Mathematics) -> None:
    data = stored()
    X, y = np.array(data["X"]), np.array(data["y"])
    for place, found in enumerate(data["solutions"]):
        C, alpha = found["C"], found["C"] * np.array(found["shares"])
        W = class_weights(alpha, X)
        given = {"X": data["X"], "y": data["y"], "C": C, "shares": found["shares"], "W": W.tolist()}
        assert np.array(mathematics("svm-c", "weightsOf", given)) == close(W)
        assert mathematics("svm-c", "slacksOf", given) == close(slacks(W, X, y).tolist())
        assert mathematics("svm-c", "primalValue", given) == close(primal_objective(W, X, y, C))
        assert mathematics("svm-c", "dualValue", given) == close(dual_objective(alpha, X @ X.T, y))
        svm = mathematics("svm-c", "svmAt", place)
        assert svm["total"] == close(slacks(W, X, y).sum())
        assert svm["length"] == close(float(np.sqrt(frobenius_product(W, W))))


def test_slacks_fall_and_lengths_grow_with_C_but_support_vectors_do_neither(mathematics: Mathematics) -> None:
    svms = [mathematics("svm-c", "svmAt", place) for place in range(len(stored()["solutions"]))]
    steps = list(itertools.pairwise(svms))
    assert all(after["total"] <= before["total"] + 1e-6 for before, after in steps)
    assert all(after["length"] >= before["length"] - 1e-6 for before, after in steps)
    assert any(after["support"] > before["support"] for before, after in steps)
    assert any(after["support"] < before["support"] for before, after in steps)
    # Slacks that rounding leaves are written as 0.
    totals = (2.7e-10, 0, 0.25, svms[-1]["total"])
    assert [mathematics("svm-c", "paid", total) for total in totals] == ["0", "0", "0.25", "0"]


def test_longer_weights_do_better_and_no_longer_ones_do_not(mathematics: Mathematics) -> None:
    data = stored()
    X, y = np.array(data["X"]), np.array(data["y"])
    last = mathematics("svm-c", "svmAt", len(data["solutions"]) - 1)["W"]
    for place in range(0, 30, 5):
        W = mathematics("svm-c", "svmAt", place)["W"]
        given = {"W": W, "towards": last, "X": data["X"], "y": data["y"]}
        assert mathematics("svm-c", "betterWithin", given | {"factor": 1}) is None
        found = mathematics("svm-c", "betterWithin", given | {"factor": 1.01})
        V = np.array(found["W"])
        assert frobenius_product(V, V) <= 1.01**2 * frobenius_product(np.array(W), np.array(W)) * (1 + 1e-12)
        assert found["slacks"] == close(slacks(V, X, y).sum())
        assert found["slacks"] < slacks(np.array(W), X, y).sum()
