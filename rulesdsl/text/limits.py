"""The limits of what an untrusted rule file may ask for, in one place."""

from __future__ import annotations

MAX_FILE_BYTES = 1_000_000
MAX_YAML_DEPTH = 40
MAX_YAML_NODES = 100_000
MAX_KEY_LENGTH = 1_000
MAX_LINE_LENGTH = 1_000
MAX_NESTING = 50
MAX_CELLS = 4_096
MAX_BLOCKS = 20_000
MAX_FAMILY = 1_000_000
MAX_STEPS_PER_MOVE = 100_000
MAX_MOVES_PER_GAME = 100_000
