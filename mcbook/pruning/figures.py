"""Figures of the chapter on pruning.  What stays of a tree is dark, what is cut off is faint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, OURS, WRONG
from mcbook.foundation.types import Array, Booleans, Floats, Integers
from mcbook.pruning.algorithm.prunings import all_prunings, least_costs
from mcbook.pruning.algorithm.validation import CrossValidation
from mcbook.pruning.instances import CountedTree
from mcbook.trees.algorithm.growth import Tree
from mcbook.trees.algorithm.weakest_links import CostedTree, PruningPath

FAINT, QUIET = "#B9B9B9", COLOURS[7]


# Trees.


def places_of(children: Integers) -> Floats:
    """Where to draw each node: leaves side by side, parents above the middle of their children, ``(n_nodes, 2)``."""
    places = np.zeros((len(children), 2))
    n_leaves = 0
    waiting = [0]
    while waiting:
        t = waiting.pop()
        if children[t, 0] < 0:
            places[t, 0] = n_leaves
            n_leaves += 1
            continue
        places[children[t], 1] = places[t, 1] - 1
        waiting += children[t, ::-1].tolist()
    for t in reversed(range(len(children))):
        if children[t, 0] >= 0:
            places[t, 0] = places[children[t], 0].mean()
    return places


def draw_tree(axes: Axes, children: Integers, leaves: Booleans, labels: Integers | None = None) -> Floats:
    """The pruning with these leaves, over the full tree, whose rest is faint; leaves are marked with their labels."""
    places = places_of(children)
    inside = np.zeros(len(children), bool)
    inside[0] = True
    for t in np.flatnonzero(children[:, 0] >= 0):
        inside[children[t]] = inside[t] and not leaves[t]
        for child in children[t]:
            kept = bool(inside[child])
            line = places[[t, child]].T
            axes.plot(*line, color="black" if kept else FAINT, linewidth=1.8 if kept else 0.9, zorder=1 + kept)
    for t in np.flatnonzero(leaves):
        label = 0 if labels is None else int(labels[t])
        axes.plot(*places[t], marker=MARKERS[label], color=COLOURS[label], markersize=8, zorder=3)
    axes.set_axis_off()
    return places


def worked_figure(counted: CountedTree, tree: CostedTree) -> Figure:
    """A tree with the counts of both classes and the cost at every node."""
    figure, axes = plt.subplots(figsize=(7.4, 4.4))
    leaves = np.asarray(tree.children[:, 0] < 0)
    places = draw_tree(axes, tree.children, leaves, np.array([row.argmax() for row in counted.counts]))
    lefts = set(tree.children[:, 0].tolist())
    for t, (place, counts, cost) in enumerate(zip(places, counted.counts.tolist(), tree.costs.tolist(), strict=True)):
        side = -1 if t in lefts else 1
        inner = {"xytext": (9 * side, 0), "ha": "right" if t in lefts else "left", "va": "center"}
        look: dict[str, Any] = {"xytext": (0, -9), "ha": "center", "va": "top"} if leaves[t] else inner
        look = {"xytext": (0, 7), "ha": "center", "va": "bottom"} if t == 0 else look
        axes.annotate(f"{counts[0]} : {counts[1]}\n$c={cost}$", place, textcoords="offset points", **look)
    axes.margins(0.12, 0.14)
    return figure


def sequence_figure(children: Integers, path: PruningPath, labels: Integers) -> Figure:
    """The trees of a path, one after the other, each with the penalties at which it is best."""
    figure, row = plt.subplots(2, (path.n_trees + 1) // 2, figsize=(8.2, 4.9))
    ends = ["", *map(str, path.thresholds.tolist()), ""]
    for place, axes in enumerate(row.ravel()):
        if place >= path.n_trees:
            axes.set_axis_off()
            continue
        draw_tree(axes, children, path.leaves_of(place), labels)
        low, high = ends[place], ends[place + 1]
        between = rf"$\lambda<{high}$" if not low else rf"${low}\leq\lambda$" + (rf"$<{high}$" if high else "")
        axes.set_title(rf"$T^{{({place})}}$:  {between}", fontsize=11)
        axes.margins(0.1, 0.12)
    return figure


# Objectives and sizes.


def lines_figure(tree: CostedTree, path: PruningPath, most: float) -> Figure:
    """R(T) + lambda |T~| of every pruning against lambda, and the lowest of them all."""
    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    penalties = np.linspace(0, most, 200)
    for one in all_prunings(tree):
        axes.plot(penalties, float(one.cost) + penalties * one.n_leaves, color=FAINT, linewidth=0.9)
    lines = path.costs.astype(float)[:, None] + penalties * path.n_leaves[:, None]
    axes.plot(penalties, lines.min(axis=0), color=OURS, linewidth=2.6)
    corners = path.thresholds.astype(float)
    values = path.costs[1:].astype(float) + corners * path.n_leaves[1:]
    axes.plot(corners, values, "o", color=OURS)
    ends = np.r_[0.0, corners, most]
    for place, middle in enumerate((ends[:-1] + ends[1:]) / 2):
        axes.annotate(
            f"{path.n_leaves[place]}",
            (middle, float(path.costs[place]) + middle * path.n_leaves[place]),
            xytext=(4, -14),
            textcoords="offset points",
            ha="left",
        )
    axes.set(
        xlabel=r"penalty $\lambda$ for a leaf", ylabel=r"$G_\lambda$", xlim=(0, most), ylim=(0, 1.25 * values.max())
    )
    return figure


def sizes_figure(tree: CostedTree, exponent: float, lam: float, most: int) -> Figure:
    """The least cost of each size with its lower hull, and a level line of a convex penalty that touches elsewhere."""
    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    least = np.array(least_costs(tree), dtype=float)
    sizes = np.arange(1, len(least) + 1)
    hull = lower_hull(sizes, least)
    axes.plot(sizes[hull], least[hull], color=OURS, marker="o", label="weakest-link sequence")
    others = np.setdiff1d(np.arange(len(sizes)), hull)
    axes.plot(sizes[others], least[others], "o", color=QUIET, label="best of the other sizes")
    level = (least + lam * sizes**exponent).min()
    fine = np.linspace(0.6, most, 200)
    axes.plot(fine, level - lam * fine**exponent, color=WRONG, linestyle=ALLOWED, label="level line, convex penalty")
    shown = least[:most]
    low, high = float(shown.min()), float(shown.max())
    axes.set(xlim=(0.5, most + 0.5), ylim=(low - 0.15 * (high - low), high + 0.1 * (high - low)), xticks=sizes[:most])
    axes.set(xlabel=r"leaves $|\widetilde{T}|$", ylabel="least cost")
    axes.legend()
    return figure


def lower_hull(x: Array, y: Array) -> Integers:
    """The places of the corners of the lower convex hull of points with increasing x."""
    hull: list[int] = []
    for i in range(len(x)):
        while len(hull) > 1 and (y[hull[-1]] - y[hull[-2]]) * (x[i] - x[hull[-1]]) >= (y[i] - y[hull[-1]]) * (
            x[hull[-1]] - x[hull[-2]]
        ):
            hull.pop()
        hull.append(i)
    return np.array(hull)


# How many prunings are best.


def few_figure(
    pairs: Sequence[tuple[int, int]], chains: Sequence[tuple[int, int]], trees: Iterable[tuple[int, int]], bound: Any
) -> Figure:
    """Left the steps of a chain as lattice points; right the number of best prunings against n E, with the bound."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 4.5), width_ratios=(1, 1.25))
    side = max(max(pair) for pair in pairs) + 1
    every = [(a, b) for a in range(1, side + 1) for b in range(1, side + 1)]
    left.plot(*zip(*every, strict=True), ".", color=FAINT, markersize=3)
    left.plot(*zip(*pairs, strict=True), "o", color=OURS, markersize=5)
    for a, b in pairs:
        left.plot([0, a], [0, b], color=QUIET, linewidth=0.5, zorder=0)
    left.set(xlabel="leaves saved, $a$", ylabel="errors added, $b$", xlim=(0, side), ylim=(0, side), aspect="equal")
    products, found = np.array(chains, dtype=float).T
    right.plot(*zip(*trees, strict=True), ".", color=QUIET, label="trees of random samples")
    right.plot(products, found, "o", color=OURS, label="chains")
    sweep = np.geomspace(1, products.max() * 1.5, 60)
    right.plot(sweep, [bound(value) for value in sweep], color=OURS, linestyle=ALLOWED, label="bound")
    right.set(xscale="log", yscale="log", xlabel="$nE$", ylabel="best prunings")
    right.legend()
    return figure


