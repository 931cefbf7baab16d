"""Source that pays for its steps: `n` is the number of steps that are left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from attrs import Factory, define

from rulesdsl.engines.python.texts import Text, minus
from rulesdsl.engines.python.writing import Constants, Writer


@define
class Paying:
    """Writes statements; `paying` says whether steps count."""

    writer: Writer
    constants: Constants
    paying: bool = True
    owed: int = 0
    """Steps of what is certain to be evaluated that are not paid yet."""
    bound: dict[int, Text] = Factory(dict)
    """Registers that need no variable."""
    variables: Mapping[int, str] = Factory(dict)
    """Cells that are held in variables instead of the record."""
    hoists: bool = True
    """Whether statements may be put before the expression that is written."""
    _temporaries: int = 0

    # ---------------------------------------------------------------- steps

    def pay(self, steps: int) -> None:
        if self.paying:
            self.owed += steps

    def flush(self) -> None:
        """Pay what is owed."""
        if self.owed:
            self.writer.put(f"n -= {self.owed}")
            self.owed = 0

    def pay_for(self, low: Text, high: Text) -> None:
        """Pay for the members of a domain."""
        if isinstance(low, int) and isinstance(high, int):
            self.pay(max(high - low, 1))
        elif self.paying:
            length = self.simple(minus(high, low))
            self.writer.put(f"n -= {length} if {length} > 1 else 1")
            self.check_left()

    def check_left(self) -> None:
        if self.paying:
            with self.writer.inside("if n < 0:"):
                self.writer.put("raise Stuck")

    @contextmanager
    def arm(self, head: str) -> Iterator[None]:
        """A compound statement that pays for itself."""
        before, self.owed = self.owed, 0
        with self.writer.inside(head):
            yield
            self.flush()
        self.owed = before

    def unsure(self, write: Callable[[], Text], truth: bool) -> Text:
        """An expression that is evaluated only sometimes, and paid for then."""
        before, self.owed = self.owed, 0
        text, cost, self.owed = write(), self.owed, before
        if not cost:
            return text
        paid = f"((n := n - {cost}) or 1)"
        return f"({paid} and {text})" if truth else f"({text} if {paid} else 0)"

    # ---------------------------------------------------------------- variables

    def cell(self, address: Text) -> str:
        """The cell at an address."""
        held = self.variables.get(address) if isinstance(address, int) else None
        return held or f"s[{address}]"

    def temporary(self) -> str:
        self._temporaries += 1
        return f"t{self._temporaries}"

    def simple(self, text: Text) -> Text:
        """The same as a number or a variable."""
        if isinstance(text, int) or text.isidentifier():
            return text
        name = self.temporary()
        self.writer.put(f"{name} = {text}")
        return name
