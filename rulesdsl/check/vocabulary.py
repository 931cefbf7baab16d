"""The words of the language, in one table: what is written, what it means, an example.

`python -m rulesdsl.check.vocabulary > docs/words.md` writes the page of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from rulesdsl.text.spelling import nearest


@frozen
class Entry:
    """A word: `start` is the symbol of the grammar from which its example is read."""

    name: str
    group: str
    signature: str
    meaning: str
    example: str
    start: str


def _group(group: str, start: str, text: str) -> tuple[Entry, ...]:
    """Entries of a text: `name: signature`, `= meaning`, `> example`, lines may be continued."""
    entries = []
    for block in re.split(r"\n(?=\S)", text.strip()):
        head, told, example = re.split(r"\n +[=>] ", block)
        name, _, signature = " ".join(head.split()).partition(": ")
        entries.append(Entry(name, group, signature, " ".join(told.split()), example, start))
    return tuple(entries)


FUNCTIONS = _group(
    "Functions",
    "expr",
    """
size: size of PLACE
  = how many components lie in a place, a choice of them, a bag in a column or a run
  > size of p.hand
top: top of PILE
  = the uppermost component of a pile; a fault when there is none
  > top of discard
left: left of PLAYER
  = the next player clockwise
  > left of p
right: right of PLAYER
  = the next player counterclockwise
  > right of p
next: next of MEMBER
  = the member that follows in a kind with `order: ring`, behind the last one the first
  > next of section
previous: previous of MEMBER
  = the member before it in such a kind, before the first one the last
  > previous of section
north: north of MEMBER
  = the next member of a grid in the row above; at the edge `none`
  > north of c
northeast: northeast of MEMBER
  = the next one aslant, above on the right, or `none`
  > northeast of c
east: east of MEMBER
  = the next one in the column on the right, or `none`
  > east of c
southeast: southeast of MEMBER
  = the next one aslant, below on the right, or `none`
  > southeast of c
south: south of MEMBER
  = the next one in the row below, or `none`
  > south of c
southwest: southwest of MEMBER
  = the next one aslant, below on the left, or `none`
  > southwest of c
west: west of MEMBER
  = the next one in the column on the left, or `none`
  > west of c
northwest: northwest of MEMBER
  = the next one aslant, above on the left, or `none`
  > northwest of c
number: number of players
  = how many play
  > number of players
min: min(A, B, ...)
  = the least of some numbers
  > min(p.money, 10)
max: max(A, B, ...)
  = the greatest of some numbers
  > max(0, p.money - 10)
""",
)

FOLDS = _group(
    "Aggregates",
    "expr",
    """
sum: sum(VALUE for NAME in DOMAIN [where C])
  = the values added up
  > sum(g.price for g in p.hand)
count: count(NAME in DOMAIN [where C])
  = how many members there are
  > count(g in Good where p.hand[g] > 0)
any: any(C for NAME in DOMAIN [where C])
  = whether it holds of one of them
  > any(p.money == 0 for p in players)
all: all(C for NAME in DOMAIN [where C])
  = whether it holds of each of them
  > all(p.passed for p in players)
min: min(VALUE for NAME in DOMAIN [where C] [else E])
  = the least of the values
  > min(p.points for p in players)
max: max(VALUE for NAME in DOMAIN [where C] [else E])
  = the greatest of the values
  > max(p.bid for p in players)
first: first NAME in DOMAIN [where C] [else E]
  = the first member in order
  > first p in players from starter where p.bid == best
best: best NAME in DOMAIN [where C] by VALUE then first [else E]
  = the member with the greatest value; among equal ones the next value decides, or `first`
  > best p in players by p.points then p.money then first
""",
)

OPERATORS = _group(
    "Values and operators",
    "expr",
    """
true: true, false
  = the two truths
  > true
none: none
  = no member, no player, no number: a value of `maybe` types, and of an empty slot
  > winner == none
seat: seat N
  = the player on a seat
  > seat 1
and: A and B
  = both hold; the right side is looked at only if the left one holds
  > p.money > 0 and p.money < 9
