"""How many labellings a hyperplane can realise."""

from __future__ import annotations

import itertools

import numpy as np

from mcbook.binary_svm import separable_labellings
from mcbook.binary_svm.instances import general_position
from mcbook.claims import Claim, equal
from mcbook.claims.binary_svm.samples import Found, squared
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.proof.exact import rational_solve, sign_vectors
from mcbook.foundation.types import Exact

labellings = Claim(
    "thm-cover-counting",
    "identity",
    "exact",
    source="roth-cis519",
    where="performance slide on high dimension",
    implements=separable_labellings,
    formula=Formula("eq-svm-cover", separable_labellings),
    symbols=(Reading("m", "count", arguments={"n_points": "m"}),),
)


def counted(X: Exact) -> int:
    """Labellings that some hyperplane through the origin realises, each decided with an exact certificate."""
    # A labelling and its opposite are separable together, so the first sign may be fixed.
    signs = (np.array((1, *rest), dtype=object) for rest in sign_vectors(len(X) - 1))
    return 2 * sum(strict_alternative(s[:, None] * X).solvable for s in signs)


@labellings.check("every labelling of points in general position is decided; their number is the formula's")
def every_labelling_decided(rng: np.random.Generator) -> Found:
    for m, d in ((1, 1), (3, 1), (2, 2), (3, 2), (4, 2), (5, 2), (3, 3), (4, 3), (5, 3), (6, 3), (4, 4), (5, 4)):
        X = general_position(rng, m, d)
        yield equal("counted = formula", counted(X), separable_labellings(m, d), at=f"m = {m}, d = {d}")


@labellings.check("all 2^m for m ≤ d, by solving Xw = signs; exactly half at m = 2 d")
def few_points_and_twice_the_dimension(rng: np.random.Generator) -> Found:
    for m, d in ((2, 2), (3, 3), (3, 5), (4, 6)):
        X = general_position(rng, m, d)
        for signs in itertools.product((-1, 1), repeat=m):
            s = np.array(signs, dtype=object)
            w = X.T @ rational_solve(X @ X.T, s)
            yield equal("|Xw − signs|² = 0", squared(X @ w - s), 0)
        yield equal("formula = 2^m", separable_labellings(m, d), 2**m, at=f"m = {m}, d = {d}")
    for d in range(1, 40):
        yield equal("twice the formula = 2^m", 2 * separable_labellings(2 * d, d), 4**d, at=f"m = {2 * d}, d = {d}")


@labellings.control(
    "General position is needed: of three points of the plane, two of which lie on a line through 0, "
    "only {left} labellings are separable, and the formula says {right}.",
    story=True,
)
def two_points_on_a_line() -> Found:
    X = as_integers(np.array([[1, 2], [2, 4], [3, -1]]))
    yield equal("counted = formula", counted(X), separable_labellings(3, 2))


@labellings.control(
    r"General position asks for any $\min(m,d)$ points, not for any $d$: of two equal points in space "
    "no three are dependent, but only {left} labellings are separable, and the formula says {right}."
)
def two_equal_points() -> Found:
    X = as_integers(np.array([[1, 2, 3], [1, 2, 3]]))
    yield equal("counted = formula", counted(X), separable_labellings(2, 3))


@labellings.control(
    "One point more than dimensions cannot be labelled at will: for four points in three dimensions in "
    "general position {left} of the {right} labellings are separable."
)
def one_point_more_than_dimensions() -> Found:
    yield equal("formula = 2^m", separable_labellings(4, 3), 2**4, at="m = 4, d = 3")
