"""The claims of the chapter on output codes."""
