"""The claims of the chapter on output code margins."""
