"""Reading files: the one place where the package reads a rule file."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.text.limits import FILE_BYTES
from rulesdsl.text.problems import Problem, RulesError
from rulesdsl.text.source import Source, Span


def read_source(path: Path) -> Source:
    """The text of a file, of a bounded size. Raises RulesError if it is no text."""
    with path.open("rb") as file:
        # one byte more shows that the file is too large, which its reader then tells
        content = file.read(FILE_BYTES + 1)
    try:
        return Source(str(path), content.decode("utf-8"))
    except UnicodeDecodeError as error:
        if len(content) > FILE_BYTES:
            return Source(str(path), content.decode("utf-8", "replace"))
        source = Source(str(path), content[: error.start].decode("utf-8"))
        end = len(source.text)
        place = Span(source, end, end)
        note = "from here on this is not UTF-8 text; save the file as UTF-8"
        raise RulesError([Problem("not-utf8", place, note)]) from None