or: A or B
  = at least one holds
  > p.money > 9 or is_last
not: not A
  = it does not hold
  > not p.passed
if: if C then A else B
  = one value or the other
  > if full_price then 70 else 55
rounded: A / B rounded up, A / B rounded down
  = a division; it always says how it rounds
  > price / 2 rounded up
of: F of X
  = a function of one thing; the same as F(X)
  > credit of seller
between: KIND between A and B
  = the member of a kind that joins two of another, either way round; a fault when there is none
  > Route between here and port
made: KIND(VALUE, ...)
  = the member of a kind with `made of` that is made of these, in a grid of its row and column; a
    fault when one lies outside
  > Leg(p.route, 3)
is: MEMBER is a KIND, MEMBER is an KIND
  = whether it is one of a kind that its kind includes; then a name is known to be one of it
  > benefit is a Resource
""",
)

DOMAINS = _group(
    "Domains: what a name can range over",
    "expr",
    """
range: LOW..HIGH
  = whole numbers, both ends included
  > count(n in 1..6 where n > 2)
KIND: a kind
  = its members in the order of the file
  > count(g in Good)
maybe: maybe KIND, maybe LOW..HIGH
  = `none`, then the members or numbers
  > count(g in maybe Good)
neighbors: neighbors of MEMBER, neighbors(MEMBER by KIND)
  = the members that a kind links to this one, in the order of the file
  > count(q in neighbors of p.ship)
beside: neighbors of MEMBER, neighbors(MEMBER by sides), neighbors(MEMBER by corners),
    neighbors(MEMBER by sides or corners)
  = in a grid the members that share a side with this one, or a corner
  > count(d in neighbors(c by sides or corners))
lines: lines of N in GRID, lines of N through MEMBER
  = in aggregates: the straight lines of N members in a grid, upright, level and aslant; or those of
    them in which a member stands. `c in line` goes through the members of one
  > any(all(c.mark == p for c in line) for line in lines of 3 in Cell)
players: players [counterclockwise] [from P] [after P]
  = the players round the table, from seat 1 or from P; `after` leaves P out
  > count(q in players counterclockwise after p)
PLACE: a place, or a bag in a column
  = its components: each of them in aggregates and loops, each different one in choices
  > sum(g.price for g in lot)
kinds: kinds of PLACE
  = the different members that lie in a place or bag
  > count(g in kinds of p.hand)
runs: runs(PILE by COLUMN)
  = stretches of neighbours in a pile that agree in a column
  > count(r in runs(row by colour))
""",
)

CHOICES = _group(
    "Parameters of options",
    "option",
    """
in: NAME in DOMAIN [where C]
  = one of the members is chosen; later parameters may use earlier ones
  > bid(amount in least..9 where amount != 5)
any: NAME in any LOW..HIGH of BAG
  = some components of a bag are chosen
  > keep(cards in any 0..2 of p.hand)
otherwise: otherwise: STEPS
  = what is done when there is no other option
  > otherwise
""",
)

OWNERS = _group(
    "Whose state it is",
    "state_owner",
    """
shared: shared:
  = there is one of it, and it is nobody's
  > shared
each: each player:  each KIND:
  = every player, or every member of a kind, has one: `p.money`, `stones[h]`
  > each player
each player, each: each player, each KIND:
  = every player has one for every member of a kind: `p.stock[r]`, `p.sea[s]`
  > each player, each Resource
""",
)

KINDS = _group(
    "Kinds made of others",
    "kind",
    """
every two of: every two of KIND
  = a kind with a member for every two different members of another
  > every two of Sign
grid: grid ROWS by COLUMNS
  = a kind whose members stand in rows and columns: `a1`, `b1`, ...; either is a number, or a kind
  > grid 6 by 7
""",
)

COLUMNS = _group(
    "Columns",
    "column",
    """
bag in a column: bag of KIND
  = each member has a bag that never changes; its cell is a list
  > bag of Good
""",
)

LABELS = _group(
    "Labels of rows and cases",
    "row_key",
    """
any of a kind: any KIND
  = all members of a kind that the kind looked at includes
  > any Resource
