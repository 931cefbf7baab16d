"""How much there may be of anything: the one table of bounds."""

from __future__ import annotations

from typing import Final

# Reading
FILE_BYTES: Final = 1_000_000
DATA_FILES: Final = 20
"""Data files that a rule file may name."""
DATA_BYTES: Final = 1_000_000
"""Bytes of all of them together."""
EXTENDED: Final = 20
"""Files that may extend each other in a row."""
YAML_DEPTH: Final = 40
YAML_NODES: Final = 100_000
YAML_TEXT: Final = 20_000
"""Characters of one YAML text (a paragraph of prose, say)."""
KEY_LENGTH: Final = 1_000
LINE_LENGTH: Final = 1_000
"""Characters of one line or header of the rules language."""
EXPRESSION_NESTING: Final = 50

JOINED: Final = 200
"""Members of a kind that another kind joins."""
JOINING: Final = 1_000
"""Members of a kind that joins those of another."""

PROBLEMS: Final = 100
"""Problems of a file that are looked for."""

# Making the machine
FAMILY_SIZE: Final = 1_000_000
"""Numbers that the moves of one option may take."""
CELLS: Final = 4_096
"""Cells of the declared state of a game."""
MEANT: Final = 50_000
"""Pieces of a definition or procedure with all that it uses written out."""

# Playing
ROUNDS_AHEAD: Final = 100
"""Rounds that a loop `as many as possible` may look ahead."""
STATES_AHEAD: Final = 10_000
"""States that may be looked at before one choice in such a loop."""
STEPS_AHEAD: Final = 1_000_000
"""Steps that this may take."""
STEPS_PER_MOVE: Final = 100_000
MOVES_PER_GAME: Final = 100_000
