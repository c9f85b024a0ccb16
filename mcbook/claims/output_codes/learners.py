"""Learners: one call or many, learned codes, and what binary errors do not say."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, equal, holds, less_than
from mcbook.claims.output_codes.samples import EXACT_LOSSES, Found, at_zero, random_code, random_sample
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import rational
from mcbook.foundation.types import Array
from mcbook.losses import hinge
from mcbook.output_codes import (
    OutputCode,
    all_pairs_code,
    average_loss,
    best_hypothesis,
    boost,
    boosting_instance,
    complete_code,
    product_pool,
    random_sparse_code,
)
from mcbook.output_codes.algorithm.measures import code_margins
from mcbook.output_codes.algorithm.single_call import TableLearner

# --- coding matrices and the average binary loss ---------------------------------------------------------------------


coding = Claim(
    "prp-one-call-or-many",
    "equivalence",
    "exact",
    source="allwein2000",
    where="§3, (3)",
    errata=("E46",),
    implements=(average_loss, OutputCode),
    formula=Formula("eq-code-average-loss", average_loss),
)


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
            yield equal("ε = sum entry by entry", average_loss(F, M, y, loss), total / F.size, at=name)


@coding.check("a learner that keeps columns apart: one call and many give the same outputs and predictions")
def a_learner_that_keeps_columns_apart(rng: np.random.Generator) -> Found:
    for M in (all_pairs_code(4), complete_code(4), random_sparse_code(4, 8, 100, int(rng.integers(2**31)))):
        X, y = rng.integers(0, 3, (60, 2)).astype(float), rng.integers(0, 4, 60)
        y[:4] = range(4)
        many, one = (
            OutputCode(TableLearner(), M, "hinge", column_as_feature=joined).fit(X, y) for joined in (False, True)
        )
        yield holds("same outputs", bool((many.outputs(X) == one.outputs(X)).all()), Tier.EXACT)
        yield holds("same predictions", bool((many.predict(X) == one.predict(X)).all()), Tier.EXACT)
        yield equal("learners = one for each column", len(many.estimators_), M.shape[1])
        yield equal("learners = one for all", len(one.estimators_), 1)


@coding.control(
    "A zero entry costs L(0): for all pairs of three classes, with the code itself as outputs, the "
    "average hinge loss is {left}, and without the zeros it would be {right}."
)
def a_zero_entry_costs_nothing() -> Found:
    M, y = all_pairs_code(3), np.arange(3)
    F = rational(M)
    without = Fraction(hinge(code_margins(F, M, y))[M != 0].sum()) / M.size
    yield equal("ε = average without the zeros", average_loss(F, M, y, hinge), without)


@coding.control(
    "The learner has to treat the columns independently: a single tree of depth one for all columns "
    "predicts otherwise than a tree for each column."
)
def any_learner_does() -> Found:
    from sklearn.tree import DecisionTreeClassifier

    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.arange(4)
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    many, one = (
        OutputCode(tree, complete_code(4), column_as_feature=joined).fit(X, y).predict(X) for joined in (False, True)
    )
    yield holds("same predictions", bool((many == one).all()), Tier.EXACT)


# --- when one call equals many ---------------------------------------------------------------------------------------


one_call = Claim(
    "prp-single-call-and-multi-call",
    "equivalence",
    "exact",
    source="allwein2000",
    where="§3",
    implements=(product_pool, best_hypothesis, boost),
    no_formula="an equivalence of two procedures",
)


def random_problem(rng: np.random.Generator) -> tuple[list[Array], list[Array]]:
    """For each of three columns a pool of outputs and the signs to learn."""
    pools = [rng.integers(-2, 3, (4, 5)) for _ in range(3)]
    return pools, [rng.choice([-1, 1], 5) for _ in pools]


@one_call.check("exact minimisers over product classes, three losses, in fractions")
def minimisers_over_product_classes(rng: np.random.Generator) -> Found:
    for _ in range(15):
        pools, signs = random_problem(rng)
        together, targets = product_pool(pools), np.concatenate(signs)
        for name in ("hinge", "square", "2^(−z)"):
            loss = EXACT_LOSSES[name]
            chosen, least = best_hypothesis(together, targets, loss)
            parts = [best_hypothesis(pool, sign, loss) for pool, sign in zip(pools, signs, strict=True)]
            yield equal("least loss of one call = mean of many", least, sum(part[1] for part in parts) / 3, at=name)
            separate = np.concatenate([pool[part[0]] for pool, part in zip(pools, parts, strict=True)])
            yield holds("same outputs", bool((together[chosen] == separate).all()), Tier.EXACT, at=name)


@one_call.check("AdaBoost over the product class: one α for both columns is neither of the two")
def adaboost_over_the_product_class(rng: np.random.Generator) -> Found:
    pools, signs = boosting_instance()
    one = boost(product_pool(pools), np.concatenate(signs), 3)
    many = [boost(pool, sign, 3) for pool, sign in zip(pools, signs, strict=True)]
    errors = [run.errors[0] for run in many]
    yield equal("first error of one call = mean of the two", one.errors[0], sum(errors) / 2)
    yield less_than("smaller of the two errors < error of one call", min(errors), one.errors[0])
    yield less_than("error of one call < larger of the two errors", one.errors[0], max(errors))
    together = one.odds(product_pool(pools))
    apart = many[0].odds(pools[0]) + many[1].odds(pools[1])
    yield holds("outputs e^(2f) differ", together != apart, Tier.EXACT)


@one_call.check(
    "the first weighted error is the share of mistakes, and e^(2f) after one round is (1 − e)/e or its inverse"
)
def first_error_is_the_share_of_mistakes(rng: np.random.Generator) -> Found:
    pools, signs = boosting_instance()
    run = boost(pools[1], signs[1], 1)
    e = run.errors[0]
    wrong = Fraction(int((pools[1][run.chosen[0]] != signs[1]).sum()), len(signs[1]))
    yield equal("weighted error of the first round = share of mistakes", e, wrong)
    for odds, sign in zip(run.odds(pools[1]), pools[1][run.chosen[0]], strict=True):
        yield equal("odds = ((1 − e)/e)^h", odds, ((1 - e) / e) ** int(sign))
    again = boost(pools[1][[run.chosen[0]]], signs[1], 5)
    yield equal("rounds with this hypothesis alone = 1", len(again.chosen), 1)


@one_call.check("every round's error is that of the weights which the earlier ones leave, and the least of the pool")
def errors_of_later_rounds(rng: np.random.Generator) -> Found:
    pools, signs = boosting_instance()
    for pool, sign in ((pools[0], signs[0]), (pools[1], signs[1]), (product_pool(pools), np.concatenate(signs))):
        run, wrong = boost(pool, sign, 3), pool != sign
        yield equal("rounds = 3", len(run.chosen), 3)
        for t, (chosen, error) in enumerate(zip(run.chosen, run.errors, strict=True)):
            weights = [
                math.prod(
                    (1 / (2 * (e if wrong[c][i] else 1 - e)) for c, e in zip(run.chosen[:t], run.errors, strict=False)),
                    start=Fraction(1, len(sign)),
                )
                for i in range(len(sign))
            ]
            errors = [sum((w for w, bad in zip(weights, row, strict=True) if bad), Fraction(0)) for row in wrong]
            yield equal("error = weighted error of the chosen row", error, errors[chosen], at=f"round {t + 1}")
            yield equal("error = the least of the pool", error, min(errors), at=f"round {t + 1}")


@one_call.control(
    "AdaBoost's single call shares each weight α among the columns: the first α is set by the error "
    "{left}, and a separate call for the first column uses {right}."
)
def adaboosts_one_call_equals_many_calls() -> Found:
    pools, signs = boosting_instance()
    one = boost(product_pool(pools), np.concatenate(signs), 1)
    many = boost(pools[0], signs[0], 1)
    yield equal("first error of one call = of a call for the first column", one.errors[0], many.errors[0])


@one_call.control(
    "The class has to be a product: if two opposite columns have to share their outputs, a single call "
    "reaches the least hinge loss {left}, and separate calls reach {right}."
)
def a_class_that_is_not_a_product() -> Found:
    pool, signs = np.array([[1, 1], [-1, -1]]), [np.array([1, 1]), np.array([-1, -1])]
    shared = np.hstack([pool, pool])
    _, least = best_hypothesis(shared, np.concatenate(signs), hinge)
    parts = [best_hypothesis(pool, sign, hinge)[1] for sign in signs]
    yield equal("least loss of one call = mean of many", least, sum(parts) / 2)


# --- a learned code --------------------------------------------------------------------------------------------------
