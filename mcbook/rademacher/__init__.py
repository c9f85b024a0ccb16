"""Rademacher complexity: exact by enumeration, estimated by drawing signs, and bounded.

``theory`` holds the bounds as formulas, ``enumeration`` the complexity of a finite class and of a ball of linear
functions over all sign vectors, ``monte_carlo`` an estimate with a confidence interval for what is larger, ``laws``
what happens over all samples from a finite law, ``classes`` the classes of the trials.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
