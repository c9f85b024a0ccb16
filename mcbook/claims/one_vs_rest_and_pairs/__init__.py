"""The claims of the chapter on one-vs-rest and all pairs."""

from mcbook.claims.one_vs_rest_and_pairs import costs, pairs, rest

__all__ = ["costs", "pairs", "rest"]
