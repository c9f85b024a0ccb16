"""What a comparison is, and how it is run: interleaved, on the same data, brought to the same quality."""

from __future__ import annotations

import gc
import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

Data = Any

_MEASURABLE, _MOST_RUNS = 0.3, 50


@dataclass(frozen=True)
class Contender:
    """A program that does the work.

    ``run(data, setting)`` does all of it; ``settings`` go from fast to accurate, and the first that reaches the quality
    asked for is the one that is timed.  ``needs`` names the package that must be there.
    """

    name: str
    run: Callable[[Data, Any], Any]
    settings: tuple[Any, ...] = (None,)
    needs: str | None = None

    @property
    def present(self) -> bool:
        return self.needs is None or importlib.util.find_spec(self.needs) is not None


@dataclass(frozen=True)
class Case:
    """One piece of work on one set of data, ours first among the contenders.

    ``quality(data, result)`` is a number, the smaller the better, that every contender must bring to ``asked`` or
    below.
    With ``passes`` = (few, many), settings are numbers of passes over the data: both are run, and the time of one pass
    is the slope between them.  ``smoke`` makes a tiny set of data on which the tests try the quality.
    """

    name: str
    data: Callable[[], Data]
    smoke: Callable[[], Data]
    contenders: tuple[Contender, ...]
    quality: Callable[[Data, Any], float]
    asked: float
    target: float | None = None
    passes: tuple[int, int] | None = None

    @property
    def present(self) -> list[Contender]:
        return [contender for contender in self.contenders if contender.present]

    @property
    def missing(self) -> list[str]:
        return [contender.name for contender in self.contenders if not contender.present]


@dataclass(frozen=True)
class Growth:
    """How the time of the contenders grows with the size of the data: ``data(size)`` for each of the sizes.

    ``formula(size)``, where there is one, is the number of steps that the chapter states.
    """

    name: str
    data: Callable[[int], Data]
    sizes: tuple[int, ...]
    contenders: tuple[Contender, ...]
    quality: Callable[[Data, Any], float]
    asked: float
    formula: Callable[[int], float] | None = None

    @property
    def stated(self) -> float | None:
        """The exponent of the formula on these sizes."""
        if self.formula is None:
            return None
        return growth_exponent(self.sizes, [self.formula(size) for size in self.sizes])[0]


@dataclass
class Timing:
    """The times of one contender, one for each round, and the quality that it reached."""

    contender: str
    setting: Any
    quality: float
    reached: bool
    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    peak_megabytes: float | None = None

    @cached_property
    def summary(self) -> dict[str, Any]:
        low, median, high = np.quantile(self.seconds, [0.25, 0.5, 0.75])
        return {
            "contender": self.contender,
            "setting": self.setting,
            "quality": self.quality,
            "quality_reached": self.reached,
            "seconds": float(median),
            "quartiles": [float(low), float(high)],
            "cpu_seconds": float(np.median(self.cpu_seconds)),
            "rounds": len(self.seconds),
            "peak_megabytes": self.peak_megabytes,
        }


def calibrated(case: Case | Growth, contender: Contender, data: Data) -> tuple[Any, float]:
    """The first setting with which the contender reaches the quality (or its last), and the quality it has there.

    Tried in order: a strict setting may take hours where a loose one that is good enough takes minutes.
    """
    for setting in contender.settings:
        quality = case.quality(data, contender.run(data, setting))
        if quality <= case.asked:
            break
    return setting, quality


def compare(case: Case, data: Data, rounds: int) -> list[Timing]:
    """Every contender that is present, round after round, each round in the opposite order of the one before."""
    if case.passes is not None:
        return _compare_passes(case, *case.passes, data, rounds)
    timings, jobs = [], []
    for contender in case.present:
        setting, quality = calibrated(case, contender, data)
        timings.append(Timing(contender.name, setting, quality, quality <= case.asked))
        jobs.append((contender, setting))
    for number in range(rounds):
        for timing, (contender, setting) in _in_turn(list(zip(timings, jobs, strict=True)), number):
            wall, cpu = _timed(contender, data, setting)
            timing.seconds.append(wall)
            timing.cpu_seconds.append(cpu)
    return timings


