"""The model: rules as understood. Every name is bound, every type and label known.

Declarations are compared by identity; expressions and steps refer to them directly.
Seat count and options are still open: `OptionRead` and `PlayerCount` become constants
when a machine is made.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from attrs import Factory, define, field

from rulesdsl.check.datatypes import BagColumn as BagColumn
from rulesdsl.check.datatypes import Column as Column
from rulesdsl.check.datatypes import IntType, SubbagType, Type
from rulesdsl.check.datatypes import Joins as Joins
from rulesdsl.check.datatypes import Kind as Kind
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.records import record
from rulesdsl.text.source import Span

# ------------------------------------------------------------------ declarations


@define(eq=False)
class Option:
    """A choice made before the game; a constant while it is played."""

    name: str
    type: Type
    default: Expr
    span: Span
    about: str = ""
    cites: tuple[Cite, ...] = ()


@record(eq=False)
class Table:
    """A total function from one or two domains.

    `domains` are the declared types of the arguments; `cells` maps a tuple of argument values
    to the value. `open_from` is the first number of an open row `9+` of a one-key table (its
    value holds for every larger argument), else None.
    """

    name: str
    domains: tuple[Type, ...]
    type: Type
    cells: dict[tuple[int, ...], int]
    open_from: int | None
    span: Span
    about: str = ""
    cites: tuple[Cite, ...] = ()


class Sight(Enum):
    """Who sees a piece of state."""

    ALL = "all"
    OWNER = "secret"
    NOBODY = "hidden"
    OTHERS = "unseen by its owner"


class Shape(Enum):
    """What a place is."""

    BAG = "bag"
    PILE = "pile"
    DECK = "deck"
    SLOT = "slot"


@record
class PlayerAnd:
    """Each player has one for each member of a kind."""

    kind: Kind


Per: TypeAlias = "Kind | PlayerAnd | str"
"""`"shared"`, `"player"`, the kind with one for each member, or players and members together."""


@define(eq=False)
class Scalar:
    """A number, truth, member or player of the state; one, or one per player or member.

    `start` is evaluated before the game, with `owner` (if any) bound to the member, else the
    player, whose copy it is. Without a start: the nearest to 0 in the range, or `none`, or the
    first.
    What is `spoken` is heard by all, and no rule reads it.
    """

    name: str
    per: Per
    type: Type
    span: Span
    sight: Sight = Sight.ALL
    capped: bool = False
    spoken: bool = False
    start: Expr | None = None
    owner: Local | None = None
    cites: tuple[Cite, ...] = ()


@define(eq=False)
class Zone:
    """A place for components; one, or one per player or member.

    `start` are the components that lie in it before the game: for each kind of `kinds` (in
    order) a count a member. `capacity` is the number of components that can be in it: all there
    are, or the greatest value of `at_most`, whose value before the game is its room.
    `asides`: where components of a kind go when they come up and are not dealt.
    A deck and a hidden place always show their size, and so does a place with `columns_seen`:
    all see these columns of each component.
    """

    name: str
    per: Per
    shape: Shape
    kinds: tuple[Kind, ...]
    span: Span
    sight: Sight = Sight.ALL
    size_seen: bool = False
    top_seen: bool = False
    columns_seen: tuple[Column, ...] = ()
    start: tuple[tuple[int, ...], ...] = ()
    refills: tuple[Zone, ...] = ()
    asides: tuple[tuple[Kind, Zone], ...] = ()
    capacity: int = 0
    at_most: Expr | None = None
    notes: tuple[PlaceNote, ...] = ()
    cites: tuple[Cite, ...] = ()

    def offset(self, kind: Kind) -> int:
        """Where the members of a kind begin among the members of all kinds of the place."""
        total = 0
        for other in self.kinds:
            if other is kind:
                return total
            total += len(other)
        raise KeyError(kind.name)

    @property
    def width(self) -> int:
        """How many different members can lie here."""
        return sum(len(kind) for kind in self.kinds)


@define(eq=False)
class PlaceNote:
    """What is said about each component of a pile: heard by all, and no rule reads it.

    A component that is laid down without a note has the one nearest to 0, or `none`. The note
    goes with the component within its pile, and is gone when the component leaves.
    """

    name: str
    zone: Zone
    type: Type
    span: Span

    @property
    def per(self) -> Per:
        return self.zone.per


@define(eq=False)
class Local:
    """A name that never changes: a let, a loop variable, a parameter, a formal."""

    name: str
    type: Type
    span: Span


@define(eq=False)
class Counter:
    """A number of a procedure or phase that changes; reset to `start` on entry."""

    name: str
    type: Type
    span: Span
    start: Expr | None = None


# ------------------------------------------------------------------ expressions


@record
class Const:
    span: Span
    type: Type
    value: int


@record
class LocalRead:
    span: Span
    type: Type
    local: Local


@record
class CounterRead:
    span: Span
    type: Type
    counter: Counter


@record
class OptionRead:
    span: Span
    type: Type
    option: Option


@record
class PlayerCount:
    span: Span
    type: Type


@record
class MemberOf:
    """Whose, of what a player has for each member of a kind: `p` and `r` of `p.stock[r]`."""

    span: Span
    type: Type
    kind: Kind
    player: Expr
    member: Expr


@record
class ScalarRead:
    """`points` of the state; key is the owner (a player or a member), None when shared."""

    span: Span
    type: Type
    scalar: Scalar
    key: Expr | None


@record
class ColumnRead:
    """`g.minimum`."""

    span: Span
    type: Type
    column: Column
    of: Expr


@record
class TableRead:
    """`checked`: an argument may lie outside the domain; then a fault `row` in play."""

    span: Span
    type: Type
    table: Table
    arguments: tuple[Expr, ...]
    checked: bool


@record
class Between:
    """`Route between a and b`: the member of a kind that joins two; none is a fault `row`."""

    span: Span
    type: Type
    kind: Kind
    left: Expr
    right: Expr


@record
class EndOf:
    """`pair[s]`: 1 where a member (of a kind that joins others) joins this one, else 0."""

    span: Span
    type: Type
    kind: Kind
    of: Expr
    end: Expr


@record
class Made:
    """`Leg(gallia, 3)`: the member of a kind that is made of these.

    `checked`: an argument may lie outside what the kind is made of; then a fault `row` in play.
    """

    span: Span
    type: Type
    kind: Kind
    arguments: tuple[Expr, ...]
    checked: bool


@record
class Turned:
    """`next of s` (step 1) or `previous of s` (step -1) in a kind that is a ring."""

    span: Span
    type: Type
    kind: Kind
    of: Expr
    step: int


@record
class Toward:
    """`north of c`: the next member of a grid in a direction; none at the edge."""

    span: Span
    type: Type
    kind: Kind
    of: Expr
    direction: str


@record
class Converted:
    """A member as one of another kind, which includes its own or which its own includes.

    `shift` is what the number of the member changes by; `none` remains what it is.
    """

    span: Span
    type: Type
    of: Expr
    shift: int


@record
class IsA:
    """`b is a Resource`: whether a member, perhaps none, is one of low to high."""

    span: Span
    type: Type
    of: Expr
    kind: Kind
    low: int
    high: int


@record
class Bag:
    """`tile.gives`: a bag that never changes, in a column of a member."""

    span: Span
    column: BagColumn
    of: Expr


@record
class BagSize:
    """`size of tile.gives`."""

    span: Span
    type: Type
    bag: Bag


@record
class BagCount:
    """`tile.gives[wood]`."""

    span: Span
    type: Type
    bag: Bag
    member: Expr


@record
class Place:
    """A place: a zone and whose it is (None when shared)."""

    span: Span
    zone: Zone
    key: Expr | None


@record
class CountOf:
    """`z[g]`: how many of a member lie in a place. `kind` is the kind of g."""

    span: Span
    type: Type
    place: Place
    kind: Kind
    member: Expr


@record
class SizeOf:
    """`size of z`."""

    span: Span
    type: Type
    place: Place


@record
class TopOf:
    """`top of z` of a pile, or the component of a slot; an empty place is a fault `empty`.

    With `maybe` true (a slot compared with `none`) an empty place is `none` instead.
    """

    span: Span
    type: Type
    place: Place
    maybe: bool


@record
class SubbagSize:
    """`size of cards`."""

    span: Span
    type: Type
    local: Local


@record
class SubbagCount:
    """`cards[g]`."""

    span: Span
    type: Type
    local: Local
    kind: Kind
    member: Expr


@record
class RunColumn:
    """`run.good`."""

    span: Span
    type: Type
    local: Local


@record
class RunSize:
    """`size of run`."""

    span: Span
    type: Type
    local: Local


@record
class Neighbour:
    """`left of p` (step 1, clockwise) or `right of p` (step -1)."""

    span: Span
    type: Type
    player: Expr
    step: int


@record
class Negative:
    span: Span
    type: Type
    operand: Expr


@record
class Not:
    span: Span
    type: Type
    operand: Expr


@record
class Arithmetic:
    """op is one of `+ - * min max`."""

    span: Span
    type: Type
    op: str
    left: Expr
    right: Expr


@record
class Quotient:
    span: Span
    type: Type
    left: Expr
    right: Expr
    up: bool


@record
class Compare:
    """op is one of `== != < <= > >=`."""

    span: Span
    type: Type
    op: str
    left: Expr
    right: Expr


@record
class Logic:
    """op is `and` or `or`; the right side is looked at only where it matters."""

    span: Span
    type: Type
    op: str
    left: Expr
    right: Expr


@record
class Conditional:
    span: Span
    type: Type
    condition: Expr
    then: Expr
    otherwise: Expr


@record
class Fold:
    """op is one of `sum count any all max min`; over components each counts as often as it lies."""

    span: Span
    type: Type
    op: str
    binder: Local
    domain: Domain
    where: Expr | None
    body: Expr | None
    otherwise: Expr | None


@record
class Pick:
    """op is `first` or `best`: the member with the greatest keys, the earliest of equal ones."""

    span: Span
    type: Type
    op: str
    binder: Local
    domain: Domain
    where: Expr | None
    keys: tuple[Expr, ...]
    otherwise: Expr | None


@record
class DefineCall:
    span: Span
    type: Type
    define: Define
    arguments: tuple[Expr, ...]


Expr: TypeAlias = (
    Const
    | LocalRead
    | CounterRead
    | OptionRead
    | PlayerCount
    | MemberOf
    | ScalarRead
    | ColumnRead
    | TableRead
    | Between
    | EndOf
    | Made
    | Turned
    | Toward
    | Converted
    | IsA
    | BagSize
    | BagCount
    | CountOf
    | SizeOf
    | TopOf
    | SubbagSize
    | SubbagCount
    | RunColumn
    | RunSize
    | Neighbour
    | Negative
    | Not
    | Arithmetic
    | Quotient
    | Compare
    | Logic
    | Conditional
    | Fold
    | Pick
    | DefineCall
)

# ------------------------------------------------------------------ domains


@record
class RangeDomain:
    """Numbers; with `maybe` then `none` first."""

    low: Expr
    high: Expr
    maybe: bool = False


@record
class BoolDomain:
    """`false`, then `true`."""


@record
class KindDomain:
    """The members of a kind in file order; with `maybe` then `none` first."""

    kind: Kind
    maybe: bool


@record
class NeighborsOf:
    """The members of a kind that `by` joins to one of them, in the order of the kind."""

    by: Kind
    of: Expr

    @property
    def joins(self) -> Joins:
        assert self.by.joins is not None
        return self.by.joins


@record
class Beside:
    """The members of a grid that share a side with one, or a corner alone, in their order."""

    kind: Kind
    of: Expr
    sides: bool
    corners: bool


@record
class LinesOf:
    """Straight lines of so many members of a grid, of those in which one stands; for aggregates.

    `length` is known before the game.
    """

    kind: Kind
    length: Expr
    through: Expr | None


@record
class InLine:
    """The members of a line, in the order of the kind."""

    line: Local


@record
class SeatsDomain:
    """Players round the table. start None: from seat 1; `after` leaves the start itself out."""

    start: Expr | None
    after: bool
    counterclockwise: bool


@record
class KindsOf:
    """The different members of a kind that lie in a place."""

    place: Place
    kind: Kind


@record
class ComponentsOf:
    """The components of a kind in a place: in aggregates each, in parameters each different one."""

    place: Place
    kind: Kind


@record
class InBag:
    """What is in the bag of a member, in the order of the kind; `distinct`: each member once.

    In parameters each different one.
    """

    bag: Bag
    distinct: bool


@record
class RunsOf:
    """Runs of a pile, bottom first."""

    place: Place


@record
class SubbagDomain:
    """low..high components of a place (parameters only)."""

    place: Place
    low: Expr
    high: Expr


Domain: TypeAlias = (
    RangeDomain
    | BoolDomain
    | KindDomain
    | NeighborsOf
    | Beside
    | LinesOf
    | InLine
    | SeatsDomain
    | KindsOf
    | ComponentsOf
    | InBag
    | RunsOf
    | SubbagDomain
)

# ------------------------------------------------------------------ steps


@record
class SetScalar:
    """`place = e` (`+=` and `-=` are written out). Out of range: fault, or capped."""

    span: Span
    scalar: Scalar
    key: Expr | None
    value: Expr
    seen: bool
    proved: bool


@record
class SetCounter:
    span: Span
    counter: Counter
    value: Expr
    proved: bool


@record
class Let:
    span: Span
    local: Local
    value: Expr


@record
class MoveAll:
    """All components, or those of `kinds`."""

    kinds: tuple[Kind, ...]


@record
class MoveMember:
    """`count` components of one member; count None is all of it."""

    kind: Kind
    member: Expr
    count: Expr | None


@record
class MoveWhere:
    """All components of the members for which the condition holds."""

    kind: Kind
    binder: Local
    where: Expr


@record
class MoveTop:
    """`count` from the top of a pile or deck, or the component of a slot (count 1)."""

    count: Expr


@record
class MoveSubbag:
    """The chosen components, or all but them."""

    local: Local
    but: bool


Moved: TypeAlias = MoveAll | MoveMember | MoveWhere | MoveTop | MoveSubbag


class Way(Enum):
    """How components come into a place: on top of a pile or deck, under it, at a random place
    between two, or (bags, slots, and `to` a deck: shuffled in) just in."""

    IN = "to"
    ONTO = "onto"
    UNDER = "under"
    RANDOM = "into"


@record
class Target:
    place: Place
    way: Way
    low: Expr | None = None
    high: Expr | None = None


@record
class Noting:
    """What is said about what moves. Out of range: fault."""

    note: PlaceNote
    value: Expr
    proved: bool


@record
class Move:
    """`noting` only for one component; its values are worked out just before it moves."""

    span: Span
    moved: Moved
    origin: Place
    to: Target
    seen: bool
    noting: tuple[Noting, ...] = ()


@record
class Deal:
    """`count` components one at a time: random from a bag, from the top of a pile or deck.

    With `chosen` any of those for which its condition holds, wherever they lie.
    `noting` only where a move of one component from a deck is carried out as a deal.
    """

    span: Span
    count: Expr
    up_to: bool
    origin: Place
    to: Target
    seen: bool
    noting: tuple[Noting, ...] = ()
    chosen: MoveWhere | None = None


@record
class Shuffle:
    span: Span
    place: Place


@record
class Roll:
    span: Span
    scalar: Scalar
    key: Expr | None


@record
class PassEach:
    """Every player's place moves to the neighbour (step 1: left), all at once."""

    span: Span
    zone: Zone
    step: int


