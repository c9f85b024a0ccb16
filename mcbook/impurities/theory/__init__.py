"""The impurities and what a split gains in them; how they bound one another."""
