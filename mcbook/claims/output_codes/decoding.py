"""Decoding: by Hamming distance, by losses, in the printed examples."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_most, equal, holds, less_than, proved
from mcbook.claims.output_codes.page_formulas import distances_of_one, label_of_one
from mcbook.claims.output_codes.samples import (
    EXACT_LOSSES,
    Found,
    random_code,
    random_sample,
    sign_codes,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import ball, rational, sign_vectors
from mcbook.foundation.proof.rigorous import prove_identity
from mcbook.foundation.types import Array
from mcbook.losses import hinge, logistic, random_answer_error
from mcbook.losses.theory.catalogue import exponential, find_loss, sigmoid, zero_one
from mcbook.one_vs_rest_and_pairs import all_tournaments, votes
from mcbook.output_codes import (
    all_pairs_code,
    decode,
    decoding_distances,
    eight_class_example,
    four_class_example,
    minimal_distance,
    one_vs_rest_code,
    row_distances,
)


def nearest(table: Array) -> list[set[int]]:
    """All the classes at the smallest distance, for every example."""
    return [set(np.flatnonzero(row == row.min()).tolist()) for row in table]


# --- Hamming decoding ------------------------------------------------------------------------------------------------


ecoc = Claim(
    "prp-hamming-decoding-inner-product",
    "identity",
    "exact",
    source=("mohri2018", "lecture13", "roth-cis519"),
    where="§9.4.3, (9.18); §2.3",
    errata=("E46",),
    implements=decode,
    formula=(Formula("eq-code-hamming", label_of_one, side="left"), Formula("eq-code-hamming", label_of_one)),
    symbols=(
        Reading("f_s(x)", "sign", slots=("s",), shape=(r"\ell",), arguments={"f": "f_s(x)"}),
        Reading("M(r,s)", "sign", slots=("r", "s"), shape=("k", r"\ell"), arguments={"M": "M(r,s)"}),
    ),
)


@ecoc.check("standard codes, all vectors of outputs: fewest different signs = largest inner product, ties included")
def all_vectors_of_outputs(rng: np.random.Generator) -> Found:
    for name, M in sign_codes(4):
        outputs = np.array(list(sign_vectors(M.shape[1])))
        different = (outputs[:, None, :] != M[None, :, :]).sum(axis=2)
        yield holds("same classes", nearest(different) == nearest(-(outputs @ M.T)), Tier.EXACT, at=name)
        chosen = decode(rational(outputs), M)
        first = different.argmin(axis=1)
        yield equal(
            "outputs where decode takes the first of them = all outputs",
            int((chosen == first).sum()),
            len(outputs),
            at=name,
        )
        marked = decode(rational(outputs), M, ties="mark") == -1
        yield equal("ties marked = ties", int(marked.sum()), sum(len(best) > 1 for best in nearest(different)), at=name)


@ecoc.control(
    "The inner product needs the signs of the outputs: on the outputs (1, 5, −9) three rows are equally "
    "near, so the first class is predicted; with the outputs themselves the second row wins."
)
def product_with_loud_outputs() -> Found:
    M, f = one_vs_rest_code(3), rational([[1, 5, -9]])
    M = np.vstack([M[:2], [[1, 1, 1]]])
    yield equal("class by Hamming decoding = by f · M_r", int(decode(f, M)[0]), int((f @ M.T).argmax()))


# --- loss-based decoding contains it ---------------------------------------------------------------------------------

contains = Claim(
    "prp-loss-decoding-contains-hamming",
    "identity",
    "exact",
    source="mohri2018",
    where="§9.4.3, (9.19)",
    implements=decoding_distances,
    no_formula="an equivalence of two rules",
)


@contains.check("codes of signs: distances with H are Hamming distances of the signs, in fractions")
def distances_with_h_are_hamming(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_code(rng, (-1, 1))
        F, _ = random_sample(rng, M)
        F = F + rational((F == 0).astype(int)) * Fraction(1, 2)
        signs = np.where(F > 0, 1, -1)
        different = (signs[:, None, :] != M[None, :, :]).sum(axis=2)
        yield holds("equal tables", bool((decoding_distances(F, M, zero_one) == different).all()), Tier.EXACT)
        yield holds("equal labels", bool((decode(F, M, zero_one) == decode(rational(signs), M)).all()), Tier.EXACT)


@contains.control(
    "Another loss can decide otherwise: in the example of four classes the hinge predicts another class "
    "than Hamming decoding."
)
def any_other_loss_would_do() -> Found:
    f, M = four_class_example()
    yield equal(
        "class by Hamming decoding = by the hinge",
        *(int(decoding_distances(f, M, loss)[0].argmin()) for loss in ("hamming", hinge)),
    )


# --- the reductions are codes ----------------------------------------------------------------------------------------

spec = Claim(
    "prp-reductions-are-codes",
    "equivalence",
    "exact",
    source="mohri2018",
    where="§9.4.3",
    errata=("E39",),
    implements=(decode, decoding_distances),
    no_formula="an equivalence of rules for decoding",
)
DECREASING = {name: loss for name, loss in EXACT_LOSSES.items() if name != "zero-one"}


@spec.check("all tournaments of up to 5 classes: least Hamming distance = most duels won, ties included")
def least_distance_is_most_duels(rng: np.random.Generator) -> Found:
    for k in (3, 4, 5):
        M, outcomes = all_pairs_code(k), all_tournaments(k)
        zeros = set((M == 0).sum(axis=1).tolist())
        yield equal(
            "zeros in every row = ℓ − k + 1", zeros.pop() if len(zeros) == 1 else -1, M.shape[1] - k + 1, at=f"k = {k}"
        )
        table = decoding_distances(rational(outcomes), M)
        won = votes(outcomes, k)
        yield holds("same classes", nearest(table) == nearest(-won), Tier.EXACT, at=f"k = {k}")
        twice = 2 * (k - 1 - won) + M.shape[1] - k + 1
        yield holds("distance = duels lost + zeros/2", bool((2 * table == twice).all()), Tier.EXACT, at=f"k = {k}")


@spec.check("one-vs-rest, all score tables over {−2, …, 2}: four losses decode to the largest score, ties included")
def losses_decode_to_the_largest_score(rng: np.random.Generator) -> Found:
    for k in (2, 3, 4):
        F = rational(list(itertools.product(range(-2, 3), repeat=k)))
        for name, loss in DECREASING.items():
            table = decoding_distances(F, one_vs_rest_code(k), loss)
            yield holds("same classes", nearest(table) == nearest(-F), Tier.EXACT, at=f"k = {k}, {name}")
            first = decode(F, one_vs_rest_code(k), loss) == F.argmax(axis=1)
            yield holds("decode takes the first of them", bool(first.all()), Tier.EXACT, at=f"k = {k}, {name}")


@spec.check("for these losses L(z) − L(−z) strictly decreases, on −6, …, 6")
def differences_decrease(rng: np.random.Generator) -> Found:
    margins = rational(range(-6, 7))
    for name, loss in DECREASING.items():
        odd = loss(margins) - loss(-margins)
        yield holds("L(z) − L(−z) decreases", all(a > b for a, b in itertools.pairwise(odd)), Tier.EXACT, at=name)


@spec.check("for the logistic loss L(z) − L(−z) is −2z, by algebra; and in balls it decodes to the largest score")
def logistic_loss_decreases(rng: np.random.Generator) -> Found:
    import sympy

    z = sympy.Symbol("z", real=True)
    odd = sympy.exp(logistic(z)) / sympy.exp(logistic(-z))
    yield proved("e^(L(z) − L(−z)) = e^(−2z)", prove_identity(odd, sympy.exp(-2 * z)))
    for scores in itertools.permutations(range(-2, 3), 3):
        losses = [
            sum((logistic(ball(entry * f)) for entry, f in zip(row, scores, strict=True)), ball(0))
            for row in one_vs_rest_code(3).tolist()
        ]
        best = max(range(3), key=scores.__getitem__)
        for r in set(range(3)) - {best}:
            yield less_than(
                "distance of the largest score < of another", losses[best], losses[r], at=f"scores {scores}"
            )


@spec.control(
    "Hamming decoding does not see how large a score is: on the scores (1, 9, −1) the first two classes "
    "tie and the first is predicted, although the second has the largest score."
)
def hamming_decoding_of_one_vs_rest_is_argmax() -> Found:
    f = rational([[1, 9, -1]])
    yield equal("class by Hamming decoding = by the scores", int(decode(f, one_vs_rest_code(3))[0]), int(f[0].argmax()))


@spec.control(
    "Rounding can spoil it: on the scores (25, 30, −1) the sigmoid loss saturates in floating point, so "
    "that the first class is predicted, although the second has the largest score."
)
def saturated_sigmoid() -> Found:
    f = np.array([[25.0, 30.0, -1.0]])
    yield equal("class by the sigmoid = by the scores", int(decode(f, one_vs_rest_code(3), sigmoid)[0]), 1)


# --- a random answer -------------------------------------------------------------------------------------------------

answer = Claim(
    "prp-randomised-adaboost-loss",
    "identity",
    "exact",
    source="allwein2000",
    where="§2",
    implements=random_answer_error,
    formula=Formula("eq-code-random-error", random_answer_error, numbers="balls"),
    symbols=(
        Reading("y", "sign", arguments={"y": "y"}),
        Reading("f", "real", arguments={"f": "f"}),
    ),
)


@answer.check("both labels, by algebra: the probability of an error is the sigmoid loss of y f")
def error_of_a_random_answer(rng: np.random.Generator) -> Found:
    import sympy

    f = sympy.Symbol("f", real=True)
    for y in (-1, 1):
        error = random_answer_error(y, f)
        yield proved("error = 1/(1 + e^(2yf))", prove_identity(error, 1 / (1 + sympy.exp(2 * y * f))), at=f"y = {y}")
        yield proved("error = sigmoid loss of yf", prove_identity(error, sigmoid(y * f)), at=f"y = {y}")


@answer.control(
    "The exponent needs its factor 2: for f = 1 and the label +1 the probability of an error is {left}, not {right}."
)
def factor_2_lost_from_the_exponent() -> Found:
    yield equal("error = 1/(1 + e)", random_answer_error(1, ball(1)), 1 / (1 + ball(1).exp()), at="y = f = 1")


# --- the decoding rules ----------------------------------------------------------------------------------------------


rules = Claim(
    "prp-loss-decoding-likelihood",
    "identity",
    "exact",
    source="allwein2000",
    where="§3, (4)–(5)",
    errata=("E57",),
    implements=(decoding_distances, decode),
    formula=Formula("eq-code-loss-decoding", distances_of_one, over="r"),
    symbols=(Reading("f_s(x)", "real", slots=("s",), shape=(r"\ell",), arguments={"f": "f_s(x)"}),),
)


def likelihood(row: Array, odds: list[Fraction]) -> Fraction:
    """Pr[the entries of the row] for independent signs that are +1 with odds e^(2f), a zero entry counting 1/2."""
    probability = Fraction(1)
    for entry, o in zip(row, odds, strict=True):
        probability *= {1: o / (1 + o), -1: 1 / (1 + o), 0: Fraction(1, 2)}[int(entry)]
    return probability


@rules.check("by algebra: each entry's logistic loss is minus its log-likelihood, ln 2 for a zero")
def logistic_loss_is_log_likelihood(rng: np.random.Generator) -> Found:
    import sympy

    f = sympy.Symbol("f", real=True)
    plus = 1 / (1 + sympy.exp(-2 * f))
    yield proved("e^(−L) = probability", prove_identity(sympy.exp(-logistic(f)), plus), at="entry 1")
    yield proved("e^(−L) = probability", prove_identity(sympy.exp(-logistic(-f)), 1 - plus), at="entry −1")
    yield proved("e^(−L) = 1/2", prove_identity(sympy.exp(-logistic(0 * f)), sympy.Rational(1, 2)), at="entry 0")


@rules.check(
    "ternary codes, outputs with rational odds: the logistic decision has the largest likelihood, in fractions"
)
def decision_has_the_largest_likelihood(rng: np.random.Generator) -> Found:
    for _ in range(60):
        M = random_code(rng)
        odds = [Fraction(int(a), int(b)) for a, b in rng.integers(1, 6, (M.shape[1], 2))]
        f = np.array([[np.log(float(o)) / 2 for o in odds]])
        values = [likelihood(row, odds) for row in M]
        yield equal("likelihood of the decision = the largest", values[int(decode(f, M, logistic)[0])], max(values))


@rules.check("Hamming distances are those of the loss (1 − sign z)/2, in fractions")
def hamming_distances_by_their_loss(rng: np.random.Generator) -> Found:
    for _ in range(20):
        M = random_code(rng)
        F, _ = random_sample(rng, M)
        counted = [
            [sum(Fraction(1 - int(np.sign(m * z)), 2) for m, z in zip(row, f, strict=True)) for row in M] for f in F
        ]
        yield holds("equal tables", bool((decoding_distances(F, M) == np.array(counted)).all()), Tier.EXACT)


@rules.control(
    "The exponent needs its factor 2: decoding with ln(1 + e^(−z)) picks a row of likelihood {left}, "
    "although another row has {right}."
)
def logistic_loss_without_the_2() -> Found:
    M, odds = np.array([[1, 0], [-1, 1]]), [Fraction(27, 20), Fraction(2)]
    f = np.array([[np.log(float(o)) / 2 for o in odds]])
    values = [likelihood(row, odds) for row in M]
    chosen = int(decode(f, M, lambda z: np.log1p(np.exp(-z)))[0])
    yield equal("likelihood of the decision = the largest", values[chosen], max(values))


# --- the printed examples --------------------------------------------------------------------------------------------

four = Claim(
    "prp-decoding-example",
    "identity",
    "exact",
    source="allwein2000",
    where="Figure 2",
    implements=four_class_example,
    no_formula="the numbers of one printed example, which the check compares",
)


@four.check("distances, losses, decisions and the distances of the rows")
def printed_distances_and_losses(rng: np.random.Generator) -> Found:
    f, M = four_class_example()
    for r, (found, printed) in enumerate(zip(decoding_distances(f, M)[0], ("7/2", "9/2", "3/2", "5/2"), strict=True)):
        yield equal("Hamming distance = printed", found, Fraction(printed), at=f"class {r + 1}")
    losses = [sum((exponential(ball(z)) for z in row * f[0]), ball(0)) for row in M]
    for r, (found, printed) in enumerate(zip(losses, ("30132.70", "192893.34", "162756.90", "5.368"), strict=True)):
        half_a_digit = Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))
        distance = abs(found - ball(Fraction(printed)))
        yield at_most(f"|exponential loss − {printed}| ≤ half a digit", distance, half_a_digit, at=f"class {r + 1}")
    yield equal("class by Hamming decoding = 3", int(decode(f, M)[0]) + 1, 3)
    for name, label in (("exponential", 4), ("hinge", 4), ("logistic", 4), ("square", 4), ("sigmoid", 3)):
        yield equal(f"class by the {name} loss = {label}", int(decode(f, M, find_loss(name))[0]) + 1, label)
    distances = [Fraction(d) for d in row_distances(M)[np.triu_indices(4, 1)]]
    for found, value in zip(distances, ("4", "9/2", "4", "4", "5", "4"), strict=True):
        yield equal("distance of two rows = printed", found, Fraction(value))


@four.control("The exponential loss of class 4 is not 54: it differs from that by {left}, more than {right}.")
def loss_of_class_4_read_as_54() -> Found:
    f, M = four_class_example()
    found = sum((exponential(ball(z)) for z in M[3] * f[0]), ball(0))
    yield at_most("|exponential loss of class 4 − 54| ≤ 1/2", abs(found - 54), Fraction(1, 2))


eight = Claim(
    "prp-eight-class-code-example",
    "identity",
    "exact",
    source="mohri2018",
    where="Figure 9.5",
    errata=("E51",),
    implements=eight_class_example,
    no_formula="the numbers of one printed example, which the check compares",
)


@eight.check("distances from the output, the decision, the code's distance, its last column")
def printed_distances_of_eight_classes(rng: np.random.Generator) -> Found:
    f, M = eight_class_example()
    for r, (found, printed) in enumerate(zip(decoding_distances(f, M)[0], (5, 5, 1, 4, 3, 3, 3, 4), strict=True)):
        yield equal("Hamming distance = printed", found, printed, at=f"class {r + 1}")
    yield equal("class predicted = 3", int(decode(f, M, ties="mark")[0]) + 1, 3)
    yield equal("minimal distance = 1", minimal_distance(M), 1)
    yield holds("column 6 isolates class 6", M[:, 5].tolist() == [-1] * 5 + [1] + [-1] * 2, Tier.EXACT)


@eight.control("The code does not correct one error: that would take a minimal distance of {left}, and it has {right}.")
def the_code_corrects_one_error() -> Found:
    _, M = eight_class_example()
    yield at_most("2 · 1 + 1 ≤ minimal distance", 3, minimal_distance(M))
