"""PyYAML's events, from its fast or its plain parser, with its errors as one kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import yaml
from attrs import frozen

Loader = Any
"""A PyYAML loader class: the package carries no types."""

FAST: Final[Loader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
PLAIN: Final[Loader] = yaml.BaseLoader


@frozen
class YamlError(Exception):
    """What YAML cannot read: its words, the place, and where the thing began that broke there."""

    words: str
    place: int
    began: int | None


def parse(text: str, loader: Loader, offset: int) -> Iterator[Any]:
    """The events of a text; `offset` is where the text stands in its file."""
    parser = loader(text)
    try:
        while parser.check_event():
            yield parser.get_event()
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
    """The error that reading a text ends in, if any."""
    try:
        for _ in parse(text, loader, offset):
            pass
    except YamlError as error:
        return error
    return None
