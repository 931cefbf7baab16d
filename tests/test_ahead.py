"""Looking ahead: what is legal begins a longest sequence, as all paths tried one by one say."""

from __future__ import annotations

from random import Random

import pytest

from rulesdsl.compile import compile_rules
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.listing import listing
from rulesdsl.play.faults import IllegalMove
from rulesdsl.play.game import Game
from rulesdsl.text.source import Source

WALK = """\
rules: 1
game: walk
players: [walker, other]

sources:
  book: {{title: The Book of Walks, sections: [1, 2]}}

kinds:
  Spot: {{rows: [{spots}]}}

tables:
  way:
    maps: Spot, Spot -> 0..1
    columns: [{spots}]
    rows:
{rows}

state:
  shared: {{walked: 0..99}}
  each player: {{spot: Spot}}
  each Spot: {{used: 0..1}}

flow:
  - cite: book 1
  - repeat {most}, as many as possible:
      - walker chooses:
          go(x in Spot):
            cite: book 2
            where: way[walker.spot, x] > 0 and x.used < 1
            do:
              - {step}
              - walker.spot = x
      - walked += 1
  - other wins
"""

Graph = dict[int, list[int]]


def game_of(graph: Graph, most: int, step: str = "walker.spot.used = 1") -> Game:
    spots = [f"s{i}" for i in graph]
    rows = [f"      s{i}: [{', '.join(str(int(j in graph[i])) for j in graph)}]" for i in graph]
    text = WALK.format(spots=", ".join(spots), rows="\n".join(rows), most=most, step=step)
    return Game(compile_rules(Source("walk.yaml", text)))


def random_graph(random: Random, spots: int, ways: int) -> Graph:
    graph: Graph = {i: [] for i in range(spots)}
    for _ in range(ways):
        a, b = random.sample(range(spots), 2)
        graph[a].append(b)
        if random.random() < 0.7:
            graph[b].append(a)
    return graph


def paths(graph: Graph, path: list[int], most: int) -> list[list[int]]:
    """All ways to go on from a path that cannot be gone on any further."""
    if len(path) <= most:
        further = [paths(graph, [*path, x], most) for x in set(graph[path[-1]]) - {*path}]
        if further:
            return [way for ways in further for way in ways]
    return [path]


@pytest.mark.parametrize("seed", range(25))
def test_walks_are_the_longest_paths(seed: int) -> None:
    random = Random(seed)
    graph = random_graph(random, random.randint(2, 7), random.randint(1, 12))
    most = random.randint(1, 5)
    state = game_of(graph, most).start(seed)
    path = [0]
    while not state.is_over:
        ways = paths(graph, path, most)
        longest = [way for way in ways if len(way) == max(map(len, ways))]
        wanted = sorted({f"go s{way[len(path)]}" for way in longest})
        assert sorted(move.text for move in state.legal_moves(0)) == wanted
        move = random.choice(state.legal_moves(0))
        path.append(int(move.text.removeprefix("go s")))
        state.apply(move)
    assert len(path) == max(map(len, paths(graph, [0], most)))
    assert state.named()["state"]["walked"] == len(path) - 1  # type: ignore[index]


FORK = {0: [1, 2], 1: [3], 2: [], 3: []}


def test_a_dead_end_is_refused_by_the_loop() -> None:
    state = game_of(FORK, 2).start(1)
    with pytest.raises(IllegalMove) as caught:
        state.move("go s2", 0)
    assert caught.value.message == (
        "'go s2' is not possible: it leads to 1 of the 2 rounds that are possible "
        "(repeat 2, as many as possible)"
    )
    assert [cite.section for cite in caught.value.cites] == ["1"]
    with pytest.raises(IllegalMove) as caught:
        state.move("go s3", 0)
    assert [cite.section for cite in caught.value.cites] == ["2"]


def test_all_ways_of_asking_agree() -> None:
    state = game_of({0: [1, 2, 4], 1: [3], 2: [3], 3: [], 4: []}, 3).start(1)
    asked = state.asked(0)
    assert asked is not None
    assert [move.text for move in asked.moves()] == ["go s1", "go s2"]
    assert sum(map(len, asked.bundles())) == 2
    assert asked.has_option()
    assert state.move("go s1", 0) in state.legal_moves(0)
    assert "as many as possible of" in listing(state.rules.machine)


def test_what_is_tried_out_is_not_told() -> None:
    states = [game_of(FORK, 2).start(1) for _ in range(2)]
    for _ in range(3):
        states[0].legal_moves(0)
    assert list(states[0].log(0)) == list(states[1].log(0))
    assert states[0].record == states[1].record


def test_a_fault_ends_a_sequence_and_comes_up_when_it_is_met() -> None:
    graph = {0: [1, 2], 1: [3], 2: [3], 3: []}
    # from the second step on the number is too large
    state = game_of(graph, 2, "walker.spot.used = walked + 1").start(1)
    assert [move.text for move in state.legal_moves(0)] == ["go s1", "go s2"]
    state.apply("go s2")
    with pytest.raises(RuleFault, match="range"):
        state.apply("go s3")


def test_a_search_without_end_is_a_fault() -> None:
    graph = {i: [j for j in range(40) if j != i] for i in range(40)}
    with pytest.raises(RuleFault) as caught:
        game_of({**graph, 40: []}, 41).start(1)
    assert caught.value.kind == "limit"
