"""The claims of the chapter on support vector machines."""

from mcbook.claims.svm import binary, counting, kesler, multiclass, solvers

__all__ = ["binary", "counting", "kesler", "multiclass", "solvers"]
