"""Weak and strong learning: edges against margins, boosting by majority and by filtering, boosting the confidence.

A weak learner is a little better than a coin on every distribution over the examples; a strong learner has an error as
small as you ask, with a probability as near to 1 as you ask.  The chapter proves that the two are the same: the best
edge that is possible for all weights is the best margin of a vote, boosting by majority needs the fewest rounds, and
repetition turns a small chance of success into a large one.  Begin with `solve_game` and `boost_by_majority`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
