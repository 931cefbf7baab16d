"""The tree: rules as they were written, frozen, with places and without meaning.

Expressions and steps come from the grammar, sections from the YAML around it. Nothing here
is resolved: a name is the word that stands there.
"""

from __future__ import annotations

from typing import TypeAlias

from rulesdsl.syntax.cites import Cite as Cite
from rulesdsl.text.records import record
from rulesdsl.text.source import Span

# ------------------------------------------------------------------ names


@record
class Word:
    """A name where it stands."""

    span: Span
    text: str


# ------------------------------------------------------------------ expressions


@record
class Int:
    span: Span
    value: int


@record
class Name:
    """A bare word: a variable, member, define, option, kind; also `true`, `false`, `none`."""

    span: Span
    text: str


@record
class Dot:
    """`p.money`, `g.minimum`, `Kind.member`."""

    span: Span
    base: Expr
    name: Word


@record
class Index:
    """`deck[g]`, `senate_value[current, g]`."""

    span: Span
    base: Expr
    arguments: tuple[Expr, ...]


@record
class Call:
    """`credit(p)`, `max(a, b)`; `credit of p` is the same with `of` true."""

    span: Span
    name: Word
    arguments: tuple[Expr, ...]
    of: bool = False


@record
class Seat:
    """`seat 1`."""

    span: Span
    number: int


@record
class Unary:
    """`-a` or `not a`; op is `-` or `not`."""

    span: Span
    op: str
    operand: Expr


@record
class Binary:
    """op is one of `+ - * == != < <= > >= and or`."""

    span: Span
    op: str
    left: Expr
    right: Expr


@record
class Divide:
    """`a / b rounded up|down`."""

    span: Span
    left: Expr
    right: Expr
    up: bool


@record
class If:
    """`if c then a else b`."""

    span: Span
    condition: Expr
    then: Expr
    otherwise: Expr


@record
class Fold:
    """`sum(e for x in d where c)`; op is one of `sum any all max min count` (count: body None)."""

    span: Span
    op: Word
    body: Expr | None
    binder: Word
    domain: Domain
    where: Expr | None
    otherwise: Expr | None


@record
class Pick:
    """`first x in d where c`, `best x in d where c by e, e then first`, with `else e`."""

    span: Span
    op: str
    binder: Word
    domain: Domain
    where: Expr | None
    keys: tuple[Expr, ...]
    then_first: bool
    otherwise: Expr | None


@record
class Between:
    """`Route between a and b`."""

    span: Span
    kind: Word
    left: Expr
    right: Expr


@record
class IsA:
    """`b is a Resource`: whether a member is one of a kind that its kind includes."""

    span: Span
    value: Expr
    kind: Word


Expr: TypeAlias = (
    Int
    | Name
    | Dot
    | Index
    | Call
    | Seat
    | Unary
    | Binary
    | Divide
    | If
    | Fold
    | Pick
    | Between
    | IsA
)

# ------------------------------------------------------------------ domains


@record
class RangeDomain:
    """`a..b`, both ends included; `maybe a..b`."""

    span: Span
    low: Expr
    high: Expr
    maybe: bool = False


@record
class SeatsDomain:
    """`players [counterclockwise] [from p | after p]`; turn is `from`, `after` or empty."""

    span: Span
    turn: str
    start: Expr | None
    counterclockwise: bool


@record
class KindsOfDomain:
    """`kinds of z`: the different members in a place."""

    span: Span
    zone: Expr


@record
class NeighborsDomain:
    """`neighbors of p`, `neighbors(p by Route)`: the members that a kind links to one.

    In a grid also `neighbors(c by corners)`, and with `also` `neighbors(c by sides or corners)`.
    """

    span: Span
    of: Expr
    by: Word | None
    also: Word | None = None


@record
class LinesDomain:
    """`lines of 4 in Cell`, `lines of 4 through c`: straight lines in a grid."""

    span: Span
    length: Expr
    grid: Word | None
    through: Expr | None


@record
class RunsDomain:
    """`runs(z by column)`: stretches of neighbours in a pile that agree in a column."""

    span: Span
    zone: Expr
    column: Word


