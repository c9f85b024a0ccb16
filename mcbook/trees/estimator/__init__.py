"""Trees that are grown and, at a penalty for each leaf, pruned, as scikit-learn estimators, and what forests share."""
