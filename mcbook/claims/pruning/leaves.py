"""What the leaves answer: thresholded scores are the majority rule."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, equal
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Number
from mcbook.losses import best_leaf_value

Found = Iterator[Evidence]
LOSSES = ("logistic", "square", "exponential", "hinge")

signs = Claim(
    "cor-leaf-sign-is-majority",
    "identity",
    "exact",
    source="allwein2000",
    where="§2",
    implements=best_leaf_value,
    no_formula="it states a sign; the best values are those of the chapter on losses",
)


def sign(value: Number) -> int:
    """The sign of a number that is known well enough to have one."""
    positive, negative = bool(value > 0), bool(value < 0)
    assert positive or negative or value == 0
    return positive - negative


def leaf_value(loss: str, plus: Fraction, minus: Fraction) -> Number:
    """Exact for the square and the hinge loss, a ball where there is a logarithm; it is exactly 0 for equal shares."""
    exact = loss in ("square", "hinge") or plus == minus
    return best_leaf_value(loss, plus, minus) if exact else best_leaf_value(loss, ball(plus), ball(minus))


@signs.check("all leaf shares with denominators up to 12, the four losses")
def all_small_shares(rng: np.random.Generator) -> Found:
    for whole in range(2, 13):
        for plus, minus in itertools.product(range(1, whole), repeat=2):
            if plus + minus <= whole:
                p, q = Fraction(plus, whole), Fraction(minus, whole)
                for loss in LOSSES:
                    yield equal("sign of the best value = sign of p⁺ − p⁻", sign(leaf_value(loss, p, q)), sign(p - q))


@signs.check("random shares that nearly balance")
def nearly_balanced_shares(rng: np.random.Generator) -> Found:
    for size, ahead in rng.integers((10**6, -3), (10**9, 4), (60, 2)).tolist():
        p, q = Fraction(size + ahead, 3 * 10**9), Fraction(size, 3 * 10**9)
        for loss in LOSSES:
            yield equal("sign of the best value = sign of p⁺ − p⁻", sign(leaf_value(loss, p, q)), sign(p - q))


@signs.check("three to five classes: the largest score of a class against the rest is that of the most frequent class")
def scores_of_many_classes(rng: np.random.Generator) -> Found:
    for _ in range(60):
        counts = rng.choice(40, int(rng.integers(3, 6)), replace=False) + 1
        total = int(counts.sum())
        for loss in ("logistic", "square", "exponential"):
            scores = [leaf_value(loss, Fraction(int(n), total), Fraction(total - int(n), total)) for n in counts]
            best = int(np.argmax([float(score) for score in scores]))
            yield equal("class of the largest score = most frequent class", best, int(counts.argmax()))


@signs.control(
    "The threshold has to be 0: for $p^+=0.52$ and $p^-=0.48$ the score minus $\\frac1{10}$ has the sign "
    "{left}, and $p^+-p^-$ has the sign {right}.",
)
def another_threshold() -> Found:
    p, q = Fraction(26, 50), Fraction(24, 50)
    for loss, tenth in (("logistic", ball(Fraction(1, 10))), ("square", Fraction(1, 10))):
        yield equal("side of the threshold = sign of p⁺ − p⁻", sign(leaf_value(loss, p, q) - tenth), sign(p - q))


@signs.control(
    "With three classes the signs do not tell the most frequent class: for the shares 0.4, 0.35 and "
    "0.25 the number of classes with a positive score is {left}, not {right}.",
)
def signs_of_three_classes() -> Found:
    shares = (Fraction(2, 5), Fraction(7, 20), Fraction(1, 4))
    for loss in LOSSES:
        positive = sum(sign(leaf_value(loss, p, 1 - p)) > 0 for p in shares)
        yield equal("classes with a positive score = 1", positive, 1)
