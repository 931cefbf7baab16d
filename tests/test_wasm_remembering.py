"""Moves that WebAssembly lists once: the same games, whatever is kept and however it is found."""

from __future__ import annotations

from struct import unpack

import pytest

from rulesdsl.compile import compile_rules
from rulesdsl.engines.chance import mix
from rulesdsl.engines.wasm import remembering
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.engines.wasm.host import Instance, signed
from rulesdsl.engines.wasm.memory import MOVES_KEPT, SLOT, SLOTS
from rulesdsl.machine.program import Choose, Machine
from rulesdsl.play.game import Game
from rulesdsl.resources import bundled_games
from rulesdsl.text.files import read_source
from rulesdsl.text.source import Source
from tests.by_states import play_by_states, same_games

HEAD = """\
rules: 1
game: numbers
title: Numbers
players: [white, black]
about: Each names numbers.
state:
  shared:
    so_far: {range}, starts at 1
flow:
"""
SMALL = """\
  - for p in turns:
      - p chooses:
          pass: nothing
          name(a in 0..so_far, b in a..9):
            where: a + b > 1 and a != b
            do: so_far = if so_far + a + b > 38 then a else so_far + a + b
      - if so_far > 37: p wins
"""
LOOP = """\
  - for x in 0..257:
      - for p in players:
          - p chooses:
              pass: nothing
              name(a in 0..5, b in 0..1):
                where: 50 * a + b < x + so_far
                do: so_far = b
  - white wins
"""
BESIDE = """\
  - for p in turns:
      - p chooses:
          more(x in 1..30):
            where: x != 5 and x > so_far / 2 rounded down
            do: so_far = x
          name(a in 0..so_far, b in a..9):
            where: a + b > 1 and a != b
            do: so_far = if so_far + a + b > 38 then a else so_far + a + b
          less(x in 0..30):
            where: x != so_far and x != 7
            do: so_far = x
      - if so_far > 37: p wins
"""
TWICE = """\
  - for p in turns:
      - p chooses:
          wait: so_far = if so_far == 3 then 0 else so_far + 1
          one(a in 0..240, b in 0..{most}):
            where:
              - so_far != 1
              - a * b == so_far
            do: so_far = 1
          two(a in 0..240, b in 0..{most}):
            where:
              - so_far != 0
              - a * b == so_far + 1
            do: so_far = 2
      - if so_far == 3: p wins
"""


def compiled(body: str, bounds: str = "0..40") -> Machine:
    return compile_rules(Source("numbers.yaml", HEAD.format(range=bounds) + body), 2)


def same_as_states(machine: Machine, games: int) -> set[str | None]:
    """The kinds of the faults in whole games, which are the same as in states."""
    engine = WasmEngine.of(machine)
    assert "call $list_" in engine.text
    mine = engine.play_many([None, None], 5, range(games))
    same_games(mine, play_by_states(Game(machine), [None, None], 5, range(games)))
    return {None if fault is None else fault.kind for fault in mine.faults}


def test_games_with_moves_that_are_kept() -> None:
    assert same_as_states(compiled(SMALL), 6) == {None}


def test_moves_that_are_kept_beside_others_that_are_listed_each_time() -> None:
    assert same_as_states(compiled(BESIDE), 6) == {None}


def kept(machine: Machine) -> list[tuple[int, int, int, int, bytes]]:
    """After some games, of each slot: the cells, how many moves, the steps, where they end beyond
    the beginning of all that are kept, and the moves of two parameters each."""
    engine = WasmEngine.of(machine)
    plan, instance = engine._written.plan, Instance(engine._compiled, engine._written.heap)
    room = instance.room(20 * (plan.head + plan.record))
    instance.call("play", signed(mix(5)), 0, 1, 20, 0, 0, room)
    octets = bytes(instance.view(plan.slots, (SLOTS + MOVES_KEPT) // 4).cast("B"))
    found = []
    for at in range(0, SLOTS, SLOT):
        key, count, cost, where = unpack("<Qiii", octets[at : at + 20])
        if key:
            cells, begin = key & (1 << remembering.KEY_BITS) - 1, where - plan.slots
            moves = octets[begin : begin + 2 * count]
            found.append((cells, count, cost, where + 2 * count - plan.kept, moves))
    return found


def test_what_is_kept() -> None:
    """For each number that came up, the moves that are legal then, in their order."""
    found = kept(compiled(SMALL))
    assert len(found) > 20
    for so_far, count, cost, _, moves in found:
        pairs = [(a, b) for a in range(so_far + 1) for b in range(a, 10)]
        legal = [(a, b) for a, b in pairs if a + b > 1 and a != b]
        assert list(zip(moves[::2], moves[1::2], strict=True)) == legal
        assert count == len(legal)
        assert cost == so_far + 1 + sum(max(10 - a, 1) for a in range(so_far + 1))


def test_fewer_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "SLOT_BITS", 1)
    assert same_as_states(compiled(SMALL), 6) == {None}
    assert len(kept(compiled(SMALL))) == 2


def test_less_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists make room for others; one that finds none is not kept."""
    monkeypatch.setattr(remembering, "MOVES_KEPT", 150)
    assert same_as_states(compiled(SMALL), 6) == {None}
    ends = [end for _, _, _, end, _ in kept(compiled(SMALL))]
    assert 0 < max(ends) <= 150


def test_cells_that_do_not_fit_into_a_key() -> None:
    """256 would lie there where the next cell does, as if this were greater by one."""
    assert same_as_states(compiled(LOOP), 3) == {None}


def test_steps_of_moves_that_are_kept_are_taken_all_the_same() -> None:
    assert same_as_states(compiled(TWICE.format(most=150)), 3) == {None}
    assert same_as_states(compiled(TWICE.format(most=220)), 3) == {"limit"}


def test_which_moves_are_kept() -> None:
    """Those in loops in loops that hang on few small numbers which are there in any case."""
    machine = compile_rules(read_source(bundled_games()["ostia"]), 4)
    text = WasmEngine.of(machine).text
    listed = [line.split()[1] for line in text.splitlines() if line.startswith("(func $list_")]
    names = {
        f"$list_{stop.number}_{i}": option.name
        for stop in machine.stops
        if isinstance(stop, Choose)
        for i, option in enumerate(stop.options)
    }
    assert [names[one] for one in listed] == ["offer", "lay", "keep", "keep"]


@pytest.mark.parametrize(
    ("body", "bounds"),
    [
        (SMALL, "0..64"),
        (SMALL.replace("b in a..9", "b in a..256"), "0..40"),
        (SMALL.replace(", b in a..9", "").replace(" + b", "").replace("a != b", "a > 0"), "0..40"),
    ],
)
def test_moves_that_are_listed_each_time(body: str, bounds: str) -> None:
    """Great numbers seldom come again; moves have a byte for each; one loop takes no longer."""
    assert "$list_" not in WasmEngine.of(compiled(body, bounds)).text
