"""Measurements: each module runs alone, `python -m benchmarks` runs all and writes RESULTS.md."""
