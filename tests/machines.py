"""Small machines built by hand, for tests of engine and play alone."""

from __future__ import annotations

from rulesdsl.check.datatypes import BoolType, IntType, PlayerType, SubbagType
from rulesdsl.check.model import Body, Kind, Model, Scalar, Shape, Sight, Zone
from rulesdsl.check.owners import section_of
from rulesdsl.machine.layout import add_shown, lay_out
from rulesdsl.machine.program import (
    ME,
    POINTS,
    WAITING,
    WINNER,
    Argument,
    Block,
    Branch,
    Cell,
    Choose,
    Code,
    Draw,
    End,
    Family,
    Fold,
    Halt,
    Jump,
    K,
    Layout,
    Machine,
    Note,
    Op,
    Option,
    Over,
    Parameter,
    R,
    Reason,
    Region,
    Rule,
    Set,
    Stop,
    Value,
)
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.source import NOWHERE, Source, Span

TEXT = Source("hand.yaml", "take(n in 1..3) where n <= heap  pass  keep one  bluff  gift")


def place(words: str) -> Span:
    start = TEXT.text.index(words)
    return Span(TEXT, start, start + len(words))


def cite(section: str) -> tuple[Cite, ...]:
    return (Cite(NOWHERE, "book", section),)


def add(left: Value, right: Value) -> Value:
    return Op("add", left, right)


def sub(left: Value, right: Value) -> Value:
    return Op("sub", left, right)


def put(cell: Cell, value: Value, low: int | None = None, high: int | None = None) -> Set:
    return Set(cell, value, low, high, NOWHERE)


def block(number: int, name: str, code: list[Code], end: End, *registers: int) -> Block:
    return Block(number, name, tuple(code), end, tuple(registers))


def model_of(name: str, *state: Scalar | Zone) -> Model:
    model = Model(name, name.title(), "", NOWHERE, (2, 3), ("A", "B", "C"))
    model.flow = Body(NOWHERE, (), ())
    for what in state:
        per = section_of(what)
        if isinstance(what, Scalar):
            model.scalars[per, what.name] = what
        else:
            model.zones[per, what.name] = what
    return model


def machine_of(
    model: Model,
    seats: int,
    layout: Layout,
    start: list[int],
    blocks: list[Block],
    stops: list[Stop],
    families: list[Family],
    registers: int,
    rules: tuple[Rule, ...] = (),
    scores: dict[str, Value] | None = None,
    invariants: tuple[tuple[str, Value, Span], ...] = (),
) -> Machine:
    return Machine(
        model,
        seats,
        model.seat_names[:seats],
        {},
        layout,
        tuple(start),
        0,
        tuple(blocks),
        tuple(stops),
        tuple(families),
        rules,
        registers,
        ("", "play"),
        scores or {},
        invariants,
    )


def nim(heap: int = 7, seats: int = 2) -> Machine:
    """Take 1 to 3 from a heap; whoever takes the last wins. Passing is for nobody."""
    pile = Scalar("heap", "shared", IntType(0, 100), NOWHERE)
    turn = Scalar("turn", "shared", PlayerType(), NOWHERE)
    model = model_of("nim", pile, turn)
    layout = lay_out(model, seats)
    left, who = Cell(layout.slot(pile).base), Cell(layout.slot(turn).base)
    start = [0] * layout.cells
    start[left.base] = heap
    rule = Rule("take", place("take"), cite("2"))
    enough = Reason(Op("le", R(0), left), place("n <= heap"), cite("3"))
    take = Option(
        "take",
        0,
        (),
        (Parameter(0, K(1), K(3), (enough,)),),
        (Argument("n", IntType(1, 3), (0,), False),),
        1,
        place("take(n in 1..3)"),
        cite("2"),
    )
    never = Reason(K(0), place("keep one"), cite("4"))
    pass_ = Option("pass", 1, (never,), (), (), 2, place("pass"), cite("4"))
    taken: list[Code] = [
        Note("rule", rule, (), place("take")),
        Note("set", pile, (K(-1), left, sub(left, R(0))), place("take")),
        put(left, sub(left, R(0)), 0, 100),
    ]
    after: list[Code] = [
        put(who, Op("mod", add(who, K(1)), K(seats))),
    ]
    blocks = [
        block(0, "start", [], Halt(0)),
        block(1, "take", taken, Branch(Op("eq", left, K(0)), 3, 2), 0),
        block(2, "next", after, Halt(0)),
        block(3, "won", [put(Cell(WINNER), add(who, K(2)))], Halt(1)),
    ]
    stops: list[Stop] = [
        Choose(0, who, (take, pass_), None, None, False, "play", NOWHERE),
        Over(1),
    ]
    families = [
        Family("take", (("range", 1, 3),), 0, 3),
        Family("pass", (), 3, 1),
    ]
    positive = ("the heap is never below 0", Op("ge", left, K(0)), NOWHERE)
    return machine_of(
        model, seats, layout, start, blocks, stops, families, 1, (rule,), invariants=(positive,)
    )


