"""The replication: published tables, records, comparisons, the rings, the methods on the digits, figures."""

import json
from fractions import Fraction
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.stats import binomtest, fisher_exact

from mcbook.boosting import run_adaboost
from mcbook.foundation.pages import measured
from mcbook.output_codes import complete_code
from mcbook.replication import (
    LOSS_BASED,
    PAPER_CODES,
    WinScore,
    always_best,
    best_codes,
    compare_with_paper,
    conclusions,
    data_sets,
    differences,
    digit_methods,
    equal_rates_p_value,
    errors_of,
    examples_tested,
    pooled_score,
    published_errors,
    read_runs,
    read_seconds,
    score_by_set,
    sign_test_p_value,
    training_bounds,
    win_score,
)
from mcbook.replication.algorithm.published import PAPER_DECODERS, TableEntry
from mcbook.replication.algorithm.synthetic import DiscLearner, boost_discs, draw_rings
from mcbook.replication.figures import (
    bars_figure,
    binary_figure,
    bounds_figure,
    conclusions_figure,
    dots_figure,
    modern_figure,
    speed_figure,
    synthetic_figure,
)

ROOT = Path(__file__).resolve().parent.parent
LARGE = {name for name in data_sets() if examples_tested(name) > 1000}


class TestCounts:
    def test_the_exact_test_is_that_of_scipy(self):
        rng = np.random.default_rng(0)
        for _ in range(30):
            n, m = rng.integers(1, 60, 2).tolist()
            a, b = int(rng.integers(0, n + 1)), int(rng.integers(0, m + 1))
            expected = fisher_exact([[a, n - a], [b, m - b]]).pvalue
            assert float(equal_rates_p_value(a, n, b, m)) == pytest.approx(expected)

    def test_the_sign_test_is_that_of_scipy(self):
        for wins, losses in ((0, 1), (6, 2), (22, 12), (7, 7), (3, 40)):
            expected = binomtest(wins, wins + losses).pvalue
            assert float(sign_test_p_value(wins, losses)) == pytest.approx(expected)
        assert sign_test_p_value(0, 0) == 1

    @pytest.mark.parametrize("arguments", [(5, 3, 0, 3), (-1, 3, 0, 3), (0, 0, 0, 3), (0.5, 3, 0, 3)])
    def test_counts_that_cannot_be_are_refused(self, arguments):
        with pytest.raises((TypeError, ValueError), match="expected"):
            equal_rates_p_value(*arguments)


class TestPublished:
    def test_the_tables_are_whole(self):
        assert len(data_sets()) == 13
        assert len(published_errors()) == 13 * 5 * 3 - 3 * 7 + 8 * 5 * 2 - 2
        assert published_errors()[TableEntry("svm", "yeast", "dense", "loss-based")] == Fraction("39.7")
        assert set(LOSS_BASED) == set(PAPER_DECODERS)
        assert examples_tested("segmentation") == 2310

    def test_a_comparison_counts_what_both_have(self):
        errors = {
            TableEntry("svm", "a", "dense", "loss-based"): 1,
            TableEntry("svm", "a", "dense", "hamming"): 2,
            TableEntry("svm", "b", "dense", "loss-based"): 2,
            TableEntry("svm", "b", "dense", "hamming"): 2,
            TableEntry("svm", "c", "dense", "hamming"): 9,
        }
        ways = {"decoder": "loss-based"}, {"decoder": "hamming"}
        assert win_score(errors, *ways) == WinScore(1, 1, 0)
        assert list(differences(errors, *ways).values()) == [1, 0]

    def test_best_codes(self):
        errors = {TableEntry("svm", data, code, "x"): error for data, code, error in _SMALL}
        assert best_codes(errors, "svm", "x") == {"a": ["dense"], "b": ["dense", "sparse"]}
        assert always_best(errors, "svm", "x") == ["dense"]
        # Where one code was run alone there is nothing to be the best of.
        assert best_codes(errors | {TableEntry("svm", "c", "dense", "x"): Fraction(1)}, "svm", "x").keys() == {"a", "b"}
        # On a data set that a code was not run on it need not be the best.
        rows = [("a", "dense", 1), ("a", "sparse", 2), ("b", "sparse", 1), ("b", "complete", 2)]
        errors = {TableEntry("svm", data, code, "x"): Fraction(error) for data, code, error in rows}
        assert always_best(errors, "svm", "x") == ["dense"]


_SMALL = [("a", "dense", 1), ("a", "sparse", 2), ("b", "dense", 3), ("b", "sparse", 3)]


