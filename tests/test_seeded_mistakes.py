"""One-token mistakes made at random in the bundled games, and how many of them are told of.

A mistake replaces one token of a rule file: of its names, numbers, operators, words and signs,
those of its examples too. Comments, prose (titles, `about`, the texts of rulings, the names of
examples and invariants), measures, and the texts to be shown, apart from their slots, are
not touched. Every token of every bundled file is as likely, so most mistakes are in Ostia.

A mistake is told

- on its line: validation has a problem whose first or second place lies on the line of the
  mistake. A declaration that is misspelt is told where it is used, with the declaration as the
  second place;
- by an example: the mistake is not in the examples, but all that validation tells is: one of them
  says what cannot be now; or the file is valid, and an example that held does not hold any more;
- elsewhere: validation has problems, but none shows that line;
- not at all: the file is valid, its examples hold, and random games (one for each of the covering
  choices of players and options, the same seed before and after) go differently;
- it changes nothing: the file is valid, its examples hold, and either the hash over the meaning of
  the rules is the same (then an example has changed that still holds, or a reference, or a text),
  or all these games go exactly as before (then a bound is wider than need be, say). Such mistakes
  are beyond the reach of an example and are not counted.

Asked for are, of the misspelt names, 99 % told on their line, and of all mistakes that change
something 95 % told on their line or by an example. Misspelt means a letter left out, put in,
replaced or swapped so that no other word of the file comes out.

Every run tries a few, always the same; the soak tries many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.bundled import GAMES
from tests.mistakes import Kind, Mistake, Told, mistake_in, tokens_of, told

FILES = [path for _, path in sorted(GAMES.items())]
NAMES, ALL = 0.99, 0.95
FEW_NAMES, FEW = 0.95, 0.88
"""Of a dozen or two mistakes, one or two more may be of the kinds that are told elsewhere."""


def mistakes(kinds: Sequence[Kind], number: int, seed: int) -> Iterator[tuple[Path, Mistake]]:
    """So many mistakes, the kinds in turn, in files chosen by how many tokens they have."""
    random = Random(seed)
    sizes = [len(tokens_of(path.read_text(encoding="utf-8"))) for path in FILES]
    for i in range(number):
        (path,) = random.choices(FILES, sizes)
        yield path, mistake_in(path, kinds[i % len(kinds)], random)


def share(kinds: Sequence[Kind], number: int, seed: int, ways: set[Told]) -> float:
    """The share of the mistakes that are told in these ways, of those that change something."""
    found: Counter[Told] = Counter()
    for path, mistake in mistakes(kinds, number, seed):
        how = told(path, mistake)
        found[how] += 1
        if how not in ways and how is not Told.NOTHING:
            print(f"{path.name}: {mistake}: {how.value}")
    counted = sum(found.values()) - found[Told.NOTHING]
    good = sum(found[way] for way in ways)
    for how, times in found.most_common():
        print(f"{times:5}  {how.value}")
    print(f"{good} of {counted} that change something: {good / counted:.1%}")
    return good / counted


def test_misspelt_names_are_told_on_their_line() -> None:
    assert share([Kind.NAME], 16, 1, {Told.LINE}) >= FEW_NAMES


def test_mistakes_that_change_something_are_told() -> None:
    assert share(list(Kind), 18, 1, {Told.LINE, Told.EXAMPLE}) >= FEW


@pytest.mark.soak
def test_many_misspelt_names_are_told_on_their_line() -> None:
    assert share([Kind.NAME], 600, 2, {Told.LINE}) >= NAMES


@pytest.mark.soak
@pytest.mark.parametrize("seed", [3, 4])
def test_many_mistakes_that_change_something_are_told(seed: int) -> None:
    assert share(list(Kind), 300, seed, {Told.LINE, Told.EXAMPLE}) >= ALL


# ------------------------------------------------------------------ the measure itself


def test_mistakes_are_made_everywhere_but_in_prose() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        tokens = tokens_of(text)
        assert all(text.startswith(token.text, token.start) for token in tokens)
        lines = {text.count("\n", 0, token.start) for token in tokens}
        bare = [
            number
            for number, line in enumerate(text.splitlines())
            if line.strip() and not line.lstrip().startswith("#") and number not in lines
        ]
        # what is left out are continued lines of prose and of texts to be shown
        assert len(bare) <= len(text.splitlines()) // 40


def test_what_changes_nothing_is_known(tmp_path: Path) -> None:
    nim = GAMES["nim"].read_text(encoding="utf-8")
    file = tmp_path / "nim.yaml"
    file.write_text(nim, encoding="utf-8")

    def how(old: str, new: str) -> Told:
        assert nim.count(old) == 1
        start = nim.index(old)
        token = next(t for t in tokens_of(nim) if t.start >= start)
        mistake = Mistake(Kind.NUMBER, token, new, nim.count("\n", 0, token.start) + 1)
        assert mistake.made_in(nim) != nim
        return told(file, mistake)

    assert how("7, starts", "8") is Told.NOTHING
    assert how("stones_at_first: 1..7", "stones_at_fist") is Told.LINE
    assert how("large: [3]", "lagre") is Told.LINE
    assert how("black]\n    options", "blakc") is Told.LINE
    assert how("left of p wins", "right") is Told.NOTHING
