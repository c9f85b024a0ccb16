"""Figures of the chapter on impurities.  An impurity has one colour throughout; classes have their colour and mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, ENTROPY, GINI, MARKERS, MISCLASSIFICATION, RIGHT, WRONG
from mcbook.foundation.types import Array, Floats, Labels
from mcbook.impurities.theory.bounds import entropy_bound, largest_gini, least_entropy, least_gini
from mcbook.impurities.theory.impurity import (
    class_shares,
    entropy,
    entropy_slope,
    gini,
    gini_slope,
    misclassification,
    split_gain,
)

Children = Sequence[Sequence[int]]

LOOK = {"misclassification": MISCLASSIFICATION, "gini": GINI, "entropy": ENTROPY}
NAMES = {"misclassification": "misclassification", "gini": "Gini", "entropy": "entropy"}
FAINT = COLOURS[7]

# A gain below this is 0 up to the rounding of floats.
ROUNDING = 1e-12


def splits_figure(splits: Mapping[str, Children]) -> Figure:
    """Nodes as heaps of examples: for each question the node above and its two children below."""
    figure, row = plt.subplots(1, len(splits), figsize=(8.2, 3.4))
    for axes, (question, children) in zip(np.atleast_1d(row), splits.items(), strict=True):
        _heap(axes, np.sum(children, axis=0), (0, 3.1), width=8)
        for child, x in zip(children, (-2.3, 2.3), strict=True):
            axes.plot([0, x], [2.15, 1.25], color="black", linewidth=1)
            _heap(axes, np.asarray(child), (x, 0), width=4)
            axes.text(x, -1.5, f"{min(child)} wrong" if min(child) else "pure", ha="center", va="top", fontsize=12)
        axes.set_title(question, fontsize=13)
        axes.set(xlim=(-4.0, 4.0), ylim=(-2.3, 4.0), aspect="equal")
        axes.axis("off")
    return figure


def _heap(axes: Axes, counts: Array, centre: tuple[float, float], width: int) -> None:
    """One mark for each example, class after class, in rows around the centre."""
    labels = np.repeat(np.arange(len(counts)), counts)
    n_rows = -(-len(labels) // width)
    for i, label in enumerate(labels):
        at, across = divmod(i, width)
        x = centre[0] + 0.62 * (across - (min(width, len(labels)) - 1) / 2)
        y = centre[1] - 0.78 * (at - (n_rows - 1) / 2)
        axes.plot(x, y, MARKERS[label], color=COLOURS[label], markersize=8)


def curves_figure() -> Figure:
    """The three impurities of two classes, the entropy halved, and the gaps between them."""
    p = np.linspace(0, 1, 401)
    weights = np.stack([p, 1 - p], axis=-1)
    error, impurity, half = misclassification(weights), gini(weights), entropy(weights) / 2
    figure, axes = plt.subplots(figsize=(7.6, 5.0))
    axes.fill_between(p, error, impurity, color=LOOK["gini"], alpha=0.12, linewidth=0)
    axes.fill_between(p, impurity, half, color=LOOK["entropy"], alpha=0.15, linewidth=0)
    axes.plot(p, half, color=LOOK["entropy"], label="half the entropy")
    axes.plot(p, impurity, color=LOOK["gini"], label="Gini")
    axes.plot(p, error, color=LOOK["misclassification"], label="misclassification")
    axes.plot([0, 0.5, 1], [0, 0.5, 0], "o", color="black", markersize=6)
    axes.set(xlabel="share $p$ of the first class", ylabel="impurity")
    axes.legend(loc="lower center")
    return figure


def triangle_figure() -> Figure:
    """The three impurities of three classes as heights over the triangle of all shares."""
    figure, row = plt.subplots(1, 3, figsize=(8.2, 3.3))
    grid = np.array([(i, j, 90 - i - j) for i in range(91) for j in range(91 - i)], dtype=float)
    x, y = _corner_point(class_shares(grid))
    measures = {"misclassification": misclassification, "gini": gini, "entropy": entropy}
    for axes, (name, measure) in zip(row, measures.items(), strict=True):
        heights = measure(grid) / measure(np.ones(3))
        axes.tricontourf(x, y, heights, levels=np.linspace(0, 1, 11), cmap="Blues")
        axes.tricontour(x, y, heights, levels=np.linspace(0, 1, 11), colors="black", linewidths=0.6)
        for label, corner in enumerate(np.eye(3)):
            axes.plot(*_corner_point(corner), MARKERS[label], color=COLOURS[label], markersize=9, clip_on=False)
        axes.set_title(NAMES[name], fontsize=13, pad=14)
        axes.set(aspect="equal")
        axes.axis("off")
    return figure


def _corner_point(shares: Floats) -> tuple[Floats, Floats]:
    """Shares of three classes as a point of the triangle."""
    return shares[..., 1] + shares[..., 2] / 2, shares[..., 2] * np.sqrt(3) / 2


def gains_figure(splits: Mapping[str, Children]) -> Figure:
    """The gain of two-class splits as the height of the curve above the chord between the children."""
    p = np.linspace(0, 1, 401)
    measures = {"misclassification": misclassification, "gini": gini, "entropy": entropy}
    figure, grid = plt.subplots(len(splits), 3, figsize=(7.8, 2.9 * len(splits)), sharex=True, sharey="col")
    for row, (question, children) in zip(np.atleast_2d(grid), splits.items(), strict=True):
        node, ends = np.sum(children, axis=0, dtype=float), np.asarray(children, dtype=float)
        for axes, (name, measure) in zip(row, measures.items(), strict=True):
            axes.plot(p, measure(np.stack([p, 1 - p], axis=-1)), color=LOOK[name])
            axes.plot(class_shares(ends)[:, 0], measure(ends), color="black", marker="o", linewidth=1.2)
            at, top, gain = class_shares(node)[0], float(measure(node)), float(split_gain(name, ends))
            axes.plot([at, at], [top - gain, top], color=RIGHT if gain > ROUNDING else WRONG, linewidth=4)
            axes.text(0.5, 0.08, f"gains {gain:.3f}", ha="center", transform=axes.transAxes, fontsize=12)
            axes.set(ylim=(0, None), xticks=(0, 0.5, 1))
        row[0].set_ylabel(question, fontsize=12)
    for axes, name in zip(np.atleast_2d(grid)[0], measures, strict=True):
        axes.set_title(NAMES[name], fontsize=13)
    for axes in np.atleast_2d(grid)[-1]:
        axes.set_xlabel("share of the first class")
    return figure


def xor_figure(X: Floats, y: Labels) -> Figure:
    """The four points of XOR and the only split that each feature offers."""
    figure, pair = plt.subplots(1, 2, figsize=(7.6, 3.8))
    for feature, axes in enumerate(pair):
        for label in (0, 1):
            points = X[y == label]
            axes.plot(*points.T, MARKERS[label], color=COLOURS[label], markersize=12, linestyle="")
        line = axes.axvline if feature == 0 else axes.axhline
        line(0, color="black", linewidth=1.5)
        axes.set(xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), aspect="equal", xticks=(-1, 1), yticks=(-1, 1))
        axes.set(xlabel="feature 1", ylabel="feature 2", title=f"feature {feature + 1}: one of each on both sides")
    return figure


def slopes_figure() -> Figure:
    """The slopes of Gini impurity and of the entropy in the share of the first of two classes."""
    p = np.linspace(0.002, 0.998, 500)
    figure, axes = plt.subplots(figsize=(7.6, 4.4))
    axes.plot(p, entropy_slope(p, 1 - p), color=LOOK["entropy"], label="entropy")
    axes.plot(p, gini_slope(p, 1 - p), color=LOOK["gini"], label="Gini")
    for side, height in (((0, 0.5), 1), ((0.5, 1), -1)):
        axes.plot(side, [height, height], color=LOOK["misclassification"])
    axes.plot([], [], color=LOOK["misclassification"], label="misclassification")
    axes.set(xlabel="share $p$ of the first class", ylabel="slope", ylim=(-9, 9))
    axes.legend()
    return figure


def pixels_figure(gains: Mapping[str, Floats]) -> Figure:
    """For each impurity the pixels of an 8 by 8 picture, as dark as the best gain of a threshold on them."""
    figure, row = plt.subplots(1, len(gains), figsize=(8.2, 3.9))
    for axes, (name, best) in zip(np.atleast_1d(row), gains.items(), strict=True):
        most = float(best.max()) if best.max() > ROUNDING else 0.0
        image = axes.imshow(np.where(best > ROUNDING, best, 0).reshape(8, 8), cmap="Blues", vmin=0, vmax=most or 1)
        axes.set_title(NAMES[name], fontsize=13)
        axes.set(xticks=(), yticks=())
        axes.grid(False)
        bar = figure.colorbar(image, ax=axes, orientation="horizontal", shrink=0.9)
        bar.set_ticks([0, most or 1], labels=["0", f"{most:.3f}" if most else ""])
        bar.set_label("largest gain")
    return figure


def gain_order_figure(in_gini: Floats, in_entropy: Floats, in_error: Floats) -> Figure:
    """The gains of many splits: entropy against Gini with its least value, Gini against misclassification with its."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 4.6))
    left.plot(in_gini, in_entropy, ".", color=LOOK["entropy"], markersize=4)
    ends = np.array([0, in_gini.max()])
    left.plot(ends, ends / np.log(2), color="black", linestyle=ALLOWED, label=r"$\mathrm{GG}/\ln2$")
    left.set(xlabel="gain in Gini", ylabel="gain in entropy", xlim=(0, None), ylim=(0, None))
    right.plot(in_error, in_gini, ".", color=LOOK["gini"], markersize=4)
    error = np.linspace(0, in_error.max(), 200)
    right.plot(error, 2 * error**2, color="black", linestyle=ALLOWED, label=r"$2\,\mathrm{MG}^2$")
    right.set(xlabel="gain in misclassification", ylabel="gain in Gini", xlim=(0, None), ylim=(0, None))
    for axes in (left, right):
        axes.legend()
    return figure


