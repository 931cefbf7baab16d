"""Parts of series played by processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, parent_process
from threading import Thread

from attrs import define, field

from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.work import Bench, Work

_bench: Bench | None = None
"""Of a worker: it has one for its whole life."""


def _begin(rules: dict[str, str]) -> None:
    """What a worker does first."""
    global _bench
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _bench = Bench(rules)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)


def _play(part: Series) -> Work:
    assert _bench is not None
    return _bench.play(part)


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C is heard afterwards, and not at all by processes that are begun here: it reaches
    all of a terminal."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@define(eq=False)
class Processes:
    """So many processes, which begin from nothing (no state of this one is copied)."""

    count: int
    rules: dict[str, str]
    """Hashes by files: what is meant."""
    _pool: ProcessPoolExecutor = field(init=False)
    _open: dict[Future[Work], Series] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(self.count, context, _begin, (self.rules,))

    def submit(self, part: Series) -> None:
        with _ctrl_c_waits():
            self._open[self._pool.submit(_play, part)] = part

    def finished(self, seconds: float) -> list[Work]:
        done, _ = wait(self._open, seconds, FIRST_COMPLETED)
        return [self._result(future) for future in done]

    def _result(self, future: Future[Work]) -> Work:
        part = self._open.pop(future)
        try:
            return future.result()
        except BrokenProcessPool:
            return Work(part, None, 0.0, "a process has died (out of memory?); try fewer --jobs")

    def close(self) -> None:
        """Let the processes go; those that are at work do not finish it."""
        if self._open:
            for process in self._pool._processes.values():
                process.terminate()
        # the thread of the pool is waited for: at the end of Python it would be woken too late
        self._pool.shutdown(cancel_futures=True)
