"""The claims of the chapter on margin bounds."""
