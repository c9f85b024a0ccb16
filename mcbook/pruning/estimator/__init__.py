"""Trees that are grown and pruned, at a given penalty or one chosen by cross-validation, as scikit-learn estimators."""
