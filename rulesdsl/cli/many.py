"""What commands have in common that play many games: who plays them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rulesdsl.lab.series.work import Workers

MOST_GAMES = 10_000_000
STOPPED = 130
"""The exit code after Ctrl-C."""


def workers(
    jobs: int | None, cluster: str | None, rules: dict[str, str]
) -> Callable[[], Workers] | None:
    """What makes those who play beside this process; `rules` are hashes by files.

    None where this process plays alone. Without `jobs` there is a process for each core.
    """
    if jobs is not None and cluster is not None:
        raise click.UsageError("--jobs counts processes of this machine; --cluster uses others")
    if cluster is not None:
        from rulesdsl.lab.series.cluster import Cluster

        return partial(Cluster, cluster, rules)
    count = _cores() if jobs is None else jobs
    if count > 1:
        from rulesdsl.lab.series.processes import Processes

        return partial(Processes, count, rules)
    return None


def _cores() -> int:
    """How many cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1
