"""When joint training pays."""

from __future__ import annotations

import numpy as np

from mcbook.claims import Claim, covered
from mcbook.claims.binary_svm.samples import Found
from mcbook.foundation.proof.statistical import Coverage
from mcbook.svm_solvers import compare_on_gaussians
from mcbook.svm_solvers.algorithm.comparison import Comparison

joint_training = Claim(
    "obs-global-training-gains-in-low-dimension",
    "growth rate",
    "statistical",
    source="roth-cis519",
    where="performance slide",
    implements=compare_on_gaussians,
    no_extremal="an experiment on one family of distributions has no instance of smallest slack",
    no_formula="an experiment",
)

# Both judged by draws of classes and samples, which are independent, where the points of one draw are not.
FEWEST_DRAWS, DRAWS = 14, 18


def saves(found: Comparison) -> bool:
    """Whether joint training visibly saves errors: on one point in a hundred."""
    return 100 * (found.one_vs_rest_errors - found.joint_errors) >= found.n_points


def differs(found: Comparison) -> bool:
    """Whether exactly one of the two errs on as much as one point in a hundred."""
    return 100 * found.discordant >= found.n_points


@joint_training.check(
    "in 2 dimensions joint training saves errors in most draws; in 50 and in 200 the two hardly differ"
)
def gain_by_dimension(rng: np.random.Generator) -> Found:
    lost = sum(not saves(compare_on_gaussians(rng, 2)) for _ in range(DRAWS))
    yield covered("draws in which joint training does not save a hundredth", Coverage(lost, DRAWS, 1 / 2), at="d = 2")
    for d in (50, 200):
        apart = sum(differs(compare_on_gaussians(rng, d)) for _ in range(FEWEST_DRAWS))
        what = "draws in which exactly one errs on a hundredth"
        yield covered(what, Coverage(apart, FEWEST_DRAWS, 1 / 2), at=f"d = {d}")


@joint_training.control(
    "In two dimensions the two do differ: in the share {left} of the draws exactly one of them errs on "
    "a hundredth of the points, and at most {right} would be hardly any difference."
)
def no_gain_in_the_plane() -> Found:
    rng = np.random.default_rng(0)
    apart = sum(differs(compare_on_gaussians(rng, 2)) for _ in range(FEWEST_DRAWS))
    yield covered("draws in which exactly one errs on a hundredth", Coverage(apart, FEWEST_DRAWS, 1 / 2), at="d = 2")
