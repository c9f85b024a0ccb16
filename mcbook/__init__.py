"""mcbook: the implementations of an executable book on multi-class classification.

Here are the estimators, ``load`` for the data sets, ``verify`` and ``trace`` for the claims, and ``check`` for the
exercises.  Everything else is in its chapter, such as ``mcbook.perceptron``.  All of it loads on first use, so that
``import mcbook`` stays fast.
"""

from mcbook.foundation.lazy import attach

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = attach(__name__, __file__)
