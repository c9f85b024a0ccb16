"""Linear scores that hold a sample by heart: every input is a unit vector of its own, so no other input is known.

Shapes: ``y (n_samples,)``, ``W (n_classes, n_samples)``; the inputs are the rows of the identity.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_labels
from mcbook.foundation.types import Exact, Labels


def weights_by_heart(y: Labels, n_classes: int, rho: Fraction | int = 1) -> Exact:
    """The shortest W whose margins at the unit vectors are all rho: rho (1 - 1/k) at the true label, -rho/k elsewhere.

    >>> [[str(w) for w in row] for row in weights_by_heart(np.array([0, 1]), n_classes=2)]
    [['1/2', '-1/2'], ['-1/2', '1/2']]
    """
    labels = require_labels(y, n_classes)
    own = np.equal.outer(np.arange(n_classes), labels).astype(int).astype(object)
    return np.asarray((own - Fraction(1, n_classes)) * rho)
