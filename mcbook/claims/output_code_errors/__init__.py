"""The claims of the chapter on the errors of output codes."""
