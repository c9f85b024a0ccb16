"""AdaBoost.MH: its objective, its run beside AdaBoost's, what it bounds, and the start that lowers the bound."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.boosting import FinitePool, StumpLearner, coordinate_descent, run_adaboost, squared_votes, worst_sample
from mcbook.boosting.algorithm.adaboost import BoostingRun, WeakLearner
from mcbook.boosting.algorithm.learners import OnPairs
from mcbook.boosting_many_labels import argmax_error_bound, label_signs, pair_objective, three_by_three, wrong_pairs
from mcbook.boosting_many_labels.algorithm.stump_rounds import LabelStumps, boost_pairs
from mcbook.boosting_many_labels.instances import as_single_column
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, proved
from mcbook.claims.boosting_many_labels.exact_runs import (
    HAIR,
    argmax_error,
    balls,
    exact_normalisers,
    exact_run,
    product,
    random_task,
    same,
    scores_of,
    squared_product,
    usual_start,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.rigorous import prove_identity, prove_sign
from mcbook.losses.theory.catalogue import exponential

Found = Iterator[Evidence]


# --- the objective ---------------------------------------------------------------------------------------------------

objective = Claim(
    "prp-mh-objective",
    "upper bound",
    "rigorous",
    source="mohri2018",
    where="§9.3.2, (9.13)–(9.14)",
    errata=("E6",),
    implements=(pair_objective, wrong_pairs),
    formula=Formula("eq-mh-objective", pair_objective, numbers="balls"),
    symbols=(
        Reading("y_i[l]", "sign", slots=("i", "l"), shape=("m", "k"), arguments={"signs": "y_i[l]"}),
        Reading("f(x_i,l)", "real", slots=("i", "l"), shape=("m", "k"), arguments={"scores": "f(x_i,l)"}),
    ),
)


@objective.check(
    "convex and differentiable: the second derivative along any line is a sum of squares times exponentials"
)
def no_line_bends_down(rng: np.random.Generator) -> Found:
    s = sympy.Symbol("s", real=True)
    f, h = (sympy.symbols(f"{letter}0:2", real=True) for letter in "fh")
    for signs in itertools.product((-1, 1), repeat=2):
        F = pair_objective(np.array([[f[0] + s * h[0], f[1] + s * h[1]]], dtype=object), np.array([signs]))
        slope = -sum(y * b * exponential(y * (a + s * b)) for y, a, b in zip(signs, f, h, strict=True))
        bend = sum(b**2 * exponential(y * (a + s * b)) for y, a, b in zip(signs, f, h, strict=True))
        yield proved(
            "dF/ds = −Σ y h e^(−y f)", prove_identity(sympy.diff(F, s), slope), at=f"signs {signs[0]}, {signs[1]}"
        )
        yield proved("d²F/ds² ≥ 0", prove_sign(sympy.diff(F, s, 2), bend), at=f"signs {signs[0]}, {signs[1]}")


@objective.check("a pair pays at least 1 if y f ≤ 0, written as −ln(1 + u), and something always")
def a_wrong_pair_pays_one(rng: np.random.Generator) -> Found:
    u, z = sympy.Symbol("u", nonnegative=True), sympy.Symbol("z", real=True)
    for y in (-1, 1):
        pays = pair_objective(np.array([[-y * sympy.log(1 + u)]], dtype=object), np.array([[y]]))
        yield proved("e^(−y f) ≥ 1 where y f = −ln(1 + u)", prove_sign(pays - 1, u), at=f"y = {y}")
        kept = pair_objective(np.array([[z]], dtype=object), np.array([[y]]))
        yield proved("e^(−y f) > 0", prove_sign(kept, sympy.exp(-y * z), strict=True), at=f"y = {y}")


@objective.extremal("whole scores: the wrong pairs, counted")
def wrong_pairs_are_counted() -> Found:
    rng = np.random.default_rng(0)
    for _ in range(40):
        m, k = (int(n) for n in rng.integers(1, 6, 2))
        scores, Y = rng.integers(-3, 4, (m, k)), rng.choice([-1, 1], (m, k))
        n_wrong = m * k * wrong_pairs(scores, Y)
        yield at_most("wrong pairs ≤ F", n_wrong, pair_objective(balls(scores), Y) + ball(Fraction(1, 10**12)))
        yield at_most("pairs with y ≠ sign f ≤ wrong pairs", int((np.sign(scores) != Y).sum()), n_wrong)


@objective.extremal("equality where all scores are 0: every pair is wrong and pays 1")
def no_opinion() -> Found:
    scores, Y = np.full((2, 3), sympy.Integer(0)), label_signs(np.array([0, 2]), 3)
    yield equal("wrong pairs = F", 6 * wrong_pairs(scores, Y), pair_objective(scores, Y), statement=True)


@objective.strengthened(
    "One per cent less than $F$ is too little: with all scores 0 every pair is wrong and pays exactly "
    "1, so {left} pairs are wrong, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def a_hundredth_less(by: Fraction) -> Found:
    scores, Y = np.full((2, 3), sympy.Integer(0)), label_signs(np.array([0, 2]), 3)
    yield at_most("wrong pairs ≤ F", 6 * wrong_pairs(scores, Y), by * int(pair_objective(scores, Y)))


@objective.control(
    r"As (9.14) is printed, without the sign, it is false: for $y=1$ and $f=2$ we have $y\ne f$, so its "
    "left side is {left}, but its right side is {right}.",
    story=True,
)
def without_the_sign() -> Found:
    score, sign = 2, 1
    yield at_most("[y ≠ f] ≤ e^(−y f)", int(sign != score), pair_objective(balls([[score]]), np.array([[sign]])))


# --- AdaBoost on the pairs -------------------------------------------------------------------------------------------

as_adaboost = Claim(
    "alg-adaboost-mh",
    "equivalence",
    "exact",
    source="mohri2018",
    where="Figure 9.1",
    errata=("E7",),
    implements=(run_adaboost, boost_pairs),
    no_formula="an equivalence of three algorithms",
)


def figure(Y: np.ndarray, H: np.ndarray, n_rounds: int) -> tuple[list[int], list[Fraction], np.ndarray]:
    """The figure, loop for loop, with h a function of example and label and D a distribution on these pairs."""
    m, k = Y.shape
    pairs = list(itertools.product(range(m), range(k)))
    D = {pair: Fraction(1, m * k) for pair in pairs}
    chosen, errors = [], []
    for _ in range(n_rounds):
        found = [sum((D[i, z] for i, z in pairs if h[i, z] != Y[i, z]), Fraction(0)) for h in H]
        j = min(range(len(H)), key=found.__getitem__)
        error = found[j]
        if not 0 < error < Fraction(1, 2):
            break
        # e^(-alpha y h) / Z is 1 / (2 (1 - error)) where h is right, and 1 / (2 error) where it is wrong.
        for i, z in pairs:
            D[i, z] *= 1 / (2 * (1 - error)) if H[j, i, z] == Y[i, z] else 1 / (2 * error)
        chosen.append(j)
        errors.append(error)
    return chosen, errors, np.array([D[pair] for pair in pairs], dtype=object).reshape(m, k)


@as_adaboost.check("in fractions: the figure's two loops, AdaBoost on (m, k) and on mk pairs, coordinate descent on F")
def four_runs(rng: np.random.Generator) -> Found:
    for _ in range(25):
        Y, H = random_task(rng)
        chosen, errors, D = figure(Y, H, 6)
        run = exact_run(Y, H, len(chosen) or 1)
        flat = exact_run(Y.ravel(), as_single_column(H), len(chosen) or 1)
        if not chosen or run.ending != "rounds":
            continue
        descent = coordinate_descent(as_single_column(H), Y.ravel(), len(chosen))
        yield holds("same choices", chosen == list(run.hypotheses) == list(flat.hypotheses), Tier.EXACT)
        yield holds("same errors", same(errors, run.errors) and same(errors, flat.errors), Tier.EXACT)
        yield holds("same weights", same(D, run.D) and same(D.ravel(), flat.D.ravel()), Tier.EXACT)
        yield holds("coordinate descent makes the same choices", descent.coordinates.tolist() == chosen, Tier.EXACT)
        yield holds("the steps of coordinate descent are α_t", same(descent.squared_steps, run.odds), Tier.EXACT)
        yield equal("(F / mk)² = ∏ Z²", descent.squared_losses[-1], squared_product(run))
        margins = squared_votes(list(run.odds), np.asarray(run.history) * Y)
        unwrapped = squared_product(run) * (Y.size * D) ** 2 * margins
        yield holds("e^(−y f) is mk ∏ Z D, on every pair", same(unwrapped, np.ones_like(unwrapped)), Tier.EXACT)


@as_adaboost.check("in floats: AdaBoost on (m, k) and on the mk pairs, to the last bit")
def same_floats(rng: np.random.Generator) -> Found:
    for _ in range(20):
        Y, H = random_task(rng, 30)
        two = run_adaboost(FinitePool(H), Y, 25)
        flat: WeakLearner = OnPairs(FinitePool(H), Y.shape[1])
        one = run_adaboost(flat, Y.ravel(), 25)
        yield holds(
            "same weights and votes", same(two.D.ravel(), one.D.ravel()) and same(two.steps, one.steps), Tier.EXACT
        )


@as_adaboost.check("in floats, with stumps: the passes over the pairs that the classifier makes, down to small edges")
def same_stumps(rng: np.random.Generator) -> Found:
    for _ in range(2):
        X, Y, weights = rng.normal(size=(100, 1)), rng.choice([-1, 1], (100, 8)), rng.random((100, 8))
        slow = run_adaboost(StumpLearner(X), Y, 40, weights=weights)
        fast = boost_pairs(LabelStumps(X), Y, 40, weights=weights)
        yield equal("rounds of AdaBoost = 40", slow.n_rounds, 40)
        yield equal("rounds of the passes = 40", fast.n_rounds, 40)
        # A float is the fraction that it is.
        least = Fraction(1, 2) - Fraction(max(fast.errors.tolist()))
        yield at_most("smallest edge ≤ 1/30", least, Fraction(1, 30))
        for what, one, two in (("errors", slow.errors, fast.errors), ("weights", slow.D, fast.D)):
            farthest = max(abs(Fraction(a) - Fraction(b)) for a, b in zip(one.flat, two.flat, strict=False))
            yield at_most(f"largest distance of the {what} ≤ 10⁻¹⁰", farthest, HAIR)


@as_adaboost.control(
    "Weights that are normalised label by label, as $k$ separate runs of AdaBoost would do, lead to "
    "another run: on the first label the error of the first round is {right}, and not {left}."
)
def each_label_by_itself() -> Found:
    Y, H = three_by_three()
    together, apart = exact_run(Y, H[:3], 1), exact_run(Y[:, 0], H[:3, :, 0], 1)
    yield equal("error of the first round = error on the first label", together.errors[0], apart.errors[0])


@as_adaboost.strengthened(
    "The errors agree exactly: AdaBoost on the pairs has the error {left} in its first round, and one "
    "per cent more than the figure's error, {right}, is not equal to it.",
    by=Fraction(101, 100),
)
def another_error(by: Fraction) -> Found:
    Y, H = three_by_three()
    _, errors, _ = figure(Y, H, 1)
    yield equal("error of the first round = error in the figure", exact_run(Y, H, 1).errors[0], by * errors[0])


# --- the training error ----------------------------------------------------------------------------------------------

error_bound = Claim(
    "thm-mh-training-error",
    "upper bound",
    "exact",
    source="mohri2018",
    where="§9.3.2",
    implements=(argmax_error_bound, wrong_pairs),
    formula=Formula("eq-mh-argmax-bound", argmax_error_bound, numbers="balls"),
)


def wrong_share(run: BoostingRun, Y: np.ndarray) -> Fraction:
    """Of e^(2 f) - 1, which has the sign of f."""
    return wrong_pairs(scores_of(run) - 1, Y)


@error_bound.check("random pools: the share of wrong pairs, with any answers, in all rounds")
def pairs_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(60):
        Y, H = random_task(rng)
        run = exact_run(Y, H, int(rng.integers(1, 6)))
        if run.n_rounds and run.ending != "perfect":
            yield at_most("wrong pairs ≤ ∏ Z", wrong_share(run, Y), product(exact_normalisers(run)))


@error_bound.check("random pools with single labels: the error of the arg max, ties being errors")
def argmax_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(60):
        m, k = int(rng.integers(2, 6)), int(rng.integers(2, 6))
        y = rng.integers(0, k, m)
        H = np.where(rng.random((12, m, k)) < 0.6, label_signs(y, k), -label_signs(y, k))
        run = exact_run(label_signs(y, k), H, int(rng.integers(1, 6)))
        if run.n_rounds and run.ending != "perfect":
            yield at_most("error ≤ k/2 ∏ Z", argmax_error(run, y), argmax_error_bound(k, exact_normalisers(run)))


@error_bound.extremal("single labels: a label that ties with its rival for ever, while the bound falls to 1")
def a_tie_for_ever() -> Found:
    for k in (3, 10):
        run = usual_start(k, 120)
        yield at_most(
            "error ≤ k/2 ∏ Z",
            argmax_error(run, np.array([0])),
            argmax_error_bound(k, exact_normalisers(run)),
            at=f"k = {k}",
            statement=True,
        )


@error_bound.extremal(
    "pairs: two rounds of error ε just below ½ leave 3ε − 2ε² of the pairs wrong, of 4ε(1 − ε) allowed"
)
def two_rounds_of_little() -> Found:
    for error in (Fraction(1, 4), Fraction(9, 20), Fraction(499, 1000)):
        Y, H, weights = doubled(error)
        run = exact_run(Y, H, 2, weights)
        yield at_most(
            "wrong pairs ≤ ∏ Z",
            run_weight_of_wrong(run, Y, weights),
            product(exact_normalisers(run)),
            at=f"ε = {error}",
            statement=True,
        )


def doubled(error: Fraction) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """AdaBoost's worst sample for two rounds as answers to two labels, both of which it asks; with weights."""
    weights, agreements = worst_sample(error, 2)
    Y = np.array([[1, -1]] * len(weights))
    return Y, agreements[:, :, None] * Y, np.stack([weights, weights], axis=1) / 2


