"""Contraction, Khinchine's inequality, and the growth function of a class of finite VC-dimension."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction

import flint
import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.exact import sign_vectors
from mcbook.foundation.types import ArrayLike, Ball, Number
from mcbook.rademacher import (
    all_patterns,
    contraction_bound,
    exact_complexity,
    half_line_labellings,
    interval_labellings,
    khinchine_bounds,
    lipschitz_constant,
    sauer_bound,
    sauer_power_bound,
    vc_dimension,
)

Found = Iterator[Evidence]
Table = np.ndarray


def random_class(rng: np.random.Generator, n_functions: int, n_samples: int, largest: int = 4) -> Table:
    """A class of functions with small integer values."""
    return rng.integers(-largest, largest + 1, (n_functions, n_samples))


# --- contraction -----------------------------------------------------------------------------------------------------

contraction = Claim(
    "lem-contraction",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Lemma 5.7, used in §9.2",
    implements=(contraction_bound, lipschitz_constant),
    formula=Formula("eq-contraction", contraction_bound),
    symbols=(Reading("L", "nonnegative", arguments={"lipschitz": "L"}),),
)


def random_images(rng: np.random.Generator, values: Table) -> Table:
    """The values sent through a random map at each point, a different one at each."""
    images = np.empty_like(values)
    for i, column in enumerate(values.T):
        where, place = np.unique(column, return_inverse=True)
        images[:, i] = rng.integers(-6, 7, len(where))[place]
    return images


@contraction.check("random classes under a different random map at each point, all signs")
def random_classes_under_a_different_random_map(rng: np.random.Generator) -> Found:
    for _ in range(150):
        values = random_class(rng, int(rng.integers(2, 7)), int(rng.integers(2, 9)))
        images = random_images(rng, values)
        limit = contraction_bound(exact_complexity(values), lipschitz_constant(values, images))
        yield at_most("complexity of the images ≤ L R(H)", exact_complexity(images), limit)


@contraction.extremal("multiplication by ±L: equality")
def multiplication_by_l() -> Found:
    values = random_class(np.random.default_rng(1), 5, 7).astype(object)
    for factor in (Fraction(1, 2), Fraction(3), Fraction(-7, 3)):
        images = factor * values
        limit = contraction_bound(exact_complexity(values), lipschitz_constant(values, images))
        at = f"h times {factor}"
        yield equal("complexity of the images = L R(H)", exact_complexity(images), limit, at=at, statement=True)
        yield equal(
            "complexity of the images = |factor| R(H)",
            exact_complexity(images),
            abs(factor) * exact_complexity(values),
            at=at,
        )


@contraction.trace("four functions on three points, one point after another: |h| becomes h")
def four_functions_on_three_points_one_point_after() -> Found:
    values = np.array([[1, -2, 0], [-3, 1, 2], [0, 2, -1], [2, 0, 3]])
    before = exact_complexity(np.abs(values))
    yield equal(
        "complexity at the start = of the images", before, exact_complexity(np.abs(values)), at="all points mapped"
    )
    for i in range(3):
        mixed = np.concatenate([values[:, : i + 1], np.abs(values[:, i + 1 :])], axis=1)
        after = exact_complexity(mixed)
        yield at_most("complexity before ≤ after", before, after, at=f"point {i + 1} set free")
        before = after
    yield equal("complexity at the end = of the class", before, exact_complexity(values), at="no point mapped")


@contraction.strengthened(
    "The constant L cannot be a thousandth smaller: under the identity all patterns of signs on three "
    "points keep their complexity {left}, more than {right}.",
    by=Fraction(999, 1000),
)
def the_constant(factor: int | Fraction) -> Found:
    values = all_patterns(3)
    limit = contraction_bound(exact_complexity(values), factor * lipschitz_constant(values, values))
    yield at_most("complexity of the images ≤ L R(H)", exact_complexity(values), limit)


@contraction.control(
    "With absolute values inside the supremum it is false: Ψ = 1 has L = 0 and sends the class of the "
    "zero function to one of complexity {left}, more than {right}."
)
def with_absolute_values_inside_the_supremum() -> Found:
    zero, one = np.zeros((1, 3), dtype=int), np.ones((1, 3), dtype=int)
    # sup |a| is the supremum over the class together with its negatives.
    absolute = [exact_complexity(np.concatenate([values, -values])) for values in (one, zero)]
    limit = contraction_bound(absolute[1], lipschitz_constant(zero, one))
    yield at_most("E|mean of σᵢ Ψ(0)| ≤ 0", absolute[0], limit, at="Ψ = 1")


khinchine = Claim(
    "lem-khinchine",
    "lower bound",
    "exact",
    source="mohri2018",
    where="not stated there; gives the lower bounds beside Proposition 9.3",
    implements=khinchine_bounds,
    formula=(
        Formula("eq-khinchine", khinchine_bounds, side="left", result=lambda squares: ball(squares[0]).sqrt()),
        Formula("eq-khinchine", khinchine_bounds, result=lambda squares: ball(squares[1]).sqrt()),
    ),
    symbols=(Reading("a_i", "real", slots=("i",), shape=("m",), arguments={"coefficients": "a_i"}),),
)


def mean_absolute_sum(coefficients: ArrayLike) -> Fraction:
    """E |sum_i sigma_i a_i|, as m times the complexity of the class {a, -a}."""
    a = np.array([coefficients], dtype=object)
    complexity = exact_complexity(np.concatenate([a, -a]))
    assert isinstance(complexity, Fraction)
    return a.size * complexity


@khinchine.check("random integers, all signs, squared")
def random_integers_all_signs_squared(rng: np.random.Generator) -> Found:
    for _ in range(120):
        a = [int(v) for v in rng.integers(-20, 21, int(rng.integers(1, 11)))]
        lower, upper = khinchine_bounds(np.array(a, dtype=object))
        mean = mean_absolute_sum(a)
        yield at_least("(E|Σσᵢaᵢ|)² ≥ ½ Σaᵢ²", mean**2, lower)
        yield at_most("(E|Σσᵢaᵢ|)² ≤ Σaᵢ²", mean**2, upper)


@khinchine.extremal("two equal coefficients attain the lower bound, one coefficient the upper")
def two_equal_coefficients_attain_the_lower_bound() -> Found:
    for value in (1, 5):
        yield equal(
            "(E|σ₁a + σ₂a|)² = ½ Σaᵢ²",
            mean_absolute_sum([value, value]) ** 2,
            khinchine_bounds([value] * 2)[0],
            at=f"a = {value}",
            statement=True,
        )
        yield equal(
            "(E|σ₁a|)² = Σaᵢ²",
            mean_absolute_sum([value]) ** 2,
            khinchine_bounds([value])[1],
            at=f"a = {value}",
            statement=True,
        )
        yield equal("(E|σ₁a + σ₂a|)² = a²", mean_absolute_sum([value, value]) ** 2, value**2, at=f"a = {value}")


@khinchine.trace("the coefficients 3, 1, 2 in integers")
def the_coefficients_3_1_2_in_integers() -> Found:
    a = (3, 1, 2)
    f = {signs: abs(sum(s * v for s, v in zip(signs, a, strict=True))) for signs in sign_vectors(3)}
    flipped = {s: [f[(*s[:i], -s[i], *s[i + 1 :])] for i in range(3)] for s in f}
    drop = {s: Fraction(sum(f[s] - other for other in flipped[s]), 2) for s in f}
    for s in f:
        signs = " ".join({1: "+", -1: "−"}[sign] for sign in s)
        yield at_most("Lf ≤ f", drop[s], f[s], at=f"signs {signs}")
    coefficient = {A: _walsh(f, A) for size in range(4) for A in itertools.combinations(range(3), size)}
    weighted = sum(len(A) * c**2 for A, c in coefficient.items())
    yield equal("E f Lf = Σ|A| c_A²", _mean(drop[s] * f[s] for s in f), weighted)
    yield equal("Σ|c_A| over odd |A| = 0", sum(abs(c) for A, c in coefficient.items() if len(A) % 2), 0)
    rest = sum(c**2 for A, c in coefficient.items() if A)
    yield at_most("2 Σ c_A² over A ≠ ∅ ≤ Σ|A| c_A²", 2 * rest, weighted)
    yield at_most("E f Lf ≤ E f²", _mean(drop[s] * f[s] for s in f), _mean(f[s] ** 2 for s in f))
    yield at_most("Σ c_A² over A ≠ ∅ ≤ (E f)²", rest, coefficient[()] ** 2)
    yield equal("E f² = Σaᵢ²", _mean(f[s] ** 2 for s in f), khinchine_bounds(a)[1])
    yield at_least("(E f)² ≥ ½ Σaᵢ²", coefficient[()] ** 2, khinchine_bounds(a)[0])


def _walsh(f: dict[tuple[int, ...], int], subset: tuple[int, ...]) -> Fraction:
    return _mean(value * int(np.prod([s[i] for i in subset])) for s, value in f.items())


def _mean(values: Iterable[Number]) -> Fraction:
    terms = [Fraction(value) for value in values]
    return sum(terms, Fraction(0)) / len(terms)


@khinchine.strengthened(
    "The lower constant 1/√2 cannot be a thousandth larger: for two equal coefficients the square of E|σ₁ "
    "+ σ₂| is {left}, less than {right}.",
    by=Fraction(1001, 1000),
)
def the_lower_constant(factor: int | Fraction) -> Found:
    yield at_least("(E|σ₁ + σ₂|)² ≥ ½ Σaᵢ²", mean_absolute_sum([1, 1]) ** 2, khinchine_bounds([1, 1])[0] * factor**2)


@khinchine.strengthened(
    "The upper constant 1 cannot be a thousandth smaller: for one coefficient the square of E|σ₁| is "
    "{left}, more than {right}.",
    by=Fraction(999, 1000),
)
def the_upper_constant(factor: int | Fraction) -> Found:
    yield at_most("(E|σ₁|)² ≤ Σaᵢ²", mean_absolute_sum([1]) ** 2, khinchine_bounds([1])[1] * factor**2)


sauer = Claim(
    "lem-sauer",
    "upper bound",
    "exact",
    source="allwein2000",
    where="used in the proof of Theorem 3",
    implements=(sauer_bound, sauer_power_bound, vc_dimension),
    formula=(
        Formula("eq-sauer", sauer_bound, side="left"),
        Formula("eq-sauer", sauer_power_bound, where=r"d\le m", numbers="balls"),
    ),
    symbols=(
        Reading("d", "count", arguments={"dimension": "d"}),
        Reading("m", "count", arguments={"n_points": "m"}),
    ),
)


def euler() -> Ball:
    """e as a ball."""
    return flint.arb(1).exp()


@sauer.check("half-lines and intervals, counted: both attain the sum")
def half_lines_and_intervals_counted(rng: np.random.Generator) -> Found:
    for m in range(2, 11):
        for name, labellings, d in (
            ("half-lines", half_line_labellings(m), 1),
            ("intervals", interval_labellings(m), 2),
        ):
            yield equal("VC-dimension = d", vc_dimension(labellings), d, at=f"{name}, m = {m}")
            count = len({tuple(row) for row in labellings.tolist()})
            yield equal("labellings = Σ binom(m, i)", count, sauer_bound(m, d), at=f"{name}, m = {m}")


@sauer.check("random sets of labellings, and Σ binom(m, i) ≤ (em/d)^d for every m ≥ d up to 40")
def random_sets_of_labellings_and_binom_at_most_d(rng: np.random.Generator) -> Found:
    for _ in range(100):
        m = int(rng.integers(1, 7))
        patterns = all_patterns(m, (0, 1))
        chosen = patterns[rng.random(len(patterns)) < rng.random()]
        if len(chosen):
            yield at_most("labellings ≤ Σ binom(m, i)", len(chosen), sauer_bound(m, vc_dimension(chosen)))
    for m in range(1, 41):
        for d in range(1, m + 1):
            yield at_most("Σ binom(m, i) ≤ (em/d)^d", sauer_bound(m, d), sauer_power_bound(m, d, euler()))


@sauer.extremal("all labellings with at most d ones: as many as the sum allows, for every d")
def all_labellings_with_at_most_d_ones() -> Found:
    for m in (3, 6):
        patterns = all_patterns(m, (0, 1))
        for d in range(m + 1):
            few = patterns[patterns.sum(axis=1) <= d]
            yield equal("VC-dimension = d", vc_dimension(few), d, at=f"m = {m}, d = {d}")
            yield equal(
                "labellings = Σ binom(m, i)", len(few), sauer_bound(m, d), at=f"m = {m}, d = {d}", statement=d > 0
            )


@sauer.check("the power (em/d)^d in fractions, with 3 in the place of e")
def the_power_in_fractions(rng: np.random.Generator) -> Found:
    for m, d in ((1, 1), (4, 2), (10, 3)):
        yield equal(
            "power = (3m/d)^d", sauer_power_bound(m, d, Fraction(3)), Fraction(3 * m, d) ** d, at=f"m = {m}, d = {d}"
        )


def logarithms(share: Number) -> tuple[Ball, Ball]:
    """ln of the sum of binomials and of (share em/d)^d for d = 500 and m = 10^6: the numbers have a thousand digits."""
    m, d = 10**6, 500
    return ball(sauer_bound(m, d)).log(), sauer_power_bound(m, d, euler() * ball(share)).log()


@sauer.extremal("the constant e is approached: more than (0.99 em/d)^d labellings for d = 500 and m = 10⁶")
def the_constant_e_is_approached() -> Found:
    yield at_most("ln Σ binom(m, i) ≤ ln (em/d)^d", *logarithms(Fraction(1)))
    yield at_least("ln Σ binom(m, i) ≥ ln (0.99 em/d)^d", *logarithms(Fraction(99, 100)))


@sauer.control("The power needs m ≥ d: one point has {left} labellings, but for d = 3 the power (e/3)³ is {right}.")
def fewer_points_than_the_dimension() -> Found:
    # (em/d)^d at m = 1 and d = 3, with e/3 for e at m = 3.
    yield at_most("labellings ≤ (em/d)^d", sauer_bound(1, 3), sauer_power_bound(3, 3, euler() / 3), at="m = 1, d = 3")


@sauer.control(
    "One labelling fewer would be too strong: intervals label five points in {left} ways, more than {right}."
)
def one_labelling_less() -> Found:
    yield at_most("labellings by intervals ≤ Σ binom(m, i) − 1", len(interval_labellings(5)), sauer_bound(5, 2) - 1)


@sauer.strengthened(
    "The constant e cannot be one per cent smaller: for d = 500 and m = 10⁶ the logarithm of the sum is "
    "{left}, more than {right}.",
    by=Fraction(99, 100),
)
def the_constant_e(factor: int | Fraction) -> Found:
    yield at_most("ln Σ binom(m, i) ≤ ln (em/d)^d", *logarithms(factor))


@sauer.strengthened(
    "The power cannot lose a factor of 0.73: for m = d = 1 there are {left} labellings, and {right} would be allowed.",
    by=Fraction(73, 100),
)
def the_power_as_a_whole(factor: int | Fraction) -> Found:
    yield at_most("Σ binom(m, i) ≤ (em/d)^d", sauer_bound(1, 1), ball(factor) * sauer_power_bound(1, 1, euler()))
