"""The rules hash: over what the rules mean, not over layout, comments, sources and texts."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from hashlib import blake2b

import attrs

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import KindType, RunType, SubbagType
from rulesdsl.check.owners import section_of

_SILENT = {"span", "cites", "about", "title", "extends", "sources", "texts", "measures"}
_SILENT |= {"ranges", "proved", "checked"}
"""Fields without a meaning in play; what is proved or checked is worked out again."""
_DECLARED = (
    m.Kind,
    m.Column,
    m.BagColumn,
    m.Option,
    m.Table,
    m.Scalar,
    m.Zone,
    m.Local,
    m.Counter,
    m.Define,
    m.Procedure,
    m.Phase,
)
"""Declarations are told where they stand in the file, and by name wherever they are used."""
_TYPED = (m.Column, m.Option, m.Table, m.Scalar, m.PlaceNote, m.Counter)
"""Declarations whose type is written; all other types follow from the rest."""


def rules_hash(model: m.Model) -> str:
    """Twelve hexadecimal digits: equal for files that mean the same."""
    digest = blake2b(digest_size=6)
    for part in _fields(model):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _fields(node: object) -> Iterator[str]:
    """A node with all that is in it."""
    kind = type(node)
    yield kind.__name__
    assert attrs.has(kind)
    for field in attrs.fields(kind):
        if field.name in _SILENT or (kind is m.Model and field.name == "name"):
            continue
        if field.name == "type" and not isinstance(node, _TYPED):
            continue
        yield field.name
        value = getattr(node, field.name)
        if isinstance(node, m.Model):
            yield from _section(value)
        else:
            yield from _parts(value)


def _section(value: object) -> Iterator[str]:
    """A section of the model: here its declarations are told in full."""
    match value:
        case dict():
            for name, item in value.items():
                yield str(name)
                yield from _section(item)
        case _ if isinstance(value, _DECLARED):
            yield from _fields(value)
        case _:
            yield from _parts(value)


def _parts(value: object) -> Iterator[str]:
    match value:
        case None | bool() | int() | str():
            yield repr(value)
        case Enum():
            yield value.name
        case tuple() | list():
            yield f"{len(value)} of"
            for item in value:
                yield from _parts(item)
        case dict():
            yield f"{len(value)} pairs"
            for key in sorted(value, key=repr):
                yield from _parts(key)
                yield from _owned(value[key])
        case KindType():
            yield f"kind {value.kind.name}"
        case RunType():
            yield f"run {value.column.name}"
        case SubbagType():
            yield f"any {value.most} of {[kind.name for kind in value.kinds]}"
        case m.Counter() | m.Local():
            yield value.name
        case _ if isinstance(value, _DECLARED):
            yield _name(value)
        case _:
            yield from _fields(value)


def _owned(value: object) -> Iterator[str]:
    """What stands in a mapping of a declaration: its columns are told in full."""
    yield from _fields(value) if isinstance(value, (m.Column, m.BagColumn)) else _parts(value)


def _name(value: object) -> str:
    name = str(getattr(value, "name", ""))
    if isinstance(value, (m.Scalar, m.Zone)):
        return f"{type(value).__name__} {section_of(value)}.{name}"
    return f"{type(value).__name__} {name}"
