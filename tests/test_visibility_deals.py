"""What deals tell: those by a condition, and those in which something goes aside."""

from __future__ import annotations

from tests.test_visibility import found, look


def test_a_deal_by_a_condition_tells_what_it_reads() -> None:
    by_hand = "- for p in players: deal up to 1 g where p.hand[g] > 0 from deck to market\n"
    assert found(by_hand) == [("secret-moves", "p.hand[g]")]
    by_place = "- for p in players: deal up to 1 g where market[g] < deck[g] from deck to p.hand\n"
    assert found(by_place) == []


ASIDE = """\
rules: 1
game: aside
players: 2
kinds:
  Star: {rows: [dim, clear]}
  Comet: {rows: [comet]}
state:
  shared:
    sky: deck of Star or Comet, hidden, starts with all, Comet goes to passed
    passed: bag of Comet
    number: 0..9
  each player:
    seen: bag of Star, secret, size seen
flow:
  - for p in players: deal up to 1 from sky to p.seen
triggers:
  after move of Star from sky to p.seen: number += 1
  after move of Comet from sky to passed: number += 2
result:
  for p in players:
    payoff: number
"""


def test_how_many_are_dealt_is_seen_whatever_goes_aside() -> None:
    assert look(ASIDE)[0] == []
    one_star = ASIDE.replace("from sky to p.seen:", "from sky to p.seen where x == dim:")
    problems, _ = look(one_star.replace("move of Star", "move of x in Star"))
    assert [problem.code for problem in problems] == ["secret-shown"]


def test_what_goes_aside_unseen_is_a_secret() -> None:
    unseen = ASIDE.replace("passed: bag of Comet", "passed: bag of Comet, hidden")
    problems, _ = look(unseen)
    assert [(problem.code, problem.span.text) for problem in problems] == [
        ("secret-shown", "deal up to 1 from sky to p.seen")
    ]