# Cross-validation.


def steps_figure(found: CrossValidation, means: Floats, most: float) -> Figure:
    """The held-out errors as a step function of the penalty, and what the geometric means of one sequence see of it."""
    figure, axes = plt.subplots(figsize=(7.4, 3.9))
    draw_steps(axes, found, most, color=OURS, linewidth=2.4, label="held-out errors")
    seen = np.minimum(means, most)
    axes.plot(seen, found.at(means), "o", color=WRONG, markersize=8, label="geometric means of the whole sample's")
    axes.set(xlabel="penalty for a leaf, per example", ylabel="errors", xlim=(-0.01 * most, 1.02 * most))
    axes.set_ylim(0, None)
    axes.legend(loc="lower right")
    return figure


def draw_steps(axes: Axes, found: CrossValidation, most: float, **look: Any) -> None:
    ends = np.r_[0.0, np.asarray(found.thresholds, dtype=float), most]
    axes.stairs(np.asarray(found.errors, dtype=float), np.minimum(ends, most), baseline=None, **look)


def penalty_figure(
    found: CrossValidation, path: PruningPath, shares: Floats, weight: float, chosen: Sequence[float]
) -> Figure:
    """Shares of errors against the penalty: on the training set, held out, and on the test set; dotted the choices."""
    figure, axes = plt.subplots(figsize=(7.6, 4.9))
    inner = found.thresholds[found.thresholds > 0]
    low, high = inner.min() / 2, inner.max() * 1.5
    edges = np.clip(np.r_[low, found.thresholds, high], low, high)
    held_out = found.errors / found.n_samples
    axes.stairs(held_out, edges, baseline=None, color=COLOURS[1], linewidth=2.2, label="held out, ten folds")
    ends = np.clip(np.r_[low, path.thresholds / weight, high], low, high)
    axes.stairs(path.costs / weight, ends, baseline=None, color=COLOURS[0], label="training set")
    axes.stairs(shares, ends, baseline=None, color=COLOURS[2], label="test set")
    for penalty, style in zip(chosen, ("-", ":"), strict=False):
        axes.axvline(penalty, color=QUIET, linestyle=style, linewidth=1.4)
    axes.set(xscale="log", xlabel="penalty for a leaf, per example", ylabel="share of errors")
    axes.set(xlim=(low, high), ylim=(0, 1))
    axes.legend(loc="upper center")
    return figure


