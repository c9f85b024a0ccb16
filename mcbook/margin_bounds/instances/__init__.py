"""What the chapter is tried and shown on: samples, distributions, classes of functions."""
