"""Figures of the chapter on the problem of multi-class classification."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from mcbook.foundation.figures import COLOURS
from mcbook.foundation.types import Array
from mcbook.problem import expected_costs

# Corners of the triangle of probabilities: the first label on top.
_CORNERS = np.array([[0.5, np.sqrt(3) / 2], [0.0, 0.0], [1.0, 0.0]])


def simplex_figure(costs: dict[str, Array], labels: Sequence[str], marked: Array) -> Figure:
    """For every law on three labels the best prediction, one triangle for each table of costs; one law is marked."""
    figure, grid = plt.subplots(1, len(costs), figsize=(3.5 * len(costs), 3.6), squeeze=False)
    for axes, (name, table) in zip(grid.flat, costs.items(), strict=True):
        _draw_simplex(axes, np.asarray(table, dtype=float), labels)
        axes.plot(*(np.asarray(marked, dtype=float) @ _CORNERS), "o", color="black", markersize=6)
        axes.set_title(name)
    return figure


def _draw_simplex(axes: Axes, costs: Array, labels: Sequence[str]) -> None:
    x, y = np.meshgrid(np.linspace(0, 1, 500), np.linspace(0, _CORNERS[0, 1], 440))
    laws = _barycentric(np.stack([x, y], axis=-1))
    inside = (laws >= 0).all(axis=-1)
    best = np.where(inside, np.argmin(laws @ costs, axis=-1), np.nan)
    shades = ListedColormap(COLOURS[: len(labels)])
    axes.pcolormesh(x, y, best, cmap=shades, vmin=-0.5, vmax=len(labels) - 0.5, alpha=0.45, rasterized=True)
    border = np.vstack([_CORNERS, _CORNERS[:1]])
    axes.plot(border[:, 0], border[:, 1], color="black", linewidth=1.2)
    for corner, label, shift in zip(_CORNERS, labels, ((0, 0.04), (0, -0.09), (0, -0.09)), strict=True):
        x_text, y_text = corner + shift
        axes.text(x_text, y_text, label, ha="center")
    axes.set(xlim=(-0.08, 1.08), ylim=(-0.14, 1.0), aspect="equal")
    axes.axis("off")


def _barycentric(points: Array) -> Array:
    """The law on three labels whose mean corner is the point."""
    system = np.vstack([_CORNERS.T, np.ones(3)])
    return np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ np.linalg.inv(system).T


def costs_figure(law: Array, tables: dict[str, Array], labels: Sequence[str]) -> Figure:
    """The expected cost of every label that one might predict; the least one is filled."""
    figure, grid = plt.subplots(1, len(tables), figsize=(3.3 * len(tables), 3.0), squeeze=False)
    for axes, (name, table) in zip(grid.flat, tables.items(), strict=True):
        means = np.asarray(expected_costs(law, table), dtype=float)
        least = means.argmin()
        faces = [COLOURS[i] if i == least else "white" for i in range(len(labels))]
        axes.bar(labels, means, color=faces, edgecolor=COLOURS[: len(labels)], linewidth=1.8)
        axes.set(title=name, ylabel="expected cost")
    return figure


def imbalance_figure(n_classes: int) -> Figure:
    """Risk and balanced risk of the constant prediction against the share of the largest class."""
    share = np.linspace(1 / n_classes, 1, 200)
    figure, axes = plt.subplots(figsize=(6.0, 3.2))
    axes.plot(share, 1 - share, color=COLOURS[0], label=r"risk, $1-\max_l\pi_l$")
    balanced = np.full_like(share, 1 - 1 / n_classes)
    axes.plot(share, balanced, color=COLOURS[1], linestyle="--", label=r"balanced risk, $1-1/k$")
    axes.set(xlabel="share of the largest class", ylabel="risk of predicting it always", ylim=(0, 1))
    axes.legend(loc="lower left")
    return figure


def margins_figure(scores: Array, y: Array, margins: Array, classes: Sequence[str]) -> Figure:
    """The scores of a few examples, that of the label marked, with the margin under each group."""
    figure, axes = plt.subplots(figsize=(6.4, 3.4))
    n_samples, n_classes = scores.shape
    for label in range(n_classes):
        places = np.arange(n_samples) + (label - (n_classes - 1) / 2) * 0.22
        bars = axes.bar(places, scores[:, label], width=0.19, color=COLOURS[label], alpha=0.35)
        for bar, truth in zip(bars, y, strict=True):
            if truth == label:
                bar.set(alpha=1, edgecolor="black", linewidth=1.4)
    axes.set_xticks(range(n_samples), [rf"$\rho={margin}$" for margin in margins])
    axes.set(ylabel="score", ylim=(0, scores.max() + 1.4))
    patches = [Patch(color=COLOURS[label], label=classes[label]) for label in range(n_classes)]
    axes.legend(handles=patches, loc="upper center", ncol=n_classes)
    return figure
