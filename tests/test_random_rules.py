"""Random rule files reach every word, and most are well formed."""

from __future__ import annotations

import re
from random import Random

import pytest

from rulesdsl.check.vocabulary import WORDS
from tests.random_rules import checked, from_bytes, random_model, random_rules

pytestmark = pytest.mark.xdist_group("random files")
SHARE_OF = 60
"""Of so many files more than half are well formed."""
MOST = 400
"""Within so many files every word is reached, mostly within far fewer."""

PATTERNS = {
    "true": r"\btrue\b OR \bfalse\b",
    "none": r"[=!]= none OR  = none",
    "seat": r"seat \d",
    "number": r"number of players",
    "if": r"- if .*:\n OR \(if .* then .* else  OR elif ",
    "made": r"Lot\(\w+, OR Lot\(\(",
    "is": r" is a Good OR if \w+ is a Good",
    "any of a kind": r"any Good:\n OR any Token:\n OR any Good: 2",
    "bag in a column": r"in \w+\.mix\b OR in kinds of \w+\.mix OR size of \w+\.mix",
    "rounded": r"rounded up OR rounded down",
    "of": r"wealth of ",
    "left": r"left of ",
    "right": r"right of ",
    "top": r"top of row",
    "range": r"in \d\.\. OR : \d+\.\.\d+",
    "KIND": r"in Good\b",
    "beside": r"neighbors of (tile|Tile|red2) OR by corners\) OR by sides or corners\)",
    "lines": r"lines of \S+ in Tile OR lines of .* through ",
    "maybe": r"maybe Good",
    "PLACE": r" in (row|box)\b OR - for \w+ in box: OR in (row|box), in the order",
    "kinds": r"in kinds of ",
    "runs": r"runs\(row by ",
    "in": r"\w+\(\w+ in .*\):\n",
    "any": r"any\( OR in any \d",
    "each player, each": r"\w\.tint\[ OR \.chest\[\S+\]\[ OR after .* p\.(tint|chest)\[c\]",
    "=": r"- \w+ =  OR \+=  OR -= ",
    "COLUMN seen": r"secret, colour seen OR hidden, colour seen OR in \w+\.goods where \w+\.colour",
    "let": r"- let \w+ = ",
    "deal": r"- deal up to \d from OR - deal \d \w+ where ",
    "move": r"- move all but \w+ from ",
    "to": r"onto \w+ OR under \w+",
    "into": r" into \w+\S* at random place ",
    "show": r"- show top \d of",
    "turn passes to": r"turn passes to players OR turn passes to (?!players)",
    "end": r"- end loop OR - end phase OR - end game",
    "wins": r"\w+ wins",
    "do": r"- work\( OR - evening\(",
    "for": r"for \w+ in .* until .*: OR for .*, in the order \w+ chooses:",
    "turns": r"for \w+ in turns",
    "while": r"while .*, at most \d",
    "repeat": r"repeat [^,]*:\n",
    "chooses": r" secretly chooses:",
    "keeps choosing": r"keeps choosing, at most \d, each once:",
    "secretly": r"\w+ secretly:",
    "split": r"split rounded (up|down)",
    "used up": r"places are used up",
    "none is skipped": r"none is skipped",
    "after move of": r"after move of \w+ in Good from box to p\.goods where",
    "when is empty": r"when \w+ is empty",
    "score": r"    score:\n",
    "out": r"    out: p\.out",
    "highest": r"    highest: ",
    "payoff": r"    payoff: ",
}
"""How a word looks in the random files, where it is not just there as a word of its own;
`OR` stands between forms of which each has to be there."""


def forms(name: str) -> list[str]:
    """All the ways to write a word that have to be reached."""
    return PATTERNS.get(name, rf"\b{re.escape(name)}\b").split(" OR ")


def test_most_random_files_are_well_formed() -> None:
    share = sum(random_model(seed) is not None for seed in range(SHARE_OF)) / SHARE_OF
    print(f"{share:.0%} of {SHARE_OF} random rule files are well formed")
    assert share > 0.5


def test_the_simplest_file_is_well_formed() -> None:
    """Hypothesis begins there, and what it shrinks ends there."""
    assert checked(from_bytes(b"")) is not None


def test_every_word_is_reached() -> None:
    names = {entry.name for entry in WORDS if entry.group not in ("Examples", "Bots")}
    assert set(PATTERNS) <= names, "a pattern is for no word"
    missing = {(name, re.compile(form)) for name in names for form in forms(name)}
    for seed in range(MOST):
        if missing and random_model(seed) is not None:
            text = random_rules(Random(seed))
            missing = {(name, form) for name, form in missing if not form.search(text)}
    assert missing == set()
