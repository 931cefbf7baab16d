"""What lies where in the memory of a module, and what its functions return."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from rulesdsl.engines.wasm.cells import WIDE, Cells
from rulesdsl.machine.policy import Policy
from rulesdsl.machine.program import Choose, Draw, Machine
from rulesdsl.text.limits import STEPS_AHEAD, STEPS_PER_MOVE

UNTIL, ASK, QUIT, DONE, NOBODY = -1, -2, -3, -4, -5
"""What runs return besides stops and faults: it came to the block where it was to end; somebody
has to decide, or chance; the move before which it was to end is chosen; the game is over; what
was called for is not next."""

STEP, SETTLE, PLAY = 0, 1, 2
"""How far a run goes by itself: to choices and chance; to choices; to the end of the game."""

BUNDLE_HEAD = 3
"""Cells of a bundle before its first parameters: option, low, high."""
ROW_HEAD = 3
"""Cells of a finished game before what is kept by seat: code, detail, runs."""

INFO = 4
"""Cells that tell of a record in a batch: the stop (or fault), who is asked (or -1), how many
moves he has, the detail of a fault."""

PAGE = 65_536
MEMO_SLOTS = 1 << 15
"""More than twice the choices that one look ahead may come to."""
MEMO_SLOT = 32
LEVELS = 128
"""Records that lie on each other while one looks ahead."""
SLOT_BITS, SLOT = 12, 32
SLOTS = SLOT << SLOT_BITS
"""Bytes for moves that are kept: of a slot, and of all slots; and of the moves themselves."""
MOVES_KEPT = 1 << 20
_BEGIN = 1_024


@frozen
class Plan:
    """Addresses and sizes in bytes; of a kind of numbers they are those of the first."""

    cells: Cells
    record: int
    """Bytes of a record, with what is added so that the next begins at a multiple of 16."""
    row: int
    """Bytes of a finished game: what stands before its cells, these as numbers of 32 bits, and
    what is added so that the next begins at a multiple of 16."""
    bundle: int
    stops: int
    options: int
    """Of all stops together."""
    seats: int
    head: int
    """Bytes of a finished game before its cells."""
    fired: int
    asked: int
    guessed: int
    taken: int
    counters: int
    """Bytes of everything that is counted, from `fired` on."""
    saved: int
    noted: int
    bots: int
    policies: int
    cast: int
    streams: int
    by_seat: int
    """Decisions, then guesses, of the game that is played."""
    start: int
    numbers: int
    """The cells of a record as numbers of 32 bits."""
    before: int
    weights: int
    listed: int
    preferred: int
    slots: int
    kept: int
    memo: int
    stack: int
    stack_end: int
    tables: int


def plan(machine: Machine, policies: tuple[Policy, ...]) -> Plan:
    """Where everything lies for a machine with the policies that play it."""
    seats, stops = machine.seats, len(machine.stops)
    chooses = [stop for stop in machine.stops if isinstance(stop, Choose)]
    options = [option for stop in chooses for option in stop.options]
    cells = Cells.of(machine.layout)
    record, numbers = _round(cells.size), WIDE * machine.layout.cells
    before = max((len(option.parameters) - 1 for option in options), default=0)
    bundle = 4 * (BUNDLE_HEAD + max(before, 0))
    most = max((len(stop.options) for stop in chooses), default=0)
    listed = bundle * (STEPS_PER_MOVE + most + 1)
    family = max((machine.families[option.family].size for option in options), default=0)
    weights = 4 * max((stop.count for stop in machine.stops if isinstance(stop, Draw)), default=0)
    ahead = any(stop.ahead is not None for stop in chooses)
    asked, taken = 4 * seats * stops, 4 * seats * len(options)
    counters = 4 * len(machine.rules) + 2 * asked + taken
    sizes = {
        "fired": 4 * len(machine.rules),
        "asked": asked,
        "guessed": asked,
        "taken": taken,
        "saved": counters,
        "noted": 4 * len(machine.rules),
        "bots": 4 * seats,
        "policies": 4 * seats,
        "cast": 4 * seats,
        "streams": 8 * (seats + 1),
        "by_seat": 8 * seats,
        "numbers": numbers,
        "before": record,
        "weights": weights,
        "listed": listed,
        "preferred": bundle * (family + most + 1) if policies else 0,
        "slots": SLOTS,
        "kept": MOVES_KEPT,
        "memo": MEMO_SLOTS * MEMO_SLOT if ahead else 0,
        "stack": _stack(record, bundle, most) if ahead else 0,
        # beside the tables, so that all that memory begins with lies together
        "start": record,
    }
    places, end = _places(sizes)
    head = _round(4 * (ROW_HEAD + 2 * seats))
    return Plan(
        cells=cells,
        record=record,
        row=_round(head + numbers),
        bundle=bundle,
        stops=stops,
        options=len(options),
        seats=seats,
        head=head,
        counters=counters,
        stack_end=places["start"],
        tables=end,
        **places,
    )


def _places(sizes: Mapping[str, int]) -> tuple[dict[str, int], int]:
    """Addresses one behind the other, and the one behind all."""
    places: dict[str, int] = {}
    place = _BEGIN
    for name, size in sizes.items():
        # what is counted lies side by side
        together = name in ("asked", "guessed", "taken")
        place = place if together else _round(place)
        places[name] = place
        place += size
    return places, _round(place)


def _stack(record: int, bundle: int, most: int) -> int:
    """Bytes for records and bundles on top of each other: every bundle but the first of an
    option is a step."""
    return bundle * (STEPS_AHEAD + STEPS_PER_MOVE) + LEVELS * (record + bundle * (most + 1))


def _round(size: int) -> int:
    """Up to a multiple of 16."""
    return (size + 15) // 16 * 16
