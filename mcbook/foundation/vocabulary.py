"""One word for each thing that several chapters let their callers choose.

Ties, where several labels share the best score.  Each question has its own words, and no word has two meanings:

- a **prediction** takes the "first" of the tied labels in their order, or the "last" (`PredictionTies`);
- an **update** of the Perceptron counts a tie of the label with a rival as a "mistake", or goes by the prediction, the
  "first" of the tied labels, and updates only where that is wrong (`UpdateTies`);
- **decoding** takes the "first" of the nearest rows; the one with the largest margin among them and of equals the
  first, "margin"; or gives `MARKED` in place of a label, "mark" (`DecodingTies`).

The default is always "first", except for the Perceptron's "mistake", of which its theory speaks.

Parameters of estimators, and of the functions under them, have scikit-learn's words wherever it has one:

- ``estimator``: the classifier that a reduction trains (not learner); trained copies are in ``estimators_``;
- ``tol``: the relative duality gap (primal - dual) / primal at which training stops, `DEFAULT_TOL`, or `LOOSE_TOL` for
  sequences, trees and constraints, whose last digits take long; the gap that was reached is the attribute ``gap_``, and
  ``gap`` the field of a solution;
- ``max_iter``: passes, or steps, at most; ``n_iter_`` those that were made;
- ``solver``: the way to the same optimum (not method), "auto" where the data decide;
- ``loss``: what is minimised;
- ``n_jobs``: problems solved at the same time, as in joblib;
- ``random_state``: None, an int, or a RandomState of numpy, made into a seed by `mcbook.foundation.estimators.seed_of`;
- ``sample_weight``, ``class_weight``: the product of both multiplies an example's loss; weight 0 is as if left out.

Functions that draw for a claim or an instance take ``rng``, a Generator of numpy.  The trade-off ``C`` multiplies the
sum of the losses, never their mean.  In formulas ``n_classes``, ``n_samples``, ``n_features`` and ``n_columns`` are the
sizes, ``X, y`` the sample, ``M`` a code, ``W`` weights with a row for each class, ``F`` outputs of binary problems.

``probabilities`` are the numbers of a distribution, which sum to 1 (not masses); ``weights`` are numbers >= 0 that need
not.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

PredictionTies: TypeAlias = Literal["first", "last"]
UpdateTies: TypeAlias = Literal["mistake", "first"]
DecodingTies: TypeAlias = Literal["first", "margin", "mark"]

# In place of a label where decoding marks a tie.
MARKED = -1

# One slack for each example, or one for each example and rival.
SlackLoss: TypeAlias = Literal["crammer-singer", "weston-watkins"]

# The relative duality gap that is asked for unless the caller says otherwise.
DEFAULT_TOL = 1e-8
# The same where a solution to DEFAULT_TOL would take many times as long as one whose predictions are as good.
LOOSE_TOL = 1e-4
