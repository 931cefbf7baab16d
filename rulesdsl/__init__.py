"""Rules of board and card games as data: validated, compiled, played."""
