"""Trees that are grown and pruned, at a given price or one chosen by cross-validation, as scikit-learn estimators."""
