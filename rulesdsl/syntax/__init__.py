"""Rules as written: YAML, the grammar of its lines, the tree."""
