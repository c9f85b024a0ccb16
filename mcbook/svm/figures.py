"""Figures of the chapter on the multi-class SVM."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from mcbook.binary_svm.figures import Scores, draw_predictions, ring
from mcbook.foundation.figures import COLOURS, MARKERS
from mcbook.foundation.types import Array
from mcbook.perceptron.figures import draw_points


def regions_figure(X: Array, y: Array, scores: Scores, support: Array) -> Figure:
    """The regions of a SVM, the lines where the lead is 1, and the support vectors."""
    figure, axes = plt.subplots(figsize=(5.8, 5.2))
    draw_predictions(axes, scores, int(y.max()) + 1, 1.1 * float(np.abs(X).max()))
    draw_points(axes, X, y)
    ring(axes, X[support])
    return figure


def flow_figure(X: Array, y: Array, scores: Scores, alpha: Array) -> Figure:
    """Left the examples with what each takes in; right what every class takes from every other one."""
    n_classes = alpha.shape[1]
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.8))
    reach = 1.1 * float(np.abs(X).max())
    draw_predictions(left, scores, n_classes, reach)
    taken = alpha[np.arange(len(y)), y]
    for label in range(n_classes):
        mine = y == label
        size = 12 + 150 * taken[mine] / taken.max()
        left.scatter(
            X[mine, 0], X[mine, 1], s=size, color=COLOURS[label], marker=MARKERS[label], edgecolor="white", zorder=3
        )
    left.set_title("what each example takes in")
    draw_flows(right, flow_between(alpha, y))
    return figure


def flow_between(alpha: Array, y: Array) -> Array:
    """Entry (z, l): the flow that examples of class l draw from class z."""
    return np.array(
        [
            [-alpha[y == to, come].sum() if come != to else 0.0 for to in range(alpha.shape[1])]
            for come in range(alpha.shape[1])
        ]
    )


def draw_flows(axes: Axes, flows: Array) -> None:
    """Classes on a circle; an arrow from each rival to the class that takes from it, as wide as the flow."""
    n_classes = len(flows)
    angle = np.pi / 2 + 2 * np.pi * np.arange(n_classes) / n_classes
    places = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for come, to in zip(*np.nonzero(flows > 1e-9), strict=True):
        arrow = FancyArrowPatch(
            tuple(places[come]),
            tuple(places[to]),
            connectionstyle="arc3,rad=0.18",
            arrowstyle="simple,head_width=9,head_length=9,tail_width=" + f"{1 + 7 * flows[come, to] / flows.max():.2f}",
            color=COLOURS[to],
            alpha=0.65,
            shrinkA=17,
            shrinkB=17,
        )
        axes.add_patch(arrow)
        middle = (places[come] + places[to]) / 2
        across = np.array([places[to][1] - places[come][1], places[come][0] - places[to][0]])
        x_text, y_text = middle + 0.2 * across
        axes.text(x_text, y_text, f"{flows[come, to]:.1f}", ha="center", va="center", fontsize=9)
    for label, (x, y) in enumerate(places):
        axes.scatter(x, y, s=560, color=COLOURS[label], zorder=3)
        axes.text(x, y, str(label + 1), color="white", ha="center", va="center", zorder=4, fontweight="bold")
    axes.set(xlim=(-1.45, 1.45), ylim=(-1.45, 1.45), aspect="equal", title="flows between classes")
    axes.axis("off")


def slack_figure(examples: dict[str, tuple[Array, int]]) -> Figure:
    """Scores of the classes on single examples, the level that no rival should pass, and what is missing."""
    figure, panels = plt.subplots(1, len(examples), figsize=(7.4, 3.8), sharey=True)
    for axes, (title, (scores, label)) in zip(panels, examples.items(), strict=True):
        axes.bar(np.arange(len(scores)), scores, color=COLOURS[: len(scores)], width=0.6)
        level = scores[label] - 1
        rivals = np.arange(len(scores)) != label
        worst = int(np.flatnonzero(rivals)[scores[rivals].argmax()])
        axes.axhline(level, color="black", linestyle="--", linewidth=1.2)
        if scores[worst] > level:
            axes.annotate("", (worst + 0.4, level), (worst + 0.4, scores[worst]), arrowprops={"arrowstyle": "<->"})
            axes.text(worst + 0.46, (scores[worst] + level) / 2, r"$\xi$", va="center", fontsize=13)
        axes.set(title=title, xticks=range(len(scores)), xlabel="class")
        axes.set_xticklabels([f"{z + 1}" + (" (label)" if z == label else "") for z in range(len(scores))])
        axes.axhline(0, color="black", linewidth=0.8)
    panels[0].set_ylabel("score")
    return figure


def gap_parts_figure(factors: Array, parts: dict[str, Array]) -> Figure:
    """What separates the primal value of a scaled W from the optimum, part by part."""
    figure, axes = plt.subplots(figsize=(6.4, 4.4))
    axes.stackplot(factors, *parts.values(), colors=COLOURS[: len(parts)], alpha=0.55, labels=list(parts))
    axes.axvline(1, color="black", linestyle=":", linewidth=1.2)
    axes.set(xlabel="length of $W$, as a multiple of the best", ylabel="primal value less the optimum", ylim=(0, None))
    axes.legend(loc="upper right", borderaxespad=0)
    return figure


def rivalry_figure(table: Array, names: Sequence[str]) -> Figure:
    """What the examples of each class, a row, draw from every other class."""
    figure, axes = plt.subplots(figsize=(6.0, 5.2))
    picture = axes.imshow(table, cmap="cividis")
    figure.colorbar(picture, ax=axes, shrink=0.85, label="flow, in units of $C$")
    axes.set(xticks=range(len(names)), yticks=range(len(names)), xlabel="drawn from", ylabel="examples of")
    axes.set_xticklabels(names)
    axes.set_yticklabels(names)
    axes.grid(False)
    return figure


def kesler_figure(W: Array, x: Array, y: Array) -> Figure:
    """Three classes and one feature: Kesler's vectors in the plane of matrices whose rows sum to 0."""
    figure, axes = plt.subplots(figsize=(6.0, 5.0))
    plane = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    for value, label in zip(x, y, strict=True):
        for rival in range(3):
            if rival != label:
                point = plane @ (value * (np.eye(3)[label] - np.eye(3)[rival]))
                axes.scatter(*point, color=COLOURS[label], marker=MARKERS[label], s=60, zorder=3)
    normal = plane @ W
    axes.annotate("", normal, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "black", "lw": 2})
    axes.text(*(normal * 1.08), "$W$", fontsize=13)
    along = np.array([-normal[1], normal[0]]) / np.linalg.norm(normal) * 9
    for lead, style in ((0, "-"), (1, ":")):
        foot = lead * normal / (normal @ normal)
        axes.plot(*np.array([foot - along, foot + along]).T, color="black", linestyle=style, linewidth=1.2)
    axes.set(xlim=(-0.9, 3.1), ylim=(-1.7, 1.7), aspect="equal", xticks=[], yticks=[])
    axes.grid(False)
    return figure


