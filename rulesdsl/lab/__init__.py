"""What authors do with a game: examples, coverage, play in bulk."""
