"""Random small rule files, which reach every word of the language.

A file is made by a chain of choices among few, so that a Hypothesis strategy can shrink it and a
plain random generator can make thousands. Most files are well formed; the others the checker
has to refuse, which is told apart by who uses them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from rulesdsl.check.model import Model
from rulesdsl.compile import check_source
from rulesdsl.text.problems import RulesError
from rulesdsl.text.source import Source
from tests.random_headers import Headers
from tests.random_steps import Node, Options, lines

MODELS_KEPT = 256

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
    order: ring
    rows: [red, blue]
  Good:
    columns: {{value: 1..4, copies: 0..3, colour: Colour, mix: bag of Thing}}
    rows:
      silk: [3, 2, red, [seal, wine, junk, seal]]
      salt: [1, 3, red, []]
      wine: [4, 1, blue, [coin, wine]]
  Token:
    rows: [seal, coin]
  Thing:
    includes: [Token, Good]
    rows: [junk]
  Lot:
    made of: {{good: Good, grade: 1..3}}
  Road:
    links: Good
    rows: {{silk: [salt], wine: salt}}
  Pair: every two of Good
  Tile: grid 3 by Colour
  Figure:
    columns: {{weight: 1..4}}
    rows: {{crown: [4], moon: [2], star: [1], rose: [2]}}
  Mask:
    rows: [owl, fox]

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
  rate:
    maps: Thing -> 0..5
    rows: {{any Good: 2, seal: 4, else: 1}}
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
    urn: {urn} of Good or Token, hidden, starts with 2 wine and 1 silk and 1 seal{aside}
    vault: deck of Figure{stock}, starts with all{twice}{refill_vault}
    tray: bag of Figure
    plinth: pile of Figure
    niche: slot of Figure or Mask
    chest: bag of Mask or Figure, starts with 1 owl and 1 fox
    total: 0..99, capped
    bank: -30..60
    flag: bool
    die: 1..4
    hue: Colour
    leader: Player, starts at seat 2
    wish: maybe Good
    claim: maybe Good, spoken
    last: maybe Player
    veil: 0..9, hidden
    tally: int
    pool: int
    chimes: int
    duo: Pair
    thing: Thing
    tile: Tile
    patch: maybe Tile
    hope: maybe Thing
  each player:
    points: 0..90
    cash: Coins{cash}, starts at {start}
    bid: 0..9, capped
    out: bool
    goods: bag of Good{goods}, starts with 1 silk and 2 salt
    cup: bag of Good or Token
    line: pile of Good{line}
    shelf: {{type: "pile of Good{shelf}, at most {room}", notes: {{said: maybe Good, guess: 0..9}}}}
    face: slot of Good{face}, size seen
    figures: bag of Figure{figures}
  each player, each Colour:
    tint: 0..9, capped, starts at 2
    chest: bag of Good{goods}{chest}
    crest: slot of Good
    ally: Player
  each Good:
    worth: 0..20, starts at value
    pile_of: bag of Good
  each Road:
    worn: 0..9, capped
  each Lot:
    dust: 0..9, capped
  each Thing:
    mark: 0..9, capped
  each Tile:
    moss: 0..9, capped
"""

FLOW = """\

define:
  richest(p in players): all(p.points >= q.points for q in players)
  wealth(p in players): p.points + size of p.line
  shown(g in Good): box[g] + count(x in row where x == g)
"""


