"""Figures of the chapter on forests."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure

from mcbook.forests.algorithm.growth import GrownForest, label_votes, tree_labels
from mcbook.forests.theory import best_known_bound, breiman_bound, fewest_draws, nearest_share, worst_forest_error
from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, WRONG
from mcbook.foundation.types import Array, Floats, Labels, Scalar


def votes_figure(forests: Sequence[GrownForest], X: Floats, y: Labels, titles: Sequence[str]) -> Figure:
    """What forests predict on two features, paler where the vote is close, beside each other."""
    figure, axes = plt.subplots(1, len(forests), figsize=(3.6 * len(forests), 4.2), squeeze=False)
    low, high = X.min(axis=0) - 0.05 * np.ptp(X, axis=0), X.max(axis=0) + 0.05 * np.ptp(X, axis=0)
    sides = [np.linspace(low[j], high[j], 180) for j in range(2)]
    grid = np.column_stack([part.ravel() for part in np.meshgrid(*sides)])
    for place, forest, title in zip(axes[0], forests, titles, strict=True):
        shares = label_votes(tree_labels(forest, grid), forest.n_classes) / len(forest.trees)
        colours = np.array([to_rgb(colour) for colour in COLOURS[: forest.n_classes]])
        lead = np.sort(shares, axis=1)
        strength = 0.08 + 0.42 * (lead[:, -1:] - lead[:, -2:-1])
        picture = 1 - strength * (1 - colours[shares.argmax(axis=1)])
        place.imshow(
            picture.reshape(180, 180, 3), origin="lower", extent=(low[0], high[0], low[1], high[1]), aspect="auto"
        )
        for c in range(forest.n_classes):
            place.scatter(*X[y == c].T, s=13, color=COLOURS[c], marker=MARKERS[c], edgecolors="white", linewidths=0.3)
        place.set(xticks=[], yticks=[], title=title)
        place.grid(visible=False)
    return figure


def counts_figure(counts: Array) -> Figure:
    """How often each example stands in each bootstrap; what is out of the bag has the colour of what is missing."""
    figure, axes = plt.subplots(figsize=(8.2, 4.8))
    shades = ["#F2F2F2", "#BBD7EA", "#6FAAD3", COLOURS[0], "#00466F"]
    axes.imshow(np.minimum(counts, 4), cmap=ListedColormap(shades), vmin=-0.5, vmax=4.5, aspect="auto")
    for t, i in np.argwhere(counts == 0).tolist():
        axes.plot(i, t, "x", color=WRONG, markersize=6)
    for t, i in np.argwhere(counts > 0).tolist():
        colour = "white" if counts[t, i] > 2 else "black"
        axes.text(i, t, f"{counts[t, i]:g}", ha="center", va="center", fontsize=10, color=colour)
    axes.set(xlabel="example", ylabel="tree", yticks=range(len(counts)), xticks=range(counts.shape[1]))
    axes.set_xticklabels([str(i + 1) for i in range(counts.shape[1])])
    axes.set_yticklabels([str(t + 1) for t in range(len(counts))])
    axes.grid(visible=False)
    return figure


def nearest_figure(sizes: Sequence[int]) -> Figure:
    """The share of the bootstraps in which the nearest example is drawn, against the draws as a share of the sample."""
    figure, axes = plt.subplots(figsize=(7.8, 5.0))
    for i, m in enumerate(sizes):
        draws = np.unique(np.linspace(1, 1.5 * m, 60).astype(int))
        shares = [float(nearest_share(1, m, int(b))) for b in draws]
        axes.plot(draws / m, shares, color=COLOURS[i], label=f"$m={m}$")
        b = fewest_draws(m)
        axes.plot(b / m, float(nearest_share(1, m, b)), MARKERS[i], color=COLOURS[i], markersize=9)
    axes.axhline(0.5, linestyle=ALLOWED, color=COLOURS[7])
    axes.set(xlabel="draws $b$ as a share of $m$", ylabel="share of the votes", ylim=(0, 1), xlim=(0, 1.5))
    axes.legend(loc="lower right")
    return figure


def added_figure(trees: Sequence[int], curves: dict[str, Sequence[Scalar]], alone: Scalar) -> Figure:
    """Errors of votes against the number of trees, by name, and that of one tree."""
    figure, axes = plt.subplots(figsize=(7.8, 5.0))
    for i, (name, errors) in enumerate(curves.items()):
        axes.plot(trees, [float(e) for e in errors], MARKERS[i] + "-", color=COLOURS[i], label=name)
    axes.axhline(float(alone), color=COLOURS[7], label="one tree alone")
    axes.set(xlabel="trees that vote", ylabel="error", ylim=(0, None))
    axes.legend()
    return figure


def worst_error_figure(strength: float) -> Figure:
    """The largest error of a forest of one strength against the correlation, and the bounds."""
    figure, axes = plt.subplots(figsize=(7.8, 5.6))
    rho = np.linspace(0, 1, 401)
    exact = [worst_forest_error(strength, r) for r in rho.tolist()]
    anyone = [best_known_bound(strength, r) for r in rho.tolist()]
    breiman = [breiman_bound(strength, r) for r in rho.tolist()]
    axes.plot(rho, breiman, ALLOWED, color=COLOURS[1], label="Breiman's bound")
    axes.plot(rho, anyone, ALLOWED, color=COLOURS[2], label="bound for every forest")
    axes.plot(rho, exact, color=COLOURS[0], label="exact worst case, two classes")
    alone = (1 - strength) / 2
    axes.axhline(alone, color=COLOURS[7], label="one tree alone")
    axes.set(xlabel=r"correlation $\bar\rho$", ylabel="error of the forest", xlim=(0, 1), ylim=(0, 1))
    axes.legend(loc="lower right")
    return figure


def drawn_features_figure(drawn: Sequence[int], curves: dict[str, Sequence[float]]) -> Figure:
    """Numbers between 0 and 1 against the number of features drawn, each curve by name."""
    figure, panels = plt.subplots(1, len(curves), figsize=(9.0, 4.6))
    for i, (axes, (name, values)) in enumerate(zip(panels, curves.items(), strict=True)):
        axes.semilogx(drawn, values, MARKERS[i] + "-", color=COLOURS[i], base=2)
        axes.set(xlabel="features drawn, $d'$", title=name, ylim=(0, None), xticks=drawn)
        axes.set_xticklabels([str(n) for n in drawn])
        axes.minorticks_off()
    return figure


def out_of_bag_figure(sizes: Sequence[int], out_of_bag: Array, test: Array) -> Figure:
    """Errors against the number of trees: of the votes out of the bag, and on a test sample."""
    figure, axes = plt.subplots(figsize=(7.8, 5.2))
    axes.semilogx(sizes, out_of_bag, MARKERS[0] + "-", color=COLOURS[0], label="out of bag")
    axes.semilogx(sizes, test, MARKERS[1] + "-", color=COLOURS[1], label="test sample")
    axes.set(xlabel="trees", ylabel="error", ylim=(0, None), xticks=sizes)
    axes.set_xticklabels([str(n) for n in sizes])
    axes.minorticks_off()
    axes.legend()
    return figure
