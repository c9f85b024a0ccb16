"""The compiled loops of the chapter: numpy and numba only."""
