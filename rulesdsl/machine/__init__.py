"""Rules as a state machine over one flat record."""
