"""The problem of multi-class classification: scores, margins, ties, risks, priors, costs, tasks with many answers.

An example x has one right label among k, and a classifier predicts the label with the largest of its k scores.  The
data are pairs of an example and a label, drawn from a distribution; the costs of the mistakes may differ.  The chapter
proves which prediction is best for given probabilities and costs, how a margin of the scores says whether an example is
misclassified, and that the risks for one label and for sets of labels are both expected Hamming distances.  Begin with
`risk`, `best_prediction` and `score_margins`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