class Ended(Enum):
    LOOP = "loop"
    PHASE = "phase"
    GAME = "game"


@record
class End:
    span: Span
    what: Ended


@record
class TurnPasses:
    """To one player (a loop over turns goes on from there), or to seats, once each."""

    span: Span
    to: Expr | SeatsDomain


@record
class Wins:
    """Ends the game; player None: nobody."""

    span: Span
    player: Expr | None


@record
class Show:
    """A value, a place, or the top `count` of a deck (looked at, so known from then on)."""

    span: Span
    what: Expr | Place
    top: Expr | None
    to: Expr | None


@record
class CallProcedure:
    span: Span
    procedure: Procedure
    arguments: tuple[Expr, ...]


@record
class RunPhase:
    span: Span
    phase: Phase
    arguments: tuple[Expr, ...]


@record
class ForStep:
    """`until` only over seats; `chooser` takes the members in an order of his own."""

    span: Span
    binder: Local
    domain: Domain
    where: Expr | None
    until: Expr | None
    chooser: Expr | None
    seen: bool
    body: Body


@record
class TurnsStep:
    span: Span
    binder: Local
    start: Expr | None
    where: Expr | None
    until: Expr | None
    seen: bool
    body: Body


@record
class IfStep:
    """Pairs of condition (None: else), whether it is `seen`, and body."""

    span: Span
    branches: tuple[Branch, ...]


