"""The tests: one module per module of the package."""
