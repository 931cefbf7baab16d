"""Problems as people and programs read them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdsl.text.problems import Problem, Problems, Second
from rulesdsl.text.render import WIDTH, to_json, to_sarif, to_text
from rulesdsl.text.source import Source, Span

TEXT = """\
rules: 1
game: mine
players: 3–5
options:
  starting_money: {type: 0..200, default: 55}
setup:
  - p.money = starting_mony
  - do: [pay(seller, best), end phase]
"""
MINE = Source("mine.yaml", TEXT)


def piece(text: str, source: Source = MINE) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text))


def problems() -> Problems:
    """Three problems, the last one added first."""
    found = Problems()
    found.add(
        "text-cut",
        piece("[pay(seller, best), end phase]"),
        "inside [ ] YAML cuts at every comma",
        about="it reads as three texts: `pay(seller`, `best)`, `end phase`",
        help="do:\n  - pay(seller, best)\n  - end phase",
    )
    found.add(
        "unknown-name",
        piece("starting_mony"),
        "there is no option of this name",
        second=Second(piece("starting_money"), "did you mean this one?"),
        help="- p.money = starting_money",
    )
    found.add(
        "pasted-character",
        piece("–"),
        "a dash from a text program (U+2013)",
        help="players: 3..5",
    )
    return found


def test_problems_as_text() -> None:
    expected = """\
mine.yaml: 3 problems, nothing was played

 1  pasted-character    mine.yaml:3:11
      3 | players: 3–5
                    ^  a dash from a text program (U+2013)
        help: players: 3..5

 2  unknown-name        mine.yaml:7:15
      7 |   - p.money = starting_mony
                        ^^^^^^^^^^^^^  there is no option of this name
      5 |   starting_money: {type: 0..200, default: 55}
            --------------  did you mean this one?
        help: - p.money = starting_money

 3  text-cut            mine.yaml:8:9
      8 |   - do: [pay(seller, best), end phase]
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^  inside [ ] YAML cuts at every comma
        it reads as three texts: `pay(seller`, `best)`, `end phase`
        help: do:
                - pay(seller, best)
                - end phase

