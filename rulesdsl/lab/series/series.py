"""A series of games: which rules, who plays, which numbers."""

from __future__ import annotations

import shlex

from attrs import evolve, frozen


@frozen
class Series:
    """Games of one rule file, one number of players, one choice of options and one cast.

    All that is in it is plain, so it can be sent anywhere. Where seats rotate, seat s of the
    game of number n is played by bot (s + n) mod players of the cast, else by bot s.
    """

    file: str
    players: int
    options: tuple[tuple[str, str], ...]
    """Those that are set, by name, as users write them."""
    cast: tuple[str, ...]
    rotate: bool
    seed: int
    first: int
    games: int

    @property
    def numbers(self) -> range:
        """The numbers of the games; no two of a seed have to do with each other."""
        return range(self.first, self.first + self.games)

    def part(self, first: int, games: int) -> Series:
        """Other games under the same seed, played the same way."""
        return evolve(self, first=first, games=games)

    def bot(self, number: int, seat: int) -> int:
        """Who of the cast plays a seat in a game."""
        return (seat + number) % self.players if self.rotate else seat

    def names(self, number: int) -> tuple[str, ...]:
        """Who plays in a game, by seat."""
        return tuple(self.cast[self.bot(number, seat)] for seat in range(self.players))

    def command(self, game: str, number: int, seats: tuple[str, ...]) -> str:
        """What to type to watch one of the games; `game` is what the user calls the rules."""
        words = ["rulesdsl", "run", game, "--players", str(self.players)]
        names = self.names(number)
        if len(set(names)) == 1:
            words += ["--bot", names[0]]
        else:
            for seat, name in zip(seats, names, strict=True):
                words += ["--bot", f"{seat}={name}"]
        for option, value in self.options:
            words += ["--with", f"{option}={value}"]
        return shlex.join([*words, "--seed", str(self.seed), "--game", str(number)])
