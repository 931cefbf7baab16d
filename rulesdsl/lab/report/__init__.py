"""Pages with plots: what came of many games, at a glance."""
