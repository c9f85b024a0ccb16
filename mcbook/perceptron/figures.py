"""Figures of the chapter on the multi-class Perceptron."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from scipy.spatial import ConvexHull

from mcbook.foundation.figures import COLOURS, MARKERS, draw_against_bound, square_grid, tint
from mcbook.foundation.types import Array
from mcbook.perceptron import decision_rays, gaps, predict


def draw_regions(axes: Axes, W: Array, reach: float) -> None:
    """Tint the plane by the predicted class, and draw the rays on which the two best scores tie."""
    line, points = square_grid(reach, 400)
    tint(axes, line, line, predict(W.astype(float), points).reshape(400, 400), len(W))
    for ray in decision_rays(W):
        direction = np.array(ray, dtype=float) / np.hypot(float(ray[0]), float(ray[1]))
        end = 2 * reach * direction
        axes.plot([0, end[0]], [0, end[1]], color="black", linewidth=1.4)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    axes.grid(False)


def draw_points(axes: Axes, X: Array, y: Array, **style: Any) -> None:
    """The points of a sample, each class with its own colour and marker."""
    for label in np.unique(y):
        mine = X[y == label].astype(float)
        options: dict[str, Any] = {
            "color": COLOURS[label],
            "marker": MARKERS[label],
            "s": 34,
            "edgecolor": "white",
            "linewidth": 0.6,
        }
        axes.scatter(mine[:, 0], mine[:, 1], label=f"class {label + 1}", zorder=3, **(options | style))


def draw_rows(axes: Axes, W: Array, length: float) -> None:
    """The rows of W as arrows, the longest of the given length."""
    longest = max(np.linalg.norm(W.astype(float), axis=1).max(), 1e-12)
    for label, row in enumerate(W.astype(float) * (length / longest)):
        axes.annotate(
            "",
            xy=tuple(row),
            xytext=(0, 0),
            arrowprops={"arrowstyle": "-|>", "color": COLOURS[label], "linewidth": 2, "shrinkA": 0, "shrinkB": 0},
            zorder=4,
        )


def classifier_figure(W: Array, X: Array, y: Array) -> Figure:
    """The regions of a classifier with the sample it was trained on and its rows."""
    reach = 1.12 * float(np.abs(X.astype(float)).max())
    figure, axes = plt.subplots(figsize=(7.2, 5.2))
    draw_regions(axes, W, reach)
    draw_points(axes, X, y)
    draw_rows(axes, W, 0.55 * reach)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set(xlabel="first feature", ylabel="second feature")
    return figure


def hull_figure(W: Array) -> Figure:
    """The polygon that the rows span, and the wedges of the classes: a row inside of it owns none."""
    rows, names = W.astype(float), [f"$w_{label + 1}$" for label in range(len(W))]
    reach = 1.35 * float(np.abs(rows).max())
    figure, (polygon, plane) = plt.subplots(1, 2, figsize=(8.0, 4.1))
    corners = rows[ConvexHull(rows).vertices]
    polygon.fill(*corners.T, facecolor="gray", alpha=0.15, edgecolor="gray")
    for label, row in enumerate(rows):
        polygon.scatter(*row, s=60, color=COLOURS[label], marker=MARKERS[label], zorder=3)
        polygon.annotate(names[label], row, xytext=(7, 5), textcoords="offset points")
    for ray in decision_rays(W):
        direction = np.array(ray, dtype=float) / np.hypot(float(ray[0]), float(ray[1]))
        foot = corners[np.argsort(-(corners @ direction))[:2]].mean(axis=0)
        polygon.annotate("", foot + 0.4 * reach * direction, foot, arrowprops={"arrowstyle": "-|>", "color": "black"})
    polygon.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", title="rows, and normals of the edges")
    polygon.grid(False)
    draw_regions(plane, W, reach)
    plane.set(title="wedges")
    for axes in (polygon, plane):
        axes.set(xticks=[], yticks=[])
    return figure


def margins_figure(X: Array, y: Array, classifiers: dict[str, Array]) -> Figure:
    """Classifiers on one sample; within the disc around a point, as wide as its margin, the prediction does not change."""
    reach = 1.15 * float(np.abs(X.astype(float)).max())
    figure, row = plt.subplots(1, len(classifiers), figsize=(8.0, 4.4))
    for axes, (name, W) in zip(row, classifiers.items(), strict=True):
        widths = gaps(W.astype(float), X.astype(float), y) / (np.sqrt(2) * np.linalg.norm(W.astype(float)))
        draw_regions(axes, W, reach)
        for point, width, label in zip(X.astype(float), widths, y, strict=True):
            axes.add_patch(Circle(tuple(point), width, facecolor="none", edgecolor=COLOURS[label], linewidth=1))
        draw_points(axes, X, y, s=14)
        axes.set(xticks=[], yticks=[], title=f"{name}: smallest margin {widths.min():.3f}")
    return figure


def frames_figure(X: Array, y: Array, weights: Sequence[Array], updates: Array) -> Figure:
    """One frame for each update: the regions before it, and the example that causes it."""
    n_frames = len(weights)
    columns = 2 if n_frames in (2, 4) else 3
    rows = -(-n_frames // columns)
    reach = 1.15 * float(np.abs(X.astype(float)).max())
    figure, grid = plt.subplots(rows, columns, figsize=(2.67 * columns, 2.85 * rows), squeeze=False)
    for frame, axes in enumerate(grid.flat):
        axes.set(xticks=[], yticks=[])
        if frame >= n_frames:
            axes.axis("off")
            continue
        draw_regions(axes, weights[frame], reach)
        draw_points(axes, X, y)
        draw_rows(axes, weights[frame], 0.6 * reach)
        if frame < len(updates):
            example, rival = updates[frame]
            point = X[example].astype(float)
            axes.scatter(*point, s=190, facecolor="none", edgecolor="black", linewidth=1.6, zorder=5)
            axes.set_title(f"$t={frame}$: class {y[example] + 1} against {rival + 1}")
        else:
            axes.set_title(f"$t={frame}$: no mistake left")
    return figure


def growth_figure(products: Array, norms: Array, slope: float, radius: float) -> Figure:
    """Both sides of the proof against the number of updates t, divided by the norm of W*.

    A short run is drawn as points, which let the lines of the claims be seen where they lie on them.
    """
    t, steps = np.linspace(0, len(products) - 1, 400), np.arange(len(products))
    drawn = [{"linestyle": "", "marker": mark} for mark in MARKERS[:2]] if len(steps) < 20 else [{}, {}]
    figure, axes = plt.subplots(figsize=(8.0, 4.6))
    axes.plot(steps, norms, color=COLOURS[1], label=r"$\|W_t\|_F$", **drawn[1])
    axes.plot(t, np.sqrt(2 * t) * radius, color=COLOURS[1], linestyle=":", label=r"at most $\sqrt{2t}\,R$ (Claim 2)")
    axes.plot(steps, products, color=COLOURS[0], label=r"$\langle W^*,W_t\rangle/\|W^*\|_F$", **drawn[0])
    axes.plot(t, slope * t, color=COLOURS[0], linestyle=":", label=r"at least $\sqrt{2}\,\gamma t$ (Claim 1)")
    axes.set(xlabel="number of updates $t$", ylabel="length")
    axes.legend()
    return figure


def looseness_figure(bounds: Array, updates: Array, classes: Array) -> Figure:
    """Number of updates against the bound over many samples, both on logarithmic axes."""
    figure, axes = plt.subplots(figsize=(7.6, 5.0))
    draw_against_bound(axes, bounds, updates, classes, "updates = bound")
    axes.set(xscale="log", yscale="log", xlabel=r"bound $R^2/\gamma^2$", ylabel="updates made")
    axes.legend()
    return figure


def orders_figure(counts: dict[str, Array], bound: float) -> Figure:
    """How the number of updates is spread over random processing orders, for several samples."""
    figure, axes = plt.subplots(figsize=(8.0, 4.0))
    everything = np.concatenate(list(counts.values()))
    edges = np.linspace(everything.min() - 0.5, everything.max() + 0.5, 26)
    for i, (name, values) in enumerate(counts.items()):
        axes.hist(values, bins=edges, color=COLOURS[i], alpha=0.6, label=name)
    axes.set(xlabel="updates until no mistake is left", ylabel="orders", title=f"bound: {bound:.0f} updates")
    axes.legend()
    return figure


def passes_figure(curves: dict[str, Array], title: str) -> Figure:
    """Test error against passes over the data."""
    figure, axes = plt.subplots(figsize=(8.0, 4.6))
    for i, (name, errors) in enumerate(curves.items()):
        axes.plot(
            np.arange(1, len(errors) + 1), 100 * errors, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name
        )
    axes.set(xlabel="passes over the data", ylabel="test error (%)", title=title)
    axes.set_ylim(bottom=0)
    axes.legend()
    return figure
