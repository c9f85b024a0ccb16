"""The claims of the chapter on forests."""