SUIT = Kind("Suit", ("red", "green", "blue"), NOWHERE)


def high_card() -> Machine:
    """Each of two players is dealt a secret card; each may bluff (or not); the higher one wins."""
    deck = Zone("deck", "shared", Shape.BAG, (SUIT,), NOWHERE, Sight.NOBODY, capacity=3)
    hand = Zone("hand", "player", Shape.BAG, (SUIT,), NOWHERE, Sight.OWNER, True, capacity=3)
    said = Scalar("said", "player", BoolType(), NOWHERE)
    turn = Scalar("turn", "shared", PlayerType(), NOWHERE)
    model = model_of("high_card", said, turn, deck, hand)
    layout = lay_out(model, 2)
    who = Cell(layout.slot(turn).base)
    base, hands = layout.slot(deck).base, layout.slot(hand).base
    start = [0] * layout.cells
    start[base : base + 3] = [1, 1, 1]
    drawn: list[Code] = [
        Note("move", (SUIT, deck, hand), (R(0), K(1), K(-1), who), NOWHERE),
        put(Cell(base, ((R(0), 1),)), sub(Cell(base, ((R(0), 1),)), K(1))),
        put(Cell(hands, ((who, 3), (R(0), 1))), K(1)),
        put(who, sub(K(1), who)),
    ]
    mine = Cell(layout.slot(said).base, ((who, 1),))
    bluffed: list[Code] = [
        Note("set", said, (who, mine, R(1)), NOWHERE),
        put(mine, R(1)),
        put(who, sub(K(1), who)),
    ]
    option = Option(
        "bluff",
        0,
        (),
        (Parameter(1, K(0), K(1), ()),),
        (Argument("yes", BoolType(), (1,), False),),
        2,
        place("bluff"),
        (),
    )
    blocks = [
        block(0, "deal", [], Halt(0)),
        block(1, "dealt", drawn, Branch(Op("eq", who, K(1)), 0, 3), 0),
        block(2, "bluffed", bluffed, Branch(Op("eq", who, K(1)), 3, 4), 1),
        block(3, "ask", [], Halt(1)),
        block(4, "over", [], Halt(2)),
    ]
    weight = Cell(base, ((R(0), 1),))
    stops: list[Stop] = [
        Draw(0, 0, 3, weight, 1, deck, hand, (K(-1), who), NOWHERE),
        Choose(1, who, (option,), None, None, False, "play", NOWHERE),
        Over(2),
    ]
    families = [Family("bluff", (("range", 0, 1),), 0, 2)]
    best = Fold(
        "max", 2, K(0), K(3), Cell(hands, ((R(0), 3), (R(2), 1))), R(2), None, (), K(-1), NOWHERE
    )
    return machine_of(
        model, 2, layout, start, blocks, stops, families, 3, scores={"highest 1": best}
    )


