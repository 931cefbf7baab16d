"""The usual slips in a line, recognised where the grammar stopped.

Each rule looks at the words around that place and may answer with a slip: what it is, and
which piece of the text should be replaced by what.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.syntax import slips_of_signs, slips_of_words
from rulesdsl.syntax.stops import Slip, Stop

_RULES = (*slips_of_signs.SURE, *slips_of_words.SURE, *slips_of_signs.BRACKETS)


def find_slips(stop: Stop) -> Iterator[Slip]:
    """All slips that rules recognise, the surest first."""
    if not stop.pieces:
        return
    for rule in _RULES:
        slip = rule(stop)
        if slip is not None:
            yield slip
