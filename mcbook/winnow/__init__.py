"""Winnow: multiplicative updates on disjunctions, balanced and multi-class, with their mistake bounds.

Winnow learns from one example at a time, as the Perceptron does, but multiplies weights where the Perceptron adds.  The
data are examples of which few features matter: a disjunction of some of them, or a mixture that separates the classes.
It is proved that the number of mistakes then grows with the logarithm of the number of features.  Begin with
`winnow_on_disjunction` and `winnow_bound`; `MulticlassWinnow` is the classifier for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
