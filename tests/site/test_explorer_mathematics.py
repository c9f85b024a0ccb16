"""Explorers compute what the package computes: the same numbers to 1e-9, on random inputs."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from explorer_book import CLOSE, Mathematics, close, random_codes

from mcbook.constraint_classification import cyclic_sample, pinwheel_sample, separability_chain
from mcbook.forests import VoteLaw, circular_forest, errors_as_trees_are_added, worst_forest_error
from mcbook.impurities import IMPURITIES, find_impurity, split_gain
from mcbook.losses import CATALOGUE, ramp, symmetrised
from mcbook.margin_bounds import (
    block_complexity_limits,
    informative_sample_size,
    kernel_margin_bound,
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
from mcbook.perceptron import best_margin, margins, mistake_bound, run_perceptron, separable_sample, tight_sample
from mcbook.rademacher import block_class, exact_complexity, maxima_class
from mcbook.winnow import (
    gain_of_an_update,
    hadamard_rows,
    hadamard_sample,
    overshooting_sample,
    run_winnow,
    winnow_bound,
)

# --- margin-bound ----------------------------------------------------------------------------------------------------


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


# --- plane, front ----------------------------------------------------------------------------------------------------


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


def test_a_sample_that_cannot_be_separated_has_no_margin(mathematics: Mathematics) -> None:
    for X, y, k in (
        ([[1, 2], [1, 2]], [0, 1], 2),
        ([[1, 0], [2, 0], [3, 0]], [0, 1, 0], 2),
        ([[1, 0], [0, 1], [1, 1], [0, 0]], [0, 1, 2, 0], 3),
    ):
        ours = mathematics("plane", "bestMargin", X, y, k)
        assert (ours["separable"], ours["lower"], ours["upper"]) == (False, 0, 0)


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


# --- signs -----------------------------------------------------------------------------------------------------------


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


def test_the_two_blocks_attain_the_lemma_and_break_every_smaller_factor(mathematics: Mathematics) -> None:
    families = mathematics("signs", "blockFamilies", 2, 3)
    for ours, theirs in zip(families, block_class(2, 3), strict=True):
        assert sorted(ours) == sorted(theirs.tolist())
    assert mathematics("signs", "lemma", {"families": families})["whole"] == close(1)
    assert mathematics("signs", "lemma", {"families": families})["allowed"] == close(1)
    assert mathematics("signs", "lemma", {"families": families, "factor": 0.99})["broken"]


# --- code-matrix -----------------------------------------------------------------------------------------------------


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


def test_codes_of_signs_break_every_smaller_factor(mathematics: Mathematics) -> None:
    settings = {"M": complete_code(4).tolist(), "average": 0.3}
    assert not mathematics("code-matrix", "judged", settings)["broken"]
    assert mathematics("code-matrix", "judged", settings | {"factor": 0.99})["broken"]


def test_flips_up_to_the_radius_are_corrected_and_no_more(mathematics: Mathematics) -> None:
    M = complete_code(4)
    for flips, safe in ((0, True), (1, True), (2, False)):
        outputs = mathematics("code-matrix", "flipped", {"M": M.tolist(), "label": 1, "flips": flips})
        assert sum(np.array(outputs) != M[1]) == flips
        right = decode(np.array([outputs], dtype=float), M, ties="mark")[0] == 1
        assert right == safe


# --- losses ----------------------------------------------------------------------------------------------------------


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


# --- constraints -----------------------------------------------------------------------------------------------------


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


def test_six_points_refute_seven_and_nothing_refutes_six(mathematics: Mathematics) -> None:
    X, y = pinwheel_sample()
    settings = {"X": X[:, :2], "y": y}
    assert mathematics("constraints", "refutes", settings | {"points": 7})
    assert not mathematics("constraints", "refutes", settings | {"points": 6})
    assert not mathematics("constraints", "refutes", settings | {"X": [[0, 0]] * 6, "points": 9})


# --- winnow ----------------------------------------------------------------------------------------------------------


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


def test_winnows_bound_is_that_of_the_package(mathematics: Mathematics) -> None:
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


# --- structured ------------------------------------------------------------------------------------------------------


def random_trellises(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    for size in (0.5, 1, 1, 5, 20):
        n, k = int(rng.integers(1, 6)), int(rng.integers(2, 5))
        yield rng, size * rng.normal(size=(n, k)), size * rng.normal(size=(k, k))


def test_the_trellis_is_that_of_the_package(mathematics: Mathematics) -> None:
    for rng, E, T in random_trellises(4):
        scores, forest = Scores(E, T), chains([len(E)])
        best, found = best_labelling(scores, forest), sum_over_labellings(scores, forest)
        ours = mathematics("structured", "viterbi", E, T)
        assert (ours["labels"], ours["score"]) == (best.labels.tolist(), close(best.values[0]))
        ours = mathematics("structured", "forwardBackward", E, T)
        assert ours["logPartition"] == close(found.log_partition[0])
        assert np.array(ours["P"]) == close(found.P)
        y = rng.integers(0, E.shape[1], len(E))
        for weight in (0, 0.3, 1):
            cost = weight * hamming_cost(E.shape[1])
            assert np.array(mathematics("structured", "withLosses", E, y, weight)) == close(
                add_losses(scores, y, cost).E
            )
            ((Y, totals),) = every_score(scores, forest)
            truth = totals[(y == Y).all(axis=1)][0]
            value = softmax_margin(weight * (y != Y).sum(axis=1), truth - totals)
            assert mathematics("structured", "objective", E, T, y, weight) == close(float(value))


def test_a_tie_of_far_labellings_breaks_the_bound_with_less_than_the_loss(mathematics: Mathematics) -> None:
    for n in (4, 12):
        instance = mathematics("structured", "tie", n)
        E, T = np.array(instance["E"]), np.array(instance["T"])
        assert best_labelling(Scores(E, T), chains([n])).labels.tolist() == [1] * n
        for weight, holds in ((1, True), (0.95, False), (0, False)):
            found = mathematics("structured", "broken", instance | {"weight": weight})
            assert found["loss"] == n
            assert found["value"] == close(softmax_margin([0, weight * n], [0, -1e-6]))
            assert found["broken"] is not holds


# --- label-pairs -----------------------------------------------------------------------------------------------------


def test_the_rounds_of_the_pairs_are_those_of_the_package(mathematics: Mathematics) -> None:
    sample = mathematics("label-pairs", "groups")
    X, y, k = np.array(sample["X"]), np.array(sample["y"]), sample["classes"]
    for share in (0.1, 0.35, 0.5, 0.9):
        start, Y = start_weights(y, k, share).astype(float), label_signs(y, k)
        states = mathematics("label-pairs", "statesOf", "points", share, 20)
        # Of stumps with equal edges rounding picks one or the other, so the same ones are boosted here.
        H = np.array([state["outputs"] for state in states[1:]])
        run = run_adaboost(GivenSequence(H), Y, len(H), weights=start)
        assert np.ravel(states[-1]["weights"]) == close(run.D.ravel())
        assert np.ravel(states[-1]["scores"]) == close(run.votes.ravel())
        assert states[-1]["product"] == close(float(np.prod(run.normalisers)))
        error = float((score_margins(run.votes, y) <= 0).mean())
        assert mathematics("label-pairs", "argmaxError", states[-1]["scores"], y) == close(error)
        for before, outputs in zip(states[:-1], H, strict=True):
            signed = Y * np.array(before["weights"])
            _, best = StumpLearner(X).learn(signed)
            assert (signed * outputs).sum() == close(float((signed * best).sum()))


def test_the_stumps_and_constants_of_the_pairs(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        m, d, k = (int(n) for n in rng.integers((2, 1, 2), (9, 4, 5)))
        X, A = rng.integers(0, 4, (m, d)).astype(float), rng.normal(size=(m, k))
        ours = mathematics("label-pairs", "bestStump", X, A)
        _, outputs = StumpLearner(X).learn(A)
        assert np.array(ours["outputs"]).tolist() == outputs.astype(int).tolist()
        assert ours["worth"] == close(float((A * outputs).sum()))
        share = float(rng.uniform(0.05, 0.95))
        assert mathematics("label-pairs", "constant", k, share) == close(started_error_bound(k, share, [1.0]))
    for k, T in ((3, 1), (10, 50)):
        assert mathematics("label-pairs", "halfStartSquare", k, T) == close(float(half_start_square(k, T)))


def test_the_smaller_constants_are_broken_when_the_package_says_so(mathematics: Mathematics) -> None:
    def used(T: int) -> float:
        return 1 / math.sqrt(9 * float(half_start_square(10, T)))

    for factor in (0.5, 0.9, 0.99):
        first = mathematics("label-pairs", "firstBroken", 10, factor)
        assert used(first) > factor
        assert first == 1 or used(first - 1) <= factor
    states = mathematics("label-pairs", "statesOf", "tied", 0.5, 12)
    assert [state["product"] ** 2 for state in states[1:]] == close(
        [float(half_start_square(10, T)) for T in range(1, 13)]
    )


# --- impurities ------------------------------------------------------------------------------------------------------


def powered(name: str, power: float) -> Any:
    """The impurity in units of its value for two equal classes, to a power, as a function of class weights."""
    measure = find_impurity(name)
    return lambda weights: (measure(weights) / float(measure([1, 1]))) ** power


def test_impurities_and_gains_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(7)
    for name in IMPURITIES:
        for p in (0.0, 0.5, 1.0, *rng.random(8)):
            shares = np.array([p, 1 - p])
            assert mathematics("impurities", "impurity", name, p) == close(float(find_impurity(name)(shares)))
        for _ in range(12):
            first, second, weight = (float(value) for value in rng.random(3))
            power = float(rng.uniform(1, 4))
            split = {"name": name, "first": first, "second": second, "weight": weight}
            sizes = np.array([[weight], [1 - weight]])
            children = sizes * np.array([[first, 1 - first], [second, 1 - second]])
            assert mathematics("impurities", "nodeShare", split) == close(children[:, 0].sum())
            assert mathematics("impurities", "splitGain", split) == close(
                float(split_gain(powered(name, 1.0), children))
            )
            gain = float(split_gain(powered(name, power), children))
            assert mathematics("impurities", "splitGain", split | {"power": power}) == close(gain)


def test_every_power_above_1_is_broken_by_a_halving(mathematics: Mathematics) -> None:
    for name in IMPURITIES:
        assert mathematics("impurities", "worstHalving", name, 1)["rise"] <= 1e-12
        for power in (1.1, 1.5, 2.0, 4.0):
            found = mathematics("impurities", "worstHalving", name, power)
            children = np.array([[0, 0.5], [found["p"], 0.5 - found["p"]]])
            before = float(powered(name, power)(children.sum(axis=0)))
            rise = -float(split_gain(powered(name, power), children)) / before
            assert found["rise"] == close(rise)
            assert rise > 0.001


# --- trees -----------------------------------------------------------------------------------------------------------


def test_questions_and_growth_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for _ in range(12):
        X, y = rng.normal(size=(30, 2)), rng.integers(0, 3, 30)
        columns = sort_columns(X)
        best = best_split(columns, sorted_entries(columns, np.arange(30)), y.astype(np.int16), np.ones(30), 3)
        found = mathematics("trees", "bestQuestion", X, y, 3, list(range(30)))
        assert (found["feature"], found["threshold"]) == (best.feature, close(best.threshold))
        assert found["decrease"] == close(best.decrease)
        for exponent, growth in ((1, "largest-decrease"), (0, "largest-mean-decrease")):
            made = mathematics("trees", "grow", X, y, 3, 3, exponent)
            for n_splits, total in enumerate(made["totals"]):
                tree = grow_tree(X, y, 3, growth=growth, max_leaf_nodes=n_splits + 1)
                assert total == close(float((tree.weight * tree.impurity)[tree.is_leaf].sum()))


def test_the_impurity_of_the_trees_explorer_and_its_dial(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(9)
    for _ in range(10):
        y = rng.integers(0, 4, int(rng.integers(1, 20)))
        assert mathematics("trees", "impurity", y, 4, list(range(len(y)))) == close(float(total_impurity(y, 4)))
        assert mathematics("trees", "majority", y, 4, list(range(len(y)))) == int(np.bincount(y, minlength=4).argmax())
    # Found by search: the second split without the size takes a pair where more can be had.
    X = [[7, 2], [6, 5], [4, 7], [2, 6], [3, 0], [0, 1], [1, 3], [5, 4]]
    sample = {"X": X, "y": [2, 0, 2, 1, 1, 2, 1, 1], "classes": 3}
    assert mathematics("trees", "trial", sample) == {"lapse": -1, "broken": False}
    assert mathematics("trees", "trial", sample | {"exponent": 0}) == {"lapse": 1, "broken": True}
    steps = mathematics("trees", "grow", X, sample["y"], 3, 6, 0)["steps"]
    assert mathematics("trees", "firstLapse", steps) == 1


# --- code-margins ----------------------------------------------------------------------------------------------------


def test_votes_and_margins_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for _ in range(30):
        M = random_codes(rng, zeros=False)
        answers, eta = rng.uniform(-1, 1, M.shape[1]), float(10 ** rng.uniform(-2, 3))
        label = int(rng.integers(len(M)))
        votes = soft_votes(answers[None], M, eta)[0]
        for row, expected in zip(M, votes, strict=True):
            assert mathematics("code-margins", "vote", row * answers, eta) == close(expected)
        expected = decoding_margins(answers[None], M, np.array([label]), eta)[0]
        assert mathematics("code-margins", "margin", answers, M, label, eta) == close(expected)


def test_bound_threshold_and_rounds_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(9)
    for _ in range(30):
        edge, theta = float(rng.uniform(0.01, 0.49)), float(rng.uniform(-0.5, 0.9))
        errors = rng.uniform(0.05, 0.49, 6)
        assert mathematics("code-margins", "threshold", edge) == close(margin_threshold(edge))
        assert mathematics("code-margins", "roundFactor", 0.5 - edge, theta) == close(round_factor(0.5 - edge, theta))
        settings = {"errors": errors.tolist(), "columns": 7, "rho": 4, "theta": theta}
        assert mathematics("code-margins", "smallMarginBound", settings) == close(
            training_margin_bound(errors, 7, 4, theta)
        )
        below = {"examples": 24, "columns": 7, "rho": 4, "edge": edge, "theta": 0.9 * margin_threshold(edge)}
        expected = rounds_for_margin(24, 7, 4, edge, below["theta"])
        assert mathematics("code-margins", "roundsNeeded", below) == close(expected)
        assert mathematics("code-margins", "shareBelow", errors, 0.3) == close((errors <= 0.3).mean())


def test_the_learner_that_helps_no_more_than_it_must_is_that_of_the_package(mathematics: Mathematics) -> None:
    for name, M in (
        ("complete", complete_code(4)),
        ("hadamard", hadamard_code(4)),
        ("one-vs-rest", one_vs_rest_code(4)),
    ):
        assert mathematics("code-margins", "trial", {"name": name, "edge": 0.2, "asked": 1})["M"] == M.tolist()
        for edge in (0.1, 0.25, 0.4):
            y = np.arange(24) % 4
            run = adaboost_mo(ReluctantLearner(edge), M, y, 60, keep_history=True)
            margins = margins_by_round(run.history, run.steps.astype(float), M, y)
            ours = mathematics(
                "code-margins", "reluctantRun", {"M": M.tolist(), "examples": 24, "edge": edge, "rounds": 60}
            )
            assert ours["errors"] == close(run.errors.astype(float).tolist())
            for mine, theirs in zip(ours["margins"], margins, strict=True):
                assert mine == close(theirs.tolist())


def test_what_is_asked_for_beyond_the_threshold_stays_out_of_reach(mathematics: Mathematics) -> None:
    for M in (complete_code(4), hadamard_code(4), one_vs_rest_code(4)):
        for edge in (0.1, 0.25, 0.4):
            settings = {"M": M.tolist(), "examples": 24, "edge": edge, "rounds": 400}
            last = np.array(mathematics("code-margins", "reluctantRun", settings)["margins"][-1])
            assert (last > 0.8 * margin_threshold(edge)).all()
            assert (last < 1.6 * margin_threshold(edge)).all()


# --- pruning ---------------------------------------------------------------------------------------------------------


def test_the_pruning_explorer_grows_the_packages_trees(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for whole in (False, True) * 10:
        k, m = int(rng.integers(2, 4)), int(rng.integers(6, 40))
        # Whole numbers have ties, of values and of questions.
        X = rng.integers(-7, 8, (m, 2)).astype(float) if whole else rng.normal(size=(m, 2))
        y = rng.integers(0, k, m)
        ours, tree = mathematics("pruning", "grow", X, y, k), grow_tree(X, y, k)
        assert ours["children"] == tree.children.tolist()
        assert ours["counts"] == tree.value.tolist()
        asked = [question["threshold"] for question in ours["questions"] if question]
        assert asked == close(tree.threshold[~tree.is_leaf])


def test_sizes_and_prices_of_the_pruning_explorer_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(9)
    for _ in range(25):
        tree = random_counted_tree(rng, int(rng.integers(2, 14))).costed()
        least = mathematics("pruning", "leastCosts", tree.children, tree.costs)
        assert least == least_costs(tree)
        path, found = cost_complexity_path(tree), mathematics("pruning", "bestSizes", least, 1)
        starts = [max(float(price), 0) for price in path.thresholds]
        shown = [(n, a) for n, a in zip(path.n_leaves.tolist(), [0, *starts], strict=True)]
        kept = [pair for i, pair in enumerate(shown) if i == len(shown) - 1 or shown[i + 1][1] > 0]
        assert [each["size"] for each in found] == [n for n, _ in kept]
        assert [each["from"] for each in found] == close([a for _, a in kept])


def test_sizes_under_other_penalties_are_those_of_all_prunings(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(10)
    for exponent in (0.5, 1.5, 2):
        for _ in range(6):
            tree = random_counted_tree(rng, int(rng.integers(3, 9))).costed()
            found = mathematics("pruning", "bestSizes", least_costs(tree), exponent)
            for here, after in zip(found, [*found[1:], None], strict=True):
                lam = here["from"] + 1 if after is None else (here["from"] + after["from"]) / 2
                values = [one.cost + lam * one.n_leaves**exponent for one in all_prunings(tree)]
                least = min(values)
                sizes = {o.n_leaves for o, v in zip(all_prunings(tree), values, strict=True) if v <= least + 1e-9}
                assert min(sizes) == here["size"]


def test_the_held_out_errors_of_the_pruning_explorer(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(11)
    places = np.arange(24)
    folds = [(places[places % 6 != f], places[places % 6 == f]) for f in range(6)]
    for _ in range(12):
        X, y = rng.normal(size=(24, 2)), rng.integers(0, 2, 24)
        found = validated_path(X, y, 2, folds).validation
        for price, errors in mathematics("pruning", "validation", X, y, 2, 1, 6):
            assert found.at((price + 1e-7) / 24) == errors


def test_the_samples_of_the_pruning_explorer(mathematics: Mathematics) -> None:
    noisy = mathematics("pruning", "noisy")
    X, y = np.array(noisy["X"], dtype=float), np.array(noisy["y"])
    tree = tree_costs(grow_tree(X, y, 2))
    assert mathematics("pruning", "study", X, y, 2)["least"] == least_costs(tree)
    for exponent, broken in ((0.5, False), (1, False), (1.2, True), (2, True)):
        assert mathematics("pruning", "trial", {"X": X, "y": y, "exponent": exponent})["broken"] is broken
    links = two_equal_links()
    sizes = mathematics("pruning", "bestSizes", least_costs(links), 1.05)
    assert [each["size"] for each in sizes] == [4, 3, 2, 1]


# --- forests ---------------------------------------------------------------------------------------------------------


def test_votes_and_worst_errors_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        s, rho = (float(value) for value in rng.uniform(0.05, 0.95, 2))
        assert mathematics("forests", "worstError", s, rho) == close(worst_forest_error(s, rho))
    for strength, reach in ((Fraction(3, 10), Fraction(5, 8)), (Fraction(1, 2), Fraction(7, 8)), (Fraction(1, 10), 1)):
        law = VoteLaw([1 - strength / reach, strength / reach], [0, reach])
        found = mathematics("forests", "correlationOf", float(strength), float(reach))
        assert found == close(float(law.correlation))
        order = rng.permutation(16).tolist()
        errors = errors_as_trees_are_added(circular_forest(law, 16), order)
        setting = {"strength": float(strength), "reach": float(reach), "order": order}
        assert mathematics("forests", "errorsAsTreesAreAdded", setting) == close([float(error) for error in errors])
        assert errors[-1] == worst_forest_error(strength, law.correlation)


# --- rescaling -------------------------------------------------------------------------------------------------------


def _dots(mathematics: Mathematics, nodes: list[float], edge: float) -> tuple[Any, ScoredChain]:
    """The labellings of the explorer, and the same chain of the package."""
    scores = Scores(np.array([[0.0, node] for node in nodes]), np.array([[0.0, 0.0], [0.0, edge]]))
    chain = ScoredChain(scores, chains([3]), np.zeros(3, dtype=np.int64))
    return mathematics("rescaling", "cloud", {"nodes": nodes, "edge": edge}), chain


def test_both_rescalings_and_the_multiples_of_the_loss(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        dots, chain = _dots(mathematics, rng.uniform(-2, 2, 3).tolist(), float(rng.uniform(-2, 2)))
        Y, errors, leads = chain.cloud()
        assert [dot["name"] for dot in dots] == ["".join(map(str, z)) for z in Y]
        assert [dot["errors"] for dot in dots] == errors.tolist()
        assert [dot["lead"] for dot in dots] == close(leads.tolist())
        share = float(rng.uniform(0, 1))
        assert mathematics("rescaling", "marginRescaled", dots) == close(margin_rescaled(errors, leads))
        assert mathematics("rescaling", "marginRescaled", dots, share) == close(margin_rescaled(share * errors, leads))
        assert mathematics("rescaling", "slackRescaled", dots) == close(slack_rescaled(errors, leads))
        assert mathematics("rescaling", "predictedLoss", dots) == errors[leads.argmin()]
        for label in range(1, 7):
            least, largest = loss_multiples(errors, leads, label)
            if least <= largest:
                assert mathematics("rescaling", "lossMultiples", dots, dots[label]) == close([least, largest])


def test_the_dial_of_rescaling_is_broken_by_a_tie_alone(mathematics: Mathematics) -> None:
    tied = {"nodes": [0, 0, 0], "edge": 0}
    for share, broken in ((1, False), (0.95, True), (0.05, True)):
        assert mathematics("rescaling", "trial", {"scores": tied, "share": share})["broken"] is broken
    _, errors, leads = hidden_chain().cloud()
    dots, _ = _dots(mathematics, [0.9, -1.5, -1.0], 0.6)
    assert [dot["lead"] for dot in dots] == close([float(m) for m in leads])
    assert mathematics("rescaling", "slackRescaled", dots) == close(float(slack_rescaled(errors, leads)))
