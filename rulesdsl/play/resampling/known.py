"""What is known to lie where, and what may lie there, after each step that a log tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set

from attrs import define, field, frozen

from rulesdsl.play.resampling.spots import Row, Spot, Spots, Step

MANY = 10**6
"""The size of a place of which it is not seen."""


@frozen
class Known:
    """What is known before a step of how many: sizes, and at least so many of each component."""

    sizes: tuple[int, int]
    origin: Mapping[str, int]
    target: Mapping[str, int]
    everywhere: Mapping[str, int]
    order: tuple[Row | None, ...] = ()
    """The columns seen of what left a pile, from the top down."""
    rows: tuple[Mapping[Row, int], Mapping[Row, int]] = ({}, {})
    """At least so many of each row of columns that all see, in the origin and in the target."""
    may: tuple[Set[str], Set[str]] = (frozenset(), frozenset())
    """What can lie in the origin and in the target at all."""

    def most_in_origin(self, total: Mapping[str, int], name: str) -> int:
        """How many of a component can lie in the origin at most."""
        return self._most(total, self.origin, name) if name in self.may[0] else 0

    def most_in_target(self, total: Mapping[str, int], name: str) -> int:
        """How many of a component can lie in the target at most."""
        return self._most(total, self.target, name) if name in self.may[1] else 0

    def _most(self, total: Mapping[str, int], here: Mapping[str, int], name: str) -> int:
        return total.get(name, 0) - self.everywhere.get(name, 0) + here.get(name, 0)


@define(eq=False)
class Forward:
    """Lower bounds of what lies where, and where each component may lie."""

    spots: Spots
    known: dict[str, Counter[str]]
    sizes: dict[str, int]
    piled: list[tuple[Spot, list[str]]]
    everywhere: Counter[str] = field(factory=Counter, init=False)
    total: Counter[str] = field(factory=Counter, init=False)
    piles: dict[str, list[Row | None]] = field(init=False)
    """The columns seen of components in piles, from the bottom up."""
    rows: dict[str, Counter[Row]] = field(init=False)
    may: dict[str, frozenset[str]] = field(init=False)
    """For each place what may lie there, by the ways that components have gone."""

    def __attrs_post_init__(self) -> None:
        self.rows = {path: self.spots.rows(content) for path, content in self.known.items()}
        self.piles = {
            spot.path: [self.spots.row(spot.zone.columns_seen, spot, n) for n in lying]
            for spot, lying in self.piled
            if spot.zone.columns_seen
        }
        for content in self.known.values():
            self.total.update(content)
        self.everywhere = self.total.copy()
        self.may = {path: frozenset(content) for path, content in self.known.items()}

    def step(self, step: Step) -> Known | None:
        """Go on by a step; what was known before it, where it does not tell what moved."""
        if step.cycle:
            self._round(step)
            return None
        order = self._pile_up(step)
        if step.origin is None or step.target is None:
            assert step.target is not None
            if step.what:
                lying = Counter(step.what)
                self._set(step.target, self.known[step.target] | lying)
                self._settle(lying)
            return None
        origin, target = self.known[step.origin], self.known[step.target]
        if step.what is not None:
            moved = Counter(step.what)
            self._set(step.origin, origin - moved)
            self._set(step.target, target + moved)
            self._set_rows(step, self.spots.rows(moved))
            self._may_come(step.target, moved)
            self._settle(moved)
            return None
        sizes = self._size(step.origin), self._size(step.target)
        rows = self.rows[step.origin], self.rows[step.target]
        may = self.may[step.origin], self.may[step.target]
        known = Known(sizes, origin, target, self.everywhere.copy(), order, rows, may)
        self._may_go(step)
        self._set_rows(step, Counter(step.rows) if step.rows else None)
        if sizes[0] == step.count:
            self._set(step.target, target + origin)
            self._set(step.origin, Counter())
        else:
            # any of them may have been among those that left
            less = Counter({name: n - step.count for name, n in origin.items() if n > step.count})
            self._set(step.origin, less)
        return known

    def _may_go(self, step: Step) -> None:
        """What was in the origin may have come to the target."""
        assert step.origin is not None
        assert step.target is not None
        moving: Iterable[str] = self.may[step.origin]
        if step.rows:
            row_of, rows = self.spots.rows_of(step.origin, step.target), set(step.rows)
            moving = [name for name in moving if row_of[name] in rows]
        self._may_come(step.target, moving)
        if self._size(step.origin) == step.count:
            self.may[step.origin] = frozenset()

    def _may_come(self, path: str, names: Iterable[str]) -> None:
        self.may[path] |= self.spots.by_path[path].held.intersection(names)

    def _settle(self, seen: Iterable[str]) -> None:
        """Components of which each is known to lie somewhere can lie nowhere else."""
        for name in seen:
            if self.everywhere[name] == self.total[name]:
                for path, names in self.may.items():
                    if name in names and not self.known[path][name]:
                        self.may[path] = names - {name}

    def _pile_up(self, step: Step) -> tuple[Row | None, ...]:
        """Keep what is seen of the order in piles; what is seen of what leaves one."""
        order: tuple[Row | None, ...] = ()
        if step.origin in self.piles:
            pile = self.piles[step.origin]
            order = tuple(pile.pop() if pile else None for _ in range(step.count))
        if step.target in self.piles and step.origin is not None:
            rows: list[Row | None] = [None] * step.count
            if step.count == 1 and step.rows:
                rows = [step.rows[0]]
            elif step.what is not None:
                spot = self.spots.by_path[step.target]
                rows = [self.spots.row(spot.zone.columns_seen, spot, n) for n in step.what]
            self.piles[step.target] += rows
        return order

    def _set_rows(self, step: Step, moved: Counter[Row] | None) -> None:
        """Keep what is known of columns; None: nothing is known of those that moved."""
        assert step.origin is not None
        assert step.target is not None
        origin, target = self.rows[step.origin], self.rows[step.target]
        if moved is None and self._size(step.origin) == step.count:
            moved = origin
        if moved is None:
            less = {row: n - step.count for row, n in origin.items() if n > step.count}
            self.rows[step.origin] = Counter(less)
        else:
            self.rows[step.origin] = origin - moved
            if self.spots.by_path[step.target].counted:
                self.rows[step.target] = target + moved

    def _size(self, path: str) -> int:
        return self.sizes[path] if self.spots.by_path[path].counted else MANY

    def _set(self, path: str, content: Counter[str]) -> None:
        if not self.spots.by_path[path].counted:
            content = Counter()
        self.everywhere.subtract(self.known[path])
        self.everywhere.update(content)
        self.known[path] = content

    def _round(self, step: Step) -> None:
        before = {handed.origin: self.known[handed.origin] for handed in step.cycle}
        may = {handed.origin: self.may[handed.origin] for handed in step.cycle}
        for handed in step.cycle:
            self._set(handed.target, before[handed.origin] | Counter(handed.known))
            self.rows[handed.target] = self.spots.rows(self.known[handed.target])
            self.may[handed.target] = may[handed.origin]
            self._may_come(handed.target, handed.known)
