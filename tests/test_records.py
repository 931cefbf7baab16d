"""Records: classes that share their methods behave as those of attrs that have their own."""

from __future__ import annotations

import attrs
import pytest

from rulesdsl.text.records import record, values_of


@record
class Pair:
    left: object
    right: object = attrs.field(default=None, repr=False)


@record
class Other:
    left: object
    right: object = None


@record(eq=False)
class Alone:
    """Compared by identity."""

    left: object


@record
class Holder:
    inside: list[object] = attrs.field(factory=list, eq=False)

    def __repr__(self) -> str:
        return "a holder"


def test_equal_fields_of_one_class_are_equal() -> None:
    assert Pair(1, (2, 3)) == Pair(1, (2, 3))
    assert hash(Pair(1, (2, 3))) == hash(Pair(1, (2, 3)))
    assert Pair(1, 2) != Pair(1, 3)
    others: list[object] = [Other(1), 1]
    assert all(Pair(1) != other for other in others)
    assert {Pair(1), Other(1), Pair(1)} == {Other(1), Pair(1)}


def test_what_is_compared_by_identity() -> None:
    one = Alone(1)
    assert one == one
    assert one != Alone(1)


def test_fields_and_methods_of_its_own_count() -> None:
    assert Holder([1]) == Holder([2])
    assert repr(Holder()) == "a holder"


def test_printed_as_it_would_be_written() -> None:
    assert repr(Pair(Other("a"), 2)) == "Pair(left=Other(left='a', right=None))"
    circle: list[object] = []
    circle.append(Pair(circle))
    assert repr(circle[0]) == "Pair(left=[...])"


def test_nothing_can_be_set() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Pair(1).left = 2  # type: ignore[misc]


@pytest.mark.parametrize("names", [(), ("left",), ("right", "left")])
def test_values_are_read_in_order(names: tuple[str, ...]) -> None:
    assert values_of(names)(Pair("left", "right")) == names
