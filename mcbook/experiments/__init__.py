"""Real data sets and what is run on them: `load("letters")`, and the records in ``results/``.

- ``sources``: the files of every data set, with their checksums, and where to get them
- ``data``, ``unpacking``: fetching, checking and reading them
- ``parsing``, ``tables``, ``attributes``: from files to arrays
- ``codes``, ``features``, ``learners``, ``variants``: what a cell of the grid of output codes is made of
- ``letters``: the handwritten words, with and without the chain
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
