"""Our numbers beside the published ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mcbook.foundation.figures import OURS, PEER, RIGHT, WRONG
from mcbook.replication.algorithm.comparison import ComparedError, Conclusion, Errors, WinScore
from mcbook.replication.algorithm.published import PAPER_CODES, TableEntry, data_sets, published_errors

# What is compared, in the published tables and in our runs.
_Both: TypeAlias = tuple[Errors, Errors]
_HOLLOW: dict[str, Any] = {
    "markerfacecolor": "none",
    "markeredgecolor": PEER,
    "markeredgewidth": 1.6,
    "linestyle": "none",
}
_DIAMOND: dict[str, Any] = _HOLLOW | {"marker": "D", "markeredgewidth": 1.0}
_DOT: dict[str, Any] = {"marker": "o", "markerfacecolor": "white", "markeredgecolor": OURS, "linestyle": "none"}


def dots_figure(compared: Sequence[ComparedError], learner: str, decoder: str) -> Figure:
    """A panel for each data set: our error with its interval for each code, and the published one beside it."""
    theirs = published_errors()
    found = {c.entry: c for c in compared if (c.entry.learner, c.entry.decoder) == (learner, decoder)}
    known = {entry for entry in theirs if (entry.learner, entry.decoder) == (learner, decoder)}
    names = [name for name in data_sets() if any(entry.data == name for entry in (*found, *known))]
    width = min(5, len(names))
    height = math.ceil(len(names) / width)
    figure, grid = plt.subplots(height, width, figsize=(1.43 * width + 0.9, 1.3 * height + 0.4), squeeze=False)
    figure.set_layout_engine("constrained", w_pad=0.02, h_pad=0.04)
    for axes, name in zip(grid.flat, names, strict=False):
        for place, code in enumerate(PAPER_CODES):
            entry = TableEntry(learner, name, code, decoder)
            _dot(axes, place, found.get(entry), theirs.get(entry))
        axes.set(title=name, ylim=(len(PAPER_CODES) - 0.5, -0.5), yticks=range(len(PAPER_CODES)))
        axes.title.set_fontsize(9.5)
        axes.set_yticklabels(list(PAPER_CODES) if axes in grid[:, 0] else [])
        axes.tick_params(labelsize=8.5)
        axes.locator_params(axis="x", nbins=3)
    for axes in list(grid.flat)[len(names) :]:
        axes.axis("off")
    figure.supxlabel("test error in %", fontsize=9.5)
    return figure


def _dot(axes: Axes, place: int, found: ComparedError | None, printed: Fraction | None) -> None:
    if found is not None:
        low, high = found.interval
        axes.plot([low, high], [place, place], color=OURS, linewidth=1.4)
        axes.plot(found.ours, place, "o", color=OURS, markersize=4.5)
    if printed is not None:
        axes.plot(float(printed), place, "D", markersize=6.5, **_HOLLOW)


def bars_figure(
    panels: Mapping[str, _Both], learner: str, title: str, marks: Mapping[str, _Both] | None = None
) -> Figure:
    """For each code a bar for each data set: a difference of errors, published (grey) and ours (black).

    ``marks`` are other differences, drawn over the bars: published as hollow diamonds, ours as dots.
    """
    sets = [
        name for name in data_sets() if any(entry.data == name for both in panels.values() for d in both for entry in d)
    ]
    figure, row = plt.subplots(1, len(panels), figsize=(9.4, 0.27 * len(sets) + 1.5), squeeze=False, sharey=True)
    for axes, (name, (theirs, ours)) in zip(row.flat, panels.items(), strict=True):
        for values, shift, colour in ((theirs, -0.2, PEER), (ours, 0.2, OURS)):
            heights = {entry.data: float(value) for entry, value in values.items() if entry.learner == learner}
            places = [sets.index(data) + shift for data in heights]
            axes.barh(places, list(heights.values()), height=0.38, color=colour)
        if marks:
            for values, shift, style in zip(marks[name], (-0.2, 0.2), (_DIAMOND, _DOT), strict=True):
                ends = [(float(value), sets.index(entry.data) + shift) for entry, value in values.items()]
                axes.plot(*np.array(ends).reshape(-1, 2).T, markersize=3.5, **style)
        axes.axvline(0, color=OURS, linewidth=0.8)
        axes.set(title=name, ylim=(len(sets) - 0.5, -0.5), yticks=range(len(sets)))
        axes.set_yticklabels(sets)
        axes.tick_params(labelsize=9)
    figure.supxlabel(title, fontsize=9.5)
    return figure


def conclusions_figure(found: Sequence[Conclusion]) -> Figure:
    """Wins, ties and losses of each conclusion, in the published tables and in our runs, with the sign test's p."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.4, 0.36 * len(found) + 1.1), sharey=True)
    for axes, title, which in ((left, "published", "theirs"), (right, "our runs", "ours")):
        for place, conclusion in enumerate(found):
            _score_bar(axes, place, getattr(conclusion, which))
        axes.set(title=title, ylim=(len(found) - 0.5, -0.5), yticks=range(len(found)), xlim=(0, 1.3))
        axes.set_xticks([0, 0.5, 1], ["0", "1/2", "1"])
        axes.set_yticklabels([conclusion.name for conclusion in found])
        axes.set_xlabel("share of the comparisons: won, equal, lost")
        axes.tick_params(labelsize=9)
        axes.grid(visible=False)
    return figure


def _score_bar(axes: Axes, place: int, score: WinScore) -> None:
    total = sum(score)
    if not total:
        axes.text(0.02, place, "not run", va="center", fontsize=9)
        return
    start = 0.0
    for count, colour in zip(score, (RIGHT, PEER, WRONG), strict=True):
        axes.barh(place, count / total, left=start, height=0.62, color=colour, alpha=0.9)
        if count:
            axes.text(start + count / total / 2, place, str(count), ha="center", va="center", color="white", fontsize=9)
        start += count / total
    p = float(score.p_value)
    axes.text(1.03, place, "p < 0.001" if p < 0.001 else f"p = {p:.3f}", va="center", fontsize=9)
