"""The claims of the chapter on perceptron."""
