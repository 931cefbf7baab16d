"""What has to lie where, so that what a seat sees later can come to pass.

A log is read forward for what is known to lie in each place, then backward: what is seen to leave
a place must have lain there. Where the seat saw only how many moved, which of those that are
needed were among them is left to chance, within what is known.
"""

from __future__ import annotations

from collections import Counter

from attrs import define, field

from rulesdsl.engines.chance import Stream
from rulesdsl.play.events import Event
from rulesdsl.play.resampling.among import Among, Clash, in_time
from rulesdsl.play.resampling.known import Forward, Known
from rulesdsl.play.resampling.spots import CROSSING, Row, Spot, Spots, Step
from rulesdsl.play.resampling.whereabouts import steps

Needs = dict[str, "Counter[str] | tuple[str | None, ...]"]
"""For each place what must lie there: counts; in a pile from the top down, None for anything."""

_NOTHING: Counter[str] = Counter()
CLASHES = 800
"""How often what was left to chance may clash with what is known, from the start of a game."""
CLASHES_LATER = 30
"""The same, from a state in which what does not agree may lie already."""


@define(eq=False)
class Foresight:
    """The needs at each event of a log from `base` on, for one way in which it may have been."""

    base: int
    needs: list[Needs]
    guessed: bool
    """Whether something had to be left to chance."""

    def at(self, index: int) -> Needs:
        return self.needs[index - self.base]


