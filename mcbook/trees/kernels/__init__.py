"""The compiled core of trees: sorted columns, scans of one column, growth of a tree, the way down it.

- ``columns``: a column as ranks, and its examples in order, each an *entry* that holds rank and index
- ``scores``: what a partition is worth under a criterion, from what its sides contain
- ``scans``: the best threshold of a sorted column; one pass, each example moved from the right to the left
- ``categories``: the best subset of the categories
- ``signed``: the best stump for a matrix of signed weights, whose columns vote apart
- ``growth``: a whole tree from sorted columns
- ``descent``: the leaf that an example reaches
"""
