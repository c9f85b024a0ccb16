"""Margin losses: the catalogue, the condition that decoding needs, the margin loss of the bounds, best leaf values.

A margin loss charges a score by its margin, the product of the score and the label -1 or +1: it is small where the
score has the right sign and is far from 0.  The chapter lists the usual losses, says which of them decoding with a code
may use, and finds the score that is best in a leaf of a tree.  It proves which losses are at least their value at 0
wherever the margin is negative.  Begin with `CATALOGUE`, which has the losses by name, and with `hinge` and `logistic`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
