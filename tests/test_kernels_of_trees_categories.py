"""The best subset of the categories, against brute force over contents of whole numbers, whose sums are exact."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mcbook.trees.kernels import categories
from mcbook.trees.kernels.scores import GINI, SQUARES

# What no kernel writes; an index of this size is none.
UNTOUCHED = -(10**6)
UNIT = np.zeros(0)


def worth(criterion, content):
    """The score of a side, 0 of an empty one."""
    if criterion == SQUARES:
        return content[1] ** 2 / content[0]
    return (content * content).sum() / max(content.sum(), 1e-300)


def best_of(criterion, table, counts, subsets, present, least, least_weight):
    """The first of the best subsets, each a mask, whose sides are large enough: its score and its mask."""
    best, best_mask = -np.inf, 0
    for mask in subsets:
        left = [c for c in present if mask >> int(c) & 1]
        right = [c for c in present if not mask >> int(c) & 1]
        sides = [table[left].sum(axis=0), table[right].sum(axis=0)]
        sizes = [side[0] if criterion == SQUARES else side.sum() for side in sides]
        if min(counts[left].sum(), counts[right].sum()) < least or min(sizes) < least_weight:
            continue
        score = sum(worth(criterion, side) for side in sides)
        if score > best:
            best, best_mask = score, mask
    return best, best_mask


def prefixes(ordered):
    return [sum(1 << int(c) for c in ordered[:n]) for n in range(1, len(ordered))]


def all_without_the_last(present):
    """Each one category away from the one before: the category at the place of the lowest bit of the step."""
    masks, mask = [], 0
    for step in range(1, 1 << len(present) - 1):
        mask ^= 1 << int(present[(step & -step).bit_length() - 1])
        masks.append(mask)
    return masks


def in_order_of(criterion, table, present, c):
    sizes = table[:, 0] if criterion == SQUARES else table.sum(axis=1)
    return sorted(present, key=lambda category: table[category, c] / sizes[category])


def contents(rng, criterion, n_categories, size):
    """Whole numbers, so that all sums are exact, of categories none of which is empty."""
    table = rng.integers(0, 5, (n_categories, size)).astype(float)
    table[:, 0] += 1
    if criterion == SQUARES:
        table[:, 1] -= 2
    return table, rng.integers(1, 4, n_categories)


def test_a_mask_has_a_bit_for_each_category_and_for_missing_values_besides_the_sign():
    assert np.iinfo(np.int64).bits == categories.MOST_CATEGORIES + 2


@pytest.mark.parametrize("weight", [UNIT, np.array([0.5, 2.0, 0.25, 4.0, 3.0])], ids=["unit", "weighted"])
def test_examples_are_added_to_one_side(weight):
    labels, targets = np.array([2, 0, 1, 2, 0], np.int16), np.array([0.5, -1.0, 3.0, 2.0, -4.0])
    examples = np.array([9, 3, 0, 4, 4, 1, 9]) + np.array([0, 1, 5, 7, 0, 2**20, 3]) * 2**32
    w = weight if len(weight) else np.ones(5)
    for criterion in (GINI, SQUARES):
        sides = np.arange(9.0).reshape(3, 3)
        wanted = sides.copy()
        for i in (3, 0, 4, 4, 1):
            y = targets[i]
            wanted[1] += w[i] * (np.array([1, y, y * y]) if criterion == SQUARES else np.eye(3)[labels[i]])
        categories.add_contents(criterion, sides, np.int64(1), examples, 1, 6, labels, targets, weight)
        np.testing.assert_array_equal(sides, wanted)


def test_a_category_moves_from_the_right_to_the_left_and_back():
    table, left, right = np.array([[9.0, 9.0], [1.0, 0.5], [9.0, 9.0]]), np.array([3.0, 4.0]), np.array([5.0, 7.0])
    categories.move(table, np.int64(1), 1, left, right)
    assert (left.tolist(), right.tolist()) == ([4.0, 4.5], [4.0, 6.5])
    categories.move(table, np.int64(1), -1, left, right)
    assert (left.tolist(), right.tolist()) == ([3.0, 4.0], [5.0, 7.0])


@pytest.mark.parametrize("criterion", [GINI, SQUARES])
def test_a_partition_has_a_score_while_both_sides_are_large_enough(criterion):
    # The sizes are 2.5 and 4 by either criterion, three examples and five.
    small, large = np.array([2.5, 0.0, 0.0]), np.array([4.0, 0.0, 0.0])
    for left, right, n_left in ((small, large, np.int64(3)), (large, small, np.int64(5))):
        score = worth(criterion, left) + worth(criterion, right)
        assert categories.score_sides(criterion, left, right, n_left, 8, 3, 2.5) == score
        assert categories.score_sides(criterion, left, right, n_left, 8, 4, 0.0) == -np.inf
        assert categories.score_sides(criterion, left, right, n_left, 8, 3, 2.75) == -np.inf


@pytest.mark.parametrize(("criterion", "size"), [(GINI, 2), (GINI, 4), (SQUARES, 3)])
def test_the_best_prefix_and_the_best_of_all_subsets_are_the_first_of_the_best(criterion, size):
    rng = np.random.default_rng(7)
    for n_present in (1, 2, 2, 3, 3, 3, 4, 5, 6):
        table, counts = contents(rng, criterion, 8, size)
        present = rng.permutation(8)[:n_present]
        # What stands behind those that are present is no category.
        given = np.r_[present, np.full(3, UNTOUCHED)]
        n = counts[present].sum()
        for least, least_weight in ((0, 0.0), (1, 0.0), (3, 1.0), (1, 4.0), (6, 0.0), (50, 0.0)):
            common = (criterion, table, counts)
            rules = (least, least_weight)
            found = categories.best_prefix(*common, given, n_present, *rules, n)
            assert found == best_of(*common, prefixes(present), present, *rules)
            found = categories.best_of_all(*common, given, n_present, *rules, n)
            assert found == best_of(*common, all_without_the_last(present), present, *rules)


@pytest.mark.parametrize(("criterion", "size"), [(GINI, 2), (GINI, 3), (SQUARES, 3)])
def test_categories_are_ordered_by_their_share_and_equal_ones_stay_as_they_are(criterion, size):
    rng = np.random.default_rng(8)
    for n_present in (0, 1, 2, 4, 7):
        table, _ = contents(rng, criterion, 8, size)
        present = rng.permutation(8)[:n_present]
        for c in range(1, size):
            share, ordered = np.full(9, np.inf), np.full(9, UNTOUCHED)
            categories.sort_by_share(criterion, table, np.r_[present, UNTOUCHED], n_present, c, share, ordered)
            assert ordered.tolist() == [*in_order_of(criterion, table, present, c), *[UNTOUCHED] * (9 - n_present)]
            sizes = table[:, 0] if criterion == SQUARES else table.sum(axis=1)
            shares = (table[:, c] / sizes)[ordered[:n_present]]
            np.testing.assert_array_equal(share, np.r_[shares, np.full(9 - n_present, np.inf)])


@pytest.mark.parametrize(("criterion", "size"), [(GINI, 2), (GINI, 3), (SQUARES, 3)])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_best_subset_of_the_categories_of_a_node(criterion, size, weighted):
    rng = np.random.default_rng(9)
    for n_codes, least, least_weight in ((1, 1, 0.0), (2, 1, 0.0), (2, 9, 0.0), (4, 3, 0.0), (5, 1, 8.0), (7, 2, 5.0)):
        # Codes that do not all occur, and missing values as one more.
        n_values = n_codes + 2
        occur = rng.permutation(n_values + 1)[:n_codes]
        assert_best_subset(rng, criterion, size, n_values, occur, weighted, least, least_weight)


def test_of_more_than_two_classes_all_subsets_are_tried_for_up_to_ten_categories():
    rng = np.random.default_rng(10)
    for n_present in (10, 11):
        assert_best_subset(rng, GINI, 3, 11, rng.permutation(12)[:n_present], False, 1, 0.0)


def assert_best_subset(rng, criterion, size, n_values, occur, weighted, least, least_weight):
    ranks = np.r_[occur, rng.choice(occur, 12), rng.integers(0, n_values, 5)]
    n = len(occur) + 12
    order = np.r_[np.argsort(ranks[:n], kind="stable"), np.arange(n, n + 5)]
    # The entries of the node stand behind two others and before three.
    order = np.r_[order[n : n + 2], order[:n], order[n + 2 :]]
    entries = np.full((3, n + 5), UNTOUCHED)
    entries[1] = ranks[order] * 2**32 + order
    labels = rng.integers(0, 3 if criterion == SQUARES else size, n + 5).astype(np.int16)
    targets = rng.integers(-3, 4, n + 5).astype(float)
    weight = rng.integers(1, 5, n + 5).astype(float) if weighted else UNIT
    table, counts = np.zeros((n_values + 1, size)), np.bincount(ranks[:n], minlength=n_values + 1)
    for i in range(n):
        w, y = weight[i] if weighted else 1.0, targets[i]
        table[ranks[i]] += w * (np.array([1, y, y * y]) if criterion == SQUARES else np.eye(size)[labels[i]])
    present = np.flatnonzero(counts)
    common, rules = (criterion, table, counts), (least, least_weight)
    if criterion == SQUARES or size == 2:
        wanted = best_of(*common, prefixes(in_order_of(criterion, table, present, 1)), present, *rules)
    elif len(present) <= 10:
        wanted = best_of(*common, all_without_the_last(present), present, *rules)
    else:
        several = [prefixes(in_order_of(criterion, table, present, c)) for c in range(size)]
        wanted = best_of(*common, itertools.chain(*several), present, *rules)
    found = categories.best_subset(
        criterion, entries, 1, 2, n + 2, n_values, labels, targets, weight, size, least, least_weight
    )
    assert found == wanted
