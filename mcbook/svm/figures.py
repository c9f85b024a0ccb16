"""Figures of the chapter on the multi-class machine."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from mcbook.binary_svm.figures import Array, Scores, draw_predictions, ring
from mcbook.foundation.figures import COLOURS, MARKERS
from mcbook.perceptron.figures import draw_points


def regions_figure(X: Array, y: Array, scores: Scores, support: Array) -> Figure:
    """The regions of a machine, the lines where the lead is 1, and the support vectors."""
    figure, axes = plt.subplots(figsize=(5.4, 4.4))
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


def losses_figure(w: Array, curves: dict[str, Array], minima: dict[str, tuple[float, float]]) -> Figure:
    """The objective with the hinge and with the ramp on a sample of the line, and where each is least."""
    figure, axes = plt.subplots()
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(w, values, color=COLOURS[i], label=name)
        place, value = minima[name]
        axes.scatter(place, value, color=COLOURS[i], marker=MARKERS[i], s=60, zorder=3, edgecolor="white")
    axes.set(xlabel="$w$", ylabel="objective", ylim=(0, 4.2))
    axes.legend()
    return figure


def kernel_figure(X: Array, y: Array, machines: dict[str, Scores]) -> Figure:
    """The same sample under several kernels."""
    figure, panels = plt.subplots(1, len(machines), figsize=(2.6 * len(machines), 2.9))
    reach = 1.1 * float(np.abs(X).max())
    for axes, (name, scores) in zip(panels, machines.items(), strict=True):
        draw_predictions(axes, scores, int(y.max()) + 1, reach, 200)
        draw_points(axes, X, y, s=14)
        axes.set_title(name)
    return figure
