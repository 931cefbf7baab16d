"""Decisions a second of the reference engine on Ostia: list the legal moves, take one, go on."""

from __future__ import annotations

import platform
import random
import time

import rulesdsl

GAMES, RUNS = 10, 5


def decisions(game: rulesdsl.Game, seed: int) -> int:
    """Play one random game; how many decisions it took."""
    chooser = random.Random(seed)
    state = game.start(seed=seed)
    number = 0
    while not state.is_over:
        player = state.to_act[0]
        state.apply(chooser.choice(state.legal_moves(player)))
        number += 1
    return number


def main() -> None:
    start = time.process_time()
    game = rulesdsl.load("ostia", players=4)
    made = time.process_time() - start
    rates = []
    for run in range(RUNS):
        start = time.process_time()
        number = sum(decisions(game, seed) for seed in range(run * GAMES, (run + 1) * GAMES))
        rates.append(number / (time.process_time() - start))
    rates.sort()
    print(
        f"reference engine, Ostia, 4 players: {rates[len(rates) // 2]:,.0f} decisions a second "
        f"({rates[0]:,.0f} to {rates[-1]:,.0f} over {RUNS} runs; goal: 5,000)"
    )
    print(f"from the rule file to the game: {made * 1000:.0f} ms")
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")


if __name__ == "__main__":
    main()
