"""A headless Chromium, spoken to over a pipe: it needs no driver and opens no port."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from attrs import define, field

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60.0


def chromium() -> str | None:
    """Where Chromium is, if it is installed."""
    return next((found for found in map(shutil.which, NAMES) if found), None)


@define(eq=False)
class Browser:
    """One page in a browser; `requests` are the addresses it has asked for, `errors` of scripts."""

    profile: Path
    requests: list[str] = field(factory=list, init=False)
    errors: list[str] = field(factory=list, init=False)
    _process: subprocess.Popen[bytes] = field(init=False)
    _write: int = field(init=False)
    _read: int = field(init=False)
    _left: bytes = field(default=b"", init=False)
    _number: int = field(default=0, init=False)
    _session: str | None = field(default=None, init=False)
    _loaded: int = field(default=0, init=False)

    def __enter__(self) -> Browser:
        program = chromium()
        assert program is not None
        theirs_in, self._write = os.pipe()
        self._read, theirs_out = os.pipe()
        # they have to become 3 and 4, so they may not be these already
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (theirs_in, theirs_out)]
        flags = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
        flags += " --disable-background-networking --hide-scrollbars --remote-debugging-pipe"
        command = f'exec "$0" {flags} --user-data-dir="$1" 3<&{ends[0]} 4>&{ends[1]}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, program, str(self.profile)],
            pass_fds=ends,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (theirs_in, theirs_out, *ends):
            os.close(end)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        found = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    # ---------------------------------------------------------------- speaking

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next(time.monotonic() + PATIENCE)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the browser does not answer"
            more = os.read(self._read, 1 << 16)
            assert more, "the browser has ended"
            self._left += more
        text, _, self._left = self._left.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(message["params"]["exceptionDetails"]))
            case "Page.loadEventFired":
                self._loaded += 1
        return message

    # ---------------------------------------------------------------- what a person does

    def size(self, width: int, height: int, dark: bool = False) -> None:
        """A window of this size."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, address: str) -> None:
        """Load a page and wait until it is there."""
        loaded = self._loaded
        self.call("Page.navigate", url="about:blank")
        while self._loaded == loaded:
            self._next(time.monotonic() + PATIENCE)
        loaded = self._loaded
        self.call("Page.navigate", url=address)
        while self._loaded == loaded:
            self._next(time.monotonic() + PATIENCE)

    def press(self, key: str, times: int = 1) -> None:
        """Press a key."""
        for _ in range(times):
            for kind in ("keyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def swipe(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """A finger goes over the screen."""
        for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
            touches = [{"x": x, "y": y} for x, y in points]
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=touches)

    def ask(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def picture(self, file: Path) -> None:
        """A picture of what is seen."""
        shot = self.call("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(shot["data"]))
