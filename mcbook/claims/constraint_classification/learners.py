"""Learners on constraints, directly and through the construction; tasks as sets of constraints."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.constraint_classification import (
    constraint_gaps,
    constraint_vectors,
    constraints_from_classes,
    constraints_from_label_sets,
    constraints_from_orders,
    constraints_from_rankings,
    lifted_perceptron,
    run_constraint_winnow,
    run_constraints,
    solve_constraint_svm,
    transitive_closure,
    violated_examples,
)
from mcbook.constraint_classification.algorithm.lifted import lifted_ascent, lifted_winnow
from mcbook.constraint_classification.algorithm.run import UpdateRule, constraint_history
from mcbook.constraint_classification.algorithm.svm import solve_constraint_program
from mcbook.constraint_classification.instances import separable_rankings
from mcbook.constraint_classification.theory.constraints import Constraints
from mcbook.foundation.numbers import as_given, as_integers
from mcbook.foundation.proof import Tier
from mcbook.perceptron import (
    best_margin,
    frobenius_product,
    mistake_bound,
    run_perceptron,
    separable_sample,
    squared_margin,
    squared_radius,
    tight_sample,
)

Found = Iterator[Evidence]
RULES: tuple[UpdateRule, ...] = ("each", "worst", "mean")


def samples(rng: np.random.Generator) -> Iterator[tuple[str, np.ndarray, Constraints]]:
    """Integer points with constraints of each kind that some W meets."""
    X, y = separable_sample(rng, 3, 2, 8)
    yield "classes", X, constraints_from_classes(y, 3)
    X, ranked = separable_rankings(rng, 4, 3, 7)
    yield "rankings", X, ranked
    table = np.array([[i for i, _ in ranked.of(e)] + [ranked.of(e)[-1][1]] for e in range(len(X))])
    inside = np.zeros((len(X), 4), dtype=int)
    np.put_along_axis(inside, table[:, :2], 1, axis=1)
    yield "label sets", X, constraints_from_label_sets(inside)
    yield "partial orders", X, constraints_from_orders([[(row[0], row[2]), (row[0], row[3])] for row in table], 4)


# --- the Perceptron in Kesler space ----------------------------------------------------------------------------------

update = Claim(
    "alg-kesler-perceptron",
    "equivalence",
    "certified",
    source="roth-cis519",
    where="Kesler Perceptron and conservative update",
    errata=("E26", "E27", "E36"),
    implements=(run_constraints, lifted_perceptron, run_constraint_winnow, solve_constraint_svm),
    no_formula="an algorithm; its runs are compared with the lifted ones update by update",
)


@update.check(
    "each rival in turn: the lifted Perceptron's updates and weights, one by one, for all kinds of constraints"
)
def direct_is_lifted(rng: np.random.Generator) -> Found:
    for _ in range(5):
        for kind, X, constraints in samples(rng):
            vectors = constraint_vectors(X, constraints)
            run = run_constraints(X, constraints)
            w, updates = lifted_perceptron(vectors)
            yield holds(
                "the same updates", run.pairs.tolist() == updates, Tier.EXACT, f"{len(updates)} of them", at=kind
            )
            weights, place = list(constraint_history(run, X, constraints)), np.zeros(vectors.shape[1], dtype=object)
            for t, p in enumerate(updates):
                place = place + vectors[p]
                yield equal(
                    "entries of W that differ",
                    int((weights[t + 1].ravel() != place).sum()),
                    0,
                    at=f"{kind}, update {t + 1}",
                )
            yield equal("entries of the last W that differ", int((run.W.ravel() != w).sum()), 0, at=kind)


@update.check("the worst rival alone: the multi-class Perceptron's updates and weights")
def conservative_is_perceptron(rng: np.random.Generator) -> Found:
    for _ in range(20):
        k = int(rng.integers(2, 6))
        X, y = separable_sample(rng, k, 3, 12)
        constraints = constraints_from_classes(y, k)
        run, other = run_constraints(X, constraints, rule="worst"), run_perceptron(X, y, k)
        made = np.c_[constraints.examples[run.pairs], constraints.rivals[run.pairs]]
        yield holds("the same updates", made.tolist() == other.updates.tolist(), Tier.EXACT, f"{len(made)} of them")
        yield equal("entries of W that differ", int((run.W != other.W).sum()), 0)


@update.check("at most R² / γ² updates by each of the three rules, γ certified")
def updates_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(2):
        for kind, X, constraints in samples(rng):
            if kind == "classes":
                limit = mistake_bound(squared_radius(X), best_margin(X, constraints.preferred[::2], 3).squared)
            else:
                # 1/γ² = 2 |W|² for the shortest W with all gaps at least 1, and the problem has |W|²/2.
                limit = 4 * squared_radius(X) * solve_constraint_program(X.astype(float), constraints, None).value
            for rule in RULES:
                run = run_constraints(X.astype(float), constraints, rule=rule, max_epochs=10_000)
                assert run.converged, "a run on separable constraints did not end"
                yield at_most("updates ≤ R²/γ²", run.n_updates, limit, at=f"{kind}, {rule}")


@update.check("Winnow and dual coordinate ascent: the same factors and the same steps, in fractions")
def winnow_and_ascent(rng: np.random.Generator) -> Found:
    for _ in range(2):
        for kind, X, constraints in samples(rng):
            small = as_integers(np.sign(X[:5].astype(int)) * (np.abs(X[:5].astype(int)) % 4))
            first = constraints.examples < 5
            chosen = Constraints(
                constraints.examples[first],
                constraints.preferred[first],
                constraints.rivals[first],
                5,
                constraints.n_classes,
            )
            vectors = constraint_vectors(small, chosen)
            run = run_constraint_winnow(small, chosen, Fraction(3, 2), max_epochs=4)
            above, below, mistakes = lifted_winnow(vectors, Fraction(3, 2), max_epochs=4)
            yield holds("the same mistakes", run.updates.tolist() == mistakes.tolist(), Tier.EXACT, at=kind)
            differ = (run.above.ravel() != above).sum() + (run.below.ravel() != below).sum()
            yield equal("weights that differ", int(differ), 0, at=kind)
            svm = solve_constraint_svm(small, chosen, Fraction(1, 5), max_epochs=2)
            w, alpha = lifted_ascent(vectors, Fraction(1, 5), svm.n_epochs)
            yield equal("entries of the SVM that differ", int((svm.W.ravel() != w).sum()), 0, at=kind)
            yield equal("multipliers that differ", int((svm.alpha != alpha).sum()), 0, at=kind)


@update.check("the weights that ascent finds attain the certified optimum of the problem")
def ascent_reaches_the_problem(rng: np.random.Generator) -> Found:
    for kind, X, constraints in samples(rng):
        found = solve_constraint_svm(X.astype(float), constraints, 0.125, tol=1e-7, max_epochs=20_000)
        W = as_given(found.W)
        slacks = [max(1 - gap, 0) for gap in constraint_gaps(W, X, constraints)]
        primal = Fraction(frobenius_product(W, W)) / 2 + Fraction(1, 8) * sum(slacks)
        optimum = solve_constraint_program(X.astype(float), constraints, 0.125)
        yield equal("optimum ≈ value of W", optimum.value, primal, within=1e-5 * max(1.0, float(primal)), at=kind)


@update.control(
    "Not every rival that the old $W$ violates can count as an update: for one point with four labels "
    r"there are {left} at once, more than $R^2/\gamma^2$, which is {right}."
)
def all_on_the_old_weights() -> Found:
    X, constraints = as_integers([[1]]), constraints_from_classes([0], 4)
    run = run_constraints(X, constraints, rule="mean")
    limit = mistake_bound(1, best_margin(X, np.array([0]), 4).squared)
    yield at_most("rivals demoted ≤ R²/γ²", int(run.counts[0]), limit)


@update.control(
    "A gap of 0 has to count as violated: otherwise $W=0$ violates {left} pairs and nothing would be "
    "learnt, while the run makes {right} updates."
)
def strict_violations() -> Found:
    X, constraints = as_integers([[1, 2], [-1, 1]]), constraints_from_classes([0, 1], 2)
    below_zero = int((constraint_gaps(np.zeros((2, 2), dtype=object), X, constraints) < 0).sum())
    yield equal("gaps below 0 at W = 0, as many as updates", below_zero, run_constraints(X, constraints).n_updates)


@update.strengthened(
    r"One per cent less than $R^2/\gamma^2$ is too little: on the tight sample of three classes the "
    "Perceptron makes {left} updates, more than {right}.",
    by=Fraction(99, 100),
)
def a_smaller_bound(factor: Fraction) -> Found:
    X, y = tight_sample(3)
    run = run_constraints(X, constraints_from_classes(y, 3), rule="worst")
    limit = mistake_bound(squared_radius(X), squared_margin(run.W, X, y))
    yield at_most("updates ≤ R²/γ²", run.n_updates, factor * limit)


# --- tasks as constraints --------------------------------------------------------------------------------------------


def label_set_constraints(set_size: int, n_classes: int) -> int:
    """How many pairs the set of the first so many labels gives."""
    return len(constraints_from_label_sets([[1] * set_size + [0] * (n_classes - set_size)]))


encodings = Claim(
    "prp-constraint-encodings",
    "equivalence",
    "exact",
    source="roth-cis519",
    where="constraint classification",
    errata=("E31",),
    implements=(
        constraints_from_classes,
        constraints_from_label_sets,
        constraints_from_rankings,
        constraints_from_orders,
        transitive_closure,
        violated_examples,
    ),
    formula=Formula("eq-label-set-pairs", label_set_constraints, where="a<k"),
    symbols=(Reading("a", "count", arguments={"set_size": "a"}),),
)


@encodings.check("counts for all classes, sets and rankings of up to 5 labels; the closure of a ranking is its order")
def counts(rng: np.random.Generator) -> Found:
    for k in range(2, 6):
        for y in range(k):
            yield equal("pairs = k − 1", len(constraints_from_classes([y], k)), k - 1, at=f"class, k = {k}")
        for row in itertools.product((0, 1), repeat=k):
            yield equal(
                "pairs = a(k − a)",
                len(constraints_from_label_sets([row])),
                sum(row) * (k - sum(row)),
                at=f"set of a = {sum(row)}, k = {k}",
            )
        for ranking in itertools.islice(itertools.permutations(range(k)), 0, None, 1 + k * (k > 4)):
            adjacent = constraints_from_rankings([ranking])
            yield equal("pairs = k − 1", len(adjacent), k - 1, at=f"ranking, k = {k}")
            order = transitive_closure(adjacent.of(0), k)
            wrong = [order[i, j] != (ranking.index(i) < ranking.index(j)) for i in range(k) for j in range(k)]
            yield equal("pairs in which closure and ranking differ", sum(wrong), 0)


@encodings.check("no violated pair exactly where the task has no error, for all scores of three labels from 0 to 3")
def sound(rng: np.random.Generator) -> Found:
    one = as_integers([[1]])
    tasks = [(constraints_from_classes([y], 3), {y}, "class") for y in range(3)]
    tasks += [
        (constraints_from_label_sets([row]), {z for z in range(3) if row[z]}, "set")
        for row in itertools.product((0, 1), repeat=3)
        if 0 < sum(row) < 3
    ]
    for scores in itertools.product(range(4), repeat=3):
        W = as_integers([[s] for s in scores])
        for constraints, top, kind in tasks:
            met = not violated_examples(W, one, constraints)[0]
            right = min(scores[z] for z in top) > max(scores[z] for z in range(3) if z not in top)
            yield holds("met exactly where the top labels are right", met == right, Tier.EXACT, at=kind)
        for ranking in itertools.permutations(range(3)):
            met = not violated_examples(W, one, constraints_from_rankings([ranking]))[0]
            right = all(scores[i] > scores[j] for i, j in itertools.combinations(ranking, 2))
            yield holds("met exactly where the scores sort it", met == right, Tier.EXACT, at="ranking")


@encodings.check("partial orders: what is met is met by the closure as well")
def closure_is_implied(rng: np.random.Generator) -> Found:
    for _ in range(40):
        pairs = [(int(i), int(j)) for i, j in np.sort(rng.integers(0, 5, (4, 2)), axis=1) if i != j]
        W = as_integers(rng.integers(0, 5, (5, 1)))
        constraints = constraints_from_orders([pairs], 5)
        closed = constraints_from_orders([list(zip(*np.nonzero(transitive_closure(pairs, 5)), strict=True))], 5)
        met = [not violated_examples(W, as_integers([[1]]), one)[0] for one in (constraints, closed)]
        yield equal("met by the pairs = met by their closure", int(met[0]), int(met[1]))


@encodings.control(
    "One adjacent pair less does not fix a ranking: without the last pair of three labels the closure has"
    " {left} pair, not {right}."
)
def a_pair_less() -> Found:
    pairs = constraints_from_rankings([[0, 1, 2]]).of(0)[:-1]
    yield equal("pairs of the closure = 3", int(transitive_closure(pairs, 3).sum()), 3)


@encodings.control(
    r"The pairs of a label set do not say where it ends: the scores 3, 2, 1 meet those of the set $\{1\}$,"
    " yet {left} labels score above 0, not {right}."
)
def no_cut_off() -> Found:
    inside = np.array([[1, 0, 0]])
    W, x = as_integers([[3], [2], [1]]), as_integers([[1]])
    met = not violated_examples(W, x, constraints_from_label_sets(inside))[0]
    assert met, "the scores 3, 2, 1 were said to violate a pair of the set {1}"
    yield equal("labels with a score above 0 = labels of the set", int((W > 0).sum()), int(inside.sum()))
