"""Ctrl-C that stops a run without losing what is done."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType, TracebackType

from attrs import define


@define(eq=False)
class Interrupts:
    """While it is entered Ctrl-C only sets `asked`, but breaks off what may be broken off."""

    asked: bool = False
    _breaks: bool = False
    _before: signal.Handlers | object = None

    def __enter__(self) -> Interrupts:
        # signals go to the main thread alone
        if current_thread() is main_thread():
            self._before = signal.signal(signal.SIGINT, self._take)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        if self._breaks:
            raise KeyboardInterrupt

    @contextmanager
    def may_break(self) -> Iterator[None]:
        """What is done here is broken off by Ctrl-C, and what stands after it goes on."""
        self._breaks = True
        try:
            yield
        except KeyboardInterrupt:
            pass
        finally:
            self._breaks = False
