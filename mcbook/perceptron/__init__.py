"""The multi-class Perceptron: its margin, its mistake bound, its run and its estimator.

``theory`` holds the formulas, ``separation`` decides separability and brackets the best margin, ``algorithm`` runs and
keeps the evidence, ``samples`` builds the samples of the trials, ``estimator`` is the scikit-learn class.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
