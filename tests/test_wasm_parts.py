"""Pieces of the WebAssembly engine by themselves: instructions, streams, batches, what is kept."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from wasmtime import Engine as Runtime
from wasmtime import Instance as Running
from wasmtime import Module, Store, wat2wasm

from rulesdsl.compile import compile_rules
from rulesdsl.engines.chance import Stream, mix
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished
from rulesdsl.engines.reference import Engine
from rulesdsl.engines.wasm.batch import Batch
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.engines.wasm.host import MODULES, MissingExtra, compile_text, signed
from rulesdsl.engines.wasm.streams import STREAMS
from rulesdsl.machine.program import Machine
from rulesdsl.machine.traverse import parts
from rulesdsl.play.game import Game
from rulesdsl.resources import bundled_games
from rulesdsl.text.files import read_source
from rulesdsl.text.limits import STEPS_PER_MOVE
from tests.by_states import play_by_states, same_games
from tests.machines import loops, nim
from tests.wasm_code import CELLS, CODE, DIVISIONS, FOLDS, OPS, VALUES, code_machine
from tests.wasm_steps import Host


def bundled(name: str, players: int) -> Machine:
    return compile_rules(read_source(bundled_games()[name]), players)


# ------------------------------------------------------------------ instructions


def _same_code(seed: int, found: Counter[str]) -> None:
    """Random code does the same to some records in both engines, or faults alike."""
    machine = code_machine(Random(seed))
    host, reference, random = Host(WasmEngine.of(machine)), Engine(machine), Random(seed)
    host.call("start")
    for _ in range(4):
        record = [*host.numbers()[:-CELLS], *_numbers(random)]
        host.put(record)
        mine = theirs = None
        try:
            record, _ = reference.after(record, 1)
        except RuleFault as fault:
            theirs = fault.kind, fault.span, fault.detail
        try:
            host.call("resume")
        except RuleFault as fault:
            mine = fault.kind, fault.span, fault.detail
        assert mine == theirs, f"seed {seed}"
        assert list(host.numbers()) == record, f"seed {seed}"
        found[theirs[0] if theirs else ""] += 1
        host.call("start")


def _numbers(random: Random) -> list[int]:
    return [random.choice([-7, -1, 0, 1, 2, 3, 9, 40]) for _ in range(CELLS)]


def _ways(seeds: range) -> set[object]:
    """The classes of what random code is made of, and the names of its operations."""
    found: set[object] = set()
    for seed in seeds:
        for node in parts(tuple((b.code, b.end) for b in code_machine(Random(seed)).blocks)):
            found.add(type(node))
            found.add(getattr(node, "op", None))
    return found


def test_all_code_does_what_it_does_in_the_reference() -> None:
    seeds, found = range(60), Counter[str]()
    for seed in seeds:
        _same_code(seed, found)
    assert {"", "range", "row", "empty", "missing", "bound"} <= set(found)
    assert {*VALUES, *CODE, *OPS, *DIVISIONS, *FOLDS, "mul"} <= _ways(seeds)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_much_code_does_what_it_does_in_the_reference(part: int) -> None:
    for seed in range(1_000 + 200 * part, 1_200 + 200 * part):
        _same_code(seed, Counter())


@pytest.mark.parametrize("rounds", [99_996, 99_997, 99_998, 99_999, 100_000])
def test_steps_are_counted_as_in_the_reference(rounds: int) -> None:
    machine = loops(rounds)
    game = Game(machine)
    mine = WasmEngine.of(machine).play_many([None, None], 0, range(1))
    same_games(mine, play_by_states(game, [None, None], 0, range(1)))
    (fault,) = mine.faults
    assert (fault is None) == (rounds <= STEPS_PER_MOVE - 2)


# ------------------------------------------------------------------ streams


def test_streams_give_the_same_numbers() -> None:
    exports = '(export "below" (func $below)) (export "seed" (func $seed))'
    module = f'(module (memory (export "memory") 1) {exports} {STREAMS})'
    runtime = Runtime()
    store = Store(runtime)
    made = Running(store, Module(runtime, bytes(wat2wasm(module))), []).exports(store)
    below, seed, memory = made["below"], made["seed"], made["memory"]
    random = Random(1)
    for game in (0, 1, 77, 2**40):
        key = random.randrange(-(2**63), 2**63)
        seed(store, 64, signed(mix(key)), game, 5)  # type: ignore[operator]
        for purpose in range(5):
            stream = Stream.of(key, purpose, game)
            for _ in range(50):
                n = random.choice(
                    [1, 2, 6, 1_000, 2**31 - 1, 2**32 - 1, random.randrange(1, 2**32)]
                )
                mine = below(store, 64 + 8 * purpose, signed32(n))  # type: ignore[operator]
                assert mine % 2**32 == stream.below(n)
    # numbers that would not be fair are drawn again: the first one here is 0
    stream = Stream(-0x9E3779B97F4A7C15 % 2**64)
    memory.write(store, stream.key.to_bytes(8, "little"), 0)  # type: ignore[union-attr]
    assert below(store, 0, 1_000) == stream.below(1_000)  # type: ignore[operator]
    assert stream.position == 2


def signed32(number: int) -> int:
    return number - 2**32 if number >= 2**31 else number


# ------------------------------------------------------------------ batches


def test_a_batch_plays_the_games_that_are_played_one_by_one() -> None:
    engine = WasmEngine.of(bundled("ostia", 4))
    batch = engine.batch(9, range(5, 25))
    whole = engine.play_many([None] * 4, 9, range(5, 25))
    moves = 0
    while stepped := batch.step():
        moves += stepped
        assert (batch.players[batch.totals > 0] >= 0).all()
    assert batch.records.tolist() == list(whole.records)
    assert moves == whole.taken.total()
    assert not batch.totals.any()
    assert all(batch.fault(game) is None for game in range(20))


def test_moves_in_a_batch_are_picked_by_their_numbers() -> None:
    engine = WasmEngine.of(nim(heap=7))
    batch = engine.batch(0, range(3))
    heap = engine.machine.layout.slots[0].base
    assert batch.totals.tolist() == [3, 3, 3]
    batch.step(np.array([0, 1, 2], dtype=np.int32))
    assert batch.records[:, heap].tolist() == [6, 5, 4]
    batch.cells("heap")[0] = 1
    batch.step(np.array([0, 2, 0], dtype=np.int32))
    assert batch.records[:, heap].tolist() == [0, 2, 3]
    assert batch.players.tolist() == [-1, 0, 0]
    with pytest.raises(ValueError, match="below the total"):
        batch.step(np.array([0, 2, 0], dtype=np.int32))
    with pytest.raises(ValueError, match="read-only"):
        batch.records[0, heap] = 1
    with pytest.raises(ValueError, match="there is no piece of state heaps"):
        batch.cells("heaps")


def test_a_fault_in_a_batch_leaves_the_record_as_it_was() -> None:
    engine = WasmEngine.of(nim(heap=7))
    batch = engine.batch(0, range(2))
    batch.cells("heap")[0] = 200
    before = batch.records.tolist()
    batch.step(np.array([0, -1], dtype=np.int32))
    fault = batch.fault(0)
    assert fault is not None
    assert (fault.kind, fault.detail) == ("range", "it would become 199, outside 0..100")
    assert batch.records[0].tolist() == before[0]
    assert batch.fault(1) is None
    assert batch.records[1].tolist() != before[1]


# ------------------------------------------------------------------ hosts


def test_what_hosts_have_to_know_is_told() -> None:
    about = json.loads(json.dumps(WasmEngine.of(nim()).describe()))
    assert about["stops"][0]["options"][0] == {
        "name": "take",
        "parameters": 1,
        "arguments": {"n": [0]},
    }
    assert {"range", "limit"} <= {fault["kind"] for fault in about["faults"]}
    assert [cell["name"] for cell in about["cells"]][:2] == ["heap", "turn"]


def test_a_view_does_not_hold_what_a_seat_does_not_see() -> None:
    engine = WasmEngine.of(bundled("kuhn-poker", 2))
    views: dict[int, set[tuple[int, ...]]] = {}
    records = set()
    for first, second in permutations(range(3), 2):
        host = Host(engine)
        host.call("start")
        host.call("draw", first)
        host.call("draw", second)
        records.add(host.numbers())
        host.call("view", 0, host.room)
        numbers = host.instance.view(host.room, host.about["view"]["numbers"])
        views.setdefault(first, set()).add(tuple(numbers))
    assert len(records) == 6
    assert [len(seen) for seen in views.values()] == [1, 1, 1]
    assert len(set.union(*views.values())) == 3


def test_the_page_is_true() -> None:
    page = (Path(__file__).parent.parent / "docs" / "engines-wasm.md").read_text("utf-8")
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(re.sub(r"range\([0-9_]+\)", "range(20)", block), names)
    finished, batch = names["finished"], names["batch"]
    assert isinstance(finished, Finished)
    assert isinstance(batch, Batch)
    assert len(finished) == len(batch.records) == 20
    told = set(re.findall(r"`(\w+)\([\w, ]*\)`", page.split("## For other hosts")[1]))
    exported = set(re.findall(r'\(export "(\w+)"', WasmEngine.of(nim()).text))
    assert told == exported - {"memory", "detail", "total", "player"}


def test_without_wasmtime_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rulesdsl\[fast\]'"):
        WasmEngine.of(nim())


def test_without_numpy_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    engine = WasmEngine.of(nim())
    with pytest.raises(MissingExtra, match=r"pip install 'rulesdsl\[fast\]'"):
        engine.batch(0, range(1))
    assert len(engine.play_many([None, None], 0, range(3))) == 3


# ------------------------------------------------------------------ what is kept

TEXT = '(module (func (export "f") (result i32) i32.const 7))'


def test_compiled_modules_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESDSL_CACHE", str(tmp_path))
    compile_text(TEXT)
    content = MODULES.read(TEXT)
    assert content is not None
    compile_text(TEXT)
    assert MODULES.read(TEXT) == content
    assert MODULES.read(TEXT + " ") is None


def test_what_is_whole_but_no_module_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESDSL_CACHE", str(tmp_path))
    MODULES.write(TEXT, b"no module")
    compile_text(TEXT)
    assert MODULES.read(TEXT) not in (None, b"no module")
