"""Maximum margins for structures: margin and slack rescaling, their duals, Frank–Wolfe and cutting planes."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