More about one of them: rulesdsl help pasted-character
"""
    assert to_text("mine.yaml", list(problems())) == expected


def one(source: Source, span: Span, second: Second | None = None, about: str = "") -> list[str]:
    """The lines about one problem, without head and end."""
    problem = Problem("a-code", span, "a note", second, about)
    head, *lines, end = to_text(source.name, [problem], "nothing else").splitlines()
    assert head == f"{source.name}: 1 problem, nothing else"
    assert end == "More about this: rulesdsl help a-code"
    return lines[2:-1]


@pytest.mark.parametrize(
    ("line", "marked", "under"),
    [
        ("a: 漢字 b c", "b", "        ^"),
        ("a: 漢字 b c", "漢字", "   ^^^^"),
        ("a: e\u0301\u0301e b", "b", "      ^"),
        ("a:\tb", "b", "   ^"),
        ("a: \x1b[31mb", "b", "        ^"),
        ("a: \u202eb", "b", "    ^"),
    ],
)
def test_the_mark_stands_under_its_piece(line: str, marked: str, under: str) -> None:
    source = Source("x.yaml", line + "\r\nnext\n")
    shown, marks = one(source, piece(marked, source))
    assert shown[:10] == "      1 | "
    assert marks == " " * 10 + under + "  a note"
    assert not any(char < " " or char == "\u202e" for char in shown)


def test_long_lines_are_clipped_around_their_piece() -> None:
    for before in (0, 20, 95, 300, 990):
        source = Source("x.yaml", "a" * before + "HERE" + "b" * (1_000 - before))
        shown, marks = one(source, piece("HERE", source))
        at = marks.index("^^^^")
        assert shown[at : at + 4] == "HERE"
        assert len(shown) <= WIDTH + 16
    source = Source("x.yaml", "漢" * 300 + "HERE" + "漢" * 300)
    shown, marks = one(source, piece("HERE", source))
    assert marks.count("^") == 4
    source = Source("x.yaml", "a: " + "b" * 500)
    shown, marks = one(source, piece("b" * 500, source))
    assert shown.endswith("b...")
    assert marks.count("^") == shown.count("b")


def test_places_at_the_edges() -> None:
    source = Source("x.yaml", "\ufeffa:\nlast")
    assert one(source, Span(source, 1, 2)) == ["      1 | a:", "          ^  a note"]
    assert one(source, Span(source, 0, 0)) == ["      1 | a:", "          ^  a note"]
    assert one(source, Span(source, 3, 3)) == ["      1 | a:", "            ^  a note"]
    assert one(source, Span(source, 8, 8)) == ["      2 | last", "              ^  a note"]
    assert one(source, Span(source, 1, 6)) == ["      1 | a:", "          ^^  a note"]
    empty = Source("x.yaml", "")
    assert one(empty, Span(empty, 0, 0)) == ["          a note"]


def test_a_second_place_on_the_same_line_or_in_another_file() -> None:
    same = Second(piece("p.money"), "here")
    assert one(MINE, piece("starting_mony"), same) == [
        "      7 |   - p.money = starting_mony",
        "                        ^^^^^^^^^^^^^  a note",
        "              -------  here",
    ]
    other = Source("cards.yaml", "rows: [a]\n")
    assert one(MINE, piece("mine"), Second(piece("a", other), "here"))[2:] == [
        "        in cards.yaml:1:8",
        "      1 | rows: [a]",
        "                 -  here",
    ]


def test_a_long_explanation_is_wrapped() -> None:
    lines = one(MINE, piece("mine"), about="word " * 60)[2:]
    assert len(lines) > 2
    assert all(line.startswith("        word") and len(line) <= WIDTH for line in lines)


def test_problems_as_json() -> None:
    found = json.loads(to_json(problems()))
    assert [problem["code"] for problem in found] == [
        "pasted-character",
        "unknown-name",
        "text-cut",
    ]
    assert found[1] == {
        "code": "unknown-name",
        "note": "there is no option of this name",
        "file": "mine.yaml",
        "line": 7,
        "column": 15,
        "end_line": 7,
        "end_column": 28,
        "second": {
            "note": "did you mean this one?",
            "file": "mine.yaml",
            "line": 5,
            "column": 3,
            "end_line": 5,
            "end_column": 17,
        },
        "help": "- p.money = starting_money",
    }
    assert json.loads(to_json([])) == []


def test_problems_as_sarif() -> None:
    log = json.loads(to_sarif(problems(), "1.2"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("rulesdsl", "1.2")
    assert run["columnKind"] == "unicodeCodePoints"
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert driver["rules"][result["ruleIndex"]]["shortDescription"]["text"]
    second = run["results"][1]
    assert second["level"] == "error"
    assert second["message"]["text"] == (
        "there is no option of this name\nhelp: - p.money = starting_money"
    )
    place = second["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "mine.yaml"},
        "region": {"startLine": 7, "startColumn": 15, "endLine": 7, "endColumn": 28},
    }
    (related,) = second["relatedLocations"]
    assert related["physicalLocation"]["region"]["startLine"] == 5
    assert related["message"]["text"] == "did you mean this one?"
    assert "relatedLocations" not in run["results"][0]


def test_sarif_has_uris() -> None:
    source = Source("my games\\é #1.yaml", "a")
    log = json.loads(to_sarif([Problem("a-code", Span(source, 0, 1), "x")], "1"))
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "my%20games/%C3%A9%20%231.yaml"


@given(st.text(max_size=300), st.integers(0, 300), st.integers(0, 300), st.text(max_size=30))
def test_any_place_of_any_text_is_shown(text: str, start: int, length: int, note: str) -> None:
    source = Source("x.yaml", text)
    start = min(start, len(text))
    span = Span(source, start, min(start + length, len(text)))
    shown = to_text("x.yaml", [Problem("a-code", span, note, Second(span, note), note, note)])
    assert all(len(line) <= 3 * WIDTH for line in shown.split("\n"))
    assert "\x1b" not in shown
    json.loads(to_json([Problem("a-code", span, note)]))