@record
class SubbagDomain:
    """`any 1..2 of z`, `any 2 of z` (low and high the same): a choice of components."""

    span: Span
    low: Expr
    high: Expr
    zone: Expr


@record
class NamedDomain:
    """A kind, a named range, `maybe` of them, or a place (its components)."""

    span: Span
    expr: Expr
    maybe: bool


Domain: TypeAlias = (
    RangeDomain
    | SeatsDomain
    | KindsOfDomain
    | NeighborsDomain
    | LinesDomain
    | RunsDomain
    | SubbagDomain
    | NamedDomain
)

# ------------------------------------------------------------------ types and declarations


@record
class NamedType:
    """`int`, `bool`, `Player`, a kind, a named range."""

    span: Span
    name: str


@record
class RangeType:
    """`a..b`; high is None for `9+`. The ends are constant expressions."""

    span: Span
    low: Expr
    high: Expr | None


@record
class MaybeType:
    span: Span
    inner: TypeExpr


@record
class WordsType:
    """`[forbidden, punished]`: a kind without a name (options only)."""

    span: Span
    words: tuple[Word, ...]


@record
class PlaceType:
    """`bag of Good or Bluff`; place is one of `bag pile deck slot`."""

    span: Span
    place: str
    kinds: tuple[Word, ...]


TypeExpr: TypeAlias = NamedType | RangeType | MaybeType | WordsType | PlaceType


@record
class Modifier:
    """`secret`, `hidden`, `unseen by its owner`, `size seen`, `top seen`, `capped`, `spoken`.

    `name` is the words themselves.
    """

    span: Span
    name: str


@record
class ColumnSeen:
    """`good seen`: the column of each component that lies there."""

    span: Span
    column: Word


@record
class StartsAt:
    """`starts at E`."""

    span: Span
    value: Expr


@record
class StartsWith:
    """`starts with all`, `starts with copies`, `starts with 2 bluff`."""

    span: Span
    components: tuple[Components, ...]


@record
class Components:
    """`2 bluff`, `wine`, `all`, `the rest`, `2 unseen`; count None is one (or a column's)."""

    span: Span
    count: Expr | None
    name: Word


@record
class AtMost:
    """`at most 4`: the room of a place."""

    span: Span
    number: Expr


@record
class Refilled:
    """`refilled from discard and buried`."""

    span: Span
    places: tuple[Word, ...]


@record
class GoesTo:
    """`VeniceCard goes to used`."""

    span: Span
    kind: Word
    place: Word


Clause: TypeAlias = Modifier | ColumnSeen | StartsAt | StartsWith | AtMost | Refilled | GoesTo


@record
class StateType:
    """The value of a state entry: a type and what stands after its commas."""

    span: Span
    type: TypeExpr
    clauses: tuple[Clause, ...]


@record
class Formal:
    """`p in players`, `amount in Denarii`, `n in 0..4`."""

    span: Span
    name: Word
    type: TypeExpr


@record
class Signature:
    """`sell_lot(seller in players)`: the key of a define or a procedure."""

    span: Span
    name: Word
    formals: tuple[Formal, ...]


@record
class MapsType:
    """`SenateCard, Good -> 0..5`."""

    span: Span
    domains: tuple[TypeExpr, ...]
    value: TypeExpr


@record
class RowKey:
    """A row or column label of a table: `ivory`, `3`, `2..4`, `9+`, `-1`, `any Good`, `else`."""

    span: Span
    word: str | None
    low: int | None
    high: int | None
    open: bool = False
    kind: Word | None = None

    @property
    def is_else(self) -> bool:
        return self.word == "else"


# ------------------------------------------------------------------ steps


@record
class Assign:
    """`place = e`, `place += e`, `place -= e`."""

    span: Span
    target: Expr
    op: str
    value: Expr
    seen: bool


@record
class Let:
    span: Span
    name: Word
    value: Expr


@record
class MovedAll:
    """`all`."""

    span: Span


@record
class MovedAllOf:
    """`all grain`, `all Bluff` (a member expression or a kind)."""

    span: Span
    what: Expr


@record
class MovedAllWhere:
    """`all g where c`."""

    span: Span
    binder: Word
    where: Expr


