"""Figures of the chapter on the binary SVM, and what its successors draw with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure

from mcbook.foundation.figures import COLOURS, MARKERS, MINUS, PLUS, WRONG, square_grid, tint
from mcbook.foundation.types import Array
from mcbook.perceptron.figures import draw_points

Scores = Callable[[Array], Array]


def draw_predictions(axes: Axes, scores: Scores, n_classes: int, reach: float, n_points: int = 300) -> None:
    """Tint the plane by the class with the largest score, and dot the lines where its lead is 1."""
    line, points = square_grid(reach, n_points)
    # Digits that an optimum does not have would decide ties at random; rounded off, they go to the first class.
    table = np.round(scores(points), 3).reshape(n_points, n_points, n_classes)
    tint(axes, line, line, table.argmax(axis=2), n_classes)
    ordered = np.sort(table, axis=2)
    axes.contour(
        line, line, ordered[:, :, -1] - ordered[:, :, -2], levels=[1.0], colors="black", linestyles=":", linewidths=1
    )
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    axes.grid(False)


def ring(axes: Axes, points: Array, size: float = 120) -> None:
    """Circle the support vectors."""
    axes.scatter(points[:, 0], points[:, 1], s=size, facecolor="none", edgecolor="black", linewidth=1.2, zorder=4)


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
    """The scores of a binary SVM as those of two classes, whose difference is the score."""
    return lambda points: np.stack([points @ w, -(points @ w)], axis=1) / 2


def nearest_figure() -> Figure:
    """Two constraints in the plane of weights: the region they leave, its shortest w, and the right angle there."""
    figure, axes = plt.subplots(figsize=(5.8, 4.8))
    axes.fill_between([1, 3], [1, 1], [3, 3], color=COLOURS[2], alpha=0.15, linewidth=0)
    axes.plot([1, 1], [1, 3], color=COLOURS[2])
    axes.plot([1, 3], [1, 1], color=COLOURS[2])
    angle = np.linspace(-0.1, np.pi / 2 + 0.1, 60)
    axes.plot(np.sqrt(2) * np.cos(angle), np.sqrt(2) * np.sin(angle), color="black", linestyle=":", linewidth=1.2)
    draw_arrow(axes, (0, 0), (1, 1), "black")
    draw_arrow(axes, (1, 1), (1.3, 2.4), COLOURS[4])
    axes.text(0.38, 0.55, "$w$", fontsize=13)
    axes.text(1.34, 2.2, "$v$", fontsize=13)
    axes.text(1.75, 1.6, "all constraints met", color=COLOURS[2])
    axes.set(xlim=(-0.3, 2.9), ylim=(-0.2, 2.6), aspect="equal", xlabel="$w_1$", ylabel="$w_2$")
    return figure


def draw_arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str, **style: Any) -> None:
    """A straight arrow from one point to another."""
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 2, **style}, zorder=4)


def farkas_figure(z: Array, targets: Sequence[Array], v: Array) -> Figure:
    """The cone of two vectors with a target inside and one outside, which the direction v separates from the cone."""
    figure, panels = plt.subplots(1, 2, figsize=(7.4, 3.6))
    for axes, w, title in zip(panels, targets, ("inside: a combination", "outside: a direction says no"), strict=True):
        axes.fill(*np.array([[0, 0], 9 * z[0], 9 * (z[0] + z[1]), 9 * z[1]]).T, color=COLOURS[2], alpha=0.15)
        for vector, name, beside in zip(z, ("$z_1$", "$z_2$"), ((0, -0.3), (-0.3, 0.12)), strict=True):
            draw_arrow(axes, (0, 0), tuple(vector), COLOURS[2])
            axes.text(*(vector + beside), name, color=COLOURS[2], fontsize=13)
        draw_arrow(axes, (0, 0), tuple(w), "black")
        axes.text(*(w * 1.05 + 0.08), "$w$", fontsize=13)
        axes.set(xlim=(-2.2, 3), ylim=(-1.6, 2.6), aspect="equal", xticks=[], yticks=[], title=title)
        axes.grid(False)
    shares = np.linalg.solve(z.T, targets[0])
    panels[0].plot(*np.array([shares[0] * z[0], targets[0], shares[1] * z[1]]).T, color="black", linestyle=":")
    draw_arrow(panels[1], (0, 0), tuple(v), COLOURS[4])
    panels[1].text(v[0] - 0.35, v[1] - 0.1, "$v$", fontsize=13)
    border = np.array([-v[1], v[0]]) * 4
    panels[1].plot(*np.array([-border, border]).T, color=COLOURS[4], linestyle="--", linewidth=1.2)
    return figure


def image_figure(w: Array, images: Sequence[tuple[Array, str]], shape: tuple[int, int] = (8, 8)) -> Figure:
    """The weights of a SVM on pictures as a picture, and the pictures with the largest multipliers."""
    figure, places = plt.subplots(2, (1 + len(images)) // 2, figsize=(7.4, 3.9))
    panels, largest = places.ravel(), float(np.abs(w).max())
    panels[0].imshow(w.reshape(shape), cmap=ListedColormap(_between(MINUS, PLUS)), vmin=-largest, vmax=largest)
    panels[0].set_title("$w$")
    for axes, (image, title) in zip(panels[1:], images, strict=True):
        axes.imshow(image.reshape(shape), cmap="gray_r")
        axes.set_title(title, fontsize=10)
    for axes in panels:
        axes.set(xticks=[], yticks=[])
        axes.grid(False)
    return figure


def _between(first: str, last: str, size: int = 129) -> Array:
    """Colours from the first over white to the last."""
    ends = np.array([to_rgb(first), (1, 1, 1), to_rgb(last)])
    return np.stack([np.interp(np.linspace(0, 2, size), range(3), channel) for channel in ends.T], axis=1)


def kink_figure(slopes: Sequence[float]) -> Figure:
    """The hinge with lines through its kink that stay below it; and what a sum of a parabola and hinges has there."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 4.8))
    z = np.linspace(-0.6, 2.4, 200)
    for slope in slopes:
        left.plot(z, slope * (z - 1), color=COLOURS[5], linewidth=1)
    left.plot(z, np.maximum(0, 1 - z), color=COLOURS[0])
    left.set(xlabel="$z$", title=r"$\max(0,1-z)$ and lines below it", ylim=(-0.6, 1.7))
    w = np.linspace(-0.4, 1.8, 200)
    for C, colour in ((0.5, COLOURS[0]), (2.0, COLOURS[4])):
        right.plot(w, w**2 / 2 + C * np.maximum(0, 1 - w), color=colour, label=f"$C={C:g}$")
        best = min(C, 1.0)
        right.plot(best, best**2 / 2 + C * (1 - best), "o", color=colour)
    right.set(xlabel="$w$", title=r"$\frac{1}{2}w^2+C\max(0,1-w)$", ylim=(0, 2.2))
    right.legend()
    return figure


