"""Side-by-side with other programs that do the same work; `python -m benchmarks` runs them, one file for each chapter.

A chapter's file holds a function ``cases()`` (and ``growths()`` where the time's growth is of interest) made of the few
classes of `benchmarks.harness`; adding a comparison is a few lines there.
"""
