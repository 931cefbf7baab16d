"""Portus in plain Python, apart from the engine and from what the file says in words.

Only what stands on tiles and cards is read from the files; prices, strengths, ways, turns and
the count at the end are written out here. A game is a generator: it gives who may do what and
takes what they do, so that a test can go through one step by step beside the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any

from attrs import define

from rulesdsl.check.datatypes import Kind

Asked = dict[str, set[str]]
"""Who may do what; several players act at the same time."""
Answer = dict[str, str]
"""What they do; of a card turned up, its name under `card`."""
Asking = Generator[Asked, Answer, None]

SECTIONS = {
    "moving": "wood",
    "shipbuilding": "wheat",
    "ordering": "stone",
    "construction": "gold",
    "trading": "permit",
    "administration": None,
}
RING = list(SECTIONS)
FIGURES = ("wild_animal", "exotic_animal", "nobleman", "noblewoman")
ROUTES = ("gallia", "hispania", "africa", "aegyptus")
LEGS = {f"{route}_{mile}": (route, mile) for route in ROUTES for mile in range(1, 7)}
SPACES = ("start_box", *LEGS)
EMBLEMS = ("building", "ship", "amphora")
MOST, LAST_REWARD, ROUNDS, SHIPS_AT_SEA, DISCS_ON_A_PORT, HONOR = 12, 12, 40, 4, 2, 6
SHIP_PRICE = {7: 1, 6: 1, 5: 2, 4: 2, 3: 2, 2: 3, 1: 3}
PORT_PRICE = {7: 1, 6: 2, 5: 2, 4: 3, 3: 3, 2: 3, 1: 3}
PLACES = (10, 7, 5, 3)
VALUES = {0: (1, 1, 1), 4: (2, 1, 2), 8: (2, 2, 2), 12: (3, 3, 3)}
SUPPLY = {1: 8, 2: 14, 3: 20, 4: 26}


def step_price(mile: int) -> int:
    """One permit along the coast, two on the open sea."""
    return 1 if mile <= 3 else 2


@define
class Data:
    """What stands on tiles and cards."""

    kinds: dict[str, Kind]

    def bag(self, kind: str, column: str, name: str) -> Counter[str]:
        """A bag: what a tile gives."""
        found, bag = self.kinds[kind], self.kinds[kind].bags[column]
        counts = bag.counts[found.members.index(name)]
        return Counter(dict(zip(bag.kind.members, counts, strict=True)))

    def number(self, kind: str, column: str, name: str) -> int:
        """A number on a card; of a name its place, -1 for none."""
        found = self.kinds[kind]
        return found.columns[column].values[found.members.index(name)]


@define
class Portus:
    """The base game, from the end of the setup on; `now` is the state by its paths."""

    seats: tuple[str, ...]
    data: Data
    now: dict[str, Any]

    # ---------------------------------------------------------------- what there is

    def move(self, what: str, origin: str, to: str) -> None:
        """One component from a bag or pile into a bag."""
        if isinstance(self.now[origin], list):
            assert self.now[origin].pop() == what
        else:
            assert self.now[origin][what] > 0, (what, origin)
            self.now[origin][what] -= 1
        self.now[to][what] += 1

    def size(self, path: str) -> int:
        value = self.now[path]
        return len(value) if isinstance(value, list) else sum(value.values())

    def receive(self, p: str, what: str) -> None:
        """One of what a tile gives; more than twelve are lost."""
        if what in FIGURES:
            self.now[f"{p}.figures[{what}]"] += 1
        elif what == "reward":
            self.now[f"{p}.rewards"] = min(LAST_REWARD, self.now[f"{p}.rewards"] + 1)
        elif what == "amphora":
            if self.size("supply"):
                self.move("amphora", "supply", f"{p}.amphorae")
        else:
            self.gain(p, what, 1)

    def receive_all(self, p: str, bag: Counter[str]) -> None:
        for what in bag.elements():
            self.receive(p, what)

    def gain(self, p: str, resource: str, number: int) -> None:
        path = f"{p}.stock[{resource}]"
        self.now[path] = min(MOST, self.now[path] + number)
        assert self.now[path] >= 0

    def has(self, p: str, resource: str) -> int:
        return int(self.now[f"{p}.stock[{resource}]"])

    def spots(self, section: str | None = None) -> list[str]:
        spots = self.data.kinds["Spot"].members
        if section is None:
            return list(spots)
        return [s for s in spots if RING[self.data.number("Spot", "section", s)] == section]

    def strength(self, p: str, section: str) -> int:
        """One, and one more for each building or lighthouse in the section."""
        return 1 + sum(self.now[f"{p}.built[{spot}]"] is not None for spot in self.spots(section))

    def own_ports(self, p: str) -> list[str]:
        ports = self.data.kinds["TradingPort"].members
        return [port for port in ports if self.now[f"{p}.disc_on[{port}]"] is not None]

    def beyond(self, p: str, mile: int) -> int:
        """How many ships are farther than a mile, on all routes."""
        return sum(self.size(f"{p}.fleet[{leg}]") for leg in LEGS if LEGS[leg][1] > mile)

    def is_over(self) -> bool:
        return self.size("supply") == 0 or any(
            self.now[f"{p}.rewards"] == LAST_REWARD
            or self.beyond(p, 5) >= 3
            or self.size(f"{p}.ship_track") == 0
            or self.size(f"{p}.discs") == 0
            for p in self.seats
        )

    # ---------------------------------------------------------------- turns

    def play(self) -> Asking:
        """To the end of the round in which somebody is ready."""
        for _ in range(ROUNDS):
            for p in self.seats:
                yield from self.turn(p)
            if self.is_over():
                return

    def turn(self, p: str) -> Asking:
        here = [s for s in RING if self.size(f"{p}.sea[{s}]")]
        section = (yield {p: {f"sow {s}" for s in here}})[p].split()[1]
        ships = self.now[f"{p}.sea[{section}]"]
        resource = SECTIONS[section]
        if resource is not None:
            self.gain(p, resource, sum(ships.values()) + ships["ponto"])
        lifted = Counter(ships)
        ships.clear()
        while +lifted:
            section = RING[(RING.index(section) + 1) % 6]
            kinds = list(+lifted)
            ship = kinds[0]
            if len(kinds) > 1:
                self.now[f"{p}.lifted"] = +lifted
                ship = (yield {p: {f"lay {kind}" for kind in kinds}})[p].split()[1]
            lifted[ship] -= 1
            self.now[f"{p}.sea[{section}]"][ship] += 1
        self.now[f"{p}.lifted"] = Counter()
        yield from self.act(p, section)

    def act(self, p: str, section: str) -> Asking:
        limit = self.strength(p, section)
        match section:
            case "moving":
                yield from self.go_to_sea(p, limit)
            case "shipbuilding":
                yield from self.build_ships(p, limit)
            case "ordering":
                yield from self.fill_orders(p, limit)
            case "construction":
                yield from self.open_ports(p, limit)
            case "trading":
                yield from self.trade(p, limit)
            case "administration":
                choices = {"as_ordering", "as_moving", "as_shipbuilding"}
                answer = (yield {p: choices})[p]
                other = answer.removeprefix("as_")
                extra = limit - 1 + self.strength(p, other)
                match other:
                    case "moving":
                        yield from self.go_to_sea(p, extra)
                    case "ordering":
                        yield from self.fill_orders(p, extra)
                    case _:
                        yield from self.build_ships(p, extra)

    # ---------------------------------------------------------------- at sea

    def go_to_sea(self, p: str, limit: int) -> Asking:
        waiting = self.size(f"{p}.fleet[start_box]")
        if (
            self.now[f"{p}.sea[moving]"]["corbita"]
            and not waiting
            and self.beyond(p, 0) < SHIPS_AT_SEA
            and (yield {p: {"launch", "keep_in_port"}})[p] == "launch"
        ):
            self.move("corbita", f"{p}.sea[moving]", f"{p}.fleet[start_box]")
        yield from self.voyage(p, limit + 1, free=False)

    def voyage(self, p: str, reach: int, *, free: bool) -> Asking:
        choices = {}
        for here in SPACES:
            if not self.size(f"{p}.fleet[{here}]"):
                continue
            route, mile = LEGS.get(here, (None, 0))
            for there, (way, end) in LEGS.items():
                miles = range(mile + 1, end + 1)
                price = 0 if free else sum(map(step_price, miles))
                near = route in (None, way) and 0 < len(miles) <= reach
                if near and price <= self.has(p, "permit"):
                    choices[f"sail {here}, there {there}"] = (here, way, miles, price)
        answer = (yield {p: {*choices, "stay"}})[p]
        if answer != "stay":
            self.sail(p, *choices[answer])

    def sail(self, p: str, here: str, route: str, miles: range, price: int) -> None:
        """Permits are paid, each discovery on the way is taken, the last space pays."""
        there = f"{route}_{miles[-1]}"
        self.gain(p, "permit", -price)
        self.move("corbita", f"{p}.fleet[{here}]", f"{p}.fleet[{there}]")
        for mile in miles:
            tile = self.now[f"discovery[{route}_{mile}]"]
            if tile is not None:
                self.now[f"discovery[{route}_{mile}]"] = None
                self.now[f"{p}.discoveries_made"][tile] += 1
                self.receive_all(p, self.data.bag("Discovery", "gives", tile))
        transit = self.now[f"transit[{there}]"]
        if transit is not None:
            self.receive_all(p, self.data.bag("Transit", "gives", transit))
        if miles[-1] == 6:
            before = self.now[f"arrivals[{route}]"]
            self.now[f"arrivals[{route}]"] += 1
            self.now[f"{p}.destination_points"] += PLACES[min(before, 3)]
            place = self.now[f"destination[{route}]"]
            self.receive_all(p, self.data.bag("Destination", "gives", place))

    # ---------------------------------------------------------------- in the port

    def build_ships(self, p: str, limit: int) -> Asking:
        track = f"{p}.ship_track"
        for _ in range(limit):
            left = self.size(track)
            able = left > 0 and self.has(p, "wood") >= SHIP_PRICE[left]
            answer = (yield {p: {"done", *(f"build {s}" for s in RING if able)}})[p]
            if answer == "done":
                return
            self.gain(p, "wood", -SHIP_PRICE[left])
            self.move(self.now[track][-1], track, f"{p}.sea[{answer.split()[1]}]")

    def fill_orders(self, p: str, limit: int) -> Asking:
        for _ in range(limit):
            cards = +self.now["display"]
            needs = {card: self.data.number("Order", "needs", card) for card in cards}
            able = {f"fill {card}" for card in needs if needs[card] <= self.has(p, "wheat")}
            answer = yield {p: {"done", *able}}
            if answer[p] == "done":
                return
            card = answer[p].split()[1]
            self.gain(p, "wheat", -needs[card])
            self.move(card, "display", f"{p}.orders_filled")
            if self.size("order_deck"):
                self.move(answer["card"], "order_deck", "display")
            self.receive_all(p, self.data.bag("Order", "gives", card))

    def may_open(self, p: str, leg: str) -> bool:
        """A port with room, on the first mile or where a ship of the player has been."""
        route, mile = LEGS[leg]
        port = self.now[f"port[{leg}]"]
        if port is None or port in self.own_ports(p):
            return False
        discs = sum(port in self.own_ports(q) for q in self.seats)
        farthest = [m for m in range(1, 7) if self.size(f"{p}.fleet[{route}_{m}]")]
        return discs < DISCS_ON_A_PORT and (mile == 1 or mile <= max(farthest, default=0))

    def open_ports(self, p: str, limit: int) -> Asking:
        for _ in range(limit):
            discs = self.size(f"{p}.discs")
            able = set()
            if discs and self.has(p, "stone") >= PORT_PRICE[discs]:
                first = discs == 7
                able = {
                    f"open {leg}, spot {spot}"
                    for leg in LEGS
                    if self.may_open(p, leg) and (not first or LEGS[leg][1] == 1)
                    for spot in (["mason_yard"] if first else self.spots())
                    if self.now[f"{p}.built[{spot}]"] is None
                }
            answer = (yield {p: {"done", *able}})[p]
            if answer == "done":
                return
            leg, spot = answer.removeprefix("open ").split(", spot ")
            self.gain(p, "stone", -PORT_PRICE[discs])
            self.now[f"{p}.discs"]["disc"] -= 1
            self.now[f"{p}.disc_on[{self.now[f'port[{leg}]']}]"] = "disc"
            self.now["building_tokens"]["building"] -= 1
            self.now[f"{p}.built[{spot}]"] = "building"

    def trade(self, p: str, limit: int) -> Asking:
        seen: set[str] = set()
        self._note(seen)
        for _ in range(limit):
            able = {"done"}
            if self.has(p, "gold"):
                able |= {f"visit {port}" for port in self.own_ports(p) if port not in seen}
            if self.has(p, "gold") >= HONOR and self.size("honor_supply"):
                able.add("honor")
            answer = (yield {p: able})[p]
            if answer == "done":
                return
            if answer == "honor":
                self.gain(p, "gold", -HONOR)
                self.move("honor_card", "honor_supply", f"{p}.honor_cards")
                continue
            port = answer.split()[1]
            seen.add(port)
            self._note(seen)
            self.gain(p, "gold", -1)
            self.receive_all(p, self.data.bag("TradingPort", "pays", port))

    def _note(self, seen: Iterable[str]) -> None:
        for port in self.data.kinds["TradingPort"].members:
            self.now[f"visited[{port}]"] = port in seen

    # ---------------------------------------------------------------- the count

    def icons(self, p: str) -> dict[str, int]:
        """Of each kind that is worth points: on the own boards, and on ports with own discs."""
        found = {
            "building": 7 - self.size(f"{p}.discs"),
            "ship": 7 - self.size(f"{p}.ship_track"),
            "amphora": self.size(f"{p}.amphorae"),
        }
        for port in self.own_ports(p):
            emblem = self.data.number("TradingPort", "emblem", port)
            if emblem >= 0:
                found[EMBLEMS[emblem]] += 1
        return found

    def score(self, p: str) -> dict[str, int]:
        """The lines of the score pad."""
        values = VALUES[max(step for step in VALUES if step <= self.now[f"{p}.rewards"])]
        icons = self.icons(p)
        by_icons = [icons[emblem] * value for emblem, value in zip(EMBLEMS, values, strict=True)]
        points = [self.data.number("TradingPort", "points", port) for port in self.own_ports(p)]
        return {
            "buildings": by_icons[0],
            "ships": by_icons[1],
            "amphorae": by_icons[2],
            "households": 12 * min(self.now[f"{p}.figures[{figure}]"] for figure in FIGURES),
            "trading_ports": sum(points),
            "destinations": self.now[f"{p}.destination_points"],
            "honors": 12 * self.size(f"{p}.honor_cards"),
        }

    def ranking(self) -> list[set[str]]:
        """By points, then filled orders, then what is left; equal ones share a place."""
        keys = {
            p: (
                sum(self.score(p).values()),
                self.size(f"{p}.orders_filled"),
                sum(self.has(p, resource) for resource in SECTIONS.values() if resource),
            )
            for p in self.seats
        }
        places = sorted(set(keys.values()), reverse=True)
        return [{p for p in self.seats if keys[p] == place} for place in places]
