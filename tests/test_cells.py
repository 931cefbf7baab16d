"""Narrow cells of records in memory: what lies in them fits, and games are the same."""

from __future__ import annotations

import pytest

from rulesdsl.check.model import Kind, Shape, Zone
from rulesdsl.compile import compile_rules
from rulesdsl.engines.reference import Engine
from rulesdsl.engines.wasm import cells
from rulesdsl.engines.wasm.cells import NARROW, WIDE, Cells
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.layout import numbers_in
from rulesdsl.machine.program import Layout, Machine, Slot
from rulesdsl.machine.settings import settle_options
from rulesdsl.resources import find_game
from rulesdsl.text.files import read_source
from rulesdsl.text.source import NOWHERE
from tests.by_states import same_games
from tests.engines import InStates, SideBySide
from tests.random_rules import random_model


def bundled(name: str, players: int) -> Machine:
    return compile_rules(read_source(find_game(name)), players)


def pile_of(members: int) -> Zone:
    """A pile of at most three of so many members."""
    kind = Kind("Ware", tuple(f"m{i}" for i in range(members)), NOWHERE)
    return Zone("pile", "shared", Shape.PILE, (kind,), NOWHERE, capacity=3)


def layout_of(*widths_of: tuple[int, Zone | None]) -> Layout:
    layout = Layout(2, cells=6)
    for width, what in widths_of:
        layout.slots.append(Slot("piece", layout.cells, width, 1, what))
        layout.cells += width
    return layout


# ------------------------------------------------------------------ where cells lie


def test_piles_lie_behind_all_else_in_two_bytes_a_cell() -> None:
    found = Cells.of(layout_of((4, pile_of(9)), (3, None), (4, pile_of(9))))
    assert found.widths == (*[WIDE] * 6, *[NARROW] * 4, *[WIDE] * 3, *[NARROW] * 4)
    assert found.addresses == (*range(0, 24, 4), 36, 38, 40, 42, 24, 28, 32, 44, 46, 48, 50)
    assert found.size == 52


def test_a_member_that_does_not_fit_has_a_wide_cell() -> None:
    assert Cells.of(layout_of((4, pile_of(32_767)))).widths[6:] == (NARROW,) * 4
    assert Cells.of(layout_of((4, pile_of(32_768)))).widths[6:] == (WIDE,) * 4


def test_what_does_not_fit_is_never_cut_off() -> None:
    found = Cells.of(layout_of((4, pile_of(9)), (1, None)))
    record = [0, 1, 2, 3, 4, 5, 3, 32_767, -1, -32_768, 2**31 - 1]
    octets = found.packed(record)
    assert len(octets) == found.size
    for cell, number in enumerate(record):
        at, width = found.addresses[cell], found.widths[cell]
        assert int.from_bytes(octets[at : at + width], "little", signed=True) == number
    record[7] = 32_768
    with pytest.raises(OverflowError):
        found.packed(record)


@pytest.mark.parametrize(("name", "most"), [("ostia", 2_048), ("oltremare", 4_096)])
def test_states_are_small(name: str, most: int) -> None:
    plan = WasmEngine.of(bundled(name, 4)).describe()
    assert plan["record"] <= most  # type: ignore[operator]


# ------------------------------------------------------------------ what lies in them


class Within(InStates):
    """A game whose piles never hold a number that they are not known to hold."""

    seen = 0

    def numbers(self) -> tuple[int, ...]:
        record = super().numbers()
        for slot in self.machine.layout.slots:
            inside = numbers_in(slot.what)
            if inside is not None:
                found = record[slot.base : slot.base + slot.width * slot.copies]
                assert all(number in inside for number in found), slot.name
                self.seen += any(found)
        return record


def _stays_within(machine: Machine, seed: int, most: int) -> int:
    within = Within(machine, Engine(machine))
    SideBySide([within], seed).play(most)
    return within.seen


def test_piles_of_random_files_hold_what_they_are_known_to_hold() -> None:
    seen = 0
    for seed in range(60, 90):
        model = random_model(seed)
        if model is not None:
            seen += _stays_within(make_machine(model, *settle_options(model, None, {})), seed, 40)
    assert seen > 100


@pytest.mark.parametrize(("name", "players"), [("oltremare", 4), ("portus", 3), ("patronus", 2)])
def test_piles_of_board_games_hold_what_they_are_known_to_hold(name: str, players: int) -> None:
    assert _stays_within(bundled(name, players), 2, 250) > 100


# ------------------------------------------------------------------ games


def test_games_are_the_same_with_wide_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, numbers = bundled("oltremare", 3), range(3)
    narrow = WasmEngine.of(machine)
    found = narrow.play_many([None] * 3, 5, numbers)
    state = found.records[0]
    monkeypatch.setattr(cells, "_SMALL", range(0))
    wide = WasmEngine.of(machine)
    assert narrow.text != wide.text
    same_games(found, wide.play_many([None] * 3, 5, numbers))
    assert narrow.play_on(state, [None] * 3, 5, range(1)).records[0] == state


def test_a_batch_shows_the_cells_of_a_piece_of_state() -> None:
    machine = bundled("oltremare", 4)
    batch = WasmEngine.of(machine).batch(3, range(4))
    for _ in range(40):
        batch.step()
    assert batch.cells("cargo").dtype.itemsize == NARROW
    assert batch.cells("ducats").dtype.itemsize == WIDE
    records = batch.records
    for slot in machine.layout.slots:
        if slot.what is not None:
            here = records[:, slot.base : slot.base + slot.width * slot.copies]
            assert batch.cells(slot.name).tolist() == here.tolist()
    assert batch.cells("cargo").any()
    batch.cells("cargo")[2, 1] = 77
    slot = next(slot for slot in machine.layout.slots if slot.name == "cargo")
    assert batch.records[2, slot.base + 1] == 77
