"""Bot files and those that they extend, read; what is wrong with one."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.compile import check_bot, check_source
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.policy import lower_bot
from rulesdsl.machine.settings import settle_options
from rulesdsl.resources import GameNotFound, bundled_bots, find_game
from rulesdsl.syntax.bot_tree import BotFile
from rulesdsl.syntax.bots import read_bot
from rulesdsl.syntax.from_yaml import games_in
from rulesdsl.syntax.tree import Word
from rulesdsl.text.files import NoDataFile, find_data, read_source
from rulesdsl.text.problems import Problem, Problems, RulesError
from rulesdsl.text.spelling import nearest

_DEEP = 8
"""How many bots may extend one another."""


def bot_problems(path: Path) -> list[Problem]:
    """What is wrong with a bot file; nothing for a good one."""
    try:
        files = read_bots(path)
        model = check_source(read_source(_rules_of(files[0])))
        bot = check_bot(files, model)
        machine = make_machine(model, *settle_options(model, None, {}))
        lower_bot(bot, machine)
    except RulesError as error:
        return error.problems
    return []


def read_bots(path: Path) -> tuple[BotFile, ...]:
    """A bot file and those that it extends, the nearest first. Raises RulesError."""
    found: list[BotFile] = []
    source = read_source(path)
    while True:
        problems = Problems()
        bot = read_bot(source, problems)
        problems.check()
        assert bot is not None
        found.append(bot)
        if bot.extends is None:
            return tuple(found)
        if len(found) > _DEEP:
            note = f"bots may extend each other {_DEEP} deep; perhaps this leads in a circle"
            raise RulesError([Problem("extends-in-circle", bot.extends.span, note)])
        source = read_source(_extended(bot.extends))


def _extended(name: Word) -> Path:
    """The file of the bot that another one extends: `portus/beginner`, or a file beside it."""
    if name.text.endswith((".yaml", ".yml")):
        return _beside(name)
    game, _, bot = name.text.partition("/")
    bots = bundled_bots(game)
    if bot not in bots:
        near = nearest(bot, bots)
        note = f"no bot that comes with rulesdsl is called {name.text}"
        help = f"extends: {game}/{near}" if near else "extends: portus/beginner, or a file"
        raise RulesError([Problem("unknown-base", name.span, note, help=help)])
    return bots[bot]


def _beside(name: Word) -> Path:
    try:
        return find_data(name.span.source.folder or Path(), name.text)
    except NoDataFile as error:
        raise RulesError([Problem(error.code, name.span, error.note, help=error.help)]) from None


def _rules_of(bot: BotFile) -> Path:
    """The rule file of the game that a bot plays. Raises RulesError."""
    if bot.game.text.endswith((".yaml", ".yml")):
        return _beside(bot.game)
    try:
        return find_game(bot.game.text)
    except GameNotFound as error:
        help = f"for: {error.nearest[0]}" if error.nearest else "rulesdsl games lists the games"
        note = f"no game that comes with rulesdsl is called {bot.game.text}"
        raise RulesError([Problem("unknown-base", bot.game.span, note, help=help)]) from None


def game_of(bot: BotFile) -> str:
    """The name of the game in the file that a bot names."""
    return games_in(read_source(_rules_of(bot)))[0]