# The plane.


def cells_of(
    children: Integers, feature: Integers, threshold: Floats, box: Sequence[tuple[float, float]]
) -> dict[int, tuple[tuple[float, float], ...]]:
    """The rectangle of each leaf of a tree on two features, as its two ranges."""
    found, waiting = {}, [(0, tuple(box))]
    while waiting:
        t, ranges = waiting.pop()
        if children[t, 0] < 0:
            found[t] = ranges
            continue
        j, at = int(feature[t]), float(threshold[t])
        for child, part in zip(children[t].tolist(), ((ranges[j][0], at), (at, ranges[j][1])), strict=True):
            waiting.append((child, tuple(part if i == j else each for i, each in enumerate(ranges))))
    return found


def plane_figure(X: Floats, y: Integers, trees: Sequence[Tree], titles: Sequence[str]) -> Figure:
    """The sample in the plane with the cells of each tree, side by side."""
    figure, row = plt.subplots(1, len(trees), figsize=(8.6, 3.4), sharex=True, sharey=True)
    box = [(float(column.min()) - 0.1, float(column.max()) + 0.1) for column in X.T]
    for axes, tree, title in zip(row, trees, titles, strict=True):
        for leaf, ((a, b), (low, high)) in cells_of(tree.children, tree.feature, tree.threshold, box).items():
            colour = COLOURS[int(tree.value[leaf].argmax())]
            axes.add_patch(Rectangle((a, low), b - a, high - low, facecolor=colour, alpha=0.25, linewidth=0))
        for label in np.unique(y):
            axes.plot(*X[y == label].T, MARKERS[label], color=COLOURS[label], markersize=2.6)
        axes.set(title=title, xlim=box[0], ylim=box[1], xticks=[], yticks=[])
        axes.grid(False)
    return figure


# Bounds and leaves.


def bound_figure(n_leaves: Array, errors: Floats, bounds: Floats, tests: Floats) -> Figure:
    """Errors on the pruning set, the bound and the errors on fresh examples along a path, against the leaves."""
    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    axes.plot(n_leaves, bounds, color=OURS, linestyle=ALLOWED, marker=".", label="bound, for all prunings at once")
    axes.plot(n_leaves, tests, color=COLOURS[2], marker=".", label="fresh examples")
    axes.plot(n_leaves, errors, color=COLOURS[0], marker=".", label="examples that prune")
    best = int(np.argmin(bounds))
    axes.plot(n_leaves[best], bounds[best], "o", color=OURS, markersize=9)
    axes.set(xscale="log", xlabel="leaves", ylabel="share of errors", ylim=(0, None))
    axes.legend(loc="lower left")
    return figure


def scores_figure(shares: Floats, values: dict[str, Floats]) -> Figure:
    """The best value of a leaf for each loss against the share of positive examples: all change sign at one half."""
    figure, axes = plt.subplots(figsize=(7.4, 4.1))
    for (name, best), style in zip(values.items(), ("-", "-", "--", "-"), strict=True):
        axes.plot(shares, best, linestyle=style, label=name)
    axes.axhline(0, color=QUIET, linewidth=1)
    axes.axvline(0.5, color=QUIET, linewidth=1)
    axes.set(xlabel="share of positive examples in the leaf", ylabel="best value $f$", ylim=(-2.2, 2.2), xlim=(0, 1))
    axes.legend()
    return figure
