"""Structured prediction: joint features on chains and trees, exact inference, conditional random fields, Perceptron.

The answer is a labelling of all positions of a sequence or a tree, and its score adds up weights for single labels and
for neighbouring ones.  Dynamic programming finds the best labelling and the sum over all of them exactly.  The chapter
proves what this costs, which losses can be added to the scores, and what training by the softmax margin bounds.  Begin
with `chains`, `best_labelling` and `sum_over_labellings`; `ChainCRF` and `StructuredPerceptron` learn from your own
sequences.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