class Maker(Headers):
    """Makes a rule file."""

    # ---------------------------------------------------------------- the whole file

    def file(self) -> str:
        cash = ", secret" if self.secrets else ""
        goods = ", secret" + self.goods_show if self.secrets else ""
        named = self.maybe(4)
        text = DECLARATIONS.format(
            players=self.one(["2..3", "3", "[white, black]"]) if named else "2..4",
            stock="" if self.open_deck else ", hidden",
            twice=" and 1 moon" if self.maybe(4) else "",
            refill_vault=self.one(["", ", refilled from tray", ", refilled from plinth"]),
            refill=self.one(["", ", refilled from box", ", refilled from box and row"]),
            urn=self.urn,
            aside=", Token goes to sack"
            if self.aside == "Token"
            else ", Good goes to row, refilled from box",
            cash=cash,
            goods=goods,
            figures=", secret" + self.figures_show if self.secrets else "",
            chest=self.one(["", ", refilled from goods"]),
            line=self.line_shows if self.secrets else "",
            shelf=self.shelf,
            room="level + 1",
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
        for phase in ("morning", "evening(e in players, m in 0..4)"):
            steps = self.evening() if phase != "morning" else self.body(4)
            if self.maybe(3):
                steps += ["end phase"] if not isinstance(steps[-1], str) else []
            parts.append(f"  {phase}:\n" + self.text(steps, "    "))
        self.in_phase = False
        rounds: list[Node] = ["morning", f"evening({self.one(['leader', 'seat 2'])}, time)"]
        flow: list[Node] = ["setup", ("for time in 1..2", rounds)]
        if self.maybe(2):
            with self.scope():
                flow += self.body(3)
        parts.append("\nflow:\n" + self.text(flow, "  "))
        parts.append(self.result())
        parts.append(self.measures())
        return "".join(parts)

    def evening(self) -> list[Node]:
        """A phase with arguments."""
        with self.scope():
            self.players, self.numbers = ["leader", "e"], ["m"]
            return [("step dinner", ["e.bid = m", *self.body(4)])]

    def opening(self) -> list[Node]:
        """What uses every option, table, definition and procedure."""
        dealt: list[Node] = ["deal up to 1 from vault to one.figures"]
        round_: list[Node] = ["tally += 1"]
        return [
            "total += level",
            # what sets off every trigger
            "leader.points += level",
            "silk.worth = level",
            "leader.tint[red] += level",
            "leader.ally[blue] = left of leader",
            "(Road between silk and salt).worn += level",
            f"duo = {self.one(['Pair between wine and silk', 'salt_wine'])}",
            f"thing = {self.one(['junk', 'silk', 'Thing.coin'])}",
            f"hope = {self.one(['thing', 'Token.seal', 'none'])}",
            f"hue = {self.one(['next', 'previous'])} of hue",
            "Lot(silk, level).dust = min(9, rate[thing])",
            f"tile = Tile({self.small(1, 3)}, hue)",
            f"patch = {self.wind()} of tile",
            f"tile.moss += min(4, count({self.lines('x')})) + count(x in {self.beside()})",
            "wine.mark = wine.mix[wine] + size of salt.mix",
            "if box[silk] > 0: move silk from box to leader.goods",
            "move all from leader.goods to leader.chest[red]",
            "move all from leader.chest[red] to leader.chest[blue]",
            "move all from leader.chest[blue] to box",
            "deal up to 1 from box to leader.crest[red]",
            "move all from leader.crest[red] to box",
            "if box[wine] > 0: move wine from box to leader.shelf, noting said = silk, guess = 2",
            "leader.bid = bonus[level] + rank[level]",
            "if hard: flag = true",
            "if mode == short: flag = richest(leader)",
            ("while die < 5, at most 2", round_),
            "bank = price[silk, 1] + shown(silk) + wealth(leader)",
            "work(leader, 2)",
            "trade(leader, wine)",
            "deal up to 1 from sack to leader.cup",
            f"deal up to 1 from urn to {'box' if self.aside == 'Token' else 'sack'}",
            f"deal up to {self.small(2, 4)} from stock to row",
            "total += min(p.bid for p in players)",
            f"leader = {self.one(['left', 'right'])} of leader",
            "deal up to 2 from vault to tray",
            "deal up to 1 from tray to leader.figures",
            ("for one in players", dealt),
            "if size of chest > 1: move owl from chest to niche",
            *self.figures(),
            f"bank = total / 2 rounded {self.one(['up', 'down'])}",
            *self.moving(),
        ]

    def triggers(self) -> str:
        """Triggers on what they do not do themselves."""
        events = [
            "after move of Good to row",
            "after move of x in Good from box to p.goods where x.value > 1",
            "after move of Good from p.goods",
            "after move of x in Good from sack to p.cup where x.value > 1",
            "after move of x in Token from urn to sack where x == seal",
            "after change of p.points where p.points > 5",
            "after change of total",
            "after change of g.worth",
            "after change of p.tint[c] where c == red",
            "after change of p.tint",
            "after move of x in Good from p.goods to p.chest[c] where p.tint[c] > 1",
            "after move of Good from p.chest[c] to p.chest",
            "when p.crest[c] is empty",
            "after phase morning",
            "when box is empty",
            "when row is empty",
            "after move of Figure from tray",
            "after move of x in Figure to p.figures where x.weight > 1",
            "when chest is empty",
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

    def measures(self) -> str:
        """Of each player and of the table, numbers and conditions, secrets among them."""
        # as deep as values in steps, so that they are as small
        with self.scope(), self.scope(), self.scope():
            lines = [f"  ours: {self.number()}", f"  so: {self.truth()}"]
            self.players = ["p"]
            lines.append(f"  mine(p in players): p.bid + {self.number()}")
        return "\nmeasures:\n" + "\n".join(lines) + "\n"

    @staticmethod
    def text(body: list[Node], indent: str) -> str:
        return "\n".join(lines(body, indent)) + "\n"


def used(declarations: str, rest: str) -> str:
    """The declarations without the state, and the range, that nothing uses."""
    kept: list[str] = []
    for line in declarations.splitlines():
        name = re.match(r"    (\w+): ", line)
        is_state = "state:" in kept and name is not None
        refills = " and ".join(re.findall("refilled from .*", declarations))
        if not is_state or name is None or re.search(rf"\b{name[1]}\b", rest + refills):
            kept.append(line)
    if not any(": Coins" in line for line in kept):
        kept.remove("  Coins: 0..60")
    return "\n".join(kept) + "\n"


def random_rules(random: Random) -> str:
    """A rule file from a plain random generator."""
    return Maker(random.randrange).file()


@lru_cache(MODELS_KEPT)
def random_model(seed: int) -> Model | None:
    """The rules of a random file, None if it has problems; made once in a process.

    All tests begin with the same seeds and are in the group `random files`, so that one worker
    makes the files for all.
    """
    return checked(random_rules(Random(seed)))


def checked(text: str) -> Model | None:
    """The rules of a random file, None if it has problems."""
    try:
        return check_source(Source("random.yaml", text))
    except RulesError:
        return None


def from_bytes(data: bytes) -> str:
    """A rule file by choices that bytes make; after the last one the simplest."""
    left = iter(data)
    return Maker(lambda n: next(left, 0) % n).file()


def rule_files() -> st.SearchStrategy[str]:
    """Rule files whose choices Hypothesis makes."""
    return st.binary(min_size=100, max_size=2_000).map(from_bytes)
