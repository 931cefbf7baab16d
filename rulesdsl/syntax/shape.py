"""The shape of a rule file: every section, its keys and what they are for, in one table.

Reading uses it for the known keys, and the JSON Schema is made from it:
`python -m rulesdsl.syntax.shape > schemas/game.schema.json`, and with the word `bot` that of bots.
"""

from __future__ import annotations

import json
import sys
from typing import Any, TypeAlias

from attrs import frozen

Json: TypeAlias = dict[str, Any]

EDITION = "1"


@frozen
class Key:
    """A key of a section: its name, what it is for, the schema of its value."""

    name: str
    about: str
    value: Json
    required: bool = False

    @property
    def schema(self) -> Json:
        return {"description": self.about, **self.value}


@frozen
class Section:
    """A mapping with a closed set of keys; `patterns` are keys that are written by rule."""

    name: str
    about: str
    keys: tuple[Key, ...]
    patterns: tuple[Key, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(key.name for key in self.keys)

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(key.name for key in self.keys if key.required)

    @property
    def schema(self) -> Json:
        schema: Json = {"type": "object", "description": self.about}
        if self.keys:
            schema["properties"] = {key.name: key.schema for key in self.keys}
        if self.patterns:
            schema["patternProperties"] = {key.name: key.schema for key in self.patterns}
        if self.required:
            schema["required"] = list(self.required)
        return {**schema, "additionalProperties": False}


# ---------------------------------------------------------------------- values


def _ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def _map_of(value: Json) -> Json:
    return {"type": "object", "additionalProperties": value, "minProperties": 1}


def _list_of(value: Json) -> Json:
    return {"type": "array", "items": value}


def _any_of(*values: Json) -> Json:
    return {"anyOf": list(values)}


_SCALAR: Json = {"type": ["string", "number", "boolean"]}
_NAME: Json = {"type": "string", "pattern": r"^[^\W\d_]\w*$"}
_PROSE: Json = {"type": ["string", "number", "boolean"]}
_ABOUT = Key("about", "A few words for readers; shown by `show`.", _PROSE)
_CITE = Key(
    "cite",
    "The section or ruling that this carries out: `book D.1`, `ruling bid-order`, or a list.",
    _ref("cite"),
)


def _do(about: str) -> Key:
    return Key("do", about, _ref("body"), required=True)


_STATE = Key(
    "state",
    "Counters of its own, set anew each time it begins: `NAME: TYPE`.",
    _map_of(_SCALAR),
)

# ---------------------------------------------------------------------- sections

SOURCE = Section(
    "source",
    "A book with its sections.",
    (
        Key("title", "The title of the book.", _PROSE),
        Key("sections", "The sections that `cite` may name.", _list_of(_SCALAR), required=True),
    ),
)
OPTION_DECL = Section(
    "option",
    "A choice that is made before the game.",
    (
        Key(
            "type",
            "The values: `bool`, a range like `0..200`, or words: `[forbidden, punished]`.",
            _any_of(_SCALAR, _list_of(_SCALAR)),
            required=True,
        ),
        Key(
            "default",
            "The value unless another is chosen; may use other options.",
            _SCALAR,
            required=True,
        ),
        _ABOUT,
        _CITE,
    ),
)
DATA_FILE = Section(
    "data file",
    "A file beside the rule file with what would stand here.",
    (
        Key(
            "from",
            "The file, named from the folder of the rule file: `cards.yaml`, `mine/cards.csv`.",
            {"type": "string", "pattern": r"\.(yaml|csv)$"},
            required=True,
        ),
    ),
)
KIND = Section(
    "kind",
    "Members with columns.",
    (
        Key(
            "includes",
            "The kinds whose members are members of this one, too; before its own rows.",
            _any_of(_SCALAR, _list_of(_SCALAR)),
        ),
        Key(
            "made of",
            "`PART: KIND or LOW..HIGH`: a member for each choice of a value for each part.",
            _map_of(_SCALAR),
        ),
        Key("order", "`ring`: behind the last member comes the first.", {"const": "ring"}),
        Key(
            "columns",
            "What each member has: `NAME: TYPE`, or `NAME: bag of KIND`.",
            _map_of(_SCALAR),
        ),
        Key("links", "The kind whose members are linked, two by each member of this one.", _SCALAR),
        Key(
            "rows",
            "The members: a list of names, or `NAME: [a cell for each column]`; with `links` "
            "each link once: `NAME: [what it is linked to]`.",
            _any_of(
                _ref("data file"),
                _list_of(_SCALAR),
                _map_of(_any_of(_SCALAR, _list_of(_any_of(_SCALAR, _list_of(_SCALAR))))),
            ),
        ),
        _ABOUT,
        _CITE,
    ),
)
TABLE = Section(
    "table",
    "A table of values.",
    (
        Key(
            "maps",
            "From what to what: `1..51 -> 1..15`, `Card, Good -> 0..5`.",
            _SCALAR,
            required=True,
        ),
        Key("columns", "The members of the second key, one a column.", _list_of(_SCALAR)),
        Key(
            "rows",
            "A row for each member, number, range `2..4`, open range `9+`, or `else`.",
            _any_of(_ref("data file"), _map_of(_any_of(_SCALAR, _list_of(_SCALAR)))),
            required=True,
        ),
        _ABOUT,
        _CITE,
    ),
)
STATE_ENTRY = Section(
    "piece of state",
    "A number, a value or a place of the state.",
    (
        Key("type", "Its type and who sees it: `pile of Card, secret`.", _SCALAR, required=True),
        Key(
            "notes",
            "What is said about each component that lies there: `NAME: TYPE`.",
            _map_of(_SCALAR),
        ),
        _ABOUT,
        _CITE,
    ),
)
STATE_OWNER = Section(
    "state of an owner",
    "What there is once, for each player, or for each member of a kind: `NAME: TYPE`.",
    (_CITE,),
    (
        Key(
            r"^(?!cite$).+$",
            "`NAME: TYPE, secret, starts at VALUE`",
            _any_of(_SCALAR, _ref("piece of state")),
        ),
    ),
)
STATE = Section(
    "state",
    "All that changes in a game.",
    (
        Key("shared", "What there is once.", _ref("state of an owner")),
        Key("each player", "What each player has.", _ref("state of an owner")),
    ),
    (
        Key(r"^each (?!player$)\w+$", "What each member of a kind has.", _ref("state of an owner")),
        Key(
            r"^each player, each (?!player$)\w+$",
            "What each player has for each member of a kind.",
            _ref("state of an owner"),
        ),
    ),
)
DEFINE = Section(
    "definition",
    "A name for a value.",
    (Key("is", "The value: an expression.", _SCALAR, required=True), _ABOUT, _CITE),
)
MEASURE = Section(
    "measure",
    "A number or condition that is asked for when a game is over.",
    (Key("is", "The value: an expression.", _SCALAR, required=True), _ABOUT),
)
PROCEDURE = Section(
    "procedure",
    "Steps with a name, carried out where it is called.",
    (
        Key(
            "where", "Conditions that hold wherever it is called; else a fault.", _ref("conditions")
        ),
        _STATE,
        _do("The steps."),
        _ABOUT,
        _CITE,
    ),
)
PHASE = Section(
    "phase",
    "A part of the game.",
    (_STATE, _do("The steps."), _ABOUT, _CITE),
)
TRIGGER = Section(
    "trigger", "What happens whenever something happens.", (_do("The steps."), _ABOUT, _CITE)
)
OPTION = Section(
    "choice",
    "A choice of a player.",
    (
        Key(
            "where",
            "When it is allowed; each of a list is a reason of its own.",
            _ref("conditions"),
        ),
        _do("What choosing it does."),
        _ABOUT,
        _CITE,
    ),
)
AWARD = Section(
    "award",
    "Prizes for the first, the second and so on.",
    (
        Key(
            "by",
            "The value that decides, the highest first; the next in the list break ties.",
            _any_of(_SCALAR, _list_of(_SCALAR)),
            required=True,
        ),
        Key("prizes", "The prizes from the first place down.", _list_of(_SCALAR), required=True),
        Key(
            "ties",
            "`split rounded down`, `each gets the prize, places are used up`"
            " or `each gets the prize, none is skipped`.",
            _SCALAR,
            required=True,
        ),
    ),
)
RESULT_OF = Section(
    "result of a player",
    "How the players rank.",
    (
        Key("out", "Who is out of the running: a condition.", _SCALAR),
        Key(
            "highest",
            "The highest wins; the next in the list break ties.",
            _any_of(_SCALAR, _list_of(_SCALAR)),
        ),
        Key("score", "Named terms; their sum is ranked.", _map_of(_SCALAR)),
        Key("payoff", "What a player wins or loses.", _SCALAR),
    ),
)
RESULT = Section(
    "result",
    "Who wins at the end of the game.",
    (_CITE,),
    (Key(r"^for \w+ in players$", "How the players rank.", _ref("result of a player")),),
)
TEXTS = Section(
    "texts",
    "The words of a printed game: names, questions, sentences.",
    (
        Key("head", "Said above a printed game: what its short words mean.", _PROSE),
        Key(
            "names",
            "How a name of the rules is shown: `olive_oil: olive oil`; one and many: `card/cards`.",
            _map_of(_PROSE),
        ),
        Key(
            "prompts",
            "The question at a choice: `sell_lot / bid: '{bidder} may bid'`.",
            _map_of(_PROSE),
        ),
        Key(
            "moves",
            "The sentence of a move: `sell_lot / bid: '{bidder} {amount}'`.",
            _map_of(_PROSE),
        ),
        Key(
            "lines",
            "What is said when a phase, procedure, step or round is done; or `before` and `after`.",
            _map_of(_any_of(_PROSE, _ref("lines around a step"))),
        ),
    ),
)
LINES_AROUND = Section(
    "lines around a step",
    "What is said before and after.",
    (
        Key("before", "Said when it begins.", _PROSE),
        Key("after", "Said when it is done.", _PROSE),
    ),
)
EXAMPLE = Section(
    "example",
    "A piece of a game that must go like this.",
    (
        Key("example", "What it shows, in a few words.", _PROSE, required=True),
        _CITE,
        Key("players", "The seats: `[A, B, C]`.", _list_of(_SCALAR), required=True),
        Key(
            "options", "The options of this game; the others have their default.", _map_of(_SCALAR)
        ),
        Key(
            "cases",
            "Runs the example once a column: `NAME: [a, b, c]`, or `[[components], [others]]`.",
            _map_of(_list_of(_any_of(_SCALAR, _list_of(_SCALAR)))),
        ),
        Key("given", "How it stands before: `PLACE: VALUE`.", _ref("pairs")),
        Key("play", "What happens: calls, moves and checks, in order.", _ref("play")),
        Key("expect", "How it stands afterwards: `PLACE: VALUE`.", _ref("pairs")),
        Key("change", "By how much it changed: `PLACE: DIFFERENCE`.", _ref("pairs")),
    ),
)
PLAY = Section(
    "play item",
    "A check between the moves.",
    (
        Key("expect", "How it stands now: `PLACE: VALUE`.", _ref("pairs")),
        Key("change", "By how much it changed: `PLACE: DIFFERENCE`.", _ref("pairs")),
        Key("illegal", "A move that is refused: `A keep`.", _SCALAR),
        Key("because", "The rule that refuses it: `book D.1.c`.", _SCALAR),
        Key("ranking", "The seats from the first to the last.", _list_of(_SCALAR)),
        Key("winners", "The seats that win; an empty list is nobody.", _list_of(_SCALAR)),
    ),
    (
        Key(
            r"^legal for \w+$",
            "All legal moves of a seat, or how many: `6 moves`.",
            _any_of(_SCALAR, _list_of(_SCALAR)),
        ),
        Key(r"^\w+ sees$", "What a seat sees: `PLACE: VALUE`.", _ref("pairs")),
        Key(
            r"^dealt to .+$",
            "The next components that are dealt there.",
            _any_of(_SCALAR, _list_of(_SCALAR)),
        ),
        Key(r"^rolled .+$", "The next roll.", _SCALAR),
    ),
)
CHANGE = Section(
    "change",
    "One thing that is altered in what the file extends.",
    (
        Key("add to", "What gets something more: `kind Good`, `flow`, `result / score`.", _SCALAR),
        Key("add column to", "The table or kind that gets a column.", _SCALAR),
        Key(
            "set",
            "The value that is altered: `option pace / default`, `table bonus[1]`.",
            _SCALAR,
        ),
        Key(
            "replace",
            "The declaration that is written anew; with `in` the line: `procedure buy`.",
            _SCALAR,
        ),
        Key(
            "remove", "What is no longer there; with `in` the line: `setup / step cubes`.", _SCALAR
        ),
        Key("fails", "The example or invariant that does not hold any more.", _SCALAR),
        Key("in", "Where the line stands: `procedure buy`.", _SCALAR),
        Key("new", "What is added.", {}),
        Key("after", "What stands before the new thing.", _SCALAR),
        Key("before", "What stands behind the new thing.", _SCALAR),
        Key("at", "`first` or `last`.", {"enum": ["first", "last"]}),
        Key("rows", "The cells of a new column: `ROW: CELL`.", _map_of(_SCALAR)),
        Key("was", "What stands there now.", {}),
        Key("to", "What stands there from now on.", {}),
        Key("with", "What stands there instead; `nothing` for nothing.", {}),
        Key("because", "Why, in a few words.", _PROSE),
        _CITE,
    ),
)
STEP = Section(
    "step",
    "A step with steps below it.",
    (_CITE,),
    (
        Key(r"^(for|if|elif|while|repeat|together|step) .+$", "The steps.", _ref("body")),
        Key(r"^else$", "The steps if no condition before holds.", _ref("body")),
        Key(
            r"^(?!(for|if|elif|while|repeat|together|step|award|depending) ).+ secretly$",
            "What a player does unseen.",
            _ref("body"),
        ),
        Key(
            r"^(?!(for|if|elif|while|repeat|together|step|award|depending) )"
            r".+ (chooses|keeps choosing, .+)$",
            "The choices.",
            _ref("choices"),
        ),
        Key(r"^depending on .+$", "A case for each value.", _map_of(_ref("body"))),
        Key(r"^award .+$", "The prizes.", _ref("award")),
    ),
)
RULE_FILE = Section(
    "rule file",
    "The rules of a game.",
    (
        Key("rules", "The edition of the language: 1.", {"const": int(EDITION)}, required=True),
        Key(
            "game",
            "The name of the game: letters, digits and `_`.",
            _NAME,
            required=True,
        ),
        Key("title", "The name of the game as it is shown.", _PROSE),
        Key(
            "players",
            "How many play: `3..5`, or the names of the seats: `[white, black]`.",
            _any_of(_SCALAR, _list_of(_SCALAR)),
            required=True,
        ),
        Key("about", "What the game is about, in a few sentences.", _PROSE),
        Key(
            "extends",
            "What the file stands on: a game by its name, a file (`base.yaml`), or a list of them.",
            _any_of(_SCALAR, _list_of(_SCALAR)),
        ),
        Key("changes", "What is altered in what the file extends.", _list_of(_ref("change"))),
        Key(
            "sources",
            "The books and rulings that `cite` names.",
            _map_of(_any_of(_ref("source"), _ref("data file"), _map_of(_PROSE))),
        ),
        Key("options", "Choices that are made before the game.", _map_of(_ref("option"))),
        Key(
            "kinds",
            "Kinds of components and other members, named ranges, `every two of KIND`, and grids.",
            _map_of(_any_of(_SCALAR, _ref("kind"))),
        ),
        Key("tables", "Tables of values.", _map_of(_ref("table"))),
        Key("state", "All that changes in a game.", _ref("state")),
        Key("setup", "What is done before the first phase.", _any_of(_ref("body"), _ref("phase"))),
        Key("flow", "The course of the game: its phases in order.", _ref("body"), required=True),
        Key(
            "phases", "The phases that `flow` names.", _map_of(_any_of(_ref("body"), _ref("phase")))
        ),
        Key(
            "triggers",
            "What happens whenever something happens: `after move of Card: ...`.",
            _map_of(_any_of(_ref("body"), _ref("trigger"))),
        ),
        Key(
            "procedures",
            "Steps with a name and arguments.",
            _map_of(_any_of(_ref("body"), _ref("procedure"))),
        ),
        Key(
            "define",
            "Names for values: `credit(p in players): p.money + 7`.",
            _map_of(_any_of(_SCALAR, _ref("definition"))),
        ),
        Key("result", "Who wins at the end of the game.", _ref("result")),
        Key("invariants", "Conditions that hold at every moment of every game.", _map_of(_SCALAR)),
        Key(
            "measures",
            "What many games are compared by, asked when each is over: of each player "
            "`NAME(p in players): VALUE`, of the table `NAME: VALUE`.",
            _map_of(_any_of(_SCALAR, _ref("measure"))),
        ),
        Key("texts", "The words of logs and pages.", _ref("texts")),
        Key(
            "examples",
            "Pieces of games that must go as written.",
            _any_of(_ref("data file"), _list_of(_ref("example"))),
        ),
    ),
)
BOT_FILE = Section(
    "bot file",
    "A player as data: what he prefers where he has to choose.",
    (
        Key("bots", "The edition of this form: 1.", {"const": int(EDITION)}, required=True),
        Key("for", "The game: a name that comes with rulesdsl, or a file.", _SCALAR, required=True),
        Key("bot", "The name of the bot.", _NAME, required=True),
        Key("extends", "The bot whose lines come after these: `portus/beginner`.", _SCALAR),
        Key("about", "How he plays, in a few words.", _PROSE),
        Key(
            "define",
            "Names for values: `value(g in Good): 3 * worth(g)`; `me` is the one who chooses.",
            _map_of(_any_of(_SCALAR, _ref("definition"))),
        ),
        Key(
            "decisions",
            "For each choice, under one of its options, what is preferred, the best first: "
            "`sell_lot / bid: [pass if worth < 7, bid 7]`.",
            _map_of(_any_of(_SCALAR, _list_of(_SCALAR))),
            required=True,
        ),
        Key("worth", "What a position is worth to the one who sees it so.", _SCALAR),
        Key(
            "measures",
            "What many games are compared by, asked of each `me` when a game is over: "
            "`NAME: VALUE`.",
            _map_of(_any_of(_SCALAR, _ref("measure"))),
        ),
    ),
)
SECTIONS = (
    SOURCE,
    OPTION_DECL,
    DATA_FILE,
    KIND,
    TABLE,
    STATE,
    STATE_OWNER,
    STATE_ENTRY,
    DEFINE,
    MEASURE,
    PROCEDURE,
    PHASE,
    TRIGGER,
    OPTION,
    AWARD,
    RESULT,
    RESULT_OF,
    TEXTS,
    LINES_AROUND,
    EXAMPLE,
    PLAY,
    CHANGE,
    STEP,
)


def schema() -> Json:
    """The JSON Schema of a rule file."""
    cite = {"type": "string", "pattern": r"^\w+ \S"}
    defs: Json = {section.name: section.schema for section in SECTIONS}
    defs |= {
        "cite": _any_of(cite, _list_of(cite)),
        "conditions": _any_of(_SCALAR, _list_of(_SCALAR)),
        "body": {
            "description": "One step, a list of steps, or the word `nothing`.",
            **_any_of(_SCALAR, _list_of(_any_of(_SCALAR, _ref("step")))),
        },
        "choices": {
            "description": "The choices: `NAME(PARAMETER in DOMAIN): what it does`.",
            **_map_of(_any_of(_ref("body"), _ref("choice"))),
        },
        "pairs": {
            "description": "Places and their values: a number, `unseen`, or `[2 grain, wine]`.",
            **_map_of(_any_of(_SCALAR, _list_of(_SCALAR))),
        },
        "play": _list_of(_any_of(_SCALAR, _ref("play item"))),
    }
    verbs = ("add to", "add column to", "set", "replace", "remove", "fails")
    defs["change"]["oneOf"] = [{"required": [verb]} for verb in verbs]
    whole = RULE_FILE.schema
    always = [name for name in whole["required"] if name in ("rules", "game")]
    # what a file extends has the rest
    whole |= {"required": always}
    whole["anyOf"] = [{"required": ["extends"]}, {"required": [*RULE_FILE.required[2:]]}]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rules of a game",
        **whole,
        "$defs": defs,
    }


def bot_schema() -> Json:
    """The JSON Schema of a bot file."""
    cite = schema()["$defs"]["cite"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A bot",
        **BOT_FILE.schema,
        "$defs": {"cite": cite} | {one.name: one.schema for one in (DEFINE, MEASURE)},
    }


SCHEMAS = {"game": schema, "bot": bot_schema}


def schema_text(name: str = "game") -> str:
    """A JSON Schema as the text of its file."""
    return json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(*sys.argv[1:]), end="")
