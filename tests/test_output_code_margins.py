"""Margins of output codes: votes, bounds, instances, runs, and AdaBoost.MO."""

from fractions import Fraction

import numpy as np
import pytest
from estimator_checks import OF_EXACT_STUMPS, run_check
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook import output_code_margins as ocm
from mcbook.boosting import AdaBoost, StumpLearner, run_adaboost
from mcbook.output_code_errors import digits_in_halves
from mcbook.output_code_margins.algorithm.boosting import column_runs
from mcbook.output_code_margins.algorithm.votes import answers_of
from mcbook.output_code_margins.theory.generalisation import memorised_share
from mcbook.output_code_margins.theory.margin import round_factor
from mcbook.output_codes import all_pairs_code, decode, hadamard_code
from mcbook.output_codes.estimator.output_code import find_code

EXCESSES = (ocm.code_margin_excess, ocm.source_margin_excess, ocm.excess_order)
TINY, HALF, FIFTH = 1e-6, Fraction(1, 2), Fraction(1, 5)
ROWS = [[1, 1], [1, -1]]
REFUSED = [
    (lambda: ocm.soft_average_growth(2, 2 - TINY, 4), "larger eta"),
    (lambda: ocm.soft_average(np.array([1.0]), 0.0), "eta > 0"),
    (lambda: ocm.grid_size(0, 3), "theta"),
    (lambda: ocm.grid_size(0.5, 1), "n_columns"),
    (lambda: ocm.soft_votes([[0.5]], ROWS, 1.0), "as many columns"),
    (lambda: ocm.soft_votes([[2.0, 0.0]], ROWS, 1.0), "divide them by eta"),
    (lambda: ocm.soft_votes([[0.5, 0.5]], [[1, 2], [1, -1]], 1.0), "entries of the code"),
    (lambda: answers_of(np.ones((1, 1, 1)), np.zeros(1)), "positive weight"),
    (lambda: round_factor(0), "error"),
    (lambda: ocm.mistake_bound_with_zeros(1, HALF, 2, 0), "opposite"),
    (lambda: ocm.mistake_bound_with_zeros(0.5, 0.1, 2, 3), "rho / n_columns"),
    (lambda: ocm.mistake_bound_with_zeros(1, 0, 2, 1), "faintest"),
    (lambda: ocm.mistake_bound_with_zeros(FIFTH, HALF, 2, 1), "normaliser"),
    (lambda: ocm.margin_threshold(0), "edge"),
    (lambda: ocm.edge_factor(0, 0), "edge"),
    (lambda: ocm.edge_margin_bound(FIFTH, 1, 2, 1, -TINY), "theta >= 0"),
    (lambda: ocm.edge_margin_bound(FIFTH, -1, 2, 1, 0), "n_rounds"),
    (lambda: ocm.rounds_for_margin(100, 4, 2, 0.25, 0.3), "below theta"),
    (lambda: ocm.rounds_for_margin(0, 1, 1, FIFTH, 0), "n_samples"),
    (lambda: ocm.first_informative_size(lambda m: Fraction(2**60, m)), "falls below 1"),
    *(
        (lambda excess=excess, setting=setting: excess(*setting), says)
        for excess in EXCESSES
        for setting, says in (
            ((10, 1, 2, 0.5, 0.05), "n_columns"),
            ((10, 3, 1 - TINY, 0.5, 0.05), "dimension"),
            ((10, 3, 2, 0, 0.05), "theta"),
        )
    ),
    *((lambda excess=excess: excess(1, 3, 4, 0.5, 0.05), "there have to be d points") for excess in EXCESSES[:2]),
    *((lambda excess=excess: excess(10, 3, 2, 0.5, 0.0), "delta") for excess in EXCESSES[:2]),
    (lambda: ocm.excess_order(4, 2, 9, HALF, HALF), "n_columns"),
    (lambda: ocm.contraction_margin_excess(4, 2, 1, HALF, HALF, 0), "share"),
    (lambda: ocm.fixed_eta_margin_excess(4, 0, 1, HALF, HALF), "n_columns"),
    (lambda: ocm.sloppy_cover_tail(1 - TINY, 0, 5), "cover_size"),
    (lambda: ocm.printed_cover_tail(1 - TINY, 0, 5), "cover_size"),
    (lambda: ocm.cover_sloppiness(1, 3, 0), "n_sampled"),
    (lambda: ocm.cover_size(HALF, 2, 4, 1, 0), "n_sampled"),
    (lambda: memorised_share(0, 1), "n_atoms"),
    (lambda: memorised_share(1, -1), "n_samples"),
    (lambda: ocm.sure_edge([[0, 1]]), "agreements"),
    (lambda: ocm.two_round_sample(all_pairs_code(6), Fraction(1, 4)), "so small"),
    (lambda: ocm.two_round_sample(np.array([[-1], [1]]), Fraction(0)), "0 < error < 1"),
    (lambda: ocm.two_round_sample(np.array([[-1], [1]]), Fraction(1)), "0 < error < 1"),
    (lambda: ocm.ReluctantLearner(0.0), "edge"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_what_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


class TestAverage:
    def test_the_grid_and_who_stands_for_whom(self):
        assert ocm.grid_size(0.5, 3) == ocm.grid_size(HALF, 3) == 3
        grid = ocm.eta_grid(0.5, 3)
        assert [ocm.nearest_eta(eta, 0.5, 3) for eta in (1e9, 1.2, 1e-9)] == [grid[0], grid[1], grid[-1]]
        assert float(ocm.nearest_eta(Fraction(5, 2), Fraction(1, 10), 7)) == pytest.approx(ocm.nearest_eta(2.5, 0.1, 7))


class TestVotes:
    def test_zeros_count_as_answers_of_0_or_are_left_out(self):
        M = all_pairs_code(3)
        F, eta = np.array([[0.5, -0.2, 0.9]]), 2.0
        every = -np.log(np.exp(-eta * F * M).mean(axis=1)) / eta
        assert ocm.soft_votes(F, M, eta)[0] == pytest.approx(every)
        asked = [-np.log(np.exp(-eta * (F[0] * row)[row != 0]).mean()) / eta for row in M]
        assert ocm.soft_votes(F, M, eta, skip_zeros=True)[0] == pytest.approx(asked)


class TestGeneralisation:
    def test_sizes_are_looked_for_up_to_the_largest(self):
        assert ocm.first_informative_size(lambda m: Fraction(2**60 - 1, m)) == 2**60
        assert ocm.first_informative_size(lambda m: Fraction(1, 2), least=3) == 3
        # The last number that is looked at need not be the first doubled over and over.
        assert ocm.first_informative_size(lambda m: Fraction(7, 2 * m), least=3, most=4) == 4
        assert [ocm.first_informative_size(lambda m, n=n: Fraction(n, m)) for n in range(4)] == [1, 2, 3, 4]


class TestRuns:
    @pytest.mark.parametrize("edge", [0.1, 0.25, 0.4])
    def test_the_reluctant_learner_keeps_its_edge_and_no_more(self, edge):
        M, y = hadamard_code(4), np.arange(20) % 4
        run = ocm.adaboost_mo(ocm.ReluctantLearner(edge), M, y, 150, keep_history=True)
        assert run.errors.max() <= 0.5 - edge + 1e-9
        last = ocm.margins_by_round(run.history, run.steps.astype(float), M, y)[-1]
        assert (np.abs(last - ocm.margin_threshold(edge)) < 0.04).all()
        for edge_of_nobody in (0.0, 0.5):
            with pytest.raises(ValueError, match="edge"):
                ocm.ReluctantLearner(edge_of_nobody)

    def test_columns_by_themselves_are_runs_of_adaboost(self):
        rng = np.random.default_rng(0)
        X, y, M = rng.normal(size=(40, 3)), rng.integers(0, 4, 40), all_pairs_code(4)
        runs = column_runs(lambda rows: StumpLearner(X[rows]), M, y, 5, sample_weight=np.ones(40))
        for s, run in enumerate(runs):
            rows = np.flatnonzero(M[y, s])
            alone = run_adaboost(StumpLearner(X[rows]), M[y, s][rows], 5)
            assert run.errors.tolist() == alone.errors.tolist()

    def test_margins_by_round_are_those_of_the_answers(self):
        rng = np.random.default_rng(1)
        rounds, weights, y = rng.choice([-1, 1], (4, 6, 3)), rng.uniform(0.1, 1, 4), np.arange(6) % 4
        M = hadamard_code(4)
        for t, row in enumerate(ocm.margins_by_round(rounds, weights, M, y), start=1):
            F, eta = answers_of(rounds[:t], weights[:t])
            assert row == pytest.approx(ocm.decoding_margins(F, M, y, eta))


@parametrize_with_checks(
    [
        ocm.AdaBoostMO(n_estimators=20),
        ocm.AdaBoostMO(n_estimators=5, code="dense", decoder="hamming", single_call=False, random_state=0),
        ocm.AdaBoostMO(LogisticRegression(), 3, "all-pairs"),
    ],
    expected_failed_checks=lambda estimator: {} if estimator.code == "all-pairs" else OF_EXACT_STUMPS,
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


@pytest.fixture(scope="module")
def digits():
    return digits_in_halves()


class TestEstimator:
    def test_it_learns_the_digits_and_keeps_the_bound(self, digits):
        X, y, X_test, y_test = digits
        model = ocm.AdaBoostMO(n_estimators=120, code="all-pairs").fit(X, y)
        assert model.score(X_test, y_test) > 0.92
        margins = model.margins(X, y)
        for theta in (-0.1, 0.0, 0.05, 0.1):
            assert (margins <= theta).mean() <= model.training_margin_bound(theta)
        assert ((margins > 0) == (model.predict(X) == y)).all()

    def test_stages_end_where_the_model_is(self, digits):
        X, y, X_test, y_test = digits
        for single_call in (True, False):
            model = ocm.AdaBoostMO(n_estimators=4, single_call=single_call).fit(X, y)
            *_, last = model.staged_predict(X_test)
            assert (last == model.predict(X_test)).all()
            assert len(list(model.staged_score(X_test, y_test))) == model.n_iter_
            *_, votes = model.staged_votes(X_test)
            assert votes == pytest.approx(model.votes(X_test))
        model = ocm.AdaBoostMO(n_estimators=6).fit(X, y)
        stages = list(model.staged_margins(X, y))
        assert stages[-1] == pytest.approx(model.margins(X, y))
        assert len(stages) == 6

    def test_two_classes_are_adaboost(self, digits):
        X, y, X_test, _ = digits
        some = y < 2
        ours, plain = (
            ocm.AdaBoostMO(n_estimators=8).fit(X[some], y[some]),
            AdaBoost(n_estimators=8).fit(X[some], y[some]),
        )
        assert ours.code_.tolist() == [[-1], [1]]
        assert (ours.predict(X_test) == plain.predict(X_test)).all()

    def test_decoders_differ_and_agree_with_those_of_codes(self, digits):
        X, y, X_test, _ = digits
        model = ocm.AdaBoostMO(n_estimators=15, code="hadamard").fit(X, y)
        votes, M = model.votes(X_test), model.code_
        assert (model.predict(X_test) == decode(votes, M, "exponential")).all()
        assert (model.set_params(decoder="hamming").predict(X_test) == decode(votes, M, ties="margin")).all()
        assert (model.set_params(decoder="linear").predict(X_test) == (votes @ M.T).argmax(axis=1)).all()
        assert (model.set_params(decoder="hinge").predict(X_test) == decode(votes, M, "hinge")).all()

    def test_codes_by_name_and_by_matrix(self, digits):
        X, y, *_ = digits
        M = find_code("dense", 10, 7)
        named = ocm.AdaBoostMO(n_estimators=2, code="dense", random_state=7).fit(X, y)
        assert named.code_.tolist() == M.tolist()
        assert (ocm.AdaBoostMO(n_estimators=2, code=M).fit(X, y).predict(X) == named.predict(X)).all()
        for code, says in ((2 * M, "entries of the code"), (M[:9], "9 rows"), ("ternary", "code")):
            with pytest.raises(ValueError, match=says):
                ocm.AdaBoostMO(code=code).fit(X, y)
        with pytest.raises(ValueError, match="expected"):
            ocm.AdaBoostMO(decoder="nothing").fit(X, y)

    def test_margins_are_refused_where_the_theorem_does_not_speak(self, digits):
        X, y, *_ = digits
        for model in (ocm.AdaBoostMO(n_estimators=2, single_call=False), ocm.AdaBoostMO("real stump", 2)):
            fitted = model.fit(X, y)
            with pytest.raises(ValueError, match="single_call=True"):
                fitted.margins(X, y)
            with pytest.raises(ValueError, match="single_call=True"):
                fitted.training_margin_bound(0.0)
        with pytest.raises(ValueError, match="labels that fit has seen"):
            ocm.AdaBoostMO(n_estimators=2).fit(X, y).margins(X, y + 1)
