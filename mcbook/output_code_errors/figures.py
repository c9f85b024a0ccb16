"""Figures of the chapter on the errors of output codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, MINUS, NEITHER, PLUS
from mcbook.foundation.types import Array, Function

_SHADES = LinearSegmentedColormap.from_list("signs", [MINUS, NEITHER, PLUS])


def worst_case_figure(panels: Mapping[str, tuple[Array, Mapping[str, Array], Array]]) -> Figure:
    """For each code the bounds, dashed, and the exact worst training error, solid, against the average loss."""
    figure, row = plt.subplots(1, len(panels), figsize=(4.3 * len(panels), 4.9), squeeze=False, sharey=True)
    for panel, (axes, (name, (levels, bounds, worst))) in enumerate(zip(row.flat, panels.items(), strict=True)):
        for place, (theorem, values) in enumerate(bounds.items()):
            axes.plot(levels, values, color=COLOURS[1 + place], linestyle=ALLOWED, label=theorem)
        axes.plot(levels, worst, color=COLOURS[0], linewidth=3.2, alpha=0.55, label="worst sample")
        axes.set(title=name, xlabel=r"average hinge loss $\varepsilon$", ylim=(-0.03, 1.3), xlim=(0, levels[-1]))
        axes.axhline(1, color=COLOURS[7], linewidth=0.8)
        axes.legend(loc="upper left" if panel else "lower right", fontsize=9)
    row.flat[0].set_ylabel("training error")
    return figure


def _shown(name: str) -> str:
    return name.replace("all-pairs", "all pairs").replace("hadamard", "Hadamard")


def factor_figure(classes: Array, factors: Mapping[str, Array], least: Array) -> Figure:
    """What each code contributes to the bounds, against the number of classes."""
    figure, axes = plt.subplots(figsize=(8.2, 6.0))
    for place, (name, values) in enumerate(factors.items()):
        axes.plot(classes, values, color=COLOURS[place], marker=MARKERS[place], markersize=4, label=_shown(name))
    axes.plot(classes, least, color=COLOURS[6], linestyle=ALLOWED, label="least possible")
    axes.set(xlabel="number of classes $k$", ylabel=r"factor $\ell/\rho$", ylim=(0, 6), xticks=classes[::2])
    axes.legend(fontsize=9, loc="upper left")
    return figure


def potential_figure(potentials: Mapping[str, Function], reach: float = 3.0) -> Figure:
    """Potentials, and beside them the mean of two opposite arguments less the value at 0."""
    z = np.linspace(-reach, reach, 241)
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 5.4))
    for place, (name, potential) in enumerate(potentials.items()):
        style = {"color": COLOURS[place], "label": name}
        left.plot(z, potential(z), **style)
        right.plot(z, (potential(z) + potential(-z)) / 2 - potential(0.0), **style)
    left.set(xlabel="margin $z$", ylabel="$L(z)$")
    right.set(xlabel="margin $z$", ylabel="mean of $L(z)$ and $L(−z)$, less $L(0)$")
    right.axhline(0, color=COLOURS[7], linewidth=0.8)
    left.legend(fontsize=9)
    return figure


def theorems_figure(names: Sequence[str], first: Array, sharp: Array, worst: Array) -> Figure:
    """For each code both theorems and the exact worst case, one above the other."""
    figure, axes = plt.subplots(figsize=(8.0, 0.34 * len(names) + 1.0))
    places = np.arange(len(names))
    axes.scatter(first, places, color=COLOURS[1], marker="|", s=120, linewidth=2.5, label="first theorem")
    axes.scatter(sharp, places, color=COLOURS[2], marker="|", s=120, linewidth=2.5, label="sharper theorem")
    axes.scatter(worst, places, color=COLOURS[0], marker="o", s=26, label="worst sample", zorder=3)
    axes.set(xlabel="training error", xlim=(0, None), ylim=(len(names) - 0.5, -0.5))
    axes.set_yticks(places, names)
    axes.legend(fontsize=9, loc="lower right")
    return figure


def zeros_figure(classes: Array, first: Array, sharp: Array, target: float) -> Figure:
    """What both theorems promise for all pairs against the number of classes."""
    figure, axes = plt.subplots(figsize=(8.2, 6.0))
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
    figure, axes = plt.subplots(figsize=(8.8, 6.2))
    for i, name in enumerate(errors):
        axes.scatter(
            bounds[name], errors[name], color=COLOURS[i], marker=MARKERS[i], s=30, label=_shown(name), alpha=0.85
        )
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
    figure, grid = plt.subplots(1, len(codes), figsize=(3.6 * len(codes), 4.8), squeeze=False)
    for (name, M), axes in zip(codes.items(), grid.flat, strict=True):
        image = axes.imshow(M, cmap=_SHADES, vmin=-largest, vmax=largest, aspect="auto", interpolation="nearest")
        axes.set(
            title=name,
            xlabel="column",
            xticks=range(M.shape[1]),
            xticklabels=range(1, M.shape[1] + 1),
            yticks=range(len(M)),
            yticklabels=range(1, len(M) + 1),
        )
        axes.grid(False)
    grid[0, 0].set_ylabel("class")
    figure.colorbar(image, ax=list(grid.flat), shrink=0.9)
    return figure
