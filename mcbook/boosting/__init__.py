"""AdaBoost: reweighting, its training error and margins, weak learners, and the worst that can happen.

AdaBoost combines weak hypotheses for two classes: in every round the examples are reweighted, so that the last
hypothesis is no better than a coin, and the weak learner is asked again.  The chapter proves how fast the training
error and the share of small margins fall, that AdaBoost is coordinate descent on the exponential loss, and the largest
training error that it can have after T rounds.  Begin with `run_adaboost` and `training_error_bound`; `AdaBoost` is the
classifier for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
