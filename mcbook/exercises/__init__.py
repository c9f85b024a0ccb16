"""Exercises that answer: their data, and the checker of a notebook."""

from mcbook.exercises.marking import Mark, check
from mcbook.exercises.source import Exercise, Part, exercises, find_part

__all__ = ["Exercise", "Mark", "Part", "check", "exercises", "find_part"]
