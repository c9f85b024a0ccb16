"""Our numbers beside the published ones: intervals, tests, and what is left of each conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from mcbook.foundation.proof.statistical import clopper_pearson
from mcbook.foundation.types import Scalar
from mcbook.output_code_errors import loss_decoding_bound, sharp_loss_decoding_bound
from mcbook.output_codes.algorithm.decoding import find_decoder
from mcbook.replication.algorithm.published import (
    LOSS_BASED,
    PAPER_CODES,
    PAPER_DECODERS,
    TableEntry,
    examples_tested,
    published_errors,
)
from mcbook.replication.algorithm.records import CellRun
from mcbook.replication.theory import equal_rates_p_value, sign_test_p_value

SIGNIFICANCE = Fraction(1, 20)
Errors = Mapping[TableEntry, Fraction]


class ComparedError(NamedTuple):
    """One error of ours beside the published one, all in per cent; ``p_value`` is that of equal rates.

    >>> entry = TableEntry("svm", "glass", "dense", "hamming")
    >>> error = ComparedError(entry, ours=33.0, interval=(26.7, 39.8), published=34.8, p_value=0.76)
    >>> round(error.difference, 1), error.within
    (-1.8, True)
    """

    entry: TableEntry
    ours: float
    interval: tuple[float, float]
    published: float | None
    p_value: float | None

    @property
    def difference(self) -> float | None:
        return None if self.published is None else self.ours - self.published

    @property
    def within(self) -> bool | None:
        """Whether the difference is within sampling error: Fisher's exact test does not reject at 5 %."""
        return None if self.p_value is None else self.p_value > SIGNIFICANCE


class WinScore(NamedTuple):
    """How often the first of two ways has the smaller error, how often they are equal, how often the larger one.

    >>> score = WinScore(wins=6, ties=1, losses=0)
    >>> str(score), str(score.p_value), score.holds()
    ('6 : 1 : 0', '1/32', True)
    """

    wins: int
    ties: int
    losses: int

    @property
    def p_value(self) -> Fraction:
        """Of the sign test: both ways are equally likely to be the better one."""
        return sign_test_p_value(self.wins, self.losses)

    def holds(self, level: Scalar = SIGNIFICANCE) -> bool:
        """More wins than losses, and more than chance makes at this level."""
        return self.wins > self.losses and self.p_value <= level

    def __str__(self) -> str:
        return f"{self.wins} : {self.ties} : {self.losses}"


def compare_with_paper(runs: Iterable[CellRun], confidence: float = 0.95) -> list[ComparedError]:
    """Every error of the runs with its exact interval, and beside it the published one where there is one.

    The published percentage is read as the nearest number of errors on the test examples that it counts.  The two
    counts are treated as independent samples; they share their test examples, or most of them, which makes both move
    together, so the test errs on the side of finding no difference.

    >>> from mcbook.replication import read_runs
    >>> found = compare_with_paper([read_runs()["adaboost", "glass", "dense"]])
    >>> [each.entry.decoder for each in found], all(min(each.interval) <= each.ours for each in found)
    (['L_y', 'exp', 'hamming'], True)
    """
    known, found = published_errors(), []
    for run in runs:
        for decoder in run.decoders:
            entry = TableEntry(run.learner, run.data, run.code, decoder)
            wrong, n = run.wrong[decoder], run.n_test
            low, high = clopper_pearson(wrong, n, (1 + confidence) / 2)
            printed, p_value = known.get(entry), None
            if printed is not None:
                other_n = examples_tested(run.data)
                p_value = float(equal_rates_p_value(wrong, n, round(printed * other_n / 100), other_n))
            interval = 100 * low, 100 * high
            found.append(
                ComparedError(entry, 100 * wrong / n, interval, None if printed is None else float(printed), p_value)
            )
    return found


def errors_of(runs: Iterable[CellRun]) -> dict[TableEntry, Fraction]:
    """The errors of the runs in per cent, exactly, keyed like the published ones.

    >>> from mcbook.replication import read_runs
    >>> [entry.decoder for entry in errors_of([read_runs()["svm", "glass", "dense"]])]
    ['hamming', 'loss-based']
    """
    return {
        TableEntry(run.learner, run.data, run.code, decoder): Fraction(100 * run.wrong[decoder], run.n_test)
        for run in runs
        for decoder in run.decoders
    }


