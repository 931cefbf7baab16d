"""One-token mistakes in rule files, made at random, and what tells of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from random import Random

from attrs import frozen

from rulesdsl.agents.random import RandomAgent
from rulesdsl.check import model as m
from rulesdsl.check.checker import check_rules
from rulesdsl.check.cites import called
from rulesdsl.check.model import Model
from rulesdsl.check.visibility import check_visibility
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.engines.faults import RuleFault
from rulesdsl.lab.covering import Choice, covering
from rulesdsl.lab.examples import run_examples
from rulesdsl.lab.move_texts import kinds_of
from rulesdsl.lab.planning import check_examples
from rulesdsl.play.rules_hash import rules_hash
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.syntax.tree import RuleFile
from rulesdsl.text.problems import Problem, Problems
from rulesdsl.text.source import Source

_TOKEN = re.compile(r"[^\W\d]\w*|\d+|\.\.|[-+*/=!<>]=|[-+*/=<>,:()\[\]{}]")
_SWAPS = {
    "+": "-",
    "-": "+",
    "*": "+",
    "+=": "-=",
    "-=": "+=",
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "and": "or",
    "or": "and",
    "up": "down",
    "down": "up",
    "min": "max",
    "max": "min",
    "sum": "max",
    "true": "false",
    "false": "true",
    "from": "after",
    "all": "1",
    "left": "right",
    "if": "while",
}
_PROSE_KEYS = ("title", "about", "example", "game", "head")


class Kind(Enum):
    """The sorts of mistakes."""

    NAME = "a name misspelt"
    OTHER_NAME = "another name of the file"
    NUMBER = "a number one off"
    OPERATOR = "an operator or word swapped"
    DROPPED = "a token dropped"
    DOUBLED = "a token written twice"


@frozen
class Token:
    start: int
    text: str


@frozen
class Mistake:
    """A token of a file replaced."""

    kind: Kind
    token: Token
    new: str
    line: int

    def made_in(self, text: str) -> str:
        start = self.token.start
        return text[:start] + self.new + text[start + len(self.token.text) :]

    def __str__(self) -> str:
        return f"line {self.line}, {self.kind.value}: {self.token.text!r} -> {self.new!r}"


# ------------------------------------------------------------------ tokens and names


def tokens_of(text: str) -> list[Token]:
    """The tokens of a rule file: not its comments, prose, and texts to be shown."""
    return [Token(found.start(), found[0]) for found in _TOKEN.finditer(_bare(text))]


def _bare(text: str) -> str:
    """The file with blanks for comments, prose, measures, all of `texts` but keys and slots."""
    section, prose_deeper_than, shown = "", 100, []
    for line in text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= prose_deeper_than:
            prose_deeper_than = 100
        if re.match(r"\w", line):
            section = line.partition(":")[0]
        key = re.match(r"\s*(?:- )?([\w /-]+):(?= |$)", line)
        bare = re.sub(r"(^|\s)#.*", lambda found: " " * len(found[0]), line.rstrip("\n"))
        is_prose = key is not None and (
            key[1] in _PROSE_KEYS or (section == "sources" and indent == 4 and key[1] != "sections")
        )
        if prose_deeper_than < 100:
            bare = " " * len(bare)
        elif is_prose and key is not None:
            bare = bare[: key.end()] + " " * (len(bare) - key.end())
            if line.rstrip().endswith((">-", "|")) or section == "sources":
                prose_deeper_than = indent
        elif section == "texts" and indent:
            begin = key.end() if key is not None else 0
            slots = re.sub(r"\{[^{}]*\}|(\S)", lambda f: " " if f[1] else f[0], bare[begin:])
            bare = bare[:begin] + slots
        elif section == "measures":
            # games go the same with other measures
            bare = " " * len(bare)
        elif section == "invariants" and key is not None:
            bare = " " * key.end() + bare[key.end() :]
        shown.append(bare + line[len(line.rstrip("\n")) :])
    return "".join(shown)


def names_of(model: Model) -> set[str]:
    """All names that a rule file declares."""
    names = {*model.seat_names, *model.options, *model.kinds, *model.tables, *model.defines}
    names |= {*model.procedures, *model.phases, *(called(s) for s in model.sources.values())}
    names |= {name for _, name in (*model.scalars, *model.zones)}
    for kind in kinds_of(model):
        names |= {*kind.members, *kind.columns}
    owners: list[m.Define | m.Procedure | m.Phase] = [
        *model.defines.values(),
        *model.procedures.values(),
        *model.phases.values(),
    ]
    for owner in owners:
        names |= {formal.name for formal in owner.formals}
    pieces: list[object] = [body.steps for body in all_bodies(model)]
    pieces += [define.value for define in model.defines.values()]
    pieces += [invariant.value for invariant in model.invariants]
    for piece in pieces:
        for node in nodes(piece):
            if isinstance(node, m.Local | m.ChoiceOption):
                names.add(node.name)
    return names


def misspelt(word: str, random: Random, taken: set[str]) -> str:
    """A slip of the keyboard that makes no other word of the file."""
    while True:
        i = random.randrange(len(word))
        letter = random.choice("abcdefghijklmnopqrstuvwxyz")
        new = random.choice(
            [
                word[:i] + word[i + 1 :],
                word[:i] + letter + word[i:],
                word[:i] + letter + word[i + 1 :],
                word[:i] + word[i : i + 2][::-1] + word[i + 2 :],
            ]
        )
        if new not in taken and re.fullmatch(r"[^\W\d]\w*", new):
            return new


def mistake_in(path: Path, kind: Kind, random: Random) -> Mistake:
    """One mistake of a kind at a random place of a file."""
    text = path.read_text(encoding="utf-8")
    tokens, names = tokens_of(text), names_of(_model(path))
    words = {token.text for token in tokens}
    if kind in (Kind.NAME, Kind.OTHER_NAME):
        tokens = [token for token in tokens if token.text in names]
    elif kind is Kind.NUMBER:
        tokens = [token for token in tokens if token.text.isdecimal()]
    elif kind is Kind.OPERATOR:
        tokens = [t for t in tokens if t.text in _SWAPS and not _is_dash(text, t)]
    token = random.choice(tokens)
    match kind:
        case Kind.NAME:
            new = misspelt(token.text, random, words)
        case Kind.OTHER_NAME:
            new = random.choice(sorted(names - {token.text}))
        case Kind.NUMBER:
            number = int(token.text)
            new = str(random.choice([number + 1, max(number - 1, 0) if number else 2]))
        case Kind.OPERATOR:
            new = _SWAPS[token.text]
        case Kind.DROPPED:
            new = ""
        case Kind.DOUBLED:
            new = f"{token.text} {token.text}"
    return Mistake(kind, token, new, text.count("\n", 0, token.start) + 1)


def _is_dash(text: str, token: Token) -> bool:
    """Whether this is the dash before an item of a list."""
    before = text[text.rfind("\n", 0, token.start) + 1 : token.start]
    return token.text == "-" and not before.strip()


# ------------------------------------------------------------------ what tells of a mistake


class Told(Enum):
    """How a mistake comes out."""

    LINE = "by validation, on its line"
    ELSEWHERE = "by validation, on another line only"
    EXAMPLE = "by an example"
    NOTHING = "it changes nothing"
    MISSED = "games go differently, and nothing tells"


def read(
    text: str, folder: Path | None = None
) -> tuple[RuleFile | None, Model | None, list[Problem]]:
    """What validation makes of a file; its data files stand in the folder."""
    problems = Problems()
    tree = read_rules(Source("mistake.yaml", text, folder), problems)
    model = None if tree is None else check_rules(tree, problems)
    if model is not None and not len(problems):
        check_visibility(model, problems)
    if model is not None and tree is not None and not len(problems):
        check_examples(model, tree, problems)
    return tree, model, list(problems)


def told(path: Path, mistake: Mistake) -> Told:
    """What tells of a mistake: validation, else the examples, else only play."""
    tree, model, problems = read(mistake.made_in(path.read_text(encoding="utf-8")), path.parent)
    if problems:
        if any(mistake.line in _lines(problem) for problem in problems):
            return Told.LINE
        first = _first_example(path)
        in_examples = all(line > first for problem in problems for line in _lines(problem))
        return Told.EXAMPLE if mistake.line < first and in_examples else Told.ELSEWHERE
    assert tree is not None
    assert model is not None
    if run_examples(model, tree, Problems()).failures:
        return Told.EXAMPLE
    if rules_hash(model) == _hash(path) or _play_alike(model, path):
        return Told.NOTHING
    return Told.MISSED


def _lines(problem: Problem) -> Iterator[int]:
    """The lines that a problem shows."""
    for span in (problem.span, *([] if problem.second is None else [problem.second.span])):
        yield span.line
        yield span.source.position(max(span.start, span.end - 1))[0]


def _first_example(path: Path) -> int:
    """The line on which the examples begin; they stand last in a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return lines.index("examples:") + 1


