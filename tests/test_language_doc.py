"""docs/language.md: every block is read and checked, every whole game runs its examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import frozen

from rulesdsl.compile import understand
from rulesdsl.lab.examples import run_examples
from rulesdsl.text.problems import Problems, RulesError
from rulesdsl.text.source import Source

PAGE = Path(__file__).parent.parent / "docs" / "language.md"
_BLOCK = re.compile(r"^```yaml (\w+)\n(.*?)^```$", re.M | re.S)
_FILE = re.compile(r"^```(?:csv|yaml) (\S+\.\w+)\n(.*?)^```$", re.M | re.S)
_REPLACED = ("rules", "game", "title", "players", "about", "setup", "result")


@frozen
class Block:
    """A fenced block of a page: its word, its text and the line it begins on."""

    word: str
    text: str
    line: int


def blocks_of(page: Path) -> list[Block]:
    """The blocks with a word behind `yaml`."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start()) + 1)
        for found in _BLOCK.finditer(text)
    ]


def write_files(page: Path, folder: Path) -> None:
    """Write the files of a page: the blocks with a file name behind `csv` or `yaml`."""
    for found in _FILE.finditer(page.read_text(encoding="utf-8")):
        (folder / found[1]).parent.mkdir(parents=True, exist_ok=True)
        (folder / found[1]).write_text(found[2], encoding="utf-8")


def _parts(text: str, indent: str) -> dict[str, str]:
    """Keys of a mapping in block style and the text of each, in the order of the text."""
    pieces = re.split(rf"^(?={indent}[^\s#-])", text, flags=re.M)
    return {piece.strip().partition(":")[0]: piece for piece in pieces if piece.strip()}


def _added(section: str, whole: str, piece: str) -> str:
    """A section of the game with what a piece adds to it."""
    if section in _REPLACED:
        return piece
    lines = piece.split("\n", 1)[1]
    if section != "state":
        return whole.rstrip("\n") + "\n" + lines
    owners, more = _parts(whole.split("\n", 1)[1], "  "), _parts(lines, "  ")
    for owner, text in more.items():
        told = text if owner not in owners else owners[owner] + text.split("\n", 1)[1]
        owners[owner] = told
    return "state:\n" + "".join(owners.values())


def completed(preamble: str, piece: str) -> str:
    """The game of the page with a piece: steps at the end of its flow, or sections."""
    if re.search(r"^rules:", piece, re.M):
        return piece
    if piece.startswith("-"):
        piece = "flow:\n" + re.sub(r"^(?=.)", "  ", piece, flags=re.M)
    whole = _parts(preamble, "")
    for section, text in _parts(piece, "").items():
        whole[section] = _added(section, whole[section], text) if section in whole else text
    return "".join(text.rstrip("\n") + "\n\n" for text in whole.values())


def problems_of(text: str, folder: Path) -> list[str]:
    """What is told of a rule file: its problems, or the examples of it that fail."""
    try:
        tree, model = understand(Source("mine.yaml", text, folder))
    except RulesError as error:
        return [f"{p.code}: line {p.span.line}: {p.note}" for p in error.problems]
    problems = Problems()
    results = run_examples(model, tree, problems)
    told = [f"{p.code}: line {p.span.line}: {p.note}" for p in problems]
    return told + [f"example: line {f.span.line}: {f.note}" for f in results.failures]


def preamble() -> str:
    """The game that the pieces of the page are put into."""
    (found,) = [block.text for block in blocks_of(PAGE) if block.word == "preamble"]
    return found


BLOCKS = blocks_of(PAGE)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"line {block.line}")
def test_every_block_is_right(block: Block, tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    assert block.word in ("preamble", "game", "body")
    text = completed(preamble(), block.text) if block.word == "body" else block.text
    assert problems_of(text, tmp_path) == [], text


def test_every_yaml_block_says_what_it_is() -> None:
    assert len(BLOCKS) == PAGE.read_text(encoding="utf-8").count("```yaml")
