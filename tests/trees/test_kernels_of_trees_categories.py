"""The best subset of the categories, against brute force over contents of whole numbers, whose sums are exact."""

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


@pytest.mark.parametrize(("criterion", "size"), [(GINI, 2), (GINI, 3), (SQUARES, 3)])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_best_subset_of_the_categories_of_a_node(criterion, size, weighted):
    rng = np.random.default_rng(9)
    rules = ((1, 0.0), (3, 0.0), (7, 0.0), (9, 0.0), (1, 8.0), (2, 5.0))
    for n_codes, (least, least_weight) in itertools.product((1, 2, 4, 5, 7), rules):
        # Codes that do not all occur, and missing values as one more.
        n_values = n_codes + 2
        occur = rng.permutation(n_values + 1)[:n_codes]
        assert_best_subset(rng, criterion, size, n_values, occur, 0.0, weighted, least, least_weight)


def test_of_more_than_two_classes_all_subsets_are_tried_for_up_to_ten_categories():
    rng = np.random.default_rng(10)
    assert_best_subset(rng, GINI, 3, 11, rng.permutation(12)[:10])
    # For more of them several orders may find the same partition: the first does.
    for purity in (0.0, 0.0, 0.0, 0.8, 0.8, 0.8, 1.0):
        assert_best_subset(rng, GINI, 3, 11, rng.permutation(12)[:11], purity)


def assert_best_subset(rng, criterion, size, n_values, occur, purity=0.0, weighted=False, least=1, least_weight=0.0):
    """In a node with these categories, so many of whose labels say whether the code is odd, the others nothing."""
    ranks = np.r_[occur, rng.choice(occur, 12), rng.integers(0, n_values, 5)]
    n = len(occur) + 12
    order = np.r_[np.argsort(ranks[:n], kind="stable"), np.arange(n, n + 5)]
    # The entries of the node stand behind two others and before three.
    order = np.r_[order[n : n + 2], order[:n], order[n + 2 :]]
    entries = np.full((3, n + 5), UNTOUCHED)
    entries[1] = ranks[order] * 2**32 + order
    labels = rng.integers(0, 3 if criterion == SQUARES else size, n + 5).astype(np.int16)
    labels = np.where(rng.random(n + 5) < purity, ranks % 2 * (size - 1), labels).astype(np.int16)
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


def test_a_mask_has_a_bit_for_each_category_and_for_missing_values_besides_the_sign():
    most = categories.MOST_CATEGORIES
    assert np.iinfo(np.int64).bits == most + 2
    for size in (2, 3):
        assert_best_subset(np.random.default_rng(6), GINI, size, most, np.array([0, most - 1, most]))
