"""How a game has ended: the ranking, the winners, and what they are made of."""

from __future__ import annotations

from attrs import frozen

from rulesdsl.engines.reference import Engine
from rulesdsl.machine.program import WINNER, Machine

NOBODY, FIRST_SEAT = 1, 2
"""Values of the cell WINNER; 0: the result decides."""


@frozen
class Outcome:
    """The end of a game. Seats are counted from 0; equal ones share a place.

    `scores` are the named terms of the result for each seat (with `total` where they are added
    up), `keys` what was compared, the weightiest first, `out` who cannot win.
    """

    seats: tuple[str, ...]
    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    scores: dict[str, tuple[int, ...]]
    keys: tuple[tuple[int, ...], ...]
    out: tuple[int, ...]
    payoffs: tuple[int, ...] | None

    def __str__(self) -> str:
        groups = [" and ".join(self.seats[s] for s in group) for group in self.ranking]
        won = " and ".join(self.seats[s] for s in self.winners) or "nobody"
        return f"{', then '.join(groups)}; {won} {'win' if len(self.winners) > 1 else 'wins'}"

    def to_json(self) -> dict[str, object]:
        """The outcome by the names of the seats."""

        def each(values: tuple[int, ...]) -> dict[str, int]:
            return dict(zip(self.seats, values, strict=True))

        found: dict[str, object] = {
            "ranking": [[self.seats[s] for s in group] for group in self.ranking],
            "winners": [self.seats[s] for s in self.winners],
        }
        if self.scores:
            found["scores"] = {name: each(values) for name, values in self.scores.items()}
        if self.payoffs is not None:
            found["payoffs"] = each(self.payoffs)
        return found


def outcome(machine: Machine, engine: Engine, record: list[int]) -> Outcome:
    """The outcome of a record in which the game is over."""
    seats = range(machine.seats)
    values = {name: engine.by_seat(v, record) for name, v in machine.scores.items()}
    scores = {n.removeprefix("score "): v for n, v in values.items() if n.startswith("score ")}
    payoffs = values.get("payoff")
    keys = [v for name, v in values.items() if name.startswith("highest ")]
    if scores:
        scores["total"] = tuple(map(sum, zip(*scores.values(), strict=True)))
        keys.insert(0, scores["total"])
    if payoffs is not None:
        keys.insert(0, payoffs)
    out = tuple(s for s in seats if values.get("out", (0,) * machine.seats)[s])
    winner = record[WINNER]
    if winner >= FIRST_SEAT:
        first = winner - FIRST_SEAT
        others = tuple(s for s in seats if s != first)
        ranking: tuple[tuple[int, ...], ...] = ((first,), others) if others else ((first,),)
        winners: tuple[int, ...] = (first,)
    elif winner == NOBODY:
        ranking, winners = (tuple(seats),), ()
    else:
        ranking = _groups(list(zip(*keys, strict=True)) or [()] * machine.seats, out)
        decided = len(out) < machine.seats and bool(keys or out)
        winners = ranking[0] if decided else ()
    return Outcome(machine.seat_names, ranking, winners, scores, tuple(keys), out, payoffs)


def returns(machine: Machine, engine: Engine, record: list[int]) -> tuple[int, ...]:
    """What each seat gets where the game is over: its payoff; where the rules name none, 1 for
    who wins and -1 for the others, and 0 for all if nobody wins."""
    payoff = machine.scores.get("payoff")
    if payoff is not None:
        return engine.by_seat(payoff, record)
    winners = outcome(machine, engine, record).winners
    if not winners:
        return (0,) * machine.seats
    return tuple([1 if seat in winners else -1 for seat in range(machine.seats)])


def _groups(keys: list[tuple[int, ...]], out: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Seats by their keys, the greatest first; who is out comes after all others."""
    groups: dict[tuple[bool, tuple[int, ...]], list[int]] = {}
    for seat, key in enumerate(keys):
        groups.setdefault((seat not in out, key), []).append(seat)
    return tuple(tuple(groups[place]) for place in sorted(groups, reverse=True))
