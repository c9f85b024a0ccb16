"""Figures of the chapter on the problem of multi-class classification."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from mcbook.foundation.figures import COLOURS, RIGHT, WRONG, tint
from mcbook.foundation.types import Array, Labels
from mcbook.problem import coherent_subsets, count_answers, expected_costs

# Corners of the triangle of probabilities: the first label on top.
_CORNERS = np.array([[0.5, np.sqrt(3) / 2], [0.0, 0.0], [1.0, 0.0]])


def simplex_figure(costs: dict[str, Array], labels: Sequence[str], marked: Array) -> Figure:
    """For every distribution on three labels the best prediction, one triangle for each table of costs; one distribution is marked."""
    figure, grid = plt.subplots(1, len(costs), figsize=(3.5 * len(costs), 3.6), squeeze=False)
    for axes, (name, table) in zip(grid.flat, costs.items(), strict=True):
        _draw_simplex(axes, np.asarray(table, dtype=float), labels)
        axes.plot(*(np.asarray(marked, dtype=float) @ _CORNERS), "o", color="black", markersize=6)
        axes.set_title(name)
    return figure


def _draw_simplex(axes: Axes, costs: Array, labels: Sequence[str]) -> None:
    x, y = np.meshgrid(np.linspace(0, 1, 500), np.linspace(0, _CORNERS[0, 1], 440))
    distributions = _barycentric(np.stack([x, y], axis=-1))
    inside = (distributions >= 0).all(axis=-1)
    best = np.where(inside, np.argmin(distributions @ costs, axis=-1), np.nan)
    tint(axes, x, y, best, len(labels), alpha=0.45)
    border = np.vstack([_CORNERS, _CORNERS[:1]])
    axes.plot(border[:, 0], border[:, 1], color="black", linewidth=1.2)
    for corner, label, shift in zip(_CORNERS, labels, ((0, 0.04), (0, -0.09), (0, -0.09)), strict=True):
        x_text, y_text = corner + shift
        axes.text(x_text, y_text, label, ha="center")
    axes.set(xlim=(-0.08, 1.08), ylim=(-0.14, 1.0), aspect="equal")
    axes.axis("off")


def _barycentric(points: Array) -> Array:
    """The distribution on three labels whose mean corner is the point."""
    system = np.vstack([_CORNERS.T, np.ones(3)])
    return np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ np.linalg.inv(system).T


def costs_figure(distribution: Array, tables: dict[str, Array], labels: Sequence[str]) -> Figure:
    """The expected cost of every label that one might predict; the least one is filled."""
    figure, grid = plt.subplots(1, len(tables), figsize=(3.95 * len(tables), 3.8), squeeze=False)
    for axes, (name, table) in zip(grid.flat, tables.items(), strict=True):
        means = np.asarray(expected_costs(distribution, table), dtype=float)
        least = means.argmin()
        faces = [COLOURS[i] if i == least else "white" for i in range(len(labels))]
        axes.bar(labels, means, color=faces, edgecolor=COLOURS[: len(labels)], linewidth=1.8)
        axes.set(title=name, ylabel="expected cost")
    return figure


def imbalance_figure(n_classes: int) -> Figure:
    """Risk and balanced risk of the constant prediction against the share of the largest class."""
    share = np.linspace(1 / n_classes, 1, 200)
    figure, axes = plt.subplots(figsize=(7.9, 4.1))
    axes.plot(share, 1 - share, color=COLOURS[0], label=r"risk, $1-\max_l\pi_l$")
    balanced = np.full_like(share, 1 - 1 / n_classes)
    axes.plot(share, balanced, color=COLOURS[1], linestyle="--", label=r"balanced risk, $1-1/k$")
    axes.set(xlabel="share of the largest class", ylabel="risk of predicting it always", ylim=(0, 1))
    axes.legend(loc="lower left")
    return figure


def margins_figure(scores: Array, y: Array, margins: Array, classes: Sequence[str]) -> Figure:
    """The scores of a few examples, that of the label marked, with the margin under each group."""
    figure, axes = plt.subplots(figsize=(7.9, 4.2))
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


def digits_figure(images: Array, labels: Labels, per_class: int = 3) -> Figure:
    """The first few pictures of each class, a column for each."""
    classes = np.unique(labels)
    figure, grid = plt.subplots(per_class, len(classes), figsize=(7.9, 0.86 * per_class + 0.35))
    for column, label in zip(grid.T, classes, strict=True):
        for axes, image in zip(column, images[labels == label], strict=False):
            axes.imshow(image, cmap="gray_r", interpolation="nearest")
            axes.set(xticks=[], yticks=[])
            axes.grid(False)
        column[0].set_title(str(label))
    return figure


def readings_figure(images: Array, truth: Labels, read: Labels, margins: Array) -> Figure:
    """Pictures of digits, each with its label, what it was read as, and the margin."""
    columns = 6
    rows = -(-len(images) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(7.9, 1.65 * rows), squeeze=False)
    for axes, image, label, said, margin in zip(grid.flat, images, truth, read, margins, strict=True):
        axes.imshow(image, cmap="gray_r", interpolation="nearest")
        axes.set(xticks=[], yticks=[])
        axes.grid(False)
        colour = RIGHT if label == said else WRONG
        axes.set_title(f"{label} read as {said}", color=colour)
        axes.set_xlabel(rf"$\rho={margin:.0f}$")
    return figure


def margin_histogram(margins: Array, width: float) -> Figure:
    """How many examples have which margin; those that count as errors in a colour of their own."""
    figure, axes = plt.subplots(figsize=(7.9, 4.1))
    edges = np.arange(np.floor(margins.min() / width), np.ceil(margins.max() / width) + 1) * width
    for mine, colour, name in ((margins > 0, RIGHT, "right"), (margins <= 0, WRONG, "wrong")):
        axes.hist(margins[mine], bins=edges, color=colour, label=f"{name}: {mine.sum()} examples")
    axes.axvline(0, color="black", linewidth=1)
    axes.set(xlabel=r"margin $\rho_h(x,y)$", ylabel="examples")
    axes.legend()
    return figure


def words_figure(truth: Array, guesses: dict[str, Array], labels: Sequence[str]) -> Figure:
    """The true answers to a few yes-or-no questions, and guesses; the places that differ are marked."""
    rows = {"truth": np.asarray(truth), **guesses}
    figure, axes = plt.subplots(figsize=(7.9, 0.7 * len(rows) + 0.6))
    for height, (name, word) in enumerate(rows.items()):
        wrong = np.asarray(word) != rows["truth"]
        distance = "" if name == "truth" else f"$d_H={wrong.sum()}$"
        for place, (symbol, differs) in enumerate(zip(word, wrong, strict=True)):
            colour = WRONG if differs else "black"
            axes.text(place, -height, str(symbol), ha="center", va="center", color=colour, fontsize=13)
            axes.add_patch(Rectangle((place - 0.4, -height - 0.4), 0.8, 0.8, fill=False, edgecolor=colour))
        axes.text(-0.7, -height, name, ha="right", va="center")
        axes.text(len(labels) - 0.3, -height, distance, ha="left", va="center", color=WRONG)
    for place, label in enumerate(labels):
        axes.text(place, 0.65, label, ha="center", va="center")
    axes.set(xlim=(-3.2, len(labels) + 0.9), ylim=(-len(rows) + 0.4, 1))
    axes.axis("off")
    return figure


def costs_table_figure(tables: dict[str, Array], labels: Sequence[str]) -> Figure:
    """Tables of costs, the darker the costlier."""
    figure, grid = plt.subplots(1, len(tables), figsize=(3.95 * len(tables), 3.8), squeeze=False)
    for axes, (name, table) in zip(grid.flat, tables.items(), strict=True):
        values = np.asarray(table, dtype=float)
        axes.imshow(values, cmap="Greys", vmin=0, vmax=2 * values.max())
        for (y, j), value in np.ndenumerate(values):
            axes.text(j, y, f"{value:g}", ha="center", va="center", color="black")
        places = range(len(labels))
        axes.set(title=name, xlabel="predicted", ylabel="true")
        axes.set_xticks(places, labels)
        axes.set_yticks(places, labels)
        axes.grid(False)
    return figure


def answers_figure(largest: int, length: int) -> Figure:
    """The number of answers of each task against the number of labels."""
    figure, axes = plt.subplots(figsize=(7.9, 4.4))
    labels = np.arange(2, largest + 1)
    names = {"sequence": f"sequences of length {length}", "ranking": "rankings", "subset": "subsets"}
    for i, (task, name) in enumerate(names.items()):
        counts = [float(count_answers(task, int(k), length)) for k in labels]  # type: ignore[arg-type]  # names of tasks
        axes.plot(labels, counts, color=COLOURS[i], marker="o", markersize=4, label=name)
    axes.plot(labels, labels, color=COLOURS[7], marker="o", markersize=4, label="single labels")
    axes.set(yscale="log", xlabel="number of labels $k$", ylabel="number of answers", xticks=labels[::2])
    axes.legend()
    return figure


def subsets_figure(parents: Sequence[int | None], names: Sequence[str]) -> Figure:
    """The subsets that cohere with a hierarchy of two levels, each as a small tree with its members filled."""
    found = list(coherent_subsets(parents))
    figure, grid = plt.subplots(1, len(found), figsize=(1.6 * len(found), 2.1))
    top = parents.index(None)
    below = [label for label in range(len(parents)) if label != top]
    places = {top: (0.5, 1.0)} | {label: (i / (len(below) - 1), 0.0) for i, label in enumerate(below)}
    for axes, subset in zip(np.atleast_1d(grid), found, strict=True):
        for label in below:
            axes.plot(*zip(places[top], places[label], strict=True), color=COLOURS[7], linewidth=1.2, zorder=1)
        for label, (x, y) in places.items():
            face = "black" if subset[label] else "white"
            axes.scatter(x, y, s=110, facecolor=face, edgecolor="black", zorder=2)
            axes.text(x, y + (0.22 if label == top else -0.36), names[label], ha="center", va="center", fontsize=10)
        axes.set(xlim=(-0.45, 1.45), ylim=(-0.6, 1.45))
        axes.axis("off")
    return figure


def depth_figure(depths: Sequence[int], gains: dict[str, Sequence[float]]) -> Figure:
    """What is gained by another answer than the most probable one, against the depth of a node of the tree."""
    figure, axes = plt.subplots(figsize=(7.9, 4.2))
    for i, (name, values) in enumerate(gains.items()):
        axes.plot(depths, values, color=COLOURS[i], label=name)
    axes.axhline(0, color="black", linewidth=1)
    axes.set(xlabel="depth of the node above cat and dog", ylabel="gain in expected cost", ylim=(-1.6, 2))
    axes.legend()
    return figure