@record
class MovedAllBut:
    """`all but cards` (a sub-bag parameter)."""

    span: Span
    what: Expr


@record
class MovedSome:
    """`2 grain` (count and what), `grain`, `cards` (count None), `3` (what None: from the top)."""

    span: Span
    count: Expr | None
    what: Expr | None


Moved: TypeAlias = MovedAll | MovedAllOf | MovedAllWhere | MovedAllBut | MovedSome


@record
class Destination:
    """`to z`, `onto z`, `under z`, `into z at random place a..b`; way is the first word."""

    span: Span
    way: str
    zone: Expr
    low: Expr | None = None
    high: Expr | None = None


@record
class Noting:
    """`said_power = power`: a note on what is moved."""

    span: Span
    name: Word
    value: Expr


@record
class Move:
    """`move WHAT from A to B`, with `, noting NAME = E, ...` what is said about it."""

    span: Span
    moved: Moved
    origin: Expr
    to: Destination
    seen: bool
    noting: tuple[Noting, ...] = ()


@record
class Deal:
    """`deal 5 from deck to p.hand`, `deal up to 1 card where card.value > 2 from ...`."""

    span: Span
    up_to: bool
    count: Expr
    binder: Word | None
    where: Expr | None
    origin: Expr
    to: Destination
    seen: bool


@record
class Shuffle:
    span: Span
    zone: Expr


@record
class Roll:
    """`roll die`: a declared range gets one of its values, each as likely."""

    span: Span
    target: Expr


@record
class PassEach:
    """`pass each p.hand to left`: all at once, to the neighbour on that side."""

    span: Span
    binder: Word
    field: Word
    side: str


@record
class End:
    """`end loop`, `end phase`, `end game`."""

    span: Span
    what: str


@record
class TurnPasses:
    """`turn passes to p`, `turn passes to players after p`."""

    span: Span
    to: Expr | SeatsDomain


@record
class Wins:
    """`p wins`; player None is `nobody wins`."""

    span: Span
    player: Expr | None


@record
class Show:
    """`show E [to q]`, `show top n of deck [to q]` (top is the n)."""

    span: Span
    what: Expr
    top: Expr | None
    to: Expr | None


@record
class Do:
    """A phase or a procedure by name: `harbor`, `sell_lot(seller)`."""

    span: Span
    name: Word
    arguments: tuple[Expr, ...]


@record
class CiteHere:
    """`- cite: book D.1.b`: a marginal heading for the lines below it in this body."""

    span: Span
    cites: tuple[Cite, ...]


@record
class For:
    """`for x in d [where c] [, in the order p chooses] [, seen]:`."""

    span: Span
    binder: Word
    domain: Domain
    where: Expr | None
    until: Expr | None
    chooser: Expr | None
    seen: bool
    body: Body


@record
class Turns:
    """`for p in turns [from s] [where c] [until c]:`."""

    span: Span
    binder: Word
    start: Expr | None
    where: Expr | None
    until: Expr | None
    seen: bool
    body: Body


@record
class Branch:
    """One `if` or `elif` with its condition; condition None is `else`."""

    span: Span
    condition: Expr | None
    seen: bool
    body: Body


@record
class IfStep:
    span: Span
    branches: tuple[Branch, ...]


@record
class While:
    """`while c, at most N:` leaves quietly; `while c, never more than N:` (strict) is a fault."""

    span: Span
    condition: Expr
    bound: Expr
    strict: bool
    seen: bool
    body: Body


@record
class Repeat:
    """`repeat N [, as many as possible]:`."""

    span: Span
    count: Expr
    longest: bool
    body: Body


@record
class Together:
    """`together p in players [where c]:`."""

    span: Span
    binder: Word
    domain: Domain
    where: Expr | None
    body: Body


@record
class Secretly:
    """`p secretly:`: a body of one player that the others see only when it is done."""

    span: Span
    player: Expr
    body: Body


@record
class Award:
    """`award points to p in players where c:` with by, prizes, ties."""

    span: Span
    field: Word
    binder: Word
    domain: Domain
    where: Expr | None
    seen: bool
    by: tuple[Expr, ...]
    prizes: tuple[Expr, ...]
    ties: str


