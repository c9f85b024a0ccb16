"""Prunings one by one, the weakest-link sequence, sizes and their costs, and the penalty by cross-validation."""
