"""Output codes: one reduction of many classes to binary problems for all code matrices.

A code matrix has one row for each class and one column for each binary problem; its entries are -1, 0 and +1.  A binary
classifier is trained for each column, and the class whose row fits the answers best is predicted.  The chapter proves
how many wrong answers a code corrects, how far apart its rows can be, and when single columns can be learnt at all.
Begin with `one_vs_rest_code`, `minimal_distance` and `decode`; `OutputCode` is the classifier for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
