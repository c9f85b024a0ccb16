"""The claims of the chapter on rademacher."""