@define(eq=False)
class Reading:
    """The steps of a log from a record on, with what is known at each."""

    spots: Spots
    base: int
    length: int
    total: Counter[str]
    told: list[tuple[Step, Known | None]]

    @classmethod
    def of(cls, spots: Spots, log: tuple[Event, ...], at: int, record: list[int]) -> Reading:
        """Read the log from an event on; everything is known of the record there."""
        contents = {s.path: Counter(spots.lying(record, s)) for s in spots.real}
        contents[CROSSING] = Counter()
        sizes = {path: content.total() for path, content in contents.items()}
        piled = [(s, spots.lying(record, s)) for s in spots.hidden if s.is_pile]
        forward = Forward(spots, contents, sizes, piled)
        told = [(step, forward.step(step)) for step in steps(spots, log, at, sizes, forward.known)]
        return cls(spots, at, len(log), forward.total, told)

    def foresee(self, stream: Stream, most: int = CLASHES, until: float | None = None) -> Foresight:
        """One way in which it may have been. Raises Clash, after so many of them, and TimeUp.

        After a clash some of the steps read before it are read once more, the more of them the
        oftener the same step has clashed.
        """
        backward = _Backward(self.spots, self.total, stream)
        after: list[Needs] = [{}] * (len(self.told) + 1)
        clashes: Counter[int] = Counter()
        i = len(self.told) - 1
        while i >= 0:
            in_time(until)
            try:
                backward.step(*self.told[i])
            except Clash:
                clashes[i] += 1
                if clashes.total() > most:
                    raise
                i = min(len(self.told) - 1, i + 2 ** min(clashes[i] // 5, 12))
                backward.needs = dict(after[i + 1])
                continue
            after[i] = dict(backward.needs)
            i -= 1
        needs: list[Needs | None] = [None] * (self.length - self.base + 1)
        needs[-1] = {}
        for (step, _), one in reversed([*zip(self.told, after, strict=False)]):
            needs[step.start - self.base] = one
        filled: list[Needs] = []
        last: Needs = {}
        for found in reversed(needs):
            last = last if found is None else found
            filled.append(last)
        return Foresight(self.base, filled[::-1], backward.guessed)


@define(eq=False)
class _Backward:
    """What is needed where before the steps that have been read, the last first."""

    spots: Spots
    total: Counter[str]
    stream: Stream
    guessed: bool = False
    needs: dict[str, Counter[str] | tuple[str | None, ...]] = field(factory=dict, init=False)
    """Values in it are never changed, so that a copy is cheap."""

    def step(self, step: Step, known: Known | None) -> None:
        if step.cycle:
            self._round(step)
        elif step.origin is None:
            assert step.target is not None
            self._lies(self.spots.by_path[step.target], step)
        else:
            assert step.target is not None
            origin, target = self.spots.by_path[step.origin], self.spots.by_path[step.target]
            if step.what is not None:
                self._came(target, step.what)
                self._left(origin, step.what)
            elif known is not None and origin.hidden:
                self._left(origin, self._which(step, origin, target, known))
            if step.first and step.target in self.needs:
                raise Clash

    def bag(self, path: str) -> Counter[str]:
        """What is needed in a place, in whatever order."""
        needed = self.needs.get(path)
        if isinstance(needed, tuple):
            return Counter(name for name in needed if name is not None)
        return _NOTHING if needed is None else needed

    def _put(self, path: str, needed: Counter[str] | tuple[str | None, ...]) -> None:
        if needed:
            self.needs[path] = needed
        else:
            self.needs.pop(path, None)

    def _pile(self, path: str) -> tuple[str | None, ...]:
        needed = self.needs.get(path, ())
        assert isinstance(needed, tuple)
        return needed

    # ---------------------------------------------------------------- what is seen

    def _came(self, spot: Spot, what: tuple[str, ...]) -> None:
        """Before these came they need not be there."""
        if spot.is_pile and spot.hidden:
            taken = self._take(spot.path, len(what))
            if any(one not in (None, name) for one, name in zip(taken, what, strict=True)):
                raise Clash
        elif spot.path in self.needs:
            self._put(spot.path, self.bag(spot.path) - Counter(what))

    def _take(self, path: str, count: int) -> list[str | None]:
        """What is needed on top of a pile, which was not there before."""
        pile = self._pile(path)
        self._put(path, pile[count:])
        return [*pile[:count], *[None] * (count - len(pile))]

    def _left(self, spot: Spot, what: tuple[str | None, ...]) -> None:
        """Before these left they lay there."""
        if spot.seen:
            return
        if spot.is_pile:
            self._put(spot.path, (*what, *self._pile(spot.path)))
        else:
            known = Counter(name for name in what if name is not None)
            self._put(spot.path, self.bag(spot.path) + known)

    def _lies(self, spot: Spot, step: Step) -> None:
        """The seat is told what lies on top, or all that lies there."""
        if spot.seen or not step.what:
            return
        if not spot.is_pile:
            self._put(spot.path, self.bag(spot.path) | Counter(step.what))
            return
        pile = list(self._pile(spot.path))
        for i, name in enumerate(reversed(step.what)):
            if i == len(pile):
                pile.append(None)
            if pile[i] not in (None, name):
                raise Clash
            pile[i] = name
        self._put(spot.path, tuple(pile))

    def _round(self, step: Step) -> None:
        before = dict(self.needs)
        for handed in step.cycle:
            spot = self.spots.by_path[handed.origin]
            after = before.get(handed.target, ())
            if spot.seen:
                self.needs.pop(handed.origin, None)
            elif spot.is_pile:
                self._put(handed.origin, after)
            else:
                needed = Counter(name for name in after if name is not None)
                needed = Counter(after) if isinstance(after, Counter) else needed
                self._put(handed.origin, needed | Counter(handed.known))

    # ---------------------------------------------------------------- what is not

    def _which(
        self, step: Step, origin: Spot, target: Spot, known: Known
    ) -> tuple[str | None, ...]:
        """Which of the components that are needed later were those that moved here."""
        if target.is_pile:
            found = self._take(target.path, step.count)
        elif target.seen:
            found = [None] * step.count
        else:
            needed, leaving = self.bag(target.path), self.bag(origin.path)
            among = Among(
                self.spots, self.total, self.stream, step, origin, target, known, needed, leaving
            )
            chosen = among.choose()
            self.guessed = self.guessed or among.guessed
            self._put(target.path, self.bag(target.path) - chosen)
            found = [*chosen.elements()]
            found += [None] * (step.count - len(found))
            if origin.is_pile and len(found) > 1:
                _shuffle(found, self.stream)
        if step.rows:
            found = self._fitting(step, origin, found, known)
            if origin.is_pile:
                return self._in_order(step, found, known)
        return tuple(found)

    def _in_order(
        self, step: Step, names: list[str | None], known: Known
    ) -> tuple[str | None, ...]:
        """The components that left a pile as they lay in it, from the top down."""
        row_of, left = self.rows_of(step), list(names)
        found: list[str | None] = []
        for row in known.order:
            fitting = [name for name in left if name is None or row in (None, row_of[name])]
            if not fitting:
                raise Clash
            found.append(fitting[0])
            left.remove(fitting[0])
        return tuple(found)

    def _fitting(
        self, step: Step, origin: Spot, found: list[str | None], known: Known
    ) -> list[str | None]:
        """Components for columns that were seen."""
        row_of = self.rows_of(step)
        rows = list(step.rows)
        for name in found:
            if name is not None:
                if row_of[name] not in rows:
                    raise Clash
                rows.remove(row_of[name])
        fitted = Counter(name for name in found if name is not None)
        elsewhere = self._needed_elsewhere(origin)
        for row in rows:
            names = [
                name
                for name in origin.names
                if row_of[name] == row and elsewhere[name] < self.total[name]
            ]
            name = self._one_of(names, origin, fitted, known, elsewhere)
            fitted[name] += 1
        return [*fitted.elements()]

    def _needed_elsewhere(self, origin: Spot) -> Counter[str]:
        needed: Counter[str] = Counter()
        for path in self.needs.keys() - {origin.path}:
            needed.update(self.bag(path))
        return needed

    def _one_of(
        self,
        names: list[str],
        origin: Spot,
        gone: Counter[str],
        known: Known,
        elsewhere: Counter[str],
    ) -> str:
        """One of some components, as likely as it lay in a place from which others go too."""
        needed = self.bag(origin.path) + gone
        certain = Counter(known.origin) - needed
        free = known.sizes[0] - (needed | Counter(known.origin)).total()
        most = {
            name: known.most_in_origin(self.total, name) - needed[name] - elsewhere[name]
            for name in names
        }
        unsure = sum(
            max(0, self.total[name] - known.everywhere.get(name, 0)) for name in origin.names
        )
        weights = [
            0
            if most[name] <= 0
            else certain[name] * max(1, unsure)
            + max(0, most[name] - certain[name]) * max(0, min(free, unsure))
            for name in names
        ]
        if not any(weights):
            raise Clash
        crowded = self.spots.rows(needed + Counter({names[0]: 1})) | Counter(known.rows[0])
        if crowded.total() > known.sizes[0]:
            raise Clash
        self.guessed = True
        return names[self.stream.pick(weights)]

    def rows_of(self, step: Step) -> dict[str, Row]:
        """What is seen of each component that can have moved."""
        assert step.origin is not None
        assert step.target is not None
        return self.spots.rows_of(step.origin, step.target)


def _shuffle(names: list[str | None], stream: Stream) -> None:
    for i in range(len(names) - 1, 0, -1):
        j = stream.below(i + 1)
        names[i], names[j] = names[j], names[i]