def quotient_figure(C: Array, quotients: dict[str, Array]) -> Figure:
    """The value with one slack for each rival over that with one for each example, against C."""
    figure, axes = plt.subplots(figsize=(6.4, 4.4))
    for i, (name, values) in enumerate(quotients.items()):
        axes.plot(C, values, color=COLOURS[i], marker=MARKERS[i], markersize=4)
        axes.text(C[0] * 0.8, values[0] + 0.06, name, color=COLOURS[i])
    axes.set(xscale="log", xlabel="$C$", ylabel="quotient of the values", ylim=(0.9, None))
    return figure


def section_figure(grid: Array, curves: dict[str, Array], points: Array, values: Array, bumps: Array) -> Figure:
    """A function with given values on a sample, its projection on the kernel's sections, and these sections."""
    figure, axes = plt.subplots(figsize=(6.4, 4.5))
    axes.plot(grid, bumps.T, color=COLOURS[7], linewidth=0.9)
    for i, (name, curve) in enumerate(curves.items()):
        axes.plot(grid, curve, color=COLOURS[i], linestyle=("-", "--")[i], label=name)
    axes.plot(points, values, "o", color="black", zorder=4)
    axes.set(xlabel="$x$", xticks=[], ylim=(None, 1.35 * float(max(curve.max() for curve in curves.values()))))
    axes.legend(loc="upper left", ncols=2)
    return figure


def losses_figure(w: Array, curves: dict[str, Array], minima: dict[str, tuple[float, float]]) -> Figure:
    """The objective with the hinge and with the ramp on a sample of the line, and where each is least."""
    figure, axes = plt.subplots(figsize=(6.4, 4.6))
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(w, values, color=COLOURS[i], label=name)
        place, value = minima[name]
        axes.scatter(place, value, color=COLOURS[i], marker=MARKERS[i], s=60, zorder=3, edgecolor="white")
    axes.set(xlabel="$w$", ylabel="objective", ylim=(0, 4.2))
    axes.legend()
    return figure


def kernel_figure(X: Array, y: Array, classifiers: dict[str, Scores]) -> Figure:
    """The same sample under several kernels."""
    figure, panels = plt.subplots(1, len(classifiers), figsize=(2.6 * len(classifiers), 2.9))
    reach = 1.1 * float(np.abs(X).max())
    for axes, (name, scores) in zip(panels, classifiers.items(), strict=True):
        draw_predictions(axes, scores, int(y.max()) + 1, reach, 200)
        draw_points(axes, X, y, s=14)
        axes.set_title(name)
    return figure