@record
class Named:
    """`step NAME:`."""

    span: Span
    name: Word
    body: Body


@record
class Parameter:
    """`amount in least..credit(bidder) [where c]`; domain None is a bare, fixed argument."""

    span: Span
    name: Word
    domain: Domain | None
    where: Expr | None


@record
class Option:
    """A key under `chooses:` with its body; each of `where` is its own reason for illegal."""

    span: Span
    name: Word
    parameters: tuple[Parameter, ...]
    where: tuple[Expr, ...]
    cites: tuple[Cite, ...]
    about: str
    body: Body


@record
class Chooses:
    """`p chooses:`, `p secretly chooses:`; `otherwise` is what is done without an option.

    With `bound` it is `p keeps choosing, at most N times[, each once]:`.
    """

    span: Span
    player: Expr
    secretly: bool
    bound: Expr | None
    each_once: bool
    options: tuple[Option, ...]
    otherwise: Body | None


@record
class Case:
    """A key under `depending on`: a member, number or range; key word `else` is the rest."""

    span: Span
    key: RowKey
    body: Body


@record
class Depending:
    span: Span
    value: Expr
    cases: tuple[Case, ...]


Step: TypeAlias = (
    Assign
    | Let
    | Move
    | Deal
    | Shuffle
    | Roll
    | PassEach
    | End
    | TurnPasses
    | Wins
    | Show
    | Do
    | CiteHere
    | For
    | Turns
    | IfStep
    | While
    | Repeat
    | Together
    | Secretly
    | Award
    | Named
    | Chooses
    | Depending
)


@record
class Body:
    """Steps in order; empty for `nothing`."""

    span: Span
    steps: tuple[Step, ...]


# ------------------------------------------------------------------ sections


@record
class SourceDecl:
    """A source of `sources:`: a book with sections, or rulings (section -> text)."""

    name: Word
    title: str
    sections: tuple[Word, ...]
    texts: tuple[tuple[Word, str], ...]


@record
class OptionDecl:
    name: Word
    type: TypeExpr
    default: Expr
    about: str
    cites: tuple[Cite, ...]


@record
class EveryTwo:
    """`every two of Symbol`: a kind with a member for every two of another."""

    span: Span
    kind: Word


@record
class GridOf:
    """`grid 6 by 7`, `grid 8 by File`: rows and columns, each a number or the members of a kind."""

    span: Span
    rows: Int | Word
    columns: Int | Word


@record
class Links:
    """`links: Port` with rows: each of them with those that it is linked to."""

    kind: Word
    rows: tuple[tuple[Word, tuple[Word, ...]], ...]


@record
class MadeOf:
    """`made of: {route: Route, step: 1..6}`: a member for each choice of a value for each part."""

    span: Span
    parts: tuple[tuple[Word, TypeExpr], ...]


@record
class BagCell:
    """`[wood, wood]`: the cell of a column that holds a bag."""

    span: Span
    items: tuple[Expr, ...]


Cell: TypeAlias = Expr | BagCell


@record
class KindDecl:
    """A kind: a named range (`range`), members with columns and their cells, or a derived one.

    What it is derived from: `joins` of others, `made` of others, a `grid`, and `includes` before
    its rows.
    """

    name: Word
    range: TypeExpr | None
    columns: tuple[tuple[Word, TypeExpr], ...]
    rows: tuple[tuple[Word, tuple[Cell, ...]], ...]
    about: str
    cites: tuple[Cite, ...]
    joins: Links | EveryTwo | None = None
    made: MadeOf | None = None
    includes: tuple[Word, ...] = ()
    ring: bool = False
    grid: GridOf | None = None


@record
class TableDecl:
    """A table; with `columns` each row has a cell a column, else one cell."""

    name: Word
    maps: MapsType
    columns: tuple[RowKey, ...]
    rows: tuple[tuple[RowKey, tuple[Expr, ...]], ...]
    about: str
    cites: tuple[Cite, ...]


@record
class StateOwner:
    """`per` is `shared`, `player` or a kind; `each` is the second of `each player, each K`."""

    span: Span
    per: Word
    each: Word | None


