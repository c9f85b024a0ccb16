"""Learners of sequences with the interface of scikit-learn."""
