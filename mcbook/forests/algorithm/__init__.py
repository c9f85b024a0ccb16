"""Forests: bootstrap samples, growth, votes; finite forests whose numbers are exact."""
