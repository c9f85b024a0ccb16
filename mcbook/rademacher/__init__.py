"""Rademacher complexity: exact by enumeration, estimated by drawing signs, and bounded.

The Rademacher complexity of a class of functions says how well the class fits random signs on a given sample.  The
package computes it exactly for small samples, by enumerating all signs, and estimates it by drawing signs for large
ones.  It is proved how the complexity behaves when classes are combined, how large it can be for finite classes and for
kernels, and how it bounds the difference between the error on the sample and the risk.  Begin with `exact_complexity`
and `generalisation_bound`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
