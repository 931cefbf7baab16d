"""Secrecy of bots: what one prefers depends only on what its seat sees."""

from __future__ import annotations

from attrs import evolve, frozen

from rulesdsl.check import model as m
from rulesdsl.check.bots import ME, Bot, Line
from rulesdsl.check.visibility import walk_choices
from rulesdsl.check.visibility_reads import Env, Reader
from rulesdsl.check.visibility_secrets import OPEN, Key, covers, only, ordered
from rulesdsl.check.visibility_shown import Here
from rulesdsl.check.visibility_together import TogetherRules
from rulesdsl.text.problems import Problems, Second


def check_bot_secrets(bot: Bot, problems: Problems) -> None:
    """Complain about what a bot would know that its seat does not see."""
    reader = Reader(lambda what, span: together.reads(what, span))
    together = TogetherRules(problems, reader)
    secrets = _Secrets(bot, problems, reader)
    walk_choices(bot.model, secrets.at_choice)
    if bot.worth is not None:
        me = Key("local", bot.me)
        secrets.complain(bot.worth, me, Env().bind(bot.me, OPEN, me))


@frozen
class _Secrets:
    bot: Bot
    problems: Problems
    reader: Reader

    def at_choice(self, step: m.ChooseStep | m.ForStep, here: Here) -> None:
        """What is read for a choice, in each way that the rules lead to it."""
        lines = self.bot.decisions.get(step.span)
        if lines is None:
            return
        env = evolve(here.env, ahead=None)
        me = self.reader.key(lines.place.chooser, env)
        assert me is not None, "who chooses is a player"
        env = env.bind(self.bot.me, OPEN, me)
        for line in lines.lines:
            self._line(line, me, self._with_moves(line, env))

    def _with_moves(self, line: Line, env: Env) -> Env:
        """With the arguments of a move: the one who chooses sees what they may be."""
        for parameter in line.option.parameters:
            key = self.reader.key(parameter.fixed, env)
            env = env.bind(parameter.local, OPEN, key)
        return env

    def _line(self, line: Line, me: Key, env: Env) -> None:
        for expr in line.exprs():
            self.complain(expr, me, env)

    def complain(self, expr: m.Expr, me: Key, env: Env) -> None:
        """Tell of what an expression reads that the one who chooses does not see."""
        for secret in ordered(self.reader.label(expr, env)):
            if not covers(secret.sight, only(me), env.apart):
                who = ME if me.what is self.bot.me else me.name
                note = f"{who} does not see {secret.words()}"
                about = "A bot may use only what its seat sees."
                second = Second(secret.what.span, secret.modifier())
                self.problems.add("secret-in-guard", secret.span, note, second=second, about=about)
