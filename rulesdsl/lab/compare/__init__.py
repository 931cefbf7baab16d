"""Two rule files or choices of options compared: the same deals under both."""
