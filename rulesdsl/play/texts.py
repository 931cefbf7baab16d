"""Words of a rule file as people write them."""

from __future__ import annotations

from rulesdsl.check.model import Model


def display(model: Model, name: str) -> str:
    """A word as people write it: from the texts' `names`, else without its underscores."""
    return model.texts.names.get(name, name.replace("_", " "))
