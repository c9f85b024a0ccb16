"""The binary support vector machine: its problems, its dual, and its solution for every cost of slack.

The data are examples with labels -1 and +1, or a Gram matrix of a kernel.  The support vector machine minimises half
the squared norm of the weights plus C times the sum of the slacks, which say by how much an example falls short of the
margin 1.  The chapter derives the dual and the conditions of optimality, and follows the solution through all values of
C.  Begin with `solve_binary_primal` and `solve_binary_dual`, whose optima are certified; the classifiers are in
`mcbook.svm_solvers`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
