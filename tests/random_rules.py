"""Random small rule files, which reach every word of the language.

A file is made by a chain of choices among few, so that a Hypothesis strategy can shrink it and a
plain random generator can make thousands. Most files are well formed; the others the checker
has to refuse, which is told apart by who uses them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import TypeAlias, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Node: TypeAlias = "str | tuple[str, list[Node]] | Branches | Options | Keys"
"""A step: a line, a header with steps, branches, or a choice."""


class Branches(list["tuple[str, list[Node]]"]):
    """`if`, `elif`, `else` with their steps."""


class Options:
    """A choice: its header, and options with their `where` and steps."""

    def __init__(self, header: str) -> None:
        self.header = header
        self.options: list[tuple[str, str, list[Node]]] = []


class Keys(tuple[str, list[str]]):
    """A header with keys of its own below it."""


def lines(body: list[Node], indent: str) -> Iterator[str]:
    """The YAML of a body."""
    for node in body:
        match node:
            case str():
                yield f"{indent}- {node}"
            case Branches():
                for number, (head, steps) in enumerate(node):
                    yield f"{indent}{'  ' if number else '- '}{head}:"
                    yield from lines(steps, indent + "    ")
            case Options():
                yield f"{indent}- {node.header}:"
                for head, where, steps in node.options:
                    yield f"{indent}    {head}:"
                    if where:
                        yield f"{indent}      where: {where}"
                        yield f"{indent}      do:"
                    inner = indent + ("        " if where else "      ")
                    yield from lines(steps, inner) if steps else [f"{inner}nothing"]
            case Keys((head, keys)):
                yield f"{indent}- {head}:"
                yield from (f"{indent}    {key}" for key in keys)
            case (head, steps):
                yield f"{indent}- {head}:"
                yield from lines(steps, indent + "    ")


DECLARATIONS = """\
rules: 1
game: random_rules
title: Random rules
players: {players}
about: made by chance

options:
  hard: {{type: bool, default: false}}
  level: {{type: 1..3, default: if hard then 3 else 2}}
  mode: {{type: [short, long], default: long}}

kinds:
  Coins: 0..60
  Colour:
    rows: [red, blue]
  Good:
    columns: {{value: 1..4, copies: 0..3, colour: Colour}}
    rows:
      silk: [3, 2, red]
      salt: [1, 3, red]
      wine: [4, 1, blue]
  Token:
    rows: [seal, coin]

tables:
  price:
    maps: Good, 0..2 -> 0..9
    columns: ["0", "1", "2"]
    rows:
      silk: [5, 2, 1]
      salt: [3, 2, 0]
      wine: [9, 6, 4]
  bonus:
    maps: 0+ -> 0..6
    rows: {{0: 1, 1..2: 3, 3+: 5}}
  rank:
    maps: -2..4 -> 0..5
    rows: {{-2: 4, -1: 0, 0..1: 1, else: 2}}

state:
  shared:
    box: bag of Good, starts with copies
    stock: deck of Good{stock}, starts with all{refill}
    row: pile of Good, starts with 1 salt and 1 wine
    spot: slot of Good
    sack: bag of Good or Token, starts with 2 seal and 1 coin and 1 silk
    total: 0..99, capped
    bank: -30..60
    flag: bool
    die: 1..4
    hue: Colour
    leader: Player, starts at seat 2
    wish: maybe Good
    last: maybe Player
    veil: 0..9, hidden
    tally: int
    pool: int
    chimes: int
  each player:
    points: 0..90
    cash: Coins{cash}, starts at {start}
    bid: 0..9, capped
    out: bool
    goods: bag of Good{goods}, starts with 1 silk and 2 salt
    cup: bag of Good or Token
    line: pile of Good{line}
    face: slot of Good{face}, size seen
  each Good:
    worth: 0..20, starts at value
    pile_of: bag of Good
"""

FLOW = """\

define:
  richest(p in players): all(p.points >= q.points for q in players)
  wealth(p in players): p.points + size of p.line
  shown(g in Good): box[g] + count(x in row where x == g)
