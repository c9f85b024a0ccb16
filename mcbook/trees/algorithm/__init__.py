"""Sorted columns, growth, stumps, prediction; and the greedy algorithm in plain steps, for any kind of question."""
