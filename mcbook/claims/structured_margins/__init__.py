"""The claims of the chapter on structured margins."""
