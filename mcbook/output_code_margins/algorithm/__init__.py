"""Votes and margins of samples, worst samples, covers, and AdaBoost.MO itself."""
