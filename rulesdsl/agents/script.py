"""A bot made ready for the rules of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.preferring import Preferring
from rulesdsl.machine.policy import Policy, lower_bot
from rulesdsl.play.asking import Asked
from rulesdsl.play.rules import Rules
from rulesdsl.play.state import State
from rulesdsl.text.problems import RulesError

if TYPE_CHECKING:
    from rulesdsl.check.bots import Bot


@define(eq=False)
class Script:
    """What a bot prefers in a game for one number of players and one choice of options."""

    policy: Policy
    rules: Rules
    _preferring: Preferring = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._preferring = Preferring(self.policy, self.rules.engine.function)

    @classmethod
    def of(cls, bot: Bot, rules: Rules) -> Script:
        """The bot made ready. Raises RulesError if a line names what is not known where it is
        asked."""
        return cls(lower_bot(bot, rules.machine), rules)

    @classmethod
    def fitting(cls, bot: Bot, rules: Rules) -> Script | None:
        """The bot made ready; None if a line names what is not known where it is asked."""
        try:
            return cls.of(bot, rules)
        except RulesError:
            return None

    @property
    def has_worth(self) -> bool:
        return self.policy.worth is not None

    def worth(self, state: State, player: int) -> int:
        """What a position is worth to a player, as the bot sees it."""
        asked = state.asked(player)
        scene = list(state.record) if asked is None else asked.scene
        return self._preferring.worth(scene, player)

    def measured(self, record: list[int], player: int) -> dict[str, int]:
        """What the bot measures of a player in a record in which the game is over."""
        return self._preferring.measured(record, player)

    def preferred(self, asked: Asked, bundles: list[Bundle]) -> list[Bundle]:
        """The moves of the first line that leads to any, one as good as the other."""
        return self._preferring.preferred(asked.stop.number, asked.scene, asked.player, bundles)
