"""Ways to give a secret away, each planted in the same small game, and quiet ones."""

from __future__ import annotations

from textwrap import indent

from attrs import frozen

BASE = """\
rules: 1
game: secrets
title: Secrets
players: 3
about: Everybody has money and goods that nobody else sees.

kinds:
  Colour:
    order: ring
    rows: [red, blue]
  Good:
    columns: {copies: 5..8, hue: Colour, mix: bag of Colour}
    rows: {silk: [7, red, [red, red]], wine: [5, blue, [blue]], salt: [8, red, []]}
  Ware:
    includes: Good
    rows: [other]
  Square: grid 2 by 3

state:
  shared:
    deck: bag of Good, hidden, starts with copies
    market: bag of Good
    board: 0..99
    claim: 0..40, spoken
  each player:
    money: 0..40, secret, starts at 10
    plan: 0..40, secret
    stands: Square, secret
    points: 0..99
    hand: bag of Good, secret, size seen
    stall: pile of Good, secret, hue seen
    laid:
      type: pile of Good, secret, size seen
      notes: {said: 0..40}
  each player, each Colour:
    store: 0..40, secret, starts at 5
    crate: bag of Good, secret, size seen
    friend: Player
"""

FLOW = """
flow:
  - for p in players:
      - deal 2 from deck to p.hand
      - deal 1 from deck to p.stall
      - for h in Colour: deal 1 from deck to p.crate[h]
      - p.friend[red] = p
      - p.friend[blue] = left of p
      - p.plan = 1
      - p.stands = b1
      - p.points = 1
      - deal 1 from deck to p.laid
      - move 1 from p.laid under p.laid, noting said = 1
  - board = count(w in Ware where not w is a Good)
  - claim = 1
  - deal 1 from deck to market
  - for round in 1..3:
      - for p in players:
          - p secretly chooses:
              spend(n in 0..min(3, p.money)): p.money -= n
              keep(h in Colour, n in 0..3): p.store[h] += n
"""

END = """
result:
  for p in players:
    highest: p.points
"""


@frozen
class Game:
    """The small game with some more steps in each round, and perhaps more sections."""

    steps: str
    sections: str = ""
    code: str = ""
    """What the checker calls the leak."""

    @property
    def text(self) -> str:
        return BASE + self.sections + FLOW + indent(self.steps, " " * 6) + END


