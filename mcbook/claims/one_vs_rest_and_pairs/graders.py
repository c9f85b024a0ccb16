"""What the chapter's exercises are marked against."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.answers import Case, close_to, itself
from mcbook.foundation.types import Array
from mcbook.one_vs_rest_and_pairs import (
    all_tournaments,
    champion,
    changing_scales,
    extremal_masses,
    highest_score,
    knock_out,
    majority,
    problem_sizes,
    votes,
)
from mcbook.output_codes import all_pairs_code, one_vs_rest_code


def classifiers_for_seven() -> int:
    return int(all_pairs_code(7).shape[1])


def duels_for_seven() -> int:
    return knock_out(np.ones((1, 21), dtype=int), range(7))[1]


def class_in_silence() -> int:
    return int(highest_score(np.array([[-0.2, -0.4, -0.4]]))[0]) + 1


def error_of_masses() -> Fraction:
    distribution = extremal_masses(5, Fraction(1, 40))
    return distribution.error(majority(distribution.outputs, 5))


def least_classes_of_a_survivor() -> int:
    def survives(k: int) -> bool:
        outcomes = all_tournaments(k)
        return bool(((majority(outcomes, k, "mark") >= 0) & (champion(outcomes, k) < 0)).any())

    return next(k for k in range(3, 7) if survives(k))


def ratio_with_one_large_class() -> float:
    sizes = np.array([10] * 9 + [910])
    rest, pairs = (_sum_of_squares(problem_sizes(code, sizes)) for code in (one_vs_rest_code(10), all_pairs_code(10)))
    return pairs / rest


def _sum_of_squares(sizes: tuple[Array, Array]) -> float:
    positive, negative = sizes
    return float(((positive + negative) ** 2).sum())


def fewest_winners() -> int:
    """Over all tournaments of four classes without a champion, by all orders of the ladder."""
    tournaments = all_tournaments(4)
    return min(len(_ladder_winners(outcome)) for outcome in tournaments[champion(tournaments, 4) < 0])


def _ladder_winners(outcome: Iterable[int]) -> set[int]:
    beats = {pair: result > 0 for pair, result in zip(itertools.combinations(range(4), 2), outcome, strict=True)}
    winners = set()
    for order in itertools.permutations(range(4)):
        top = order[0]
        for label in order[1:]:
            first, second = min(top, label), max(top, label)
            top = first if beats[first, second] else second
        winners.add(top)
    return winners


def survivor_of_five(rng: np.random.Generator) -> Iterator[Case]:
    yield Case("your outcomes", (), _feedback_on_survivor, itself)


def _feedback_on_survivor(reply: object) -> str:
    outcomes = np.asarray(reply)
    if outcomes.shape != (10,) or not np.isin(outcomes, (-1, 1)).all():
        return "expected ten outcomes, each -1 or +1"
    won = votes(outcomes[None, :].astype(int), 5)[0]
    if won[0] == 4:
        return "class 1 loses no duel"
    return "" if won[0] > won[1:].max() else "class 1 is not alone at the top"


def votes_of_outcomes(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes in (2, 3, 5, 6):
        outcomes = rng.choice([-1, 1], (7, n_classes * (n_classes - 1) // 2))
        yield Case(f"7 examples, {n_classes} classes", (outcomes, n_classes), close_to(votes(outcomes, n_classes)))


def safe_scores(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes in (3, 4, 6):
        scores = rng.choice([-1, 1], (20, n_classes)) * rng.uniform(0.1, 5, (20, n_classes))
        safe = [changing_scales(row) is None for row in scores]
        yield Case(f"20 examples, {n_classes} classes", (scores,), close_to(np.array(safe, dtype=int)))
