"""The claims of the chapter on pruning."""
