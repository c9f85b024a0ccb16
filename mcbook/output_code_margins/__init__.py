"""AdaBoost.MO, the margin of loss-based decoding, and what it says of training and of new examples.

AdaBoost.MO boosts all columns of an output code together and decodes the votes by a loss.  The margin of a decoded
example says by how much the right label leads.  It is proved that boosting makes small margins on the sample rare, and
that a sample with large margins bounds the risk, however many rounds were made.  Begin with `adaboost_mo` and
`decoding_margins`; `AdaBoostMO` is the classifier for your own data.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
