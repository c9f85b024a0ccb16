"""The chapter's pure functions: constraints and their vectors, margins, bounds."""