def duality_figure(C: float) -> Figure:
    """Primal and dual objective of the one example x = 1, drawn over the same axis."""
    figure, axes = plt.subplots(figsize=(6.4, 5.2))
    u = np.linspace(0, 1.3, 200)
    inside = u <= C
    axes.plot(u, u**2 / 2 + C * np.maximum(0, 1 - u), color=COLOURS[0], label="primal objective at $w=u$")
    axes.plot(u[inside], u[inside] - u[inside] ** 2 / 2, color=COLOURS[4], label=r"dual objective at $\alpha=u$")
    axes.axhline(C - C * C / 2, color="black", linestyle=":", linewidth=1)
    axes.plot(C, C - C * C / 2, "o", color="black", zorder=4)
    axes.axvline(C, color="black", linewidth=0.8, linestyle="--")
    axes.text(C + 0.02, 0.03, "$C$")
    axes.set(xlabel="$u$", ylabel="value", ylim=(0, 0.9))
    axes.legend(loc="lower right", bbox_to_anchor=(1, 0.12))
    return figure


def costs_figure(X: Array, y: Array, classifiers: dict[str, tuple[Array, Array]]) -> Figure:
    """One sample under several costs of slack."""
    figure, panels = plt.subplots(1, len(classifiers), figsize=(7.4, 2.9))
    for axes, (title, (w, support)) in zip(panels, classifiers.items(), strict=True):
        draw_predictions(axes, two_scores(w), 2, 1.1 * float(np.abs(X).max()), 200)
        draw_points(axes, X, y, s=16)
        ring(axes, X[support], size=60)
        axes.set_title(title)
    return figure


