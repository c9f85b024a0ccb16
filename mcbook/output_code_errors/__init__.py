"""Errors of output codes: what good binary learners promise for many classes, and what they do not.

The binary problems of a code have been learnt with some training error or loss.  The chapter bounds the training error
of the decoded label by the average over the columns, for decoding by Hamming distance and by a loss.  It proves where
these bounds are attained, where they say nothing, and a sharper bound for codes with zeros.  Begin with
`hamming_decoding_bound`, `loss_decoding_bound` and `worst_error`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
