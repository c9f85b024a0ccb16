"""Boosting many labels: AdaBoost on pairs of an example and a label, AdaBoost.MR, and an objective that misleads.

An example may have several labels, or one of many.  AdaBoost.MH asks of every pair of an example and a label whether
they belong together; AdaBoost.MR asks of every wrong label whether the right one scores higher.  The chapter proves
bounds on the wrong pairs, on the error of the largest score and on the ranking loss, and shows an objective that looks
natural and misleads.  Begin with `boost_pairs` and `run_adaboost_mr`; `AdaBoostMH` and `AdaBoostMR` are the classifiers
for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