""",
)

TYPES = _group(
    "Types and places",
    "state_type",
    """
range: LOW..HIGH, LOW+
  = whole numbers, both ends included
  > 0..60
int: int
  = whole numbers from -1,000,000 to 1,000,000
  > int
bool: bool
  = true or false
  > bool
Player: Player, in signatures also `players`
  = a player
  > Player
maybe: maybe TYPE
  = of the type, or none
  > maybe Player
bag: bag of KIND [or KIND]
  = a place where order never matters
  > bag of Good or Bluff
pile: pile of KIND
  = a place with an order, open to rules
  > pile of Card
deck: deck of KIND
  = a shuffled place; rules read its size and its counts, never its order
  > deck of Card
slot: slot of KIND
  = a place for one component; it reads as the component
  > slot of Card
""",
)

MODIFIERS = _group(
    "What is said of state",
    "state_type",
    """
secret: secret
  = only the owner sees it
  > 0..9, secret
hidden: hidden
  = nobody sees it; of a place all see the size
  > bag of Good, hidden
unseen by its owner: unseen by its owner
  = all see it but the owner
  > bag of Card, unseen by its owner
size seen: size seen
  = all see how many components lie there
  > bag of Good, secret, size seen
COLUMN seen: COLUMN seen
  = all see this column of each component that lies there, and so how many there are
  > pile of Card, secret, suit seen, value seen
top seen: top seen
  = all see the uppermost component
  > pile of Card, hidden, top seen
spoken: spoken
  = what a player says: all hear it, and no rule reads it
  > maybe Good, spoken
capped: capped
  = what would leave the range stays at its end
  > 0..9, capped
starts at: starts at VALUE
  = the value before the game
  > 0..9, starts at 3
starts with: starts with all, COLUMN, N MEMBER [and ...]
  = the components that lie there before the game: one of each, as many as a column says, or so
    many
  > bag of Good, starts with 2 wood and 1 iron
at most: at most N
  = the room of a place; putting in more is a fault
  > pile of Card, at most 4
refilled from: refilled from PLACE [and PLACE]
  = where components come from when one is wanted and none is there
  > bag of Good, hidden, refilled from discard and box
goes to: KIND goes to PLACE
  = components of a kind that are not dealt: one that comes up in a deal goes there, and the next
    one is taken
  > deck of Card or Storm, hidden, Storm goes to sky
""",
)

STEPS = _group(
    "Steps",
    "line",
    """
=: PLACE = VALUE, PLACE += VALUE, PLACE -= VALUE [, seen]
  = state changes
  > p.money += 3
let: let NAME = VALUE
  = a name for a value; it never changes
  > let price = p.bid + 1
move: move WHAT from PLACE to PLACE [, seen]
  = components move: `all`, `all KIND`, `all but CHOICE`, `all NAME where C`, `N MEMBER`, a
    choice, or N from the top
  > move 2 wood from p.hand to market
to: to PLACE, onto PLACE, under PLACE
  = into a bag or slot, on top of a pile, shuffled into a deck; on top of a pile or deck; below
    it
  > move 1 from row under deck
noting: move ONE from PLACE to PILE, noting NOTE = VALUE [, ...] [, seen]
  = what is said about a component as it is laid down: all hear it, and no rule reads it
  > move card from p.hand to p.laid, noting said = silk
into: into PLACE at random place A..B
  = to a place that chance picks, counted from the top
  > move curse from box into deck at random place 1..4
deal: deal [up to] N [NAME where C] from PLACE to PLACE [, seen]
  = one component at a time, by chance from a bag, from the top of a deck or pile; with a
    condition by chance one of those for which it holds, from a bag or deck
  > deal up to 5 from deck to p.hand
shuffle: shuffle DECK
  = the order is unknown from here on
  > shuffle deck
roll: roll NUMBER
  = a number of the state gets one of its values, each as likely
  > roll die
pass each: pass each P.PLACE to left, right
  = all at once hand what lies there to a neighbour
  > pass each p.hand to left
show: show VALUE [to P], show top N of DECK [to P]
  = somebody is told or looks
  > show top 3 of deck to p
