"""The formulas of the chapter: the margin, its training error, and the bounds on its risk."""
