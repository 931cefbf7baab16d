"""A progress bar on the error output, where somebody looks at it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter

import click


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Tell it of what is done; it shows how much, how fast, and how long it will yet take."""
    if not sys.stderr.isatty():
        yield lambda done: None
    elif find_spec("rich") is None:
        click.echo(f"{total:,} {what}... (pip install 'rulesdsl[study]' shows progress)", err=True)
        yield lambda done: None
    else:
        with _bar(total, what) as tell:
            yield tell


@contextmanager
def _bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    bars, console = import_module("rich.progress"), import_module("rich.console")
    begun = perf_counter()
    columns = (
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn(what + ", {task.fields[rate]:,.0f} a second"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=console.Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, rate=0.0)

        def tell(done: int) -> None:
            bar.advance(task, done)
            bar.update(task, rate=bar.tasks[0].completed / (perf_counter() - begun))

        yield tell