def run_weight_of_wrong(run: BoostingRun, Y: np.ndarray, weights: np.ndarray) -> Fraction:
    """The share of wrong pairs where a pair counts as often as its weight says."""
    return Fraction(weights[squared_votes(list(run.odds), np.asarray(run.history) * Y) <= 1].sum())


@error_bound.trace("three examples with three labels, three rounds")
def proof_on_three_by_three() -> Found:
    Y, H = three_by_three()
    y, run = np.arange(3), exact_run(Y, H, 3)
    margins = squared_votes(list(run.odds), np.asarray(run.history) * Y)
    exponentials = [ball(1 / value).sqrt() for value in margins.ravel()]
    total = sum(exponentials[1:], exponentials[0])
    for t, (error, Z) in enumerate(zip(run.errors, exact_normalisers(run), strict=True)):
        yield equal("Z² ≈ 4 ε (1 − ε)", Z * Z, 4 * error * (1 - error), within=1e-12, at=f"round {t + 1}")
    yield equal("mean of e^(−y f) ≈ ∏ Z", total / 9, ball(squared_product(run)).sqrt(), within=1e-12)
    for pair, (value, paid) in enumerate(zip(margins.ravel(), exponentials, strict=True)):
        yield at_least(
            "e^(−y f) ≥ [y f ≤ 0]", paid, int(value <= 1), at=f"example {pair // 3 + 1}, label {pair % 3 + 1}"
        )
    scores = scores_of(run)
    for i in range(3):
        rival = max({0, 1, 2} - {i}, key=scores[i].__getitem__)
        pays = ball(1 / scores[i, i]).sqrt() + ball(scores[i, rival]).sqrt()
        wrong = int(scores[i, rival] >= scores[i, i])
        yield at_least("what label and best rival pay ≥ 2 [mistake]", pays, 2 * wrong, at=f"example {i + 1}")
    yield at_most("error of the arg max ≤ k/2 ∏ Z", argmax_error(run, y), argmax_error_bound(3, exact_normalisers(run)))