def win_score(errors: Errors, first: Mapping[str, str], second: Mapping[str, str]) -> WinScore:
    """Compare entries that differ in nothing but the fields given, say ``{"decoder": "exp"}`` and ``"hamming"``.

    >>> from mcbook.replication import published_errors
    >>> str(win_score(published_errors(), {"learner": "svm", "decoder": "loss-based"}, {"decoder": "hamming"}))
    '22 : 5 : 12'
    """
    signs = [_sign(errors[entry._replace(**second)] - errors[entry]) for entry in _with(errors, first, second)]
    return WinScore(signs.count(1), signs.count(0), signs.count(-1))


def pooled_score(errors: Errors, pairs: Iterable[tuple[Mapping[str, str], Mapping[str, str]]]) -> WinScore:
    """The scores of several comparisons of two ways, added up.

    >>> way, hamming = {"learner": "svm", "decoder": "loss-based"}, {"decoder": "hamming"}
    >>> str(pooled_score(published_errors(), [(way | {"code": code}, hamming) for code in ("one-vs-rest", "dense")]))
    '10 : 2 : 4'
    """
    scores = [win_score(errors, *pair) for pair in pairs]
    return WinScore(*(sum(counts) for counts in zip(*scores, strict=True))) if scores else WinScore(0, 0, 0)


def score_by_set(errors: Errors, pairs: Iterable[tuple[Mapping[str, str], Mapping[str, str]]]) -> WinScore:
    """The same with one comparison for each data set: the mean of the first way's errors against that of the second's.

    Errors of several codes on one data set are not independent of each other; data sets are.

    >>> str(score_by_set(published_errors(), [({"learner": "adaboost", "decoder": "exp"}, {"decoder": "hamming"})]))
    '13 : 0 : 0'
    """
    by_data: dict[str, Fraction] = {}
    for pair in pairs:
        for entry, gain in differences(errors, *pair).items():
            by_data[entry.data] = by_data.get(entry.data, Fraction(0)) + gain
    signs = [_sign(gain) for gain in by_data.values()]
    return WinScore(signs.count(1), signs.count(0), signs.count(-1))


def differences(errors: Errors, first: Mapping[str, str], second: Mapping[str, str]) -> dict[TableEntry, Fraction]:
    """Error of the second way less that of the first: positive where the first is the better one.

    >>> found = differences(published_errors(), {"learner": "svm", "decoder": "loss-based"}, {"decoder": "hamming"})
    >>> str(found[TableEntry("svm", "satimage", "all-pairs", "loss-based")])
    '113/5'
    """
    return {entry: errors[entry._replace(**second)] - errors[entry] for entry in _with(errors, first, second)}


def _with(errors: Errors, first: Mapping[str, str], second: Mapping[str, str]) -> list[TableEntry]:
    """The entries with the fields of the first way to which the second has an entry as well."""
    fields = first.items()
    return [
        entry
        for entry in errors
        if all(getattr(entry, name) == value for name, value in fields) and entry._replace(**second) in errors
    ]


def _sign(value: Fraction) -> int:
    return int(value > 0) - int(value < 0)


def best_codes(errors: Errors, learner: str, decoder: str) -> dict[str, list[str]]:
    """For each data set the codes with the smallest error.

    >>> best_codes(published_errors(), "svm", "hamming")["glass"]
    ['all-pairs']
    """
    by_data: dict[str, dict[str, Fraction]] = {}
    for entry, error in errors.items():
        if (entry.learner, entry.decoder) == (learner, decoder):
            by_data.setdefault(entry.data, {})[entry.code] = error
    return {
        data: [code for code, error in found.items() if error == min(found.values())]
        for data, found in by_data.items()
        if len(found) > 1
    }


def always_best(errors: Errors, learner: str, decoder: str) -> list[str]:
    """The codes that have the smallest error, alone or not, on every data set that they were run on.

    >>> rows = [("one", "dense", 1), ("one", "sparse", 2), ("two", "dense", 3), ("two", "sparse", 3)]
    >>> errors = {TableEntry("svm", data, code, "hamming"): error for data, code, error in rows}
    >>> always_best(errors, "svm", "hamming")
    ['dense']
    """
    best = best_codes(errors, learner, decoder)
    ran = {
        code: {e.data for e in errors if (e.learner, e.decoder, e.code) == (learner, decoder, code)}
        for code in PAPER_CODES
    }
    return [code for code in PAPER_CODES if ran[code] and all(code in best[data] for data in ran[code] if data in best)]


def clear_winners(errors: Errors, learner: str, codes: Iterable[str] = tuple(PAPER_CODES)) -> list[str]:
    """The pairs of codes, "first over second", of which the first is better beyond chance, by loss-based decoding.

    >>> from mcbook.replication import published_errors
    >>> clear_winners(published_errors(), "svm")
    []
    """
    codes = tuple(codes)
    pairs = ((first, second) for first in codes for second in codes if first != second)
    return [
        f"{first} over {second}"
        for first, second in pairs
        if win_score(errors, *_against(learner, first, second)).holds()
    ]


