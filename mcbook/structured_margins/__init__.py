"""Maximum margins for structures: margin and slack rescaling, their duals, Frank–Wolfe and cutting planes.

A structured classifier is trained with a margin: the right labelling leads every other one, by a margin that grows with
its loss (margin rescaling) or with slacks that are multiplied by it (slack rescaling).  The number of constraints is
exponential; duals that factor over the chain, Frank-Wolfe steps and cutting planes deal with all of them.  It is proved
how many steps and planes are needed.  Begin with `chain_problem` and `cut_planes`; `MaxMarginMarkovNetwork` and
`StructSVM` learn from your own sequences.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
