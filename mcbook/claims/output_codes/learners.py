"""Learners: one call or many, learned codes, and what binary errors do not say."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, holds, less_than
from mcbook.claims.output_codes.common import EXACT_LOSSES, Array, Found, at_zero, random_code, random_sample
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import rational
from mcbook.losses import hinge
from mcbook.one_vs_rest_and_pairs import all_tournaments, majority
from mcbook.output_codes import (
    OutputCode,
    TableLearner,
    all_pairs_code,
    average_loss,
    best_hypothesis,
    boost,
    boosting_instance,
    code_margins,
    complete_code,
    decode,
    learn_code,
    misleading_laws,
    negative_margin,
    product_pool,
    random_sparse_code,
)

# --- A.code: coding matrices and the average binary loss -------------------------------------------------------------

coding = Claim("A.code", implements=(average_loss, OutputCode), formula=Formula("eq-code-average-loss", average_loss))


@coding.check("random codes, five losses: the sum counted entry by entry, zeros at L(0), in fractions")
def random_codes_five_losses(rng: np.random.Generator) -> Found:
    for _ in range(20):
        M = random_code(rng)
        F, y = random_sample(rng, M, 6)
        for name, loss in EXACT_LOSSES.items():
            total = Fraction(0)
            for f, label in zip(F, y, strict=True):
                for entry, output in zip(M[label], f, strict=True):
                    total += at_zero(loss) if entry == 0 else Fraction(loss(rational([entry * output]))[0])
            yield equal(f"{name}: ε", average_loss(F, M, y, loss), total / F.size)


@coding.check("a learner that keeps columns apart: one call and many give the same outputs and predictions")
def a_learner_that_keeps_columns_apart(rng: np.random.Generator) -> Found:
    for M in (all_pairs_code(4), complete_code(4), random_sparse_code(4, 8, 100, int(rng.integers(2**31)))):
        X, y = rng.integers(0, 3, (60, 2)).astype(float), rng.integers(0, 4, 60)
        y[:4] = range(4)
        many, one = (OutputCode(TableLearner(), M, "hinge", multi_call=multi).fit(X, y) for multi in (True, False))
        yield holds("same outputs", bool((many.outputs(X) == one.outputs(X)).all()), Tier.EXACT)
        yield holds("same predictions", bool((many.predict(X) == one.predict(X)).all()), Tier.EXACT)
        yield equal("learners, one for each column", len(many.learners_), M.shape[1])
        yield equal("learners, one for all", len(one.learners_), 1)


@coding.control("a zero entry costs nothing")
def a_zero_entry_costs_nothing() -> Found:
    M, y = all_pairs_code(3), np.arange(3)
    F = rational(M)
    without = Fraction(hinge(code_margins(F, M, y))[M != 0].sum()) / M.size
    yield equal("ε, the same without the zeros", average_loss(F, M, y, hinge), without)


@coding.control("any learner does: a single depth-one tree for all columns")
def any_learner_does() -> Found:
    from sklearn.tree import DecisionTreeClassifier

    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.arange(4)
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    many, one = (OutputCode(tree, complete_code(4), multi_call=multi).fit(X, y).predict(X) for multi in (True, False))
    yield holds("same predictions", bool((many == one).all()), Tier.EXACT)


# --- A.single: when one call equals many -----------------------------------------------------------------------------

single = Claim(
    "A.single", implements=(product_pool, best_hypothesis, boost), no_formula="an equivalence of two procedures"
)


def random_problem(rng: np.random.Generator) -> tuple[list[Array], list[Array]]:
    """For each of three columns a pool of outputs and the signs to learn."""
    pools = [rng.integers(-2, 3, (4, 5)) for _ in range(3)]
    return pools, [rng.choice([-1, 1], 5) for _ in pools]


@single.check("exact minimisers over product classes, three losses, in fractions")
def exact_minimisers_over_product_classes_three(rng: np.random.Generator) -> Found:
    for _ in range(15):
        pools, signs = random_problem(rng)
        together, targets = product_pool(pools), np.concatenate(signs)
        for name in ("hinge", "square", "2^(−z)"):
            loss = EXACT_LOSSES[name]
            chosen, least = best_hypothesis(together, targets, loss)
            parts = [best_hypothesis(pool, sign, loss) for pool, sign in zip(pools, signs, strict=True)]
            yield equal(f"{name}: least loss of one call, mean of many", least, sum(part[1] for part in parts) / 3)
            separate = np.concatenate([pool[part[0]] for pool, part in zip(pools, parts, strict=True)])
            yield holds(f"{name}: same outputs", bool((together[chosen] == separate).all()), Tier.EXACT)


@single.check("AdaBoost over the product class: one α for both columns is neither of the two")
def adaboost_over_the_product_class(rng: np.random.Generator) -> Found:
    pools, signs = boosting_instance()
    one = boost(product_pool(pools), np.concatenate(signs), 3)
    many = [boost(pool, sign, 3) for pool, sign in zip(pools, signs, strict=True)]
    errors = [run.errors[0] for run in many]
    yield equal("first error of one call, mean of the two", one.errors[0], sum(errors) / 2)
    yield less_than("smaller of the two errors, that of one call", min(errors), one.errors[0])
    yield less_than("that of one call, the larger", one.errors[0], max(errors))
    together = one.odds(product_pool(pools))
    apart = many[0].odds(pools[0]) + many[1].odds(pools[1])
    yield holds("outputs e^(2f) differ", together != apart, Tier.EXACT)


@single.check(
    "the first weighted error is the share of mistakes, and e^(2f) after one round is (1 − e)/e or its inverse"
)
def the_first_weighted_error_is_the_share(rng: np.random.Generator) -> Found:
    pools, signs = boosting_instance()
    run = boost(pools[1], signs[1], 1)
    e = run.errors[0]
    wrong = Fraction(int((pools[1][run.chosen[0]] != signs[1]).sum()), len(signs[1]))
    yield equal("weighted error of the first round, share of mistakes", e, wrong)
    for odds, sign in zip(run.odds(pools[1]), pools[1][run.chosen[0]], strict=True):
        yield equal("odds, ((1 − e)/e)^h", odds, ((1 - e) / e) ** int(sign))
    again = boost(pools[1][[run.chosen[0]]], signs[1], 5)
    yield equal("rounds in which it alone is better than chance after reweighting", len(again.chosen), 1)


@single.control("AdaBoost's one call equals many calls")
def adaboosts_one_call_equals_many_calls() -> Found:
    pools, signs = boosting_instance()
    one = boost(product_pool(pools), np.concatenate(signs), 1)
    many = boost(pools[0], signs[0], 1)
    yield equal("error that sets α for the first column", one.errors[0], many.errors[0])


@single.control("a class that is not a product: the same row for both columns")
def a_class_that_is_not_a_product() -> Found:
    pool, signs = np.array([[1, 1], [-1, -1]]), [np.array([1, 1]), np.array([-1, -1])]
    shared = np.hstack([pool, pool])
    _, least = best_hypothesis(shared, np.concatenate(signs), hinge)
    parts = [best_hypothesis(pool, sign, hinge)[1] for sign in signs]
    yield equal("least loss of one call, mean of many", least, sum(parts) / 2)


# --- C.cont: a learned code ------------------------------------------------------------------------------------------

learned = Claim(
    "C.cont", implements=learn_code, no_formula="the optimum of a programme, stated for the case in which it is trivial"
)


def outputs_and_labels(rng: np.random.Generator, n_samples: int = 12) -> tuple[Array, Array]:
    """Outputs that a code can learn: each class has a centre."""
    y = np.arange(n_samples) % 3
    return rng.integers(-3, 4, (3, 4))[y] + rng.integers(-1, 2, (n_samples, 4)), y


@learned.check("with l = y among the rivals every slack is 1, the code 0 and the value C m")
def with_l_y_among_the_rivals_every_slack_is_1(rng: np.random.Generator) -> Found:
    for C in (0.5, 2.0):
        F, y = outputs_and_labels(rng)
        printed = learn_code(F, y, 3, C, rivals="all")
        yield equal("value, C m", printed.value, Fraction(C) * len(F), within=1e-6)
        yield at_most("largest entry of M", Fraction(float(np.abs(printed.M).max())), Fraction(1, 1000))
        yield at_least("smallest slack", Fraction(float(printed.slack.min())), Fraction(999, 1000))


@learned.check("with rivals only the value is between 0 and C m, and below it unless the centres coincide")
def with_rivals_only_the_value_is_between_0_and_c_m(rng: np.random.Generator) -> Found:
    for _ in range(5):
        F, y = outputs_and_labels(rng)
        found = learn_code(F, y, 3, 1.0)
        yield less_than("value, C m", found.value, len(F))
        yield less_than("0, value", 0, found.value)


@learned.check("with rivals only but slacks of any sign the value can be negative, and is never above the right one")
def with_rivals_only_but_slacks_of_any_sign(rng: np.random.Generator) -> Found:
    F, y = outputs_and_labels(rng)
    loose, right = learn_code(F, y, 3, 5.0, slack_may_be_negative=True), learn_code(F, y, 3, 5.0)
    yield less_than("value, 0", loose.value, 0)
    yield at_most("value, that with ξ ≥ 0", loose.value, right.value)


@learned.control("the printed programme learns something: its value is below C m by a hundredth")
def the_printed_programme_learns_something() -> Found:
    F, y = outputs_and_labels(np.random.default_rng(0))
    yield at_most("value, 0.99 C m", learn_code(F, y, 3, 1.0, rivals="all").value, Fraction(99, 100) * len(F))


@learned.control("ξ ≥ 0 is superfluous once l = y is left out")
def xi_at_least_0_is_superfluous_once_l_y_is_left() -> Found:
    F, y = outputs_and_labels(np.random.default_rng(0))
    yield at_least("value, 0", learn_code(F, y, 3, 5.0, slack_may_be_negative=True).value, 0)


@learned.control("the code of the printed programme tells the classes of its own sample apart")
def the_code_of_the_printed_programme_tells() -> Found:
    F, y = outputs_and_labels(np.random.default_rng(0))
    printed = learn_code(F, y, 3, 1.0, rivals="all")
    rounded = np.round(printed.M, 3) + 0.0
    yield holds(
        "all right, no ties", bool((decode(rational(F), rounded, negative_margin, "mark") == y).all()), Tier.EXACT
    )


# --- C.local: binary errors do not tell ------------------------------------------------------------------------------

local = Claim(
    "C.local",
    implements=misleading_laws,
    no_formula="laws are exhibited; the value $(k-1)r$ is that of the theorem on one-vs-one, which has its formula",
)


@local.check("5 to 8 classes, in fractions: the same binary errors, multi-class errors 0 and (k − 1) r, ties as errors")
def check_5_to_8_classes_in_fractions(rng: np.random.Generator) -> Found:
    for k, part in itertools.product(range(5, 9), (1, 2, 10)):
        r, M = Fraction(1, part * (k - 1)), all_pairs_code(k)
        good, bad = misleading_laws(k, r)
        for name, law, error in (("first", good, 0), ("second", bad, (k - 1) * r)):
            yield holds(f"k = {k}: {name}, every binary error is r", set(law.binary_errors(M)) == {r}, Tier.EXACT)
            yield equal(f"k = {k}: {name}, error", law.error(majority(law.outputs.astype(int), k, "mark")), error)


@local.check("3 and 4 classes, all tournaments: a class that loses a duel is nowhere the only winner")
def check_3_and_4_classes_all_tournaments(rng: np.random.Generator) -> Found:
    for k in (3, 4):
        outcomes, M = all_tournaments(k), all_pairs_code(k)
        winners = majority(outcomes, k, "mark")
        lost = np.array([(outcome * M[w] < 0).any() for outcome, w in zip(outcomes, winners, strict=True)])
        yield equal(f"k = {k}: tournaments whose only winner lost a duel", int((lost & (winners >= 0)).sum()), 0)


@local.control("four classes: error 0 with ties as errors")
def four_classes_error_0_with_ties_as_errors() -> Found:
    good, _ = misleading_laws(4, Fraction(1, 3))
    yield equal("error", good.error(majority(good.outputs.astype(int), 4, "mark")), 0)


@local.control("the binary errors tell: the two laws have the same error")
def the_binary_errors_tell() -> Found:
    good, bad = misleading_laws(5, Fraction(1, 4))
    errors = [law.error(majority(law.outputs.astype(int), 5, "mark")) for law in (good, bad)]
    yield equal("errors", *errors)