@record
class Branch:
    span: Span
    condition: Expr | None
    seen: bool
    body: Body


@record
class WhileStep:
    span: Span
    condition: Expr
    bound: Expr
    strict: bool
    seen: bool
    body: Body


@record
class RepeatStep:
    """`longest`: only what begins a longest sequence of rounds may be chosen in the body."""

    span: Span
    count: Expr
    longest: bool
    body: Body


@record
class TogetherStep:
    """Each participant does the body unseen; what changed is seen when all are done.

    `single` is the player of `p secretly:` (then domain and where are those of that one).
    """

    span: Span
    binder: Local
    where: Expr | None
    single: Expr | None
    body: Body


class Ties(Enum):
    SPLIT_DOWN = "split rounded down"
    SPLIT_UP = "split rounded up"
    USED_UP = "each gets the prize, places are used up"
    NONE_SKIPPED = "each gets the prize, none is skipped"


@record
class AwardStep:
    """Prizes by rank of `by` (later values break ties) among the players for whom `where` holds."""

    span: Span
    scalar: Scalar
    binder: Local
    where: Expr | None
    by: tuple[Expr, ...]
    prizes: tuple[Expr, ...]
    ties: Ties
    seen: bool


@record
class NamedStep:
    span: Span
    name: str
    body: Body


