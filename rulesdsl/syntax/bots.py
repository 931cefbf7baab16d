"""From the YAML of a bot file to its tree."""

from __future__ import annotations

from attrs import frozen

from rulesdsl.syntax.bot_tree import BotFile, Decision
from rulesdsl.syntax.fields import PREFERENCE, TooManyProblems
from rulesdsl.syntax.sections import Sections
from rulesdsl.syntax.shape import BOT_FILE, EDITION
from rulesdsl.syntax.texts import path_of
from rulesdsl.syntax.tree import Word
from rulesdsl.syntax.yaml_nodes import Entry, Map
from rulesdsl.syntax.yaml_reader import read_yaml
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source

FIRST_KEY = "bots"


def is_bot(source: Source) -> bool:
    """Whether a file says that it is a bot."""
    return any(line.startswith(f"{FIRST_KEY}:") for line in source.text.splitlines())


def read_bot(source: Source, problems: Problems) -> BotFile | None:
    """The tree of a bot file; None if it is so broken that nothing can be checked."""
    node = read_yaml(source, problems)
    if node is None:
        return None
    if not isinstance(node, Map):
        note = "a bot file is a mapping: it begins with `bots: 1` and `for: GAME`"
        problems.add("no-rule-file", node.span, note)
        return None
    keys = {entry.key.text: entry.key for entry in node.entries}
    if "rules" in keys and FIRST_KEY not in keys:
        note = "these are the rules of a game, not a bot"
        problems.add("no-rule-file", keys["rules"].span, note, help="rulesdsl run FILE")
        return None
    try:
        return _Bots(problems).bot(node)
    except TooManyProblems:
        return None


@frozen
class _Bots(Sections):
    """Reads a bot file."""

    def bot(self, node: Map) -> BotFile | None:
        keys = self.section(node, BOT_FILE)
        if FIRST_KEY in keys:
            edition = self.text(keys[FIRST_KEY].value, "the edition of bots")
            if edition is not None and edition.text != EDITION:
                note = f"this is edition {EDITION} of bots"
                self.problems.add("unknown-edition", edition.span, note, help=f"bots: {EDITION}")
        decisions = keys.get("decisions")
        bot = BotFile(
            span=node.span,
            game=self._plain(keys.get("for"), "the game") or Word(node.span, ""),
            name=self.name(keys["bot"].value, "a bot") if "bot" in keys else Word(node.span, ""),
            extends=self._plain(keys.get("extends"), "the other bot"),
            about=self.told(keys, "about"),
            defines=self.defines(keys.get("define")),
            decisions=()
            if decisions is None
            else self.each(decisions.value, "the decisions", self._decision),
            worth=self.expr(keys["worth"].value) if "worth" in keys else None,
            measures=self.measures(keys.get("measures")),
        )
        return bot if "for" in keys and "decisions" in keys else None

    def _plain(self, entry: Entry | None, what: str) -> Word | None:
        text = None if entry is None else self.text(entry.value, what)
        return None if text is None else Word(text.span, text.text)

    def _decision(self, entry: Entry) -> Decision:
        nodes = self.one_or_more(entry.value, "what is preferred")
        found = (self.parsed(PREFERENCE, node) for node in nodes)
        return Decision(path_of(entry.key), tuple(one for one in found if one is not None))
