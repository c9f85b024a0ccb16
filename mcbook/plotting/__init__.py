"""The figures of the book; each chapter's are in a module of its name."""

from mcbook.plotting.style import COLOURS, MARKERS, use_book_style

__all__ = ["COLOURS", "MARKERS", "use_book_style"]
