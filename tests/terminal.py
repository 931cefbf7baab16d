"""A command under a pseudo-terminal: what it writes, and what is typed."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 60.0


class Terminal:
    """`rulesdsl` with these arguments, in a folder of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.written = ""
        self._at = 0
        master, slave = pty.openpty()
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_CACHE_HOME": str(folder),
            "TERM": "xterm",
            "COLUMNS": "200",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rulesdsl", *arguments],
            cwd=folder,
            env=env,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_control,
        )
        os.close(slave)
        self._master = master

    def until(self, pattern: str) -> str:
        """What is written up to and with a pattern, since the last time."""
        deadline = time.monotonic() + LIMIT
        while (found := re.compile(pattern).search(self.written, self._at)) is None:
            if not self._more(deadline):
                raise AssertionError(f"{pattern} does not come:\n{self.written[self._at :]}")
        text = self.written[self._at : found.end()]
        self._at = found.end()
        return text

    def type(self, text: str) -> None:
        os.write(self._master, f"{text}\n".encode())

    def press(self, key: bytes) -> None:
        os.write(self._master, key)

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C until the command ends; as `end`.

        One that comes after the prompt, but before Python's line editor has begun to wait, is
        noticed only with the next key.
        """
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            self.press(b"\x03")
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                continue
            break
        return self.end()

    def end(self) -> tuple[int, str]:
        """The exit code and what was written last."""
        deadline = time.monotonic() + LIMIT
        while self._more(deadline):
            pass
        code = self._process.wait(timeout=LIMIT)
        os.close(self._master)
        return code, self.written[self._at :]

    def _more(self, deadline: float) -> bool:
        """Read on; False when the command has ended or takes too long."""
        ready, _, _ = select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            read = os.read(self._master, 65536)
        except OSError:
            return False
        self.written += read.decode("utf-8", "replace").replace("\r", "")
        return bool(read)


def _control() -> None:
    """Keys like Ctrl-C go to the command."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
