"""What the chapter does: plain functions that return what happened."""
