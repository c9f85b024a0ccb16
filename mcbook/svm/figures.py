"""Figures of the chapter on support vector machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from mcbook.foundation.figures import COLOURS, MARKERS
from mcbook.perceptron.figures import draw_points

Array = np.ndarray[Any, Any]
Scores = Callable[[Array], Array]


def draw_predictions(axes: Axes, scores: Scores, n_classes: int, reach: float, n_points: int = 300) -> None:
    """Tint the plane by the class with the largest score, and dot the lines where its lead is 1."""
    line = np.linspace(-reach, reach, n_points)
    points = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    # Digits that an optimum does not have would decide ties at random; rounded off, they go to the first class.
    table = np.round(scores(points), 3).reshape(n_points, n_points, n_classes)
    shades = ListedColormap(COLOURS[:n_classes])
    axes.pcolormesh(
        line, line, table.argmax(axis=2), cmap=shades, vmin=-0.5, vmax=n_classes - 0.5, alpha=0.16, rasterized=True
    )
    ordered = np.sort(table, axis=2)
    axes.contour(
        line, line, ordered[:, :, -1] - ordered[:, :, -2], levels=[1.0], colors="black", linestyles=":", linewidths=1
    )
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    axes.grid(False)


def ring(axes: Axes, points: Array) -> None:
    """Circle the support vectors."""
    axes.scatter(points[:, 0], points[:, 1], s=120, facecolor="none", edgecolor="black", linewidth=1.2, zorder=4)


def margin_figure(two: tuple[Array, Array, Scores, Array], many: tuple[Array, Array, Scores, Array]) -> Figure:
    """A binary and a multi-class machine: regions, the lines where the lead is 1, and the support vectors."""
    figure, panels = plt.subplots(1, 2, figsize=(7.4, 3.8))
    for axes, (X, y, scores, support), title in zip(panels, (two, many), ("two classes", "four classes"), strict=True):
        reach = 1.1 * float(np.abs(X).max())
        draw_predictions(axes, scores, int(y.max()) + 1, reach)
        draw_points(axes, X, y)
        ring(axes, X[support])
        axes.set_title(title)
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


def path_figure(C: Array, alpha: Array, slack: Array, norm: Array, knots: Array) -> Figure:
    """The multipliers as shares of C, the sum of the slacks and the length of w, against C."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.4))
    for i, values in enumerate(alpha.T):
        left.plot(C, values / C, color=COLOURS[i % len(COLOURS)], linewidth=1.3)
    left.set(xscale="log", xlabel="$C$", ylabel=r"$\alpha_i\,/\,C$", ylim=(-0.03, 1.03))
    right.plot(C, slack / slack.max(), color=COLOURS[1], label=r"$\sum_i\xi_i$, share of the most")
    right.plot(C, norm / norm.max(), color=COLOURS[0], label=r"$|w|$, share of the most")
    right.plot(knots, np.zeros(len(knots)), linestyle="none", marker="|", color="black", label="knots")
    right.set(xscale="log", xlabel="$C$", ylim=(-0.05, 1.75), yticks=[0, 0.5, 1])
    right.legend(loc="upper center", fontsize=9)
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


def gap_figure(curves: dict[str, tuple[Array, Array]], floor: float, work: str = "passes over the data") -> Figure:
    """Distance from the certified optimum, relative to it, against work; ``floor`` is how well the optimum is known."""
    figure, axes = plt.subplots()
    for i, (name, (amount, excess)) in enumerate(curves.items()):
        axes.plot(amount, excess, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.axhline(floor, color="black", linestyle=":", linewidth=1.2, label="accuracy of the certificate")
    axes.set(xscale="log", yscale="log", xlabel=work, ylabel="(primal − optimum) / optimum")
    axes.legend(fontsize=9, loc="lower left", bbox_to_anchor=(0, 0.07))
    return figure


def cover_figure(shares: dict[str, tuple[Array, Array]]) -> Figure:
    """Share of the labellings that are separable, against points per dimension."""
    figure, axes = plt.subplots(figsize=(6.0, 3.4))
    for i, (name, (ratio, share)) in enumerate(shares.items()):
        axes.plot(ratio, share, color=COLOURS[i], marker=MARKERS[i], markersize=3, label=name)
    axes.axhline(0.5, color="black", linewidth=0.8, linestyle=":")
    axes.set(xlabel="points per dimension $m/d$", ylabel="separable share", xlim=(0, 4))
    axes.legend()
    return figure


def dimension_figure(dimensions: Sequence[int], errors: dict[str, Array]) -> Figure:
    """Test error of the two ways of training against the dimension."""
    figure, axes = plt.subplots(figsize=(6.0, 3.4))
    for i, (name, values) in enumerate(errors.items()):
        axes.plot(dimensions, 100 * values, color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.set(xscale="log", xlabel="dimension $d$", ylabel="test error (%)", xticks=list(dimensions))
    axes.set_xticklabels([str(d) for d in dimensions])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.legend()
    return figure
