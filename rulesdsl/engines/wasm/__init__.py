"""The machine as WebAssembly: many games at once, and states that others step."""

from __future__ import annotations

from importlib.util import find_spec


def is_installed() -> bool:
    """Whether there is what runs it (the extra `fast`)."""
    return find_spec("wasmtime") is not None