LEAKS = {
    "a choice ranges over the money of another": Game(
        """\
- for p in players:
    - for q in players after p:
        - p chooses:
            take(n in 0..q.money): p.points += 1
""",
        code="secret-in-guard",
    ),
    "a bid up to the money of the seller": Game(
        """\
- for seller in players:
    - let price = 1
    - for bidder in players after seller:
        - bidder chooses:
            pass: nothing
            bid(amount in price..12):
              where: amount <= worth(seller)
              do: bidder.plan = amount
""",
        "define:\n  worth(p in players): p.money\n",
        code="secret-in-guard",
    ),
    "a guard through a let": Game(
        """\
- for p in players:
    - for q in players after p:
        - let rich = q.money > 8
        - p chooses:
            pass: nothing
            envy:
              where: rich
              do: p.points += 1
""",
        code="secret-in-guard",
    ),
    "a point for secret riches": Game(
        """\
- for p in players:
    - if p.money > 8: p.points += 1
""",
        code="secret-shown",
    ),
    "a number from the hidden deck": Game("- board = deck[silk]\n", code="secret-shown"),
    "the game ends on a secret sum": Game(
        "- if sum(p.money for p in players) < 26: end game\n", code="secret-shown"
    ),
    "a choice that only the rich get": Game(
        """\
- for p in players where p.money > 8:
    - p chooses:
        pass: nothing
        smile: nothing
""",
        code="secret-shown",
    ),
    "a procedure only for the rich": Game(
        """\
- for p in players:
    - if p.money > 8: reward(p, 2)
""",
        """\
procedures:
  reward(p in players, n in 1..2):
    - repeat n:
        - p.points += 1
""",
        code="secret-shown",
    ),
    "an undeclared mortgage": Game(
        """\
- for p in players:
    - while p.money < 9, at most 3:
        - p.points += 1
        - p.money += 2
""",
        code="secret-shown",
    ),
    "a deal by a secret number": Game(
        """\
- for p in players:
    - deal up to p.money - 8 from deck to p.hand
""",
        code="secret-moves",
    ),
    "a move by another's secret": Game(
        """\
- for p in players:
    - let q = left of p
    - move min(q.hand[silk], p.hand[silk]) silk from p.hand to market
""",
        code="secret-moves",
    ),
    "a secret card limits another": Game(
        """\
- for p in players:
    - let q = left of p
    - p chooses:
        pass: nothing
        name(g in kinds of q.hand): nothing
""",
        code="secret-in-guard",
    ),
    "a trigger on a secret": Game(
        "- for p in players: p.money += 1\n",
        "triggers:\n  after change of p.money where p.money < 9: p.points += 1\n",
        code="secret-shown",
    ),
    "a claim that is the truth about another": Game(
        "- for p in players: claim = p.plan\n", code="secret-shown"
    ),
    "what another holds would end what is possible": Game(
        """\
- for p in players:
    - let q = left of p
    - repeat 2, as many as possible:
        - p chooses:
            wait where market[silk] < 1: p.points += 1
            rob where market[silk] < 1: move all from q.hand to market
    - move all from market to deck
    - deal up to 2 - size of q.hand from deck to q.hand
""",
        code="secret-in-guard",
    ),
    "another's full purse would end what is possible": Game(
        """\
- for p in players:
    - let q = left of p
    - repeat 2, as many as possible:
        - p chooses:
            wait where p.points < 60: p.points += 1
            give where p.points < 60: q.money += 31
""",
        code="secret-in-guard",
    ),
    "a note that is the truth about another": Game(
        """\
- for p in players:
    - let q = left of p
    - if size of p.laid > 0: move 1 from p.laid under p.laid, noting said = q.money
""",
        code="secret-shown",
    ),
    "which of the notes goes": Game(
        """\
- for p in players:
    - deal up to 1 from deck onto p.laid
    - if size of p.laid > 1:
        - let least = first g in p.laid where true else silk
        - move least from p.laid under p.laid, noting said = 7
""",
        code="secret-moves",
    ),
    "the richest starts": Game(
        """\
- let richest = best p in players by p.money then first
- for p in players from richest:
    - p chooses:
        pass: nothing
        smile: nothing
""",
        code="secret-shown",
    ),
    "another sees what is offered": Game(
        """\
- for p in players:
    - for q in players after p:
        - q chooses:
            pass: nothing
            take:
              where: any(g == silk for g in p.stall)
              do: move all from p.stall to q.hand
""",
        code="secret-in-guard",
    ),
    "a choice among what another offers": Game(
        """\
- for p in players:
    - let q = left of p
    - q chooses:
        pass: nothing
        point_at(g in kinds of p.stall): nothing
""",
        code="secret-in-guard",
    ),
    "the other column of what is offered": Game(
        """\
- for p in players:
    - board = sum(worth(g) for g in p.stall)
""",
        "define:\n  worth(g in Good): if g.hue == red then g.copies else 0\n",
        code="secret-shown",
    ),
    "the top of what is offered": Game(
        """\
- for p in players where size of p.stall > 0:
    - let g = top of p.stall
    - p.points = g.copies
""",
        code="secret-shown",
    ),
    "how many are different of what is offered": Game(
        """\
- for p in players:
    - deal up to 2 from p.hand to p.stall
    - p.points = count(g in kinds of p.stall)
""",
        code="secret-shown",
    ),
    "a move by what another offers": Game(
        """\
- for p in players:
    - let q = left of p
    - move min(q.hand[wine], count(g in p.stall where g == silk)) wine from q.hand to market
""",
        code="secret-moves",
    ),
    "a choice up to the store of another": Game(
        """\
- for p in players:
    - let q = left of p
    - p chooses:
        take(h in Colour, n in 0..q.store[h]): p.points = n
""",
        code="secret-in-guard",
    ),
    "who keeps most of one colour": Game(
        """\
- board = max(p.store[red] for p in players)
""",
        code="secret-shown",
    ),
    "a move by another of one's own crates": Game(
        """\
- for p in players:
    - let n = min(p.crate[red][silk], p.crate[blue][silk])
    - move n silk from p.crate[red] to market
""",
        code="secret-moves",
    ),
    "the friend for one colour is not the one for the other": Game(
        """\
- for p in players:
    - p.friend[blue] chooses:
        pass: nothing
        look where p.friend[red].money > 8: p.points += 1
""",
        code="secret-in-guard",
    ),
    "a trigger on a secret store": Game(
        "- for p in players: p.store[blue] += 1\n",
        "triggers:\n  after change of p.store[h] where p.store[h] < 7: p.points += 1\n",
        code="secret-shown",
    ),
    "a point for what lies in a crate": Game(
        """\
- for p in players:
    - for h in Colour where p.crate[h][silk] > 0:
        - p.points = min(99, p.points + 1)
""",
        code="secret-shown",
    ),
    "the order in which a hand is offered": Game(
        """\
- for p in players:
    - move all from p.stall to p.hand
    - move all from p.hand to p.stall
""",
        code="secret-moves",
    ),
}

