"""Figures of the chapter on the binary machine, and what its successors draw with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from mcbook.foundation.figures import COLOURS, MARKERS
from mcbook.perceptron.figures import draw_points

Array = np.ndarray[Any, Any]
Scores = Callable[[Array], Array]


def draw_predictions(axes: Axes, scores: Scores, n_classes: int, reach: float, n_points: int = 300) -> None:
    """Tint the plane by the class with the largest score, and dot the lines where its lead is 1."""
    line = np.linspace(-reach, reach, n_points)
    points = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    # Digits that an optimum does not have would decide ties at random; rounded off, they go to the first class.
    table = np.round(scores(points), 3).reshape(n_points, n_points, n_classes)
    shades = ListedColormap(COLOURS[:n_classes])
    axes.pcolormesh(
        line, line, table.argmax(axis=2), cmap=shades, vmin=-0.5, vmax=n_classes - 0.5, alpha=0.16, rasterized=True
    )
    ordered = np.sort(table, axis=2)
    axes.contour(
        line, line, ordered[:, :, -1] - ordered[:, :, -2], levels=[1.0], colors="black", linestyles=":", linewidths=1
    )
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    axes.grid(False)


def ring(axes: Axes, points: Array) -> None:
    """Circle the support vectors."""
    axes.scatter(points[:, 0], points[:, 1], s=120, facecolor="none", edgecolor="black", linewidth=1.2, zorder=4)


def margin_figure(panels: dict[str, tuple[Array, Array, Array, Array]]) -> Figure:
    """For each sample: regions of the two classes, the lines where the score is 1 or -1, and the support vectors."""
    figure, places = plt.subplots(1, len(panels), figsize=(3.7 * len(panels), 3.8), squeeze=False)
    for axes, (title, (X, y, w, support)) in zip(places[0], panels.items(), strict=True):
        draw_predictions(axes, two_scores(w), 2, 1.1 * float(np.abs(X).max()))
        draw_points(axes, X, y)
        ring(axes, X[support])
        axes.set_title(title)
    return figure


def two_scores(w: Array) -> Scores:
    """The scores of a binary machine as those of two classes, whose difference is the score."""
    return lambda points: np.stack([points @ w, -(points @ w)], axis=1) / 2


def path_figure(C: Array, alpha: Array, slack: Array, norm: Array, knots: Array) -> Figure:
    """The multipliers as shares of C, the sum of the slacks and the length of w, against C."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.4))
    for i, values in enumerate(alpha.T):
        left.plot(C, values / C, color=COLOURS[i % len(COLOURS)], linewidth=1.3)
    left.set(xscale="log", xlabel="$C$", ylabel=r"$\alpha_i\,/\,C$", ylim=(-0.03, 1.03))
    right.plot(C, slack / slack.max(), color=COLOURS[1], label=r"$\sum_i\xi_i$, share of the most")
    right.plot(C, norm / norm.max(), color=COLOURS[0], label=r"$|w|$, share of the most")
    right.plot(knots, np.zeros(len(knots)), linestyle="none", marker="|", color="black", label="knots")
    right.set(xscale="log", xlabel="$C$", ylim=(-0.05, 1.75), yticks=[0, 0.5, 1])
    right.legend(loc="upper center", fontsize=9)
    return figure


def cover_figure(shares: dict[str, tuple[Array, Array]]) -> Figure:
    """Share of the labellings that are separable, against points per dimension."""
    figure, axes = plt.subplots(figsize=(6.0, 3.4))
    for i, (name, (ratio, share)) in enumerate(shares.items()):
        axes.plot(ratio, share, color=COLOURS[i], marker=MARKERS[i], markersize=3, label=name)
    axes.axhline(0.5, color="black", linewidth=0.8, linestyle=":")
    axes.set(xlabel="points per dimension $m/d$", ylabel="separable share", xlim=(0, 4))
    axes.legend()
    return figure
