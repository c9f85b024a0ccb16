"""The support vector machines as scikit-learn classifiers."""
