"""Compiled loops: the restricted dual of cutting planes, Viterbi with counted errors, and passes of Frank–Wolfe."""
