"""The sharper training-error theorem."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.output_codes.samples import (
    EXACT_LOSSES,
    Found,
    Loss,
    at_zero,
    random_balanced_code,
    random_sample,
    unsafe_line,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof.exact import rational
from mcbook.foundation.types import Array
from mcbook.losses import hinge
from mcbook.output_code_errors import (
    equal_nonzeros,
    hinge_mistake_cost,
    opposite_columns,
    restricted_loss,
    sharp_loss_decoding_bound,
    training_error,
)
from mcbook.output_code_errors.instances import lost_duels
from mcbook.output_codes import all_pairs_code

# --- the sharper theorem ---------------------------------------------------------------------------------------------

sharp = Claim(
    "thm-loss-based-decoding-sharp",
    "upper bound",
    "exact",
    source="allwein2000",
    where="§4; sharper than Theorem 1, not in the source",
    errata=("E41",),
    implements=sharp_loss_decoding_bound,
    formula=Formula("eq-code-sharp", sharp_loss_decoding_bound, where=r"\delta\le N_{\mathrm{nz}}"),
    symbols=(
        Reading(r"\delta", "count", arguments={"n_opposite": r"\delta"}),
        Reading(r"N_{\mathrm{nz}}", "count", arguments={"n_nonzero": r"N_{\mathrm{nz}}"}),
    ),
)


def against_sharp(F: Array, M: Array, y: Array, loss: Loss, what: str) -> Evidence:
    bound = sharp_loss_decoding_bound(
        restricted_loss(F, M, y, loss), equal_nonzeros(M), opposite_columns(M), at_zero(loss)
    )
    return at_most("training error ≤ sharper bound", training_error(F, M, y, loss), bound, at=what)


@sharp.check("random codes with equally many zeros, all pairs of 3 to 6 classes, five losses, in fractions")
def random_samples_within_the_sharper_bound(rng: np.random.Generator) -> Found:
    codes = [random_balanced_code(rng) for _ in range(50)] + [all_pairs_code(k) for k in (3, 4, 5, 6)]
    for M in codes:
        F, y = random_sample(rng, M)
        for name, loss in EXACT_LOSSES.items():
            yield against_sharp(F, M, y, loss, name)


@sharp.check("with the hinge the cheapest mistake costs δ more than its zeros: exact for every such code")
def cheapest_mistake_costs_delta(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_balanced_code(rng)
        cost = min(hinge_mistake_cost(u, v) for i, u in enumerate(M) for j, v in enumerate(M) if i != j)
        zeros = M.shape[1] - equal_nonzeros(M)
        closest = min(times_opposite(u, v) for i, u in enumerate(M) for v in M[:i])
        yield equal("cheapest mistake less its zeros = δ", cost - zeros, closest)
        yield equal("least number of opposite columns = δ", closest, opposite_columns(M))


def times_opposite(u: Array, v: Array) -> int:
    return int((u * v < 0).sum())


@sharp.extremal("hinge, all pairs: one drawn duel, equality at every level")
def hinge_all_pairs() -> Found:
    for k in range(3, 8):
        M = all_pairs_code(k)
        for n_wrong in range(0, 6, 1 if k == 3 else 5):
            F, y = lost_duels(k, n_wrong, 5)
            paid = restricted_loss(F, M, y, hinge)
            bound = sharp_loss_decoding_bound(paid, k - 1, 1)
            yield equal(
                "error = level",
                training_error(F, M, y, "hinge"),
                Fraction(n_wrong, 5),
                at=f"k = {k}, level {n_wrong}/5",
            )
            yield equal("error = bound", Fraction(n_wrong, 5), bound, at=f"k = {k}, level {n_wrong}/5", statement=True)


def lines_of_sharp(M: Array, f: Array, y: int, r: int, loss: Loss) -> Found:
    own, rival, zero = loss(M[y] * f), loss(M[r] * f), at_zero(loss)
    opposite = M[y] * M[r] < 0
    only_y, only_r = (M[y] != 0) & (M[r] == 0), (M[y] == 0) & (M[r] != 0)
    yield equal("columns that only y uses = columns that only r uses", int(only_y.sum()), int(only_r.sum()))
    yield at_least("Σ L(M_y f) ≥ Σ L(M_r f)", own.sum(), rival.sum(), at="r is no farther")
    yield equal("cost of y where only r is used = L(0) each", own[only_r].sum(), int(only_r.sum()) * zero)
    yield equal("cost of r where only y is used = L(0) each", rival[only_y].sum(), int(only_y.sum()) * zero)
    left = own[opposite].sum() + own[only_y].sum()
    yield at_least(
        "y on S_Δ and its own columns ≥ r on S_Δ and its own columns",
        left,
        rival[opposite].sum() + rival[only_r].sum(),
        at="these cancel",
    )
    yield at_least(
        "y on S_Δ and its own columns ≥ r on S_Δ", left, rival[opposite].sum(), at="L ≥ 0 on r's own columns"
    )
    for s in np.flatnonzero(opposite):
        yield at_least("L(−z) ≥ 2 L(0) − L(z)", rival[s], 2 * zero - own[s], at=f"column {s + 1}")
    yield at_least(
        "twice y on S_Δ and y on its own columns ≥ 2 δ L(0)",
        2 * own[opposite].sum() + own[only_y].sum(),
        2 * opposite_columns(M) * zero,
    )
    asked = M[y] != 0
    yield at_least("all non-zero entries of y ≥ δ L(0)", own[asked].sum(), opposite_columns(M) * zero)


@sharp.trace("all pairs of four classes, hinge: a lost duel, and the drawn one")
def all_pairs_of_four_classes_hinge() -> Found:
    M = all_pairs_code(4)
    yield from lines_of_sharp(M, rational(["-1/2", 1, "1/2", 1, "1/3", 1]), 0, 1, hinge)
    F, y = lost_duels(4, 2, 5)
    yield from lines_of_sharp(M, F[0], 0, 1, hinge)
    paid = restricted_loss(F, M, y, hinge)
    yield equal(
        "2/5 = (k − 1) ε̄ / L(0)", Fraction(2, 5), sharp_loss_decoding_bound(paid, 3, 1), at="5 examples, 2 drawn"
    )


@sharp.strengthened(
    "One per cent less is too little: when two of five examples of three classes draw a duel, the "
    "training error is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def bound_on_drawn_duels(factor: Fraction) -> Found:
    for k in (3, 4):
        M = all_pairs_code(k)
        F, y = lost_duels(k, 2, 5)
        bound = sharp_loss_decoding_bound(restricted_loss(F, M, y, hinge), equal_nonzeros(M), opposite_columns(M))
        yield at_most("error ≤ bound", training_error(F, M, y, "hinge"), factor * bound, at=f"k = {k}")


@sharp.control(
    r"The rows need equal numbers of zeros: for the rows $(0,-1)$ and $(1,1)$, with $N_{\mathrm{nz}}$ "
    "of the label's own row, the training error is {left}, and the bound would be {right}."
)
def unequal_numbers_of_zeros() -> Found:
    M, F, y = np.array([[0, -1], [1, 1]]), rational([[1, "-1/2"]]), np.array([0])
    own = int((M[0] != 0).sum())
    bound = sharp_loss_decoding_bound(restricted_loss(F, M, y, hinge), own, opposite_columns(M))
    yield at_most("error ≤ bound", training_error(F, M, y, "hinge"), bound)


@sharp.control(
    r"Any two rows must be opposite somewhere: the right answers $1,1$ leave the rows $(1,0)$ and $(0,1)$ tied, so the "
    r"training error is {left}, and with $\delta=1$ the bound would be {right}."
)
def rows_that_are_nowhere_opposite() -> Found:
    M, F, y = np.array([[1, 0], [0, 1]]), rational([[1, 1]]), np.array([0])
    bound = sharp_loss_decoding_bound(restricted_loss(F, M, y, hinge), 1, 1)
    yield at_most("error ≤ bound", training_error(F, M, y, "hinge"), bound)


@sharp.control(
    r"The condition $L\ge0$ is needed: with $L(z)=1-z$ and the outputs $0,2,7$ of all pairs of three "
    "classes the training error is {left}, and the bound would be {right}."
)
def a_loss_that_pays_for_right_duels() -> Found:
    M, F, y = all_pairs_code(3), rational([[0, 2, 7]]), np.array([0])
    yield against_sharp(F, M, y, unsafe_line, "1 − z")
