"""Play at random over many choices of players and options: faults, and what never came up."""

from __future__ import annotations

from itertools import combinations, product

from attrs import Factory, define

from rulesdsl.agents.random import RandomAgent
from rulesdsl.check.datatypes import BoolType, IntType, KindType
from rulesdsl.check.model import Model
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import default_of, option_text, settle_options
from rulesdsl.play.game import Game
from rulesdsl.play.state import check_invariants

Choice = tuple[tuple[str, int], ...]


@define
class Trial:
    """What random play has shown. `never` are rules that were not met: that proves nothing."""

    games: int = 0
    decisions: int = 0
    settings: int = 0
    checks: int = 0
    faults: list[str] = Factory(list)
    never: list[str] = Factory(list)


def play_at_random(model: Model, games: int) -> Trial:
    """Play so many games with random players, the choices of players and options in turn."""
    trial = Trial()
    choices = covering(model)
    trial.settings = min(games, len(choices))
    met: set[str] = set()
    known: dict[str, None] = {}
    made: dict[int, Game] = {}
    for number in range(games):
        index = number % len(choices)
        if index not in made:
            made[index] = game_of(model, choices[index])
            known |= dict.fromkeys(rules_of(made[index]))
        _play(made[index], number, trial, met)
    trial.never = [name for name in known if name not in met]
    return trial


def _play(game: Game, seed: int, trial: Trial, met: set[str]) -> None:
    agent = RandomAgent(seed)
    trial.games += 1
    try:
        state = game.start(seed)
        while not state.is_over:
            check_invariants(state)
            trial.checks += len(game.machine.invariants)
            player = state.to_act[0]
            met |= {f"option {move.name}" for move in state.legal_moves(player)}
            move = agent.choose(state, player)
            met.add(f"phase {game.machine.phases[state.record[1]]}")
            state.apply(move)
            trial.decisions += 1
    except RuleFault as fault:
        options = ", ".join(f"{name} {value}" for name, value in game.options.items())
        where = f"{game.players} players, {options or 'no options'}, seed {seed}"
        trial.faults.append(f"{fault}\n      ({where})")


def rules_of(game: Game) -> list[str]:
    """What play can meet: options of choices, and phases in which somebody chooses."""
    families = [f"option {family.name}" for family in game.machine.families]
    return list(dict.fromkeys(families))


def game_of(model: Model, choice: Choice) -> Game:
    """The game with a choice of players (under the name `players`) and options."""
    given = dict(choice)
    seats = given.pop("players")
    texts: dict[str, object] = {
        name: option_text(model.options[name], value) for name, value in given.items()
    }
    return Game(make_machine(model, *settle_options(model, seats, texts)))


# ------------------------------------------------------------------ covering choices


def covering(model: Model) -> list[Choice]:
    """Choices of players and options in which every pair of values comes together once."""
    axes = _axes(model)
    names = list(axes)
    open_pairs = {
        ((a, x), (b, y)) for a, b in combinations(names, 2) for x, y in product(axes[a], axes[b])
    }
    rows: list[Choice] = [tuple((name, axes[name][0]) for name in names)]
    open_pairs -= set(combinations(rows[0], 2))
    while open_pairs:
        first = min(open_pairs)
        row = dict(first)
        for name in names:
            if name not in row:
                row[name] = max(axes[name], key=lambda v, n=name: _gain(row, n, v, open_pairs))  # type: ignore[misc]
        choice = tuple((name, row[name]) for name in names)
        open_pairs -= set(combinations(choice, 2))
        rows.append(choice)
    return rows


def _gain(
    row: dict[str, int],
    name: str,
    value: int,
    open_pairs: set[tuple[tuple[str, int], tuple[str, int]]],
) -> int:
    """How many new pairs a value would bring together with what is chosen already."""
    mine = (name, value)
    return sum(
        ((other, chosen), mine) in open_pairs or (mine, (other, chosen)) in open_pairs
        for other, chosen in row.items()
    )


def _axes(model: Model) -> dict[str, list[int]]:
    """The values tried of the number of players and of each option, the defaults first."""
    least, most = model.players
    axes = {"players": list(range(least, most + 1))}
    settled: dict[str, int] = {}
    for option in model.options.values():
        default = default_of(model, option, least, settled)
        settled[option.name] = default
        match option.type:
            case BoolType():
                values = [0, 1]
            case KindType(kind):
                values = list(range(len(kind)))
            case IntType(low, high):
                values = [default] if high - low > 3 else list(range(low, high + 1))
            case _:
                values = [default]
        axes[option.name] = [default, *(value for value in values if value != default)]
    return axes
