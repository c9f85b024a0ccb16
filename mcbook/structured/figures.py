"""Figures of the chapter on structured prediction."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, MINUS, NEITHER, OURS, PEER, PLUS, RIGHT, WRONG
from mcbook.foundation.types import Array, Floats, Json, Labels
from mcbook.structured.algorithm.features import Scores
from mcbook.structured.algorithm.forest import chains
from mcbook.structured.algorithm.inference import best_labelling

FAINT = COLOURS[7]
_SHADES = LinearSegmentedColormap.from_list("signs", [MINUS, NEITHER, PLUS])


def trellis_figure(scores: Scores, columns: Sequence[str], labels: Sequence[str]) -> Figure:
    """Every labelling is a path from left to right; the best path, and the best label of every column alone."""
    E, T = np.asarray(scores.E, dtype=float), np.asarray(scores.T, dtype=float)
    n, k = E.shape
    best = best_labelling(Scores(E, T), chains([n])).labels
    alone = E.argmax(axis=1)
    figure, axes = plt.subplots(figsize=(8.2, 5.6))
    for t in range(n - 1):
        for i in range(k):
            for j in range(k):
                axes.plot([t, t + 1], [-i, -j], color=FAINT, linewidth=0.5 + 0.5 * (T[i, j] - T.min()), zorder=1)
    _path(axes, alone, COLOURS[1], ":", "best label of each column")
    _path(axes, best, COLOURS[0], "-", "best path")
    for t in range(n):
        for i in range(k):
            axes.scatter(t, -i, s=820, color="white", edgecolor="#666666", zorder=3)
            axes.text(t, -i, f"{E[t, i]:g}", ha="center", va="center", zorder=4)
    axes.set(xticks=range(n), xticklabels=columns, yticks=[-i for i in range(k)], yticklabels=labels)
    axes.set(xlim=(-0.4, n - 0.6), ylim=(-k + 0.4, 0.75))
    axes.grid(False)
    axes.legend(loc="upper center", ncols=2)
    return figure


def _path(axes: Axes, labels: Labels, colour: str, line: str, name: str) -> None:
    axes.plot(range(len(labels)), -np.asarray(labels), color=colour, linestyle=line, linewidth=4, label=name, zorder=2)


def growth_figure(lengths: Array, additions: Array, labellings: Array, n_labels: int) -> Figure:
    """The additions of Viterbi's algorithm and the number of labellings against the length."""
    figure, axes = plt.subplots(figsize=(7.4, 5.2))
    axes.plot(lengths, labellings, color=COLOURS[1], marker=MARKERS[1], label=f"labellings, ${n_labels}^n$")
    axes.plot(lengths, additions, color=COLOURS[0], marker=MARKERS[0], label="additions of Viterbi's algorithm")
    axes.set(yscale="log", xlabel="positions $n$")
    axes.legend()
    return figure


def reading_time_figure(growths: dict[str, Json]) -> Figure:
    """Time of reading against what grows, both as multiples of the first, with the fitted and the stated exponent."""
    figure, axes = plt.subplots(figsize=(7.4, 5.2))
    for i, (name, growth) in enumerate(growths.items()):
        sizes, seconds = np.array(growth["sizes"]) / growth["sizes"][0], np.array(growth["seconds"])
        label = f"{name}: exponent {growth['exponent']:.1f}, formula {growth['stated']:.1f}"
        axes.plot(sizes, seconds / seconds[0], color=COLOURS[i], marker=MARKERS[i], label=label)
        axes.plot(sizes, sizes ** growth["stated"], color=COLOURS[i], linestyle=ALLOWED)
    axes.set(xscale="log", yscale="log", xlabel="how many times as large", ylabel="how many times as long")
    axes.legend()
    return figure


