"""Parts of series played on a Ray cluster."""

from __future__ import annotations

import re
import socket
from typing import Any, TypeAlias

from attrs import define, field

from rulesdsl.lab.series.extras import extra
from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.work import Bench, Work
from rulesdsl.machine.settings import UsageError

LOCAL = "local"
"""Instead of an address: a cluster that is begun on this machine and ends with the run."""
PATIENCE = 5.0
"""Seconds in which a machine has to answer; Ray itself would wait for minutes."""
_HOST = re.compile(r"(?:ray://)?(.+):(\d+)")

Rules: TypeAlias = tuple[tuple[str, str], ...]
"""Files and hashes."""
_benches: dict[Rules, Bench] = {}
"""Of a worker, by the rules that are meant."""


def _play(rules: Rules, part: Series) -> Work:
    if rules not in _benches:
        _benches[rules] = Bench(dict(rules))
    return _benches[rules].play(part)


def _knock(address: str) -> None:
    """Raises OSError if nobody listens at an address with a port."""
    match = _HOST.fullmatch(address)
    if match is not None:
        socket.create_connection((match[1], int(match[2])), PATIENCE).close()


@define(eq=False)
class Cluster:
    """The cluster of an address (`local` begins one on this machine).

    The package and the rule file must be on its machines, the file under the same path; other
    rules there are noticed. Raises UsageError where there is no Ray or no cluster.
    """

    address: str
    rules: dict[str, str]
    count: int = field(init=False)
    _ray: Any = field(init=False)
    _play: Any = field(init=False)
    _open: dict[Any, Series] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._ray = extra("ray", "cluster", "--cluster")
        # only a cluster that is begun here may be told how it is to be
        own = {"include_dashboard": False} if self.address == LOCAL else {}
        try:
            _knock(self.address)
            self._ray.init(self.address, log_to_driver=False, logging_level="ERROR", **own)
        # what Ray raises here has no class of its own
        except Exception as error:
            first = str(error).strip().splitlines()[0]
            raise UsageError(f"no Ray cluster answers at {self.address}: {first}") from None
        self.count = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._play = self._ray.remote(_play)

    def submit(self, part: Series) -> None:
        self._open[self._play.remote(tuple(self.rules.items()), part)] = part

    def finished(self, seconds: float) -> list[Work]:
        done, _ = self._ray.wait(list(self._open), num_returns=1, timeout=seconds)
        return [self._result(one) for one in done]

    def _result(self, one: Any) -> Work:
        part = self._open.pop(one)
        try:
            found = self._ray.get(one)
        except self._ray.exceptions.RayError as error:
            said = str(error).strip().splitlines()[-1]
            return Work(part, None, 0.0, f"the cluster could not play: {said}")
        assert isinstance(found, Work)
        return found

    def close(self) -> None:
        for one in self._open:
            self._ray.cancel(one, force=True)
        self._ray.shutdown()