def gifts() -> Machine:
    """Together, each gives any 1 or 2 of its components to the open pot; then it is over."""
    own = Zone("own", "player", Shape.BAG, (SUIT,), NOWHERE, Sight.OWNER, True, capacity=6)
    pot = Zone("pot", "player", Shape.BAG, (SUIT,), NOWHERE, capacity=6)
    model = model_of("gifts", own, pot)
    layout = lay_out(model, 2)
    owns, pots = layout.slot(own).base, layout.slot(pot).base
    shown_own, shown_pot = add_shown(layout, own).base, add_shown(layout, pot).base
    start = [0] * layout.cells
    start[owns : owns + 6] = [2, 1, 0, 0, 1, 1]
    me = Cell(ME)

    def of(where: int, member: int, seat: Value = me) -> Cell:
        return Cell(where + member, ((seat, 3),))

    parameters: list[Parameter] = []
    chosen: Value = K(0)
    for i in range(3):
        later: Value = K(0)
        for j in range(i + 1, 3):
            later = add(later, of(owns, j))
        low = Op("max", K(0), sub(sub(K(1), chosen), later))
        high = Op("min", of(owns, i), sub(K(2), chosen))
        parameters.append(Parameter(i, low, high, ()))
        chosen = add(chosen, R(i))
    gift = Option(
        "gift",
        0,
        (),
        tuple(parameters),
        (Argument("cards", SubbagType((SUIT,), 2), (0, 1, 2), False),),
        2,
        place("gift"),
        (),
    )
    given: list[Code] = []
    for i in range(3):
        keys = (K(i), R(i), me, me)
        given += [
            Note("move", (SUIT, own, pot), keys, NOWHERE),
            put(of(owns, i), sub(of(owns, i), R(i))),
            put(of(pots, i), add(of(pots, i), R(i))),
        ]
    given += [put(Cell(POINTS, ((me, 1),)), K(2)), put(me, K(0))]
    some = Fold(
        "any",
        3,
        K(0),
        K(2),
        None,
        Op("ge", Cell(POINTS, ((R(3), 1),)), K(WAITING)),
        None,
        (),
        K(0),
        NOWHERE,
    )
    opened: list[Code] = []
    for source, target in ((owns, shown_own), (pots, shown_pot)):
        opened += [put(Cell(target + i), Cell(source + i)) for i in range(6)]
    opened += [Note("region", 0, (K(1),), NOWHERE)]
    opened += [put(Cell(POINTS + seat), K(WAITING)) for seat in range(2)]
    closed: list[Code] = [put(Cell(POINTS + seat), K(0)) for seat in range(2)]
    closed += [put(Cell(shown + i), K(0)) for shown in (shown_own, shown_pot) for i in range(6)]
    closed += [Note("region", 0, (K(0),), NOWHERE)]
    blocks = [
        block(0, "start", opened, Jump(1)),
        block(1, "who waits", [], Branch(some, 3, 4)),
        block(2, "gift", given, Jump(1), 0, 1, 2),
        block(3, "wait", [], Halt(1)),
        block(4, "join", closed, Halt(2)),
    ]
    stops: list[Stop] = [
        Choose(0, me, (gift,), None, 0, False, "giving", NOWHERE),
        Region(1, 0),
        Over(2),
    ]
    families = [Family("gift", (("bag", 3, 2),), 5, 10)]
    return machine_of(model, 2, layout, start, blocks, stops, families, 4)


def loops(rounds: int) -> Machine:
    """Goes round and round before the first stop."""
    model = model_of("loops")
    layout = lay_out(model, 2)
    counter = Cell(POINTS)
    spin: list[Code] = [put(counter, add(counter, K(1)))]
    blocks = [
        block(0, "start", [put(counter, K(0))], Jump(1)),
        block(1, "spin", spin, Branch(Op("lt", counter, K(rounds)), 1, 2)),
        block(2, "over", [], Halt(0)),
    ]
    return machine_of(model, 2, layout, [0] * layout.cells, blocks, [Over(0)], [], 1)
