"""References to sources, of which every stage tells: play needs nothing else of syntax."""

from __future__ import annotations

from rulesdsl.text.records import record
from rulesdsl.text.source import Span


@record
class Cite:
    """A reference: `book D.1.c` (source and section) or `ruling bid-order`."""

    span: Span
    source: str
    section: str