@record
class Parameter:
    """A parameter; domain None is a fixed argument with the value `fixed`."""

    local: Local
    domain: Domain | None
    fixed: Expr | None
    where: Expr | None


@record
class ChoiceOption:
    """An option of a choice."""

    span: Span
    name: str
    parameters: tuple[Parameter, ...]
    where: tuple[Expr, ...]
    body: Body
    cites: tuple[Cite, ...]
    about: str


@record
class ChooseStep:
    """With `bound` the options come again, with `done` among them (`keeps choosing`)."""

    span: Span
    player: Expr
    secretly: bool
    bound: Expr | None
    each_once: bool
    options: tuple[ChoiceOption, ...]
    otherwise: Body | None


@record
class Case:
    """Values low..high (inclusive), or None for the rest."""

    span: Span
    values: tuple[int, int] | None
    body: Body


@record
class DependingStep:
    span: Span
    value: Expr
    cases: tuple[Case, ...]


Step: TypeAlias = (
    SetScalar
    | SetCounter
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
    | CallProcedure
    | RunPhase
    | ForStep
    | TurnsStep
    | IfStep
    | WhileStep
    | RepeatStep
    | TogetherStep
    | AwardStep
    | NamedStep
    | ChooseStep
    | DependingStep
)


@record
class Body:
    """Steps in order, each with the cites of the marginal heading above it."""

    span: Span
    steps: tuple[Step, ...]
    cites: tuple[tuple[Cite, ...], ...]


