"""The machine as text: its stops and blocks, cells and registers by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesdsl.check.model import Kind, Local, Scalar, Zone
from rulesdsl.machine import program as p

_SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "floordiv": "/down",
    "ceildiv": "/up",
    "mod": "mod",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
_FIRST = ["at", "phase", "me", "winner"]


class Names:
    """Names of cells, for one machine."""

    def __init__(self, machine: p.Machine) -> None:
        points = [f"point[{seat}]" for seat in range(machine.seats)]
        self.by_cell = [*_FIRST, *points]
        self.by_cell += [""] * (machine.layout.cells - len(self.by_cell))
        for slot in machine.layout.slots:
            for copy in range(slot.copies):
                for offset in range(slot.width):
                    place = f"{slot.name}[{copy}]" if slot.copies > 1 else slot.name
                    suffix = f".{offset}" if slot.width > 1 else ""
                    self.by_cell[slot.base + copy * slot.width + offset] = place + suffix

    def cell(self, cell: p.Cell) -> str:
        terms = "".join(
            f" + {self.value(index)}" + (f" * {stride}" if stride != 1 else "")
            for index, stride in cell.terms
        )
        return f"[{self.by_cell[cell.base]}{terms}]"

    def value(self, value: p.Value) -> str:
        """A value as it would be written in a formula."""
        match value:
            case p.K():
                return str(value.value)
            case p.R():
                return f"r{value.number}"
            case p.Cell():
                return self.cell(value)
            case p.Row():
                return f"{value.name}[{self.value(value.index)}]"
            case p.Op() if value.op in ("min", "max"):
                return f"{value.op}({self.value(value.left)}, {self.value(value.right)})"
            case p.Op():
                return f"({self.value(value.left)} {_SIGNS[value.op]} {self.value(value.right)})"
            case p.And():
                return f"({self.value(value.left)} and {self.value(value.right)})"
            case p.Or():
                return f"({self.value(value.left)} or {self.value(value.right)})"
            case p.Not():
                return f"not {self.value(value.operand)}"
            case p.Choice():
                then, other = self.value(value.then), self.value(value.otherwise)
                return f"({then} if {self.value(value.condition)} else {other})"
            case p.With():
                inner = self.value(value.body)
                return f"(r{value.register} = {self.value(value.value)}; {inner})"
            case p.Checked():
                return f"{self.value(value.value)}!{value.fault}"
            case p.Fold():
                return self._fold(value)

    def _fold(self, fold: p.Fold) -> str:
        where = f" where {self.value(fold.where)}" if fold.where is not None else ""
        keys = "".join(f" by {self.value(key)}" for key in fold.keys)
        weight = f" * {self.value(fold.weight)}" if fold.weight is not None else ""
        domain = f"{self.value(fold.low)}..<{self.value(fold.high)}"
        return (
            f"{fold.op}({self.value(fold.body)}{weight} for r{fold.register} in "
            f"{domain}{where}{keys})"
        )

    def code(self, code: Sequence[p.Code], indent: str) -> Iterator[str]:
        """Straight code, a line a store, bodies indented."""
        for piece in code:
            match piece:
                case p.Set():
                    bounds = "" if piece.low is None else f"   in {piece.low}..{piece.high}"
                    yield f"{indent}{self.cell(piece.cell)} = {self.value(piece.value)}{bounds}"
                case p.Reg():
                    yield f"{indent}r{piece.register} = {self.value(piece.value)}"
                case p.Check():
                    yield f"{indent}check {self.value(piece.condition)} else {piece.fault}"
                case p.Cond():
                    yield f"{indent}if {self.value(piece.condition)}"
                    yield from self.code(piece.then, indent + "  ")
                    if piece.otherwise:
                        yield f"{indent}else"
                        yield from self.code(piece.otherwise, indent + "  ")
                case p.Loop():
                    domain = f"{self.value(piece.low)}..<{self.value(piece.high)}"
                    yield f"{indent}for r{piece.register} in {domain}"
                    yield from self.code(piece.body, indent + "  ")
                case p.While():
                    bound = "never more than" if piece.strict else "at most"
                    condition = self.value(piece.condition)
                    yield f"{indent}while {condition}, {bound} {self.value(piece.bound)}"
                    yield from self.code(piece.body, indent + "  ")
                case p.Clear():
                    yield f"{indent}clear {self.cell(piece.cell)}, {piece.count} cells"
                case p.Note():
                    values = ", ".join(self.value(value) for value in piece.values)
                    yield f"{indent}note {piece.kind} {_subject(piece)}({values})"

    def end(self, end: p.End) -> str:
        match end:
            case p.Jump():
                return f"jump {end.block}"
            case p.Branch():
                return f"branch {self.value(end.condition)}: {end.then} else {end.otherwise}"
            case p.Switch():
                targets = ", ".join(f"{v}: {block}" for v, block in end.blocks)
                return f"switch {self.value(end.value)}: {targets}"
            case p.Halt():
                return f"rest at stop {end.stop}"

    def stop(self, stop: p.Stop) -> Iterator[str]:
        """A stop with what can be done there."""
        match stop:
            case p.Choose():
                secretly = " secretly" if stop.secretly else ""
                actor = self.value(stop.actor)
                yield f"stop {stop.number}   {actor}{secretly} chooses   {stop.where}"
                if stop.ahead is not None:
                    yield f"  as many as possible of {self.value(stop.ahead.left)}"
                for option in stop.options:
                    yield from self._option(option)
                if stop.otherwise is not None:
                    yield f"  otherwise -> block {stop.otherwise}"
            case p.Draw():
                weight = self.value(stop.weight)
                yield (
                    f"stop {stop.number}   chance, r{stop.register} in 0..<{stop.count}, weight "
                    f"{weight}, from {stop.subject.name} -> block {stop.block}"
                )
            case p.Region():
                yield f"stop {stop.number}   all who are not done, region {stop.region}"
            case p.Over():
                yield f"stop {stop.number}   over"
            case p.Pause():
                yield f"stop {stop.number}   pause -> block {stop.block}"

    def _option(self, option: p.Option) -> Iterator[str]:
        parameters = ", ".join(
            f"r{x.register} in {self.value(x.low)}..{self.value(x.high)}"
            + "".join(f" where {self.value(check.condition)}" for check in x.checks)
            for x in option.parameters
        )
        guards = "".join(f" if {self.value(guard.condition)}" for guard in option.guards)
        yield f"  {option.name}({parameters}){guards} -> block {option.block}"


def _subject(note: p.Note) -> str:
    match note.subject:
        case str() | int():
            return str(note.subject)
        case (Kind() as kind, Zone() as origin, Zone() as to):
            return f"{kind.name} from {origin.name} to {to.name}"
        case Zone() | Scalar() | Local() | p.Rule():
            return note.subject.name
        case _:
            return ""


def listing(machine: p.Machine) -> str:
    """The whole machine: its size, stops, blocks."""
    names = Names(machine)
    lines = [
        f"{machine.model.name}, {machine.seats} seats: {machine.layout.cells} cells, "
        f"{len(machine.blocks)} blocks, {len(machine.stops)} stops",
        "",
    ]
    for slot in machine.layout.slots:
        copies = f", {slot.copies} times" if slot.copies > 1 else ""
        lines.append(f"cell {slot.base:4}   {slot.name}: {slot.width}{copies}")
    lines.append("")
    for stop in machine.stops:
        lines += names.stop(stop)
    for block in machine.blocks:
        lines += ["", f"block {block.number}   {block.name}"]
        lines += names.code(block.code, "  ")
        lines.append(f"  {names.end(block.end)}")
    return "\n".join(lines) + "\n"
