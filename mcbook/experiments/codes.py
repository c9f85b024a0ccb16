"""The five codes of the experiments: one for each name and number of classes, the same for all learners and folds.

One-vs-rest, complete and all pairs are as the chapters have them.  The random ones are the best by minimal distance of
10 000 candidates, with ceil(10 log2 k) columns of fair signs (dense), and ceil(15 log2 k) columns whose entries are 0
with probability 1/2 (sparse); Allwein, Schapire and Singer (2000), section 6.  What they leave open is settled so:

- Candidates are drawn until no column of theirs repeats another or has one sign only, where the source throws away the
  whole candidate, and asks of sparse codes only that no row and no column be all 0.  A column of one sign poses no
  problem, and of dense codes for 6 classes one in 400 would be left.
- Opposite columns are let pass, as in the source: they are few, and a learner treats both as one problem twice.
- The number of classes is that of the data: 6 for glass, where the source counts an empty one.
"""

from __future__ import annotations

from mcbook.foundation.checks import require_one_of
from mcbook.foundation.types import Array
from mcbook.output_codes.estimator.output_code import find_code

CODE_NAMES = ("one-vs-rest", "complete", "all-pairs", "dense", "sparse")
# The year of the source.
CODE_SEED = 2000


def code_matrix(code: str, n_classes: int) -> Array:
    """The code ``M (n_classes, n_columns)`` of this name, with entries -1, 0 and +1.

    >>> [code_matrix(name, 6).shape[1] for name in CODE_NAMES]
    [6, 31, 15, 26, 39]
    """
    return find_code(require_one_of(code, CODE_NAMES, "code"), n_classes, CODE_SEED)
