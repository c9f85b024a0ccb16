"""The start of AdaBoost.MH: half of the weight on the true label, and pools that have no edge at all."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import (
    run_adaboost,
    squared_training_error_bound,
)
from mcbook.boosting_many_labels import (
    half_start_square,
    label_blind_pool,
    label_signs,
    start_weights,
    started_error_bound,
)
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.boosting_many_labels.exact_runs import (
    argmax_error,
    exact_normalisers,
    exact_run,
    product,
    scores_of,
    squared_product,
    usual_start,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier

Found = Iterator[Evidence]


# --- half of the weight on the true label ----------------------------------------------------------------------------

half_start = Claim(
    "thm-mh-half-start",
    "upper bound",
    "exact",
    source="schapire-singer1999",
    where="this book; they bound the error of the arg max, too",
    implements=(started_error_bound, start_weights, half_start_square),
    formula=(
        Formula("eq-mh-start-bound", started_error_bound, numbers="balls"),
        Formula("eq-mh-half-start-run", half_start_square, where="k\\ge3"),
    ),
    symbols=(Reading("a", "probability", arguments={"share": "a"}),),
)


@half_start.check("random pools and starts: the error of the arg max, ties being errors")
def any_start_within_its_bound(rng: np.random.Generator) -> Found:
    for _ in range(80):
        m, k = int(rng.integers(1, 5)), int(rng.integers(2, 6))
        y, share = rng.integers(0, k, m), Fraction(int(rng.integers(1, 12)), 12)
        H = np.where(rng.random((12, m, k)) < 0.6, label_signs(y, k), -label_signs(y, k))
        run = exact_run(label_signs(y, k), H, int(rng.integers(1, 6)), start_weights(y, k, share))
        if run.n_rounds and run.ending != "perfect":
            allowed = started_error_bound(ball(k), ball(share), exact_normalisers(run))
            yield at_most("error ≤ ½ √((k − 1) / (a (1 − a))) ∏ Z", argmax_error(run, y), allowed)


@half_start.check("the constant: k/2 for the usual start, √(k − 1) for one half, and more for every other start")
def constants_of_the_start(rng: np.random.Generator) -> Found:
    half = Fraction(1, 2)
    # Such that all roots are rational.
    for k in (2, 5, 10, 101):
        yield equal(
            "constant = k/2", started_error_bound(k, Fraction(1, k), [1]), Fraction(k, 2), at=f"a = 1/k, k = {k}"
        )
        least = started_error_bound(k, half, [1])
        yield equal("square of the constant = k − 1", least * least, k - 1, at=f"a = 1/2, k = {k}")
        for share in (Fraction(1, 5), Fraction(4, 5), Fraction(1, 10), Fraction(9, 10)):
            other = started_error_bound(k, share, [1])
            yield equal(
                "4 a (1 − a) times the square of the constant = k − 1",
                4 * share * (1 - share) * other**2,
                k - 1,
                at=f"k = {k}, a = {share}",
            )
            yield less_than("√(k − 1) < constant", least, other, at=f"k = {k}, a = {share}")


@half_start.check("the run that attains it, in fractions: ∏ Z² has the closed form, in every round")
def closed_form_of_the_run(rng: np.random.Generator) -> Found:
    for k in (3, 4, 10):
        run = usual_start(k, 60, Fraction(1, 2))
        for T in (1, 2, 7, 60):
            squared = squared_training_error_bound(list(run.errors[:T]))
            yield equal("∏ Z² = closed form", squared, half_start_square(k, T), at=f"k = {k}, T = {T}")
        yield equal("error = 1", argmax_error(run, np.array([0])), 1, at=f"k = {k}")


@half_start.extremal("the share of the bound that is used tends to 1 with the rounds, for every start")
def attained_for_every_start() -> Found:
    for k, share in itertools.product((3, 10), (Fraction(1, 10), Fraction(1, 2), Fraction(4, 5))):
        run = usual_start(k, 120, share)
        allowed = started_error_bound(ball(k), ball(share), exact_normalisers(run))
        yield at_most(
            "error ≤ bound", argmax_error(run, np.array([0])), allowed, at=f"k = {k}, a = {share}", statement=True
        )


@half_start.trace("one example of five labels, four rounds from one half")
def proof_of_the_half_start() -> Found:
    k, y, share = 5, np.array([0]), Fraction(1, 2)
    start, run = start_weights(y, k, share)[0], usual_start(k, 4, share)
    scores = scores_of(run)[0]
    yield equal("e^(2f) of the label = e^(2f) of its rival", scores[0], scores[1])
    own, rival = ball(start[0]) * ball(1 / scores[0]).sqrt(), ball(start[1]) * ball(scores[1]).sqrt()
    others = sum((ball(w) * ball(s).sqrt() for w, s in zip(start[2:], scores[2:], strict=True)), ball(0))
    total = product(exact_normalisers(run))
    yield equal("what all labels pay ≈ ∏ Z", own + rival + others, total, within=1e-12)
    yield at_most("what the label and its rival pay ≤ ∏ Z", own + rival, total)
    least = 2 * ball(start[0] * start[1]).sqrt()
    yield at_least("what they pay ≥ 2 √(D₁(y) D₁(r))", own + rival + ball(Fraction(1, 10**12)), least)
    yield equal("1 / (2 √(D₁(y) D₁(r))) ≈ √(k − 1)", 1 / least, ball(k - 1).sqrt(), within=1e-12)
    yield at_most(
        "error ≤ √(k − 1) ∏ Z", argmax_error(run, y), started_error_bound(ball(k), ball(share), exact_normalisers(run))
    )
    for t, error in enumerate(run.errors):
        gap = Fraction(k - 2, (k - 2) * (t + 1) + 1)
        yield equal("1 − 2ε = (k − 2) / ((k − 2) t + 1)", 1 - 2 * error, gap, at=f"round {t + 1}")
    yield equal("∏ Z² = closed form", squared_product(run), half_start_square(k, 4))


@half_start.strengthened(
    r"One per cent less than $\sqrt{k-1}$ is too little: after 120 rounds on one example of ten labels "
    "the error is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
    story=True,
)
def less_than_the_root(by: Fraction) -> Found:
    run = usual_start(10, 120, Fraction(1, 2))
    allowed = ball(by) * started_error_bound(ball(10), ball(Fraction(1, 2)), exact_normalisers(run))
    yield at_most("error ≤ √(k − 1) ∏ Z", argmax_error(run, np.array([0])), allowed)


@half_start.control(
    r"The smaller constant $\sqrt{k-1}$ needs its start: from the usual start, on one example of five "
    r"labels, the error after 120 rounds is {left}, and $\sqrt{k-1}\prod_tZ_t$ is {right}."
)
def root_without_the_start() -> Found:
    run = usual_start(5, 120)
    allowed = started_error_bound(ball(5), ball(Fraction(1, 2)), exact_normalisers(run))
    yield at_most("error ≤ √(k − 1) ∏ Z", argmax_error(run, np.array([0])), allowed)


# --- no edge ---------------------------------------------------------------------------------------------------------

no_edge = Claim(
    "prp-mh-weak-learning-can-fail",
    "existence",
    "exact",
    source="mohri2018",
    where="§9.3.2",
    implements=(label_blind_pool, run_adaboost),
    no_formula="the value is the constant one half",
)


def balanced_answers(rng: np.random.Generator, m: int, k: int) -> np.ndarray:
    return rng.permuted(np.tile(np.r_[np.ones(k // 2, int), -np.ones(k // 2, int)], (m, 1)), axis=1)


@no_edge.check(
    "every hypothesis blind to labels, under random distributions on the examples: error ½, and AdaBoost.MH stops"
)
def half_of_everything(rng: np.random.Generator) -> Found:
    for _ in range(20):
        m, k = int(rng.integers(1, 6)), 2 * int(rng.integers(1, 4))
        Y, H = balanced_answers(rng, m, k), label_blind_pool(m, k)
        weights = rng.integers(1, 10, m)
        D = np.array([[Fraction(int(w), int(weights.sum()) * k)] * k for w in weights], dtype=object)
        errors = [sum(D[h != Y]) for h in H]
        yield equal("least error = ½", min(errors), Fraction(1, 2))
        yield equal("largest error = ½", max(errors), Fraction(1, 2))
        yield holds("nothing to boost", exact_run(Y, H, 5, D).ending == "useless", Tier.EXACT)


@no_edge.control(
    "The balance of the labels is needed: with one positive label out of four, saying no to every pair "
    "does not depend on the label and has error {left}, not {right}.",
    story=True,
)
def single_labels() -> Found:
    Y = label_signs(np.array([0, 3]), 4)
    run = exact_run(Y, label_blind_pool(2, 4), 1)
    yield equal("error = ½", run.errors[0], Fraction(1, 2))


@no_edge.control(
    r"The distribution has to be uniform over the labels of an example: with the weights $\frac23$ and $\frac13$ "
    "on its two labels, a hypothesis that is blind to labels has error {left}, not {right}."
)
def uneven_weights() -> Found:
    Y = np.array([[1, -1]])
    D = np.array([[Fraction(2, 3), Fraction(1, 3)]], dtype=object)
    yield equal("error = ½", exact_run(Y, label_blind_pool(1, 2), 1, D).errors[0], Fraction(1, 2))
