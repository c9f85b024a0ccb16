"""What the chapter is tried and shown on: samples, laws, classes of functions."""
