"""Figures of the chapter on constraint classification."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.constraint_classification.instances import PINWHEEL_MULTIPLIERS, pinwheel_sample
from mcbook.constraint_classification.theory.bounds import (
    compression_bound,
    log_growth_bound,
    plane_ranking_count,
    ranking_count_bound,
    risk_budget,
)
from mcbook.constraint_classification.theory.margins import centre_scores
from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, square_grid, tint
from mcbook.foundation.types import Array, Labels

# The plane of the weights whose rows sum to 0, of three labels and one feature.
_PLANE = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])


def tent_figure() -> Figure:
    """Three classes on a line: the best one-vs-rest scores beside three scores whose largest is right."""
    figure, panels = plt.subplots(1, 2, figsize=(7.8, 4.3), sharex=True)
    x = np.linspace(-2, 2, 2)
    rest = ((-1.5, -0.9), (0.0, -0.4), (1.5, -0.9))
    tent = ((-2, -1), (0, 0), (2, -1))
    for axes, scores, title in zip(
        panels, (rest, tent), ("each class against the rest", "the largest of three"), strict=True
    ):
        axes.axhline(0, color="black", linewidth=0.8)
        for z, (slope, height) in enumerate(scores):
            axes.plot(x, slope * x + height, color=COLOURS[z], label=f"score of class {z + 1}")
            axes.scatter([z - 1], [0], color=COLOURS[z], marker=MARKERS[z], s=70, zorder=3, edgecolor="white")
        axes.set(title=title, xlabel="feature", ylim=(-3.2, 3.2), xticks=(-2, -1, 0, 1, 2))
    panels[0].set_ylabel("score")
    figure.legend(*panels[1].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def pinwheel_figure(lines: dict[tuple[int, int], tuple[int, ...]]) -> Figure:
    """Six points: the lines that separate the pairs, and the multipliers that exclude three scores.

    ``lines`` has for each pair of classes the weights (u, v, c) of an affine score of opposite signs on the two.
    """
    X, y = pinwheel_sample()
    points = X[:, :2].astype(float)
    figure, panels = plt.subplots(1, 2, figsize=(7.8, 4.9), sharex=True, sharey=True)
    across = np.array([-5.0, 3.0])
    for ((a, b), weights), style in zip(lines.items(), ("-", "--", ":"), strict=True):
        u, v, c = (float(weight) for weight in weights)
        panels[0].plot(
            across, -(c + u * across) / v, color="black", linewidth=1.1, linestyle=style, label=f"{a + 1} | {b + 1}"
        )
    for axes in panels:
        for z in range(3):
            mine = points[y == z]
            axes.scatter(
                mine[:, 0], mine[:, 1], color=COLOURS[z], marker=MARKERS[z], s=70, zorder=3, label=f"class {z + 1}"
            )
        axes.set(xlim=(-4.4, 2.9), ylim=(-4.0, 4.2), xlabel="first feature")
    panels[0].set_ylabel("second feature")
    beside = {0: (0.2, 0.35), 3: (-2.25, -0.15), 4: (-0.3, 0.35)}
    for (point, rival), weight in PINWHEEL_MULTIPLIERS.items():
        right, up = beside.get(point, (0.2, -0.1))
        place = points[point] + (right, up - 0.75 * ((point, rival) == (0, 2)))
        panels[1].text(*place, f"{weight} against {rival + 1}", color=COLOURS[rival])
    panels[0].set_title("each pair has its line")
    panels[1].set_title("multipliers against rivals")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return figure


def lifted_figure(X: Array, y: Labels, w: Array) -> Figure:
    """Kesler's vectors of points on a line with three labels, in the plane in which they all lie."""
    figure, axes = plt.subplots(figsize=(6.4, 5.2))
    for x, label in zip(np.asarray(X, dtype=float).ravel(), y, strict=True):
        for rival in set(range(3)) - {int(label)}:
            v = np.zeros(3)
            v[label], v[rival] = x, -x
            place = _PLANE @ v
            style: dict[str, Any] = {"color": COLOURS[label], "marker": MARKERS[label], "s": 60, "zorder": 3}
            axes.scatter(*place, **style)
            axes.scatter(*-place, **(style | {"facecolor": "none", "edgecolor": COLOURS[label], "color": None}))
            axes.plot([0, place[0]], [0, place[1]], color=COLOURS[label], linewidth=1)
    normal = _PLANE @ np.asarray(w, dtype=float).ravel()
    along = np.array([-normal[1], normal[0]]) / np.hypot(*normal)
    reach = 3.4
    axes.plot(*(reach * np.outer(along, [-1, 1])), color="black", linewidth=1.4)
    axes.annotate(
        "", xy=tuple(1.6 * normal / np.hypot(*normal)), xytext=(0, 0), arrowprops={"arrowstyle": "-|>", "linewidth": 2}
    )
    axes.text(*(1.75 * normal / np.hypot(*normal)), "$w$")
    axes.set(
        xlim=(-reach, reach),
        ylim=(-reach, reach),
        aspect="equal",
        xlabel="$(w_1-w_2)/\\sqrt{2}$",
        ylabel="$(w_1+w_2-2w_3)/\\sqrt{6}$",
    )
    return figure