turn passes to: turn passes to P, turn passes to players [from P] [after P]
  = who comes next in a loop over turns
  > turn passes to left of p
end: end loop, end phase, end game
  = what ends here
  > end phase
wins: PLAYER wins, nobody wins
  = the game ends at once
  > p wins
do: NAME, NAME(ARGUMENTS)
  = a phase or procedure is carried out, with its arguments if it has any
  > sell_lot(seller)
""",
)

HEADERS = _group(
    "Headers: steps with steps below them",
    "header",
    """
for: for NAME in DOMAIN [where C] [until C] [, in the order P chooses] [, seen]:
  = once for each member
  > for p in players from starter where p.money > 0
turns: for NAME in turns [from P] [where C] [until C] [, seen]:
  = turns go round and round the table
  > for p in turns from starter until size of deck == 0
if: if C [, seen]:  elif C:  else:
  = the first branch whose condition holds
  > if p.money > 3, seen
while: while C, at most N:
  = as long as it holds, at most N times
  > while p.money < 5, at most 4
never more than: while C, never more than N:
  = as long as it holds; more than N times is a fault
  > while any(q.bid > 0 for q in players), never more than 99
repeat: repeat N:
  = so many times
  > repeat 3
as many as possible: repeat N, as many as possible:
  = at most N times; only what begins a longest sequence may be chosen
  > repeat 3, as many as possible
together: together NAME in players [where C]:
  = all of them at once; what changed is seen when all are done
  > together p in players
secretly: PLAYER secretly:
  = one player alone; what changed is seen when it is done
  > p secretly
chooses: PLAYER chooses:, PLAYER secretly chooses:
  = a player takes one of the options below
  > bidder chooses
keeps choosing: PLAYER keeps choosing, at most N [, each once]:
  = the options come again and again, with `done` among them
  > p keeps choosing, at most 5, each once
depending on: depending on VALUE:
  = one of the cases below, each value with one; `else` is the rest
  > depending on phase_of_moon
award: award NUMBER to NAME in players [where C] [, seen]:
  = prizes by rank, with `by`, `prizes` and `ties` below
  > award points to p in players where p.donated > 0
step: step NAME:
  = a name for a part of a body
  > step income
""",
)

TIES = _group(
    "Ties of an award",
    "ties",
    """
split: split rounded up, split rounded down
  = equal players share the prizes of their places
  > split rounded down
used up: each gets the prize, places are used up
  = each of them gets the prize of the best of their places; the next prizes fall away
  > each gets the prize, places are used up
none is skipped: each gets the prize, none is skipped
  = each of them gets the prize; the next player gets the next prize
  > each gets the prize, none is skipped
""",
)

EVENTS = _group(
    "Events of triggers",
    "event",
    """
after move of: after move of [NAME in] KIND [from PLACE] [to PLACE] [where C]:
  = once for each component that has moved so
  > after move of x in Card from deck to p.hand where x.is_bomb
after change of: after change of NUMBER [where C]:
  = when a number has got another value
  > after change of p.stock[r] where p.stock[r] == 0
after phase: after phase NAME:
  = when a phase is over
  > after phase harvest
when is empty: when PLACE is empty:
  = when the last component has left a place
  > when p.hand is empty
""",
)

RESULT = _group(
    "Result",
    "result_header",
    """
out: for NAME in players:  out: C
  = who takes no part in the ranking
  > for p in players
highest: highest: VALUE or a list
  = the ranking; later values break ties
  > for p in players
score: score: named terms
  = the ranking by the total of named terms
  > for p in players
payoff: payoff: VALUE
  = what each player gets
  > for p in players
""",
)

EXAMPLES = _group(
    "Examples",
    "play_header",
    """
expect: expect:
  = values that hold here
  > expect
change: change:
  = differences to the beginning
  > change
legal for: legal for P: [MOVES], or N moves
  = the legal moves, all of them
  > legal for A
illegal: illegal: P MOVE
  = a move that is not legal
  > illegal
because: because: SOURCE SECTION
  = the rule that forbids it
  > because
sees: P sees:
  = what one player sees
  > B sees
