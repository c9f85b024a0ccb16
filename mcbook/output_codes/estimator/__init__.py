"""The chapter's scikit-learn classes."""
