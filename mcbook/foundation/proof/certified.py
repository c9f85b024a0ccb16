"""The certified tier: optima whose primal and dual solutions are checked here before their value may be used.

A solver's word is not taken.  The problem is brought to the cone form

    minimise  1/2 x'Px + c'x   subject to  Ax + s = b,  s in K,

the solver is run on it, and from what it returns we compute ourselves: how far ``s`` is from the cone K and its
multiplier ``z`` from the dual cone, the residuals of the equations, and the distance between the primal and the dual
objective.  Weak duality then brackets the optimum; the residuals are charged to the bracket.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.proof.known import Known, Tier

Vector = NDArray[np.float64]
# A problem of cvxpy, which carries no types.
Problem = Any


class NotCertified(RuntimeError):
    """A solver's answer did not stand up to the check."""


@dataclass(frozen=True)
class Certificate:
    """What was found when a solver's answer was checked."""

    primal_value: float
    dual_value: float
    primal_residual: float
    dual_residual: float
    cone_violation: float
    value: Known

    @property
    def gap(self) -> float:
        """Width of the bracket relative to the optimum."""
        return float(self.value.upper - self.value.lower) / max(1.0, abs(self.primal_value))


def certified_optimum(problem: Problem, accuracy: float = 1e-7, tolerance: float = 1e-11) -> Certificate:
    """Solve a convex cvxpy problem with Clarabel and check the answer.

    The problem's variables hold the solution afterwards.  Raises `NotCertified` when the solver reports anything but
    'optimal', or the checked bracket is wider than ``accuracy`` relative to max(1, |optimum|).  ``tolerance`` is what
    the solver is told to aim at; a problem with a cone on which it gets stuck before that may need a larger one.
    """
    import cvxpy as cp

    options = {"tol_gap_abs": tolerance, "tol_gap_rel": tolerance, "tol_feas": tolerance}
    data, chain, inverse = problem.get_problem_data(cp.CLARABEL, solver_opts=options)
    raw = chain.solve_via_data(problem, data, warm_start=False, verbose=False, solver_opts=options)
    problem.unpack_results(raw, chain, inverse)
    if problem.status != cp.OPTIMAL:
        raise NotCertified(
            f"expected the status 'optimal', got {problem.status!r}: is the problem feasible and bounded?"
        )
    certificate = _check(data, raw)
    # cvxpy may add a constant or change the sign between the problem and its cone form.
    offset, sign = _objective_map(problem, certificate.primal_value)
    certificate = _mapped(certificate, offset, sign)
    if not certificate.gap <= accuracy:
        raise NotCertified(
            f"expected a relative bracket of at most {accuracy:g}, got {certificate.gap:g} "
            f"(residuals: primal {certificate.primal_residual:.1e}, dual {certificate.dual_residual:.1e}, "
            f"cone {certificate.cone_violation:.1e}); scale the data or ask for less accuracy"
        )
    return certificate


def _check(data: dict[str, Any], raw: Any) -> Certificate:
    A, b, c = data["A"], np.asarray(data["b"], dtype=float), np.asarray(data["c"], dtype=float)
    x, s, z = (np.asarray(part, dtype=float) for part in (raw.x, raw.s, raw.z))
    Px = data["P"] @ x if data.get("P") is not None else np.zeros_like(x)
    primal_residual = float(np.abs(A @ x + s - b).sum())
    dual_residual = float(np.abs(Px + A.T @ z + c).sum())
    violation = _cone_violation(data["dims"], s, z)
    primal = float(x @ Px / 2 + c @ x)
    dual = float(-x @ Px / 2 - b @ z)
    # A solution near x with all equations met changes the objective by no more than this, to first order; the factor
    # 2 allows for an optimum as far away again as the point found.
    charge = primal_residual * _largest(z) + 2 * dual_residual * _largest(x)
    charge += 2 * violation * (np.abs(z).sum() + np.abs(s).sum()) + 1e-15 * (
        np.abs(c) @ np.abs(x) + np.abs(b) @ np.abs(z)
    )
    value = Known(min(primal, dual) - charge, max(primal, dual) + charge, Tier.CERTIFIED)
    return Certificate(primal, dual, primal_residual, dual_residual, violation, value)


def _largest(vector: Vector) -> float:
    return float(np.abs(vector).max(initial=0.0))


def _cone_violation(dims: Any, s: Vector, z: Vector) -> float:
    """How far s is from the cone and z from its dual, at worst over the blocks.

    Order of the blocks in Clarabel's form: equations, inequalities, second-order cones, semidefinite cones,
    exponential cones, power cones.
    """
    n_equations, n_inequalities = dims.zero, dims.nonneg
    if dims.psd or dims.exp or getattr(dims, "p3d", None):
        raise NotCertified("only linear, quadratic and second-order cone problems can be certified here")
    start = n_equations + n_inequalities
    worst = _largest(s[:n_equations])
    for part in (s[n_equations:start], z[n_equations:start]):
        worst = max(worst, float(np.maximum(-part, 0).max(initial=0.0)))
    for size in dims.soc:
        for part in (s[start : start + size], z[start : start + size]):
            worst = max(worst, float(np.linalg.norm(part[1:]) - part[0]), 0.0)
        start += size
    return worst


def _objective_map(problem: Problem, primal_value: float) -> tuple[float, float]:
    """Offset and sign that take the cone form's objective to the problem's own."""
    import cvxpy as cp

    sign = -1.0 if isinstance(problem.objective, cp.Maximize) else 1.0
    return float(problem.value) - sign * primal_value, sign


def _mapped(found: Certificate, offset: float, sign: float) -> Certificate:
    ends = sorted((offset + sign * float(found.value.lower), offset + sign * float(found.value.upper)))
    return Certificate(
        offset + sign * found.primal_value,
        offset + sign * found.dual_value,
        found.primal_residual,
        found.dual_residual,
        found.cone_violation,
        Known(ends[0], ends[1], Tier.CERTIFIED),
    )