def entropy_gini_figure(shares: Mapping[int, Floats], most: int = 5) -> Figure:
    """Random nodes by Gini impurity and entropy, the linear bounds, and the uniform vectors where they meet."""
    figure, axes = plt.subplots(figsize=(7.8, 5.4))
    for n_classes, points in shares.items():
        style = {"color": COLOURS[n_classes % 6], "markersize": 2, "alpha": 0.35, "linestyle": ""}
        axes.plot(gini(points), entropy(points), ".", **style)
        axes.plot([], [], ".", color=style["color"], markersize=8, label=f"{n_classes} classes")
    ends = np.array([0, 1 - 1 / most])
    for j in range(1, most):
        axes.plot(ends, entropy_bound(ends, j), color=FAINT, linewidth=0.8)
    corners = 1 - 1 / np.arange(1, most + 1)
    axes.plot(
        corners, [float(least_entropy(corner)) for corner in corners], color="black", linestyle=ALLOWED, marker="o"
    )
    for j, corner in enumerate(corners, start=1):
        axes.annotate(f"{j} equal" if j > 1 else "pure", (corner, np.log2(j)), (6, -12), textcoords="offset points")
    axes.set(xlabel="Gini impurity $G$", ylabel="entropy (bits)", ylim=(-0.15, np.log2(most) + 0.1), xlim=(-0.02, 0.92))
    axes.legend(loc="upper left")
    return figure


def gini_range_figure(n_classes: Sequence[int]) -> Figure:
    """All pairs of misclassification and Gini impurity that nodes of so many classes can have."""
    figure, row = plt.subplots(1, len(n_classes), figsize=(8.6, 4.6), sharey=True)
    for axes, k in zip(np.atleast_1d(row), n_classes, strict=True):
        error = np.linspace(0, 1 - 1 / k, 600)
        low = [float(least_gini(e)) for e in error]
        high = [float(largest_gini(e, k)) for e in error]
        axes.fill_between(error, low, high, color=LOOK["gini"], alpha=0.25, linewidth=0)
        axes.plot(error, high, color=LOOK["gini"])
        axes.plot(error, low, color=LOOK["gini"])
        axes.plot(error, error, color="black", linestyle=ALLOWED, linewidth=1.2, label="misclassification")
        axes.set(title=f"$k={k}$", xlabel="misclassification", xlim=(0, None), ylim=(0, 1))
    np.atleast_1d(row)[0].set_ylabel("Gini impurity")
    np.atleast_1d(row)[0].legend(loc="upper left")
    return figure
