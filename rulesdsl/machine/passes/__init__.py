"""Passes over a machine: each makes one that means the same."""