@record
class StateDecl:
    """A name of the state, and whose it is.

    `notes` are what is said about each component that lies in a place.
    """

    name: Word
    owner: StateOwner
    type: StateType
    cites: tuple[Cite, ...]
    notes: tuple[tuple[Word, TypeExpr], ...] = ()
    about: str = ""


@record
class DefineDecl:
    signature: Signature
    value: Expr
    about: str
    cites: tuple[Cite, ...]


@record
class ProcedureDecl:
    """A procedure; `state` are counters of its own, reset on entry."""

    signature: Signature
    state: tuple[tuple[Word, StateType], ...]
    where: tuple[Expr, ...]
    body: Body
    about: str
    cites: tuple[Cite, ...]


@record
class PhaseDecl:
    signature: Signature
    state: tuple[tuple[Word, StateType], ...]
    body: Body
    about: str
    cites: tuple[Cite, ...]


@record
class ZonePattern:
    """`deck`, `p.hand` (binds p to the owner), `p.sea[s]` (s to the member)."""

    span: Span
    owner: Word | None
    field: Word
    member: Word | None


@record
class AfterMove:
    """`after move of [x in] Kind [from a] [to b] [where c]`."""

    span: Span
    binder: Word | None
    kind: Word
    origin: ZonePattern | None
    to: ZonePattern | None
    where: Expr | None


@record
class AfterChange:
    """`after change of p.points [where c]`."""

    span: Span
    place: ZonePattern
    where: Expr | None


@record
class AfterPhase:
    span: Span
    phase: Word


@record
class WhenEmpty:
    """`when deck is empty`, `when p.hand is empty`: on the change from not empty."""

    span: Span
    place: ZonePattern


Event: TypeAlias = AfterMove | AfterChange | AfterPhase | WhenEmpty


@record
class TriggerDecl:
    event: Event
    body: Body
    about: str
    cites: tuple[Cite, ...]


@record
class ScoreTerm:
    """A named term of `score:`."""

    name: Word
    value: Expr


@record
class ResultDecl:
    """`for p in players:` with `out` and `highest`, or `score` terms, or `payoff`."""

    span: Span
    binder: Word
    out: Expr | None
    highest: tuple[Expr, ...]
    score: tuple[ScoreTerm, ...]
    payoff: Expr | None
    cites: tuple[Cite, ...]


@record
class InvariantDecl:
    name: Word
    value: Expr


@record
class MeasureDecl:
    """`money_left(p in players): p.money`, or of the table `left_over: size of deck`."""

    signature: Signature
    value: Expr
    about: str


# ------------------------------------------------------------------ examples


@record
class Amount:
    """A list of components in `given`, `expect`, `sees`, `dealt`: `[2 grain, wine]`."""

    span: Span
    components: tuple[Components, ...]


@record
class ValueList:
    """A list of values: `A.offered.said_power: [6, none]`."""

    span: Span
    values: tuple[Expr, ...]


@record
class Pair:
    """`A.money: 47`, `A.kept: [2 grain]`, `A.money: unseen`, `discard: the rest`."""

    span: Span
    place: Expr
    value: Expr | Amount | ValueList


@record
class PlayDo:
    """A phase or a procedure to run (`setup` too)."""

    do: Do


@record
class PlayMove:
    """`A bid 9`: a seat and the text of a move."""

    span: Span
    seat: Word
    move: Word


@record
class PlayExpect:
    """`expect:` or `change:` (differences since the last run was begun)."""

    span: Span
    change: bool
    pairs: tuple[Pair, ...]


@record
class PlayLegal:
    """`legal for A: [pass, bid 8..47]`, or a number of moves."""

    span: Span
    seat: Word
    moves: tuple[Word, ...]
    count: int | None


@record
class PlayIllegal:
    """`illegal: A keep` with `because: book D.1.c`."""

    span: Span
    seat: Word
    move: Word
    because: Cite | None


@record
class PlaySees:
    """`B sees: {A.kept: [2 unseen]}`."""

    span: Span
    seat: Word
    pairs: tuple[Pair, ...]


@record
class PlayDealt:
    """`dealt to A.auction: [...]`: the next draws that go there; `rolled die: 3` alike."""

    span: Span
    place: Expr
    value: Amount | Expr