def _compare_passes(case: Case, few: int, many: int, data: Data, rounds: int) -> list[Timing]:
    """The same for a case with passes: two timings for each contender, of a pass and of the whole fit of many."""
    pairs = []
    for contender in case.present:
        quality = max(case.quality((data, passes), contender.run(data, passes)) for passes in (few, many))
        reached = quality <= case.asked
        pairs.append(
            (
                contender,
                Timing(f"{contender.name}, one pass", None, quality, reached),
                Timing(f"{contender.name}, fit", many, quality, reached),
            )
        )
    for number in range(rounds):
        for contender, one_pass, fit in _in_turn(pairs, number):
            short, long = _timed(contender, data, few), _timed(contender, data, many)
            for times, a, b in zip((0, 1), short, long, strict=True):
                (one_pass.seconds, one_pass.cpu_seconds)[times].append((b - a) / (many - few))
                (fit.seconds, fit.cpu_seconds)[times].append(b)
    return [timing for pair in pairs for timing in pair[1:]]


def ratios(ours: Timing, peer: Timing) -> tuple[float, float, float]:
    """Peer's time over ours, round by round: quartile, median, quartile."""
    low, median, high = np.quantile(np.divide(peer.seconds, ours.seconds), [0.25, 0.5, 0.75])
    return float(low), float(median), float(high)


def growth_exponent(sizes: tuple[int, ...], seconds: list[float]) -> tuple[float, float, float]:
    """The slope of log time against log size, with its 95 % interval from Student's t."""
    if len(sizes) < 3:
        raise ValueError(f"expected at least 3 sizes to fit a slope with an interval, got {len(sizes)}")
    fit = stats.linregress(np.log(sizes), np.log(seconds))
    half = stats.t.ppf(0.975, len(sizes) - 2) * fit.stderr
    return float(fit.slope), float(fit.slope - half), float(fit.slope + half)


def measure_growth(growth: Growth, rounds: int) -> list[dict[str, Any]]:
    """Median times over the sizes and the fitted exponent, for each contender that is present.

    What grows is the work, so these are processor seconds of all threads: they do not depend on who else is at work.
    """
    present = [contender for contender in growth.contenders if contender.present]
    medians: dict[str, list[float]] = {contender.name: [] for contender in present}
    for size in growth.sizes:
        data = growth.data(size)
        jobs = [(contender, calibrated(growth, contender, data)[0]) for contender in present]
        seconds: dict[str, list[float]] = {contender.name: [] for contender in present}
        for number in range(rounds):
            for contender, setting in _in_turn(jobs, number):
                seconds[contender.name].append(_timed(contender, data, setting)[1])
        for name, times in seconds.items():
            medians[name].append(float(np.median(times)))
    found = []
    for name, times in medians.items():
        slope, low, high = growth_exponent(growth.sizes, times)
        found.append({"contender": name, "seconds": times, "exponent": slope, "interval": [low, high]})
    return found


def _in_turn(jobs: list[Any], number: int) -> list[Any]:
    return jobs if number % 2 == 0 else jobs[::-1]


def _timed(contender: Contender, data: Data, setting: Any) -> tuple[float, float]:
    """Wall and processor seconds of one run; short runs are repeated until they add up to something measurable."""
    gc.collect()
    wall, cpu, runs = time.perf_counter(), time.process_time(), 0
    while runs == 0 or (runs < _MOST_RUNS and time.perf_counter() - wall < _MEASURABLE):
        contender.run(data, setting)
        runs += 1
    return (time.perf_counter() - wall) / runs, (time.process_time() - cpu) / runs
