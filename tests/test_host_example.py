"""The host in JavaScript of examples/ beside one in Python, with the same moves."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
from wasmtime import wat2wasm

from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.engines.wasm.memory import NOBODY
from rulesdsl.machine.program import Draw
from rulesdsl.play.loading import load
from tests.wasm_steps import Host

EXAMPLE = Path(__file__).parent.parent / "examples" / "host.mjs"
STEPS = 300
SCRIPT = """
import { readFileSync } from "node:fs";
import { Game } from "./host.mjs";
const read = (name) => readFileSync(name);
const about = JSON.parse(read("game.json"));
const game = await Game.load(read("game.wasm"), about);
const picks = JSON.parse(read("picks.json"));
let kind = game.start();
const moves = [];
for (const pick of picks) {
  if (kind === "over") break;
  const weights = game.weights();
  if (weights) {
    const likely = weights.map((_, outcome) => outcome).filter((outcome) => weights[outcome] > 0);
    kind = game.draw(likely[pick % likely.length]);
  } else {
    const [seat] = game.toAct();
    const legal = game.moves(seat);
    const move = legal[pick % legal.length];
    moves.push([seat, move.option, ...move.given]);
    kind = game.apply(seat, move);
  }
}
const pieces = Object.fromEntries(about.cells.map(({ name }) => [name, [...game.cells(name)]]));
console.log(JSON.stringify({ moves, pieces, seen: game.view(0), others: game.view(1) }));
"""


def in_python(engine: WasmEngine, picks: list[int]) -> tuple[list[list[Any]], Host]:
    """The same; the moves that were made, and the host with the record."""
    host, moves = Host(engine), list[list[Any]]()
    host.call("start")
    for pick in picks:
        drawn = host.call("chance")
        asked = [seat for seat in range(engine.machine.seats) if host.call("asked", seat) >= 0]
        if drawn != NOBODY:
            stop = engine.machine.stops[drawn]
            assert isinstance(stop, Draw)
            host.call("weights", host.room)
            weights = host.instance.view(host.room, stop.count).tolist()
            likely = [outcome for outcome, weight in enumerate(weights) if weight]
            host.call("draw", likely[pick % len(likely)])
        elif asked:
            seat, number = asked[0], pick % sum(b[2] - b[1] + 1 for b in host.bundles(asked[0]))
            options = host.about["stops"][host.call("asked", seat)]["options"]
            for at, (option, low, high, *before) in enumerate(host.bundles(seat)):
                if number <= high - low:
                    given = [*before, low + number] if options[option]["parameters"] else []
                    moves.append([seat, options[option]["name"], *given])
                    host.call("apply", seat, host.room + at * host.about["bundle"], number)
                    break
                number -= high - low + 1
    return moves, host


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node (Debian: apt install nodejs)")
@pytest.mark.parametrize(("name", "players"), [("kuhn-poker", 2), ("ostia", 3), ("oltremare", 2)])
def test_the_example_steps_a_game_in_javascript(name: str, players: int, tmp_path: Path) -> None:
    engine = WasmEngine.of(load(name, players).machine)
    about, random = engine.describe(), Random(5)
    picks = [random.randrange(1000) for _ in range(STEPS)]
    shutil.copy(EXAMPLE, tmp_path)
    (tmp_path / "game.wasm").write_bytes(bytes(wat2wasm(engine.text)))
    (tmp_path / "game.json").write_text(json.dumps(about), encoding="utf-8")
    (tmp_path / "picks.json").write_text(json.dumps(picks), encoding="utf-8")
    (tmp_path / "play.mjs").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        ["node", "play.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    moves, host = in_python(engine, picks)
    assert found["moves"] == moves
    record = host.numbers()
    slots = {slot.name: slot for slot in reversed(engine.machine.layout.slots)}
    assert found["pieces"] == {
        name: list(record[slot.base : slot.base + slot.width * slot.copies])
        for name, slot in slots.items()
    }
    for seat, view in enumerate((found["seen"], found["others"])):
        state = host.view(seat)["state"]
        assert isinstance(state, dict)
        numbers = {path: value for path, value in state.items() if type(value) is int}
        assert numbers
        told = {path: fields.get("value") for path, fields in view.items()}
        assert numbers.items() <= told.items()
        inside = [path for path, fields in view.items() if {"counts", "members"} & fields.keys()]
        assert inside
        assert not any("unseen" in state[path] for path in inside)
