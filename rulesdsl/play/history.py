"""What has happened: runs of the machine one after another, from which logs are told on demand."""

from __future__ import annotations

from attrs import define, frozen

from rulesdsl.engines.code import Trace
from rulesdsl.engines.reference import Engine
from rulesdsl.machine.program import Draw
from rulesdsl.play.events import Told
from rulesdsl.play.moves import Move


@frozen
class Drawn:
    """An outcome of chance, with its words."""

    draw: Draw
    outcome: int
    label: str


@define(eq=False)
class Run:
    """One run of the machine: what began it, and the block with the values of its registers.

    `secret` is a move that only its player is told of. `told` is what everybody has learned
    from it, worked out when a log is first asked for.
    """

    before: Run | None
    length: int
    block: int | None
    values: tuple[int, ...] = ()
    seat: int | None = None
    cause: Move | Drawn | None = None
    secret: bool = False
    told: Told | None = None

    @classmethod
    def first(cls, record: list[int]) -> Run:
        """Before anything has happened: nobody has been told anything."""
        return cls(None, 0, None, told=Told(record, ()))

    def follow(self, engine: Engine, record: list[int], trace: Trace) -> None:
        """Change the record before it to that after it, and tell of all notes."""
        if self.block is not None:
            engine.follow(record, self.block, self.values, self.seat, trace)

    def path(self, untold: bool = False) -> list[Run]:
        """The runs up to this one, the earliest first: all, or the last that are not told yet."""
        found: list[Run] = []
        run: Run | None = self
        while run is not None and not (untold and run.told is not None):
            found.append(run)
            run = run.before
        return found[::-1]