@cache
def _model(path: Path) -> Model:
    model = read(path.read_text(encoding="utf-8"), path.parent)[1]
    assert model is not None
    return model


@cache
def _hash(path: Path) -> str:
    return rules_hash(_model(path))


def _play_alike(model: Model, path: Path) -> bool:
    """Whether one random game of each covering choice goes as with the rules of the file."""
    choices = covering(model)
    if [choice.text(model) for choice in choices] != _choices(path):
        return False
    return all(_play(choice, model, n) == _play_of(path, n) for n, choice in enumerate(choices))


@cache
def _choices(path: Path) -> list[str]:
    return [choice.text(_model(path)) for choice in covering(_model(path))]


@cache
def _play_of(path: Path, number: int) -> str:
    return _play(covering(_model(path))[number], _model(path), number)


def _play(choice: Choice, model: Model, seed: int) -> str:
    """How a random game goes: its moves, and how it ends."""
    agent, moves = RandomAgent(seed), list[str]()
    try:
        state = choice.game(model).start(seed)
        while not state.is_over:
            player = state.to_act[0]
            legal = state.legal_ranges(player)
            move = agent.choose(state, player)
            moves += [f"{len(legal)} {legal[0].text} {legal[-1].text}", f"{player} {move}"]
            state.apply(move)
        moves.append(f"{state.outcome} {state.named()['state']}")
    except RuleFault as fault:
        moves.append(fault.kind)
    return "\n".join(moves)
