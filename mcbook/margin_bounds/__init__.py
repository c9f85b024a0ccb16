"""Margin bounds for many classes: the bounds as formulas, and what they can be compared with exactly.

``theory`` holds the formulas, ``laws`` finite laws with finite classes of scores on them, ``blocks`` the class that
shows how the bounds must depend on the number of classes, ``programmes`` the machine whose rows are bounded one by one,
and ``means`` an ordinary classifier on which one can see how loose the bounds are.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
