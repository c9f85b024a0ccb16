"""Bagging of any classifier and random forests, as scikit-learn estimators."""
