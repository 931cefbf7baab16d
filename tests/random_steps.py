"""Random steps: lines and moves (see random_rules.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tests.random_values import Values

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


class Steps(Values):
    """Makes steps without steps below them."""

    def plain(self) -> list[Node]:
        """An assignment or a name."""
        p = self.owner()
        n = f"{self.leaf()}" if self.maybe(2) else self.number()
        choices: list[Node] = [
            f"{p}.points += {self.small(0, 3)}",
            f"{p}.bid = {n}",
            f"{p}.points = min(max(0, {n}), 90)",
            f"{p}.out = {self.truth()}",
            f"{p}.tint[{self.colour()}] = {n}",
            f"{p}.tint[{self.colour()}] += {self.small(0, 3)}",
            f"{p}.ally[{self.colour()}] = {self.any_player()}",
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
                f"claim = {self.one([self.good(), 'none', 'wish'])}",
                f"last = {self.one([self.player(), 'none'])}",
                f"{self.good_name()}.worth = min(20, max(0, {n}))",
                "veil = die",
                f"thing = {self.one([self.good(), 'junk', 'Thing.seal'])}",
                f"hope = {self.one([self.good(), 'none', 'thing', 'wish'])}",
                f"hue = {self.one(['next', 'previous'])} of hue",
                f"Lot({self.good()}, {self.one(['2', 'die'])}).dust = max(0, {n})",
                f"{self.one(['thing', self.good()])}.mark += 1",
            ]
            if self.secrets:
                choices.append(f"total += {p}.cash, seen")
        else:
            choices.append(f"pool += {self.number()}")
        if self.maybe(3):
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
                        f"move all from {p}.goods to {p}.chest[{self.colour()}]",
                        f"move all from {p}.chest[{self.colour()}] to box",
                        f"move all {g} from {p}.chest[red] to {p}.chest[blue]",
                        f"move all from {p}.line under {p}.line",
                        self.from_top(f"{p}.line", f"under {p}.line"),
                        f"move min(1, {p}.goods[{g}]) {g} from {p}.goods onto {p}.line",
                        self.from_top(f"{p}.line", f"to {p}.goods"),
                        self.from_top(f"{p}.line", f"onto {p}.shelf{self.noting()}", 1),
                        f"move all from {p}.shelf under {p}.shelf",
                    ]
                )
            ]
        chest = f"{p}.chest[{self.colour()}]"
        bag = self.one(["box", f"{p}.goods", f"{g}.pile_of", chest])
        places = [chest, "box", f"{p}.goods", f"{p}.line", f"{p}.cup", "stock", "row"]

        def other(origin: str) -> str:
            return self.one([place for place in places if place != origin])

        piled = self.one([f"{p}.line", "row"])
        origin = self.one([bag, "stock", "stock"])
        some = f"{self.one(['', 'up to ', 'up to '])}{self.small(1, 2)}"
        condition = self.one(
            [f"{x}.value > {self.small(1, 3)}", f"{x} != {g}", f"{x}.worth < {self.leaf()}"]
        )
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
        if self.maybe(6):
            return self.from_urn(p)
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
                    f"deal {some} {x} where {condition} from {origin} to {other(origin)}",
                    f"deal {some} {x} where {condition} from {origin} to {other(origin)}",
                    f"deal up to 1 - size of {p}.face from stock to {p}.face",
                    f"move all from {p}.face to row",
                    *self.shelving(p, piled),
                    f"move all from {p}.crest[{self.colour()}] to row",
                    f"move all {x} where {x}.value > 2 from {chest} to {p}.goods",
                    self.crest(f"{p}.crest[{self.colour()}]"),
                    f"pass each p.{self.one(['goods', 'line', 'cup', 'shelf'])} to "
                    f"{self.one(['left', 'right'])}",
                ]
            )
        ]

    def figures(self) -> list[Node]:
        """Components of which each exists once move."""
        p, x = self.owner(), self.name("x")
        light = f"{x} where {x}.weight == 2"
        if self.region:
            where = self.one(["all", "all moon", "all rose"])
            return [f"move {where} from {p}.figures to {self.one(['tray', 'chest'])}"]
        bag = self.one(["tray", f"{p}.figures"])
        places = ["tray", f"{p}.figures", "vault", "plinth", "chest"]
        to = self.one([place for place in places if place != bag])
        beyond = self.one(["tray", f"{p}.figures", "plinth", "chest"])
        onto = self.one(["onto", "under", "to"])
        deep = f"move 1 from plinth into vault at random place 1..{self.small(1, 3)}"
        return [
            self.one(
                [
                    f"move all from {bag} to {to}",
                    f"move all {self.one(['crown', 'moon'])} from {bag} to {to}",
                    f"move all {light} from tray to {self.one(['chest', 'vault'])}",
                    f"move min(1, tray[star]) star from tray to {self.one(['plinth', 'vault'])}",
                    f"move all Figure from chest to {self.one(['tray', 'vault', 'plinth'])}",
                    f"move all from plinth {self.one(['onto vault', 'to vault', 'under plinth'])}",
                    self.from_top("plinth", f"{onto} vault"),
                    self.from_top("plinth", f"to {p}.figures"),
                    f"move all from vault {onto} plinth",
                    f"deal up to {self.small(1, 3)} from vault to {beyond}",
                    f"deal up to {self.small(1, 2)} from vault to {beyond}",
                    f"deal up to {self.small(1, 2)} {light} from vault to {beyond}",
                    f"deal up to {self.small(1, 2)} from {bag} to {to}",
                    "deal up to 1 - size of niche from chest to niche",
                    f"deal up to 1 - size of niche from {self.one(['vault', 'tray'])} to niche",
                    "move all from niche to chest",
                    "shuffle vault",
                    f"show top 2 of vault to {self.player()}",
                    Branches([("if size of plinth > 0", [deep])]),
                    f"pass each p.figures to {self.one(['left', 'right'])}",
                ]
            )
        ]

    def shelving(self, p: str, piled: str) -> list[Node]:
        """Moves to and from a place with little room; now and then there is none."""
        to, good = self.one(["to", "under", "onto"]), self.good_name()
        seen = ", seen" if self.shelf else ""
        pile = self.one(["stock", "row", piled])
        come = f"move 1 from {pile} {to} {p}.shelf{self.noting()}"
        if self.maybe(3):
            come = f"move 1 from {pile} into {p}.shelf at random place 1..2{self.noting()}"
        away = f"move {good} from {p}.shelf to box{seen}"
        room = f"size of {p}.shelf <= level"
        deal = f"deal up to 1 from box {self.one([to, 'into'])} {p}.shelf"
        deal += f" at random place 1..{self.small(1, 3)}" if " into " in deal else ""
        return [
            Branches([(f"if {p}.shelf[{good}] > 0{seen}", [away])]),
            Branches([(f"if size of {pile} > 0 and {room}", [come])]),
            deal if self.maybe(4) else Branches([(f"if {room}", [deal])]),
            f"move all from {p}.shelf {self.one(['to', 'under'])} row",
        ]

    def noting(self) -> str:
        """What is said about what is moved."""
        said = f"said = {self.one([self.good(), 'none'])}"
        guess = f"guess = min(9, max(0, {self.number()}))"
        return f", noting {self.one([said, guess, f'{said}, {guess}'])}"

    def from_urn(self, p: str) -> list[Node]:
        """Deals from where some components go aside, and what brings these back."""
        to = self.one(["box", "row", "row", f"{p}.goods"])
        if self.aside == "Good":
            to = self.one(["sack", f"{p}.cup"])
        some = f"{self.one(['', 'up to ', 'up to '])}{self.small(1, 2)}"
        x = self.name("x")
        choices: list[Node] = [
            f"deal {some} from urn to {to}",
            f"deal {some} from urn to {to}",
            f"deal up to 1 from urn into row at random place 1..{self.small(1, 3)}"
            if self.aside == "Token"
            else f"move all from urn to {p}.cup",
            f"deal {some} {x} where {x} != {self.one(['silk', 'wine'])} from urn to {to}"
            if self.aside == "Token"
            else f"deal {some} {x} where {x} == coin from urn to {to}",
            "move all Token from sack to urn",
            "move min(1, sack[coin]) coin from sack to urn",
        ]
        if self.urn == "deck":
            there = "if size of sack > 0 and sack[seal] > 0"
            deep = f"move 1 seal from sack into urn at random place 1..{self.small(1, 3)}"
            choices += [
                Branches([(there, [deep])]),
                self.from_top("urn", f"to {to}"),
                "move all from urn to sack",
                "shuffle urn",
                "move min(1, sack[seal]) seal from sack onto urn",
            ]
        return [self.one(choices)]

    def crest(self, slot: str) -> Node:
        """A component into a slot that is empty."""
        return Branches([(f"if {slot} == none", [f"deal up to 1 from box to {slot}"])])

    def from_top(self, pile: str, to: str, most: int = 2) -> Node:
        """Some of the top of a pile, if there are so many."""
        n = self.small(1, most)
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