"""


class Maker:
    """Makes a rule file. `pick(n)` gives a number from 0 to n - 1."""

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
        self.open_deck = self.maybe(2)
        self.region = ""
        """The player who acts at the same time as others."""
        self.still = False
        """No stops and no jumps: in triggers, and in what they set off."""
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
        if self.reads(p):
            choices += [f"{p}.cash", f"size of {p}.goods", f"{p}.goods[{self.good_name()}]"]
        return self.one(choices)

    def varying(self) -> str:
        """A number of the state that can be many things."""
        p = self.owner()
        return self.one(
            [f"{p}.points", f"{p}.bid"] if self.region else ["total", "bank", p + ".bid"]
        )

    def good_name(self) -> str:
        return self.one(self.goods) if self.goods else self.one(["silk", "wine"])

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
        x = self.name("x")
        choices = [
            f"sum({x}.value for {x} in {self.one(['box', 'row', 'spot'])})",
            f"count({x} in {self.one(['row', 'kinds of box', 'Good', 'maybe Good'])})",
            f"sum({x}.worth for {x} in Good where {x}.colour == {self.one(['red', 'blue'])})",
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
        x, p = self.name("x"), self.owner()
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
                f"{self.good_name()} == (first {x} in kinds of box else salt)",
                f"{self.player()} != leader",
                f"any({x}.bid > 1 for {x} in players)",
                f"all({x}.points < 50 for {x} in players)",
                f"richest({self.player()})",
                f"any({x} for {x} in bool where {x})",
            ]
        )

    # ---------------------------------------------------------------- bodies

    def body(self, most: int = 3) -> list[Node]:
        with self.scope():
            steps: list[Node] = []
            for _ in range(self.small(1, most)):
                steps += self.step()
            if self.maybe(6):
                steps += self.ending()
            return steps

    def step(self) -> list[Node]:
        if self.depth > 5 or self.maybe(3):
            return self.plain()
        if self.still:
            return self.one([self.plain, self.plain, self.branch, self.loop])()
        makers = [self.branch, self.loop, self.choice, self.choice, self.plain, self.moving]
        if not self.region:
            makers += [self.together, self.asking, self.turning, self.chance, self.telling]
        if self.depth < 3 and not self.region:
            makers += [self.award, self.depending, *([self.calling] if self.calls else [])]
        return self.one(makers)()

    def plain(self) -> list[Node]:
        """An assignment or a name."""
        p = self.owner()
        n = f"{self.leaf()}" if self.maybe(2) else self.number()
        choices: list[Node] = [
            f"{p}.points += {self.small(0, 3)}",
            f"{p}.bid = {n}",
            f"{p}.points = min(max(0, {n}), 90)",
            f"{p}.out = {self.truth()}",
            f"{p}.cash = min(60, max(0, {p}.bid + {self.small(0, 9)}))",
        ]
        if not self.region:
            choices += [
                f"total += {n}",
                f"total -= {self.leaf()}",
                f"bank = {n}",
                f"flag = {self.truth()}",
                f"leader = {self.any_player()}",
                f"wish = {self.one([self.good(), 'none'])}",
                f"last = {self.one([self.player(), 'none'])}",
                f"{self.good_name()}.worth = min(20, max(0, {n}))",
                "veil = die",
            ]
            if self.secrets:
                choices.append(f"total += {p}.cash, seen")
        else:
            choices.append(f"pool += {self.number()}")
        if self.maybe(3) and not self.still:
            return self.let(p, n)
        return [self.one(choices)]

    def let(self, p: str, n: str) -> list[Node]:
        """A name, and something that uses it."""
        if self.maybe(2):
            x = self.name("n")
            self.numbers.append(x)
            return [f"let {x} = {n}", f"{p}.points += min(3, max(0, {x}))"]
        x, good = self.name("g"), self.good()
        self.goods.append(x)
        used = Branches([(f"if {x} {self.one(['==', '!='])} silk", [f"{p}.bid += 1"])])
        return [f"let {x} = {good}", used]

    def moving(self) -> list[Node]:
        """Components move."""
        p, g = self.owner(), self.good_name()
        x = self.name("x")
        if self.region:
            return [
                self.one(
                    [
                        f"move all from {p}.goods to box",
                        f"move all {g} from {p}.goods to box",
                        f"move all from {p}.line under {p}.line",
                        self.from_top(f"{p}.line", f"under {p}.line"),
                        f"move min(1, {p}.goods[{g}]) {g} from {p}.goods onto {p}.line",
                        self.from_top(f"{p}.line", f"to {p}.goods"),
                    ]
                )
            ]
        bag = self.one(["box", f"{p}.goods", f"{g}.pile_of"])
        places = ["box", f"{p}.goods", f"{p}.line", f"{p}.cup", "stock", "row"]

        def other(origin: str) -> str:
            return self.one([place for place in places if place != origin])

        piled = self.one([f"{p}.line", "row"])
        onto = self.one(["onto", "under", "to"])
        if self.maybe(8):
            return [
                self.one(
                    [
                        f"move {g} from {bag} to {other(bag)}",
                        f"move 1 from {piled} to {other(piled)}",
                        f"move spot from spot to {other('spot')}",
                        f"deal 2 from {bag} to {other(bag)}",
                    ]
                )
            ]
        return [
            self.one(
                [
                    f"move all from {bag} to {other(bag)}",
                    f"move all {g} from {bag} to {other(bag)}",
                    f"move all {x} where {x}.value > 2 from box to {other('box')}",
                    f"move min(2, box[{g}]) {g} from box to {other('box')}",
                    f"move all from {piled} {onto if piled != 'row' else 'under'} row",
                    self.from_top(piled, f"{onto} stock"),
                    f"move all from stock {onto} {piled}",
                    self.from_top("row", f"to {p}.goods"),
                    f"move all Token from sack to {p}.cup",
                    f"move all from {p}.cup to sack",
                    "move all Good from sack to box",
                    f"move all from spot to {other('spot')}",
                    f"deal up to {self.small(1, 2)} from {bag} to {other(bag)}",
                    f"deal up to {self.small(1, 2)} from stock to {other('stock')}",
                    f"deal up to 1 - size of spot from {self.one(['box', 'stock', 'row'])} to spot",
                    f"deal up to {self.small(1, 2)} from row {self.one(['onto', 'under'])} stock",
                    f"deal up to 1 from sack to {p}.cup",
                    f"deal up to 1 - size of {p}.face from stock to {p}.face",
                    f"move all from {p}.face to row",
                    f"pass each p.{self.one(['goods', 'line', 'cup'])} to "
                    f"{self.one(['left', 'right'])}",
                ]
            )
        ]

    def from_top(self, pile: str, to: str) -> Node:
        """Some of the top of a pile, if there are so many."""
        n = self.small(1, 2)
        return Branches([(f"if size of {pile} >= {n}", [f"move {n} from {pile} {to}"])])

    def chance(self) -> list[Node]:
        """Chance with an order: shuffling, rolling, random places."""
        p = self.owner()
        put = Branches(
            [("if size of row > 1", ["move 1 from row into stock at random place 1..2"])]
        )
        deep = Branches(
            [("if size of row > 0", [f"move 1 from row into {p}.line at random place 1..3"])]
        )
        return [
            self.one(
                [
                    "shuffle stock",
                    "shuffle stock",
                    "roll die",
                    "roll hue",
                    f"roll {p}.bid",
                    put,
                    deep,
                    f"deal up to 1 from box into row at random place 1..{self.small(1, 3)}",
                ]
            )
        ]

    def telling(self) -> list[Node]:
        p = self.owner()
        return [
            self.one(
                [
                    f"show {p}.cash",
                    f"show {p}.goods to {self.player()}",
                    f"show top 2 of stock to {self.player()}",
                    f"show {self.leaf()}",
                    "show top 1 of stock",
                ]
            )
        ]

    # ---------------------------------------------------------------- headers

    def condition(self) -> tuple[str, str]:
        """A condition, and `, seen` where it reads a secret."""
        if self.secrets and not self.region and self.maybe(3):
            p = self.owner()
            return f"{p}.cash {self.one(['>', '<='])} {self.small(2, 6)}", ", seen"
        return self.truth(), ""

    def branch(self) -> list[Node]:
        condition, seen = self.condition()
        branches = Branches([(f"if {condition}{seen}", self.body())])
        if self.maybe(3):
            condition, seen = self.condition()
            branches.append((f"elif {condition}{seen}", self.body(2)))
        if self.maybe(2):
            branches.append(("else", self.body(2)))
        return [branches]

    @contextmanager
    def looped(self, turns: int = 0) -> Iterator[None]:
        before = self.loops, self.turns
        self.loops, self.turns = self.loops + 1, turns
        with self.scope():
            yield
        self.loops, self.turns = before

    def loop(self) -> list[Node]:
        x = self.name("x")
        kind = self.pick(6)
        if kind == 0:
            condition, seen = self.condition()
            never = ", never more than 9" if self.maybe(5) else f", at most {self.small(1, 3)}"
            with self.looped():
                return [(f"while {condition}{never}{seen}", self.body(2))]
        if kind == 1:
            with self.looped():
                return [(f"repeat {self.one(['2', 'min(3, ' + self.leaf() + ')'])}", self.body(2))]
        if kind == 2:
            domain = f"{self.small(0, 1)}..{self.one(['3', 'min(3, ' + self.leaf() + ')'])}"
        elif kind == 3 and not self.region:
            domain = self.one(["kinds of box", "kinds of row", "Good", "Colour", "maybe Good"])
        elif kind == 4 and not self.region:
            domain = "row"
        elif not self.region:
            return self.players_loop()
        else:
            domain = "Good"
        with self.looped():
            if domain in ("kinds of box", "kinds of row", "Good", "row"):
                self.goods.append(x)
            elif domain[0].isdigit():
                self.numbers.append(x)
            where = f" where {self.truth()}" if self.maybe(3) else ""
            body: list[Node] = [f"total += {x}.value"] if domain == "row" else self.body(2)
            return [(f"for {x} in {domain}{where}", body)]

    def players_loop(self) -> list[Node]:
        p = self.name("p")
        domain = self.one(["players", "players", f"players {self.seats()}"])
        with self.looped(turns=1):
            self.players.append(p)
            where = f" where {self.truth()}" if self.maybe(3) else ""
            until = f" until {self.early()}" if self.maybe(4) else ""
            seen = ""
            if self.secrets and self.maybe(5) and not where and not until:
                where, seen = f" where {p}.cash > 3", ", seen"
            return [(f"for {p} in {domain}{where}{until}{seen}", self.body())]

    def early(self) -> str:
        return self.one(["total > 20", "flag", "bank < 0", "size of stock == 0"])

    def turning(self) -> list[Node]:
        """Turns round the table, which end by a counter at the latest."""
        p = self.name("p")
        start = self.one(["", f" from {self.player()}"])
        with self.looped(turns=2):
            self.players.append(p)
            where = self.one(["", f" where not {p}.out"])
            body = self.body(2)
            head = f"for {p} in turns{start}{where} until tally > {self.small(4, 9)}"
            return ["tally = 0", (head, ["tally += 1", *body])]

    def choice(self) -> list[Node]:
        """Somebody chooses: whose secrets may then be used."""
        p = self.owner()
        if p.startswith("("):
            p = "leader"
        kind = self.pick(6)
        secretly = "secretly " if self.maybe(4) else ""
        head = f"{p} {secretly}chooses"
        if kind == 0:
            once = ", each once" if self.maybe(2) else ""
            head = f"{p} keeps choosing, at most {self.small(1, 3)}{once}"
        options = Options(head)
        loops, turns = self.loops, self.turns
        if kind == 0:
            self.loops, self.turns = self.loops + 1, 0
        with self.scope():
            self.mine = {p}
            for _ in range(self.small(1, 3)):
                with self.scope():
                    options.options.append(self.option(p))
        self.loops, self.turns = loops, turns
        names = [head.split("(")[0] for head, _, _ in options.options]
        unique = [o for i, o in enumerate(options.options) if names[i] not in names[:i]]
        options.options = unique
        if kind != 0 and self.maybe(4):
            options.options.append(("otherwise", "", self.body(1)))
        elif kind != 0:
            options.options.append(("pass", "", []))
        return [options]

    def option(self, p: str) -> tuple[str, str, list[Node]]:
        x, y = self.name("x"), self.name("y")
        subbag = ""
        kind = self.pick(8)
        where = ""
        if kind == 0:
            head = f"bid({x} in {self.small(0, 2)}..{self.one(['4', f'min(5, {self.leaf()})'])})"
            self.numbers.append(x)
        elif kind == 1:
            head = f"spend({x} in 0..min(3, {p}.cash), {y} in 0..{x} where {y} != 2)"
            self.numbers += [x, y]
        elif kind == 2:
            domain = self.one(["Good", f"kinds of {p}.goods", f"{p}.goods", "kinds of box"])
            if self.region and "box" in domain:
                domain = "Good"
            head = f"take({x} in {domain})"
            self.goods.append(x)
        elif kind == 3 and self.goods:
            head = f"offer({self.goods[-1]}, {x} in 1..2)"
            self.numbers.append(x)
        elif kind == 4 and not self.region:
            domain = self.one(["players", f"players after {p}", "players"])
            head = f"name({x} in {domain}{self.one(['', f' where {x} != {p}'])})"
            self.players.append(x)
        elif kind == 5:
            low = self.small(0, 1)
            head = f"give({x} in any {low}..{self.small(1, 2)} of {p}.goods)"
            subbag = x
            where = self.one(["", f"size of {x} > 0", f"{x}[silk] < 2"])
        elif kind == 6:
            head = f"say({x} in {self.one(['bool', 'maybe Good', 'Colour'])})"
        else:
            head = "stand"
        if not where and self.maybe(3):
            where = self.truth()
        body = self.body(2)
        if subbag:
            but = self.one(["", "all but "])
            body.insert(0, f"move {but}{subbag} from {p}.goods to {self.one(['box', f'{p}.cup'])}")
        elif kind == 1:
            body.insert(0, f"{p}.cash -= {x}")
        elif kind == 2 and f"{p}.goods" in head:
            body.insert(0, f"move {x} from {p}.goods to {self.one(['box', f'{p}.line'])}")
        return head, where, body

    def asking(self) -> list[Node]:
        """Members in an order that a player chooses."""
        x, p = self.name("x"), self.player()
        domain = self.one(["Good", "1..3", "kinds of box", "players"])
        with self.looped():
            where = f" where {self.truth()}" if self.maybe(3) else ""
            if domain == "players":
                self.players.append(x)
            elif domain == "1..3":
                self.numbers.append(x)
            else:
                self.goods.append(x)
            head = f"for {x} in {domain}{where}, in the order {p} chooses"
            return [(head, self.body(2))]

    def together(self) -> list[Node]:
        p = self.name("p")
        if self.still:
            return self.plain()
        before = self.players, self.numbers, self.goods, self.loops, self.turns
        conditions = [f"not {p}.out", f"{p}.bid > 0", f"{p} != leader"]
        head = f"together {p} in players{self.one(['', f' where {self.one(conditions)}'])}"
        if self.maybe(3) and len(self.players) > 1:
            p = self.one(self.players[1:])
            head = f"{p} secretly"
        self.region, self.loops, self.turns = p, 0, 0
        with self.scope():
            self.mine = set()
            body = [*self.choice(), *self.body(2)]
            if self.maybe(4):
                body.append(f"roll {p}.bid")
        self.region = ""
        self.players, self.numbers, self.goods, self.loops, self.turns = before
        return [(head, body)]

    def award(self) -> list[Node]:
        p, x = self.name("p"), self.one(["points", "bid"])
        by, seen = self.one([f"{p}.bid", f"{p}.points", f"size of {p}.line"]), ""
        if self.secrets and self.maybe(3):
            by, seen = f"{p}.cash", ", seen"
        where = self.one(["", f" where not {p}.out"])
        ties = self.one(
            [
                "split rounded down",
                "split rounded up",
                "each gets the prize, places are used up",
                "each gets the prize, none is skipped",
            ]
        )
        keys = [f"by: {by}", f"prizes: [{self.small(3, 5)}, 2, 1]", f"ties: {ties}"]
        return [Keys((f"award {x} to {p} in players{where}{seen}", keys))]

    def calling(self) -> list[Node]:
        p = self.player()
        return [self.one([f"work({p}, {self.small(0, 3)})", f"trade({p}, {self.good()})"])]

    def depending(self) -> list[Node]:
        value, keys = "die", ["1", "2..3", "4+"]
        if self.maybe(2):
            value, keys = self.good(), ["silk", "else"]
        cases = Options(f"depending on {value}")
        cases.options = [(key, "", self.body(1)) for key in keys]
        return [cases]

    def ending(self) -> list[Node]:
        """A last step of a body that leaves something."""
        choices: list[str] = []
        if self.loops:
            choices += ["end loop"] * 3
        if self.turns == 2:
            choices += [f"turn passes to {self.any_player()}"] * 5
        if self.turns:
            choices += [f"turn passes to players {self.seats()}"] * 5
        if not self.region and not self.still and self.maybe(4):
            choices += ["end game", f"{self.player()} wins", "nobody wins"]
            choices += ["end phase"] if self.in_phase else []
        return [self.one(choices)] if choices else []

    # ---------------------------------------------------------------- the whole file

    def file(self) -> str:
        cash = ", secret" if self.secrets else ""
        goods = ", secret" + self.one(["", ", size seen"]) if self.secrets else ""
        named = self.maybe(4)
        text = DECLARATIONS.format(
            players=self.one(["2..3", "3", "[white, black]"]) if named else "2..4",
            stock="" if self.open_deck else ", hidden",
            refill=self.one(["", ", refilled from box", ", refilled from box and row"]),
            cash=cash,
            goods=goods,
            line=self.one(["", ", hidden, top seen"]) if self.secrets else "",
            face=self.one([", unseen by its owner", ", secret"]),
            start=self.one(["5", "level + 4", "if hard then 3 else 8"]),
        )
        rest = FLOW + self.sections()
        return used(text, rest) + rest

    def sections(self) -> str:
        parts = ["\nprocedures:\n"]
        self.calls = False
        with self.scope():
            self.players = ["leader", "p"]
            self.numbers = ["n", "used"]
            body: list[Node] = [f"used += {self.small(1, 3)}", *self.body(3)]
            parts.append("  work(p in players, n in 0..4):\n    state:\n")
            parts.append("      used: 0..9, starts at 1\n")
            where = self.one(["", "    where: n < 4\n"])
            body.insert(1, "p.bid = min(9, used + n)")
            parts.append(where + "    do:\n" + self.text(body, "      "))
        with self.scope():
            self.players = ["leader", "q"]
            self.goods = ["g"]
            trading: list[Node] = ["q.bid = min(9, g.worth)", *self.body(2)]
            parts.append("  trade(q in players, g in Good):\n" + self.text(trading, "    "))
        self.calls = True
        parts.append(self.triggers())
        parts.append("\nsetup:\n" + self.text(self.opening(), "  "))
        parts.append("\nphases:\n")
        self.in_phase = True
        for phase in ("morning", "evening"):
            steps = self.body(4)
            if phase == "evening":
                steps = [("step dinner", steps)]
            if self.maybe(3):
                steps += ["end phase"] if not isinstance(steps[-1], str) else []
            parts.append(f"  {phase}:\n" + self.text(steps, "    "))
        self.in_phase = False
        rounds: list[Node] = ["morning", "evening"]
        flow: list[Node] = ["setup", ("for time in 1..2", rounds)]
        if self.maybe(2):
            with self.scope():
                flow += self.body(3)
        parts.append("\nflow:\n" + self.text(flow, "  "))
        parts.append(self.result())
        return "".join(parts)

    def opening(self) -> list[Node]:
        """What uses every option, table, definition and procedure."""
        return [
            "total += level",
            "leader.bid = bonus[level] + rank[level]",
            "if hard: flag = true",
            "if mode == short: flag = richest(leader)",
            "bank = price[silk, 1] + shown(silk) + wealth(leader)",
            "work(leader, 2)",
            "trade(leader, wine)",
            "deal up to 1 from sack to leader.cup",
            f"deal up to {self.small(2, 4)} from stock to row",
            "total += min(p.bid for p in players)",
            f"leader = {self.one(['left', 'right'])} of leader",
            f"bank = total / 2 rounded {self.one(['up', 'down'])}",
            *self.moving(),
        ]

    def triggers(self) -> str:
        """Triggers on what they do not do themselves."""
        events = [
            "after move of Good to row",
            "after move of x in Good from box to p.goods where x.value > 1",
            "after move of Good from p.goods",
            "after change of p.points where p.points > 5",
            "after change of total",
            "after change of g.worth",
            "after phase morning",
            "when box is empty",
            "when row is empty",
        ]
        parts: list[str] = []
        for event in dict.fromkeys(self.one(events) for _ in range(self.small(0, 3))):
            steps: list[Node] = [f"chimes += {self.small(1, 3)}"]
            if event.startswith(("after phase", "when row", "after move of Good to")):
                p = self.name("p")
                bids: list[Node] = [f"{p}.bid += {self.small(0, 2)}"]
                more: list[list[Node]] = [
                    [f"bank = min(60, {self.number()})"],
                    [(f"for {p} in players", bids)],
                    self.chime(),
                    ["roll die"],
                ]
                steps += self.one(more)
            parts.append(f"  {event}:\n" + self.text(steps, "    "))
        return "\ntriggers:\n" + "".join(parts) if parts else ""

    def chime(self) -> list[Node]:
        options = Options("leader chooses")
        options.options = [("cheer", "", ["bank = 3"]), ("sigh", "", [])]
        return [options]

    def result(self) -> str:
        choices = [
            "    highest: p.points\n",
            "    out: p.out\n    highest: [p.points, p.bid]\n",
            "    score:\n      points: p.points\n      line: size of p.line\n    highest: p.bid\n",
            "    payoff: p.points - p.bid\n",
        ]
        return "\nresult:\n  for p in players:\n" + self.one(choices)

    @staticmethod
    def text(body: list[Node], indent: str) -> str:
        return "\n".join(lines(body, indent)) + "\n"


def used(declarations: str, rest: str) -> str:
    """The declarations without the state that nothing uses."""
    kept: list[str] = []
    for line in declarations.splitlines():
        name = re.match(r"    (\w+): ", line)
        is_state = "state:" in kept and name is not None
        refills = " and ".join(re.findall("refilled from .*", declarations))
        if not is_state or name is None or re.search(rf"\b{name[1]}\b", rest + refills):
            kept.append(line)
    return "\n".join(kept) + "\n"


def random_rules(random: Random) -> str:
    """A rule file from a plain random generator."""
    return Maker(random.randrange).file()


def from_bytes(data: bytes) -> str:
    """A rule file by choices that bytes make; after the last one the simplest."""
    left = iter(data)
    return Maker(lambda n: next(left, 0) % n).file()


def rule_files() -> st.SearchStrategy[str]:
    """Rule files whose choices Hypothesis makes."""
    return st.binary(min_size=100, max_size=2_000).map(from_bytes)