def marginals_figure(images: Floats, marginals: Floats, truth: Labels, found: Labels, alone: Labels) -> Figure:
    """A row of digits with the distribution of every label under it, and what the chain and each digit alone would say."""
    n, k = marginals.shape
    figure, grid = plt.subplots(2, n, figsize=(8.6, 5.8), height_ratios=(1, 2.4), sharey="row")
    for t in range(n):
        top, below = grid[0, t], grid[1, t]
        top.imshow(images[t], cmap="Greys", interpolation="nearest")
        top.axis("off")
        colour = RIGHT if found[t] == truth[t] else WRONG
        top.set_title(f"{found[t]}", color=colour, fontsize=14)
        below.barh(range(k), marginals[t], color=COLOURS[0])
        below.scatter(1.17, alone[t], color=COLOURS[1], marker="<")
        below.set(xlim=(0, 1.32), yticks=range(k), xticks=(0, 1))
        below.invert_yaxis()
        below.grid(False)
    grid[1, 0].set_ylabel("digit")
    figure.supxlabel("probability of the label there, and (triangle) the label by itself", fontsize=10)
    return figure


def losses_figure(gaps: Floats, curves: dict[str, Floats], loss: Floats) -> Figure:
    """The objectives of one example with two labels against the gap, above the loss itself."""
    figure, axes = plt.subplots(figsize=(7.4, 5.4))
    axes.step(gaps, loss, color="black", linewidth=2.6, label="loss of the prediction", where="pre")
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(gaps, values, color=COLOURS[i], label=name)
    axes.set(xlabel="by how much the truth is ahead", ylim=(0, 6.4))
    axes.legend()
    return figure


def transitions_figure(transitions: Floats, classes: Sequence[object]) -> Figure:
    """The weights of pairs of neighbours: row the label before, column the label after it."""
    figure, axes = plt.subplots(figsize=(7.0, 5.9))
    most = np.abs(transitions).max()
    image = axes.imshow(transitions, cmap=_SHADES, vmin=-most, vmax=most)
    axes.set(xticks=range(len(classes)), xticklabels=classes, yticks=range(len(classes)), yticklabels=classes)
    axes.set(xlabel="and the label after it", ylabel="a label")
    axes.grid(False)
    figure.colorbar(image, ax=axes, label="weight")
    return figure


def letters_figure(rows: list[tuple[str, float, float]], others: list[tuple[str, float]]) -> Figure:
    """Test error per letter: without and with the chain, and beside it what others report, as lines."""
    figure, axes = plt.subplots(figsize=(8.0, 5.0))
    at = np.arange(len(rows))
    axes.barh(at - 0.2, [row[1] for row in rows], 0.38, color=COLOURS[1], label="each letter alone")
    axes.barh(at + 0.2, [row[2] for row in rows], 0.38, color=COLOURS[0], label="with the chain")
    for i, (name, value) in enumerate(others):
        axes.axvline(value, color=PEER if i else OURS, linestyle=ALLOWED, linewidth=1.4)
        axes.text(value, -0.62, f"{name} ", ha="right", va="bottom", fontsize=9)
    axes.set(yticks=at, yticklabels=[row[0] for row in rows], xlabel="wrong letters (%)", ylim=(len(rows) - 0.4, -0.95))
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def rows_figure(sizes: Sequence[int], errors: dict[str, list[float]]) -> Figure:
    """Test error against the number of rows that were there to learn from."""
    figure, axes = plt.subplots(figsize=(7.4, 5.2))
    for i, (name, values) in enumerate(errors.items()):
        axes.plot(sizes, 100 * np.asarray(values), color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.set(xscale="log", xticks=sizes, xticklabels=sizes, ylim=(0, None))
    axes.minorticks_off()
    axes.set(xlabel="rows of eight digits to learn from", ylabel="wrong digits (%)")
    axes.legend()
    return figure


def tags_figure(names: Sequence[str], errors: Sequence[float]) -> Figure:
    """Test errors on the book's own sentences, a bar for each way to read them."""
    figure, axes = plt.subplots(figsize=(7.4, 4.8))
    axes.barh(range(len(names)), 100 * np.asarray(errors), color=COLOURS[0])
    axes.set(yticks=range(len(names)), yticklabels=names, xlabel="wrong tags (%)")
    axes.invert_yaxis()
    return figure
