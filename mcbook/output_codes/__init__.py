"""Output codes: one reduction of many classes to binary problems for all code matrices.

``codes`` builds and checks code matrices, ``bch`` the words of BCH codes, ``decoding`` turns binary outputs into
labels, ``estimator`` is the scikit-learn class that joins a code, a binary learner and a decoder; ``batched`` and
``column_newton`` train all columns at once.  ``theory`` holds the bounds, ``measures`` what they speak of,
``worst_case`` and ``design`` how codes compare, ``learned`` the codes that are learnt, ``single_call`` the form with
one learner, and ``examples`` the instances of the trials.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