@pytest.fixture
def records(tmp_path):
    """A complete cell of vowel, one of glass with all its folds, and one of yeast that is half done."""

    def part(fold, n_test, wrong):
        counts = {"hamming": wrong + 1, "L_y": wrong, "exp": wrong}
        rest = {"asked": 6 * n_test, "failed": n_test, "columns": [0.0, 0.1, 0.2, 0.3, 0.4], "n": n_test}
        losses = {"hamming": 0.05, "L_y": 0.1, "exp": 0.2}
        train = {"n": 100, "wrong": counts, "tied": counts, "asked": 600, "failed": 5, "columns": [0, 0, 0, 0, 1]}
        return {
            "fold": fold,
            "train": train | {"loss": losses, "asked_loss": losses},
            "test": rest | {"wrong": counts, "tied": counts},
        }

    def write(data, code, columns, rho, parts):
        head = {"learner": "adaboost", "data": data, "code": code, "settings": {"rounds": 3}}
        line = head | {"matrix": {"columns": columns, "rho": rho}, "parts": parts}
        times = {name: head[name] for name in ("learner", "data", "code")}
        times |= {"seconds": {str(one["fold"]): 2.0 for one in parts}}
        for path, said in ((tmp_path / "adaboost.jsonl", line), (tmp_path / "seconds" / "adaboost.jsonl", times)):
            path.parent.mkdir(exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(said) + "\n")

    write("vowel", "one-vs-rest", 11, "2", [part(0, 462, 263)])
    write("glass", "all-pairs", 15, "8", [part(fold, 21, 5) for fold in range(10)])
    write("yeast", "dense", 34, "13", [part(fold, 148, 60) for fold in range(4)])
    return tmp_path


class TestRecords:
    def test_complete_cells_are_read_and_parts_added_up(self, records):
        runs = read_runs(records)
        assert list(runs) == [("adaboost", "glass", "all-pairs"), ("adaboost", "vowel", "one-vs-rest")]
        glass = runs["adaboost", "glass", "all-pairs"]
        assert (glass.n_test, glass.wrong["exp"], glass.wrong["hamming"]) == (210, 50, 60)
        assert glass.error("exp") == pytest.approx(50 / 210)
        assert glass.losses["exp"] == pytest.approx(0.2)
        assert glass.columns == pytest.approx((0, 0.1, 0.2, 0.3, 0.4))
        assert glass.binary == pytest.approx(1 / 6)

    def test_seconds_are_read_from_beside(self, records):
        assert read_seconds(records)["adaboost", "yeast", "dense"] == [2.0] * 4

    def test_errors_come_with_an_interval_and_the_published_one(self, records):
        vowel = next(c for c in compare_with_paper(read_runs(records).values()) if c.entry.data == "vowel")
        found = {c.entry: c for c in compare_with_paper(read_runs(records).values())}
        exp = found[vowel.entry._replace(decoder="exp")]
        assert (exp.published, exp.within) == (56.9, True)
        assert exp.p_value == 1
        assert exp.interval[0] < exp.ours < exp.interval[1]
        expected = binomtest(263, 462).proportion_ci(0.95, method="exact")
        assert exp.interval == pytest.approx((100 * expected.low, 100 * expected.high))
        glass = found[TableEntry("adaboost", "glass", "all-pairs", "hamming")]
        assert glass.difference == pytest.approx(100 * 60 / 210 - 28.6)

    def test_bounds_stand_beside_training_errors(self, records):
        found = {(b.run.data, b.decoder): b for b in training_bounds(read_runs(records).values())}
        assert found["vowel", "exp"].first == pytest.approx(11 * 0.2 / 2)
        assert found["vowel", "exp"].sharper is None
        assert found["glass", "exp"].sharper == pytest.approx(5 * 0.2)
        assert found["glass", "hamming"].first == pytest.approx(15 * 0.05 / (8 * 0.5))
        assert found["vowel", "hamming"].error == pytest.approx(264 / 100)

    def test_figures_are_drawn_from_whatever_was_run(self, records):
        runs = list(read_runs(records).values())
        ours, theirs = errors_of(runs), published_errors()
        way = {"learner": "adaboost", "decoder": "hamming"}
        bars = {"all": (differences(theirs, way, {"decoder": "exp"}), differences(ours, way, {"decoder": "exp"}))}
        figures = [
            dots_figure(compare_with_paper(runs), "adaboost", "exp"),
            bars_figure(bars, "adaboost", "points", marks=bars),
            conclusions_figure(conclusions(ours)),
            bounds_figure(training_bounds(runs)),
            binary_figure({"AdaBoost": (runs, "exp"), "nothing": ([], "exp")}),
            modern_figure(ours, {"AdaBoost": ("adaboost", "exp")}),
            speed_figure([1, 10], np.array([1.0, 7.0]), np.array([1.0, 10.0])),
            synthetic_figure([3, 4], {"one": {"binary": np.full((2, 3), 0.2)}}),
        ]
        for figure in figures:
            figure.canvas.draw()
        plt.close("all")


