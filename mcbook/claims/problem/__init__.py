"""The claims of the chapter on problem."""