def voronoi_figure(centres: Array, X: Array, y: Labels) -> Figure:
    """The cells of the nearest centre with points in them: the regions of affine scores."""
    figure, axes = plt.subplots(figsize=(6.4, 5.2))
    reach = 10.0
    line, grid = square_grid(reach, 500)
    W = centre_scores(np.asarray(centres, dtype=float))
    labels = (np.c_[grid, np.ones(len(grid))] @ W.T).argmax(axis=1).reshape(500, 500)
    tint(axes, line, line, labels, len(W))
    axes.contour(line, line, labels, levels=np.arange(len(W)) + 0.5, colors="black", linewidths=0.8)
    for z, centre in enumerate(np.asarray(centres, dtype=float)):
        mine = np.asarray(X, dtype=float)[y == z]
        axes.scatter(
            mine[:, 0], mine[:, 1], color=COLOURS[z], marker=MARKERS[z], s=22, edgecolor="white", linewidth=0.5
        )
        axes.scatter(*centre, color="black", marker="+", s=110, zorder=4)
    axes.set(
        xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="first feature", ylabel="second feature"
    )
    axes.grid(False)
    return figure


def margin_bounds_figure(mistake_bound: int, delta: float) -> Figure:
    """The bounds that follow from a margin, against the number of examples."""
    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    m = np.unique(np.round(np.geomspace(2 * mistake_bound, 10_000 * mistake_bound, 60)).astype(int))
    curves = {
        "by compression": np.array([float(compression_bound(int(n), mistake_bound, delta)) for n in m]),
        "from the run, $P/m$": risk_budget(mistake_bound, delta) / m,
    }
    for z, (name, values) in enumerate(curves.items()):
        axes.plot(m, values, color=COLOURS[z], linestyle=ALLOWED, label=name)
    printed = (mistake_bound - np.log(delta)) / m
    axes.plot(m, printed, color="black", linestyle=":", label="as printed, with the factor 1")
    axes.set(xscale="log", yscale="log", ylim=(None, 1), xlabel="examples $m$", ylabel="bound on the risk")
    axes.legend()
    return figure


def counts_figure(largest: int) -> Figure:
    """Three labels in the plane: how many tuples of rankings there are, and what the counts allow, as bits."""
    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    m = np.arange(2, largest + 1)
    bounds = {
        "$(emk/2d)^{dk}$": [float(log_growth_bound(int(n), 3, 2)) / np.log(2) for n in m],
        "built in blocks": [np.log2(float(ranking_count_bound(int(n), 3, 2))) for n in m],
    }
    for z, (name, bits) in enumerate(bounds.items()):
        axes.plot(m, bits, color=COLOURS[z], linestyle=ALLOWED, label=name)
    exact = [float(plane_ranking_count(int(n))) for n in m]
    axes.plot(m, np.log2(exact), color=COLOURS[2], label="exact")
    axes.set(xlabel="points $m$", ylabel="bits", ylim=(0, None))
    axes.legend()
    return figure


