"""The Crammer–Singer SVM to the same relative duality gap."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender, Growth
from mcbook.svm_solvers import Problem, solve_multiclass

# Their tolerances, which are not gaps, from loose to strict.
_TOLERANCES = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6)


def cases() -> list[Case]:
    """LIBLINEAR itself and scikit-learn's build of it, to gap 1e-6, and to 1e-4 on a large set."""
    accurate = [
        ("digits", digits, 2),
        ("letter-like 12800x16x26", letter_like, 5),
        ("letter-like 16000x16x26", partial(letter_like, 16_000), 5),
        ("mkcl 15000x50x10", mkcl, 20),
        ("mkcl 20000x50x10", partial(mkcl, 20_000), 20),
    ]
    found = [_case(f"svm to gap 1e-6: {name}", data, 1e-6, target) for name, data, target in accurate]
    large = _case("svm to gap 1e-4: mkcl 100000x50x10", partial(mkcl, 100_000), 1e-4, 10)
    return [*found, replace(large, contenders=large.contenders[:2])]


def growths() -> list[Growth]:
    """Time against the number of examples and the number of classes."""
    gap = 1e-4
    quality = partial(excess_over_dual, gap=gap)
    contenders = _contenders(gap)[:2]
    return [
        Growth("svm to gap 1e-4: examples", mkcl, (5000, 10_000, 20_000, 40_000), contenders, quality, gap),
        Growth("svm to gap 1e-4: classes", partial(mkcl, 5000), (3, 6, 12, 24), contenders, quality, gap),
    ]


def excess_over_dual(data: Sample, W: NDArray[np.float64], gap: float) -> float:
    """The relative duality gap of weights, whoever made them: their primal value against a certified dual value."""
    primal = Problem.checked(data.X, data.y, data.n_classes, 1.0).primal(W)
    return max(0.0, primal - _dual_bound(_Held(data), gap / 100)) / primal


def _case(name: str, data: Any, gap: float, target: float) -> Case:
    return Case(name, data, tiny, _contenders(gap), partial(excess_over_dual, gap=gap), gap, target)


def _contenders(gap: float) -> tuple[Contender, ...]:
    return (
        Contender("mcbook", partial(_ours, gap=gap)),
        Contender("LIBLINEAR -s 4", _liblinear, _TOLERANCES, needs="liblinear"),
        Contender("scikit-learn LinearSVC", _scikit_learn, _TOLERANCES),
    )


class _Held:
    """A sample as a key: the same object is the same data."""

    def __init__(self, data: Sample) -> None:
        self.data = data

    def __hash__(self) -> int:
        return hash(id(self.data.X))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.data.X is self.data.X


@cache
def _dual_bound(held: _Held, gap: float) -> float:
    return solve_multiclass(*held.data, tol=gap).dual


def _ours(data: Sample, setting: None, gap: float) -> NDArray[np.float64]:
    W = solve_multiclass(*data, tol=gap).W
    assert W is not None
    return W


def _liblinear(data: Sample, tolerance: float) -> NDArray[np.float64]:
    from liblinear.liblinearutil import parameter, problem, train

    model = train(problem(data.y.astype(float), data.X), parameter(f"-s 4 -c 1 -e {tolerance} -B -1 -q"))
    n_weights = data.n_classes * data.X.shape[1]
    stored = np.ctypeslib.as_array(model.w, (n_weights,)).reshape(-1, data.n_classes).T
    W = np.empty_like(stored)
    W[model.label[: data.n_classes]] = stored
    return W


def _scikit_learn(data: Sample, tolerance: float) -> NDArray[np.float64]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LinearSVC(
            multi_class="crammer_singer", fit_intercept=False, tol=tolerance, max_iter=100_000, random_state=0
        ).fit(data.X, data.y)
    return np.vstack([-model.coef_, model.coef_]) / 2 if data.n_classes == 2 else model.coef_
