"""mcbook: the implementations of an executable book on multi-class classification.

The public names load on first use, so that ``import mcbook`` stays fast.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
