"""The output-code experiments of Allwein, Schapire and Singer (2000) run again: their tables, our runs, verdicts.

Allwein, Schapire and Singer (2000) compared output codes on thirteen data sets, with SVMs and with AdaBoost.  The
package holds their published tables and the records of our own runs, and computes what is needed to compare them:
intervals, exact tests and scores of wins.  The claims put their conclusions on trial, in their numbers and in ours.
Begin with `published_errors`, `read_runs` and `compare_with_paper`.
"""

from mcbook.foundation.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
