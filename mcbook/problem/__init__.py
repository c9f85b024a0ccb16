"""The problem of multi-class classification: scores, margins, ties, risks, priors, costs, tasks with many answers."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
