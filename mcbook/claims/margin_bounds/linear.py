"""Linear scores: contraction for vectors, rows that share one norm, and what the number of classes must cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.margin_bounds.bounds import HALF, RARE, TWENTIETH, rare_but_real
from mcbook.claims.margin_bounds.kernels import opposite_rows
from mcbook.claims.rademacher.generalisation import THROWS, rare_failure
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.exact import sign_vectors
from mcbook.foundation.types import Array, Ball, Number, Scalar
from mcbook.losses import margin_loss
from mcbook.margin_bounds import (
    necessary_class_factor,
    shared_norm_margin_bound,
    two_class_margin_bound,
    vector_contraction_bound,
    weights_by_heart,
)
from mcbook.problem import score_margins
from mcbook.rademacher import kernel_complexity_bound

Found = Iterator[Evidence]
MILLION = 10**6
FEW = (2, 3, 4, 7)


def mean_of_suprema(table: Array) -> Fraction:
    """E sup over the rows of sum_i sigma_i table[f, i], by all signs."""
    total = [max((table @ np.array(signs, dtype=object)).tolist()) for signs in sign_vectors(table.shape[1])]
    return Fraction(sum(total)) / len(total)


def random_vectors(rng: np.random.Generator) -> Array:
    """A class of up to six functions into R^n at up to three points, n at most 3, with small fractions."""
    shape = int(rng.integers(2, 7)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    return rng.integers(-6, 7, shape).astype(object) * Fraction(1, int(rng.integers(1, 4)))


contraction = Claim(
    "lem-vector-contraction",
    "upper bound",
    "exact",
    source="maurer2016",
    where="Corollary 4; this book shows that the constant is the best one",
    implements=vector_contraction_bound,
    formula=Formula("eq-vector-contraction", vector_contraction_bound, numbers="balls"),
    symbols=(Reading("L", "nonnegative", arguments={"lipschitz": "L"}),),
)
# Maps that are 1-Lipschitz in the Euclidean norm, but for the last, the margin of the first component.
MAPS: dict[str, tuple[Callable[[list[Fraction]], Scalar], int]] = {
    "largest component": (max, 1),
    "first component": (lambda v: v[0], 1),
    "largest size": (lambda v: max(abs(u) for u in v), 1),
    "margin": (lambda v: v[0] - max(v[1:], default=Fraction(0)), 2),
}


def contracted(F: Array, squared_lipschitz: int) -> Ball:
    """The bound for the sum over all points, at the joint complexity of the class."""
    return vector_contraction_bound(ball(mean_of_suprema(F.reshape(len(F), -1))), ball(squared_lipschitz).sqrt())


@contraction.check("all signs, random classes of up to six vectors at up to three points, four maps")
def random_classes(rng: np.random.Generator) -> Found:
    for _ in range(12):
        F = random_vectors(rng)
        for name, (psi, square) in MAPS.items():
            left = mean_of_suprema(np.array([[psi(point.tolist()) for point in f] for f in F], dtype=object))
            yield at_most(f"{name}: E sup Σ σ Ψ(f), √2 L E sup Σ σ f", left, contracted(F, square))


def two_vectors(n_points: int) -> tuple[Fraction, Array]:
    """(0, 0) or (1, -1) at every point, freely: E sup of the margins, and the class."""
    choices = np.array([[0, 0], [1, -1]], dtype=object)
    F = np.array([choices[list(row)] for row in np.ndindex(*[2] * n_points)])
    return mean_of_suprema(F[:, :, 0] - F[:, :, 1]), F


@contraction.extremal("the margin of two classes, (0, 0) or (1, −1) freely at every point: equality")
def two_vectors_at_every_point() -> Found:
    for n_points in (1, 2, 3):
        left, F = two_vectors(n_points)
        yield equal(f"E sup, bound; {n_points} points", left, contracted(F, 2), within=1e-12)


@contraction.strengthened(
    "√2, for the margin of two classes at one point",
    by=Fraction(99, 100),
    told=r"One per cent less than $\sqrt2$ is too little: for the two rows of scores $(0,0)$ and $(1,-1)$ at a single "
    "point the left side is {left}, and the right side would be {right}.",
)
def the_root_of_two(factor: int | Fraction) -> Found:
    left, F = two_vectors(1)
    hair = ball(Fraction(1, 10**12))  # the two are equal
    yield at_most("E sup, bound", left, ball(factor) * contracted(F, 2) + hair)


@contraction.control("one sign for each point in place of one for each component: the same two rows of scores")
def one_sign_for_each_point() -> Found:
    left, F = two_vectors(1)
    summed = mean_of_suprema(F.sum(axis=2))
    yield at_most("E sup, bound", left, vector_contraction_bound(ball(summed), ball(2).sqrt()))


shared = Claim(
    "prp-shared-norm-margin-bound",
    "upper bound",
    "exact",
    source=("lei2015", "maurer2016"),
    where="this book; the rate is that of the former, the lemma that of the latter",
    implements=shared_norm_margin_bound,
    formula=Formula("eq-bounds-shared-norm", shared_norm_margin_bound, numbers="balls"),
)


def bound(loss: Number, norm2: Scalar, rho: Number, n_classes: int, delta: Number, n_samples: int) -> Ball:
    """The bound for inputs of length at most 1, as a ball."""
    norm2 = norm2 if not isinstance(norm2, int | Fraction) else ball(norm2)
    return shared_norm_margin_bound(ball(loss), ball(1), norm2, ball(rho), n_classes, ball(delta), n_samples)


@shared.check("the random matrix Σ (C σ_i) x_i: its mean square is (k − 1) Σ |x_i|², by all signs")
def mean_square_of_the_random_matrix(rng: np.random.Generator) -> Found:
    for k, m in ((2, 3), (3, 3), (4, 2), (5, 2)):
        X = rng.integers(-4, 5, (m, 2)).astype(object)
        centre = np.eye(k, dtype=int).astype(object) - Fraction(1, k)
        squares = [((centre @ np.array(s).reshape(k, m) @ X) ** 2).sum() for s in sign_vectors(k * m)]
        yield equal(f"mean square, k = {k}", Fraction(sum(squares)) / len(squares), (k - 1) * (X * X).sum())


@shared.check("finite sets of W: the losses of their margins have at most half of the middle term as complexity")
def finite_sets_of_weights(rng: np.random.Generator) -> Found:
    for k in (2, 3, 5):
        for _ in range(8):
            m, rho = int(rng.integers(1, 6)), Fraction(int(rng.integers(1, 9)), 2)
            X, W = rng.integers(-3, 4, (m, 2)), rng.integers(-3, 4, (6, k, 2))
            y = rng.integers(0, k, m)
            losses = np.array([margin_loss(score_margins(X @ one.T, y).astype(object), rho) for one in W], dtype=object)
            radius2, norm2 = max(int((X * X).sum(axis=1).max()), 1), int((W * W).sum(axis=(1, 2)).max())
            middle = shared_norm_margin_bound(ball(0), ball(radius2), ball(norm2), ball(rho), k, ball(1), m)
            yield at_most(f"R(losses), half of the middle term; k = {k}", mean_of_suprema(losses) / m, middle / 2)


@shared.check("opposite rows of length ½, ρ = 1: bounds below the risk, which fail")
def opposite_rows_of_length_half(rng: np.random.Generator) -> Found:
    m = 400
    for wrong in (Fraction(4, 5), Fraction(int(rng.integers(8, 10)), 10)):
        distribution = opposite_rows(wrong)
        for delta in (HALF, RARE):

            def limit(loss: Number, delta: Fraction = delta) -> Ball:
                return bound(loss, HALF, 1, 2, delta, m)

            yield less_than("bound at margin loss 0, risk", limit(0), wrong)
            yield from rare_but_real(f"risk {wrong}", distribution.bound_failure(Fraction(1), m, limit), delta)


def norm_by_heart(n_classes: int, n_samples: int) -> Fraction:
    """The squared norm of the shortest W with margins 1 at this many unit vectors, whatever their labels are."""
    return n_samples * Fraction(n_classes - 1, n_classes)


@shared.extremal("a sample learnt by heart: 1 is needed, and 4 (k − 1)/√k is said")
def a_sample_learnt_by_heart() -> Found:
    for k in FEW:
        said = bound(0, norm_by_heart(k, MILLION), 1, k, 1, MILLION)
        yield equal(f"bound squared, 16 (k − 1)²/k; k = {k}", said * said, Fraction(16 * (k - 1) ** 2, k), within=1e-12)
        yield at_most(f"1, bound; k = {k}", 1, said)


@shared.extremal("for two classes the constant is the one that two rows of length Λ have")
def two_classes() -> Found:
    for m in (10, 1000):
        complexity = kernel_complexity_bound(ball(2), ball(3), m)
        rows = two_class_margin_bound(ball(HALF), complexity, ball(HALF), ball(TWENTIETH), m)
        joint = shared_norm_margin_bound(ball(HALF), ball(2), ball(3), ball(HALF), 2, ball(TWENTIETH), m)
        yield equal(f"bound, two-class bound; m = {m}", joint, rows, within=1e-12)


@shared.strengthened("the middle term, for a sample of two classes learnt by heart", by=Fraction(35, 100))
def the_middle_term(factor: int | Fraction) -> Found:
    limit = bound(0, factor**2 * norm_by_heart(2, MILLION), 1, 2, TWENTIETH, MILLION)
    yield at_most("1 - m/N, bound", 1 - Fraction(1, MILLION), limit)


@shared.control("without the middle term: a sample learnt by heart")
def without_the_middle_term() -> Found:
    yield at_most("1 - m/N, bound", 1 - Fraction(1, MILLION), bound(0, 0, 1, 3, TWENTIETH, MILLION))


@shared.control("training errors in place of the margin loss: a sample learnt by heart with margins ρ/1000")
def training_errors_in_place_of_the_loss() -> Found:
    small = norm_by_heart(3, MILLION) / MILLION
    yield at_most("1 - m/N, bound", 1 - Fraction(1, MILLION), bound(0, small, 1, 3, TWENTIETH, MILLION))


@shared.strengthened("the confidence term: opposite rows of length ½, δ = exp(−200001)", by=Fraction(98, 100))
def the_confidence_term(factor: int | Fraction) -> Found:
    yield from rare_failure(
        lambda delta: shared_norm_margin_bound(ball(0), ball(1), ball(HALF), ball(1), 2, delta, THROWS), factor
    )


need = Claim(
    "prp-necessary-class-dependence",
    "lower bound",
    "exact",
    source="mohri2018",
    where="this book; it concerns the linear scores of Corollary 9.4 there",
    implements=(necessary_class_factor, weights_by_heart),
    formula=(
        Formula("eq-bounds-need-shared", necessary_class_factor, fixed={"one_norm": True}),
        Formula("eq-bounds-need-rows", necessary_class_factor, side=1, fixed={"one_norm": False}),
    ),
)


def factor(n_classes: int, *, one_norm: bool) -> Ball:
    return necessary_class_factor(ball(n_classes), one_norm=one_norm)


@need.check("learnt by heart: margins ρ on the sample and 0 on another input, and the length that the proof says")
def margins_and_lengths(rng: np.random.Generator) -> Found:
    for k in FEW:
        m, rho = int(rng.integers(1, 3 * k)), Fraction(int(rng.integers(1, 9)), 4)
        y = rng.integers(0, k, m)
        W = weights_by_heart(y, k, rho)
        yield equal(f"smallest margin, ρ; k = {k}", min(score_margins(W.T, y).tolist()), rho)
        unseen = np.zeros((1, k), dtype=object)
        yield equal(f"margin of an input not seen, k = {k}", score_margins(unseen, y[:1])[0], 0)
        yield equal(f"‖W‖², m ρ² (k − 1)/k; k = {k}", (W * W).sum(), rho**2 * norm_by_heart(k, m))


@need.check("with balanced labels all rows have the length that the proof says: m ρ² (k − 1)/k²")
def rows_of_balanced_labels(rng: np.random.Generator) -> Found:
    for k in FEW:
        W = weights_by_heart(rng.permutation(np.repeat(np.arange(k), 3)), k)
        for row in W:
            yield equal(f"‖w_l‖², m (k − 1)/k²; k = {k}", row @ row, 3 * k * Fraction(k - 1, k * k))


@need.extremal("there the factor makes the middle term 1: for one norm with any labels, for rows with balanced ones")
def the_middle_term_is_one() -> Found:
    rng = np.random.default_rng(2)
    for k in FEW:
        for y in (rng.integers(0, k, 3 * k), np.repeat(np.arange(k), 3)):
            W, m = weights_by_heart(y, k), 3 * k
            together = (W * W).sum() / Fraction(m)
            yield equal(f"one norm, k = {k}", factor(k, one_norm=True) ** 2 * ball(together), 1, within=1e-12)
        longest = max((W * W).sum(axis=1).tolist()) / Fraction(m)
        yield equal(f"rows, k = {k}", factor(k, one_norm=False) ** 2 * ball(longest), 1, within=1e-12)


@need.check("a hundredth less than the factor is refuted by 10⁶ random labels: bound below the risk, nearly always")
def a_hundredth_less_is_refuted(rng: np.random.Generator) -> Found:
    m, risk = 10**6, 1 - Fraction(1, 10**6)
    for k in (2, 3, 20):
        share = ball(Fraction(99, 100)) * factor(k, one_norm=True) * ball(Fraction(k - 1, k)).sqrt()
        yield less_than(f"bound for one norm, risk; k = {k}", share + confidence(m), risk)
        # No label occurs more than (1 + η) m/k times, by Chernoff's bound and with η = 1/50.
        eta = Fraction(1, 50)
        row = (1 + eta) * Fraction(k - 1, k * k)
        share = ball(Fraction(98, 100)) * factor(k, one_norm=False) * ball(row).sqrt()
        yield less_than(f"98 per cent of it for rows, risk; k = {k}", share + confidence(m), risk)
        too_often = k * (-ball(m) / k * ((1 + ball(eta)) * (1 + ball(eta)).log() - ball(eta))).exp()
        yield less_than(f"chance of a label too often, 1/100; k = {k}", too_often, Fraction(1, 100))


def confidence(m: int) -> Ball:
    return (ball(20).log() / (2 * m)).sqrt()


@need.extremal("the true label's score and the rivals' are moved by the least length: (k − 1)/k ρ², no less")
def the_least_length() -> Found:
    rng = np.random.default_rng(3)
    for k in FEW:
        column = weights_by_heart(np.array([0]), k)[:, 0]
        yield equal(f"squared length, k = {k}", ball(column @ column) * factor(k, one_norm=True) ** 2, 1, within=1e-12)
        for _ in range(20):
            scores = rng.integers(-9, 10, k).astype(object)
            scores[0] = max(scores[1:].tolist()) + Fraction(int(rng.integers(1, 9)))
            lead = scores[0] - max(scores[1:].tolist())
            yield at_least("squared length / lead², that", Fraction(scores @ scores) / lead**2, Fraction(k - 1, k))


@need.control("balanced labels are not needed for rows: all examples have the first label")
def all_examples_of_one_label() -> Found:
    k = 4
    W = weights_by_heart(np.zeros(8, dtype=int), k)
    longest = max((W * W).sum(axis=1).tolist()) / Fraction(8)
    yield at_most("factor² × longest row², 1", factor(k, one_norm=False) ** 2 * ball(longest), 1)


@need.control("the factor of single rows for rows that share one norm: a sample of nine labels learnt by heart")
def the_factor_of_single_rows_for_one_norm() -> Found:
    k = 9
    W = weights_by_heart(np.arange(k), k)
    together = (W * W).sum() / Fraction(k)
    yield at_most("factor² × ‖W‖²/m, 1", factor(k, one_norm=False) ** 2 * ball(together), 1)


@need.control("without centring, ρ at the true label and 0 elsewhere, the length would be as small")
def without_centring() -> Found:
    k = 3
    plain = np.eye(k, dtype=int).astype(object)
    yield equal("‖W‖² × factor²/m", factor(k, one_norm=True) ** 2 * (plain * plain).sum() / k, 1, within=1e-12)
