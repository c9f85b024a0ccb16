"""Constraint classification: Kesler's construction, preferences over labels, and one learner for all of them.

Every example says of some pairs of labels which one should have the larger score: one label before all others, a set of
labels before the rest, or a whole ranking.  Kesler's construction turns each such constraint into an example of a
binary problem in k d dimensions.  So one learner with linear scores serves classes, label sets and rankings, and
mistake bounds and bounds on the risk carry over from two classes.  Begin with `constraints_from_classes` and
`run_constraints`; `ConstraintClassifier` is the estimator for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
