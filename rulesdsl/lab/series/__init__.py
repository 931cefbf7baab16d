"""Many games: which are played, what is read of them, what that tells."""
