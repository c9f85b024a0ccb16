"""What graders say who look at an answer themselves, of answers that are nearly right or at the ends of what may be."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest

from mcbook import check
from mcbook.claims.boosting.graders import stump_booster
from mcbook.claims.constraint_classification.graders import pairs_of_groups
from mcbook.claims.one_vs_rest_and_pairs.graders import _feedback_on_survivor
from mcbook.claims.perceptron.graders import shared_estimator
from mcbook.claims.structured.graders import chain_learner
from mcbook.claims.trees.graders import stump_learner
from mcbook.claims.weak_learning.graders import worst_weights
from mcbook.claims.winnow.graders import disjunction_learner
from mcbook.exercises import find_part
from mcbook.output_codes import complete_code

DUELS = [-1, 1, 1, 1, -1, -1, -1, 1, -1, 1]
CHEAP = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0]
PAIRS = [column for column in complete_code(5).T if abs(column.sum()) == 1]
MILLION = 10**6
ALIKE = [[0, 0], [1, 1]]

ARRAYS: list[tuple[str, Any, str]] = [
    ("reductions-survivor-duels", DUELS[:-1], "expected ten outcomes"),
    ("reductions-survivor-duels", [*DUELS[:-1], 0], "expected ten outcomes"),
    # The non-zero entry of class 1 costs 1 + f_2, and its row 1 more; that of the other (1 - f_1)+ + (1 - f_2)+.
    ("codes-unequal-outputs", [1, -0.5], ""),
    ("codes-unequal-outputs", [1, -0.49], "costs more than one half"),
    ("codes-unequal-outputs", [0.99, -0.5], "is not mistaken"),
    ("codes-unequal-outputs", [1, -0.51], "is not mistaken"),
    ("codes-unequal-outputs", [1], "got the shape (1,)"),
    ("codes-unequal-outputs", [1, np.inf], "expected two numbers"),
    ("errors-cheapest-outputs", CHEAP, ""),
    # Another class may be the one that costs no more.
    ("errors-cheapest-outputs", [1, 0, 1, 1, -1, 0, 0, 1, 1, 0], ""),
    ("errors-cheapest-outputs", [0.01, *CHEAP[1:]], "is not mistaken"),
    ("errors-cheapest-outputs", [0, 1, 1, 1, 0.99, 1, 1, 0, 0, 0], "is not mistaken"),
    ("errors-cheapest-outputs", [-0.01, *CHEAP[1:]], "could be cheaper"),
    ("errors-cheapest-outputs", [0, 0.99, *CHEAP[2:]], "could be cheaper"),
    ("errors-cheapest-outputs", CHEAP[:-1], "got the shape (9,)"),
    ("perceptron-early-sample", ([[1, 0], [0, 1]], [1, 0]), ""),
    ("perceptron-early-sample", ([[MILLION, 0], [0, MILLION]], [0, 1]), ""),
    ("perceptron-early-sample", ([[MILLION + 1, 0], [0, 1]], [0, 1]), "at most six digits"),
    ("perceptron-early-sample", ([[1, 0], [0, -MILLION - 1]], [0, 1]), "at most six digits"),
    ("perceptron-early-sample", ([[1.5, 0], [0, 1]], [0, 1]), "expected integers"),
    ("perceptron-early-sample", ([[1, 0], [0, 1]], [0, 1], 2), "expected a tuple"),
    ("perceptron-early-sample", ([[1, 0], [0, 1], [1, 1]], [0, 1, 1]), "two points"),
    ("perceptron-early-sample", ([[1, 0], [0, 1]], [0, 1, 1]), "two labels"),
    ("perceptron-early-sample", (np.zeros((2, 0)), [0, 1]), "two points"),
    ("perceptron-early-sample", ([[1, 0], [0, 1]], [1, 2]), "both labels"),
    ("perceptron-early-sample", ([[1, 0], [1, 0]], [0, 1]), "within 1000 passes"),
    ("rademacher-absolute-class", np.array([[0] * 12, [1] * 12]), ""),
    ("rademacher-absolute-class", np.array([[0] * 13, [1] * 13]), "at most 12 points"),
    ("rademacher-absolute-class", ALIKE * 500, ""),
    ("rademacher-absolute-class", [*ALIKE * 500, [1, 1]], "1000 functions"),
    ("rademacher-absolute-class", [[0.0, 0.0], [1000.0, 1000.0]], ""),
    ("rademacher-absolute-class", [[0.0, 0.0], [1001.0, 1001.0]], "whole numbers"),
    ("rademacher-absolute-class", [[0.0, 0.0], [0.5, 0.5]], "whole numbers"),
    ("rademacher-absolute-class", [0, 1], "a matrix"),
    ("rademacher-absolute-class", np.zeros((2, 0), dtype=int), "a matrix"),
    ("rademacher-absolute-class", [[1, 0], [0, 1]], "the function 0"),
    ("rademacher-absolute-class", [[0, 0], [1, 0], [0, 1]], "not twice"),
    ("codes-build-matrix", np.array(PAIRS).T, ""),
    ("codes-build-matrix", np.array(PAIRS[:9]).T, ""),
    ("codes-build-matrix", np.array(PAIRS[:8]).T, "can spoil it"),
    ("codes-build-matrix", np.array(PAIRS).T[:4], "expected five rows"),
    ("codes-build-matrix", np.ones((5, 11)), "at most ten columns"),
    ("codes-build-matrix", np.array(PAIRS).T * [*[1] * 9, 2], "only -1 and +1"),
    ("codes-build-matrix", np.array([*PAIRS[:9], PAIRS[0]]).T, "equal columns"),
]


def test_an_array_is_taken_up_to_the_ends_of_what_is_asked() -> None:
    for exercise, answer, says in ARRAYS:
        mark = check(exercise, answer)
        assert mark.right == (not says), (exercise, answer, mark)
        assert says.casefold() in mark.says.casefold(), exercise


def first_case(grader: Any) -> Any:
    return next(grader(np.random.default_rng(20)))


def test_worst_weights_are_weights_and_the_worst() -> None:
    """Three rules on four examples, the last like the first: they weigh a third together, as do the other two."""
    feedback, third = first_case(worst_weights).feedback, 1 / 3
    for right in ([third, third, third, 0], [0, third, third, third], [third + 5e-10, third, third, -5e-10]):
        assert feedback(right) == feedback([weight * (1 + 5e-7) for weight in right]) == ""
        for factor in (1 + 2e-6, 1 - 2e-6, -1):
            assert "sum to 1" in feedback([weight * factor for weight in right])
    assert ">= 0" in feedback([third + 2e-9, third, third, -2e-9])
    for wrong in ([third + 1e-5, third - 1e-5, third, 0], [0.25] * 4):
        assert "larger correlation" in feedback(wrong)
    assert "shape (4,), got shape (3,)" in feedback([third] * 3)
    assert "expected numbers" in feedback(None)


def test_pairs_are_those_asked_for_and_all_of_them() -> None:
    cases: list[Any] = list(pairs_of_groups(np.random.default_rng(20)))
    case = cases[3]
    first, second, third = case.inputs[0]
    right = {(a, b) for a in first for b in second} | {(a, b) for a in second for b in third}
    assert len(right) == 10
    assert [case.feedback(kind(right)) for kind in (set, frozenset, list, tuple)] == [""] * 4
    assert case.feedback(set(list(right)[2:])) == "2 pairs are missing"
    assert case.feedback(right | {(first[0], third[0])}) == f"a pair is not asked for: {(first[0], third[0])}"
    assert "not asked for" in case.feedback({(b, a) for a, b in right})
    assert case.feedback({(float(a), b) for a, b in right}) == "expected a set of pairs of labels"
    assert case.feedback([1, 2]) == case.feedback([(1, 2, 3)]) == "expected a set of pairs of labels"
    assert case.feedback(iter(right)) == case.feedback(7) == "expected a set of pairs"


def with_one_changed(values: Any, place: int) -> Any:
    """Another of the values at one place."""
    found = np.array(values)
    found[place] = next(value for value in values if value != values[place])
    return found


@pytest.mark.parametrize("grader", [shared_estimator, disjunction_learner])
def test_a_learner_with_a_count_is_right_in_both(grader: Any) -> None:
    case = first_case(grader)
    y, made = case.inputs[1], getattr(case.feedback, "made", 1)
    assert case.feedback((y, made)) == case.feedback((y.tolist(), np.int64(made))) == ""
    for place in (0, -1):
        assert "calls 1 " in case.feedback((with_one_changed(y, place), made))
    for form in (y[:-1], y[:, None], np.full(len(y), 7)):
        assert "expected a prediction" in case.feedback((form, made))
    for count in (None, True, float(made), "1"):
        assert "it has no count" in case.feedback((y, count))


def test_counts_are_held_against_what_is_known_of_them() -> None:
    counted, bounded = first_case(disjunction_learner), first_case(shared_estimator)
    y, made = counted.inputs[1], counted.feedback.made
    assert all("n_mistakes_ is not" in counted.feedback((y, made + by)) for by in (-1, 1))
    names, limit = bounded.inputs[1], int(bounded.feedback.limit)
    assert bounded.feedback((names, 1)) == bounded.feedback((names, limit)) == ""
    assert all("contradicts" in bounded.feedback((names, count)) for count in (-1, 0, limit + 1))


def test_a_stump_makes_the_fewest_errors_and_no_fewer() -> None:
    cases: Any = stump_learner(np.random.default_rng(20))
    for case in cases:
        y, least = case.inputs[1], case.feedback.least
        exact = np.where(np.arange(len(y)) < least, 1 - y, y)
        assert case.feedback(exact) == case.feedback(exact.tolist()) == ""
        assert f"it makes {least + 1} errors" in case.feedback(np.where(np.arange(len(y)) <= least, 1 - y, y))
        assert not least or "fewer errors than one question" in case.feedback(y)
        for form in (y[:-1], y[:, None], y + 1):
            assert "expected a prediction" in case.feedback(form)


def test_a_booster_votes_as_its_rounds_do() -> None:
    case = first_case(stump_booster)
    errors, y = case.feedback.run.errors.astype(float), case.inputs[1]
    votes = np.where(case.feedback.run.votes[:, 0] > 0, 1, -1)
    assert case.feedback((votes, errors)) == case.feedback((votes.tolist(), errors[:, None].tolist())) == ""
    assert case.feedback((votes, errors + 1e-10)) == ""
    assert "no errors of its rounds" in case.feedback((votes, None))
    assert f"{len(errors) - 1} rounds in place of {len(errors)}" in case.feedback((votes, errors[:-1]))
    for place in (0, 3, len(errors) - 1):
        wrong = errors.copy()
        wrong[place] += 1e-4
        assert case.feedback((votes, wrong)).endswith(f"first wrong in round {place + 1}")
    for place in (0, -1):
        assert "not the weighted one" in case.feedback(
            (votes * np.where(np.arange(len(y)) == place % len(y), -1, 1), errors)
        )
    for form in (votes[:-1], votes[:, None], (votes + 1) // 2):
        assert "expected a prediction" in case.feedback((form, errors))


def test_labels_of_chains_are_a_list_and_right_everywhere() -> None:
    case = first_case(chain_learner)
    y = case.inputs[1]
    assert case.feedback(list(y)) == case.feedback([one.tolist() for one in y]) == ""
    assert "labels 1 positions" in case.feedback([with_one_changed(y[0], -1), *y[1:]])
    assert "labels 2 positions" in case.feedback([with_one_changed(y[0], 0), *y[1:-1], with_one_changed(y[-1], 8)])
    for form in (tuple(y), np.array(y), y[:-1], [*y[:-1], y[-1][:-1]]):
        assert "expected a list" in case.feedback(form)


def test_one_class_survives_alone_although_it_lost() -> None:
    for winners, feedback in (
        ((1, 1, 1, 5, 2, 2, 5, 4, 3, 4), ""),
        ((1, 1, 1, 1, 2, 2, 5, 4, 3, 4), "class 1 loses no duel"),
        ((1, 1, 1, 5, 2, 2, 2, 4, 3, 4), "class 1 is not alone at the top"),
        ((1, 1, 1, 5, 2, 2, 5, 4, 5, 4), "class 1 is not alone at the top"),
    ):
        pairs = itertools.combinations(range(1, 6), 2)
        outcomes = [1 if winner == first else -1 for winner, (first, _) in zip(winners, pairs, strict=True)]
        assert _feedback_on_survivor(outcomes) == feedback


class Remembers:
    """Learns what it should, and then predicts what it has predicted once, whatever is asked."""

    def __init__(self, right: Any) -> None:
        self.right = right

    def fit(self, X: Any, *others: Any) -> Remembers:
        fitted = copy.deepcopy(self.right).fit(X, *others)
        self.kept = fitted.predict(X)
        self.errors_ = getattr(fitted, "errors_", None)
        return self

    def predict(self, X: Any) -> Any:
        return self.kept


class AsATuple(Remembers):
    """Its predictions are those of another, in a tuple."""

    def predict(self, X: Any) -> Any:
        return tuple(self.right.predict(X))

    def fit(self, X: Any, *others: Any) -> AsATuple:
        self.right.fit(X, *others)
        self.errors_ = getattr(self.right, "errors_", None)
        return self


@pytest.mark.parametrize("exercise", ["boosting-learner-estimator", "structured-perceptron-estimator"])
def test_an_estimator_has_to_look_at_what_it_predicts(exercise: str) -> None:
    part, scope = find_part(exercise), {"np": np}
    exec(part.answer, scope)
    right = scope[part.variable]
    assert check(exercise, AsATuple(right))
    assert not check(exercise, Remembers(right))
