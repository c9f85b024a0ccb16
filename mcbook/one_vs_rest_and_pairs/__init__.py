"""One-vs-rest and all pairs: their errors, their calibration, their tournaments and what they cost.

A learner for two classes is used for k classes: one classifier for each class against the rest, or one for each pair of
classes.  The chapter proves how the error of the combined prediction depends on the errors of the binary classifiers,
when scores of separate classifiers may be compared, and what training and prediction cost.  Begin with
`one_vs_rest_bound`, `one_vs_one_bound` and `votes`; `KnockOut` is a classifier for your own data, and
`mcbook.OutputCode` has the two reductions themselves.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
