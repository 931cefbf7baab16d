"""Ostia in plain Python, as somebody writes it by hand who needs this one game.

The base rules for 3 to 5 players. Whoever decides is a function that gets a question, a seat and
all legal answers as a list, and returns one of them. Chance is a function that gives a number
below another. Nothing of rulesdsl is used here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from itertools import groupby
from typing import Protocol, TypeAlias, TypeVar

from attrs import Factory, define

Answer = TypeVar("Answer")
Below: TypeAlias = Callable[[int], int]


class Decide(Protocol):
    """Whoever plays: one of the legal answers to a question put to a seat."""

    def __call__(self, question: str, seat: int, answers: Sequence[Answer]) -> Answer: ...


class Good(IntEnum):
    IVORY = 0
    WOOD = 1
    WINE = 2
    OLIVE_OIL = 3
    TEXTILES = 4
    GRAIN = 5


Cards: TypeAlias = list[Good]
Chosen: TypeAlias = tuple[Good, ...]

MINIMUM = (9, 8, 7, 6, 5, 4)
COPIES = (6, 7, 8, 9, 10, 11)
SENATE_CARDS = (
    (4, 0, 2, 3, 1, 5),
    (0, 4, 3, 5, 2, 1),
    (1, 2, 0, 4, 5, 3),
    (2, 1, 5, 0, 3, 4),
    (3, 5, 1, 2, 4, 0),
    (5, 3, 4, 1, 0, 2),
)
FORUM_PRICES = (15, 12, 10, 8, 6, 4, 3, 2, 1)
TALON = {3: 4, 4: 2, 5: 0}
PRIZES = (3, 2, 1)
ROUNDS, SITES, TYPES = 5, 4, 3
MORTGAGE, LOAN, REPAYMENT, INTEREST, STOREHOUSE = 7, 7, 10, 2, 10


def selections(cards: Sequence[Good], least: int, most: int) -> Iterator[Chosen]:
    """Every different choice of so many of the cards, sorted; with few of the first goods first."""
    if not cards:
        if least <= 0:
            yield ()
        return
    good = cards[0]
    copies = cards.count(good)
    rest = cards[copies:]
    for number in range(max(0, least - len(rest)), min(copies, most) + 1):
        for others in selections(rest, least - number, most - number):
            yield (good,) * number + others


def remove_all(cards: Cards, chosen: Sequence[Good]) -> None:
    """Take the chosen cards out."""
    for card in chosen:
        cards.remove(card)


@define(eq=False)
class Player:
    """A merchant with what he owns."""

    seat: int
    money: int = 55
    points: int = 0
    storehouses: int = 1
    loans: int = 0
    auction: Cards = Factory(list)
    kept: Cards = Factory(list)
    forum: Cards = Factory(list)
    senate: Cards = Factory(list)
    stored: Cards = Factory(list)

    @property
    def credit(self) -> int:
        """What cash, storehouses and loans can raise."""
        return self.money + MORTGAGE * self.storehouses + LOAN * (SITES - self.loans)

    def pay(self, amount: int) -> None:
        """Mortgage storehouses first, then take loans; pay what there is."""
        self.mortgage_for(amount)
        while self.money < amount and self.loans < SITES:
            self.loans += 1
            self.money += LOAN
        self.money -= min(self.money, amount)

    def mortgage_for(self, amount: int) -> None:
        while self.money < amount and self.storehouses:
            self.storehouses -= 1
            self.money += MORTGAGE

    def repay_loans(self) -> None:
        repaid = min(self.loans, self.money // REPAYMENT)
        self.loans -= repaid
        self.money -= REPAYMENT * repaid

    def pay_interest(self) -> None:
        due = INTEREST * self.loans
        self.mortgage_for(due)
        self.money -= min(self.money, due)

    def worth(self, cards: Cards, senate_card: Sequence[int]) -> int:
        return sum(senate_card[card] for card in cards)


class Ostia:
    """One game, from the setup to the ranking."""

    def __init__(self, players: int, decide: Decide, below: Below, decks: int = 1) -> None:
        self.players = [Player(seat) for seat in range(players)]
        self.decide = decide
        self.below = below
        self.starter = 0
        self.deck = [good for good in Good for _ in range(decks * COPIES[good])]
        self.discard: Cards = []
        self.talon: Cards = []
        self.senate_deck = list(SENATE_CARDS)

    # ---------------------------------------------------------------- cards and seats

    def draw(self) -> Good:
        """A card of the deck, which stays sorted; if need be the discards become the deck."""
        if not self.deck:
            self.deck, self.discard = sorted(self.discard), []
        return self.deck.pop(self.below(len(self.deck)))

    def draw_senate_card(self) -> tuple[int, ...]:
        return self.senate_deck.pop(self.below(len(self.senate_deck)))

    def clockwise(self, first: int) -> list[Player]:
        """All players from a seat on."""
        return self.players[first:] + self.players[:first]

    def from_starter(self) -> list[Player]:
        return self.clockwise(self.starter)

    # ---------------------------------------------------------------- the course of the game

    def play(self) -> list[list[int]]:
        """To the end; the seats by rank, equal ones together."""
        self.set_up()
        for number in range(ROUNDS):
            self.harbor()
            self.office()
            self.open_forum()
            self.open_senate()
            for player in self.from_starter():
                self.use_storehouses(player)
            if number < ROUNDS - 1:
                self.next_round()
        self.end()
        return self.ranking()

    def set_up(self) -> None:
        for player in self.from_starter():
            player.kept.append(self.draw())
        self.removed = self.draw_senate_card()
        self.current = self.draw_senate_card()
        self.upcoming = self.draw_senate_card()

    def next_round(self) -> None:
        self.starter = (self.starter + 1) % len(self.players)
        self.current = self.upcoming
        if self.senate_deck:
            self.upcoming = self.draw_senate_card()

    # ---------------------------------------------------------------- harbor

    def harbor(self) -> None:
        for player in self.from_starter():
            player.auction = [self.draw() for _ in range(5)]
        for player in self.players:
            card = self.decide("keep one", player.seat, sorted(set(player.auction)))
            player.auction.remove(card)
            player.kept.append(card)
        for seller in self.from_starter():
            answers = list(selections(sorted(seller.auction), 2, 2))
            lot = self.decide("offer", seller.seat, answers)
            remove_all(seller.auction, lot)
            self.sell_lot(seller, lot)
        for seller in self.from_starter():
            lot = tuple(seller.auction)
            seller.auction.clear()
            self.sell_lot(seller, lot)

    def sell_lot(self, seller: Player, lot: Chosen) -> None:
        """Each of the others bids once or passes; the seller takes a bid or keeps the lot."""
        minimum = sum(MINIMUM[card] for card in lot)
        bids: dict[int, int] = {}
        for bidder in self.clockwise(seller.seat)[1:]:
            answers = [0, *range(minimum, bidder.credit + 1)]
            bid = self.decide("bid", bidder.seat, answers)
            if bid:
                bids[bidder.seat] = bid
        if not bids:
            seller.pay(-(-minimum // 2))
            seller.kept += lot
            return
        price = max(bids.values()) + 1
        buyers = sorted(bids)
        if price <= seller.credit:
            buyers.append(seller.seat)
        buyer = self.players[self.decide("sell", seller.seat, buyers)]
        if buyer is seller:
            seller.pay(price)
        else:
            bid = bids[buyer.seat]
            buyer.pay(bid)
            seller.money += bid // 2
        buyer.kept += lot

    # ---------------------------------------------------------------- office

    def office(self) -> None:
        self.talon = [self.draw() for _ in range(TALON[len(self.players)])]
        for player in self.players:
            self.lay_piles(player)

    def lay_piles(self, player: Player) -> None:
        """Of each good some cards to the Forum and some to the Senate; three goods at most."""
        types = 0
        for good in sorted(set(player.kept)):
            copies = player.kept.count(good)
            answers = [(0, 0)]
            if types < TYPES:
                for sold in range(copies + 1):
                    for donated in range(copies - sold + 1):
                        if sold or donated:
                            answers.append((sold, donated))
            sold, donated = self.decide("lay", player.seat, answers)
            if sold or donated:
                types += 1
                player.forum += [good] * sold
                player.senate += [good] * donated
                remove_all(player.kept, [good] * (sold + donated))

    # ---------------------------------------------------------------- forum and Senate

    def open_forum(self) -> None:
        offered = Counter(self.talon)
        for player in self.players:
            offered.update(player.forum)
        price = {
            good: FORUM_PRICES[min(number, len(FORUM_PRICES)) - 1]
            for good, number in offered.items()
        }
        for player in self.players:
            player.money += sum(price[card] for card in player.forum)
            self.discard += player.forum
            player.forum.clear()
        self.discard += self.talon
        self.talon = []

    def open_senate(self) -> None:
        donations = {p.seat: p.worth(p.senate, self.current) for p in self.players}
        self.award({seat: worth for seat, worth in donations.items() if worth})
        for player in self.players:
            self.discard += player.senate
            player.senate.clear()

    def award(self, ranked: dict[int, int]) -> None:
        """The prizes to the highest; equal ones share those of their places, rounded down."""
        place = 0
        for value in sorted(set(ranked.values()), reverse=True):
            equal = [seat for seat in ranked if ranked[seat] == value]
            share = sum(PRIZES[place : place + len(equal)]) // len(equal)
            for seat in equal:
                self.players[seat].points += share
            place += len(equal)

    # ---------------------------------------------------------------- storehouses

    def use_storehouses(self, player: Player) -> None:
        player.repay_loans()
        player.pay_interest()
        free = SITES - player.storehouses - player.loans
        if free > 0:
            most = min(free, player.money // STOREHOUSE)
            built = self.decide("build", player.seat, range(most + 1))
            player.money -= STOREHOUSE * built
            player.storehouses += built
        if len(player.kept) > player.storehouses:
            room = player.storehouses
            answers = list(selections(sorted(player.kept), room, room))
            stays = self.decide("keep", player.seat, answers)
            remove_all(player.kept, stays)
            self.discard += player.kept
            player.kept = list(stays)

    # ---------------------------------------------------------------- the end

    def end(self) -> None:
        """Which cards stay in storehouses, and how many of the empty ones are sold."""
        sales = []
        for player in self.players:
            houses = player.storehouses
            answers = [
                (stays, sold)
                for stays in selections(sorted(player.kept), 0, houses)
                for sold in range(houses - len(stays) + 1)
            ]
            stays, sold = self.decide("keep at the end", player.seat, answers)
            player.stored = list(stays)
            sales.append(sold)
        for player, sold in zip(self.players, sales, strict=True):
            player.points += len(set(player.stored))
            player.storehouses -= sold
            player.money += MORTGAGE * sold
            player.repay_loans()
        self.award({player.seat: player.money for player in self.players if not player.loans})

    def ranking(self) -> list[list[int]]:
        """Who owes a loan comes last, and does not win."""

        def standing(player: Player) -> tuple[bool, int, int, int, int]:
            stored = player.stored
            value = player.worth(stored, self.removed)
            return not player.loans, player.points, player.storehouses, len(stored), value

        order = sorted(self.players, key=standing, reverse=True)
        return [[player.seat for player in group] for _, group in groupby(order, standing)]