class TestCommittedRecords:
    """What is committed has to fit together, whatever part of the grid it is."""

    def test_what_the_chapter_concludes_of_decoders_and_codes(self):
        """The sentences of the page; a new run that says something else needs other sentences."""
        ours = errors_of(read_runs(ROOT / "results" / "replication").values())
        others = [code for code in PAPER_CODES if code != "one-vs-rest"]

        def decoders(learner, codes=tuple(PAPER_CODES)):
            way = {"learner": learner, "decoder": LOSS_BASED.get(learner, "loss-based")}
            return [(way | {"code": code}, {"decoder": "hamming"}) for code in codes]

        def against_one_vs_rest(learner, code):
            way = {"learner": learner, "decoder": "loss-based"}
            return win_score(ours, way | {"code": "one-vs-rest"}, way | {"code": code})

        by_code = {code: tuple(pooled_score(ours, decoders("svm", [code]))) for code in PAPER_CODES}
        expected = [(13, 0, 0), (7, 1, 0), (4, 2, 7), (9, 3, 1), (5, 1, 7)]
        assert by_code == dict(zip(PAPER_CODES, expected, strict=True))
        assert not pooled_score(ours, decoders("svm", others)).holds(Fraction(3, 20))
        assert score_by_set(ours, decoders("svm", others)) == WinScore(5, 1, 7)
        for learner in ("adaboost", "trees", "logistic"):
            assert pooled_score(ours, decoders(learner, others)).holds()
        for learner in ("svm-1", "svm-1000"):
            assert pooled_score(ours, decoders(learner)).holds()
            assert not pooled_score(ours, decoders(learner, others)).holds()
        clear = [code for code in others if against_one_vs_rest("logistic", code).holds()]
        assert clear == ["complete", "dense"]
        assert [code for code in others if against_one_vs_rest("trees", code).holds()] == []

    def test_how_many_published_errors_come_back(self):
        runs = read_runs(ROOT / "results" / "replication").values()
        within = [c.within for c in compare_with_paper(runs) if c.published is not None]
        assert (sum(within), len(within)) == (179, 252)
        large = [c.within for c in compare_with_paper(runs) if c.published is not None and c.entry.data in LARGE]
        assert (sum(large), len(large)) == (57, 120)

    def test_every_record_is_whole_and_of_these_codes(self):
        runs = read_runs(ROOT / "results" / "replication")
        assert runs
        for run in runs.values():
            assert run.code in PAPER_CODES
            assert run.n_test == examples_tested(run.data)
            assert all(0 <= run.wrong[d] <= run.tied[d] <= run.n_test for d in run.decoders)

    def test_no_training_error_is_above_its_bound(self):
        for bound in training_bounds(read_runs(ROOT / "results" / "replication").values()):
            assert bound.error <= bound.first + 1e-5
            assert bound.sharper is None or bound.error <= bound.sharper + 1e-5

    def test_the_explorer_shows_the_records(self):
        from tools.explorer_data import FOLDER, replication

        written = (FOLDER / "replication.js").read_text(encoding="utf-8")
        assert written == replication(), "run `python tools/explorer_data.py`"


class TestRings:
    @pytest.mark.parametrize("both_signs", [False, True])
    def test_all_columns_at_once_are_each_by_itself(self, both_signs):
        for k in (2, 3, 4):
            rings, M = draw_rings(np.random.default_rng(k), k), complete_code(k)
            signs = M[rings.train_labels]
            together = boost_discs(rings.train, signs, both_signs=both_signs)
            for s, column in enumerate(signs.T):
                run = run_adaboost(DiscLearner(rings.train, both_signs=both_signs), column[:, None], 10)
                assert together.votes(rings.train)[:, s] == pytest.approx(run.votes[:, 0])
                steps = together.steps[:, s]
                assert steps[: len(run.steps)] == pytest.approx(run.steps.astype(float))
                assert not steps[len(run.steps) :].any()


def test_the_methods_on_the_digits_have_their_times():
    assert measured("methods_on_digits")["seconds"].keys() == digit_methods().keys()
    assert len({method.kind for method in digit_methods().values()}) == 5


@pytest.mark.parametrize("name", digit_methods())
def test_a_method_on_the_digits_learns_the_same_again(name):
    rng, y = np.random.default_rng(0), np.repeat(["a", "b", "c"], 12)
    X = np.repeat(np.eye(3), 12, axis=0) + 0.1 * rng.random((36, 3))
    estimators = [digit_methods()[name].estimator for _ in range(2)]
    for estimator in estimators:
        if "n_estimators" in estimator.get_params():
            estimator.set_params(n_estimators=10)
    new = rng.random((20, 3))
    first, again = (estimator.fit(X, y).predict(np.r_[X, new]).tolist() for estimator in estimators)
    assert first == again
    assert first[:36] == y.tolist()
