"""Figures of the chapter.  Margin rescaling has the first colour and slack rescaling the second throughout."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mcbook.binary_svm.figures import draw_predictions
from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS
from mcbook.foundation.types import Array

MARGIN, SLACK, FAINT = COLOURS[0], COLOURS[1], COLOURS[7]


def cloud_figure(errors: Array, leads: Array, right: int) -> Figure:
    """All labellings by their errors and the lead of the right one over them; what either rescaling charges."""
    figure, axes = plt.subplots(figsize=(7.4, 4.7))
    draw_cloud(axes, errors, leads, right)
    draw_levels(axes, errors, leads)
    axes.set(xlabel="errors $L$ of the labelling", ylabel="lead $m$ of the right labelling over it")
    axes.legend(loc="upper left")
    return figure


def draw_cloud(axes: Axes, errors: Array, leads: Array, right: int) -> None:
    """A dot for each labelling, spread sideways; the right one is a star, the predicted one has the lowest lead."""
    spread = np.linspace(-0.22, 0.22, 11)
    sideways = np.array([spread[(7 * i) % 11] if e else 0.0 for i, e in enumerate(errors)])
    others = np.arange(len(errors)) != right
    axes.axhspan(min(leads.min() - 1, -1), 0, color=FAINT, alpha=0.13, linewidth=0)
    axes.scatter((errors + sideways)[others], leads[others], s=14, color=COLOURS[7], zorder=2)
    axes.plot(0, 0, marker="*", markersize=14, color="black", linestyle="", zorder=4, label="the right labelling")
    axes.set(xlim=(-0.5, errors.max() + 0.6), ylim=(leads.min() - 0.8, leads.max() + 0.5))
    axes.set_xticks(range(int(errors.max()) + 1))


def draw_levels(axes: Axes, errors: Array, leads: Array) -> None:
    """The line and the hyperbola above which all labellings lie, each through the labelling that it charges for."""
    by_margin, by_slack = errors - leads, errors * (1 - leads)
    L = np.linspace(0.01, errors.max() + 0.6, 300)
    for values, level, colour, marker, name in (
        (by_margin, L - by_margin.max(), MARGIN, MARKERS[0], "margin rescaling"),
        (by_slack, 1 - by_slack.max() / L, SLACK, MARKERS[1], "slack rescaling"),
    ):
        at = int(values.argmax())
        axes.plot(L, level, color=colour, label=f"{name}: {values.max():.1f}")
        ring = axes.plot(errors[at], leads[at], marker=marker, color=colour, linestyle="", markersize=11, zorder=4)[0]
        ring.set(markerfacecolor="none", markeredgewidth=2)


def hull_figure(errors: Array, leads: Array, names: Sequence[str]) -> Figure:
    """1 - m against the errors: the hull that Viterbi runs with weighted losses find, and where slack rescaling is."""
    figure, axes = plt.subplots(figsize=(7.4, 4.5))
    heights = 1 - leads
    top = int((errors * heights).argmax())
    L = np.linspace(0.4, errors.max() + 0.5, 200)
    axes.plot(L, (errors * heights).max() / L, color=SLACK, label="$L(1-m)$ as large as can be")
    hull = upper_hull(errors, heights)
    axes.plot(errors[hull], heights[hull], color=MARGIN, marker=MARKERS[0], label="found by some Viterbi run")
    for name, x, height in zip(names, errors, heights, strict=True):
        axes.plot(x, height, marker=".", color="black", markersize=9, zorder=3)
        # Below what lies on or under the hull, where no line runs.
        below = x == errors[top] and height < heights[top]
        away = (9, -12) if x == 0 else (8, -12) if below else (-9, -13) if x == errors[top] else (9, 4)
        side = "right" if away[0] < 0 else "left"
        axes.annotate(name, (x, height), away, textcoords="offset points", fontsize=9, ha=side)
    axes.plot(errors[top], heights[top], marker=MARKERS[1], color=SLACK, markersize=12, markerfacecolor="none")
    axes.set(
        xlabel="errors $L$", ylabel="1 less the lead, $1-m$", xticks=range(int(errors.max()) + 1), ylim=(-1.2, 2.7)
    )
    axes.legend(loc="upper right")
    return figure


def upper_hull(x: Array, y: Array) -> Array:
    """The places of the corners of the upper hull of points in the plane, from left to right."""
    order = np.lexsort((-y, x))
    chosen: list[int] = []
    for i in order:
        if chosen and x[chosen[-1]] == x[i]:
            continue
        while len(chosen) > 1 and _turns_up(x, y, chosen[-2], chosen[-1], int(i)):
            chosen.pop()
        chosen.append(int(i))
    return np.array(chosen)


def _turns_up(x: Array, y: Array, a: int, b: int, c: int) -> bool:
    return bool((x[b] - x[a]) * (y[c] - y[a]) >= (y[b] - y[a]) * (x[c] - x[a]))


def planes_figure(w: Array, objective: Array, models: Sequence[Array], points: Sequence[tuple[float, float]]) -> Figure:
    """A problem in one weight: the objective, what the planes found so far make of it, and where that is least."""
    figure, row = plt.subplots(1, len(models), figsize=(8.4, 4.3), sharey=True)
    for number, (axes, model, point) in enumerate(zip(row, models, points, strict=True)):
        axes.plot(w, objective, color="black", label="objective")
        axes.plot(w, model, color=MARGIN, linestyle=ALLOWED, label="planes found so far")
        axes.plot(*point, marker=MARKERS[0], color=MARGIN, linestyle="")
        height = float(np.interp(point[0], w, objective))
        axes.annotate("", (point[0], height), point, arrowprops={"arrowstyle": "<->", "color": FAINT})
        axes.set(title=f"{number} plane{'' if number == 1 else 's'}", xlabel="$w$")
    figure.legend(*row[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    row[0].set(ylabel="value", ylim=(-0.3, float(np.max(objective))))
    return figure


def marginals_figure(tables: dict[str, Array], truth: Array) -> Figure:
    """The distributions of the labels of one sequence at several times; the right labels are framed."""
    figure, row = plt.subplots(1, len(tables), figsize=(8.4, 4.5), sharey=True)
    for axes, (title, P) in zip(row, tables.items(), strict=True):
        axes.imshow(P.T, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
        axes.plot(
            np.arange(len(truth)), truth, linestyle="", marker="s", markersize=13, markerfacecolor="none", color=SLACK
        )
        axes.set(title=title, xlabel="position", xticks=range(len(truth)), yticks=range(P.shape[1]))
        axes.grid(False)
    row[0].set(ylabel="label")
    return figure


def distance_figure(steps: Array, mean: Array, allowed: Array, runs: Array) -> Figure:
    """The distance of the dual value from its optimum on every sequence of draws, its mean, and the bound."""
    figure, axes = plt.subplots(figsize=(7.4, 4.2))
    axes.plot(steps, runs.T, color=FAINT, linewidth=0.6, alpha=0.5)
    axes.plot(steps, mean, color=MARGIN, marker=MARKERS[0], label="mean over all draws")
    axes.plot(steps, allowed, color=MARGIN, linestyle=ALLOWED, label="bound")
    axes.set(xlabel="steps $t$", ylabel="optimum less dual value", xticks=steps, yscale="log")
    axes.legend()
    return figure


def gap_time_figure(curves: dict[str, tuple[Array, Array]]) -> Figure:
    """The relative gap between primal and dual value against seconds."""
    figure, axes = plt.subplots(figsize=(7.4, 4.4))
    for i, (name, (seconds, gap)) in enumerate(curves.items()):
        axes.plot(seconds, gap, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.set(xscale="log", yscale="log", xlabel="seconds", ylabel="(primal − dual) / primal")
    axes.legend(fontsize=9)
    return figure


def needed_figure(inverse: Array, needed: dict[str, Array], allowed: Array) -> Figure:
    """Cutting planes that runs add, against 1 / epsilon, and the bound."""
    figure, axes = plt.subplots(figsize=(7.4, 4.5))
    for i, (name, counts) in enumerate(needed.items()):
        axes.plot(inverse, counts, color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.plot(inverse, allowed, color="black", linestyle=ALLOWED, label="bound")
    axes.set(xscale="log", yscale="log", xlabel=r"$CR^2/\varepsilon$", ylabel="planes", xticks=inverse)
    axes.set_xticklabels([str(n) for n in inverse])
    axes.minorticks_off()
    axes.legend()
    return figure


def sizes_figure(sizes: Sequence[int], errors: dict[str, Array]) -> Figure:
    """Test error for each digit against the number of training sequences."""
    figure, axes = plt.subplots(figsize=(7.4, 4.4))
    for i, (name, values) in enumerate(errors.items()):
        axes.plot(sizes, 100 * np.asarray(values), color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.set(xscale="log", xlabel="training sequences", ylabel="digits read wrong (%)", ylim=(0, None), xticks=sizes)
    axes.set_xticklabels([str(size) for size in sizes])
    axes.minorticks_off()
    axes.legend()
    return figure


def rings_figure(X: Array, y: Array, classifiers: dict[str, Callable[[Array], Array]]) -> Figure:
    """The labels of single points under the SVMs, and the chains' points."""
    figure, panels = plt.subplots(1, len(classifiers), figsize=(8.0, 4.4))
    for axes, (name, scores) in zip(panels, classifiers.items(), strict=True):
        draw_predictions(axes, scores, 2, 1.15 * float(np.abs(X).max()), 160)
        for label in (0, 1):
            own = X[y == label]
            axes.scatter(own[:, 0], own[:, 1], s=26, color=COLOURS[label], marker=MARKERS[label], edgecolor="white")
        axes.set_title(name)
    return figure
