"""The claims of the chapter on binary_svm."""