@error_bound.strengthened(
    r"One per cent less than $\frac k2$ is too little: after 120 rounds on one example of ten labels "
    "the error is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
    story=True,
)
def less_than_half_of_k(by: Fraction) -> Found:
    run = usual_start(10, 120)
    allowed = ball(by) * argmax_error_bound(10, exact_normalisers(run))
    yield at_most("error ≤ k/2 ∏ Z", argmax_error(run, np.array([0])), allowed)


@error_bound.strengthened(
    r"For pairs, one per cent less than $\prod_tZ_t$ is too little: two rounds with the error "
    r"$\frac{499}{1000}$ leave the share {left} of the pairs wrong, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def less_than_the_product(by: Fraction) -> Found:
    Y, H, weights = doubled(Fraction(499, 1000))
    run = exact_run(Y, H, 2, weights)
    # All pairs being wrong pairs of a single label, the bound of the arg max for k = 2 is that of the pairs.
    allowed = ball(by) * argmax_error_bound(2, exact_normalisers(run))
    yield at_most("wrong pairs ≤ ∏ Z", run_weight_of_wrong(run, Y, weights), allowed)


@error_bound.control(
    r"The arg max errs more often than the pairs, so the factor $\frac k2$ is needed: after 120 rounds "
    r"on one example of ten labels its error is {left}, and $\prod_tZ_t$ is {right}."
)
def no_factor() -> Found:
    run = usual_start(10, 120)
    yield at_most("error ≤ ∏ Z", argmax_error(run, np.array([0])), argmax_error_bound(2, exact_normalisers(run)))
