"""Steps of whole games that need not be counted, since it is known how many there can be at most.

Between two decisions control goes along ways from node to node. What can be walked forwards is not
paid for; a way back pays at once for the most that may have been walked since the last one. So `n`
begins with less than is allowed, by what may lie behind the last way back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field, frozen

from rulesdsl.engines.python.bounds import steps_of, steps_of_code
from rulesdsl.engines.python.code import Statements
from rulesdsl.engines.python.texts import Text
from rulesdsl.machine.program import Code, Value
from rulesdsl.text.limits import STEPS_PER_MOVE

MOST_PROVED = 300
"""What can take more steps is counted, for it seldom takes as many."""
CHECK = ["if n < 0:", "    raise Stuck"]


@define
class Proving(Statements):
    """Straight code that counts only what can take many steps; `owed` are the most others take."""

    counts: bool = False
    """Whether something has been counted."""

    def piece(self, c: Code) -> None:
        with self._proved(steps_of_code((c,)) if self.paying else 0):
            super().piece(c)

    def number(self, v: Value) -> Text:
        with self._proved(steps_of(v) if self.paying else 0):
            return super().number(v)

    def truth(self, v: Value, opposite: bool = False) -> Text:
        with self._proved(steps_of(v) if self.paying else 0):
            return super().truth(v, opposite)

    @contextmanager
    def _proved(self, most: int) -> Iterator[None]:
        if not self.paying or most > MOST_PROVED:
            self.counts |= self.paying
            yield
            return
        self.owed += most
        self.paying = False
        yield
        self.paying = True


@frozen
class Way:
    """From an origin (a node, or less than 0 behind a decision) to a node; the most steps on it."""

    origin: int
    node: int
    steps: int


@define(eq=False)
class Ways:
    """The ways between nodes of whole games, and lines that are written when all are known."""

    _decisions: int = field(default=0, init=False)
    _ways: list[Way] = field(factory=list, init=False)
    _rests: list[tuple[int, int]] = field(factory=list, init=False)
    """From where a way leads to a decision, and the most steps on it."""
    _counting: set[int] = field(factory=set, init=False)
    """Origins behind which steps are counted."""

    def decision(self) -> tuple[int, str]:
        """A new origin behind a decision, and the line that begins to count there."""
        self._decisions += 1
        return -self._decisions, f"BEGIN_{self._decisions}"

    def way(self, origin: int, node: int, steps: int) -> str:
        """The line that pays on a way."""
        self._ways.append(Way(origin, node, steps))
        return f"PAY_{len(self._ways) - 1}"

    def rest(self, origin: int, steps: int) -> None:
        self._rests.append((origin, steps))

    def counts(self, origin: int) -> None:
        """Steps are counted on a way from here."""
        self._counting.add(origin)

    def settled(self, lines: list[str]) -> list[str] | None:
        """The source with all lines; None if what is not counted may be too much."""
        forward, back = self._sorted()
        most: dict[int, int] = {}
        for way in forward:
            most[way.node] = max(most.get(way.node, 0), most.get(way.origin, 0) + way.steps)
        needed = self._counting | {way.origin for way in back}
        for way in reversed(forward):
            if way.node in needed:
                needed.add(way.origin)
        rests = [most.get(origin, 0) + steps for origin, steps in self._rests]
        left = STEPS_PER_MOVE - max(rests, default=0)
        if left <= 0:
            return None
        known: dict[str, list[str]] = {}
        for number in range(1, self._decisions + 1):
            known[f"BEGIN_{number}"] = [f"n = {left}"] if -number in needed else []
        paid = set(map(id, back))
        for number, way in enumerate(self._ways):
            pays = [f"n -= {most.get(way.origin, 0) + way.steps}", *CHECK]
            known[f"PAY_{number}"] = pays if id(way) in paid else []
        return [more for line in lines for more in _written(line, known)]

    def _sorted(self) -> tuple[list[Way], list[Way]]:
        """The ways forwards, those from a node behind those to it; and those that go back."""
        leading: dict[int, list[Way]] = {}
        for way in self._ways:
            leading.setdefault(way.origin, []).append(way)
        left = {origin: iter(ways) for origin, ways in leading.items()}
        done: dict[int, None] = {}
        back: list[Way] = []
        for start in range(-self._decisions, 0):
            walk = [start]
            while walk:
                on = next(left.get(walk[-1], iter(())), None)
                if on is None:
                    done[walk.pop()] = None
                elif on.node in walk:
                    back.append(on)
                elif on.node not in done:
                    walk.append(on.node)
        gone = set(map(id, back))
        order = [way for origin in reversed(done) for way in leading.get(origin, ())]
        return [way for way in order if id(way) not in gone], back


def _written(line: str, known: dict[str, list[str]]) -> list[str]:
    """The lines that stand for one."""
    name = line.lstrip()
    blanks = line[: len(line) - len(name)]
    return [blanks + one for one in known[name]] if name in known else [line]
