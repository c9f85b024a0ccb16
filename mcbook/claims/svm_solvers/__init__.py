"""The claims of the chapter on svm_solvers."""
