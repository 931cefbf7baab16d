"""The name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that reads most like the name, if one is near enough."""
    known = list(dict.fromkeys(candidates))
    folded = {candidate.casefold(): candidate for candidate in reversed(known)}
    if name.casefold() in folded:
        return folded[name.casefold()]
    cutoff = 0.5 if len(name) <= 3 else 0.6
    found = get_close_matches(name.casefold(), list(folded), n=1, cutoff=cutoff)
    return folded[found[0]] if found else None
