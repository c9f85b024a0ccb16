"""Labellings without number, and how few operations find the best of them or sum over all."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.compiled import python_original
from mcbook.foundation.numbers import as_integers, rational
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Exact, Labels
from mcbook.structured import (
    Scores,
    add_losses,
    best_labelling,
    best_with_whole_loss,
    chains,
    hamming_cost,
    inference_additions,
    multiply_out,
    number_of_constraints,
    number_of_labellings,
    score_of,
    whole_loss,
)
from mcbook.structured.algorithm.forest import Forest
from mcbook.structured.algorithm.inference import all_labellings, every_score
from mcbook.structured.kernels import viterbi

Found = Iterator[Evidence]


def whole_scores(rng: np.random.Generator, n: int, k: int) -> Scores:
    return Scores(as_integers(rng.integers(-4, 5, (n, k))), as_integers(rng.integers(-4, 5, (k, k))))


size = Claim(
    "prp-exponentially-many-labels",
    "identity",
    "exact",
    source=("mohri2018", "roth-cis519"),
    where="§9.5",
    errata=("E24",),
    implements=(number_of_labellings, number_of_constraints),
    formula=(
        Formula("eq-number-of-labellings", number_of_labellings, arguments={"n_labels": "k", "length": "n"}),
        Formula("eq-number-of-constraints", number_of_constraints, arguments={"n_labels": "k", "length": "n"}),
    ),
)


@size.check("all labellings of up to five positions by up to four labels, counted")
def labellings_counted(rng: np.random.Generator) -> Found:
    for k, n in itertools.product(range(1, 5), range(1, 6)):
        Y = all_labellings(k, n)
        yield equal("labellings = kⁿ", len(np.unique(Y, axis=0)), number_of_labellings(k, n), at=f"k = {k}, n = {n}")
        truths = rng.integers(0, len(Y), 3)
        wrong = sum(int((Y[truth] != Y).any(axis=1).sum()) for truth in truths)
        yield equal("constraints = m(kⁿ − 1)", wrong, number_of_constraints(3, k, n), at=f"m = 3, k = {k}, n = {n}")


@size.strengthened(
    "One per cent less than $m(k^n-1)$ constraints would be too few: a sequence of four positions with "
    "three labels has {left} wrong labellings, not {right}.",
    by=Fraction(99, 100),
)
def fewer_constraints(by: Fraction) -> Found:
    Y = all_labellings(3, 4)
    wrong = int((Y[5] != Y).any(axis=1).sum())
    yield equal("constraints = m(kⁿ − 1)", wrong, by * number_of_constraints(1, 3, 4), at="m = 1, k = 3, n = 4")


@size.control(
    "No count like $nk$ is enough: four positions with three labels have {left} labellings, far more than {right}."
)
def polynomially_many() -> Found:
    yield at_most("labellings ≤ nk", number_of_labellings(3, 4), 12, at="k = 3, n = 4")


factorised = Claim(
    "prp-chain-inference",
    "growth rate",
    "exact",
    source="mohri2018",
    where="§9.5",
    implements=(best_labelling, multiply_out, inference_additions),
    formula=Formula("eq-inference-additions", inference_additions, arguments={"n_labels": "k", "length": "n"}),
)


class Counted:
    """A whole number that counts how often two of its kind are added."""

    additions = 0

    def __init__(self, value: int) -> None:
        self.value = value

    def __add__(self, other: Counted) -> Counted:
        Counted.additions += 1
        return Counted(self.value + other.value)

    def __gt__(self, other: Counted) -> bool:
        return self.value > other.value


def additions_made(scores: Scores, forest: Forest) -> int:
    """The additions of the lines that the compiled kernel is made from."""
    count: np.ufunc = np.frompyfunc(Counted, 1, 1)
    V, turned = count(scores.E), count(scores.T.T)
    labels = np.zeros(len(V), dtype=np.int64)
    Counted.additions = 0
    python_original(viterbi)(V, turned, forest.parents, np.zeros(V.shape, dtype=np.int64), labels)
    assert labels.tolist() == best_labelling(scores, forest).labels.tolist()
    return Counted.additions


@factorised.check("Viterbi against all labellings, whole scores")
def best_of_all(rng: np.random.Generator) -> Found:
    for k, n in itertools.product(range(1, 4), range(1, 6)):
        scores = whole_scores(rng, n, k)
        best = best_labelling(scores, chains([n]))
        ((_, totals),) = every_score(scores, chains([n]))
        yield equal("value found = largest score", best.values[0], max(totals), at=f"k = {k}, n = {n}")
        yield equal(
            "score of the labelling found = largest score", score_of(scores, chains([n]), best.labels)[0], max(totals)
        )


@factorised.check("the forward pass against the sum over all labellings, and its marginals, in fractions")
def sum_over_all(rng: np.random.Generator) -> Found:
    for k, n in itertools.product(range(1, 4), range(1, 5)):
        F, M = rational(rng.integers(1, 6, (n, k))), rational(rng.integers(1, 6, (k, k)))
        found = multiply_out(F * Fraction(1), M, chains([n]))
        weights = {tuple(y): product_of(F, M, y) for y in all_labellings(k, n)}
        total = sum(weights.values())
        yield equal(
            "product of the scales = partition function", math.prod(found.scales), total, at=f"k = {k}, n = {n}"
        )
        t, label = int(rng.integers(n)), int(rng.integers(k))
        share = sum(weight for y, weight in weights.items() if y[t] == label) / total
        yield equal("marginal = share of the labellings", found.P[t, label], share)


def product_of(F: Exact, M: Exact, y: Labels) -> Fraction:
    return math.prod((F[t, label] for t, label in enumerate(y)), start=Fraction(1)) * math.prod(
        M[a, b] for a, b in itertools.pairwise(y)
    )


@factorised.check("additions counted by the numbers that are added")
def additions_counted(rng: np.random.Generator) -> Found:
    for k, n in ((1, 1), (2, 3), (3, 7), (5, 4)):
        made = additions_made(whole_scores(rng, n, k), chains([n]))
        yield at_most("additions ≤ (n − 1)(k² + k)", made, inference_additions(k, n), at=f"k = {k}, n = {n}")


@factorised.extremal("the number of additions is the same for all scores")
def additions_exact() -> Found:
    rng = np.random.default_rng(0)
    for k, n in ((2, 9), (4, 6)):
        made = additions_made(whole_scores(rng, n, k), chains([n]))
        yield equal(
            "additions = (n − 1)(k² + k)", made, inference_additions(k, n), at=f"k = {k}, n = {n}", statement=True
        )


@factorised.strengthened(
    "Not one addition is to spare: a chain of twelve positions with five labels takes {left}, and a bound"
    " one per cent lower would allow only {right}.",
    by=Fraction(99, 100),
    story=True,
)
def fewer_additions(by: Fraction) -> Found:
    made = additions_made(whole_scores(np.random.default_rng(1), 12, 5), chains([12]))
    yield at_most("additions ≤ (n − 1)(k² + k)", made, by * inference_additions(5, 12))


@factorised.control(
    "The best label of each position alone need not give the best labelling: where the transition between"
    " the two winners costs 3, they score {left}, while the best labelling scores {right}."
)
def greedy_labels() -> Found:
    scores = Scores(as_integers([[2, 0], [2, 0]]), as_integers([[-3, 0], [0, 0]]))
    alone = scores.E.argmax(axis=1)
    best = best_labelling(scores, chains([2]))
    yield at_least(
        "score of the labels chosen alone ≥ largest score", score_of(scores, chains([2]), alone)[0], best.values[0]
    )


trade = Claim(
    "prp-which-losses-factorise",
    "existence",
    "exact",
    source="mohri2018",
    where="§9.5",
    implements=(best_with_whole_loss, add_losses, whole_loss),
    no_formula="that such a dynamic program exists is shown by giving one",
)


@trade.check("the dynamic program with an error state against all labellings, whole scores and costs")
def whole_loss_augmented(rng: np.random.Generator) -> Found:
    for k, n, loss_weight in itertools.product((1, 2, 3), (1, 2, 4), (0, 1, 3, -2)):
        scores, forest = whole_scores(rng, n, k), chains([n])
        y = rng.integers(0, k, n)
        ((Y, totals),) = every_score(scores, forest)
        largest = max(
            total + loss_weight * int(whole_loss(y, z, forest)[0]) for z, total in zip(Y, totals, strict=True)
        )
        best = best_with_whole_loss(scores, forest, y, loss_weight)
        yield equal("value found = largest score with the loss", best.values[0], largest, at=f"k = {k}, n = {n}")
        reached = score_of(scores, forest, best.labels)[0] + loss_weight * int(whole_loss(y, best.labels, forest)[0])
        yield equal("value of the labelling found = largest score with the loss", reached, largest)


@trade.check("the Hamming loss added to the scores of the positions, against all labellings")
def hamming_augmented(rng: np.random.Generator) -> Found:
    for k, n in itertools.product((2, 3), (1, 3, 4)):
        scores, forest = whole_scores(rng, n, k), chains([n])
        y = rng.integers(0, k, n)
        cost = as_integers(hamming_cost(k))
        ((Y, totals),) = every_score(scores, forest)
        largest = max(total + int((y != z).sum()) for z, total in zip(Y, totals, strict=True))
        found = best_labelling(add_losses(scores, y, cost), forest).values[0]
        yield equal("value found = largest score with the loss", found, largest)


@trade.check(
    "a sum over two positions has equal sums on both diagonals of its table; the Hamming loss has, 0-1 has not"
)
def tables_of_losses(rng: np.random.Generator) -> Found:
    forest, y = chains([2, 2, 2, 2]), np.zeros(8, dtype=int)
    Y = all_labellings(2, 2)
    whole = whole_loss(y, Y.ravel(), forest)
    hamming = Y.sum(axis=1)
    yield equal("L(00) + L(11) = L(01) + L(10)", hamming[0] + hamming[3], hamming[1] + hamming[2], at="Hamming")
    different = whole[0] + whole[3] != whole[1] + whole[2]
    yield holds(
        "0-1: the two sums differ", bool(different), Tier.EXACT, f"{whole[0] + whole[3]} and {whole[1] + whole[2]}"
    )


@trade.control(
    "Spreading the loss over the positions does not work: with a loss of 2 for the whole sequence, half "
    "of it at each of two positions, Viterbi's algorithm finds the value {left}, but the largest is "
    "{right}.",
    story=True,
)
def loss_weight_spread() -> Found:
    # One wrong label costs all of the cost, and spread over the positions half of it.
    scores = Scores(as_integers([[0, 0], [5, 0]]), as_integers([[0, 0], [0, 0]]))
    forest, y = chains([2]), np.array([0, 0])
    spread = best_labelling(add_losses(scores, y, as_integers(hamming_cost(2))), forest).values[0]
    yield equal(
        "value found = largest score with the loss", spread, best_with_whole_loss(scores, forest, y, 2).values[0]
    )


@trade.strengthened(
    "The error state must be given exactly the cost of an error: with one per cent more the search finds"
    " {left}, while the largest score with the loss is {right}.",
    by=Fraction(101, 100),
)
def larger_loss_weight(by: Fraction) -> Found:
    scores, forest, y = whole_scores(np.random.default_rng(0), 3, 2), chains([3]), np.array([0, 1, 0])
    ((Y, totals),) = every_score(scores, forest)
    largest = max(total + 50 * int(whole_loss(y, z, forest)[0]) for z, total in zip(Y, totals, strict=True))
    yield equal(
        "value found = largest score with the loss", best_with_whole_loss(scores, forest, y, 50 * by).values[0], largest
    )
