"""The multi-class support vector machine: primal, dual and optimality, Kesler's space, and kernels.

One quadratic program trains the weights of all k labels together: the score of the right label should exceed that of
every rival by 1, and what is missing to this is a slack.  The chapter derives the primal and the dual for one slack for
each example and for one slack for each rival, relates both to the binary problem in Kesler's space, and goes over to
kernels.  It proves what the generalisation bound asks of the weights.  Begin with `primal_objective`, `dual_objective`
and `solve_flows`; the classifiers are in `mcbook.svm_solvers`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
