"""The multi-class Perceptron: its margin, its mistake bound, its run and its estimator.

Examples x in R^d come one at a time, each with one of k labels.  The multi-class Perceptron keeps a weight vector for
each label and predicts the label with the largest score w_l . x; after a mistake it adds x to the weights of the right
label and subtracts it from those of the strongest rival.  On a sample of radius R with the best margin gamma > 0 it
makes at most R^2 / gamma^2 updates, in whatever order the examples come.  Begin with `run_perceptron` and
`mistake_bound`; `MulticlassPerceptron` is the classifier for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
