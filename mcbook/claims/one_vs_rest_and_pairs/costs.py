"""What the two reductions cost: numbers of examples, trainings and evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy
from sklearn.svm import SVC

from mcbook.claims import Claim, Evidence, at_most, equal, holds, less_than, proved
from mcbook.claims.one_vs_rest_and_pairs.page_formulas import negatives_of_rest, pair_size, positives_of_rest
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.rigorous import prove_identity, prove_nonnegative
from mcbook.foundation.types import Scalar
from mcbook.one_vs_rest_and_pairs import (
    Meter,
    Metered,
    MeteredKernel,
    balanced_sample,
    equal_cost_exponent,
    evaluation_ratio,
    problem_sizes,
    training_cost_ratio,
)
from mcbook.output_codes import OutputCode, all_pairs_code, one_vs_rest_code
from mcbook.perceptron import MulticlassPerceptron

Found = Iterator[Evidence]


# --- training and testing costs --------------------------------------------------------------------------------------

tab = Claim(
    "prp-training-costs-compared",
    "growth rate",
    "rigorous",
    source=("mohri2018", "lecture13"),
    where="Table 9.1",
    errata=("E12",),
    implements=(training_cost_ratio, equal_cost_exponent, evaluation_ratio),
    formula=(
        Formula("eq-cost-ratio", training_cost_ratio, side="left", numbers="balls"),
        Formula("eq-cost-ratio", training_cost_ratio, numbers="balls"),
        Formula("eq-cost-exponent", equal_cost_exponent, side=1, where=r"k\ge3", numbers="balls"),
        Formula("eq-evaluation-ratio", evaluation_ratio),
    ),
)


@tab.check("the ratios as identities in k, m and α; the sign of the logarithm of the ratio; α* < 1 up to k = 1000")
def ratios_as_identities(rng: np.random.Generator) -> Found:
    beyond, m, alpha = sympy.symbols("n m alpha", positive=True)
    k = beyond + 2
    pairs = k * (k - 1) / 2
    ratio = pairs * (2 * m / k) ** alpha / (k * m**alpha)
    yield proved(
        "k (k − 1) / 2 trainings on 2m/k points over k on m", prove_identity(ratio, training_cost_ratio(k, alpha))
    )
    logarithm = sympy.expand_log(sympy.log(training_cost_ratio(k, alpha)))
    difference = sympy.expand_log((equal_cost_exponent(k) - alpha) * sympy.log(k / 2))
    yield proved("ln of the ratio = (α* − α) ln(k/2), and ln(k/2) > 0", prove_identity(logarithm, difference))
    yield proved("(k/2) / ((k − 1)/2) = 1 + 1/(k − 1) > 1", prove_identity(k / (k - 1), 1 + 1 / (k - 1)))
    yield proved("α* < 1 for 3 ≤ k ≤ 1000", prove_nonnegative(_below_one, [(3, 1000)]))
    yield proved("evaluations, over k", prove_identity(pairs / k, evaluation_ratio(k)))


def _below_one(k: Scalar) -> Scalar:
    return 1 - equal_cost_exponent(k)


@tab.extremal("measured: kernel values computed (α = 2) and examples visited (α = 1) have the very ratios")
def measured_ratios() -> Found:
    for k in (3, 4, 6):
        values = {code: kernel_values(code, k, 6) for code in ("one-vs-rest", "all-pairs")}
        ratio = Fraction(values["all-pairs"][0], values["one-vs-rest"][0])
        yield equal(f"kernel values in training, k = {k}", ratio, training_cost_ratio(k, 2))
        visited = {code: visits(code, k, 6) for code in ("one-vs-rest", "all-pairs")}
        ratio = Fraction(visited["all-pairs"], visited["one-vs-rest"])
        yield equal(f"examples visited in training, k = {k}", ratio, training_cost_ratio(k, 1))
        asked = {code: evaluations(code, k) for code in ("one-vs-rest", "all-pairs")}
        ratio = Fraction(asked["all-pairs"], asked["one-vs-rest"])
        yield equal(f"evaluations for a prediction, k = {k}", ratio, evaluation_ratio(k))


def kernel_values(code: str, k: int, per_class: int) -> tuple[int, int]:
    """Kernel values computed by support vector machines, in training and for one prediction."""
    X, y = balanced_sample(k, per_class)
    meter = Meter()
    model = OutputCode(SVC(kernel=MeteredKernel(meter)), code).fit(X, y)
    training, meter.kernel_values = meter.kernel_values, 0
    model.predict(X[:1])
    return training, meter.kernel_values


def visits(code: str, k: int, per_class: int) -> int:
    """Examples visited by Perceptrons that make one pass each."""
    meter = Meter()
    OutputCode(Metered(MulticlassPerceptron(max_iter=1), meter), code).fit(*balanced_sample(k, per_class))
    return meter.examples


def evaluations(code: str, k: int) -> int:
    """Binary classifiers asked for one prediction."""
    X, y = balanced_sample(k, 3)
    meter = Meter()
    OutputCode(Metered(MulticlassPerceptron(max_iter=1), meter), code).fit(X, y).predict(X[:1])
    return meter.evaluations


@tab.control("k − 1 times as many evaluations")
def rival_times_as_many_evaluations() -> Found:
    k = sympy.symbols("n", positive=True) + 2
    yield proved("ratio of evaluations = k − 1", prove_identity(evaluation_ratio(k), k - 1))


@tab.control("one-vs-one is cheaper for every α")
def one_vs_one_is_cheaper_for_every_alpha() -> Found:
    yield at_most("ratio of training costs at k = 10, α = 0", training_cost_ratio(10, 0), 1)


@tab.control("the two cost the same at α = 1")
def the_two_cost_the_same_at_alpha_1() -> Found:
    k = sympy.symbols("n", positive=True) + 2
    yield proved("ratio at α = 1 is 1", prove_identity(training_cost_ratio(k, 1), sympy.Integer(1)))


# --- sizes and imbalance ---------------------------------------------------------------------------------------------


small = Claim(
    "prp-pair-sizes-and-imbalance",
    "identity",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.4.2; §2.2",
    implements=problem_sizes,
    formula=Formula("eq-pair-size", pair_size),
)


@small.check("counted in the trainings that were made, and by the formula")
def counted_in_the_trainings_that_were_made(rng: np.random.Generator) -> Found:
    for k in (3, 4, 6):
        per_class = 4
        m = k * per_class
        for code, matrix in (("one-vs-rest", one_vs_rest_code(k)), ("all-pairs", all_pairs_code(k))):
            meter = Meter()
            OutputCode(Metered(MulticlassPerceptron(max_iter=1), meter), code).fit(*balanced_sample(k, per_class))
            positive, negative = problem_sizes(matrix, np.full(k, per_class))
            counted = list(zip(positive.tolist(), negative.tolist(), strict=True))
            yield holds(f"{code}: the sizes counted are those computed, k = {k}", meter.fits == counted, Tier.EXACT)
        one_vs_rest = problem_sizes(one_vs_rest_code(k), np.full(k, per_class))
        all_pairs = problem_sizes(all_pairs_code(k), np.full(k, per_class))
        for positive, negative in zip(*one_vs_rest, strict=True):
            yield equal(f"one-vs-rest: points, m, k = {k}", int(positive + negative), m)
            yield equal(f"one-vs-rest: imbalance, k − 1, k = {k}", Fraction(int(negative), int(positive)), k - 1)
        for positive, negative in zip(*all_pairs, strict=True):
            yield equal(f"pairs: points, 2m/k, k = {k}", int(positive + negative), Fraction(2 * m, k))
            yield equal(f"pairs: imbalance, 1, k = {k}", Fraction(int(negative), int(positive)), 1)


@small.control("classes of unequal size")
def classes_of_unequal_size() -> Found:
    sizes = np.array([10, 1, 1])
    positive, negative = problem_sizes(all_pairs_code(3), sizes)
    for n in (positive + negative).tolist():
        yield equal("points of a pair, 2m/k", n, Fraction(2 * 12, 3))


# --- examples per problem --------------------------------------------------------------------------------------------


compared = Claim(
    "prp-examples-per-problem",
    "identity",
    "exact",
    source="roth-cis519",
    where="comparison slide",
    implements=(problem_sizes, training_cost_ratio),
    formula=(Formula("eq-rest-sizes", positives_of_rest), Formula("eq-rest-sizes", negatives_of_rest, piece=1)),
)


@compared.check("positives and negatives, and the costs they add up to for α = 1, 2, 3")
def sizes_and_the_costs_they_add_up_to(rng: np.random.Generator) -> Found:
    for k in range(3, 11):
        m = 12 * k
        sizes = {code: problem_sizes(matrix(k), np.full(k, 12)) for code, matrix in CODES.items()}
        for code, negatives in (("one-vs-rest", Fraction((k - 1) * m, k)), ("all-pairs", Fraction(m, k))):
            positive, negative = sizes[code]
            yield holds(f"{code}: positives m/k, k = {k}", set(positive.tolist()) == {m // k}, Tier.EXACT)
            yield holds(f"{code}: negatives, k = {k}", set(negative.tolist()) == {negatives}, Tier.EXACT)
        for alpha in (1, 2, 3):
            rest, pairs = (cost(code, k, 12, alpha) for code in CODES)
            ratio = Fraction(pairs, rest)
            yield equal(
                f"cost of all pairs over one-vs-rest, α = {alpha}, k = {k}", ratio, training_cost_ratio(k, alpha)
            )
            yield less_than(f"which favours all pairs, α = {alpha}, k = {k}", pairs, rest)


CODES = {"one-vs-rest": one_vs_rest_code, "all-pairs": all_pairs_code}


def cost(code: str, k: int, per_class: int, alpha: int) -> int:
    """The sum over the problems of (number of examples)^alpha."""
    positive, negative = problem_sizes(CODES[code](k), np.full(k, per_class))
    return sum(int(n) ** alpha for n in positive + negative)


@compared.control("all pairs is favoured by a cost that does not grow with the number of examples")
def a_cost_that_does_not_grow_favours_all_pairs() -> Found:
    for k in (4, 7, 10):
        yield less_than(f"trainings, k = {k}", cost("all-pairs", k, 12, 0), cost("one-vs-rest", k, 12, 0))


@compared.control("all pairs trains on fewer examples by the factor k")
def all_pairs_trains_on_fewer_examples_by_k() -> Found:
    k = 5
    ratio = Fraction(cost("one-vs-rest", k, 12, 1), cost("all-pairs", k, 12, 1))
    yield equal("examples over all problems, one-vs-rest over all pairs", ratio, k)
