"""The Perceptron beside Winnow: what a rotation of the examples changes, and Hadamard's rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.winnow.equivalences import same
from mcbook.foundation.numbers import as_integers, ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Number
from mcbook.perceptron import mistake_bound, run_perceptron, squared_margin, squared_radius
from mcbook.winnow import gain_with_factor, hadamard_rows, hadamard_sample, run_winnow, winnow_bound

Found = Iterator[Evidence]

# --- the Perceptron beside it ----------------------------------------------------------------------------------------


def most_at_margin_1(n_features: Number) -> Number:
    """The bound of the multi-class Winnow for two classes, a single relevant sign, and large factors."""
    return winnow_bound(ball(2), n_features, ball(1))


rotations = Claim(
    "prp-perceptron-pays-for-every-attribute",
    "existence",
    "exact",
    source="kivinen-warmuth-auer1997",
    where="their lower bound for the Perceptron, in a special case",
    implements=(hadamard_sample, run_perceptron, run_winnow),
    formula=Formula("eq-winnow-hadamard", most_at_margin_1, numbers="balls"),
)


@rotations.check("the Perceptron makes the same updates on x and Hx, H being √d times an orthogonal matrix")
def rotated_samples(rng: np.random.Generator) -> Found:
    for k, r in itertools.product((2, 3, 4), (1, 2, 3)):
        X, y = as_integers(rng.integers(-3, 4, (12, 2**r))), rng.integers(0, k, 12)
        plain, turned = run_perceptron(X, y, k, max_epochs=4), run_perceptron(X @ hadamard_rows(r), y, k, max_epochs=4)
        yield holds("same updates", same(plain.updates, turned.updates), Tier.EXACT)


@rotations.check("every column as label: d updates of the Perceptron, as many as allowed, and 1 + log₂ d of Winnow")
def every_column_of_hadamard(rng: np.random.Generator) -> Found:
    for r in range(1, 5):
        X, _ = hadamard_sample(r)
        for column in range(2**r):
            yield from both_on((X, (X[:, column] < 0).astype(np.int64)), column, r)


@rotations.check("the last column as label, up to d = 128")
def larger_matrices(rng: np.random.Generator) -> Found:
    for r in range(5, 8):
        yield from both_on(hadamard_sample(r), -1, r)


def both_on(sample: tuple[np.ndarray, np.ndarray], column: int, r: int) -> Found:
    X, y = sample
    d = len(X)
    W = np.zeros((2, d), dtype=object)
    W[:, column] = 1, -1
    # Whole numbers are exact in floats too.
    made = run_perceptron(X.astype(float), y, 2).n_updates
    yield equal(
        "the Perceptron's updates = R²/γ²",
        made,
        mistake_bound(squared_radius(X), squared_margin(W, X, y)),
        at=f"d = {d}",
    )
    yield equal("the Perceptron's updates = d", made, d, at=f"d = {d}")
    for factor in (Fraction(11, 10), Fraction(3)) if d <= 16 else (2,):
        made = run_winnow(X, y, 2, factor=factor).n_updates
        yield equal("Winnow's updates = 1 + log₂ d", made, 1 + r, at=f"d = {d}")
        # A billionth for the rounding of the logarithms.
        allowed = most_at_margin_1(ball(d)) + ball(Fraction(1, 10**9))
        yield at_most("Winnow's updates ≤ ln(2 d) / ln 2", made, allowed, at=f"d = {d}")
        start, gain = (ball(2 * d)).log(), gain_with_factor(ball(1), ball(factor))
        yield at_most("Winnow's updates ≤ its bound for this factor", made, start / gain, at=f"d = {d}")


@rotations.control(
    "The Perceptron cannot do with as few updates as Winnow: on the rows of the Hadamard matrix of order 32 it "
    "makes {left}, and Winnow makes {right}."
)
def as_few_updates_as_winnow() -> Found:
    X, y = hadamard_sample(5)
    made = run_perceptron(X.astype(float), y, 2).n_updates
    yield at_most("the Perceptron's updates ≤ Winnow's", made, run_winnow(X, y, 2, factor=2).n_updates)


@rotations.control(
    "Winnow does see a rotation: it makes {right} updates on the rows of the Hadamard matrix H of order "
    "8, and {left} on the rows of HH, eight times the unit matrix."
)
def winnow_after_a_rotation() -> Found:
    X, y = hadamard_sample(3)
    # The rows of 8 times the unit matrix are those of H times H.
    turned = run_winnow(X @ hadamard_rows(3), y, 2, factor=2)
    yield equal("updates after = before the rotation", turned.n_updates, run_winnow(X, y, 2, factor=2).n_updates)