dealt to: dealt to PLACE: [COMPONENTS]
  = what the next draws bring
  > dealt to A.hand
rolled: rolled NUMBER: N
  = what the next roll brings
  > rolled die
ranking: ranking: [PLAYERS]
  = all players, the best first
  > ranking
winners: winners: [PLAYERS]
  = who has won
  > winners
""",
)

GIVEN = _group(
    "Examples",
    "components",
    """
components: [N MEMBER, MEMBER, N unseen]
  = what lies in a place; in `sees` also how many the player cannot tell apart
  > 2 wood
the rest: PLACE: the rest
  = in `given`: all components that are nowhere else
  > the rest
""",
)

STOPS = _group(
    "Examples",
    "play_line",
    """
stop: stop
  = the example ends before what was begun is finished
  > stop
""",
)

BOTS = _group(
    "Bots",
    "preference",
    """
MOVE: MOVE [VALUE, ARGUMENT = VALUE] [where C] [by VALUE] [if C]
  = what a bot prefers, if C: the legal moves of an option with these arguments for which `where`
    holds; of them those with the greatest `by`; of equal ones any, by chance
  > accept where buyer.points < 9 by buyer.bid if me.money > 3
give or take: VALUE give or take N
  = any number from N less to N more, as far as it is legal
  > bid min(minimum_price, me.money) give or take 3
me: me
  = the player for whom a bot chooses
  > keep good by me.kept[good]
""",
)

WORDS: tuple[Entry, ...] = (
    *OPERATORS,
    *FUNCTIONS,
    *FOLDS,
    *DOMAINS,
    *CHOICES,
    *OWNERS,
    *KINDS,
    *COLUMNS,
    *LABELS,
    *TYPES,
    *MODIFIERS,
    *STEPS,
    *HEADERS,
    *TIES,
    *EVENTS,
    *RESULT,
    *EXAMPLES,
    *GIVEN,
    *STOPS,
    *BOTS,
)

CALLED: tuple[str, ...] = tuple(dict.fromkeys(e.name for e in (*FUNCTIONS, *FOLDS)))
"""The words that stand before `of` or a parenthesis: no names of tables and definitions."""


FOREIGN: dict[str, tuple[str, str]] = {
    "len": ("size of {}", "how many lie in a place is its `size`"),
    "length": ("size of {}", "how many lie in a place is its `size`"),
    "empty": ("size of {} == 0", "whether a place is empty is told by its size"),
    "is_empty": ("size of {} == 0", "whether a place is empty is told by its size"),
    "abs": ("max({0}, -({0}))", "this is the greater one of a number and its opposite"),
    "neighbors": (
        "",
        "`neighbors` is what a name goes through: count(NAME in neighbors of MEMBER)",
    ),
    "lines": (
        "",
        "`lines` is what a name goes through: count(NAME in lines of 3 in GRID)",
    ),
    "bottom": ("", "rules read the top of a pile, and what lies in it"),
    "random": ("", "chance is in `deal`, `roll` and `shuffle`"),
    "range": ("", "a range is written LOW..HIGH"),
}
"""What people of other languages write: how it is written here, and a word about it."""


def entry(name: str) -> Entry | None:
    """The first entry of a word."""
    return next((entry for entry in WORDS if entry.name == name), None)


def nearest_word(name: str) -> Entry | None:
    """The word that was probably meant."""
    near = nearest(name, [entry.name for entry in WORDS])
    return None if near is None else entry(near)


def page() -> Iterator[str]:
    """The lines of the page of words."""
    yield "# The words of the language"
    yield ""
    yield "Made by `python -m rulesdsl.check.vocabulary`; language.md tells the whole of it."
    yield "Words in capitals stand for what you write, `[ ]` for what may be left out."
    for group in dict.fromkeys(entry.group for entry in WORDS):
        yield from ("", f"## {group}", "", "| written | meaning | example |", "|---|---|---|")
        for word in WORDS:
            if word.group == group:
                cells = (f"`{word.signature}`", word.meaning, f"`{word.example}`")
                yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    print("\n".join(page()))