def rules_figure(updates: dict[str, Array], errors: dict[str, Array]) -> Figure:
    """Updates made and test error against passes, for the rules of update."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.8, 4.3))
    for z, name in enumerate(updates):
        passes = np.arange(1, len(updates[name]) + 1)
        left.plot(passes, updates[name], color=COLOURS[z], marker=MARKERS[z], markersize=4, label=name)
        right.plot(passes, 100 * errors[name], color=COLOURS[z], marker=MARKERS[z], markersize=4, label=name)
    left.set(xlabel="passes", ylabel="updates in the pass", yscale="log")
    left.set_yticks([20, 50, 100, 200, 300], ["20", "50", "100", "200", "300"])
    left.minorticks_off()
    right.set(xlabel="passes", ylabel="test error (%)", ylim=(0, None))
    for axes in (left, right):
        axes.set_xticks(range(5, len(passes) + 1, 5))
    right.legend()
    return figure


def ranking_noise_figure(noise: Array, agreement: dict[str, Array]) -> Figure:
    """Kendall's tau on test examples against the noise in the rankings that were learnt from."""
    figure, axes = plt.subplots(figsize=(7.4, 4.4))
    for z, (name, values) in enumerate(agreement.items()):
        axes.plot(noise, values, color=COLOURS[z], marker=MARKERS[z], markersize=4, label=name)
    axes.set(xlabel="noise in the rankings", ylabel=r"Kendall's $\tau$ with the true ranking", ylim=(None, 1.01))
    axes.legend()
    return figure


def encodings_figure(orders: dict[str, list[tuple[int, int]]], n_classes: int) -> Figure:
    """What is known of an example as arrows between its labels, from the preferred one to the other."""
    figure, panels = plt.subplots(1, len(orders), figsize=(7.8, 3.0))
    angles = np.pi / 2 - 2 * np.pi * np.arange(n_classes) / n_classes
    places = np.c_[np.cos(angles), np.sin(angles)]
    for axes, (name, pairs) in zip(panels, orders.items(), strict=True):
        for i, j in pairs:
            away = places[j] - places[i]
            ends = places[i] + 0.2 * away, places[j] - 0.2 * away
            arrow = {"arrowstyle": "-|>", "linewidth": 1.5, "color": "black"}
            axes.annotate("", xy=tuple(ends[1]), xytext=tuple(ends[0]), arrowprops=arrow)
        for z, place in enumerate(places):
            size = 520 if MARKERS[z] == "^" else 330
            axes.scatter(*place, s=size, color=COLOURS[z], marker=MARKERS[z], edgecolor="white", zorder=3)
            # The middle of a triangle is below the middle of its box.
            down = 0.1 * (MARKERS[z] == "^")
            axes.text(place[0], place[1] - down, str(z + 1), color="white", ha="center", va="center", zorder=4)
        axes.set(xlim=(-1.45, 1.45), ylim=(-1.45, 1.45), aspect="equal", title=name)
        axes.axis("off")
    return figure


def risk_sums_figure(sums: list[Array], mistake_bound: int, delta: float) -> Figure:
    """The sums of the risks of runs, one curve for each, as they grow, and what they stay below."""
    figure, axes = plt.subplots(figsize=(7.4, 4.4))
    for curve in sums:
        axes.plot(np.arange(1, len(curve) + 1), curve, color=COLOURS[0], alpha=0.3, linewidth=1)
    axes.axhline(risk_budget(mistake_bound, delta), color=COLOURS[1], linestyle=ALLOWED, label="$P$")
    axes.axhline(mistake_bound, color="black", linestyle=":", label="$B$, their mean at most")
    axes.set(xlabel="examples seen", ylabel=r"$p_1+\dots+p_t$", ylim=(0, None))
    axes.legend(loc="lower right")
    return figure