class TrainingBounds(NamedTuple):
    """A training error beside what the theorems of the chapter on output codes' errors allow; ties are errors.

    >>> from mcbook.replication import read_runs
    >>> found = training_bounds([read_runs()["svm", "glass", "all-pairs"]])[0]
    >>> found.decoder, found.error <= found.sharper <= found.first
    ('hamming', True)
    """

    run: CellRun
    decoder: str
    error: float
    first: float
    sharper: float | None


def training_bounds(runs: Iterable[CellRun]) -> list[TrainingBounds]:
    """The training error of each run and decoder, and both bounds; the sharper one needs equally many zeros in rows.

    Of the book's codes only all pairs has zeros and equally many in each row; two of its rows are opposite in one
    column.  For a code of signs the first theorem is the sharper one, too.

    >>> from mcbook.replication import read_runs
    >>> bounds = training_bounds([read_runs()["svm", "glass", "all-pairs"]])
    >>> [each.decoder for each in bounds], all(each.error <= each.sharper for each in bounds)
    (['hamming', 'loss-based'], True)
    """
    found = []
    for run in runs:
        if run.learner not in PAPER_DECODERS:
            continue
        for decoder, loss in PAPER_DECODERS[run.learner].items():
            at_zero = float(find_decoder(loss)(0))
            error = run.trained_tied[decoder] / run.n_train
            first = loss_decoding_bound(run.losses[decoder], run.n_columns, float(run.rho), at_zero)
            sharper = None
            if run.code == "all-pairs":
                nonzero = round((1 + (1 + 8 * run.n_columns) ** 0.5) / 2) - 1
                sharper = float(sharp_loss_decoding_bound(run.asked_losses[decoder], nonzero, 1, at_zero))
            found.append(TrainingBounds(run, decoder, error, float(first), sharper))
    return found


class Conclusion(NamedTuple):
    """A conclusion of the paper on trial: what it says, its score in the published tables and in ours.

    >>> last = conclusions(published_errors())[-1]
    >>> last.name, str(last.theirs), last.ours == last.theirs
    ('SVM: sparse over one-vs-rest', '7 : 0 : 1', True)
    """

    name: str
    says: str
    theirs: WinScore
    ours: WinScore


def conclusions(ours: Errors) -> list[Conclusion]:
    """The conclusions of section 6 that two columns of numbers decide.

    >>> all(each.ours == each.theirs for each in conclusions(published_errors()))
    True
    """
    theirs = published_errors()
    return [
        Conclusion(name, says, pooled_score(theirs, pairs), pooled_score(ours, pairs))
        for name, says, pairs in _CONCLUSIONS
    ]


_Pair: TypeAlias = tuple[dict[str, str], dict[str, str]]
_OTHERS = [code for code in PAPER_CODES if code != "one-vs-rest"]


def _decoding(learner: str, first: str, second: str = "hamming") -> _Pair:
    return {"learner": learner, "decoder": first}, {"learner": learner, "decoder": second}


def _against(learner: str, first: str, second: str) -> _Pair:
    way = {"learner": learner, "decoder": LOSS_BASED[learner]}
    return way | {"code": first}, way | {"code": second}


_BETTER, _WORST = "loss-based decoding is the better one", "one-vs-rest is the worst code"
_CONCLUSIONS: list[tuple[str, str, list[_Pair]]] = [
    ("AdaBoost: exponential over Hamming", _BETTER, [_decoding("adaboost", "exp")]),
    ("AdaBoost: sigmoid over Hamming", _BETTER, [_decoding("adaboost", "L_y")]),
    (
        "AdaBoost: exponential over sigmoid",
        "the loss that is minimised decodes best",
        [_decoding("adaboost", "exp", "L_y")],
    ),
    ("SVM: hinge over Hamming", _BETTER, [_decoding("svm", "loss-based")]),
    (
        "SVM: the same, one-vs-rest left out",
        _BETTER,
        [(first | {"code": code}, second) for code in _OTHERS for first, second in [_decoding("svm", "loss-based")]],
    ),
    ("SVM: the others over one-vs-rest", _WORST, [_against("svm", code, "one-vs-rest") for code in _OTHERS]),
    *((f"SVM: {code} over one-vs-rest", _WORST, [_against("svm", code, "one-vs-rest")]) for code in _OTHERS),
]
