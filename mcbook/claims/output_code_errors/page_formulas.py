"""The chapter's functions in the shape in which its page states their values, and its longer lists of formulas."""

from __future__ import annotations

from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.types import Scalar
from mcbook.output_code_errors import brownboost_potential, code_factor, random_factor_bound


def potential_at(z: Scalar, s: Scalar, c: Scalar) -> Scalar:
    """The potential at one margin."""
    return brownboost_potential(s, c)(z)


FACTORS = (
    Formula("eq-code-factors", code_factor, arguments={"n_columns": "k"}, fixed={"rho": 2}),
    Formula("eq-code-factors", code_factor, piece=1, side="left", arguments={"rho": r"\frac{\ell+1}2"}),
    Formula(
        "eq-code-random-factor",
        random_factor_bound,
        where=r"\frac2\ell\ln\frac{k(k-1)}{2\delta}<1",
        numbers="floats",
    ),
)
