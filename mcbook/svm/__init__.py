"""Support vector machines: their programmes and duals, their solvers and their estimators.

``theory`` holds the formulas, ``programs`` the programmes that certify, ``path`` the exact path in C, ``subgradient``
the stochastic method; ``samples`` and ``comparison`` hold what the trials run on.  ``objective`` holds what the solvers
share, ``ascent`` and ``newton`` are the solvers, ``smoothed`` and ``linear_algebra`` serve the latter, ``solver``
chooses between the two, ``kernel_solver`` works on Gram matrices, ``estimator`` holds the scikit-learn classes.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
