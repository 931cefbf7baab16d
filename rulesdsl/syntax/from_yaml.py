"""From the YAML of a rule file to its tree: every section, all independent problems at once."""

from __future__ import annotations

from rulesdsl.syntax.examples import Examples
from rulesdsl.syntax.fields import PLAYERS, Fields, TooManyProblems
from rulesdsl.syntax.sections import Sections
from rulesdsl.syntax.shape import EDITION, RULE_FILE
from rulesdsl.syntax.texts import Texts
from rulesdsl.syntax.tree import Body, FailsDecl, RuleFile, Word
from rulesdsl.syntax.variants.layers import Failing, Whole
from rulesdsl.syntax.variants.resolve import Resolver
from rulesdsl.syntax.yaml_nodes import Entry, List, Text
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source, Span


def read_rules(source: Source, problems: Problems, upto: int | None = None) -> RuleFile | None:
    """The tree of a rule file; None if it is so broken that nothing can be checked.

    What a file extends is part of it; `upto` takes the first of its changes only.
    """
    known = len(problems)
    whole = Resolver(problems).whole(source, upto)
    if whole is None or (len(whole.layers) > 1 and len(problems) > known):
        return None
    try:
        rules = _rule_file(whole, Sections(problems))
        return None if whole.is_broken else rules
    except TooManyProblems:
        return None


def resolved(source: Source) -> Whole:
    """A rule file and all that it extends, made one. Raises RulesError."""
    problems = Problems()
    whole = Resolver(problems).whole(source)
    problems.check()
    assert whole is not None
    return whole


def games_in(source: Source) -> tuple[str, ...]:
    """The name of the game of a rule file, and of those that it extends, the nearest first."""
    return _games(resolved(source))


def _games(whole: Whole) -> tuple[str, ...]:
    entries = [e for layer in reversed(whole.layers) for e in layer.own.entries]
    return tuple(
        entry.value.text
        for entry in entries
        if entry.key.text == "game" and isinstance(entry.value, Text)
    )


def read_head(source: Source) -> tuple[str, int, int]:
    """The title of a game, the fewest and the most players, without reading its rules."""
    whole, problems = resolved(source), Problems()
    read = Sections(problems)
    keys = {entry.key.text: entry for entry in whole.root.entries}
    _, low, high = _players(keys.get("players"), read)
    title = _prose(keys, "title", read) or _prose(keys, "game", read)
    problems.check()
    return title, low, high


def _rule_file(whole: Whole, read: Sections) -> RuleFile | None:
    node, layer = whole.played, whole.layers[-1]
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
        measures=read.measures(keys.get("measures")),
        texts=Texts(read.problems).texts(keys["texts"].value) if "texts" in keys else (),
        examples=Examples(read.problems).examples(keys["examples"].value)
        if "examples" in keys
        else (),
        data_files=tuple(file for layer in whole.layers for file in layer.files),
        extends=_games(whole)[1:],
        changes=tuple(change.decl for one in whole.layers for change in one.changes),
        fails=tuple(_fails(one, layer.source, read) for one in whole.failing),
    )
    return rules if {"game", "players", "flow"} <= set(keys) else None


def _fails(failing: Failing, source: Source, read: Sections) -> FailsDecl:
    """What is said to fail; only the file itself is held to it, not what it extends."""
    invariant = None if failing.is_example else read.invariant(Entry(failing.name, failing.value))
    change = failing.change
    strict = change.span.source is source
    return FailsDecl(change.span, failing.name.span, change.decl.because, strict, invariant)


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
