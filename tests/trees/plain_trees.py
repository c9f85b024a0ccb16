"""Trees the long way: every cut of a node is scored from its examples anew.  Tests of the kernels compare with it."""

import heapq
import itertools

import numpy as np

from mcbook.trees.kernels.categories import best_subset
from mcbook.trees.kernels.columns import SHIFT
from mcbook.trees.kernels.growth import (
    AFTER,
    BEGIN,
    CUT,
    DEPTH,
    DEPTH_FIRST,
    END,
    FEATURE,
    LARGEST_MEAN_DECREASE,
    LEFT,
    MASK,
    MISSING_LEFT,
    OPEN,
    RIGHT,
)
from mcbook.trees.kernels.scores import ENTROPY, ERROR, GINI, ROOT, SQUARES

CRITERIA = {"gini": GINI, "entropy": ENTROPY, "misclassification": ERROR, "squares": SQUARES, "root": ROOT}
NO_QUESTION = (-1, -np.inf, -1, -1, False, 0)


def random_data(rng, criterion, n_samples, n_classes, kind):
    """Labels, targets and weights of which all sums are exact in floats, but for those of real weights."""
    labels = rng.integers(0, n_classes, n_samples).astype(np.int16)
    targets = rng.integers(-3, 4, n_samples) / 2.0
    weight = {"none": np.zeros(0), "whole": rng.integers(1, 6, n_samples) * 1.0}
    weight |= {"broken": rng.integers(1, 12, n_samples) / 8, "small": rng.integers(1, 12, n_samples) / 512}
    weight["real"] = rng.uniform(0.5, 2.0, n_samples)
    size = 3 if criterion == SQUARES else n_classes
    return (labels, targets, weight[kind]), size


def content_of(criterion, examples, data, size):
    labels, targets, weight = data
    content = np.zeros(size)
    for i in examples:
        w = weight[i] if len(weight) else 1.0
        if criterion == SQUARES:
            content += np.array([w, w * targets[i], w * targets[i] ** 2])
        else:
            content[labels[i]] += w
    return content


def weight_of(criterion, content):
    return content[0] if criterion == SQUARES else content.sum()


def xlogx(x):
    return x * np.log2(x) if x else 0.0


def worth(criterion, content):
    """What the total impurity of a side lacks of a number that no partition changes."""
    if criterion == SQUARES:
        return content[1] ** 2 / content[0]
    if criterion == ROOT:
        return -2 * np.sqrt(content[0] * content[1])
    if criterion == GINI:
        return (content * content).sum() / content.sum()
    if criterion == ERROR:
        return content.max()
    return sum(map(xlogx, content)) - xlogx(content.sum())


def impurity(criterion, content):
    p = content / content.sum()
    return {
        GINI: lambda: 1 - (p * p).sum(),
        ENTROPY: lambda: -sum(map(xlogx, p)),
        ERROR: lambda: 1 - p.max(),
        SQUARES: lambda: content[2] / content[0] - (content[1] / content[0]) ** 2,
        ROOT: lambda: 2 * np.sqrt(p[0] * p[1]),
    }[criterion]()


def cuts_of(ranks_here, n_values):
    """Who goes to the left for each cut of a column, its ranks on both sides, and whether missing values go left."""
    missing = ranks_here == n_values
    for missing_left in (False, True) if missing.any() else (False,):
        seen = np.unique(ranks_here[~missing] if missing_left else ranks_here)
        for cut, after in itertools.pairwise(seen.tolist()):
            yield (ranks_here <= cut) | (missing_left & missing), cut, after, missing_left


def score_of(criterion, examples, goes, data, size, least, least_weight):
    """The score of a partition, and -inf where a side is too small."""
    sides = [content_of(criterion, examples[side], data, size) for side in (goes, ~goes)]
    if min(goes.sum(), (~goes).sum()) < least or min(weight_of(criterion, side) for side in sides) < least_weight:
        return -np.inf
    return worth(criterion, sides[0]) + worth(criterion, sides[1])


def best_question(
    criterion, drawn, examples, ranks, n_values, categorical, data, size, least, least_weight
):  # fmt: skip
    """Row, score, cut, rank after it, whether missing values go left, and mask; of equal questions the first."""
    found = NO_QUESTION
    for row, j in enumerate(drawn):
        r = ranks[j, examples]
        if (r == r[0]).all():
            continue
        if categorical[j]:
            entries = ((r.astype(np.int64) << SHIFT) | examples)[None]
            score, mask = best_subset(
                criterion, entries, 0, 0, len(examples), n_values[j], *data, size, least, least_weight
            )
            if score > found[1]:
                found = (row, score, -1, -1, bool(mask >> n_values[j] & 1), mask)
            continue
        for goes, cut, after, missing_left in cuts_of(r, n_values[j]):
            score = score_of(criterion, examples, goes, data, size, least, least_weight)
            if score > found[1]:
                found = (row, score, cut, after, missing_left, 0)
    return found


