"""Modules in the wasmtime runtime: compiled once, then instances with memory of their own."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from rulesdsl.engines.wasm.cells import CODES, WIDE
from rulesdsl.engines.wasm.memory import PAGE
from rulesdsl.text.kept import Kept

if TYPE_CHECKING:
    import wasmtime

MODULES = Kept("wasm")
"""Native code of modules, by their texts."""


class MissingExtra(RuntimeError):
    """What this needs is not installed."""


def load() -> Any:
    """The wasmtime library. Raises MissingExtra."""
    try:
        import wasmtime
    except ImportError:
        raise MissingExtra(
            "the WebAssembly engine needs wasmtime: pip install 'rulesdsl[fast]'"
        ) from None
    return wasmtime


def numpy() -> Any:
    """The numpy library. Raises MissingExtra."""
    try:
        import numpy
    except ImportError:
        raise MissingExtra("arrays of games need numpy: pip install 'rulesdsl[fast]'") from None
    return numpy


@frozen
class Compiled:
    """A module ready to be run."""

    engine: wasmtime.Engine
    module: wasmtime.Module


def compile_text(text: str) -> Compiled:
    """The module of a text; what has been compiled once is kept. Raises MissingExtra."""
    wasmtime = load()
    engine = wasmtime.Engine(_config())
    kept = MODULES.read(text)
    if kept is not None:
        # of another version or processor: it is made anew
        with suppress(wasmtime.WasmtimeError):
            return Compiled(engine, wasmtime.Module.deserialize(engine, kept))
    module = wasmtime.Module(engine, wasmtime.wat2wasm(text))
    MODULES.write(text, bytes(module.serialize()))
    return Compiled(engine, module)


def _config() -> wasmtime.Config:
    """What is seldom carried out lies apart: the library reads such hints only if it is told to,
    for which it has no method of its own yet."""
    library = load()
    config: wasmtime.Config = library.Config()
    library._bindings.wasmtime_config_wasm_branch_hinting_set(config.ptr(), True)
    return config


@define(eq=False)
class Instance:
    """A module with memory of its own, for one thread at a time."""

    compiled: Compiled
    heap: int
    """The address from which on the host may use the memory."""
    store: Any = field(init=False)
    _exports: Any = field(init=False)
    _memory: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        wasmtime = load()
        self.store = wasmtime.Store(self.compiled.engine)
        made = wasmtime.Instance(self.store, self.compiled.module, [])
        self._exports = made.exports(self.store)
        self._memory = self._exports["memory"]

    def call(self, name: str, *arguments: int) -> Any:
        """What an exported function returns."""
        return self._exports[name](self.store, *arguments)

    def number(self, name: str) -> int:
        """The value of an exported global."""
        return int(self._exports[name].value(self.store))

    def room(self, size: int) -> int:
        """The address of so many bytes, which the host may use until it asks again."""
        missing = self.heap + size - int(self._memory.data_len(self.store))
        if missing > 0:
            self._memory.grow(self.store, -(-missing // PAGE))
        return self.heap

    def view(self, address: int, count: int, width: int = WIDE) -> memoryview:
        """Numbers of so many bytes in memory, as they are now and become."""
        base = ctypes.addressof(self._memory.data_ptr(self.store).contents)
        octets = (ctypes.c_uint8 * (count * width)).from_address(base + address)
        return memoryview(octets).cast("B").cast(CODES[width])

    def put(self, address: int, octets: bytes) -> None:
        """Write bytes into memory."""
        base = ctypes.addressof(self._memory.data_ptr(self.store).contents)
        ctypes.memmove(base + address, octets, len(octets))


def signed(number: int) -> int:
    """64 bits of a number as WebAssembly takes them."""
    number &= 2**64 - 1
    return number - 2**64 if number >= 2**63 else number
