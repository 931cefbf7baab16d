"""Frozen classes of which there are many, and what their objects hold, read quickly."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import attrs

__all__ = ["PLAIN", "Values", "record", "values_of"]

Values: TypeAlias = Callable[[Any], tuple[Any, ...]]

PLAIN: Final = ("int", "int | None", "str", "str | None", "bool", "tuple[int, ...]")
"""Types of fields, as they are written, that hold no other objects with fields."""


def values_of(names: tuple[str, ...]) -> Values:
    """Reads what an object has under these names, as a tuple in this order."""
    match names:
        case ():
            return lambda _: ()
        case (name,):
            return lambda one: (getattr(one, name),)
        case _:
            return attrgetter(*names)


if TYPE_CHECKING:
    from attrs import frozen as record
else:

    def record(kind: type | None = None, *, eq: bool = True) -> Any:
        """`attrs.frozen`, but all classes share the methods that print, compare and hash.

        To compile these for each of hundreds of classes takes longer than to read the modules.
        """
        if kind is None:
            return partial(record, eq=eq)
        shared = {"__repr__": _repr} | ({"__eq__": _eq, "__hash__": _hash} if eq else {})
        for name, method in shared.items():
            if name not in vars(kind):
                setattr(kind, name, method)
        return attrs.frozen(kind, repr=False, eq=False)


@cache
def _compared(kind: Any) -> Values:
    return values_of(tuple(field.name for field in attrs.fields(kind) if field.eq))


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    compared = _compared(self.__class__)
    return compared(self) == compared(other)


def _hash(self: Any) -> int:
    return hash((self.__class__, _compared(self.__class__)(self)))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [field.name for field in attrs.fields(self.__class__) if field.repr]
    inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{self.__class__.__qualname__}({inside})"