class Draws:
    """SplitMix64 on Python's own integers, and columns drawn with it."""

    def __init__(self, seed, n_features):
        self.state, self.features = seed, list(range(n_features))

    def number(self):
        bits = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & bits
        z = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) & bits
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & bits
        return z ^ (z >> 31)

    def next_column(self, drawn):
        features, other = self.features, drawn + self.number() % (len(self.features) - drawn)
        features[drawn], features[other] = features[other], features[drawn]
        return features[drawn]

    def columns(self, ranks, examples, n_drawn):
        """Those drawn for a node that are not constant there: of ``n_drawn``, or the first of more."""
        found = []
        for drawn in range(len(self.features)):
            if drawn >= n_drawn and found:
                break
            j = self.next_column(drawn)
            if len(set(ranks[j, examples].tolist())) > 1:
                found.append(j)
        return found


def plain_tree(ranks, examples, n_values, categorical, data, size, rules, least_decrease, least_weight, seed=0):
    """The records of the nodes, their contents, their impurities, and the examples in the order of the leaves."""
    criterion, order, max_depth, min_split, least, max_leaves, n_drawn = rules
    examples, draws = examples.copy(), Draws(seed, len(ranks)) if n_drawn < len(ranks) else None
    nodes, contents, frontier = [], [], []
    total = weight_of(criterion, content_of(criterion, examples, data, size))

    def add(begin, end, depth):
        here, node = examples[begin:end], len(nodes)
        record = dict.fromkeys((LEFT, RIGHT, FEATURE, CUT), -1) | dict.fromkeys((AFTER, MISSING_LEFT, MASK), 0)
        what = data[1] if criterion == SQUARES else data[0]
        may_split = len(here) >= max(min_split, 2 * least) and depth < max_depth and len(set(what[here].tolist())) > 1
        nodes.append(record | {BEGIN: begin, END: end, DEPTH: depth, OPEN: int(may_split)})
        contents.append(content_of(criterion, here, data, size))
        if not may_split:
            return
        drawn = draws.columns(ranks, here, n_drawn) if draws else list(range(len(ranks)))
        row, score, cut, after, missing_left, mask = best_question(
            criterion, drawn, here, ranks, n_values, categorical, data, size, least, least_weight
        )
        decrease = score - worth(criterion, contents[node])
        if row < 0 or decrease / total < least_decrease - 1e-15:
            return
        question = {FEATURE: drawn[row], CUT: cut, AFTER: after, MISSING_LEFT: int(missing_left), MASK: mask}
        nodes[node] |= question
        urgency = node if order == DEPTH_FIRST else decrease
        if order == LARGEST_MEAN_DECREASE:
            urgency /= weight_of(criterion, contents[node])
        heapq.heappush(frontier, (-urgency, node))

    add(0, len(examples), 0)
    n_leaves = 1
    while frontier and n_leaves < max_leaves:
        node = nodes[heapq.heappop(frontier)[1]]
        begin, end, j, mask = node[BEGIN], node[END], node[FEATURE], node[MASK]
        here = examples[begin:end]
        r, missing = ranks[j, here], n_values[j]
        numeric = node[CUT] >= 0
        goes = ((r <= node[CUT]) | ((r == missing) & (node[MISSING_LEFT] == 1))) if numeric else (mask >> r) & 1 == 1
        examples[begin:end] = np.concatenate([here[goes], here[~goes]])
        middle = begin + int(goes.sum())
        node[LEFT], node[RIGHT], n_leaves = len(nodes), len(nodes) + 1, n_leaves + 1
        add(begin, middle, node[DEPTH] + 1)
        add(middle, end, node[DEPTH] + 1)
        weights = [weight_of(criterion, contents[node[side]]) for side in (LEFT, RIGHT)]
        unseen = [v for v in range(missing + 1) if v not in r]
        if weights[0] > weights[1] and not numeric:
            node[MASK] |= sum(1 << v for v in unseen)
        if not numeric:
            node[MISSING_LEFT] = node[MASK] >> missing & 1
        elif missing in unseen:
            node[MISSING_LEFT] = int(weights[0] > weights[1])
    for node in nodes:
        if node[LEFT] < 0:
            node |= {FEATURE: -1, CUT: -1, MASK: 0, MISSING_LEFT: 0}
    records = np.array([[node[column] for column in sorted(node)] for node in nodes])
    return records, np.array(contents), [impurity(criterion, content) for content in contents], examples
