"""The printed formula is the tested formula: LaTeX of the pages, read and compared with the functions on trial.

Read in this order: ``tokens`` and ``syntax`` (LaTeX as a tree), ``values`` (the tree as a number), ``notation`` (what
the symbols are), ``equations`` (where a formula stands on its page), ``draws`` (random exact values), ``formula`` (the
comparison).
"""
