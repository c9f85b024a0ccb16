"""Margin losses: the catalogue, the condition that decoding needs, the margin loss of the bounds, best leaf values.

``arithmetic`` lets one formula take floats, fractions, symbols and balls; ``catalogue`` holds the losses, ``origins``
what each learner minimises; ``condition`` compares L(z) and L(-z) with L(0); ``margin`` is the loss of the margin
bounds and its average; ``leaves`` minimises a loss in a leaf of a tree.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
