"""Rule files on top of others: variants and expansions, made one whole rule file."""
