"""Figures of the chapter on Rademacher complexity."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS
from mcbook.foundation.types import Array


def noise_figure(signs: Array, best: dict[str, Array]) -> Figure:
    """Random signs along a line, and for each class its function that agrees with them best."""
    places = np.arange(len(signs))
    figure, rows = plt.subplots(len(best), 1, figsize=(6.4, 1.35 * len(best) + 0.4), sharex=True)
    for axes, (name, values) in zip(rows, best.items(), strict=True):
        right = signs == values
        axes.step(places, values, where="mid", color=COLOURS[0], linewidth=2.2)
        axes.scatter(places[right], signs[right], color="black", s=26, zorder=3)
        axes.scatter(places[~right], signs[~right], facecolor="white", edgecolor="black", s=26, zorder=3)
        axes.set_title(f"{name}: correlation {np.mean(signs * values):+.2f}", loc="left")
        axes.set(ylim=(-1.5, 1.5), yticks=[-1, 1], xticks=[])
        axes.grid(False)
    rows[-1].set_xlabel("the sample, in order along the line")
    return figure


def decay_figure(sizes: Sequence[int], curves: dict[str, Sequence[float]]) -> Figure:
    """Complexities against the size of the sample, both on logarithmic axes."""
    figure, axes = plt.subplots()
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(sizes, values, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    reference = 1 / np.sqrt(np.array(sizes, dtype=float))
    axes.plot(sizes, reference, color="black", linestyle=":", label=r"$1/\sqrt{m}$")
    ticks = [size for size in sizes if size & (size - 1) == 0]
    axes.set(xscale="log", yscale="log", xlabel="size of the sample $m$", ylabel="complexity")
    axes.set_xticks(ticks, [str(size) for size in ticks])
    axes.set_yticks([0.2, 0.3, 0.5, 0.7, 1.0], ["0.2", "0.3", "0.5", "0.7", "1"])
    axes.minorticks_off()
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def deviation_figure(deviations: Array, probabilities: Array, marks: dict[str, float]) -> Figure:
    """The distribution of the largest deviation over a class, with the levels that a bound speaks of."""
    figure, axes = plt.subplots()
    axes.vlines(deviations, 0, probabilities, color=COLOURS[0], linewidth=3)
    for i, (name, level) in enumerate(marks.items(), 1):
        axes.axvline(level, color=COLOURS[i], linestyle="--", linewidth=1.6, label=f"{name}: {level:.3f}")
    axes.set(xlabel=r"largest deviation $\sup_g\,(E g-\hat E_S\,g)$", ylabel="probability")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)
    return figure


def intervals_figure(draws: Sequence[int], lower: Array, upper: Array, estimates: Array, exact: float) -> Figure:
    """Confidence intervals against the number of draws, and the true value."""
    figure, axes = plt.subplots(figsize=(6.4, 3.4))
    axes.vlines(draws, lower, upper, color=COLOURS[0], linewidth=2)
    axes.scatter(draws, estimates, color=COLOURS[0], s=20, zorder=3, label="estimate and interval")
    axes.axhline(exact, color=COLOURS[1], linewidth=1.4, label="exact value")
    axes.set(xscale="log", xlabel="sign vectors drawn", ylabel="complexity")
    axes.legend()
    return figure


def maxima_figure(clouds: dict[str, tuple[Array, Array]]) -> Figure:
    """The complexity of the class of combinations against the sum of the complexities."""
    figure, axes = plt.subplots(figsize=(5.4, 4.4))
    for i, (name, (sums, values)) in enumerate(clouds.items()):
        size = 70 if i == len(clouds) - 1 else 20
        axes.scatter(sums, values, s=size, color=COLOURS[i], marker=MARKERS[i], label=name, alpha=0.8, zorder=2 + i)
    end = max(float(sums.max()) for sums, _ in clouds.values())
    axes.plot([0, end], [0, end], color="black", linewidth=1.2, label="equal")
    axes.set(xlabel="sum of the complexities", ylabel="complexity of the combined class")
    axes.legend()
    return figure


def strip_figure(sizes: Sequence[int], curves: dict[str, Sequence[float]]) -> Figure:
    """Complexity of a ball of linear functions as a share of its bound, between 1/sqrt 2 and 1."""
    figure, axes = plt.subplots()
    axes.axhspan(1 / np.sqrt(2), 1, color=COLOURS[7], alpha=0.15)
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(sizes, values, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.axhline(np.sqrt(2 / np.pi), color="black", linestyle=":", linewidth=1.2, label=r"$\sqrt{2/\pi}$")
    axes.set(xlabel="size of the sample $m$", ylabel="share of the bound", ylim=(0.68, 1.02))
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def tilt_figure(values: Array, probabilities: Array, rates: Sequence[float]) -> Figure:
    """A distribution of mean 0 tilted by exp(lambda V), and the logarithm of E exp(lambda V) under its parabola."""
    figure, (distribution, logarithms) = plt.subplots(1, 2, figsize=(7.6, 3.9))
    width = 0.24 * float(np.diff(np.sort(values)).min())
    for i, rate in enumerate(rates):
        tilted = probabilities * np.exp(rate * values)
        tilted /= tilted.sum()
        mean = float(tilted @ values)
        label = rf"$\lambda={rate:g}$: variance {float(tilted @ (values - mean) ** 2):.2f}"
        distribution.bar(
            values + (i - (len(rates) - 1) / 2) * width, tilted, width=width, color=COLOURS[i], label=label
        )
    distribution.set(
        xlabel="value of $V$", ylabel="probability under the tilted distribution", xticks=values, ylim=(0, 1.5)
    )
    distribution.legend(loc="upper left")
    grid = np.linspace(-1.3 * max(rates), 1.3 * max(rates), 201)
    span = float(values.max() - values.min())
    psi = np.log(np.exp(np.outer(grid, values)) @ probabilities)
    logarithms.plot(grid, psi, color=COLOURS[0], label=r"$\psi(\lambda)=\ln\,E\,e^{\lambda V}$")
    logarithms.plot(grid, grid**2 * span**2 / 8, color=COLOURS[1], linestyle=ALLOWED, label=r"$\lambda^2c^2/8$")
    logarithms.set(xlabel=r"$\lambda$")
    logarithms.legend(loc="upper center")
    return figure


def released_figure(chains: dict[str, Sequence[float]]) -> Figure:
    """Complexities while one point after another is set free from its map, from all mapped to none."""
    figure, axes = plt.subplots(figsize=(7.0, 4.0))
    for i, (name, values) in enumerate(chains.items()):
        axes.plot(range(len(values)), values, color=COLOURS[i], marker=MARKERS[i], drawstyle="steps-post", label=name)
    axes.set(xlabel="points set free", ylabel="complexity")
    axes.set_xticks(range(len(values)))
    axes.set_ylim(bottom=0)
    axes.legend(loc="lower right")
    return figure


def blocks_figure(functions: Array, block: int) -> Figure:
    """One function of each family of the block class, and their maximum: each is alone where it is free."""
    n_families, n_points = functions.shape
    figure, rows = plt.subplots(n_families + 1, 1, figsize=(7.0, 1.05 * (n_families + 1) + 0.5), sharex=True)
    names = [f"$h_{j + 1}$" for j in range(n_families)] + ["maximum"]
    for j, (axes, name, values) in enumerate(zip(rows, names, [*functions, functions.max(axis=0)], strict=True)):
        families = np.arange(n_points) // block
        free = (families == j) | (j == n_families)
        shades = [COLOURS[family] if f else COLOURS[7] for family, f in zip(families, free, strict=True)]
        axes.bar(range(n_points), values, width=0.8, color=shades)
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set(ylim=(-1.3, 1.3), yticks=[-1, 1], xticks=[])
        axes.set_ylabel(name, rotation=0, ha="right", va="center")
        axes.grid(False)
    rows[-1].set_xlabel(f"{n_families} blocks of {block} points")
    return figure


def khinchine_figure(angles: Array, lengths: Array) -> Figure:
    """E|sigma_1 a_1 + sigma_2 a_2| as a length in every direction of (a_1, a_2), between two circles."""
    figure, axes = plt.subplots(figsize=(5.6, 4.9))
    circle = np.linspace(0, 2 * np.pi, 361)
    for radius, style, name in ((1, "--", "radius 1"), (1 / np.sqrt(2), ":", r"radius $1/\sqrt{2}$")):
        axes.plot(radius * np.cos(circle), radius * np.sin(circle), color="black", linestyle=style, label=name)
    curve = r"$E|\sigma_1a_1+\sigma_2a_2|$"
    axes.plot(lengths * np.cos(angles), lengths * np.sin(angles), color=COLOURS[0], label=curve)
    axes.set(xlabel="direction of $(a_1,a_2)$", aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def labellings_figure(sizes: Sequence[int], counts: dict[str, Sequence[float]]) -> Figure:
    """How many labellings of m points there are, and how many a class can make of them."""
    figure, axes = plt.subplots(figsize=(7.0, 4.2))
    for i, (name, values) in enumerate(counts.items()):
        axes.plot(sizes, values, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.set(yscale="log", xlabel="number of points $m$", ylabel="labellings")
    axes.set_xticks(sizes)
    axes.legend()
    return figure


def digits_figure(sizes: Array, curves: dict[str, Array], *, trivial: float) -> Figure:
    """What a bound (the first curve) promises on a real sample of growing size, and what is true.

    Above ``trivial`` it says nothing.
    """
    figure, axes = plt.subplots(figsize=(7.0, 4.2))
    for i, (name, values) in enumerate(curves.items()):
        style = "-" if i else ALLOWED
        axes.plot(sizes, values, style, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    top = 1.15 * max(float(np.max(values)) for values in curves.values())
    axes.axhspan(trivial, top, color=COLOURS[7], alpha=0.18, linewidth=0)
    axes.text(0.98, 0.97, "says nothing", transform=axes.transAxes, ha="right", va="top")
    axes.set(xscale="log", xlabel="size of the sample $m$", ylabel="mean ramp loss", ylim=(0, top))
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.legend(loc="upper center")
    return figure
