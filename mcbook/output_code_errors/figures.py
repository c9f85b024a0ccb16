"""Figures of the chapter on the errors of output codes."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.foundation.figures import COLOURS, MARKERS
from mcbook.foundation.types import Array


def zeros_figure(classes: Array, first: Array, sharp: Array, target: float) -> Figure:
    """What both theorems promise for all pairs against the number of classes."""
    figure, axes = plt.subplots(figsize=(6.0, 3.6))
    axes.plot(classes, first, color=COLOURS[1], marker=MARKERS[1], label="first theorem, perfect learners")
    axes.plot(
        classes, sharp, color=COLOURS[0], marker=MARKERS[0], label=rf"sharper theorem, $\bar\varepsilon={target:g}$"
    )
    axes.axhline(1, color="black", linewidth=1, linestyle="--")
    axes.annotate("no promise above this line", (classes[-1], 1), xytext=(0, 4), textcoords="offset points", ha="right")
    axes.set(xlabel="number of classes $k$", ylabel="bound on the training error", ylim=(0, 2.05), xticks=classes)
    axes.legend(loc="upper left")
    return figure


def bound_figure(errors: Mapping[str, Array], bounds: Mapping[str, Array], title: str) -> Figure:
    """Training errors of many fitted codes against a bound."""
    figure, axes = plt.subplots(figsize=(7.0, 4.0))
    for i, name in enumerate(errors):
        axes.scatter(bounds[name], errors[name], color=COLOURS[i], marker=MARKERS[i], s=30, label=name, alpha=0.85)
    ends = np.array([0.03, 3])
    axes.plot(ends, ends, color="black", linewidth=1, label="error = bound")
    axes.axvline(1, color="black", linewidth=0.8, linestyle="--")
    axes.set(xscale="log", xlabel=title, ylabel="training error, ties as errors")
    axes.set_yscale("symlog", linthresh=0.01)
    axes.set(xlim=ends, ylim=(-0.001, 1.1))
    axes.legend(fontsize=9, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def learned_figure(codes: Mapping[str, Array]) -> Figure:
    """Codes with real entries as heat maps on one scale."""
    largest = max(float(np.abs(M).max()) for M in codes.values())
    figure, grid = plt.subplots(1, len(codes), figsize=(2.9 * len(codes), 2.6), squeeze=False)
    for (name, M), axes in zip(codes.items(), grid.flat, strict=True):
        image = axes.imshow(M, cmap="RdBu", vmin=-largest, vmax=largest, aspect="auto", interpolation="nearest")
        axes.set(title=name, xlabel="column", xticks=[], yticks=range(len(M)), yticklabels=range(1, len(M) + 1))
        axes.grid(False)
    grid[0, 0].set_ylabel("class")
    figure.colorbar(image, ax=list(grid.flat), shrink=0.9)
    return figure
