"""A Ray cluster plays what one process plays: one begun by the command, and one of an address."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from rulesdsl.lab.series.cluster import Cluster
from rulesdsl.lab.series.series import Series
from rulesdsl.resources import find_game
from tests.command import ROOT, rulesdsl

pytestmark = pytest.mark.cluster

CARAVAN = ("simulate", "tests/games/caravan.yaml", "--players", "3", "--seed", "5", "-n", "60")
BOTS = ("--bot", "tests/series/dealer.yaml", "--bot", "tests/series/collector.yaml")
SERIES = {
    "simulate": (*CARAVAN, *BOTS),
    "vary": ("simulate", "nim", "-n", "40", "--seed", "2", "--vary", "last_stone_loses=true,false"),
    "compare": ("compare", "ostia", "--with", "starting_money=70", "-n", "40", "--seed", "3"),
    "another file": ("compare", "ostia", "ostia_salt", "-n", "10", "--seed", "4"),
}
PATIENCE = 60.0


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster of two workers that others have begun, by its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("ray")
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
    more = [f"--port={port}", "--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats"]
    with pytest.MonkeyPatch.context() as patch:
        # whoever asks is let in, since nobody else knows of it
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        with (folder / "log").open("w") as log:
            head = subprocess.Popen([*command, *more], stdout=log, stderr=log)
        try:
            _wait(head, folder / "log")
            yield f"127.0.0.1:{port}"
        finally:
            head.terminate()
            head.wait(PATIENCE)


def _wait(head: subprocess.Popen[bytes], log: Path) -> None:
    """Until the cluster has begun."""
    end = monotonic() + PATIENCE
    while "Ray runtime started" not in (told := log.read_text()):
        assert head.poll() is None, told
        assert monotonic() < end, told
        sleep(0.2)


def figures(folder: Path, *arguments: str) -> dict[str, Any]:
    """All figures of a command, without how long it took."""
    code, out, err = rulesdsl(*arguments, "--json", "-", cache=folder)
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    assert found.pop("seconds") > 0
    return found


@pytest.mark.parametrize("name", SERIES)
def test_a_cluster_of_an_address_plays_the_same(name: str, address: str, tmp_path: Path) -> None:
    one = figures(tmp_path, *SERIES[name], "--jobs", "1")
    assert figures(tmp_path, *SERIES[name], "--cluster", address) == one


def test_a_cluster_begun_here_plays_the_same(tmp_path: Path) -> None:
    one = figures(tmp_path, *SERIES["compare"], "--jobs", "1")
    assert figures(tmp_path, *SERIES["compare"], "--cluster", "local") == one


def test_other_rules_on_its_machines_are_noticed(address: str) -> None:
    file = str(find_game("nim"))
    part = Series(file, 2, (), ("random", "random"), False, 1, 0, 5)
    cluster = Cluster(address, {file: "the hash of other rules"})
    try:
        assert cluster.count == 2
        cluster.submit(part)
        (work,) = cluster.finished(PATIENCE)
    finally:
        cluster.close()
    assert (work.part, work.table) == (part, None)
    assert work.failed == f"{file} was changed while it was played"
