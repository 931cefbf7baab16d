"""What a player does not see of how a game goes on: chance, and what others do in secret."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import define, field

from rulesdsl.check.model import Scalar, Zone
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import Draw
from rulesdsl.play.events import Event
from rulesdsl.play.logs import news
from rulesdsl.play.moves import Move
from rulesdsl.play.resampling.among import in_time
from rulesdsl.play.resampling.crossing import changed_sizes
from rulesdsl.play.resampling.foresight import Foresight, Needs
from rulesdsl.play.resampling.spots import Spot, Spots
from rulesdsl.play.rules import Rules
from rulesdsl.play.state import State
from rulesdsl.play.views import Piece

TRIED = 150
"""How many of the secret moves of a player are tried at most."""
DRAWN = 8
"""How many outcomes of chance that nobody saw are tried."""


@define(eq=False)
class Guesses:
    """Ways in which a game can go on so that a seat sees what its log tells, in random order."""

    spots: Spots
    log: tuple[Event, ...]
    foresight: Foresight
    stream: Stream
    until: float | None = None
    """The time (of `time.monotonic`) from which on nothing more is tried."""
    exact: bool = field(init=False)
    """Whether only chance was guessed, and that with its probabilities."""
    blame: int | None = field(default=None, init=False)
    """Whose doing it was when the log last told otherwise."""
    _closings: dict[tuple[int, int], Closing] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.exact = not self.foresight.guessed

    @property
    def rules(self) -> Rules:
        return self.spots.rules

    # ---------------------------------------------------------------- what the log says

    def told(self, state: State, child: State, at: int) -> int | None:
        """Where in the log a state is that has come from another; None if it tells otherwise."""
        in_time(self.until)
        events = news(child.last_run, state.last_run, self.spots.seat, self.rules)
        end = at + len(events)
        if tuple(events) == self.log[at:end]:
            return end
        expected = [*self.log[at:end], None]
        for event, other in zip([*events, None], expected, strict=False):
            if event != other:
                whose = self._whose(event)
                self.blame = self._whose(other) if whose is None else whose
                break
        return None

    def _whose(self, event: Event | None) -> int | None:
        """The player of whose things an event tells."""
        for key, path in event.data if event is not None else ():
            owner = self.spots.owners.get(str(path)) if key in ("place", "from", "to") else None
            if owner not in (None, self.spots.seat):
                return owner
        return None

    def fits(self, state: State, at: int) -> bool:
        """Whether all lies there that is seen later."""
        record = list(state.record)
        needs = self.foresight.at(at)
        return all(not self.missing(record, needs, self.spots.by_path[path]) for path in needs)

    def missing(self, record: list[int], needs: Needs, spot: Spot) -> Counter[str]:
        """What should lie in a place and does not."""
        needed = needs.get(spot.path)
        if needed is None:
            return Counter()
        lying = self.spots.lying(record, spot)
        if not isinstance(needed, tuple):
            return Counter(needed) - Counter(lying)
        downward: list[str | None] = [*reversed(lying), *[None] * len(needed)]
        pairs = zip(needed, downward, strict=False)
        return Counter(name for name, here in pairs if name is not None and name != here)

    # ---------------------------------------------------------------- chance

    def draws(
        self, state: State, at: int, draw: Draw, seat: int | None
    ) -> tuple[int | None, Iterator[tuple[State, int]]]:
        """How chance may have come out, and for whom: None where the log tells it."""
        weights = state.weights(draw, seat)
        if isinstance(draw.subject, Scalar):
            place = None if draw.target is None else self._place(state, at, draw, seat)
            if place is not None and place < len(weights) and weights[place]:
                weights = [w if i == place else 0 for i, w in enumerate(weights)]
            return -1, self._drawn(state, at, weights, len(weights))
        names = self._names(draw.subject)
        paths = self._paths(state, draw, seat)
        told = self._told_drawn(at, paths[0])
        if told:
            weights = [w if name in told else 0 for w, name in zip(weights, names, strict=True)]
            return (None if len(told) == 1 else -1), self._drawn(state, at, weights, len(told))
        moves = at < len(self.log) and self.log[at].kind == "moved"
        needs = self.foresight.at(at + 1 if moves else at)
        weights = self._needed(state, needs, weights, names, paths)
        owner = self.spots.owners.get(paths[1] or "")
        return (-1 if owner is None else owner), self._drawn(state, at, weights, DRAWN)

    def _drawn(
        self, state: State, at: int, weights: list[int], most: int
    ) -> Iterator[tuple[State, int]]:
        """The states after outcomes, the likelier ones sooner."""
        weights = list(weights)
        for _ in range(most):
            if not any(weights):
                return
            outcome = self.stream.pick(weights)
            weights[outcome] = 0
            child = state.unseeded()
            try:
                child.carry_out_chance(outcome)
            except RuleFault:
                continue
            reached = self.told(state, child, at)
            if reached is not None and self.fits(child, reached):
                yield child, reached

    def _names(self, zone: Zone) -> list[str]:
        return [name for kind in zone.kinds for name in kind.members]

    def _paths(self, state: State, draw: Draw, seat: int | None) -> tuple[str, str | None]:
        """From where and to where something is drawn."""
        words, engine, scene = self.rules.words, self.rules.engine, state.scene(seat)
        keys = [engine.evaluate(key, scene) for key in draw.keys]
        assert isinstance(draw.subject, Zone)
        target = None if draw.target is None else words.path(draw.target, keys[1])
        return words.path(draw.subject, keys[0]), target

    def _told_drawn(self, at: int, origin: str) -> list[str]:
        """What the next event says was drawn; of several that were looked at, all."""
        if at == len(self.log):
            return []
        event = self.log[at]
        data = dict(event.data)
        if event.kind == "moved" and data["from"] == origin and "what" in data:
            return [str(data["what"])]
        if event.kind in ("looked", "shown") and data.get("place") == origin:
            value = event["value"]
            return [str(name) for name in value] if isinstance(value, (list, dict)) else []
        return []

    def _needed(
        self,
        state: State,
        needs: Needs,
        weights: list[int],
        names: list[str],
        paths: tuple[str, str | None],
    ) -> list[int]:
        """The weights of what is not needed elsewhere; only what is needed, if something is."""
        record = list(state.record)
        left = needs.get(paths[0])
        if left is not None and not isinstance(left, tuple):
            lying = Counter(self.spots.lying(record, self.spots.by_path[paths[0]]))
            # the copies that may go are as likely as before
            weights = [
                max(0, w - w * left.get(name, 0) // max(1, lying[name]))
                for w, name in zip(weights, names, strict=True)
            ]
        spot = None if paths[1] is None else self.spots.by_path[paths[1]]
        if spot is None or spot.seen:
            return weights
        missing = self.missing(record, needs, spot)
        if spot.is_pile:
            needed = needs.get(spot.path)
            top = needed[0] if isinstance(needed, tuple) and needed else None
            missing = Counter() if top is None else Counter({top: 1})
        if not missing:
            return weights
        self.exact = False
        return [w if name in missing else 0 for w, name in zip(weights, names, strict=True)]

    def _place(self, state: State, at: int, draw: Draw, seat: int | None) -> int | None:
        """How many components must lie above one that comes to a random place of a deck."""
        assert draw.target is not None
        key = self.rules.engine.evaluate(draw.keys[1], state.scene(seat))
        deck = self.rules.words.path(draw.target, key)
        first = dict(self.log[at].data) if at < len(self.log) else {}
        if first.get("to") != deck or "what" not in first:
            return None
        above = 0
        for event in self.log[at + 1 :]:
            data = dict(event.data)
            if event.kind == "moved" and data["to"] == deck:
                return None
            if event.kind == "moved" and data["from"] == deck:
                if data.get("what") == first["what"]:
                    return above
                above += int(str(data["count"]))
        return None

    # ---------------------------------------------------------------- secret moves

    def secret(self, state: State, at: int, player: int) -> Iterator[tuple[State, int]]:
        """The states after moves of a player that the seat is not told, the better ones sooner."""
        choice = state.choice(player)
        inside = choice is not None and choice.region is not None
        closing = self._closing(state, at) if inside else None
        later: list[tuple[tuple[int, int], int, State, int]] = []
        for number, move in enumerate(self._moves(state, player)):
            if number:
                self.exact = False
            child = state.unseeded()
            try:
                child.carry_out(move)
            except RuleFault:
                continue
            reached = self.told(state, child, at)
            if reached is None:
                continue
            if closing is None or reached > at or not closing.is_open(child):
                if self.fits(child, reached):
                    yield child, reached
                continue
            apart = closing.apart(child, player)
            if apart is not None:
                later.append((apart, number, child, reached))
        for _, _, child, reached in sorted(later, key=lambda one: one[:2]):
            yield child, reached

    def _moves(self, state: State, player: int) -> list[Move]:
        """Legal moves in random order, not more than can be tried."""
        asked = state.asked(player)
        if asked is None:
            return []
        bundles = asked.bundles()
        left = list(range(sum(map(len, bundles))))
        found: list[Move] = []
        while left and len(found) < TRIED:
            at = self.stream.below(len(left))
            index, left[at] = left[at], left[-1]
            left.pop()
            for bundle in bundles:
                if index < len(bundle):
                    found.append(asked.nth(bundle, index))
                    break
                index -= len(bundle)
        return found

    def _closing(self, state: State, at: int) -> Closing | None:
        """What the seat sees when all are done who act at the same time."""
        state.log(self.spots.seat)
        told = state.last_run.told
        if told is None or told.opened is None:
            return None
        key = id(told.opened), at
        if key not in self._closings:
            self._closings[key] = Closing(self, told.opened, at)
        return self._closings[key]


@define(eq=False)
class Closing:
    """How things look to a seat at the end of a region, as its log tells it."""

    guesses: Guesses
    opened: list[int]
    at: int
    seen: dict[str, object] = field(init=False)
    sizes: dict[str, int] = field(init=False)
    needs: Needs = field(init=False)

    def __attrs_post_init__(self) -> None:
        guesses, spots = self.guesses, self.guesses.spots
        end = self.at
        while end < len(guesses.log) and guesses.log[end].kind == "changed":
            end += 1
        self.seen = dict(self._seen(self.opened, spots.rules.views.state()))
        told: set[str] = set()
        for event in guesses.log[self.at : end]:
            path = str(event["place"])
            if path not in told:
                self.seen[path] = event["value"]
                told.add(path)
        self.sizes = {s.path: len(spots.lying(self.opened, s)) for s in spots.hidden}
        self.sizes |= changed_sizes(spots, guesses.log, self.at, end)
        self.needs = guesses.foresight.at(end)

    def _seen(self, record: list[int], pieces: Iterable[Piece]) -> dict[str, object]:
        views = self.guesses.rules.views
        return dict(views.seen(self.guesses.spots.seat, views.cells(record), pieces))

    def is_open(self, state: State) -> bool:
        told = state.last_run.told
        return told is not None and told.opened is self.opened

    def apart(self, state: State, player: int) -> tuple[int, int] | None:
        """How far the things of a player are from what they must become.

        First what can hardly be put right, then what is still to be done. None: he is done, and
        it is not what the seat sees.
        """
        spots, record = self.guesses.spots, list(state.record)
        own = [spot for spot in spots.hidden if spot.owner == player]
        missing = {s.path: self.guesses.missing(record, self.needs, s) for s in own}
        if player not in state.asking() and state.draw() is None:
            pieces = self.guesses.rules.views.state()
            theirs = [piece for piece in pieces if spots.owners[piece[2]] == player]
            seen = self._seen(record, theirs)
            same = all(seen.get(path) == self.seen.get(path) for _, _, path in theirs)
            return (0, 0) if same and not any(missing.values()) else None
        wrong = left = 0
        spare: Counter[str] = Counter()
        for spot in own:
            lying = spots.lying(record, spot)
            room = self.sizes[spot.path] - len(lying)
            wrong += max(0, missing[spot.path].total() - max(0, room))
            if room < 0:
                spare.update(lying)
                spare.subtract(self._needed(spot))
            if self.sizes[spot.path] >= len(spots.lying(self.opened, spot)):
                wrong += max(0, -room)
                left += max(0, room)
        wanted = sum(missing.values(), Counter[str]())
        wrong += sum(max(0, number - max(0, spare[name])) for name, number in wanted.items())
        return wrong, left + wanted.total()

    def _needed(self, spot: Spot) -> Counter[str]:
        needed = self.needs.get(spot.path, Counter[str]())
        if isinstance(needed, tuple):
            return Counter(name for name in needed if name is not None)
        return Counter(needed)
