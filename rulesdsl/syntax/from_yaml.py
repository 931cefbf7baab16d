"""From the YAML of a rule file to its tree: every section, all independent problems at once."""

from __future__ import annotations

from rulesdsl.syntax.data_files import DataFiles
from rulesdsl.syntax.examples import Examples
from rulesdsl.syntax.fields import PLAYERS, Fields, TooManyProblems
from rulesdsl.syntax.sections import Sections
from rulesdsl.syntax.shape import EDITION, RULE_FILE
from rulesdsl.syntax.texts import Texts
from rulesdsl.syntax.tree import Body, DataFile, RuleFile, Word
from rulesdsl.syntax.yaml_nodes import Entry, List, Map
from rulesdsl.syntax.yaml_reader import read_yaml
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source, Span


def read_rules(source: Source, problems: Problems) -> RuleFile | None:
    """The tree of a rule file; None if it is so broken that nothing can be checked."""
    node = read_yaml(source, problems)
    if node is None:
        return None
    if not isinstance(node, Map):
        note = "a rule file is a mapping: it begins with `rules: 1` and `game: NAME`"
        problems.add("no-rule-file", node.span, note)
        return None
    files = DataFiles(problems)
    node = files.put_in(node)
    try:
        rules = _rule_file(node, Sections(problems), tuple(files.files))
        return None if files.broken else rules
    except TooManyProblems:
        return None


def _rule_file(node: Map, read: Sections, files: tuple[DataFile, ...]) -> RuleFile | None:
    keys = read.section(node, RULE_FILE)
    _edition(keys.get("rules"), read)
    seats, low, high = _players(keys.get("players"), read)
    game = read.name(keys["game"].value, "the game") if "game" in keys else Word(node.span, "")
    rules = RuleFile(
        span=node.span,
        game=game,
        title=_prose(keys, "title", read) or game.text.replace("_", " ").capitalize(),
        about=_prose(keys, "about", read),
        players=(low, high),
        seat_names=seats,
        sources=read.sources(keys.get("sources")),
        options=read.options(keys.get("options")),
        kinds=read.kinds(keys.get("kinds")),
        tables=read.tables(keys.get("tables")),
        state=read.state(keys.get("state")),
        defines=read.defines(keys.get("define")),
        procedures=read.procedures(keys.get("procedures")),
        setup=read.setup(keys.get("setup")),
        flow=read.body(keys["flow"].value, keys["flow"].key.span)
        if "flow" in keys
        else Body(node.span, ()),
        phases=read.phases(keys.get("phases")),
        triggers=read.triggers(keys.get("triggers")),
        result=read.result(keys.get("result")),
        invariants=read.invariants(keys.get("invariants")),
        texts=Texts(read.problems).texts(keys["texts"].value) if "texts" in keys else (),
        examples=Examples(read.problems).examples(keys["examples"].value)
        if "examples" in keys
        else (),
        data_files=files,
    )
    return rules if {"game", "players", "flow"} <= set(keys) else None


def _prose(keys: dict[str, Entry], name: str, read: Fields) -> str:
    return read.prose(keys[name].value, f"the {name}") if name in keys else ""


def _edition(entry: Entry | None, read: Fields) -> None:
    if entry is None:
        return
    text = read.text(entry.value, "the edition of the language")
    if text is not None and text.text != EDITION:
        note = f"this is edition {EDITION} of the language"
        read.problems.add("unknown-edition", text.span, note, help=f"rules: {EDITION}")


def _players(entry: Entry | None, read: Fields) -> tuple[tuple[Word, ...], int, int]:
    """Names of seats if they have any, the fewest and the most players."""
    node = None if entry is None else entry.value
    match node:
        case None:
            return (), 0, 0
        case List(items=items):
            seats = tuple(read.name(item, "a seat") for item in items)
            return seats, len(seats), len(seats)
        case _:
            players = read.parsed(PLAYERS, node)
            if players is None:
                return (), 0, 0
            _check_players(players.span, players.low, players.high, read)
            return (), players.low, players.high


def _check_players(span: Span, low: int, high: int, read: Fields) -> None:
    if not 1 <= low <= high:
        note = "the fewest players stand first, and somebody plays"
        read.problems.add("no-players", span, note, help=f"players: {max(1, high)}..{max(1, low)}")
