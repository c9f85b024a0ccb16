"""The claims of the chapter on winnow."""
