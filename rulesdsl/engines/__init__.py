"""The machine running."""
