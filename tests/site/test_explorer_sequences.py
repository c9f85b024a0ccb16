"""The mathematics of the explorers on sequences, beside that of the package, on random inputs."""

from typing import Any

import numpy as np
from explorer_book import Mathematics, close

from mcbook.structured import (
    Scores,
    add_losses,
    best_labelling,
    chains,
    hamming_cost,
    margin_rescaled,
    softmax_margin,
    sum_over_labellings,
)
from mcbook.structured.algorithm.inference import every_score
from mcbook.structured_margins import ScoredChain, hidden_chain, loss_multiples, slack_rescaled


def random_trellises(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    for size in (0.5, 1, 1, 5, 20):
        n, k = int(rng.integers(1, 6)), int(rng.integers(2, 5))
        yield rng, size * rng.normal(size=(n, k)), size * rng.normal(size=(k, k))


def test_the_trellis_is_that_of_the_package(mathematics: Mathematics) -> None:
    for rng, E, T in random_trellises(4):
        scores, forest = Scores(E, T), chains([len(E)])
        best, found = best_labelling(scores, forest), sum_over_labellings(scores, forest)
        ours = mathematics("structured", "viterbi", E, T)
        assert (ours["labels"], ours["score"]) == (best.labels.tolist(), close(best.values[0]))
        ours = mathematics("structured", "forwardBackward", E, T)
        assert ours["logPartition"] == close(found.log_partition[0])
        assert np.array(ours["P"]) == close(found.P)
        y = rng.integers(0, E.shape[1], len(E))
        for weight in (0, 0.3, 1):
            cost = weight * hamming_cost(E.shape[1])
            assert np.array(mathematics("structured", "withLosses", E, y, weight)) == close(
                add_losses(scores, y, cost).E
            )
            ((Y, totals),) = every_score(scores, forest)
            truth = totals[(y == Y).all(axis=1)][0]
            value = softmax_margin(weight * (y != Y).sum(axis=1), truth - totals)
            assert mathematics("structured", "objective", E, T, y, weight) == close(float(value))


def test_a_tie_of_far_labellings_breaks_the_bound_with_less_than_the_loss(mathematics: Mathematics) -> None:
    for n in (4, 12):
        instance = mathematics("structured", "tie", n)
        E, T = np.array(instance["E"]), np.array(instance["T"])
        assert best_labelling(Scores(E, T), chains([n])).labels.tolist() == [1] * n
        for weight, holds in ((1, True), (0.95, False), (0, False)):
            found = mathematics("structured", "broken", instance | {"weight": weight})
            assert found["loss"] == n
            assert found["value"] == close(softmax_margin([0, weight * n], [0, -1e-6]))
            assert found["broken"] is not holds


def _dots(mathematics: Mathematics, nodes: list[float], edge: float) -> tuple[Any, ScoredChain]:
    """The labellings of the explorer, and the same chain of the package."""
    scores = Scores(np.array([[0.0, node] for node in nodes]), np.array([[0.0, 0.0], [0.0, edge]]))
    chain = ScoredChain(scores, chains([3]), np.zeros(3, dtype=np.int64))
    return mathematics("rescaling", "cloud", {"nodes": nodes, "edge": edge}), chain


def test_both_rescalings_and_the_multiples_of_the_loss(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        dots, chain = _dots(mathematics, rng.uniform(-2, 2, 3).tolist(), float(rng.uniform(-2, 2)))
        Y, errors, leads = chain.cloud()
        assert [dot["name"] for dot in dots] == ["".join(map(str, z)) for z in Y]
        assert [dot["errors"] for dot in dots] == errors.tolist()
        assert [dot["lead"] for dot in dots] == close(leads.tolist())
        share = float(rng.uniform(0, 1))
        assert mathematics("rescaling", "marginRescaled", dots) == close(margin_rescaled(errors, leads))
        assert mathematics("rescaling", "marginRescaled", dots, share) == close(margin_rescaled(share * errors, leads))
        assert mathematics("rescaling", "slackRescaled", dots) == close(slack_rescaled(errors, leads))
        assert mathematics("rescaling", "predictedLoss", dots) == errors[leads.argmin()]
        for label in range(1, 7):
            least, largest = loss_multiples(errors, leads, label)
            if least <= largest:
                assert mathematics("rescaling", "lossMultiples", dots, dots[label]) == close([least, largest])


def test_the_dial_of_rescaling_is_broken_by_a_tie_alone(mathematics: Mathematics) -> None:
    tied = {"nodes": [0, 0, 0], "edge": 0}
    for share, broken in ((1, False), (0.95, True), (0.05, True)):
        assert mathematics("rescaling", "trial", {"scores": tied, "share": share})["broken"] is broken
    _, errors, leads = hidden_chain().cloud()
    dots, _ = _dots(mathematics, [0.9, -1.5, -1.0], 0.6)
    assert [dot["lead"] for dot in dots] == close([float(m) for m in leads])
    assert mathematics("rescaling", "slackRescaled", dots) == close(float(slack_rescaled(errors, leads)))