LEAKS |= {
    "what a secret good is mixed of": Game(
        "- board = sum(g.mix[red] for g in deck)\n", code="secret-shown"
    ),
    "how much a secret good is mixed of": Game(
        """\
- let one = first g in deck else salt
- board = size of one.mix
""",
        code="secret-shown",
    ),
    "the next colour of a secret good": Game(
        """\
- let one = first g in deck else salt
- if next of one.hue == red: board = 7
""",
        code="secret-shown",
    ),
    "a secret good among the wares": Game(
        """\
- for p in players:
    - let ware = if p.money > 8 then Ware.other else Ware.silk
    - if ware is a Good: p.points += 1
""",
        code="secret-shown",
    ),
    "how much lies beside a secret square": Game(
        """\
- for p in players:
    - for s in neighbors of p.stands: p.points += 1
""",
        code="secret-shown",
    ),
    "a step from a secret square": Game(
        """\
- for p in players:
    - if north of p.stands == none: p.points += 1
""",
        code="secret-shown",
    ),
    "lines through a secret square": Game(
        """\
- for p in players:
    - board = count(line in lines of 2 through p.stands where any(s == a1 for s in line))
""",
        code="secret-shown",
    ),
    "a choice beside the square of another": Game(
        """\
- for p in players:
    - for q in players after p:
        - q chooses:
            pass: nothing
            point(s in neighbors(p.stands by corners)): q.points += s.row
""",
        code="secret-in-guard",
    ),
    "a secret hand one by one": Game(
        """\
- for p in players:
    - for g in p.hand: p.points = g.copies
""",
        code="secret-shown",
    ),
    "a secret good bit by bit": Game(
        """\
- let one = first g in deck else salt
- for colour in one.mix: board = if colour == red then 3 else 4
""",
        code="secret-shown",
    ),
}

