"""The automaton says the same of each text as the library that its table comes from."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken

from rulesdsl.syntax import grammar, parser
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.syntax.grammar import Child, Stopped, tree_of
from rulesdsl.syntax.table import STARTS, lark_of, table
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problems

ROOT = Path(__file__).parent.parent
GAMES = ("games/ostia.yaml", "games/portus.yaml", "games/classics/kuhn-poker.yaml")
SMALL = sorted((ROOT / "tests" / "games").glob("*.yaml"))
MUTATED = 8_000
ODD = ("12", "1234567890", "3x", "1+", "give or take", "give", "x_1", "é", "_", "\n", "\t", "²")

Said: TypeAlias = object
"""Names of rules, words, their places; or where it stops, and what may stand there."""


@cache
def library() -> Lark:
    return lark_of()


def by_library(start: str, text: str) -> Said:
    """What the library says of a text, in which no word or number may be cut."""
    running: Any = library().parse_interactive(text, start=start)
    position = 0
    try:
        for token in running.iter_parse():
            position = token.start_pos or 0
            if re.match(r"\w\w", text[(token.end_pos or 0) - 1 :]):
                return position, running.accepts()
        position = len(text)
        return library_tree(running.feed_eof())
    except UnexpectedCharacters as error:
        return error.pos_in_stream, running.accepts()
    except UnexpectedToken as error:
        at_end = error.token.type == "$END"
        return position if at_end else error.token.start_pos, running.accepts()


def library_tree(node: Any) -> Said:
    if node is None:
        return None
    if isinstance(node, Token):
        return str(node), node.start_pos, node.end_pos
    place = (-1, -1) if node.meta.empty else (node.meta.start_pos, node.meta.end_pos)
    return str(node.data), [library_tree(child) for child in node.children], *place


def by_automaton(start: str, text: str) -> Said:
    try:
        return own_tree(tree_of(start, text))
    except Stopped as stopped:
        return stopped.position, stopped.accepts


def own_tree(node: Child) -> Said:
    if node is None:
        return None
    if isinstance(node, grammar.Token):
        return str(node), node.start, node.end
    return node.data, [own_tree(child) for child in node.children], node.start, node.end


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, str]]:
    """The texts of some games, with their start symbols."""
    found = set()

    def noted(start: str, text: str) -> grammar.Tree:
        found.add((start, text))
        return tree_of(start, text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser, "tree_of", noted)
        for file in (*(ROOT / name for name in GAMES), *SMALL):
            read_rules(read_source(file), Problems())
    return sorted(found)


def mutated(text: str, random: Random) -> str:
    """A text with something taken away, put in or moved."""
    place, odd = random.randrange(len(text) + 1), random.choice((*table().words, *ODD))
    pieces = text.split(" ")
    match random.randrange(5):
        case 0:
            return text[:place]
        case 1:
            return text[:place] + text[place + 1 :]
        case 2:
            return text[:place] + odd + text[place:]
        case 3:
            pieces[random.randrange(len(pieces))] = odd
            return " ".join(pieces)
        case _:
            random.shuffle(pieces)
            return " ".join(pieces)


def test_texts_of_games(texts: list[tuple[str, str]]) -> None:
    assert len(texts) > 1_000
    for start, text in texts:
        assert by_automaton(start, text) == by_library(start, text), (start, text)


def test_mutated_texts(texts: list[tuple[str, str]]) -> None:
    random, stopped = Random(0), 0
    for _ in range(MUTATED):
        start, text = random.choice(texts)
        start = random.choice((start, *STARTS)) if random.random() < 0.2 else start
        text = mutated(text, random)
        said = by_automaton(start, text)
        assert said == by_library(start, text), (start, text)
        stopped += isinstance(said, tuple) and isinstance(said[0], int)
    assert MUTATED // 4 < stopped < MUTATED * 0.95


def test_names_and_numbers_are_those_of_the_grammar() -> None:
    own = {terminal.name: terminal.pattern.value for terminal in library().terminals}
    for name in ("NAME", "INT"):
        assert f"(?P<{name}>{own[name]}" in grammar._PIECE.pattern
