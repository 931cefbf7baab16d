"""The machine: straight code in blocks, stops, and the layout of one flat record.

A state is a list of whole numbers (int32) of fixed length, the record. Cells 0.. are `at` (which
stop: its number + 1; 0 while running, -1 when over), `phase`, `me` (the seat that runs inside a
region), `winner` (0: by the result, 1: nobody, 2 + seat), one program point per seat, then the
declared state, shown copies, and locals. Values are pure; straight code never stops; registers
live only within a block.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import Factory, define, field

from rulesdsl.check.datatypes import Type
from rulesdsl.check.model import Counter, Kind, Local, Model, PlaceNote, Scalar, Zone
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.records import record
from rulesdsl.text.source import Span

AT, PHASE, ME, WINNER, POINTS = 0, 1, 2, 3, 4
RUNNING, OVER = 0, -1
OUTSIDE, READY, DONE, WAITING = 0, 1, 2, 3
"""Program points of a seat: not in a region, about to begin, done, waiting at stop p - 3."""

UNKNOWN = -1
"""A place of a deck whose component is not drawn yet; concrete places hold the member."""

# ------------------------------------------------------------------ values


@record
class K:
    """A constant."""

    value: int


@record
class R:
    """A register."""

    number: int


@record
class Cell:
    """The cell at `base` plus each index times its stride."""

    base: int
    terms: tuple[tuple[Value, int], ...] = ()


@record
class Row:
    """`data[index]`; with `checked` an index outside is a fault `row` at the span."""

    name: str
    data: tuple[int, ...]
    index: Value
    checked: bool
    span: Span


@record
class Op:
    """op: `add sub mul min max floordiv ceildiv mod eq ne lt le gt ge`."""

    op: str
    left: Value
    right: Value


@record
class And:
    left: Value
    right: Value


@record
class Or:
    left: Value
    right: Value


@record
class Not:
    operand: Value


@record
class Choice:
    """`then` if the condition is not 0, else `otherwise`; only one is evaluated."""

    condition: Value
    then: Value
    otherwise: Value


@record
class With:
    """The register gets the value, then the body is evaluated."""

    register: int
    value: Value
    body: Value


@record
class Fold:
    """Over register x in low..<high where the condition holds.

    op: `sum count any all max min` of `body` (of the empty domain: `empty`), `first` (the first
    x, body being its image) and `best` (the image of the first x with the greatest keys).
    `weight` is how often x counts (sum, count). `empty` None with op max, min, first, best is
    a fault `empty` at the span.
    """

    op: str
    register: int
    low: Value
    high: Value
    where: Value | None
    body: Value
    weight: Value | None
    keys: tuple[Value, ...]
    empty: Value | None
    span: Span


@record
class Checked:
    """The value, if the condition holds; else a fault of the kind at the span."""

    condition: Value
    value: Value
    fault: str
    span: Span


Value: TypeAlias = K | R | Cell | Row | Op | And | Or | Not | Choice | With | Fold | Checked

# ------------------------------------------------------------------ straight code


@record
class Set:
    """Store; outside low..high (where given) a fault `range` at the span."""

    cell: Cell
    value: Value
    low: int | None
    high: int | None
    span: Span


@record
class Reg:
    register: int
    value: Value


@record
class Check:
    """A fault of the kind at the span unless the condition holds."""

    condition: Value
    fault: str
    span: Span


@record
class Cond:
    condition: Value
    then: tuple[Code, ...]
    otherwise: tuple[Code, ...]


@record
class Loop:
    """For register x in low..<high (both evaluated once)."""

    register: int
    low: Value
    high: Value
    body: tuple[Code, ...]


@record
class While:
    """While the condition holds, at most `bound` times; `strict`: a fault `bound` after that."""

    condition: Value
    bound: Value
    strict: bool
    body: tuple[Code, ...]
    span: Span


@record
class Clear:
    """The cells base..<base+count, each index times its stride added, become 0."""

    cell: Cell
    count: int


@record
class Note:
    """What logs, explanations and texts are made of; no meaning for the record.

    kind and subject, with the values:
    `rule`    Rule                       ()
    `set`     Scalar                     (key or -1, old, new)
    `move`    (Kind, origin, target)     (member, count, origin's key or -1, target's key or -1)
    `noted`   Zone                       (the value of each of its notes, for the next `move`)
    `seen`    Span of the condition      (value)
    `show`    Type or Zone               (to or -1, value or key or -1)
    `look`    Zone (a deck)              (to or -1, count)
    `shuffle` Zone                       (key or -1)
    `begin`   name of what begins        (arguments)
    `end`     name of what ends          (arguments)
    `round`   Local of a loop            (value): it goes round once more
    `leave`   Local of a loop            (): it is over
    `region`  number                     (1 opens, 0 closes)
    """

    kind: str
    subject: object
    values: tuple[Value, ...]
    span: Span


Code: TypeAlias = Set | Reg | Check | Cond | Loop | While | Clear | Note

# ------------------------------------------------------------------ ends of blocks


@record
class Jump:
    block: int


@record
class Branch:
    condition: Value
    then: int
    otherwise: int


@record
class Switch:
    """To the block of the value; any other value is our fault."""

    value: Value
    blocks: tuple[tuple[int, int], ...]


@record
class Halt:
    """The game rests at a stop."""

    stop: int


End: TypeAlias = Jump | Branch | Switch | Halt


@record
class Block:
    """`registers` are set before it begins (arguments of a move, the outcome of a draw)."""

    number: int
    name: str
    code: tuple[Code, ...]
    end: End
    registers: tuple[int, ...] = ()


# ------------------------------------------------------------------ stops


@record
class Reason:
    """A condition of legality with the place, sources and words to say when it fails."""

    condition: Value
    span: Span
    cites: tuple[Cite, ...]


@record
class Parameter:
    """A register in low..high (both included), if all checks hold; later ones use earlier ones."""

    register: int
    low: Value
    high: Value
    checks: tuple[Reason, ...]


@record
class Argument:
    """An argument of a move: one register, or one per member (a choice of components)."""

    name: str
    type: Type
    registers: tuple[int, ...]
    fixed: bool


@record
class Option:
    """`family` is the index into Machine.families; `block` carries it out."""

    name: str
    family: int
    guards: tuple[Reason, ...]
    parameters: tuple[Parameter, ...]
    arguments: tuple[Argument, ...]
    block: int
    span: Span
    cites: tuple[Cite, ...]


@record
class Ahead:
    """Only moves with which a longest sequence begins are legal, of at most `left` rounds.

    A move with its block is a round. The sequence goes on if the machine comes to the same stop
    again; it is over if it comes to the block `otherwise` of the stop, or to a fault.
    """

    left: Value
    span: Span
    cites: tuple[Cite, ...]


@record
class Choose:
    """The actor chooses one of the options (in order of their families).

    `otherwise` is the block for an actor without an option (None: a fault `no-option`);
    `where` names the choice: the procedure or phase it stands in. `known` are the names of the
    rules that still have their values here, with these: what bots may ask about.
    """

    number: int
    actor: Value
    options: tuple[Option, ...]
    otherwise: int | None
    region: int | None
    secretly: bool
    where: str
    span: Span
    ahead: Ahead | None = None
    known: tuple[tuple[Local | Counter, Value], ...] = field(default=(), repr=False)


@record
class Draw:
    """Chance: outcome i of register 0..<count with the weight, then the block.

    `subject` is the Zone drawn from, with the target zone, or the Scalar rolled; `keys` tell
    whose they are (-1: shared). Outcome i of a zone is member i of the zone, of a scalar low + i.
    In a region a seat draws for itself.
    """

    number: int
    register: int
    count: int
    weight: Value
    block: int
    subject: Zone | Scalar
    target: Zone | None
    keys: tuple[Value, ...]
    span: Span
    region: int | None = None


@record
class Region:
    """Everybody who has a program point of at least WAITING may act."""

    number: int
    region: int


@record
class Over:
    number: int


@record
class Pause:
    """Between two runs of an example; the driver goes on with the block."""

    number: int
    block: int


Stop: TypeAlias = Choose | Draw | Region | Over | Pause

# ------------------------------------------------------------------ the whole


@record
class Family:
    """Moves of one option name and argument types; `base` is the number of the first.

    `domains` are, per argument, the values it can take: low..high, or for a choice of
    components (members, most).
    """

    name: str
    domains: tuple[tuple[str, int, int], ...]
    base: int
    size: int


@record
class Rule:
    """A named piece of the rules: a procedure, phase, option, trigger, branch."""

    name: str
    span: Span
    cites: tuple[Cite, ...]


Piece: TypeAlias = Scalar | Zone | PlaceNote | Kind
"""What has cells in every state; a Kind, where its components tell their places."""


@record
class Slot:
    """Cells of the record: `copies` times `width` cells from `base`; `what` they belong to, None
    for locals, which may share them. Of those that are `own` each seat in a region has a copy."""

    name: str
    base: int
    width: int
    copies: int
    what: Piece | None
    shown: bool = False
    own: bool = False


@define
class Layout:
    """Where each thing is in the record."""

    seats: int
    cells: int = 0
    slots: list[Slot] = Factory(list)
    state: dict[int, Slot] = Factory(dict)
    """By id() of the Piece."""
    shown: dict[int, Slot] = Factory(dict)
    """The copies that others see while a region is open, by the same."""
    numbers: dict[int, int] = Factory(dict)
    """The number of the first place of a Zone laid out by place, by id() of it."""

    def slot(self, what: Piece) -> Slot:
        return self.state[id(what)]

    def is_by_place(self, zone: Zone) -> bool:
        """Whether its components tell where they lie."""
        return id(zone) in self.numbers


@record
class Machine:
    """A state machine for one rule file, seat count and choice of options.

    `start` is the record before the first block; `entry` the first block. Bags hold one cell
    per member; a pile a length and its places bottom to top (member, counted over all kinds of
    the zone); a deck a length, its places (member or UNKNOWN), and a count per member of the
    pool of the unknown ones; a slot one cell: 0 empty, member + 1.

    Where components are laid out by place, each has a cell with the number of its place (0:
    nowhere), and nothing is counted: a bag is its size, a deck its length and places. The copies
    of a zone have numbers one after the other; each of a deck two: there unknown, there known.
    """

    model: Model
    seats: int
    seat_names: tuple[str, ...]
    options: dict[str, int]
    layout: Layout
    start: tuple[int, ...]
    entry: int
    blocks: tuple[Block, ...]
    stops: tuple[Stop, ...]
    families: tuple[Family, ...]
    rules: tuple[Rule, ...]
    registers: int
    phases: tuple[str, ...]
    """Names by the value of the cell PHASE."""
    scores: dict[str, Value] = Factory(dict)
    """Values of the result by name, the player in register 0: `out`, `highest 1`.., `score NAME`,
    `payoff`."""
    invariants: tuple[tuple[str, Value, Span], ...] = ()
    measures: dict[str, Value] = Factory(dict)
    """Values asked for when a game is over, by name; of whom one is asked is in register 0."""
