"""What goes beyond the published tables: rings, bounds, binary errors, later learners, methods, workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, OURS, PEER
from mcbook.foundation.types import Array
from mcbook.replication.algorithm.comparison import TrainingBounds
from mcbook.replication.algorithm.published import PAPER_CODES, TableEntry, data_sets
from mcbook.replication.algorithm.records import CellRun


def synthetic_figure(classes: Sequence[int], panels: Mapping[str, Mapping[str, Array]]) -> Figure:
    """For each code the mean errors over the sets, in per cent, against the number of classes, with their range."""
    figure, row = plt.subplots(1, len(panels), figsize=(9.0, 3.6), sharey=True, squeeze=False)
    for axes, (name, curves) in zip(row.flat, panels.items(), strict=True):
        for place, (what, errors) in enumerate(curves.items()):
            style = {"color": COLOURS[place], "marker": MARKERS[place], "markersize": 4}
            axes.plot(classes, 100 * errors.mean(axis=1), label=what, **style)
            low, high = 100 * errors.min(axis=1), 100 * errors.max(axis=1)
            axes.vlines(classes, low, high, color=COLOURS[place], linewidth=1.2)
        axes.set(title=name, xlabel="number of classes", ylim=(-2, None))
    row.flat[0].set_ylabel("test error in %")
    row.flat[0].legend(fontsize=9)
    return figure


def bounds_figure(found: Sequence[TrainingBounds]) -> Figure:
    """Training error against what a theorem allows it, on logarithmic axes; an error of 0 stands at the lower edge."""
    figure, row = plt.subplots(1, 2, figsize=(9.0, 3.8), sharey=True)
    titles = {"first": "first theorem", "sharper": "sharper theorem, all pairs only"}
    for axes, (what, title) in zip(row, titles.items(), strict=True):
        for place, code in enumerate(PAPER_CODES):
            points = [(getattr(b, what), b.error) for b in found if b.run.code == code and getattr(b, what) is not None]
            if points:
                bounds, errors = np.array(points).T
                style = {"color": COLOURS[place], "marker": MARKERS[place], "s": 16, "linewidths": 0}
                axes.scatter(np.clip(bounds, 1e-4, 100), np.clip(errors, 1e-4, None), label=code, **style)
        axes.plot([1e-4, 1], [1e-4, 1], color=PEER, linewidth=1)
        axes.axvline(1, color=PEER, linestyle=ALLOWED)
        axes.set(xscale="log", yscale="log", title=title, xlabel="what the theorem allows")
    row[0].set_ylabel("training error, ties counted")
    row[0].legend(fontsize=9, loc="upper left", borderaxespad=0.1, labelspacing=0.2)
    return figure


def binary_figure(panels: Mapping[str, tuple[Sequence[CellRun], str]]) -> Figure:
    """For each learner the multi-class error by a decoder against the share of wrong binary answers.

    A bar joins the quartiles of the columns' shares.
    """
    figure, row = plt.subplots(1, len(panels), figsize=(9.2, 3.9), squeeze=False)
    for axes, (name, (runs, decoder)) in zip(row.flat, panels.items(), strict=True):
        for place, code in enumerate(PAPER_CODES):
            chosen = [run for run in runs if run.code == code and decoder in run.wrong]
            binary, errors = (100 * np.array([(r.binary, r.error(decoder)) for r in chosen]).reshape(-1, 2)).T
            low, high = (100 * np.array([run.columns[i] for run in chosen]) for i in (1, 3))
            axes.hlines(errors, low, high, color=COLOURS[place], linewidth=0.6)
            axes.scatter(binary, errors, color=COLOURS[place], marker=MARKERS[place], s=30, label=code)
        limit = max(axes.get_xlim()[1], 1)
        axes.plot([0, limit], [0, limit], color=PEER, linewidth=1)
        axes.set(title=name, xlabel="wrong binary answers on test examples, in %", xlim=(0, limit), ylim=(0, None))
    row.flat[0].set_ylabel("test error in %")
    row.flat[0].legend(fontsize=9)
    return figure


def modern_figure(errors: Mapping[TableEntry, float], learners: Mapping[str, tuple[str, str]]) -> Figure:
    """For each data set the test errors of several learners: all codes as marks, the best of them filled."""
    sets = [name for name in data_sets() if any(entry.data == name for entry in errors)]
    figure, axes = plt.subplots(figsize=(8.6, 0.42 * len(sets) + 1.2))
    for place, (name, (learner, decoder)) in enumerate(learners.items()):
        shift = 0.16 * (place - (len(learners) - 1) / 2)
        for at, data in enumerate(sets):
            found = [
                float(e)
                for entry, e in errors.items()
                if (entry.learner, entry.data, entry.decoder) == (learner, data, decoder)
            ]
            if not found:
                continue
            style = {"color": COLOURS[place], "marker": MARKERS[place], "linestyle": "none", "markersize": 5}
            axes.plot(found, [at + shift] * len(found), markerfacecolor="none", alpha=0.7, **style)
            label = name if name not in axes.get_legend_handles_labels()[1] else None
            axes.plot(min(found), at + shift, label=label, **style)
    axes.set(
        ylim=(len(sets) - 0.5, -0.5),
        yticks=range(len(sets)),
        xlabel="test error in %, each code a mark, the best filled",
    )
    axes.set_yticklabels(sets)
    axes.set_xlim(left=0)
    axes.legend(fontsize=9)
    return figure


def methods_figure(kinds: Sequence[str], names: Sequence[str], seconds: Array, errors: Array) -> Figure:
    """Test error of each method, in percent, against the time it takes to train; one colour for each kind."""
    figure, axes = plt.subplots(figsize=(9.0, 5.4))
    order = list(dict.fromkeys(kinds))
    for kind, name, time, error in zip(kinds, names, seconds, errors, strict=True):
        place = order.index(kind)
        nth = [n for n, k in zip(names, kinds, strict=True) if k == kind].index(name)
        style = {"color": COLOURS[place], "marker": MARKERS[nth % len(MARKERS)], "s": 60}
        axes.scatter(1000 * time, error, label=name, **style)
    axes.set(xscale="log", xlabel="time to train in ms", ylabel="test error in %", ylim=(0, None))
    axes.legend(fontsize=9, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def speed_figure(workers: Sequence[int], speed_up: Array, limit: Array) -> Figure:
    """How many times faster so many workers are by a schedule of the parts, and what no schedule can pass."""
    figure, axes = plt.subplots(figsize=(7.6, 4.2))
    axes.plot(workers, limit, color=OURS, linestyle=ALLOWED, label="what no schedule can pass")
    axes.plot(workers, speed_up, color=OURS, marker="o", markersize=4, label="longest part first")
    axes.plot(workers, workers, color=PEER, linewidth=1, label="as many times as workers")
    axes.set(xscale="log", yscale="log", xlabel="workers", ylabel="times faster than one")
    axes.legend(fontsize=9)
    return figure
