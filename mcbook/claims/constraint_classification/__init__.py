"""The claims of the chapter on constraint classification."""
