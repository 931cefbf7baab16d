"""What users hold: games, states, moves, views, playlogs."""
