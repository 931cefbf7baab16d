"""States that fit what a seat has seen, made from its log alone."""
