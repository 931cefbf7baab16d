"""Rules as understood: every name bound, every type and label known."""
