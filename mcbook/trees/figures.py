"""Figures of the chapter on trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS
from mcbook.foundation.types import Array, Floats, Labels, Scalar
from mcbook.trees.algorithm.growth import Tree, leaves_of
from mcbook.trees.estimator.rules import question_in_words


def draw_partition(axes: Axes, tree: Tree, X: Floats, y: Labels, *, points: bool = True) -> None:
    """The regions of a tree on two features in the colours of their labels, with the sample."""
    low, high = X.min(axis=0) - 0.06 * np.ptp(X, axis=0), X.max(axis=0) + 0.06 * np.ptp(X, axis=0)
    across, up = (np.linspace(low[j], high[j], 400) for j in range(2))
    grid = np.column_stack([part.ravel() for part in np.meshgrid(across, up)])
    label = tree.value[leaves_of(tree, grid)].argmax(axis=1).reshape(400, 400)
    n_classes = tree.value.shape[1]
    axes.imshow(
        label,
        origin="lower",
        extent=(low[0], high[0], low[1], high[1]),
        cmap=ListedColormap([_pale(colour) for colour in COLOURS[:n_classes]]),
        vmin=0,
        vmax=n_classes - 1,
        aspect="auto",
        interpolation="nearest",
    )
    for c in range(n_classes if points else 0):
        axes.scatter(
            X[y == c, 0], X[y == c, 1], s=17, color=COLOURS[c], marker=MARKERS[c], edgecolors="white", linewidths=0.4
        )
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xticks=[], yticks=[])


def _pale(colour: str) -> tuple[float, ...]:
    """The colour with two thirds of white."""
    return tuple(1 - (1 - part) / 3 for part in to_rgb(colour))


def partitions_figure(trees: Sequence[Tree], X: Floats, y: Labels, titles: Sequence[str]) -> Figure:
    """The partitions of several trees beside each other, in two rows."""
    rows = (len(trees) + 1) // 2
    figure, axes = plt.subplots(rows, 2, figsize=(7.4, 4.3 * rows), squeeze=False)
    for place, tree, title in zip(axes.ravel(), trees, titles, strict=False):
        draw_partition(place, tree, X, y)
        place.set_title(title)
    return figure


def draw_tree(
    axes: Axes,
    tree: Tree,
    names: Sequence[str],
    labels: Sequence[str] = (),
    categories: Mapping[int, Iterable[object]] | None = None,
) -> None:
    """The tree with its questions; a leaf has the colour and name of its label, and how many examples it holds.

    A leaf of a regression tree, which has no ``labels``, has its mean.  ``categories`` are the names of the categories
    of features that have some, as `mcbook.DecisionTree` keeps them in ``categories_``.
    """
    place = _places(tree)
    behind = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    for node in range(tree.n_nodes):
        x, depth = place[node]
        if tree.feature[node] >= 0:
            for child, answer in zip(tree.children[node], ("yes", "no"), strict=True):
                across, down = place[child]
                axes.plot([x, across], [-depth, -down], color="#777777", linewidth=1.1, zorder=1)
                axes.text(
                    (x + across) / 2,
                    -(depth + down) / 2,
                    answer,
                    fontsize=9,
                    ha="center",
                    va="center",
                    zorder=2,
                    bbox=behind,
                )
            j = int(tree.feature[node])
            text = question_in_words(tree, node, names[j], (categories or {}).get(j), sign="≤", digits=3)
            colour, face = "black", "white"
        else:
            c = int(tree.value[node].argmax())
            label = labels[c] if len(labels) else f"{tree.value[node, 0]:.3g}"
            text, colour, face = f"{label}\n{tree.n_samples[node]}", "white", COLOURS[c]
        box = {"boxstyle": "round,pad=0.35", "facecolor": face, "edgecolor": "#777777"}
        axes.text(x, -depth, text, ha="center", va="center", color=colour, bbox=box, fontsize=10, zorder=3)
    axes.set(xlim=(-0.7, tree.n_leaves - 0.3), ylim=(-tree.depth.max() - 0.5, 0.5))
    axes.axis("off")


def tree_figure(
    tree: Tree,
    names: Sequence[str],
    labels: Sequence[str] = (),
    categories: Mapping[int, Iterable[object]] | None = None,
) -> Figure:
    """A tree alone, as `draw_tree` has it."""
    figure, axes = plt.subplots(figsize=(7.4, 1.35 * (tree.depth.max() + 1)))
    draw_tree(axes, tree, names, labels, categories)
    return figure


def _places(tree: Tree) -> dict[int, tuple[float, int]]:
    """Across and down: leaves stand side by side, a node in the middle above its children."""
    place: dict[int, tuple[float, int]] = {}
    n_leaves = 0

    def put(node: int) -> float:
        nonlocal n_leaves
        if tree.feature[node] < 0:
            across = float(n_leaves)
            n_leaves += 1
        else:
            across = sum(put(int(child)) for child in tree.children[node]) / 2
        place[node] = across, int(tree.depth[node])
        return across

    put(0)
    return place


def greedy_figure(totals: dict[str, Sequence[Scalar]], xlabel: str, ylabel: str) -> Figure:
    """Impurity against the size of the tree, from 0 on, for several samples or ways to grow."""
    figure, axes = plt.subplots(figsize=(7.4, 6.2))
    for n, (name, values) in enumerate(totals.items()):
        axes.plot(range(len(values)), [float(v) for v in values], color=COLOURS[n], marker=MARKERS[n], label=name)
    longest = max(len(values) for values in totals.values())
    top = max(float(values[0]) for values in totals.values())
    axes.set(xlabel=xlabel, ylabel=ylabel, xticks=range(longest), ylim=(-0.03 * top, 1.35 * top))
    axes.legend(ncols=2, loc="upper center")
    return figure


def potential_figure(leaves: Array, worst: Array, grown: dict[str, tuple[Array, Array]], rate: Array) -> Figure:
    """The exact worst potential, the power of the number of leaves that it follows, and runs below it."""
    figure, axes = plt.subplots(figsize=(7.4, 6.4))
    axes.plot(leaves, worst, color=COLOURS[6], linestyle=ALLOWED, label="worst case, exactly")
    axes.plot(leaves, rate, color=COLOURS[7], linestyle=":", label="$t^{-a}$")
    for n, (name, (counts, values)) in enumerate(grown.items()):
        positive = np.asarray(values) > 0
        shown = np.asarray(counts)[positive], np.asarray(values)[positive]
        axes.plot(*shown, color=COLOURS[n], marker=MARKERS[n], markersize=4, label=name)
    axes.set(xscale="log", yscale="log", xlabel="leaves $t$", ylabel="potential $U_t$")
    ticks = [2**j for j in range(1, int(np.log2(leaves[-1])) + 1)]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    heights = [height for height in (1, 0.5, 0.2, 0.1, 0.05, 0.02) if axes.get_ylim()[0] <= height]
    axes.set_yticks(heights, [f"{height:g}" for height in heights])
    axes.minorticks_off()
    axes.legend()
    return figure


def regression_figure(trees: dict[str, Tree], x: Floats, y: Floats) -> Figure:
    """The steps of regression trees on one feature, and the sample."""
    figure, axes = plt.subplots(figsize=(7.4, 6.2))
    axes.scatter(x, y, s=12, color=COLOURS[7])
    grid = np.linspace(x.min(), x.max(), 1000)
    for n, (name, tree) in enumerate(trees.items()):
        values = tree.value[leaves_of(tree, grid[:, None]), 0]
        axes.plot(grid, values, color=COLOURS[n], linewidth=1.8, label=name)
    axes.set(xlabel="$x$", ylabel="$y$")
    axes.legend()
    return figure


def depth_figure(depths: Sequence[int], train: Sequence[float], test: Sequence[float]) -> Figure:
    """Training and test error against the depth."""
    figure, axes = plt.subplots(figsize=(7.4, 6.2))
    axes.plot(depths, train, color=COLOURS[1], marker=MARKERS[1], label="training error")
    axes.plot(depths, test, color=COLOURS[0], marker=MARKERS[0], label="test error")
    axes.set(xlabel="greatest depth", ylabel="error", ylim=(0, None))
    axes.legend()
    return figure
