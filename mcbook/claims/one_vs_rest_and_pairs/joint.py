"""Training all scores together, and training each apart."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, equal, holds
from mcbook.claims.one_vs_rest_and_pairs.one_vs_rest import Found
from mcbook.foundation.proof import Tier
from mcbook.one_vs_rest_and_pairs import (
    joint_weights,
)
from mcbook.output_codes import one_vs_rest_code
from mcbook.perceptron import run_perceptron

# --- joint and separate training -------------------------------------------------------------------------------------

joint = Claim(
    "prp-joint-and-separate-training",
    "existence",
    "certified",
    source=("mohri2018", "lecture13"),
    where="§9.4; Remark 12",
    implements=joint_weights,
    no_formula="whether weights change: no value is stated",
)

SIX = np.array([[2, 0], [0, 2], [-2, -1], [1, 2], [-1, -2], [1, -1]], dtype=object)
SIX_LABELS = np.array([0, 1, 2, 1, 2, 0])


def first_score(labels: np.ndarray) -> list[object]:
    """The one-vs-rest score of class 0, trained by the Perceptron in integers."""
    signs = one_vs_rest_code(3)[labels, 0]
    return [*run_perceptron(SIX, (signs < 0).astype(int), 2, max_epochs=30).W.ravel()]


@joint.check("one label moved between classes 1 and 2: f_0 stays exactly, w_0 of the SVM moves")
def one_label_moved_between_classes_1_and_2(rng: np.random.Generator) -> Found:
    before = joint_weights(SIX, SIX_LABELS, 3)
    for example in np.flatnonzero(SIX_LABELS > 0):
        moved = SIX_LABELS.copy()
        moved[example] = 3 - moved[example]
        yield holds(
            "same signs for class 0",
            bool((one_vs_rest_code(3)[moved, 0] == one_vs_rest_code(3)[SIX_LABELS, 0]).all()),
            Tier.EXACT,
        )
        yield holds("same Perceptron weights", first_score(moved) == first_score(SIX_LABELS), Tier.EXACT)
        yield at_least("|w_0 − w_0'|, 1/10", joint_weights(SIX, moved, 3).distance_of_rows(before, 0), Fraction(1, 10))


@joint.check("classes 1 and 2 renamed as a whole: neither moves")
def classes_1_and_2_renamed_as_a_whole(rng: np.random.Generator) -> Found:
    renamed = np.array([0, 2, 1])[SIX_LABELS]
    after, before = joint_weights(SIX, renamed, 3), joint_weights(SIX, SIX_LABELS, 3)
    yield equal("|w_0 − w_0'|", after.distance_of_rows(before, 0), 0, within=1e-3)
    yield equal("|w_1 − w_2'|", after.distance_of_rows(before, 2, 1), 0, within=1e-3)
    yield holds("same Perceptron weights", first_score(renamed) == first_score(SIX_LABELS), Tier.EXACT)


@joint.control("the SVM's w_0 stays when one label moves")
def svm_stays_when_one_label_moves() -> Found:
    moved = SIX_LABELS.copy()
    moved[2] = 1
    found = joint_weights(SIX, moved, 3).distance_of_rows(joint_weights(SIX, SIX_LABELS, 3), 0)
    yield equal("|w_0 − w_0'|", found, 0, within=1e-3)


@joint.control("renaming classes 1 and 2 leaves w_1 where it was")
def renaming_leaves_the_renamed_row() -> Found:
    renamed = np.array([0, 2, 1])[SIX_LABELS]
    found = joint_weights(SIX, renamed, 3).distance_of_rows(joint_weights(SIX, SIX_LABELS, 3), 1)
    yield equal("|w_1 − w_1'|", found, 0, within=1e-3)
