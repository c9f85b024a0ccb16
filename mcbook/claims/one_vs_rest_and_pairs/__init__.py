"""The claims of the chapter on one vs rest and pairs."""
