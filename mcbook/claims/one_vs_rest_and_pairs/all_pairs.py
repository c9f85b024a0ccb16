"""All pairs: votes, champions, the error bound, tournaments."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.linear_model import RidgeClassifier

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.one_vs_rest_and_pairs import (
    Meter,
    Metered,
    all_tournaments,
    balanced_sample,
    champion,
    extremal_duels,
    extremal_masses,
    knock_out,
    majority,
    most_votes_of_a_rival,
    mostly_right_distribution,
    one_vs_one_bound,
    one_vs_one_mass_bound,
    votes,
)
from mcbook.one_vs_rest_and_pairs.instances import OutputsDistribution, champions_duels, random_distribution
from mcbook.output_codes import OutputCode, all_pairs_code, decode

Found = Iterator[Evidence]


# --- the rule and its votes ------------------------------------------------------------------------------------------

vote = Claim(
    "prp-votes-of-one-vs-one",
    "identity",
    "exact",
    source=("mohri2018", "lecture13", "roth-cis519"),
    where="§9.4.2, (9.17); §2.2",
    errata=("E35", "E48", "E57"),
    implements=(votes, majority),
    no_formula="a rule for predictions, an argmax of counts",
)


@vote.check(
    "all tournaments of up to six classes: votes sum to the number of pairs, and decoding the code gives the vote"
)
def all_tournaments_of_up_to_six_classes(rng: np.random.Generator) -> Found:
    for k in range(2, 7):
        outcomes = all_tournaments(k)
        counts = votes(outcomes, k)
        yield equal("tournaments = 2 to the number of pairs", len(outcomes), 2 ** math.comb(k, 2), at=f"k = {k}")
        yield equal("fewest votes in all = k (k − 1)/2", int(counts.sum(axis=1).min()), math.comb(k, 2), at=f"k = {k}")
        yield equal("most votes in all = k (k − 1)/2", int(counts.sum(axis=1).max()), math.comb(k, 2), at=f"k = {k}")
        same = decode(outcomes, all_pairs_code(k)) == majority(outcomes, k)
        yield equal("tournaments in which decoding agrees = all", int(same.sum()), len(outcomes), at=f"k = {k}")


@vote.check("k (k − 1) / 2 trainings, counted")
def trainings_counted(rng: np.random.Generator) -> Found:
    for k in (3, 4, 6):
        meter = Meter()
        OutputCode(Metered(RidgeClassifier(), meter), "all-pairs").fit(*balanced_sample(k, 4))
        yield equal("trainings = k (k − 1)/2", len(meter.fits), math.comb(k, 2), at=f"k = {k}")


@vote.control(
    "The condition $h_{l'l}=-h_{ll'}$ is needed: if each ordered pair of three classes has a "
    "classifier of its own and each class claims to win, there are {left} votes, not {right}."
)
def each_ordered_pair_decided_by_a_classifier_of_its_own() -> Found:
    # The classifiers of the pairs l < l' all say l, and those of the same pairs the other way round all say l'.
    both = np.array([[1, 1, 1], [-1, -1, -1]])
    yield equal("votes in all = k (k − 1)/2", int(votes(both, 3).sum()), math.comb(3, 2))


@vote.control(
    "Not every class gets $k-1$ votes: in some tournament of three classes a class has {left} votes, not {right}."
)
def every_class_wins_all_its_duels() -> Found:
    yield equal("fewest votes of a class = k − 1", int(votes(all_tournaments(3), 3).min()), 2)


# --- a champion wins the vote ----------------------------------------------------------------------------------------

champion_wins = Claim(
    "prp-all-duels-right",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.4.2; §2.2",
    implements=(champion, majority, most_votes_of_a_rival),
    formula=Formula("eq-rival-votes", most_votes_of_a_rival),
)


@champion_wins.check("all tournaments of up to six classes")
def champions_of_all_tournaments(rng: np.random.Generator) -> Found:
    for k in range(2, 7):
        outcomes = all_tournaments(k)
        best = champion(outcomes, k)
        outcomes, best = outcomes[best >= 0], best[best >= 0]
        yield equal(
            "champions that the vote predicts = champions",
            int((majority(outcomes, k, "mark") == best).sum()),
            len(best),
            at=f"k = {k}",
        )
        counts = votes(outcomes, k)
        counts[np.arange(len(best)), best] = 0
        yield at_most("most votes of a rival ≤ k − 2", int(counts.max()), most_votes_of_a_rival(k), at=f"k = {k}")


@champion_wins.extremal("the second of a ranking has k − 2 votes")
def second_of_a_ranking() -> Found:
    for k in range(2, 10):
        counts = votes(champions_duels(k, 0, 1)[None], k)[0]
        yield equal(
            "votes of the second = k − 2", int(counts[1]), most_votes_of_a_rival(k), at=f"k = {k}", statement=True
        )


@champion_wins.strengthened(
    "One per cent less than $k-2$ is too little: in a ranking of three classes the second has {left} "
    "vote, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def votes_of_the_second_of_a_ranking(factor: Fraction) -> Found:
    for k in range(3, 8):
        second = int(votes(champions_duels(k, 0, 1)[None], k)[0][1])
        yield at_most("votes of the second ≤ k − 2", second, factor * most_votes_of_a_rival(k), at=f"k = {k}")


@champion_wins.control(
    "Winning $k-2$ duels is not enough: the second of a ranking of three to six classes wins that "
    "many, but the vote predicts the first."
)
def one_lost_duel_does_no_harm() -> Found:
    for k in range(3, 7):
        outcomes = champions_duels(k, 1, 0)[None]
        assert votes(outcomes, k)[0][0] == k - 2
        yield equal("prediction = the class with k − 2 duels", int(majority(outcomes, k)[0]), 0, at=f"k = {k}")


# --- the error bound -------------------------------------------------------------------------------------------------

bound = Claim(
    "thm-one-vs-one-error",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.4.2, Exercise 9.6; Remark 17",
    errata=("E13",),
    implements=(one_vs_one_bound, one_vs_one_mass_bound),
    formula=(
        Formula("eq-one-vs-one-error", one_vs_one_bound),
        Formula("eq-one-vs-one-mass-error", one_vs_one_mass_bound),
    ),
)


def distributions(rng: np.random.Generator, n: int) -> Iterator[tuple[OutputsDistribution, int]]:
    """Random distributions: outcomes anyhow, some of them 0, and outcomes most of which are right."""
    for _ in range(n):
        k = int(rng.integers(2, 7))
        yield random_distribution(rng, k, math.comb(k, 2), largest=1), k
        yield mostly_right_distribution(rng, k, turned=0.15, n_atoms=8), k


@bound.check("random finite distributions, ties counted as errors, in fractions, both ways of measuring r")
def random_finite_distributions_ties_counted_as_errors(rng: np.random.Generator) -> Found:
    for distribution, k in distributions(rng, 150):
        M = all_pairs_code(k)
        error = distribution.error(majority(distribution.outputs, k, "mark"))
        yield at_most("error ≤ (k − 1) r", error, one_vs_one_bound(k, max(distribution.binary_errors(M))))
        yield at_most("error ≤ k (k − 1)/2 r", error, one_vs_one_mass_bound(k, max(distribution.binary_masses(M))))


def priors_to_try(k: int) -> list[list[Fraction]]:
    """Equal priors, skewed ones, and one class that nearly always is the label."""
    skewed = [Fraction(2 * i + 1, k * k) for i in range(k)]
    return [[Fraction(1, k)] * k, skewed, [1 - Fraction(k - 1, 1000), *[Fraction(1, 1000)] * (k - 1)]]


@bound.extremal("equality for every k, any positive priors, r up to 1/(k − 1)")
def attained_for_all_positive_priors() -> Found:
    for k in range(3, 9):
        for r in (Fraction(1, k - 1), Fraction(1, 2 * k), Fraction(1, 100)):
            for priors in priors_to_try(k):
                distribution = extremal_duels(priors, r)
                errors = distribution.binary_errors(all_pairs_code(k))
                yield holds("every conditional error is r", set(errors) == {r}, Tier.EXACT, at=f"k = {k}")
                error = distribution.error(majority(distribution.outputs, k))
                yield equal("error = (k − 1) r", error, one_vs_one_bound(k, r), at=f"k = {k}, r = {r}", statement=True)


@bound.extremal("with r ≤ 2/(k (k − 1)) as a mass under the full distribution, k (k − 1) / 2 r is attained")
def attained_by_masses() -> Found:
    for k in range(2, 8):
        for r in (Fraction(1, math.comb(k, 2)), Fraction(1, 2 * math.comb(k, 2))):
            distribution = extremal_masses(k, r)
            yield holds(
                "every mass is r", set(distribution.binary_masses(all_pairs_code(k))) == {r}, Tier.EXACT, at=f"k = {k}"
            )
            yield equal(
                "error = k (k − 1)/2 r",
                distribution.error(majority(distribution.outputs, k)),
                one_vs_one_mass_bound(k, r),
                at=f"k = {k}, r = {r}",
                statement=True,
            )


def asked_masses(distribution: OutputsDistribution, k: int) -> list[Fraction]:
    """For each pair the probability of its two classes."""
    return [distribution.probability(column) for column in (all_pairs_code(k)[distribution.labels] != 0).T]


@bound.trace("four classes with unequal priors, r = 1/5, in fractions")
def four_classes_with_unequal_priors() -> Found:
    k, r, priors = 4, Fraction(1, 5), [Fraction(1, 10), Fraction(2, 10), Fraction(3, 10), Fraction(4, 10)]
    distribution, M = extremal_duels(priors, r), all_pairs_code(k)
    wrong = M[distribution.labels] * distribution.outputs == -1
    failed = majority(distribution.outputs, k, "mark") != distribution.labels
    yield at_least("lost duels of the true class on a mistake ≥ 1", int(wrong.sum(axis=1)[failed].min()), 1)
    yield at_most(
        "error ≤ sum of the masses where a pair errs",
        distribution.probability(failed),
        sum(distribution.binary_masses(M)),
    )
    charged = [
        error * mass for error, mass in zip(distribution.binary_errors(M), asked_masses(distribution, k), strict=True)
    ]
    yield equal("sum of these masses = Σ (π_l + π_l') r_ll'", sum(distribution.binary_masses(M)), sum(charged))
    yield at_most("Σ (π_l + π_l') r_ll' ≤ r Σ (π_l + π_l')", sum(charged), r * sum(asked_masses(distribution, k)))
    yield equal("Σ (π_l + π_l') = k − 1", sum(asked_masses(distribution, k)), k - 1)
    yield at_most("error ≤ (k − 1) r", distribution.probability(failed), one_vs_one_bound(k, r), at="together")


@bound.control(
    "With $k-2$ in place of $k-1$ it is false: on a distribution of three classes every duel errs with "
    r"probability at most $\frac12$, but the vote errs with probability {left}, where {right} would be "
    "allowed.",
    story=True,
)
def k_less_two_times_r() -> Found:
    distribution = extremal_duels([Fraction(1, 3)] * 3, Fraction(1, 2))
    r = max(distribution.binary_errors(all_pairs_code(3)))
    yield at_most(
        "error ≤ (k − 2) r", distribution.error(majority(distribution.outputs, 3)), one_vs_one_bound(3, r) - r
    )


@bound.strengthened(
    "One per cent less than $(k-1)r$ is too little: on the extremal distribution of three classes with "
    r"$r=\frac12$ the vote errs with probability {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def bound_on_the_extremal_distribution(factor: Fraction) -> Found:
    for k, r in ((3, Fraction(1, 2)), (5, Fraction(1, 9)), (6, Fraction(1, 6))):
        distribution = extremal_duels([Fraction(1, k)] * k, min(r, Fraction(1, k - 1)))
        r = max(distribution.binary_errors(all_pairs_code(k)))
        yield at_most(
            "error ≤ bound",
            distribution.error(majority(distribution.outputs, k)),
            factor * one_vs_one_bound(k, r),
            at=f"k = {k}",
        )


@bound.strengthened(
    r"One per cent less than $\binom k2r$ is too little: on the extremal distribution of three classes with the "
    r"mass $\frac16$ for every pair the vote errs with probability {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def bound_by_masses_on_the_extremal_distribution(factor: Fraction) -> Found:
    for k in (3, 5):
        distribution = extremal_masses(k, Fraction(1, 2 * math.comb(k, 2)))
        r = max(distribution.binary_masses(all_pairs_code(k)))
        yield at_most(
            "error ≤ bound",
            distribution.error(majority(distribution.outputs, k)),
            factor * one_vs_one_mass_bound(k, r),
            at=f"k = {k}",
        )


@bound.control(
    "If $r$ bounds only masses under the full distribution, $(k-1)r$ is too little: with four classes and the "
    r"mass $\frac1{12}$ for every pair the vote errs with probability {left}, and $(k-1)r$ is {right}."
)
def r_measured_as_mass_under_the_full_distribution() -> Found:
    distribution = extremal_masses(4, Fraction(1, 12))
    r = max(distribution.binary_masses(all_pairs_code(4)))
    yield at_most("error ≤ (k − 1) r", distribution.error(majority(distribution.outputs, 4)), one_vs_one_bound(4, r))


# --- knock-out tournaments -------------------------------------------------------------------------------------------

knock_outs = Claim(
    "prp-knock-out-tournament",
    "equivalence",
    "exact",
    source="roth-cis519",
    where="all-vs-all slides",
    errata=("E35",),
    implements=knock_out,
    no_formula="an equivalence of two procedures",
)


@knock_outs.check(
    "all tournaments of up to five classes in all orders: k − 1 duels, a champion wins, without one the order decides"
)
def knock_outs_of_all_tournaments_in_all_orders(rng: np.random.Generator) -> Found:
    for k in range(2, 6):
        outcomes = all_tournaments(k)
        best = champion(outcomes, k)
        played = [knock_out(outcomes, order) for order in itertools.permutations(range(k))]
        yield equal("most duels in any order = k − 1", max(n for _, n in played), k - 1, at=f"k = {k}")
        winners = np.array([winner for winner, _ in played])
        with_champion = best >= 0
        agree = (winners[:, with_champion] == majority(outcomes[with_champion], k)).all()
        yield holds("a champion, who wins the vote, wins in every order", bool(agree), Tier.EXACT, at=f"k = {k}")
        depends = (winners != winners[0]).any(axis=0)
        yield equal(
            "tournaments that depend on the order = tournaments without a champion",
            int(depends.sum()),
            int((~with_champion).sum()),
            at=f"k = {k}",
        )
        yield holds(
            "those that depend on the order are those without a champion",
            bool((depends == ~with_champion).all()),
            Tier.EXACT,
            at=f"k = {k}",
        )


@knock_outs.check("24 of the 64 tournaments of four classes share the votes as 1, 1, 2, 2")
def votes_of_all_tournaments_of_four_classes(rng: np.random.Generator) -> Found:
    shared = Counter(tuple(sorted(row)) for row in votes(all_tournaments(4), 4).tolist())
    yield equal("tournaments of four classes = 64", sum(shared.values()), 64)
    yield equal("tournaments with the votes 1, 1, 2, 2 = 24", shared[1, 1, 2, 2], 24)


@knock_outs.control(
    "Without a champion the knock-out winner need not have the most votes: in a fixed order it has "
    "them in {left} of the {right} tournaments of five classes."
)
def knock_out_winner_has_most_votes() -> Found:
    outcomes = all_tournaments(5)
    counts = votes(outcomes, 5)
    winners, _ = knock_out(outcomes, range(5))
    won = counts[np.arange(len(counts)), winners] == counts.max(axis=1)
    yield equal("tournaments whose knock-out winner has most votes = all", int(won.sum()), len(counts))


@knock_outs.control(
    "One duel fewer is not enough: a knock-out of four classes takes {left} duels, and $k-2$ is {right}."
)
def one_duel_less_is_enough() -> Found:
    _, n_duels = knock_out(all_tournaments(4), range(4))
    yield at_most("duels ≤ k − 2", n_duels, 2)
