"""The claims of the chapter on boosting many labels."""