@record
class PlayRanking:
    """`ranking: [C, D, B, A]` or `winners: [A, B]` (an empty list: nobody)."""

    span: Span
    winners: bool
    seats: tuple[Word, ...]


@record
class PlayStop:
    span: Span


PlayStep: TypeAlias = (
    PlayDo
    | PlayMove
    | PlayExpect
    | PlayLegal
    | PlayIllegal
    | PlaySees
    | PlayDealt
    | PlayRanking
    | PlayStop
)


@record
class ExampleDecl:
    """One example. `cases` are columns: name -> for each case a constant, or components."""

    span: Span
    name: Word
    cites: tuple[Cite, ...]
    players: tuple[Word, ...]
    options: tuple[tuple[Word, Expr], ...]
    cases: tuple[tuple[Word, tuple[Expr | Amount, ...]], ...]
    given: tuple[Pair, ...]
    play: tuple[PlayStep, ...]


# ------------------------------------------------------------------ texts


@record
class Template:
    """A text with slots: pieces of plain text, slots, and parts that may be left out."""

    span: Span
    pieces: tuple[TextPiece, ...]


@record
class Slot:
    """`{expr}`; `form` is what stands before it: `+` (with its sign), `change of`, `was`."""

    span: Span
    form: str
    value: Expr


@record
class Part:
    """`[keeps {n}]`: left out where a slot in it is 0, none, empty or not seen."""

    span: Span
    pieces: tuple[TextPiece, ...]


@record
class PartIf:
    """`[if c: ...]`; with `was` the condition is that of the beginning."""

    span: Span
    was: bool
    condition: Expr
    pieces: tuple[TextPiece, ...]


@record
class PartElse:
    """`[else: ...]`: said where the part before it is left out."""

    span: Span
    pieces: tuple[TextPiece, ...]


@record
class PartEach:
    """`[for x in d where c by e with "; ": ...]`: once for each member, the greatest e first."""

    span: Span
    binder: Word
    domain: Domain
    where: Expr | None
    was: bool
    by: Expr | None
    separator: str
    pieces: tuple[TextPiece, ...]


TextPiece: TypeAlias = str | Slot | Part | PartIf | PartElse | PartEach


@record
class TextEntry:
    """An entry of a section of `texts:`: its path of keys and the template."""

    section: str
    path: tuple[Word, ...]
    template: Template


# ------------------------------------------------------------------ the file


@record
class DataFile:
    """A file beside the rule file: what it holds (`rows of Card`) and its name as written."""

    span: Span
    holds: str
    name: str


@record
class ChangeDecl:
    """A change of what a file extends, in words, with its reason."""

    span: Span
    words: str
    because: str
    cites: tuple[Cite, ...]


@record
class FailsDecl:
    """An example or invariant of a base that is said not to hold any more.

    `title` is where it has its name; `strict` that it must fail, since the file itself says so.
    """

    span: Span
    title: Span
    because: str
    strict: bool
    invariant: InvariantDecl | None


@record
class RuleFile:
    """A whole rule file as written, with all that it extends."""

    span: Span
    game: Word
    title: str
    about: str
    players: tuple[int, int]
    seat_names: tuple[Word, ...]
    sources: tuple[SourceDecl, ...]
    options: tuple[OptionDecl, ...]
    kinds: tuple[KindDecl, ...]
    tables: tuple[TableDecl, ...]
    state: tuple[StateDecl, ...]
    defines: tuple[DefineDecl, ...]
    procedures: tuple[ProcedureDecl, ...]
    setup: PhaseDecl | None
    flow: Body
    phases: tuple[PhaseDecl, ...]
    triggers: tuple[TriggerDecl, ...]
    result: ResultDecl | None
    invariants: tuple[InvariantDecl, ...]
    measures: tuple[MeasureDecl, ...]
    texts: tuple[TextEntry, ...]
    examples: tuple[ExampleDecl, ...]
    data_files: tuple[DataFile, ...]
    extends: tuple[str, ...] = ()
    """The names of the games that it extends, the nearest first."""
    changes: tuple[ChangeDecl, ...] = ()
    fails: tuple[FailsDecl, ...] = ()
