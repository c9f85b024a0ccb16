"""Training error: the theorem of loss-based decoding, its corollary, refined and sharper forms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than, proved
from mcbook.claims.output_codes.common import (
    EXACT_LOSSES,
    Array,
    Found,
    Loss,
    at_zero,
    not_positive,
    power_of_two,
    random_balanced_code,
    random_code,
    random_sample,
    sign_codes,
    standard_codes,
    unsafe_line,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof.exact import ball, rational
from mcbook.foundation.proof.rigorous import prove_identity, prove_sign
from mcbook.losses import exponential, hinge, logistic, ramp, sigmoid
from mcbook.output_codes import (
    all_pairs_code,
    all_pairs_contribution,
    average_loss,
    cheapest_mistake,
    complete_code,
    equal_nonzeros,
    hinge_mistake_cost,
    ignored_contribution,
    ignored_share,
    loss_decoding_bound,
    lost_duels,
    minimal_distance,
    one_vs_rest_code,
    opposite_columns,
    restricted_loss,
    sample_with_error,
    scaled_loss_bound,
    sharp_loss_decoding_bound,
    tied_outputs,
    training_error,
    worst_error,
)

# --- A.eq1: one binary problem ---------------------------------------------------------------------------------------

single = Claim(
    "A.eq1",
    implements=scaled_loss_bound,
    formula=Formula(
        "eq-code-binary-bound", scaled_loss_bound, arguments={"average_loss": r"\frac1m\sum_{i=1}^mL(y_if(x_i))"}
    ),
)


@single.check("random margins and the losses of the catalogue, in fractions")
def random_margins_and_the_losses_of_the_catalogue(rng: np.random.Generator) -> Found:
    for name, loss in {**EXACT_LOSSES, "1 where z ≤ 0": not_positive}.items():
        if name == "zero-one":
            continue
        for _ in range(30):
            margins = rational(rng.integers(-3, 4, 10))
            error = Fraction(int((margins <= 0).sum()), 10)
            bound = scaled_loss_bound(Fraction(loss(margins).sum()) / 10, at_zero(loss))
            yield at_most(f"{name}: errors, loss / L(0)", error, bound)


@single.extremal("hinge, margins 0 and 1: equality")
def hinge_margins_0_and_1() -> Found:
    for n_zero in range(6):
        margins = rational([0] * n_zero + [1] * (5 - n_zero))
        yield equal(f"{n_zero} of 5 errors", Fraction(n_zero, 5), scaled_loss_bound(hinge(margins).sum() / 5, 1))


@single.control("the bound less a hundredth of itself")
def the_bound_less_a_hundredth_of_itself() -> Found:
    yield at_most("errors", 1, Fraction(99, 100) * scaled_loss_bound(Fraction(1), 1))


@single.control("L(z) ≥ L(0) on z ≤ 0 dropped: 2^z, margins −3")
def l_at_least_l_on_z_at_most_0_dropped() -> Found:
    yield at_most("errors, loss / L(0)", 1, scaled_loss_bound(power_of_two(3), 1))


@single.control("L ≥ 0 dropped: 1 − z, margins 0 and 3")
def l_at_least_0_dropped_1_z_margins_0_and_3() -> Found:
    margins = rational([0, 3])
    yield at_most("errors, loss / L(0)", Fraction(1, 2), Fraction(unsafe_line(margins).sum()) / 2)


# --- A.T1: loss-based decoding ---------------------------------------------------------------------------------------

theorem = Claim(
    "A.T1",
    implements=loss_decoding_bound,
    formula=Formula("eq-code-theorem", loss_decoding_bound, where=r"\rho\le\ell"),
)


def against_bound(F: Array, M: Array, y: Array, loss: Loss, what: str) -> Evidence:
    bound = loss_decoding_bound(average_loss(F, M, y, loss), M.shape[1], minimal_distance(M), at_zero(loss))
    return at_most(f"{what}: training error, bound", training_error(F, M, y, loss), bound)


@theorem.check("random codes with zeros, random outputs, five losses, in fractions")
def random_codes_with_zeros_random_outputs_five(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_code(rng)
        F, y = random_sample(rng, M)
        for name, loss in EXACT_LOSSES.items():
            yield against_bound(F, M, y, loss, name)


@theorem.check("the exponential, logistic and sigmoid losses in ball arithmetic: a mistake costs ρ L(0)")
def the_exponential_logistic_and_sigmoid_losses(rng: np.random.Generator) -> Found:
    for _ in range(25):
        M = random_code(rng)
        F, y = random_sample(rng, M, 4)
        for loss in (exponential, logistic, sigmoid):
            for f, label in zip(F, y, strict=True):
                costs = [sum((loss(ball(z)) for z in row * f), ball(0)) for row in M]
                if any(costs[r] < costs[label] for r in range(len(M))):
                    floor = ball(minimal_distance(M)) * loss(ball(0))
                    yield at_least(f"{loss.name}: cost of a mistake, ρ L(0)", costs[label], floor)


@theorem.check("the worst samples that programmes find are within it; their mistakes cost what a Lagrangian bound says")
def the_worst_samples_that_programmes_find_are(rng: np.random.Generator) -> Found:
    for name, M in standard_codes(4):
        level = ignored_share(M, np.arange(len(M))) + Fraction(1, 20)
        worst = worst_error(M, level)
        bound = loss_decoding_bound(level, M.shape[1], minimal_distance(M))
        yield at_most(f"{name}: worst error, bound", worst.error.lower, bound)
        cost = min(hinge_mistake_cost(u, v) for i, u in enumerate(M) for j, v in enumerate(M) if i != j)
        yield equal(f"{name}: cheapest mistake found, Lagrangian bound", cheapest_mistake(M).cost, cost)


@theorem.extremal("hinge, codes of signs: equality at every level of error")
def hinge_codes_of_signs() -> Found:
    for name, M in sign_codes():
        for n_wrong in range(0, 8, 1 if len(M) == 4 else 3):
            F, y = sample_with_error(M, n_wrong, 7)
            bound = loss_decoding_bound(average_loss(F, M, y, hinge), M.shape[1], minimal_distance(M))
            yield equal(f"{name}, level {n_wrong}/7: error", training_error(F, M, y, "hinge"), Fraction(n_wrong, 7))
            yield equal(f"{name}, level {n_wrong}/7: error, bound", Fraction(n_wrong, 7), bound)


@theorem.extremal("hinge, all pairs of three classes, every example tied: equality with zeros")
def hinge_all_pairs_of_three_classes_every_example() -> Found:
    M, y = all_pairs_code(3), np.array([0])
    F = rational([[0, 1, 1]])
    bound = loss_decoding_bound(average_loss(F, M, y, hinge), 3, minimal_distance(M))
    yield equal("error, bound", training_error(F, M, y, "hinge"), bound)


def lines_of_theorem(M: Array, f: Array, y: int, r: int, loss: Loss, name: str) -> Found:
    """The proof for one mistake: label y, rival r at no larger a distance."""
    own, rival = loss(M[y] * f), loss(M[r] * f)
    opposite, blank = M[y] * M[r] < 0, M[y] * M[r] == 0
    kept, zero = opposite | blank, at_zero(loss)
    yield at_least(f"{name}: r is no farther: Σ L(M_y f), Σ L(M_r f)", own.sum(), rival.sum())
    yield equal("equal entries cancel", own[~kept].sum(), rival[~kept].sum())
    yield at_least("on S_Δ and S_0: y's losses, r's losses", own[kept].sum(), rival[kept].sum())
    yield at_least("L ≥ 0: all of y's losses, those on S_Δ and S_0", own.sum(), own[kept].sum())
    mean = (own[kept].sum() + rival[kept].sum()) / 2
    yield at_least("y's losses there, the mean of both", own[kept].sum(), mean)
    for s in np.flatnonzero(opposite):
        yield at_least(f"column {s + 1} in S_Δ: (L(z) + L(−z))/2, L(0)", (own[s] + rival[s]) / 2, zero)
    for s in np.flatnonzero(blank):
        yield at_least(f"column {s + 1} in S_0: half of L(0) + L(·), L(0)/2", (own[s] + rival[s]) / 2, zero / 2)
    distance = int(opposite.sum()) + Fraction(int(blank.sum()), 2)
    yield at_least("the mean, Δ(M_y, M_r) L(0)", mean, distance * zero)
    yield at_least("Δ(M_y, M_r), ρ", distance, minimal_distance(M))
    yield at_least("together: Σ L(M_y f), ρ L(0)", own.sum(), minimal_distance(M) * zero)


@theorem.trace("a code with zeros, four classes, hinge; then the equality case")
def a_code_with_zeros_four_classes_hinge() -> Found:
    M = np.array([[1, 1, 0, -1, 1], [1, -1, 1, -1, 0], [-1, 1, 1, 1, -1], [0, -1, -1, 1, 1]])
    f = rational([1, "-1/2", 2, "-1/4", 0])
    yield from lines_of_theorem(M, f, 0, 1, hinge, "four classes")
    OVR = one_vs_rest_code(4)
    yield from lines_of_theorem(OVR, tied_outputs(OVR, 0, 1), 0, 1, hinge, "equality")
    F, y = sample_with_error(OVR, 3, 7)
    loss = average_loss(F, OVR, y, hinge)
    yield at_most("summed over 7 examples, 3 mistaken: 3 ρ L(0), m ℓ ε", 3 * 2, 7 * 4 * loss)
    yield equal("divided by m ρ L(0): 3/7, ℓ ε / (ρ L(0))", Fraction(3, 7), loss_decoding_bound(loss, 4, 2))


@theorem.control("ρ + 1/2 in place of ρ")
def rho_1_2_in_place_of_rho() -> Found:
    M = one_vs_rest_code(4)
    F, y = sample_with_error(M, 1, 1)
    yield at_most(
        "error", 1, loss_decoding_bound(average_loss(F, M, y, hinge), 4, minimal_distance(M) + Fraction(1, 2))
    )


@theorem.control("the symmetric condition dropped: the ramp loss")
def the_symmetric_condition_dropped() -> Found:
    M, F, y = one_vs_rest_code(3), rational([[-9, -9, -9]]), np.array([0])
    yield against_bound(F, M, y, ramp(1), "ramp")


@theorem.control("L ≥ 0 dropped: L(z) = 1 − z, which meets the symmetric condition with equality")
def l_at_least_0_dropped_l_1_z_which_meets() -> Found:
    M, F, y = one_vs_rest_code(3), rational([[0, 0, -9]]), np.array([0])
    cost = Fraction(unsafe_line(M[0] * F[0]).sum())
    assert training_error(F, M, y, unsafe_line) == 1, "the instance makes no mistake"
    yield at_least("cost of the mistake, ρ L(0)", cost, minimal_distance(M))


# --- A.T1-vac: what zeros contribute ---------------------------------------------------------------------------------

vacuous = Claim(
    "A.T1-vac",
    implements=(all_pairs_contribution, ignored_contribution),
    formula=(
        Formula("eq-code-vacuous", all_pairs_contribution, side="left", given={r"\ell": r"\binom k2"}),
        *(
            Formula("eq-code-vacuous", all_pairs_contribution, piece=k - 3, fixed={"n_classes": k})
            for k in (3, 4, 5, 6)
        ),
    ),
)


@vacuous.check("perfect binary learners: the bound of all pairs equals the formula, k = 3, …, 12")
def perfect_binary_learners(rng: np.random.Generator) -> Found:
    for k in range(3, 13):
        M, y = all_pairs_code(k), np.arange(k)
        F = rational(M)
        yield equal(f"k = {k}: training error", training_error(F, M, y, "hinge"), 0)
        bound = loss_decoding_bound(average_loss(F, M, y, hinge), M.shape[1], minimal_distance(M))
        yield equal(
            f"k = {k}: bound, (ℓ/ρ) q", bound, ignored_contribution(1 - Fraction(2, k), M.shape[1], minimal_distance(M))
        )
        yield equal(f"k = {k}: bound, formula", bound, all_pairs_contribution(k))
    for k, value in zip((3, 4, 5, 6), ("1/2", "6/7", "12/11", "5/4"), strict=True):
        yield equal(f"k = {k}", all_pairs_contribution(k), Fraction(value))


@vacuous.check("at least 1 for every k ≥ 5, by algebra")
def at_least_1_for_every_k_at_least_5_by_algebra(rng: np.random.Generator) -> Found:
    import sympy

    n = sympy.Symbol("n", integer=True, nonnegative=True)
    k = n + 5
    columns = k * (k - 1) / 2
    formula = 2 * columns / (columns + 1) * (1 - 2 / k)
    excess = (k**2 - 5 * k + 2) / (k**2 - k + 2)
    yield proved("the formula less 1 is (k² − 5k + 2)/(k² − k + 2)", prove_identity(formula - 1, excess))
    yield proved("which is positive", prove_sign(excess, (n**2 + 5 * n + 2) / (n**2 + 9 * n + 22), strict=True))


@vacuous.control("at least 1 for k = 4 already")
def at_least_1_for_k_4_already() -> Found:
    yield at_least("contribution, k = 4", all_pairs_contribution(4), 1)


@vacuous.control("codes without zeros suffer too")
def codes_without_zeros_suffer_too() -> Found:
    M, y = complete_code(5), np.arange(5)
    yield less_than(
        "0, bound of perfect learners", 0, loss_decoding_bound(average_loss(rational(M), M, y, hinge), 15, 8)
    )


# --- A.T1#: the sharper theorem --------------------------------------------------------------------------------------

sharp = Claim(
    "A.T1#",
    implements=sharp_loss_decoding_bound,
    formula=Formula("eq-code-sharp", sharp_loss_decoding_bound, where=r"\delta\le N_{\mathrm{nz}}"),
)


def against_sharp(F: Array, M: Array, y: Array, loss: Loss, what: str) -> Evidence:
    bound = sharp_loss_decoding_bound(
        restricted_loss(F, M, y, loss), equal_nonzeros(M), opposite_columns(M), at_zero(loss)
    )
    return at_most(f"{what}: training error, sharper bound", training_error(F, M, y, loss), bound)


@sharp.check("random codes with equally many zeros, all pairs of 3 to 6 classes, five losses, in fractions")
def random_codes_with_equally_many_zeros_all_pairs(rng: np.random.Generator) -> Found:
    codes = [random_balanced_code(rng) for _ in range(50)] + [all_pairs_code(k) for k in (3, 4, 5, 6)]
    for M in codes:
        F, y = random_sample(rng, M)
        for name, loss in EXACT_LOSSES.items():
            yield against_sharp(F, M, y, loss, name)


@sharp.check("with the hinge the cheapest mistake costs δ more than its zeros: exact for every such code")
def with_the_hinge_the_cheapest_mistake_costs_delta(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_balanced_code(rng)
        cost = min(hinge_mistake_cost(u, v) for i, u in enumerate(M) for j, v in enumerate(M) if i != j)
        zeros = M.shape[1] - equal_nonzeros(M)
        closest = min(times_opposite(u, v) for i, u in enumerate(M) for v in M[:i])
        yield equal("cheapest mistake less its zeros, δ", cost - zeros, closest)
        yield equal("δ", closest, opposite_columns(M))


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
            yield equal(f"k = {k}, level {n_wrong}/5: error", training_error(F, M, y, "hinge"), Fraction(n_wrong, 5))
            yield equal(f"k = {k}, level {n_wrong}/5: error, bound", Fraction(n_wrong, 5), bound)


def lines_of_sharp(M: Array, f: Array, y: int, r: int, loss: Loss) -> Found:
    own, rival, zero = loss(M[y] * f), loss(M[r] * f), at_zero(loss)
    opposite = M[y] * M[r] < 0
    only_y, only_r = (M[y] != 0) & (M[r] == 0), (M[y] == 0) & (M[r] != 0)
    yield equal("as many columns only y uses as only r uses", int(only_y.sum()), int(only_r.sum()))
    yield at_least("r is no farther: Σ L(M_y f), Σ L(M_r f)", own.sum(), rival.sum())
    yield equal("where only r is used y pays L(0)", own[only_r].sum(), int(only_r.sum()) * zero)
    yield equal("where only y is used r pays L(0)", rival[only_y].sum(), int(only_y.sum()) * zero)
    left = own[opposite].sum() + own[only_y].sum()
    yield at_least(
        "these cancel: y on S_Δ and its own columns, r on S_Δ and its own",
        left,
        rival[opposite].sum() + rival[only_r].sum(),
    )
    yield at_least("L ≥ 0 on r's own columns: the same, r on S_Δ", left, rival[opposite].sum())
    for s in np.flatnonzero(opposite):
        yield at_least(f"column {s + 1}: L(−z), 2 L(0) − L(z)", rival[s], 2 * zero - own[s])
    yield at_least(
        "so 2 y on S_Δ + y on its own, 2 δ L(0)",
        2 * own[opposite].sum() + own[only_y].sum(),
        2 * opposite_columns(M) * zero,
    )
    asked = M[y] != 0
    yield at_least("all non-zero entries of y, δ L(0)", own[asked].sum(), opposite_columns(M) * zero)


@sharp.trace("all pairs of four classes, hinge: a lost duel, and the drawn one")
def all_pairs_of_four_classes_hinge() -> Found:
    M = all_pairs_code(4)
    yield from lines_of_sharp(M, rational(["-1/2", 1, "1/2", 1, "1/3", 1]), 0, 1, hinge)
    F, y = lost_duels(4, 2, 5)
    yield from lines_of_sharp(M, F[0], 0, 1, hinge)
    paid = restricted_loss(F, M, y, hinge)
    yield equal("5 examples, 2 drawn: 2/5, (k − 1) ε̄ / L(0)", Fraction(2, 5), sharp_loss_decoding_bound(paid, 3, 1))


@sharp.control("the bound with k − 1.01 in place of k − 1")
def the_bound_with_k_1_01_in_place_of_k_1() -> Found:
    M = all_pairs_code(4)
    F, y = lost_duels(4, 5, 5)
    yield at_most("error", 1, sharp_loss_decoding_bound(restricted_loss(F, M, y, hinge), Fraction(299, 100), 1))


@sharp.control("unequal numbers of zeros: the non-zero losses of a mistake are at least δ L(0)")
def unequal_numbers_of_zeros() -> Found:
    M, f = np.array([[0, -1], [1, 1]]), rational([[1, "-1/2"]])
    assert training_error(f, M, np.array([0]), "hinge") == 1, "the instance makes no mistake"
    paid = hinge((M[0] * f[0])[M[0] != 0]).sum()
    yield at_least("losses, δ L(0)", paid, opposite_columns(M) * at_zero(hinge))


@sharp.control("L ≥ 0 dropped: L(z) = 1 − z")
def l_at_least_0_dropped_l_1_z() -> Found:
    M = all_pairs_code(3)
    f = rational([0, 5, 7])
    own, rival = unsafe_line(M[0] * f), unsafe_line(M[1] * f)
    assert own.sum() >= rival.sum(), "the instance makes no mistake"
    yield at_least("non-zero losses, δ L(0)", Fraction(own[M[0] != 0].sum()), opposite_columns(M))
