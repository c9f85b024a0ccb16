"""Explorers compute what the package computes: the same numbers to 1e-9, on random inputs."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from explorer_book import CLOSE, Mathematics, close, random_codes

from mcbook.constraint_classification import cyclic_sample, pinwheel_sample, separability_chain
from mcbook.losses import CATALOGUE, ramp, symmetrised
from mcbook.margin_bounds import (
    block_complexity_limits,
    informative_sample_size,
    kernel_margin_bound,
    labels_factor,
    margin_bound,
    two_block_complexity,
)
from mcbook.output_code_errors import cheapest_mistake, loss_decoding_bound, worst_error
from mcbook.output_code_errors.algorithm.worst_case import hinge_mistake_cost
from mcbook.output_codes import (
    complete_code,
    decode,
    decoding_distances,
    eight_class_example,
    four_class_example,
    minimal_distance,
    row_distances,
)
from mcbook.perceptron import (
    best_margin,
    history,
    margins,
    mistake_bound,
    run_perceptron,
    separable_sample,
    tight_sample,
)
from mcbook.rademacher import block_class, exact_complexity, maxima_class
from mcbook.winnow import gain_of_an_update, hadamard_rows, hadamard_sample, run_winnow, winnow_bound, winnow_history
from mcbook.winnow.instances import overshooting_sample


def test_margin_bound_is_that_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        k, m = int(rng.integers(2, 50)), int(rng.integers(1, 10**6))
        loss, complexity, rho, delta, r2, l2 = (float(value) for value in rng.uniform(0.01, 0.99, 6))
        settings = {"loss": loss, "rho": rho, "classes": k, "delta": delta, "samples": m}
        ours = mathematics("margin-bound", "marginBound", settings | {"complexity": complexity})
        assert ours == close(margin_bound(loss, complexity, rho, k, delta, m))
        norms = {"squaredRadius": r2, "squaredNorm": l2}
        ours = mathematics("margin-bound", "kernelBound", settings | norms)
        assert ours == close(kernel_margin_bound(loss, r2, l2, rho, k, delta, m))
        first = mathematics("margin-bound", "firstInformative", settings | norms)
        assert first == math.floor(informative_sample_size(r2, l2, rho, k, delta, loss)) + 1


def test_block_complexity_is_the_proved_limit(mathematics: Mathematics) -> None:
    for m in (1, 2, 10, 1999, 2000, 2001, 2500, 4000):
        assert mathematics("margin-bound", "blockComplexity", 2, m) == close(float(two_block_complexity(m)))
    for k in (3, 10, 100):
        for m in (1, 50, 10_000, 10**8):
            limit = float(block_complexity_limits(k, m).upper)
            assert mathematics("margin-bound", "blockComplexity", k, m) == close(limit)
    for k in (2, 3, 4, 6, 7, 12, 13, 100):
        assert mathematics("margin-bound", "labelsFactor", k) == close(float(labels_factor(k)))


def test_the_block_class_breaks_constants_below_2_where_the_proved_limit_says(mathematics: Mathematics) -> None:
    def promised(k: int, factor: float, delta: float, m: int) -> float:
        upper = two_block_complexity(m) if k == 2 else block_complexity_limits(k, m).upper
        return float(factor / 4 * (margin_bound(0, float(upper), 1, k, 1, m))) + math.sqrt(-math.log(delta) / (2 * m))

    for k, factor, delta in ((2, 1.5, 0.05), (3, 1.9, 0.05), (10, 1.9, 1e-3), (40, 1.0, 0.3)):
        settings = {"classes": k, "factor": factor, "delta": delta}
        first = mathematics("margin-bound", "firstFalse", settings)
        assert promised(k, factor, delta, first) < 1 <= promised(k, factor, delta, first - 1)
        below = mathematics("margin-bound", "blockBound", settings | {"samples": first})
        assert below == close(promised(k, factor, delta, first))
    # No constant from 2 on is refuted; the infinity of the browser is None in JSON.
    assert mathematics("margin-bound", "firstFalse", {"classes": 3, "factor": 2, "delta": 0.05}) in (None, math.inf)


def random_samples(seed: int, n_features: int) -> Any:
    rng = np.random.default_rng(seed)
    for _ in range(25):
        k = int(rng.integers(2, 5))
        yield (*separable_sample(rng, k, n_features, int(rng.integers(k + 1, 13)), 6), k)


def test_the_perceptrons_updates_are_those_of_the_package(mathematics: Mathematics) -> None:
    for X, y, k in random_samples(1, 2):
        run = run_perceptron(X, y, k)
        ours = mathematics("plane", "wholeRun", X, y, k, 20_000)
        assert ours["updates"] == run.updates.tolist()
        assert ours["W"] == run.W.tolist()
        W = np.array(ours["W"])
        assert mathematics("plane", "margins", W, X, y) == close(margins(run.W, X, y).tolist())


@pytest.mark.parametrize("n_features", [2, 3])
def test_best_margin_lies_in_the_certified_bracket(mathematics: Mathematics, n_features: int) -> None:
    for X, y, k in random_samples(2, n_features):
        ours = mathematics("plane", "bestMargin", X, y, k)
        certified = best_margin(X, y, k).squared
        assert ours["separable"]
        # Two brackets of the same number: both are narrow, and neither is beyond the other.
        assert 0 <= ours["upper"] - ours["lower"] <= 1e-10 * ours["upper"]
        assert math.sqrt(certified.lower) <= ours["upper"] * (1 + 1e-12)
        assert ours["lower"] <= math.sqrt(certified.upper) * (1 + 1e-12)
        assert ours["lower"] == pytest.approx(math.sqrt(certified.middle), rel=1e-6)
        attained = margins(np.array(ours["W"]), X.astype(float), y).min()
        assert attained == close(ours["lower"])


def test_best_margin_is_exact_on_the_tight_sample(mathematics: Mathematics) -> None:
    for k in range(2, 9):
        X, y = tight_sample(k)
        assert mathematics("front", "tightSample", k) == {"X": X.tolist(), "y": y.tolist()}
        assert mathematics("plane", "mistakeBound", X, y, k) == close(2 * (k - 1))
        trial = mathematics("front", "tightTrial", {"classes": k, "factor": 1})
        assert (trial["made"], trial["allowed"], trial["broken"]) == (2 * (k - 1), close(2 * (k - 1)), False)
        assert mathematics("front", "tightTrial", {"classes": k, "factor": 0.99})["broken"]
    # A sample that cannot be separated has no margin.
    for X, y, k in (
        ([[1, 2], [1, 2]], [0, 1], 2),
        ([[1, 0], [2, 0], [3, 0]], [0, 1, 0], 2),
        ([[1, 0], [0, 1], [1, 1], [0, 0]], [0, 1, 2, 0], 3),
    ):
        ours = mathematics("plane", "bestMargin", X, y, k)
        assert (ours["separable"], ours["lower"], ours["upper"]) == (False, 0, 0)
        assert np.all(np.array(mathematics("plane", "bestWeights", ours)) == 0)


def test_staircases_count_the_packages_updates(mathematics: Mathematics) -> None:
    for X, y, k in random_samples(3, 3):
        ours = mathematics("front", "staircase", {"X": X, "y": y, "classes": k, "steps": 3 * len(X)})
        made = run_perceptron(X, y, k, max_epochs=3).n_updates
        assert ours["updates"] == made
        assert ours["shares"][-1] * ours["bound"] == close(made)
        squared = max(sum(value * value for value in x) for x in X)
        assert ours["bound"] == pytest.approx(float(mistake_bound(squared, best_margin(X, y, k).squared.middle)), 1e-6)


def test_regions_are_where_the_score_is_largest(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(4)
    square = [[-5, -5], [5, -5], [5, 5], [-5, 5]]
    for _ in range(20):
        rows = rng.normal(size=(4, 3))
        regions = [np.array(corners).reshape(-1, 2) for corners in mathematics("plane", "regions", rows, square)]
        assert sum(map(area, regions)) == close(100)
        for point in rng.uniform(-5, 5, (40, 2)):
            winner = int(np.argmax(rows @ [*point, 1]))
            assert [inside(corners, point) for corners in regions].index(True) == winner


def area(corners: Any) -> float:
    x, y = corners.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def inside(corners: Any, point: Any) -> bool:
    """Whether a point is on the left of every side, in the order that the square has."""
    if not len(corners):
        return False
    side, away = np.roll(corners, -1, axis=0) - corners, point - corners
    return bool((side[:, 0] * away[:, 1] - side[:, 1] * away[:, 0] >= -1e-9).all())


def test_complexities_of_maxima_are_exact(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(5)
    for _ in range(25):
        m = int(rng.integers(1, 8))
        F, G = (rng.integers(-3, 4, (int(rng.integers(1, 5)), m)) for _ in range(2))
        together = maxima_class(F, G)
        assert mathematics("signs", "maxima", F, G) == together.tolist()
        ours = mathematics("signs", "lemma", {"families": [F.tolist(), G.tolist()], "factor": 1})
        assert ours["whole"] == close(float(exact_complexity(together)))
        assert ours["allowed"] == close(float(exact_complexity(F) + exact_complexity(G)))
        assert not ours["broken"]
    # The two blocks attain the lemma and break every smaller factor.
    families = mathematics("signs", "blockFamilies", 2, 3)
    for ours, theirs in zip(families, block_class(2, 3), strict=True):
        assert sorted(ours) == sorted(theirs.tolist())
    assert mathematics("signs", "lemma", {"families": families})["whole"] == close(1)
    assert mathematics("signs", "lemma", {"families": families})["allowed"] == close(1)
    assert mathematics("signs", "lemma", {"families": families, "factor": 0.99})["broken"]


def test_distances_and_decoding_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(6)
    for _ in range(40):
        M = random_codes(rng, zeros=True)
        outputs = rng.integers(-2, 3, M.shape[1])
        closest = mathematics("code-matrix", "closestRows", M)
        assert closest["rho"] == close(float(minimal_distance(M)))
        assert row_distances(M)[closest["first"], closest["second"]] == closest["rho"]
        for loss in ("hamming", "hinge"):
            theirs = decoding_distances(outputs[None, :].astype(float), M, loss)[0]
            assert mathematics("code-matrix", "decodingDistances", outputs, M, loss) == close(theirs.tolist())
            nearest = mathematics(
                "code-matrix", "decoded", {"outputs": outputs.tolist(), "M": M.tolist(), "loss": loss}
            )
            assert nearest[0] == decode(outputs[None, :].astype(float), M, loss)[0]
        assert mathematics("code-matrix", "mistakeCost", M[0], M[1]) == close(float(hinge_mistake_cost(M[0], M[1])))


def test_bound_and_worst_case_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(7)
    codes = [complete_code(4), eight_class_example()[1], four_class_example()[1]]
    codes += [random_codes(rng, zeros=bool(i % 2)) for i in range(10)]
    # The first row is part of the second: even perfect outputs tie.
    codes.append(np.array([[1, 1, 0, 0], [1, 1, 1, -1], [-1, 1, -1, 1]]))
    for M in codes:
        for average in (Fraction(1, 10), Fraction(2, 5), Fraction(9, 10)):
            ours = mathematics("code-matrix", "worstError", M, float(average))
            try:
                theirs = worst_error(M, average)
            except ValueError:
                assert ours is None or math.isnan(ours)
                continue
            # The package's sample is rounded to fractions and may miss the worst case by a little; its bracket holds.
            assert float(theirs.error.lower) - CLOSE <= ours <= float(theirs.error.upper) + CLOSE
            assert float(theirs.error.upper - theirs.error.lower) < 2e-3
            bound = mathematics("code-matrix", "trainingBound", M, float(average))
            assert bound == close(float(loss_decoding_bound(average, M.shape[1], minimal_distance(M))))
        costs = [
            mathematics("code-matrix", "mistakeCost", u, v) for i, u in enumerate(M) for v in np.delete(M, i, axis=0)
        ]
        bracket = cheapest_mistake(M).value
        assert float(bracket.lower) - CLOSE <= min(costs) <= float(bracket.upper) + CLOSE


def test_codes_of_signs_break_smaller_factors_and_correct_flips_up_to_the_radius(mathematics: Mathematics) -> None:
    M = complete_code(4)
    settings = {"M": M.tolist(), "average": 0.3}
    assert not mathematics("code-matrix", "judged", settings)["broken"]
    assert mathematics("code-matrix", "judged", settings | {"factor": 0.99})["broken"]
    for flips, safe in ((0, True), (1, True), (2, False)):
        outputs = mathematics("code-matrix", "flipped", {"M": M.tolist(), "label": 1, "flips": flips})
        assert sum(np.array(outputs) != M[1]) == flips
        right = decode(np.array([outputs], dtype=float), M, ties="mark")[0] == 1
        assert right == safe


@pytest.mark.parametrize("name", [*CATALOGUE, "ramp"])
def test_losses_are_those_of_the_catalogue(mathematics: Mathematics, name: str) -> None:
    loss = CATALOGUE.get(name, ramp())
    for z in (*np.random.default_rng(8).uniform(-4, 4, 20).tolist(), -1.0, 0.0, 1.0):
        assert mathematics("losses", "lossValue", name, z) == close(loss(z))
        assert mathematics("losses", "symmetrised", name, z) == close(symmetrised(loss, z))
    found = mathematics("losses", "condition", {"loss": name})
    assert found["holds"] == (name in CATALOGUE)
    assert not mathematics("losses", "condition", {"loss": name, "factor": 1.01})["holds"]
    assert found["least"] == close(min(symmetrised(loss, i / 100) for i in range(301)))


def test_broken_lines_pass_through_their_knots(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(9)
    for _ in range(20):
        heights = rng.uniform(0, 4, 7)
        for z in rng.uniform(-3, 3, 5):
            expected = np.interp(z, np.arange(-3, 4), heights)
            assert mathematics("losses", "lossValue", heights, z) == close(float(expected))
        pairs = (heights + heights[::-1]) / 2
        found = mathematics("losses", "condition", {"loss": heights.tolist()})
        assert found["least"] == close(float(pairs.min()))
        assert found["holds"] == (pairs.min() >= heights[3] - 1e-12)


def test_the_three_separabilities_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(6)
    y = np.array([0, 0, 1, 1, 2, 2])
    samples = [rng.integers(-4, 5, (6, 2)) for _ in range(40)]
    samples += [np.array(points[:, :2], dtype=int) for points, _ in (pinwheel_sample(), cyclic_sample())]
    seen = set()
    for X in samples:
        chain = separability_chain(np.c_[X, np.ones(6, dtype=int)], y, 3)
        ours = mathematics("constraints", "levels", X, y)
        assert tuple(ours) == chain.levels
        seen.add(chain.levels)
        found = mathematics("constraints", "separators", X, y)
        for z, score in enumerate(found["fromRest"]):
            assert (score is not None) == chain.from_rest[z].solvable
        if found["argmax"] is not None:
            assert margins(np.array(found["argmax"]), np.c_[X, np.ones(6)], y).min() == close(found["margin"])
    assert len(seen) == 4
    # Six points refute seven, and nothing refutes six.
    X, y = pinwheel_sample()
    settings = {"X": X[:, :2], "y": y}
    assert mathematics("constraints", "refutes", settings | {"points": 7})
    assert not mathematics("constraints", "refutes", settings | {"points": 6})
    assert not mathematics("constraints", "refutes", settings | {"X": [[0, 0]] * 6, "points": 9})


def test_winnows_updates_and_weights_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(6)
    for _ in range(25):
        k, d, m = int(rng.integers(2, 5)), int(rng.integers(1, 6)), int(rng.integers(2, 9))
        X, y, eta = rng.normal(size=(m, d)), rng.integers(0, k, m), float(rng.uniform(0.05, 1.5))
        run = run_winnow(X, y, k, factor=math.exp(eta), max_epochs=40)
        ours = mathematics("winnow", "winnowRun", X, y, k, eta, max(run.n_updates, 1))
        assert ours["updates"][: run.n_updates] == run.updates.tolist()
        weights = np.array(mathematics("winnow", "weightsOf", run.exponents, eta))
        assert weights.ravel() == close(run.W.ravel())
    for k, d, gamma, s in ((2, 4, 0.6, 1), (3, 100, 1 / 3, 3), (5, 7, 0.01, 2)):
        settings = {"classes": k, "attributes": d, "gamma": gamma, "relevant": s}
        assert mathematics("winnow", "bound", settings) == close(winnow_bound(k, d, gamma, math.log(s)))
        assert mathematics("winnow", "gain", gamma) == close(gain_of_an_update(gamma))


def test_the_samples_of_the_winnow_explorer(mathematics: Mathematics) -> None:
    for r in range(1, 7):
        assert mathematics("winnow", "hadamard", r) == hadamard_rows(r).tolist()
        made = mathematics("winnow", "trial", {"name": "rows", "doublings": r})
        X, y = hadamard_sample(r)
        assert len(made["updates"]) == run_winnow(X, y, 2, factor=2).n_updates == 1 + r
        assert not made["broken"]
    few, many = (np.array(mathematics("winnow", "randomSigns", d)) for d in (4, 64))
    assert (few == many[:, :4]).all()
    X, y = overshooting_sample()
    for stretch, broken in ((1, False), (2, False), (4, True)):
        made = mathematics("winnow", "trial", {"name": "four", "doublings": 2, "stretch": stretch})
        run = run_winnow(X.astype(float), y, 2, factor=math.exp(made["eta"]), max_epochs=30)
        assert made["broken"] is broken is not run.converged
        assert made["updates"][: run.n_updates] == run.updates.tolist()[: len(made["updates"])]


def test_the_winnow_explorer_compares_weights_after_the_same_number_of_updates(mathematics: Mathematics) -> None:
    for name, doublings in (("rows", 4), ("rows", 6), ("votes", 6), ("votes", 8)):
        found = mathematics("winnow", "sideBySide", {"name": name, "doublings": doublings})
        if name == "rows":
            X, y = hadamard_sample(doublings)
        else:
            X = np.array(mathematics("winnow", "randomSigns", 2**doublings))
            y = (X[:, :3].sum(axis=1) < 0).astype(int)
        X = X.astype(float)
        runs = run_winnow(X, y, 2, factor=math.exp(found["eta"])), run_perceptron(X, y, 2)
        assert [len(found["updates"]), found["perceptron"]] == [run.n_updates for run in runs]
        assert found["same"] == min(run.n_updates for run in runs)
        histories = winnow_history(runs[0], X, y), history(runs[1], X, y)
        for ours, weights in zip(found["pair"], histories, strict=True):
            up, down = next(itertools.islice(weights, found["same"], None))
            assert ours == close(((up - down) / np.abs(up - down).sum()).tolist())
        # The story: Winnow makes fewer updates, and after as many its weights are on what decides.
        assert found["perceptron"] > 2 * len(found["updates"])
        assert found["deciding"][0] > 2 * found["deciding"][1]
