"""One node: its best label, where the three impurities vanish and are largest, and their slopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than, proved
from mcbook.claims.impurities.grids import balls, is_uniform_on, known_entropy, simplex_points
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.rigorous import prove_identity
from mcbook.foundation.types import Number, Values
from mcbook.impurities import entropy, entropy_slope, gini, gini_slope, leaf_error, majority_label, misclassification
from mcbook.impurities.instances import uniform_shares
from mcbook.impurities.theory.impurity import Weights

Found = Iterator[Evidence]

a, b, s = sympy.symbols("a b s", positive=True)
LN2 = sympy.log(2)

majority = Claim(
    "prp-majority-leaf-label",
    "identity",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; §1.2.1",
    implements=(majority_label, leaf_error, misclassification),
    formula=Formula("eq-misclassification", misclassification),
)


@majority.check("every node of the rational simplices, every label")
def errors_of_all_labels(rng: np.random.Generator) -> Found:
    for counts in simplex_points():
        least = misclassification(counts)
        errors = [leaf_error(counts, label) for label in range(len(counts))]
        yield at_most("1 − max p ≤ error of the best label", least, min(errors))
        yield equal("error of the majority label = 1 − max p", errors[majority_label(counts)], least)
        for label, error in enumerate(errors):
            if counts[label] == max(counts):
                yield equal("error of any label as frequent = 1 − max p", error, least)


@majority.strengthened(
    "One per cent more than the least error is too much: in the leaf $(3,2)$ the majority label errs "
    "on the share {left}, less than {right}.",
    by=Fraction(101, 100),
)
def one_per_cent_more(by: Fraction) -> Found:
    yield at_least("error of the majority label ≥ 1 − max p", leaf_error([3, 2], 0), by * misclassification([3, 2]))


@majority.control(
    "The second most frequent label is not as good: in the leaf $(3,2)$ it errs on the share {left}, "
    "and the majority label on {right}."
)
def second_label() -> Found:
    yield equal("error of the second label of (3, 2) = 1 − max p", leaf_error([3, 2], 1), misclassification([3, 2]))


def largest_misclassification(n_classes: int) -> Number:
    return misclassification(uniform_shares(n_classes))


def largest_gini_of_all(n_classes: int) -> Number:
    return gini(uniform_shares(n_classes))


def largest_entropy(n_classes: int) -> Number:
    return entropy(balls(uniform_shares(n_classes)))


ends = Claim(
    "prp-impurities",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; Definition 1.4",
    implements=(misclassification, gini, entropy),
    formula=(
        Formula("eq-gini", gini),
        Formula("eq-entropy", entropy, numbers="balls"),
        Formula("prp-impurities[misclassification, largest]", largest_misclassification),
        Formula("prp-impurities[Gini, largest]", largest_gini_of_all),
        Formula("prp-impurities[entropy, largest]", largest_entropy),
    ),
)


@ends.check("every point of the rational simplices: 0 at the vertices, below the value at the uniform vector elsewhere")
def zero_and_largest(rng: np.random.Generator) -> Found:
    for counts in simplex_points():
        k, pure = len(counts), is_uniform_on(counts, 1)
        even = is_uniform_on(counts, k)
        for name, measure in (("misclassification", misclassification), ("Gini", gini)):
            found, largest = measure(counts), Fraction(k - 1, k)
            yield equal(f"{name} of one class = 0", found, 0) if pure else less_than(f"0 < {name}", 0, found)
            compare = equal if even else less_than
            yield compare(f"{name} {'=' if even else '<'} 1 − 1/k", found, largest)
        found = known_entropy(counts)
        yield equal("entropy of one class = 0", found, 0) if pure else less_than("0 < entropy", 0, found)
        if not even:
            yield less_than("entropy < log₂ k", found, ball(k).log() / ball(2).log())


@ends.check("entropy of k equal weights is log₂ k, k = 2 … 9")
def entropy_of_equal_weights(rng: np.random.Generator) -> Found:
    for k in range(2, 10):
        yield proved("entropy = log₂ k", prove_identity(entropy([a] * k), sympy.log(k) / LN2), at=f"k = {k}")


@ends.extremal("the uniform vector, k = 2 … 9")
def uniform_vectors() -> Found:
    for k in range(2, 10):
        shares = uniform_shares(k)
        for name, measure in (("misclassification", misclassification), ("Gini", gini)):
            yield equal(f"{name} = 1 − 1/k", measure(shares), 1 - Fraction(1, k), at=f"k = {k}", statement=True)
        yield equal(
            "entropy ≈ log₂ k",
            entropy(balls(shares)),
            ball(k).log() / ball(2).log(),
            within=1e-12,
            at=f"k = {k}",
            statement=True,
        )


@ends.strengthened(
    "One per cent less than the largest values is too little: four equal classes have the entropy "
    "{left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def one_per_cent_less(by: Fraction) -> Found:
    yield at_most("misclassification ≤ largest", misclassification([1] * 4), by * Fraction(3, 4), at="(1, 1, 1, 1)")
    yield at_most("Gini ≤ largest", gini([1] * 4), by * Fraction(3, 4), at="(1, 1, 1, 1)")
    yield at_most("entropy ≤ largest", entropy([1] * 4), by * 2, at="(1, 1, 1, 1)")


smoothness = Claim(
    "prp-impurity-smoothness",
    "identity",
    "rigorous",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; §1.2.2",
    implements=(gini_slope, entropy_slope, gini, entropy),
    formula=(
        Formula("eq-impurity-slopes", gini_slope, piece=0),
        Formula("eq-impurity-slopes", entropy_slope, piece=1, numbers="balls"),
    ),
    symbols=(
        Reading(r"\alpha", "probability", arguments={"gaining": r"\alpha"}),
        Reading(r"\beta", "probability", arguments={"losing": r"\beta"}),
    ),
)


def moved(measure: Callable[[Weights], Values]) -> Number:
    """The measure of the shares a, b and the rest, after s has moved from the second class to the first."""
    return measure(sympy.Matrix([a + s, b - s, 1 - a - b]).T.tolist()[0])


@smoothness.check("the derivative along every edge of the simplex, for all shares inside it")
def slopes_along_edges(rng: np.random.Generator) -> Found:
    for name, measure, slope in (("Gini", gini, gini_slope), ("entropy", entropy, entropy_slope)):
        yield proved(
            f"slope of {name} = formula", prove_identity(sympy.diff(moved(measure), s).subs(s, 0), slope(a, b))
        )
    degree = sympy.Poly(sympy.expand(moved(gini)), s).degree()
    yield holds("Gini is a polynomial of degree 2", degree == 2, Tier.RIGOROUS)


@smoothness.check(
    "as the share of the gaining class tends to 0, the slope of entropy grows without limit, that of Gini does not"
)
def slopes_at_the_boundary(rng: np.random.Generator) -> Found:
    limit = sympy.limit(entropy_slope(a, b), a, 0, "+")
    yield holds("entropy: the limit is infinite", limit == sympy.oo, Tier.RIGOROUS, str(limit))
    yield proved("Gini: the limit = 2 p_j", prove_identity(sympy.limit(gini_slope(a, b), a, 0, "+"), 2 * b))


@smoothness.control(
    r"The slope of entropy has no bound: at $p_i=2^{-102}$ and $p_j=\frac12$ it is {left}, more than "
    "{right}."
)
def bounded_slope() -> Found:
    yield at_most(
        "slope of entropy ≤ 100", entropy_slope(Fraction(1, 2**102), Fraction(1, 2)), 100, at="p_i = 2⁻¹⁰², p_j = ½"
    )
