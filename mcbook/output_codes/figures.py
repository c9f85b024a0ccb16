"""Figures of the chapter on output codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mcbook.foundation.figures import COLOURS, MARKERS, MINUS, NEITHER, PLUS, tint
from mcbook.foundation.types import Array, Function, Scalar
from mcbook.foundation.vocabulary import MARKED
from mcbook.output_codes import decode, minimal_distance, row_distances

# Minus one, nought and one, told apart in grey as well.
_SIGNS = ListedColormap([MINUS, NEITHER, PLUS])


def draw_code(axes: Axes, M: Array, title: str) -> None:
    """A code with entries -1, 0, +1 as a heat map, classes downwards."""
    axes.imshow(M, cmap=_SIGNS, vmin=-1.5, vmax=1.5, aspect="auto", interpolation="nearest")
    n_classes, n_columns = M.shape
    axes.set_title(title, fontsize=9)
    axes.set(xticks=[], yticks=range(n_classes), yticklabels=range(1, n_classes + 1))
    for border in np.arange(0.5, n_columns - 1):
        axes.axvline(border, color="white", linewidth=0.7)
    for border in np.arange(0.5, n_classes - 1):
        axes.axhline(border, color="white", linewidth=0.7)
    axes.grid(False)


def draw_distances(axes: Axes, M: Array, largest: float) -> None:
    """The distances of all pairs of rows, written into their cells."""
    table = row_distances(M)
    axes.imshow(table, cmap="Greys", vmin=0, vmax=2.6 * largest, interpolation="nearest")
    n_classes = len(M)
    for (i, j), value in np.ndenumerate(table):
        axes.text(j, i, f"{value:g}", ha="center", va="center", fontsize=8.5, color="black")
    labels = range(1, n_classes + 1)
    axes.set(xticks=range(n_classes), yticks=range(n_classes), xticklabels=labels, yticklabels=labels)
    axes.grid(False)


def gallery_figure(codes: Mapping[str, Array]) -> Figure:
    """Codes above, the distances of their rows below."""
    figure, grid = plt.subplots(2, len(codes), figsize=(1.8 * len(codes), 4.6), squeeze=False)
    for (name, M), (above, below) in zip(codes.items(), grid.T, strict=True):
        draw_code(above, M, name)
        above.set_xlabel(f"{M.shape[1]} columns")
        draw_distances(below, M, float(row_distances(M).max()))
        below.set_xlabel(rf"$\rho={float(minimal_distance(M)):g}$")
    grid[0, 0].set_ylabel("class")
    grid[1, 0].set_ylabel("distances of rows")
    return figure


def draw_decoding(axes: Axes, M: Array, loss: str | Function, reach: float) -> None:
    """The plane of the two outputs of a code with two columns, tinted by the decoded class; ties are left clear."""
    # Different steps, so that no point of the grid lies on a diagonal, where rounding would break the ties.
    across, upwards = np.linspace(-reach, reach, 260), np.linspace(-reach, reach, 258)
    points = np.stack(np.meshgrid(across, upwards), axis=-1).reshape(-1, 2)
    labels = decode(points, M, loss, ties="mark").reshape(258, 260)
    tint(axes, across, upwards, np.where(labels == MARKED, np.nan, labels), len(M), alpha=0.3)
    for label, row in enumerate(M):
        axes.scatter(row[0], row[1], color=COLOURS[label], marker=MARKERS[label], s=60, edgecolor="white", zorder=3)
        axes.annotate(f"{label + 1}", row, xytext=(6, 5), textcoords="offset points", fontsize=9)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.axvline(0, color="black", linewidth=0.6)
    axes.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach))
    axes.grid(False)


def geometry_figure(codes: Sequence[Array], decoders: Mapping[str, str | Function], reach: float = 2.6) -> Figure:
    """A row of panels for each code, a column for each way of decoding."""
    shape = (len(codes), len(decoders))
    figure, grid = plt.subplots(*shape, figsize=(2.8 * shape[1], 2.9 * shape[0]), squeeze=False, sharex=True)
    for M, row in zip(codes, grid, strict=True):
        for loss, axes in zip(decoders.values(), row, strict=True):
            draw_decoding(axes, M, loss, reach)
        row[0].set_ylabel("$f_2$")
    for name, above, below in zip(decoders, grid[0], grid[-1], strict=True):
        above.set_title(name)
        below.set_xlabel("$f_1$")
    return figure


def plotkin_figure(lengths: Array, shares: Mapping[str, Array], ceiling: float, n_classes: int) -> Figure:
    """Minimal distance over length of random codes, the mean of one pair, and Plotkin's ceiling."""
    figure, axes = plt.subplots(figsize=(8.2, 5.4))
    for i, (name, values) in enumerate(shares.items()):
        axes.plot(lengths, values, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.axhline(ceiling, color="black", linewidth=1.2, label="Plotkin's ceiling")
    axes.axhline(0.5, color=COLOURS[7], linewidth=1.2, linestyle="--", label="mean of one pair")
    axes.set(xscale="log", xlabel=r"columns $\ell$", ylabel=r"$\rho/\ell$", ylim=(0, 0.6), title=f"{n_classes} classes")
    axes.legend(fontsize=9)
    return figure


def corrected_figure(rows: Sequence[tuple[str, Array]]) -> Figure:
    """The share of examples decoded rightly against the number of wrong outputs, over all patterns of them."""
    figure, axes = plt.subplots(figsize=(8.2, 5.4))
    for i, (name, shares) in enumerate(rows):
        axes.plot(np.arange(len(shares)), shares, color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.set(xlabel="wrong outputs", ylabel="share decoded rightly", ylim=(-0.03, 1.05))
    axes.legend(fontsize=9)
    return figure


def decoding_figure(M: Array, outputs: Array, distances: Mapping[str, Sequence[Scalar]]) -> Figure:
    """A vector of outputs above the code, a cross where a row's sign is not that of the output, and the distances."""
    n_classes, n_columns = M.shape
    wide, high = 0.78 * n_columns + 1.45 * len(distances) + 0.9, 0.44 * (n_classes + 2.6)
    figure, axes = plt.subplots(figsize=(wide, high))
    for s, value in enumerate(outputs):
        _draw_cell(axes, s, -1.5, int(np.sign(value)), f"{float(value):g}".replace("-", "−"))
    for (r, s), entry in np.ndenumerate(M):
        _draw_cell(axes, s, r, int(entry), "×" if entry * outputs[s] < 0 else "")
    for place, (name, values) in enumerate(distances.items()):
        x = n_columns + 0.9 + 1.85 * place
        axes.text(x, -1.5, name, ha="center", va="center", fontsize=10)
        least = min(values)
        for r, value in enumerate(values):
            weight = "bold" if value == least else "normal"
            axes.text(x, r, f"{float(value):.7g}", ha="center", va="center", fontsize=10, fontweight=weight)
    axes.set(xlim=(-0.5, n_columns + 1.85 * len(distances)), ylim=(n_classes - 0.4, -2.1), xticks=[])
    axes.set_yticks([-1.5, *range(n_classes)], ["outputs", *(f"class {r + 1}" for r in range(n_classes))])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.grid(False)
    return figure


def _draw_cell(axes: Axes, x: float, y: float, sign: int, text: str) -> None:
    colour = {1: PLUS, -1: MINUS, 0: NEITHER}[sign]
    axes.add_patch(Rectangle((x - 0.46, y - 0.44), 0.92, 0.88, facecolor=colour, edgecolor="none"))
    axes.text(x, y, text, ha="center", va="center", fontsize=10, color="white" if sign else "black", fontweight="bold")


def difficulty_figure(sizes: Array, errors: Array) -> Figure:
    """The error of each dichotomy of the classes, in increasing order; marks tell the number on its smaller side."""
    figure, axes = plt.subplots(figsize=(8.2, 5.2))
    order = np.argsort(errors, kind="stable")
    for place, size in enumerate(np.unique(sizes)):
        where = np.flatnonzero(sizes[order] == size)
        name = "one class against the rest" if size == 1 else f"{size} classes against the rest"
        axes.scatter(
            where + 1, 100 * errors[order][where], color=COLOURS[place], marker=MARKERS[place], s=30, label=name
        )
    axes.set(xlabel="questions, the easiest first", ylabel="wrong answers in %", ylim=(0, None))
    axes.legend(loc="upper left")
    return figure


def rules_figure(wrong: Mapping[tuple[str, str], float]) -> Figure:
    """Shares of errors of some codes, each with several ways of decoding, as bars."""
    names, rules = (list(dict.fromkeys(key[place] for key in wrong)) for place in (0, 1))
    figure, axes = plt.subplots(figsize=(8.2, 4.8))
    width = 0.8 / len(rules)
    for place, rule in enumerate(rules):
        shares = [100 * wrong[name, rule] for name in names]
        centres = np.arange(len(names)) + (place - (len(rules) - 1) / 2) * width
        bars = axes.bar(centres, shares, 0.94 * width, color=COLOURS[place], label=f"{rule.capitalize()} decoding")
        axes.bar_label(bars, fmt="%.1f")
    axes.set_xticks(range(len(names)), names)
    axes.set(ylabel="wrong in %")
    axes.legend()
    return figure
