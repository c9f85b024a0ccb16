"""The mathematics of the explorers on boosting and codes, beside that of the package, on random inputs."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from explorer_book import Mathematics, close, random_codes

from mcbook.boosting import (
    FinitePool,
    StumpLearner,
    all_stumps,
    relative_margins,
    run_adaboost,
    stump_pool,
    ten_points,
    training_error_bound,
    worst_sample,
    worst_training_error,
)
from mcbook.boosting.algorithm.learners import GivenSequence
from mcbook.boosting_many_labels import half_start_square, label_signs, start_weights, started_error_bound
from mcbook.output_code_margins import (
    ReluctantLearner,
    adaboost_mo,
    decoding_margins,
    margin_threshold,
    margins_by_round,
    rounds_for_margin,
    soft_votes,
    training_margin_bound,
)
from mcbook.output_code_margins.theory.margin import round_factor
from mcbook.output_codes import complete_code, hadamard_code, one_vs_rest_code
from mcbook.problem import score_margins
from mcbook.replication import LOSS_BASED, PAPER_CODES, data_sets, equal_rates_p_value, sign_test_p_value, win_score
from mcbook.replication.algorithm.published import TableEntry
from mcbook.weak_learning import best_correlation, least_margin, solve_game, vote_with_constant_step
from mcbook.weak_learning.instances import GAMES


def test_boosting_runs_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for _ in range(10):
        m = int(rng.integers(5, 15))
        H = rng.choice([-1, 1], (6, m))
        H, weights = np.vstack([H, -H]), rng.dirichlet(np.ones(m))
        run = run_adaboost(FinitePool(H), np.ones(m, int), 8, weights=weights)
        made = mathematics("boosting", "boost", H.tolist(), weights.tolist(), 8)
        n = len(made["chosen"])
        # The explorer stops before a hypothesis without an error, the package after it.
        assert n == run.n_rounds - (run.ending == "perfect")
        assert tuple(made["chosen"]) == run.hypotheses[:n]
        assert made["errors"] == close(run.errors[:n].tolist())
        assert made["votes"] == close(run.steps[:n].tolist())
        if run.ending != "perfect":
            assert made["weights"][-1] == close(run.D[:, 0].tolist())
        assert mathematics("boosting", "bound", made["errors"]) == close(training_error_bound(made["errors"]))
        if n:
            ours = mathematics("boosting", "margins", H.tolist(), made["chosen"], made["votes"])
            assert ours == close(relative_margins(H[made["chosen"]], np.array(made["votes"])).tolist())


def test_the_ten_points_of_the_boosting_explorer(mathematics: Mathematics) -> None:
    X, y = ten_points()
    stumps = mathematics("boosting", "allStumps", X.tolist())
    assert [tuple(stump) for stump in stumps] == [tuple(stump) for stump in all_stumps(X)]
    made = mathematics("boosting", "planeRun", {"points": X.tolist(), "signs": y.tolist()}, 12)
    run = run_adaboost(FinitePool(stump_pool(X)), y, 12, weights=np.array([Fraction(1)] * 10))
    assert tuple(made["chosen"]) == run.hypotheses
    assert made["errors"] == close(run.errors.astype(float).tolist())
    path = mathematics("boosting", "history", made)
    assert [round(at["error"], 9) for at in path[:4]] == [1, 0.3, 0.3, 0]
    assert path[-1]["bound"] == close(training_error_bound(run.errors.astype(float)))


def test_the_worst_sample_of_the_boosting_explorer(mathematics: Mathematics) -> None:
    for error, T in ((Fraction(9, 20), 1), (Fraction(9, 20), 7), (Fraction(9, 20), 30), (Fraction(1, 4), 6)):
        worst = float(worst_training_error(error, T))
        assert mathematics("boosting", "worstTrainingError", float(error), T) == close(worst)
        made, exact = mathematics("boosting", "worstSample", float(error), T), worst_sample(error, T)
        assert made["weights"] == close(exact.weights.astype(float).tolist())
        assert made["agreements"] == exact.H.tolist()
    path = mathematics("boosting", "history", mathematics("boosting", "worstRun", 30))
    assert path[30]["error"] == close(float(worst_training_error(Fraction(9, 20), 30)))
    for constant in (0.8, 0.9, 0.99):
        T = mathematics("boosting", "firstBroken", constant)
        shares = [float(worst_training_error(Fraction(9, 20), n)) / 0.99 ** (n / 2) for n in (T - 2, T) if n]
        assert shares[-1] > constant
        assert len(shares) == 1 or shares[0] <= constant


def test_the_games_of_the_explorer_and_their_values(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(12)
    given = mathematics("weak-learning", "games")
    assert {name: np.array(table).tolist() for name, table in given.items()} == {
        name: table.tolist() for name, table in GAMES.items()
    }
    tables = [*GAMES.values(), *(rng.choice([-1, 1], tuple(rng.integers(1, 8, 2))) for _ in range(25))]
    for A in tables:
        found, exact = mathematics("weak-learning", "solveGame", A), solve_game(A)
        value = float(exact.value)
        assert found["value"] == close(value)
        weights, votes = np.array(found["weights"]), np.array(found["votes"])
        assert min(weights.min(), votes.min()) > -1e-9
        assert [weights.sum(), votes.sum()] == close([1.0, 1.0])
        assert best_correlation(A, weights) == close(value)
        assert least_margin(A, votes) == close(value)
        assert least_margin(A, votes) == close(min(mathematics("weak-learning", "margins", A, votes)))


def test_answers_and_weights_of_the_game_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(13)
    for _ in range(15):
        A = rng.choice([-1, 1], tuple(rng.integers(2, 8, 2)))
        D = np.array(mathematics("weak-learning", "distribution", rng.random(A.shape[1])))
        answer = mathematics("weak-learning", "bestAnswer", A, D)
        assert answer["correlation"] == close(float(best_correlation(A, D)))
        assert answer["rule"] == FinitePool(A).learn(D[:, None]).hypothesis
        run = vote_with_constant_step(FinitePool(A), np.ones(A.shape[1], int), Fraction(2), 6)
        leads = mathematics("weak-learning", "leadsOf", A, run.hypotheses[:5])
        assert leads == run.leads[5].tolist()
        assert mathematics("weak-learning", "weightsByLead", leads, 2) == close(run.D[5].astype(float).tolist())


def test_a_promise_beyond_the_value_is_broken_by_the_worst_weights(mathematics: Mathematics) -> None:
    for A in GAMES.values():
        game = solve_game(A)
        equal_weights = np.full(A.shape[1], 1 / A.shape[1])
        for extra in (0, 0.05, 0.3):
            found = mathematics("weak-learning", "promise", A, equal_weights, extra)
            below = float(best_correlation(A, equal_weights)) < float(game.value) + extra - 1e-12
            assert found == {"byThese": below, "byTheWorst": extra > 0}


def test_the_rounds_of_the_pairs_are_those_of_the_package(mathematics: Mathematics) -> None:
    sample = mathematics("label-pairs", "groups")
    X, y, k = np.array(sample["X"]), np.array(sample["y"]), sample["classes"]
    for share in (0.1, 0.35, 0.5, 0.9):
        start, Y = start_weights(y, k, share).astype(float), label_signs(y, k)
        states = mathematics("label-pairs", "statesOf", "points", share, 20)
        # Of stumps with equal edges rounding picks one or the other, so the same ones are boosted here.
        H = np.array([state["outputs"] for state in states[1:]])
        run = run_adaboost(GivenSequence(H), Y, len(H), weights=start)
        assert np.ravel(states[-1]["weights"]) == close(run.D.ravel())
        assert np.ravel(states[-1]["scores"]) == close(run.votes.ravel())
        assert states[-1]["product"] == close(float(np.prod(run.normalisers)))
        error = float((score_margins(run.votes, y) <= 0).mean())
        assert mathematics("label-pairs", "argmaxError", states[-1]["scores"], y) == close(error)
        for before, outputs in zip(states[:-1], H, strict=True):
            signed = Y * np.array(before["weights"])
            _, best = StumpLearner(X).learn(signed)
            assert (signed * outputs).sum() == close(float((signed * best).sum()))


def test_the_stumps_and_constants_of_the_pairs(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        m, d, k = (int(n) for n in rng.integers((2, 1, 2), (9, 4, 5)))
        X, A = rng.integers(0, 4, (m, d)).astype(float), rng.normal(size=(m, k))
        ours = mathematics("label-pairs", "bestStump", X, A)
        _, outputs = StumpLearner(X).learn(A)
        assert np.array(ours["outputs"]).tolist() == outputs.astype(int).tolist()
        assert ours["worth"] == close(float((A * outputs).sum()))
        share = float(rng.uniform(0.05, 0.95))
        assert mathematics("label-pairs", "constant", k, share) == close(started_error_bound(k, share, [1.0]))
    for k, T in ((3, 1), (10, 50)):
        assert mathematics("label-pairs", "halfStartSquare", k, T) == close(float(half_start_square(k, T)))


def test_the_smaller_constants_are_broken_when_the_package_says_so(mathematics: Mathematics) -> None:
    def used(T: int) -> float:
        return 1 / math.sqrt(9 * float(half_start_square(10, T)))

    for factor in (0.5, 0.9, 0.99):
        first = mathematics("label-pairs", "firstBroken", 10, factor)
        assert used(first) > factor
        assert first == 1 or used(first - 1) <= factor
    states = mathematics("label-pairs", "statesOf", "tied", 0.5, 12)
    assert [state["product"] ** 2 for state in states[1:]] == close(
        [float(half_start_square(10, T)) for T in range(1, 13)]
    )


def test_votes_and_margins_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for _ in range(30):
        M = random_codes(rng, zeros=False)
        answers, eta = rng.uniform(-1, 1, M.shape[1]), float(10 ** rng.uniform(-2, 3))
        label = int(rng.integers(len(M)))
        votes = soft_votes(answers[None], M, eta)[0]
        for row, expected in zip(M, votes, strict=True):
            assert mathematics("code-margins", "vote", row * answers, eta) == close(expected)
        expected = decoding_margins(answers[None], M, np.array([label]), eta)[0]
        assert mathematics("code-margins", "margin", answers, M, label, eta) == close(expected)


def test_bound_threshold_and_rounds_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(9)
    for _ in range(30):
        edge, theta = float(rng.uniform(0.01, 0.49)), float(rng.uniform(-0.5, 0.9))
        errors = rng.uniform(0.05, 0.49, 6)
        assert mathematics("code-margins", "threshold", edge) == close(margin_threshold(edge))
        assert mathematics("code-margins", "roundFactor", 0.5 - edge, theta) == close(round_factor(0.5 - edge, theta))
        settings = {"errors": errors.tolist(), "columns": 7, "rho": 4, "theta": theta}
        assert mathematics("code-margins", "smallMarginBound", settings) == close(
            training_margin_bound(errors, 7, 4, theta)
        )
        below = {"examples": 24, "columns": 7, "rho": 4, "edge": edge, "theta": 0.9 * margin_threshold(edge)}
        expected = rounds_for_margin(24, 7, 4, edge, below["theta"])
        assert mathematics("code-margins", "roundsNeeded", below) == close(expected)
        assert mathematics("code-margins", "shareBelow", errors, 0.3) == close((errors <= 0.3).mean())


def test_the_learner_that_helps_no_more_than_it_must_is_that_of_the_package(mathematics: Mathematics) -> None:
    for name, M in (
        ("complete", complete_code(4)),
        ("hadamard", hadamard_code(4)),
        ("one-vs-rest", one_vs_rest_code(4)),
    ):
        assert mathematics("code-margins", "trial", {"name": name, "edge": 0.2, "asked": 1})["M"] == M.tolist()
        for edge in (0.1, 0.25, 0.4):
            y = np.arange(24) % 4
            run = adaboost_mo(ReluctantLearner(edge), M, y, 60, keep_history=True)
            margins = margins_by_round(run.history, run.steps.astype(float), M, y)
            ours = mathematics(
                "code-margins", "reluctantRun", {"M": M.tolist(), "examples": 24, "edge": edge, "rounds": 60}
            )
            assert ours["errors"] == close(run.errors.astype(float).tolist())
            for mine, theirs in zip(ours["margins"], margins, strict=True):
                assert mine == close(theirs.tolist())


def test_what_is_asked_for_beyond_the_threshold_stays_out_of_reach(mathematics: Mathematics) -> None:
    for M in (complete_code(4), hadamard_code(4), one_vs_rest_code(4)):
        for edge in (0.1, 0.25, 0.4):
            settings = {"M": M.tolist(), "examples": 24, "edge": edge, "rounds": 400}
            last = np.array(mathematics("code-margins", "reluctantRun", settings)["margins"][-1])
            assert (last > 0.8 * margin_threshold(edge)).all()
            assert (last < 1.6 * margin_threshold(edge)).all()


def test_the_tests_of_the_replication_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(11)
    for wins, losses in [(0, 0), (1, 0), (49, 4), *rng.integers(0, 60, (20, 2)).tolist()]:
        assert mathematics("replication", "signTest", wins, losses) == close(float(sign_test_p_value(wins, losses)))
    for _ in range(20):
        n, other_n = (int(size) for size in rng.integers(1, 300, 2))
        wrong, other = int(rng.integers(0, n + 1)), int(rng.integers(0, other_n + 1))
        ours = mathematics("replication", "equalRates", wrong, n, other, other_n)
        assert ours == close(float(equal_rates_p_value(wrong, n, other, other_n)))


def test_the_scores_of_the_replication_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(12)
    ways = {"adaboost": ("hamming", "L_y", "exp"), "svm": ("hamming", "loss-based")}
    for learner, decoders in ways.items():
        errors = {
            TableEntry(learner, data, code, decoder): round(float(rng.integers(0, 8)) / 10, 1)
            for data in data_sets()
            for code in PAPER_CODES
            for decoder in decoders
            if rng.random() < 0.8
        }
        nested: dict[str, Any] = {learner: {}}
        for entry, error in errors.items():
            nested[learner].setdefault(entry.data, {}).setdefault(entry.code, {})[entry.decoder] = error
        loss_based = {"learner": learner, "decoder": LOSS_BASED[learner]}
        pairs = [(d, "hamming", {"learner": learner, "decoder": d}, {"decoder": "hamming"}) for d in decoders[1:]]
        pairs += [(c, "dense", loss_based | {"code": c}, {"code": "dense"}) for c in PAPER_CODES if c != "dense"]
        for first, second, one, other in pairs:
            found = mathematics("replication", "differences", nested, learner, first, second)
            assert mathematics("replication", "score", found) == list(win_score(errors, one, one | other))
