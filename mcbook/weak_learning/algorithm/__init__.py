"""Games of weights against hypotheses, boosters whose votes are all equal, and the choice among runs."""
