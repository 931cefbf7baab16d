"""Python source as it grows: lines, indentation, and the constants that it names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import Factory, define


class Stuck(Exception):
    """Generated code cannot go on; the reference engine says why."""


def stuck() -> int:
    """Give up in the middle of an expression."""
    raise Stuck


@define
class Constants:
    """What generated code finds by name: rows of data, options, families of numbers."""

    found: dict[str, object] = Factory(lambda: {"Stuck": Stuck, "stuck": stuck})
    _names: dict[object, str] = Factory(dict)

    def name(self, wanted: str, value: object, key: object) -> str:
        """The name of a constant; the same for the same key."""
        name = self._names.get(key)
        if name is None:
            name = f"{wanted}_{len(self._names)}"
            self._names[key] = name
            self.found[name] = value
        return name


@define
class Writer:
    """Lines of source, four blanks an indentation."""

    lines: list[str] = Factory(list)
    depth: int = 0

    def put(self, text: str, comment: str = "") -> None:
        line = "    " * self.depth + text
        self.lines.append(f"{line}  # {comment}" if comment else line)

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """A compound statement; a body without a line passes."""
        self.put(head)
        before = len(self.lines)
        self.depth += 1
        yield
        if len(self.lines) == before:
            self.put("pass")
        self.depth -= 1

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
