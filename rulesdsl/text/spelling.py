"""The name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` most likely is a slip of, or None."""
    best: str | None = None
    best_rank = (len(name) + 1, 1.0, "")
    for candidate in dict.fromkeys(candidates):
        if candidate == name:
            continue
        rank = _rank(name, candidate)
        if rank < best_rank and rank[0] <= _allowed(name, candidate):
            best, best_rank = candidate, rank
    return best


def _allowed(name: str, candidate: str) -> int:
    """How many slips still look like slips: one in a short name, a third of a long one."""
    length = min(len(name), len(candidate))
    if length <= 2:
        short, long = sorted((name, candidate), key=len)
        one_more = len(long) == length + 1 and (long.startswith(short) or long.endswith(short))
        return int(one_more or candidate.startswith(name) or sorted(name) == sorted(candidate))
    return 1 if length < 6 else min(length // 3, 4)


def _rank(name: str, candidate: str) -> tuple[int, float, str]:
    if _plain(name) == _plain(candidate):
        return 0, 0.0, candidate
    slips = distance(name, candidate)
    same_start = name[:1].lower() == candidate[:1].lower()
    return slips, 0.0 if same_start else 0.5, candidate


def _plain(name: str) -> str:
    """A name without what is often written differently: capitals, `_`, `-`, a plural s."""
    plain = name.lower().replace("_", "").replace("-", "").replace(" ", "")
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") else plain


def distance(one: str, other: str) -> int:
    """Slips between two words: a letter more, less, another, or two swapped."""
    if abs(len(one) - len(other)) > 4 or len(one) > 80:
        return max(len(one), len(other))
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