QUIET = {
    "open goods bit by bit": Game(
        """\
- for p in players:
    - for g in market:
        - for colour in g.mix, in the order p chooses:
            - if next of colour == red: p.points += g.mix[blue]
    - for g in p.hand, in the order p chooses, seen: board += size of g.mix
    - for g in p.hand: p.plan += 1
"""
    ),
    "nothing more": Game("- board = 1\n"),
    "an own secret into an own secret": Game(
        """\
- for p in players:
    - p.plan = p.money / 3 rounded down
    - if p.money > 8: p.plan = 1
"""
    ),
    "a choice over one's own secrets": Game(
        """\
- for p in players:
    - p chooses:
        pass: nothing
        buy(n in 0..p.money):
          - p.money -= n
          - p.points += n
        lay(g in kinds of p.hand): move 1 g from p.hand to market
"""
    ),
    "a claim of one's own": Game(
        """\
- for p in players:
    - p chooses:
        pass: nothing
        claim(n in 0..40): claim = n
        boast: claim = min(40, p.money + 3)
"""
    ),
    "looking ahead over what all see": Game(
        """\
- for p in players:
    - repeat 2 + p.points / 50 rounded down, as many as possible:
        - p chooses:
            small where p.points < 40: p.points += 1
            large where p.points < 40:
              - p.points += 2
              - p.money = min(40, p.money + 1)
        - p.plan = min(40, p.money)
""",
    ),
    "notes of one's own": Game(
        """\
- for p in players:
    - p chooses:
        pass: nothing
        lay(g in kinds of p.hand, n in 0..40): move g from p.hand to p.laid, noting said = n
        boast(g in kinds of p.hand):
          move g from p.hand under p.laid, noting said = min(40, p.money + 3)
        back(g in kinds of p.laid): move g from p.laid to p.hand
    - if size of p.laid > 1: move 1 from p.laid to p.hand
"""
    ),
    "notes of those who act at once": Game(
        """\
- together p in players:
    - p chooses:
        pass: nothing
        lay(g in kinds of p.hand): move g from p.hand to p.laid, noting said = 9
        back(g in kinds of p.laid): move g from p.laid to p.hand
"""
    ),
    "told on purpose": Game(
        """\
- for p in players:
    - while p.money < 9, at most 3, seen:
        - p.points += 1
        - p.money += 2
    - if p.money > 8, seen: p.points += 1
    - p.points += p.plan, seen
"""
    ),
    "a procedure for who has acted, and for others": Game(
        """\
- for p in players:
    - p chooses:
        pass: nothing
        pay: reward(p)
- for p in players: reward(p)
""",
        """\
procedures:
  reward(p in players):
    - if p.money > 8, seen: p.points += 1
""",
    ),
    "together, in secret": Game(
        """\
- together p in players:
    - for g in kinds of p.hand:
        - p chooses:
            keep(g): nothing
            sell(g, n in 1..p.hand[g]):
              - move n g from p.hand to market
              - p.money += n
"""
    ),
    "a counter of a procedure": Game(
        """\
- for p in players: count_up(p)
""",
        """\
procedures:
  count_up(p in players):
    state: {n: 0..9}
    do:
      - for g in kinds of p.hand: n += 1
      - p.plan = n
""",
    ),
    "a move that shows itself": Game(
        """\
- for p in players:
    - move all silk from p.hand to market
    - move all g where p.hand[g] > 1 from p.hand to market
"""
    ),
    "a choice over one's own stores and crates": Game(
        """\
- for p in players:
    - p chooses:
        pass: nothing
        take(h in Colour, n in 0..p.store[h]):
          - p.store[h] -= n
          - p.points += n
        lay(h in Colour, g in kinds of p.crate[h]): move 1 g from p.crate[h] to market
    - p secretly chooses:
        pass: nothing
        shift(g in kinds of p.crate[red]): move g from p.crate[red] to p.crate[blue]
""",
    ),
    "what lies in a crate says what leaves it": Game(
        """\
- for p in players:
    - for h in Colour: move all g where p.crate[h][g] > 1 from p.crate[h] to p.hand
    - move min(1, p.crate[red][silk]) silk from p.crate[red] to market
"""
    ),
    "walking unseen over a grid": Game(
        """\
- for p in players:
    - p secretly chooses:
        walk(s in neighbors of p.stands): p.stands = s
        jump(s in Square):
          where: any(any(x == p.stands for x in line) for line in lines of 3 through s)
          do: p.stands = s
        rest where east of p.stands != none: nothing
"""
    ),
    "together, in one's own crates": Game(
        """\
- together p in players:
    - for h in Colour:
        - p chooses:
            leave(h): nothing
            empty_out(h): move all from p.crate[h] to p.hand
            save(h, n in 1..2): p.store[h] += n
- for p in players where p.friend[blue] != p:
    - p.friend[blue] chooses:
        pass: nothing
        smile where p.friend[blue].money > 8: nothing
"""
    ),
    "all see the column of what is offered": Game(
        """\
- for p in players:
    - for q in players after p:
        - q chooses:
            pass: nothing
            take where any(g.hue == red for g in p.stall): move all from p.stall to q.hand
            compare(h in Colour where count(g in p.stall where g.hue == h) > 0): nothing
    - if size of p.stall > 0:
        - let g = top of p.stall
        - let red_one = first r in p.stall where r.hue == red else g
        - if is_red(g) and red_one.hue == red: p.points += 1
        - board = max(size of r for r in runs(p.stall by hue) else 0)
""",
        "define:\n  is_red(g in Good): g.hue == red\n",
    ),
    "laying into a stall and taking out of it": Game(
        """\
- for p in players:
    - p secretly chooses:
        pass: nothing
        lay(g in kinds of p.hand): move g from p.hand to p.stall
        swap(g in kinds of p.hand) where size of p.stall > 0:
          - move 1 from p.stall to p.hand
          - move g from p.hand under p.stall
    - if size of p.hand > 2: move all silk from p.stall to market
    - move all from p.stall to p.hand
    - if size of p.hand > 0: deal 1 from p.hand to p.stall
""",
    ),
}
