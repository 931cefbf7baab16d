"""Policies of bots for games, made now or kept from before."""

from __future__ import annotations

import pickle

from rulesdsl.agents.roster import Roster
from rulesdsl.machine.packing import pack_policy, unpack_policy
from rulesdsl.machine.policy import Policy, lower_bot
from rulesdsl.play.game import Game
from rulesdsl.text.files import are_unchanged, digests_of, files_read
from rulesdsl.text.kept import Kept

POLICIES = Kept("policy")


def policy_of(game: Game, roster: Roster, bot: str) -> Policy:
    """What a bot prefers in a game.

    Raises UsageError (no such bot) and RulesError (it has problems, or does not fit the options).
    """
    if not game.made_from:
        return lower_bot(roster.bot(bot, game.model), game.machine)
    name = repr((game.made_from, str(roster.path(bot))))
    content = POLICIES.read(name)
    if content is not None:
        files, packed = pickle.loads(content)
        if are_unchanged(files):
            return unpack_policy(packed, game.machine)
    with files_read() as read:
        policy = lower_bot(roster.bot(bot, game.model), game.machine)
    POLICIES.write(name, pickle.dumps((digests_of(read), pack_policy(policy, game.machine))))
    return policy
