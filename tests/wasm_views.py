"""Reads the numbers of a view in a WebAssembly module, as a host does."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulesdsl.play.words import in_order

Field = dict[str, Any]


@frozen
class View:
    """The numbers of what a seat sees, with nothing but what the module tells about them."""

    about: dict[str, Any]
    seats: list[str]
    seat: int
    numbers: list[int]

    def read(self) -> dict[str, object]:
        """The state by its paths and where the game is, as `State.view` tells them."""
        phase, place, *asked = self.numbers[: 2 + len(self.seats)]
        now: dict[str, object] = {"phase": self.about["phases"][phase]}
        if place != self.about["unseen"]:
            now["in"] = self.about["places"][place]
        now["to_act"] = [seat for seat, is_asked in zip(self.seats, asked, strict=True) if is_asked]
        told: dict[str, dict[str, Field]] = {}
        for field in self.about["fields"]:
            told.setdefault(field["path"], {})[field["tells"]] = field
        pieces = {path: self._piece(fields) for path, fields in told.items()}
        return {"state": {path: piece[0] for path, piece in pieces.items() if piece}, "now": now}

    def _piece(self, fields: dict[str, Field]) -> list[object]:
        """What is seen of a value or a place, or said of it; nothing if nothing is."""
        if "said" in fields:
            return [[_value(fields["said"], number) for number in self._told(fields["said"])]]
        if "value" in fields:
            return [_value(fields["value"], number) for number in self._told(fields["value"])]
        inside = fields["counts"] if "counts" in fields else fields["members"]
        if self.seat in inside.get("seen by", [self.seat]):
            return [_content(inside, self._told(inside))]
        assert not self._told(inside)
        return self._outside(fields)

    def _outside(self, fields: dict[str, Field]) -> list[object]:
        """A place whose components are not seen."""
        tops = self._told(fields["top"]) if "top" in fields else []
        seen: dict[str, object] = {fields["top"]["names"][top]: 1 for top in tops}
        size = self._told(fields["size"])
        if not size:
            return [seen] if "top" in fields else []
        seen["unseen"] = size[0] - len(tops)
        alike = fields.get("counts alike", fields.get("members alike"))
        if alike is not None:
            found = self._told(alike)
            if alike["tells"] == "counts alike":
                found = [member for member, count in enumerate(found) for _ in range(count)]
            del found[size[0] - len(tops) :]
            columns = {
                name: [_value(column, column["values"][member]) for member in found]
                for name, column in alike["columns"].items()
            }
            seen["seen"] = in_order(columns) if alike["shape"] == "bag" else columns
        return [seen]

    def _told(self, field: Field) -> list[int]:
        """The numbers of a field that are seen."""
        numbers = self.numbers[field["first"] : field["first"] + field["count"]]
        return [number for number in numbers if number != self.about["unseen"]]


def _content(field: Field, numbers: list[int]) -> object:
    names = field["names"]
    match field["shape"]:
        case "bag" | "deck":
            return {name: count for name, count in zip(names, numbers, strict=True) if count}
        case "pile":
            return [names[member] for member in numbers]
        case _:
            return names[numbers[0]] if numbers else None


def _value(field: Field, number: int) -> Any:
    if number == field.get("none"):
        return None
    if "truth" in field:
        return bool(number)
    return field["names"][number] if "names" in field else number
