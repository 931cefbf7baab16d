"""Text, places in it, and what is wrong with it."""