# ------------------------------------------------------------------ rules


@define(eq=False)
class Define:
    name: str
    formals: tuple[Local, ...]
    span: Span
    value: Expr = field(default=None)  # bound once its body is checked
    type: Type = field(default=None)
    about: str = ""
    cites: tuple[Cite, ...] = ()


@define(eq=False)
class Procedure:
    name: str
    formals: tuple[Local, ...]
    span: Span
    counters: tuple[Counter, ...] = ()
    where: tuple[Expr, ...] = ()
    body: Body = field(default=None)  # bound once its body is checked
    about: str = ""
    cites: tuple[Cite, ...] = ()


@define(eq=False)
class Phase:
    name: str
    formals: tuple[Local, ...]
    span: Span
    counters: tuple[Counter, ...] = ()
    body: Body = field(default=None)
    about: str = ""
    cites: tuple[Cite, ...] = ()


@record(eq=False)
class Owner:
    """The names that a trigger binds: whose it is, and perhaps which of his for each member."""

    local: Local
    member: Local | None


@record(eq=False)
class AfterMove:
    """`binder` is the component; `origin_owner`, `to_owner` bind the owners of the places."""

    binder: Local
    kind: Kind
    origin: Zone | None
    origin_owner: Owner | None
    to: Zone | None
    to_owner: Owner | None
    where: Expr | None


@record(eq=False)
class AfterChange:
    scalar: Scalar
    owner: Owner | None
    where: Expr | None


@record(eq=False)
class AfterPhase:
    phase: Phase


@record(eq=False)
class WhenEmpty:
    zone: Zone
    owner: Owner | None


Event: TypeAlias = AfterMove | AfterChange | AfterPhase | WhenEmpty


@record(eq=False)
class Trigger:
    span: Span
    event: Event
    body: Body
    about: str
    cites: tuple[Cite, ...]


@record(eq=False)
class ScoreTerm:
    name: str
    value: Expr


