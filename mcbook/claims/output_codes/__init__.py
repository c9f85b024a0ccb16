"""The claims of the chapter on output codes."""

from mcbook.claims.output_codes import bounds, codes, corollaries, decoding, learners

__all__ = ["bounds", "codes", "corollaries", "decoding", "learners"]
