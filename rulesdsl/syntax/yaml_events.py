"""PyYAML's events, from its fast or its plain parser, with its errors as one kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml
from attrs import frozen

from rulesdsl.text import limits

Loader = Any
"""A PyYAML loader class: the package carries no types."""

FAST: Final[Loader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
PLAIN: Final[Loader] = yaml.BaseLoader

# PyYAML's plain parser ends a text in [ ] or { } at every question mark, the fast one does not.
_MIDDLE_MARK: Final = re.compile(r"(?<=[^\s\[\]{},:])\?|(?<=[^\s\[\]{},:?-] )\?")
_STAND_IN: Final = "\ue03f"

TOO_DEEP: Final = "nesting depth"
"""Words of an error of YAML's, and of ours."""


@frozen
class YamlError(Exception):
    """What YAML cannot read: its words, the place, and where the thing began that broke there."""

    words: str
    place: int
    began: int | None


def parse(text: str, loader: Loader, offset: int) -> Iterator[Any]:
    """The events of a text; `offset` is where the text stands in its file."""
    if loader is PLAIN:
        text = _MIDDLE_MARK.sub(_STAND_IN, text)
    parser = loader(text)
    try:
        while parser.check_event():
            event = parser.get_event()
            if loader is PLAIN and isinstance(event, yaml.ScalarEvent):
                event.value = event.value.replace(_STAND_IN, "?")
            yield event
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark or error.context_mark
        began = error.context_mark
        raise YamlError(
            f"{error.context or ''}: {error.problem or ''}",
            offset + (place.index if place else 0),
            offset + began.index if began else None,
        ) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise YamlError(str(error), offset + getattr(parser, "index", 0), None) from None
    finally:
        parser.dispose()


def error_of(text: str, loader: Loader, offset: int) -> YamlError | None:
    """The error that reading a text ends in, if any; too deep is an error too."""
    depth = 0
    try:
        for event in parse(text, loader, offset):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > limits.YAML_DEPTH:
                # PyYAML's plain parser gets slower with every bracket that is open
                return YamlError(TOO_DEEP, offset + event.start_mark.index, None)
    except YamlError as error:
        return error
    return None