def path_figure(C: Array, alpha: Array, slack: Array, norm: Array, corners: Array) -> Figure:
    """The multipliers as shares of C, each with its dash, and below it the sum of the slacks and the length of w."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 5.0), sharex=True)
    dashes = ("-", "--", ":", "-.")
    for i, values in enumerate(alpha.T):
        left.plot(C, values / C, color="black", alpha=0.75, linewidth=1.2, linestyle=dashes[i % len(dashes)])
    left.set(xscale="log", xlabel="$C$", ylabel=r"$\alpha_i\,/\,C$", ylim=(-0.03, 1.03))
    # The colours of the explorer of C.
    right.plot(C, slack / slack.max(), color=COLOURS[0])
    right.plot(C, norm / norm.max(), color=COLOURS[1])
    right.text(C[len(C) // 6], 0.75, r"$\sum_i\xi_i$", color=COLOURS[0], fontsize=12)
    right.text(C[len(C) // 6], 0.12, r"$\Vert w\Vert$", color=COLOURS[1], fontsize=12)
    right.plot(corners, np.zeros(len(corners)), linestyle="none", marker="|", color="black")
    right.set(xlabel="$C$", ylabel="share of the largest", ylim=(-0.05, 1.05), yticks=[0, 0.5, 1])
    return figure


def labellings_figure(points: Array, labellings: Sequence[tuple[Array, Array | None]]) -> Figure:
    """Labellings of the same points, each with a line through 0 that realises it, or a word where there is none."""
    figure, panels = plt.subplots(2, len(labellings) // 2, figsize=(7.4, 3.9))
    for axes, (signs, w) in zip(panels.ravel(), labellings, strict=True):
        for sign, colour, marker in ((1, PLUS, MARKERS[0]), (-1, MINUS, MARKERS[1])):
            axes.scatter(*points[signs == sign].T, color=colour, marker=marker, s=40, zorder=3)
        if w is None:
            axes.text(0, 0, "no line", ha="center", va="center", color=WRONG)
        else:
            along = 5 * np.array([-w[1], w[0]]) / np.linalg.norm(w)
            axes.plot(*np.array([-along, along]).T, color="black", linewidth=1.2)
            axes.plot(0, 0, ".", color="black")
        axes.set(xlim=(-2.4, 2.4), ylim=(-2.4, 2.4), aspect="equal", xticks=[], yticks=[])
        axes.grid(False)
    return figure


def cover_figure(shares: dict[str, tuple[Array, Array]]) -> Figure:
    """Share of the labellings that are separable, against points per dimension."""
    figure, axes = plt.subplots(figsize=(6.4, 5.2))
    for i, (name, (ratio, share)) in enumerate(shares.items()):
        axes.plot(ratio, share, color=COLOURS[i], marker=MARKERS[i], markersize=3, label=name)
    axes.axhline(0.5, color="black", linewidth=0.8, linestyle=":")
    axes.set(xlabel="points per dimension $m/d$", ylabel="separable share", xlim=(0, 4))
    axes.legend()
    return figure
