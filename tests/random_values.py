"""Random values: numbers, truths, members and players of the declarations of random_rules.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Values:
    """Makes values. `pick(n)` gives a number from 0 to n - 1."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        self.pick = pick
        self.names = 0
        self.players = ["leader"]
        self.calls = True
        """Whether procedures may be called here."""
        self.numbers: list[str] = []
        self.goods: list[str] = []
        self.mine: set[str] = set()
        """The players whose secrets may be read here."""
        self.secrets = self.maybe(2)
        """Whether cash and goods are secret."""
        self.goods_show = self.one(["", ", size seen", ", colour seen"])
        self.figures_show = self.one(["", ", size seen", ", weight seen"])
        self.line_shows = self.one(["", ", hidden, top seen", ", hidden, colour seen"])
        self.shelf = ", secret, size seen" if self.secrets and self.maybe(2) else ""
        """Who sees what lies on a shelf."""
        self.open_deck = self.maybe(2)
        self.urn = self.one(["deck", "bag"])
        self.aside = self.one(["Token", "Good"])
        """What is not dealt from the urn."""
        self.region = ""
        """The player who acts at the same time as others."""
        self.in_phase = False
        self.loops = 0
        self.turns = 0
        self.depth = 0

    # ---------------------------------------------------------------- choosing

    def one(self, items: Sequence[T]) -> T:
        return items[self.pick(len(items))]

    def maybe(self, n: int) -> bool:
        """Once in n times."""
        return self.pick(n) == n - 1

    def small(self, low: int, high: int) -> int:
        return low + self.pick(high - low + 1)

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names bound inside are gone outside."""
        before = self.players, self.numbers, self.goods, self.mine
        self.players, self.numbers = list(self.players), list(self.numbers)
        self.goods, self.mine = list(self.goods), set(self.mine)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
            self.players, self.numbers, self.goods, self.mine = before

    # ---------------------------------------------------------------- values

    def player(self) -> str:
        if self.region:
            return self.region
        return self.one([*self.players, *self.players[1:], "leader", "seat 1"])

    def any_player(self) -> str:
        """A player, perhaps worked out."""
        p, q = self.player(), self.name("q")
        choices = [p, p, f"left of {p}", f"right of {p}"]
        if not self.region:
            choices.append(f"(first {q} in players where {q}.points > 2 else {p})")
            choices.append(f"(best {q} in players by {q}.points then first)")
            choices.append(f"(best {q} in players by {q}.points then {q}.bid)")
            choices.append(f"(if flag then {p} else seat 2)")
        return self.one(choices)

    def owner(self) -> str:
        """A player as the owner in a path."""
        if self.region:
            return self.region
        return self.one([*self.players, *self.players[1:]])

    def good(self) -> str:
        if self.goods and not self.maybe(4):
            return self.one(self.goods)
        g, p = self.name("g"), self.player()
        choices = ["silk", "salt", "wine", "wine"]
        if not self.region:
            choices += [
                f"(best {g} in Good by {g}.worth then first)",
                f"(first {g} in kinds of box else salt)",
                f"(best {g} in neighbors of {self.good_name()} by {g}.worth then first)",
                "(if spot == none then silk else wine)",
                f"(if {p} == seat 1 then silk else salt)",
            ]
            if self.maybe(6):
                choices = ["top of row", "spot"]
        return self.one(choices)

    def number(self) -> str:
        if self.depth > 5 or self.maybe(3):
            return self.leaf()
        with self.scope():
            return self._number()

    def leaf(self) -> str:
        p = self.owner()
        choices = [str(self.small(0, 3)), f"{p}.points", f"{p}.bid", *self.numbers, *self.numbers]
        if not self.region:
            choices += ["total", "bank", "die", "level", "number of players", "size of box"]
            choices += [f"{self.good_name()}.worth", "size of stock"]
            choices += [f"stock[{self.good_name()}]"] if self.open_deck else []
            choices += ["size of chest", "tray[moon]", "plinth[rose] + niche[owl]"]
            choices += ["vault[crown]"] if self.open_deck else []
            g = self.good_name()
            choices += [f"size of {g}.mix", f"{g}.mix[{self.one(['seal', g, 'thing'])}]"]
            choices += [f"Lot({g}, {self.small(1, 3)}).dust", f"{g}.mark", "rate[thing]"]
        x = self.name("x")
        for place, seen in (("goods", self.goods_show), ("line", self.line_shows)):
            if self.secrets and "colour" in seen:
                choices.append(f"count({x} in {p}.{place} where {x}.colour == red)")
        if self.secrets and "weight" in self.figures_show:
            choices.append(f"sum({x}.weight for {x} in {p}.figures)")
        choices.append(f"{p}.tint[{self.colour()}]")
        if self.reads(p):
            chest = f"{p}.chest[{self.colour()}]"
            choices += [f"size of {chest}", f"{chest}[{self.good_name()}]"]
            choices += [f"{p}.cash", f"size of {p}.goods", f"{p}.goods[{self.good_name()}]"]
            choices += [f"size of {p}.figures", f"{p}.figures[star]"]
        return self.one(choices)

    def varying(self) -> str:
        """A number of the state that can be many things."""
        p = self.owner()
        return self.one(
            [f"{p}.points", f"{p}.bid"] if self.region else ["total", "bank", p + ".bid"]
        )

    def good_name(self) -> str:
        return self.one(self.goods) if self.goods else self.one(["silk", "wine"])

    def colour(self) -> str:
        """A colour, as a name or worked out."""
        colours = ["red", "blue", f"{self.good_name()}.colour"]
        return self.one(colours if self.region else [*colours, "hue"])

    def tile(self) -> str:
        """A tile of the grid."""
        return self.one(["tile", "red2", "blue1", f"Tile({self.small(1, 3)}, {self.colour()})"])

    def wind(self) -> str:
        """A direction."""
        up, aside = self.one(["north", "south", ""]), self.one(["east", "west", ""])
        return up + aside or "north"

    def beside(self) -> str:
        """The tiles beside one."""
        by = self.one(["", " by sides", " by corners", " by sides or corners"])
        return f"neighbors({self.tile()}{by})" if by else f"neighbors of {self.tile()}"

    def lines(self, x: str) -> str:
        """A name for lines of tiles."""
        where = self.one(["in Tile", f"through {self.tile()}"])
        return f"{x} in lines of {self.one(['2', '3', '(level + 1)'])} {where}"

    def reads(self, p: str) -> bool:
        """Whether the secrets of a player may be read here."""
        return not self.secrets or p in self.mine

    def _number(self) -> str:
        a = self.number()
        number = self.pick(12)
        if number < 7 or self.region:
            b = self.number()
            choices = [
                f"{a} + {b}",
                f"({a}) - ({b})",
                f"min({a}, {b}, 7)",
                f"max({a}, {b})",
                f"({a}) * 2",
                f"-({a})",
                f"({a}) / 2 rounded up",
                f"({a}) / {self.small(2, 3)} rounded down",
                f"(if {self.truth()} then {a} else {b})",
                f"bonus[max(0, {a})]",
            ]
            if self.maybe(5):
                choices = [f"rank[{a}]", f"price[{self.good()}, {a}]"]
            return self.one(choices)
        return self.fold()

    def fold(self) -> str:
        x, y = self.name("x"), self.name("y")
        choices = [
            f"sum({x}.value for {x} in {self.one(['box', 'row', 'spot'])})",
            f"count({x} in {self.one(['row', 'kinds of box', 'Good', 'maybe Good'])})",
            f"sum({x}.worth for {x} in Good where {x}.colour == {self.one(['red', 'blue'])})",
            f"sum({x}.weight for {x} in {self.one(['tray', 'plinth'])})",
            f"count({x} in kinds of {self.one(['tray', 'plinth'])} where {x}.weight == 2)",
            f"max({x}.points for {x} in players)",
            f"min({x}.bid for {x} in players where not {x}.out else 2)",
            f"sum({x}.bid for {x} in players {self.seats()})",
            f"count({x} in {self.small(0, 2)}..{self.leaf()} where {x} > 1)",
            f"sum(size of {x} for {x} in runs(row by colour))",
            f"max(size of {x} for {x} in runs(row by value) where {x}.value > 1 else 0)",
            f"count({x} in runs(row by colour) where {x}.colour == red)",
            f"max(wealth({x}) for {x} in players)",
            f"shown({self.good()})",
            f"wealth of {self.owner()}",
            f"{self.good_name()}.pile_of[salt]",
            "sack[seal] + sack[silk]",
            f"duo[{self.good()}]",
            f"sum({self.owner()}.tint[{x}] for {x} in Colour)",
            f"max({x}.tint[{self.colour()}] for {x} in players)",
            f"sum({x}[{self.good_name()}] for {x} in Pair)",
            f"max({x}.worth for {x} in neighbors({self.good()} by Road))",
            f"(Road between {self.good()} and salt).worn",
            f"sum(rate[{x}] for {x} in {self.one(['', 'kinds of '])}{self.good_name()}.mix)",
            f"sum({x}.worth for {x} in ({self.good()}).mix where {x} is a Good)",
            f"Lot({self.good()}, max(1, {self.leaf()})).dust",
            f"sum({x}.dust for {x} in Lot where {x}.good != {self.good_name()})",
            f"rate[if flag then {self.good()} else Token.coin]",
            f"count({x} in maybe {self.small(0, 2)}..max(2, {self.leaf()}) where {x} != 3)",
            f"sum({x}.moss for {x} in {self.beside()})",
            f"sum(max({x}.moss for {x} in {y}) for {self.lines(y)})",
            f"count({self.lines(y)} where all({x}.moss < 3 for {x} in {y}))",
            f"(best {x} in {self.beside()} by {x}.moss then first else tile).row",
        ]
        return self.one(choices)

    def seats(self) -> str:
        return self.one(["", "counterclockwise "]) + self.one(
            [f"from {self.player()}", f"after {self.player()}"]
        )

    def truth(self) -> str:
        if self.depth > 5:
            return f"{self.varying()} > {self.small(0, 3)}"
        with self.scope():
            return self._truth()

    def _truth(self) -> str:
        x, y, p = self.name("x"), self.name("y"), self.owner()
        a, op = self.varying(), self.one(["<", "<=", ">", ">=", "==", "!="])
        plain = [f"{a} {op} {self.small(1, 4)}", f"{a} {op} {self.number()}", f"{p}.out"]
        if self.depth < 4:
            plain.append(f"({self.truth()}) and ({self.truth()})")
            plain.append(f"({self.truth()}) or ({self.truth()})")
            plain.append(f"not ({self.truth()})")
        if self.region or not self.maybe(3):
            return self.one(plain)
        return self.one(
            [
                "flag",
                "hard",
                "mode == short",
                "spot == none",
                "wish != none",
                f"wish == {self.good_name()}",
                f"last == {self.player()}",
                f"next of hue == {self.one(['red', 'blue'])}",
                f"{self.wind()} of {self.tile()} {self.one(['==', '!='])} patch",
                f"any(all({x}.moss > 0 for {x} in {y}) for {self.lines(y)})",
                f"{self.one(['thing', 'hope'])} is a {self.one(['Good', 'Token'])}",
                f"{self.one(['thing', 'hope'])} == {self.good()}",
                f"{self.good_name()} == (first {x} in kinds of box else salt)",
                f"{self.player()} != leader",
                f"any({x}.bid > 1 for {x} in players)",
                f"all({x}.points < 50 for {x} in players)",
                f"richest({self.player()})",
                f"{p}.crest[{self.colour()}] == none",
                f"{p}.ally[{self.colour()}] == {self.player()}",
                f"any({x} for {x} in bool where {x})",
            ]
        )
