"""Solvers of the support vector machines, from stochastic steps to Newton's method, and their estimators.

The optimisation problems of the two chapters before are solved here for large samples, dense or sparse, or with a
kernel.  Stochastic subgradient steps look at one example, block steps solve the dual for one example exactly, and
Newton's method uses the curvature of a smoothed problem.  The rate of the stochastic steps and the form of the block
steps are proved, and every solution of the solvers comes with its duality gap.  Begin with `solve_multiclass`;
`MulticlassSVM`, `KernelMulticlassSVM` and `LinearSVM` are the classifiers.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
