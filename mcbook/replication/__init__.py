"""The output-code experiments of Allwein, Schapire and Singer (2000) run again: their tables, our runs, verdicts."""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
