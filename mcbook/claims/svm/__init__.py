"""The claims of the chapter on svm."""
