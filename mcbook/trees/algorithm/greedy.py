"""Greedy growth as the algorithm states it, step by step, with any questions and in exact arithmetic.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels 0 .. n_classes - 1, a point ``x (n_features,)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from mcbook.foundation.compiled import python_original
from mcbook.foundation.types import Array, Integers, Labels, Scalar
from mcbook.trees.algorithm.questions import Question
from mcbook.trees.kernels.scores import ERROR, GINI, side_score, size_of

_score, _size = python_original(side_score), python_original(size_of)
_CODES = {"gini": GINI, "misclassification": ERROR}


def total_impurity(y: Labels, n_classes: int, criterion: str = "gini") -> Fraction:
    """|n| F(n) of the examples with these labels, by the lines that the compiled growth runs.

    >>> total_impurity(np.array([0, 0, 1]), 2)
    Fraction(4, 3)
    """
    if not len(y):
        return Fraction(0)
    counts = np.array([Fraction(int((y == c).sum())) for c in range(n_classes)], dtype=object)
    code = _CODES[criterion]
    return Fraction(_size(code, counts) - _score(code, counts))


@dataclass(eq=False)
class Node:
    """A node: the indices of its examples, and once it is split its question and children, left and right.

    Source: Mohri et al. (2018), Definition 9.5; Lecture 13, Definition 1.1.

    >>> from mcbook.trees.algorithm.questions import Threshold
    >>> root = Node(np.arange(3))
    >>> root.split(Threshold(0, 1), np.array([[0], [1], [2]]))
    >>> [leaf.examples.tolist() for leaf in root.leaves()], root.leaf_of(np.array([7])).examples.tolist()
    ([[0, 1], [2]], [2])
    """

    examples: Integers
    question: Question | None = None
    children: tuple[Node, Node] | None = None

    def leaves(self) -> list[Node]:
        return [self] if self.children is None else [leaf for child in self.children for leaf in child.leaves()]

    def questions(self) -> list[Question]:
        """All questions, parents before children."""
        if self.children is None or self.question is None:
            return []
        return [self.question, *self.children[0].questions(), *self.children[1].questions()]

    def split(self, question: Question, X: Array) -> None:
        left = question.left(X[self.examples])
        self.question, self.children = question, (Node(self.examples[left]), Node(self.examples[~left]))

    def leaf_of(self, x: Array) -> Node:
        """The leaf that a point reaches."""
        if self.children is None or self.question is None:
            return self
        return self.children[0 if self.question.left(np.asarray(x)[None])[0] else 1].leaf_of(x)


@dataclass(frozen=True)
class Step:
    """One split: the size of the leaf, the question, the fall of the total impurity, and that divided by the size.

    >>> from mcbook.trees.algorithm.questions import threshold_questions
    >>> X = np.array([[0], [1]])
    >>> step = grow_greedily(X, np.array([0, 1]), 2, threshold_questions(X)).steps[0]
    >>> step.size, step.decrease, step.gain  # 2 * 1/2 is gone
    (2, Fraction(1, 1), Fraction(1, 2))
    """

    size: int
    question: Question
    decrease: Fraction
    gain: Fraction


@dataclass(frozen=True)
class Growth:
    """The tree, its splits in order, and the total impurity before the first and after each of them.

    >>> from mcbook.trees.algorithm.questions import threshold_questions
    >>> X, y = np.array([[0], [1], [2]]), np.array([0, 1, 1])
    >>> growth = grow_greedily(X, y, 2, threshold_questions(X))
    >>> [str(total) for total in growth.totals], growth.n_errors(y)
    (['4/3', '0'], 0)
    """

    root: Node
    steps: list[Step]
    totals: list[Fraction] = field(default_factory=list)

    def n_errors(self, y: Labels) -> int:
        """Training errors of the majority labels."""
        return sum(n_errors(y[leaf.examples]) for leaf in self.root.leaves())


def n_errors(y: Labels) -> int:
    """How many labels differ from the most frequent.

    >>> n_errors(np.array([0, 2, 2, 1]))
    2
    """
    return len(y) - int(np.bincount(y).max()) if len(y) else 0


def grow_greedily(
    X: Array,
    y: Labels,
    n_classes: int,
    questions: Sequence[Question],
    *,
    criterion: str = "gini",
    by_size: bool = True,
    only_gains: bool = True,
    max_splits: int | None = None,
    start: Node | None = None,
) -> Growth:
    """Split again and again the leaf by the question with the largest decrease, until no split gains.

    With ``by_size`` the decrease of the total impurity counts, |n| times the gain; without it the gain alone, as the
    figure prints it.  Of equal pairs the first leaf's first question wins.  Without ``only_gains`` leaves that are
    impure are split even where nothing is gained.  Growth goes on from the tree ``start``, or from a single leaf.

    Source: Mohri et al. (2018), Figure 9.3; Lecture 13, Algorithm 1.

    >>> from mcbook.trees.algorithm.questions import threshold_questions
    >>> X = np.array([[0], [1], [2]])
    >>> [str(step.question) for step in grow_greedily(X, np.array([0, 1, 1]), 2, threshold_questions(X)).steps]
    ['x1 <= 1/2']
    """
    root = Node(np.arange(len(y))) if start is None else start
    steps: list[Step] = []
    totals = [_total(root, y, n_classes, criterion)]
    offers: dict[int, Step | None] = {}
    while max_splits is None or len(steps) < max_splits:
        best: tuple[Node, Step] | None = None
        for leaf in root.leaves():
            if id(leaf) not in offers:
                offers[id(leaf)] = best_step(X, y, n_classes, leaf, questions, criterion)
            step = offers[id(leaf)]
            if step is None or (only_gains and step.decrease == 0):
                continue
            if best is None or _worth(step, by_size) > _worth(best[1], by_size):
                best = leaf, step
        if best is None:
            break
        best[0].split(best[1].question, X)
        steps.append(best[1])
        totals.append(_total(root, y, n_classes, criterion))
    return Growth(root, steps, totals)


def best_step(
    X: Array, y: Labels, n_classes: int, leaf: Node, questions: Iterable[Question], criterion: str = "gini"
) -> Step | None:
    """The split of a leaf that lowers the impurity most; None if the leaf is pure or no question divides it.

    >>> from mcbook.trees.algorithm.questions import threshold_questions
    >>> X, y = np.array([[0], [1], [2]]), np.array([0, 1, 1])
    >>> str(best_step(X, y, 2, Node(np.arange(3)), threshold_questions(X)).question)
    'x1 <= 1/2'
    """
    here, size = leaf.examples, len(leaf.examples)
    whole, best = total_impurity(y[here], n_classes, criterion), None
    if len(set(y[here].tolist())) < 2:
        return None
    for question in questions:
        left = question.left(X[here])
        if left.any() and not left.all():
            parts = [total_impurity(y[here][side], n_classes, criterion) for side in (left, ~left)]
            decrease = whole - sum(parts, Fraction(0))
            if best is None or decrease > best.decrease:
                best = Step(size, question, decrease, decrease / size)
    return best


def _total(root: Node, y: Labels, n_classes: int, criterion: str) -> Fraction:
    return sum((total_impurity(y[leaf.examples], n_classes, criterion) for leaf in root.leaves()), Fraction(0))


def _worth(step: Step, by_size: bool) -> Scalar:
    return step.decrease if by_size else step.gain