@record(eq=False)
class Result:
    """How a game that has run to its end is judged, a player at a time (`binder`)."""

    span: Span
    binder: Local
    out: Expr | None
    highest: tuple[Expr, ...]
    score: tuple[ScoreTerm, ...]
    payoff: Expr | None
    cites: tuple[Cite, ...]


@record(eq=False)
class Invariant:
    name: str
    value: Expr


@record(eq=False)
class Measure:
    """A number, or a condition that counts 1 where it holds, asked for when a game is over.

    It is asked of each player, who is `player`; without one of the table.
    """

    span: Span
    name: str
    player: Local | None
    value: Expr
    about: str


@record(eq=False)
class SourceText:
    """A source: a title and its sections with their texts (empty for a book's)."""

    name: str
    title: str
    sections: dict[str, str]


# ------------------------------------------------------------------ texts


@record
class TextSlot:
    """`{e}`; form: a `+` (with its sign), then `change`, `was` or nothing.

    A place is told by what lies in it (its change by what has come), a choice of components by
    what was chosen, a bag in a column by what is in it.
    """

    span: Span
    form: str
    value: Expr | Place | Bag | Local


@record
class TextMoves:
    """`{moves}`: what was said inside."""

    span: Span


@record
class TextPart:
    """Left out where a slot in it is 0, none, empty or not seen."""

    span: Span
    pieces: tuple[TextPiece, ...]


@record
class TextIf:
    """Said where the condition holds; with `was` where it held at the beginning."""

    span: Span
    was: bool
    condition: Expr
    pieces: tuple[TextPiece, ...]


@record
class TextElse:
    """Said where the part before it is left out."""

    span: Span
    pieces: tuple[TextPiece, ...]


@record
class TextEach:
    """Said for each member, those with the greatest `by` first; with `was` as at the beginning."""

    span: Span
    members: Fold
    was: bool
    by: Expr | None
    separator: str
    pieces: tuple[TextPiece, ...]


TextPiece: TypeAlias = str | TextSlot | TextMoves | TextPart | TextIf | TextElse | TextEach


@record
class Text:
    span: Span
    pieces: tuple[TextPiece, ...]


@define(eq=False)
class Texts:
    """The words of a printed game.

    Lines are found by the place where their phase, procedure, step or loop variable stands,
    moves by that of their option and its name, prompts by that of their choice. `private` are
    the names that may hold a secret.
    """

    head: Text | None = None
    names: dict[str, str] = Factory(dict)
    prompts: dict[Span, Text] = Factory(dict)
    moves: dict[tuple[Span, str], Text] = Factory(dict)
    before: dict[Span, Text] = Factory(dict)
    after: dict[Span, Text] = Factory(dict)
    private: set[Local] = Factory(set)

    def speaks_of(self, place: Span) -> bool:
        """Whether there is a line for what stands there."""
        return place in self.before or place in self.after


@define(eq=False)
class Model:
    """A checked rule file. Names are in file order."""

    name: str
    title: str
    about: str
    span: Span
    players: tuple[int, int]
    seat_names: tuple[str, ...]
    extends: tuple[str, ...] = ()
    """The names of the games that it extends, the nearest first."""
    sources: dict[str, SourceText] = Factory(dict)
    options: dict[str, Option] = Factory(dict)
    kinds: dict[str, Kind] = Factory(dict)
    ranges: dict[str, IntType] = Factory(dict)
    tables: dict[str, Table] = Factory(dict)
    scalars: dict[tuple[str, str], Scalar] = Factory(dict)
    """By (section, name): section `shared`, `player` or the kind's name."""
    zones: dict[tuple[str, str], Zone] = Factory(dict)
    defines: dict[str, Define] = Factory(dict)
    procedures: dict[str, Procedure] = Factory(dict)
    setup: Phase | None = None
    flow: Body = field(default=None)
    phases: dict[str, Phase] = Factory(dict)
    triggers: list[Trigger] = Factory(list)
    result: Result | None = None
    invariants: list[Invariant] = Factory(list)
    measures: dict[str, Measure] = Factory(dict)
    texts: Texts = Factory(lambda: Texts())


def name_read(expr: Expr) -> Local | None:
    """The name that an expression is, perhaps known to be of a narrower kind."""
    match expr:
        case Converted(of=LocalRead(local=local), shift=shift) if shift <= 0:
            return local
        case LocalRead(local=local):
            return local
        case _:
            return None


def subbag_of(local: Local) -> SubbagType:
    """The type of a local that is a choice of components."""
    assert isinstance(local.type, SubbagType)
    return local.type
