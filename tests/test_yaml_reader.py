"""Reading YAML: places, what is refused and in which words, bounds, and nothing that escapes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rulesdsl.resources import find_game
from rulesdsl.syntax.yaml_events import FAST, PLAIN, Loader
from rulesdsl.syntax.yaml_reader import Empty, Entry, List, Map, Node, Text, read_yaml
from rulesdsl.text import limits
from rulesdsl.text.codes import CODES
from rulesdsl.text.problems import Problem, Problems
from rulesdsl.text.render import to_json, to_sarif, to_text
from rulesdsl.text.source import Source

LOADERS = pytest.mark.parametrize("loader", [FAST, PLAIN], ids=["fast", "plain"])


def reading(text: str, loader: Loader = FAST) -> tuple[Node | None, list[Problem]]:
    problems = Problems()
    node = read_yaml(Source("mine.yaml", text), problems, loader)
    return node, list(problems)


def good(text: str, loader: Loader = FAST) -> Node:
    node, problems = reading(text, loader)
    assert problems == []
    assert node is not None
    return node


def told(text: str, loader: Loader = FAST) -> list[tuple[str, int, str, str]]:
    """Of each problem its code, line, underlined piece and help."""
    return [(p.code, p.span.line, p.span.text, p.help) for p in reading(text, loader)[1]]


def plain(node: Node | None) -> object:
    """A node without its places."""
    match node:
        case Text():
            return node.text
        case List():
            return [plain(item) for item in node.items]
        case Map():
            return {entry.key.text: plain(entry.value) for entry in node.entries}
        case Empty() | None:
            return None


def placed(node: Node | None) -> object:
    """A node with every place, to be compared across sources."""
    match node:
        case Text(span=s):
            return s.start, s.end, node.text, node.exact, node.quoted, node.block
        case List(span=s):
            return s.start, s.end, [placed(item) for item in node.items]
        case Map(span=s):
            return s.start, s.end, [(placed(e.key), placed(e.value)) for e in node.entries]
        case Empty(span=s):
            return s.start, s.end
        case None:
            return None


def entries(node: Node) -> tuple[Entry, ...]:
    assert isinstance(node, Map)
    return node.entries


def texts(node: Node) -> list[Text]:
    """Every key and value, in file order."""
    match node:
        case Text():
            return [node]
        case List():
            return [text for item in node.items for text in texts(item)]
        case Map():
            return [text for e in node.entries for text in (e.key, *texts(e.value))]
        case Empty():
            return []


# ------------------------------------------------------------------ what is read


@LOADERS
def test_nothing_is_resolved(loader: Loader) -> None:
    text = "a: NO\non: 010\n1: 4:1\nx: 2024-13-45\nn: ~\ne:\nq: ''\nl: [yes, 1.5, +3]\n"
    assert plain(good(text, loader)) == {
        "a": "NO",
        "on": "010",
        "1": "4:1",
        "x": "2024-13-45",
        "n": "~",
        "e": None,
        "q": "",
        "l": ["yes", "1.5", "+3"],
    }


@LOADERS
def test_headers_and_lines_are_keys_and_texts(loader: Loader) -> None:
    text = "- for p in players: p.bid = 0\n- bid(n in 1..4, g in Good):\n    - pay(p, n)\n- pass:\n"
    assert plain(good(text, loader)) == [
        {"for p in players": "p.bid = 0"},
        {"bid(n in 1..4, g in Good)": ["pay(p, n)"]},
        {"pass": None},
    ]


@LOADERS
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_places_are_exact(start: str, end: str, loader: Loader) -> None:
    lines = ["jeu: Ô 𝒳 é", "b : c # d", "\"q\": 'r s'", 'l: [a, "b", {c: d}]', "- x", "t:"]
    text = start + end.join([*lines[:4], "z:", "  - x", lines[5]]) + end
    for one in texts(good(text, loader)):
        assert one.exact
        assert one.span.text == one.text
        assert one.at(0, 1).text == one.text[:1]
    node = good(text, loader)
    assert [(e.key.span.line, e.key.span.column) for e in entries(node)] == [
        (1, 1),
        (2, 1),
        (3, 2),
        (4, 1),
        (5, 1),
        (7, 1),
    ]
    last = entries(node)[-1].value
    assert isinstance(last, Empty)
    assert (last.span.line, last.span.column) == (7, 3)
    assert entries(node)[3].value.span.text == '[a, "b", {c: d}]'


@LOADERS
def test_what_does_not_map_exactly_has_one_place(loader: Loader) -> None:
    node = good(
        "a: 'it''s'\nb: \"x\\u00e9\"\nc: |\n  two\n  lines\n\nd: >-\n  one\n  line\n", loader
    )
    values = [e.value for e in entries(node)]
    assert [(v.text, v.span.text) for v in values if isinstance(v, Text)] == [
        ("it's", "'it''s'"),
        ("xé", '"x\\u00e9"'),
        ("two\nlines\n", "|\n  two\n  lines"),
        ("one line", ">-\n  one\n  line"),
    ]
    assert [v.exact for v in values if isinstance(v, Text)] == [False] * 4
    assert [(v.quoted, v.block) for v in values if isinstance(v, Text)] == [
        (True, False),
        (True, False),
        (False, True),
        (False, True),
    ]
    found = [v.at(0, 1) == v.span for v in values if isinstance(v, Text)]
    assert found == [True, True, False, False]


@LOADERS
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("head", ["|", ">", "|-", "|+", "| # so", ">2"])
def test_words_of_blocks_have_their_places(head: str, end: str, loader: Loader) -> None:
    lines = ["x: 1", f"c: {head}", "  two – words", "", "    more: {of}  ", "  them  and # that"]
    node = good(end.join([*lines, "", "d: 2", ""]), loader)
    text = next(one.value for one in entries(node) if one.key.text == "c")
    assert isinstance(text, Text)
    for word, line in [("words", 3), ("–", 3), ("{of}", 5), ("them", 6), ("and", 6), ("that", 6)]:
        at = text.text.index(word)
        span = text.at(at, at + len(word))
        assert (span.text, span.line) == (word, line)
    some = text.at(text.text.index("more"), text.text.index("and"))
    assert some.text.split() == ["more:", "{of}", "them"]
    assert text.at(0, len(text.text)).text.split()[0] == "two"


@LOADERS
def test_prose_holds_any_character(loader: Loader) -> None:
    text = (
        "about: “a – b”… 3×4\n"
        "title: 'Ostia – “the” harbor\t'\n"
        "a: 1   # “note” – with\ttab\n"
        "sources:\n  book: {title: Ostia – a game, sections: [A]}\n"
        "  rulings:\n    seats: who – “most recently” – sits\n"
        "b: |\n  – any “thing”\n  \tgoes\n"
        "texts:\n  moves:\n    pass: “no” – thanks\n"
        'c: "x – y"\n'
    )
    assert reading(text, loader)[1] == []


# ------------------------------------------------------------------ what is refused

SLIPS: list[tuple[str, str, tuple[str, int, str, str]]] = [
    # two colons
    ("a:\n  title: X: The Y\n", "title", ("second-colon", 2, ":", 'title: "X: The Y"')),
    ("title: “X: Y”\n", "curly title", ("second-colon", 1, ":", 'title: "X: Y"')),
    (
        "f:\n  - p chooses: pass: nothing\n",
        "two headers",
        ("second-colon", 2, ":", "- p chooses:\n    pass: nothing"),
    ),
    (
        "x:\n  bid(amount: 1..4):\n    - y\n",
        "typed parameter",
        ("second-colon", 2, ":", "bid(amount in 1..4):"),
    ),
    ("f:\n  - if a: b\n    else: if c: d\n", "else if", ("second-colon", 3, ":", "elif c: d")),
    # no colon, no blank, no dash
    ("f:\n  - if a\n      - b\n", "no colon", ("header-without-colon", 2, "a", "- if a:")),
    (
        "f:\n  sell(p in players)\n    do:\n      - x\n",
        "no colon before a key",
        ("header-without-colon", 2, ")", "sell(p in players):"),
    ),
    ("state\n  a:\n    b: 1\n", "section", ("header-without-colon", 1, "e", "state:")),
    ("a: 1\nplayers:3..5\nb: c\n", "blank", ("colon-without-blank", 2, ":", "players: 3..5")),
    ("f:\n  - a = 1\n    b = 2\n", "no dash", ("step-without-dash", 3, "b = 2", "- b = 2")),
    ("f:\n  - a = 1\n  b = 2\n", "no dash left", ("step-without-dash", 3, "b = 2", "- b = 2")),
    (
        "f:\n  - a = 1\n    if b:\n      - c\n",
        "header",
        ("step-without-dash", 3, "if b:", "- if b:"),
    ),
    (
        "f:\n  - if a:\n      - b\n    else: - c\n",
        "dash behind colon",
        ("dash-behind-colon", 4, "-", "else:\n  - c"),
    ),
    # indents
    ("s:\n    a: 1\n  b: 2\n", "between", ("indentation", 3, "b: 2", "begin it in column 1 or 5")),
    (
        "s:\n  a: 1\n    b: 2\n",
        "too deep",
        ("indentation", 3, "b: 2", "begin it in column 3, or give the line above a colon"),
    ),
    (
        "b: c\n- a\n",
        "list among keys",
        ("indentation", 2, "- a", "indent it under the key it belongs to"),
    ),
    # joined and cut
    ("- x = a\n  + b\n", "continued", ("joined-lines", 2, "+ b", "- x = a + b")),
    (
        "f:\n  - a = 1\n    - b\n",
        "over",
        ("joined-lines", 3, "- b", "- b   (not deeper than the line above)"),
    ),
    (
        "about: some\n  more\n",
        "prose",
        (
            "joined-lines",
            2,
            "more",
            "about: >-\n  (the text, indented, on as many lines as it needs)",
        ),
    ),
    ("a: 'b\n  c'\n", "quoted", ("joined-lines", 2, "c'", "a: 'b c'")),
    (
        "do: [pay(seller, best), end phase]\n",
        "list cut",
        (
            "text-cut",
            1,
            "[pay(seller, best), end phase]",
            "do:\n  - pay(seller, best)\n  - end phase",
        ),
    ),
    (
        "x: {pass: a, bid(p in b, n in 1..3): c, keep: pay(p, 1)}\n",
        "map cut",
        (
            "text-cut",
            1,
            "{pass: a, bid(p in b, n in 1..3): c, keep: pay(p, 1)}",
            "x:\n  pass: a\n  bid(p in b, n in 1..3): c\n  keep: pay(p, 1)",
        ),
    ),
    (
        "highest: [p.points, price[wine]]\n",
        "index in a list",
        ("text-cut", 1, "[p.points, price[wine]]", "highest:\n  - p.points\n  - price[wine]"),
    ),
    ("- x == #red\n", "comment", ("comment-cut", 1, "#red", "- x == red")),
    (
        "- if x == #red:\n    - y\n",
        "comment in a header",
        ("comment-cut", 1, "#red:", "- if x == red:"),
    ),
    # brackets and quotes
    ("a: [1, 2\nb: 3\n", "open list", ("open-bracket", 1, "[", "a: [1, 2]")),
    ("t:\n  rows: {1: 2\n  maps: x\n", "open map", ("open-bracket", 2, "{", "rows: {1: 2}")),
    ("a: ]\n", "stray", ("stray-comma", 1, "]", "delete it")),
    ('title: "X\nplayers: 3\n', "open quote", ("open-quote", 1, '"X', 'title: "X"')),
    ('a: "x\\y"\n', "escape", ("bad-escape", 1, "\\y", "double it: \\\\")),
    # signs that YAML keeps for itself
    ('- "red" == x\n', "quote at the start", ("text-start", 1, '"red" == x', "- red == x")),
    ("- @x\n", "at", ("text-start", 1, "@x", "- x")),
    ("- `x`\n", "backtick", ("text-start", 1, "`x`", "- x")),
    ("a: %x\n", "per cent", ("text-start", 1, "%x", "a: x")),
    ("- > 3\n", "greater", ("text-start", 1, "> 3", "begin the text with a name")),
    ("- | x\n", "bar", ("text-start", 1, "| x", "begin the text with a name")),
    ("- * 3\n", "times", ("text-start", 1, "* 3", "begin the text with a name")),
    ("- [a] + 1\n", "bracket", ("text-start", 1, "[a] + 1", "begin the text with a name")),
    ("- {a: 1} x\n", "brace", ("text-start", 1, "{a: 1} x", "begin the text with a name")),
    # what rule files do not use
    ("- !done\n", "tag", ("yaml-tag", 1, "!done", "- not done")),
    ("- &a and b\n", "anchor", ("yaml-anchor", 1, "&a", "delete it")),
    ("- *x\n", "alias", ("yaml-anchor", 1, "*x", "write it out here")),
    ("<<: x\n", "merge", ("yaml-merge", 1, "<<", "write the entries out")),
    ("? a\n: b\n", "complex", ("not-a-key", 1, "a", "write it as key: value")),
    ("x:\n  ?\n    a\n  : b\n", "complex below", ("not-a-key", 3, "a", "write it as key: value")),
    ("[a]: b\n", "list as key", ("not-a-key", 1, "[a]", "write it as key: value")),
    (": x\n", "no key", ("not-a-key", 1, ": x", "write a name there, or delete the colon")),
    ("{: x}\n", "no key", ("not-a-key", 1, "{: x}", "write a name there, or delete the colon")),
    (
        "a: 1\n---\nb: 2\n",
        "documents",
        ("several-documents", 2, "---", "one file holds one document: delete this line"),
    ),
    ("%YAML 1.1\n---\na: b\n", "directive", ("yaml-directive", 1, "%", "delete this line")),
    (
        "a: 1\nb: 2\na: 3\n",
        "twice",
        ("duplicate-key", 3, "a", "delete one of them; a new step begins with `- `"),
    ),
    # what editors paste
    ("players: 3–5\n", "range", ("pasted-character", 1, "–", "players: 3..5")),
    ("- x = a – b\n", "dash", ("pasted-character", 1, "–", "- x = a - b")),
    ("f:\n  – a\n  - b\n", "item", ("pasted-character", 2, "–", "- a")),
    ("- x == “red”\n", "curly", ("pasted-character", 1, "“", "- x == red")),
    ("f:\n\u00a0\u00a0- a\n  - b\n", "indent", ("pasted-character", 2, "\u00a0", "- a")),
    ("a： b\n", "wide colon", ("pasted-character", 1, "：", "a: b")),
    ("- a ≤ b\n", "sign", ("pasted-character", 1, "≤", "- a <= b")),
    ("a:\tb\n", "tab", ("pasted-character", 1, "\t", "a: b")),
    (
        "a:\n\t- b\n",
        "tab as indent",
        ("tab-indent", 2, "\t", "two spaces for each step to the right: YAML takes no tabs there"),
    ),
    (
        "a: b\u2028c\n",
        "line end",
        ("hidden-character", 1, "\u2028", "delete it, or type the line anew"),
    ),
    (
        "a: 'b\u202ec'\n",
        "turned",
        ("hidden-character", 1, "\u202e", "delete it, or type the line anew"),
    ),
    ("a: b\0\n", "zero", ("hidden-character", 1, "\0", "delete it, or type the line anew")),
    ('a: "\\x07"\n', "escaped", ("hidden-character", 1, '"\\x07"', "delete what begins with \\")),
    ("", "empty", ("empty-file", 1, "", "rules: 1")),
    ("# only a comment\n", "comment", ("empty-file", 1, "", "rules: 1")),
]


@LOADERS
@pytest.mark.parametrize(
    ("text", "problem"), [(t, p) for t, _, p in SLIPS], ids=[f"{p[0]}: {n}" for _, n, p in SLIPS]
)
def test_a_slip_is_told_in_one_problem(
    text: str, problem: tuple[str, int, str, str], loader: Loader
) -> None:
    assert told(text, loader) == [problem]
    assert problem[0] in CODES


@LOADERS
def test_independent_slips_are_told_in_one_go(loader: Loader) -> None:
    text = (
        "rules: 1\n"
        "title: A: b\n"
        "players: 3–5\n"
        "state:\n"
        "  shared:\n"
        "    x: [1, 2\n"
        "    y: 3\n"
        "flow:\n"
        "  - if a\n"
        "      - b\n"
        "  - c\n"
        "  - if d:\n"
        "      - e: f: g\n"
        "phases:\n"
        "  one: {a: 1, a: 2}\n"
        "  two:\n"
        "    - a\n"
        "   - b\n"
    )
    assert [(code, line) for code, line, _, _ in told(text, loader)] == [
        ("second-colon", 2),
        ("pasted-character", 3),
        ("open-bracket", 6),
        ("header-without-colon", 9),
        ("second-colon", 13),
        ("duplicate-key", 15),
        ("indentation", 18),
    ]


@LOADERS
def test_a_pasted_character_is_read_as_what_was_meant(loader: Loader) -> None:
    node, problems = reading("players: 3–5\na: x\u00a0== y\nb: [f(p, q), r]\n", loader)
    assert [p.code for p in problems] == ["pasted-character", "pasted-character", "text-cut"]
    assert plain(node) == {"players": "3..5", "a": "x == y", "b": ["f(p, q)", "r"]}


def test_both_places_of_a_double_key_and_a_joined_line_are_told() -> None:
    (double,) = reading("a: 1\na: 2\n")[1]
    assert double.second is not None
    assert (double.second.span.line, double.second.span.text) == (1, "a")
    node, (joined,) = reading("- x = a\n  + b\n")
    assert joined.second is not None
    assert joined.second.span.text == "x = a"
    assert plain(node) == ["x = a + b"]
    assert plain(reading("f:\n  - a = 1\n    - b\n")[0]) == {"f": ["a = 1"]}
    assert plain(reading("a: 1\na: 2\n")[0]) == {"a": "1"}


def test_the_same_character_on_many_lines_is_told_ten_times() -> None:
    problems = reading("".join(f"a{n}: 1–2\n" for n in range(300)))[1]
    assert len(problems) == 10
    assert problems[-1].about == "290 more lines have one"


# ------------------------------------------------------------------ bounds


@LOADERS
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: " + "b" * limits.FILE_BYTES, "file-too-large"),
        ("[" * 10_000, "too-large"),
        ("- " * 10_000, "too-large"),
        ("k" * (limits.KEY_LENGTH + 1) + ": a", "too-large"),
        ("k" * 2_000 + ": a\nb: c\n", "too-large"),
        ("a: " + "b" * (limits.YAML_TEXT + 1), "too-large"),
        ("{a: " * 10_000, "too-large"),
        ("\n".join(" " * n + "a:" for n in range(500)), "too-large"),
    ],
    ids=["bytes", "brackets", "dashes", "key", "long key", "text", "braces", "indents"],
)
def test_too_much_is_refused(text: str, code: str, loader: Loader) -> None:
    problems = reading(text, loader)[1]
    assert [p.code for p in problems] == [code]


@LOADERS
def test_too_many_texts_are_refused(loader: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "YAML_NODES", 1_000)
    node, problems = reading("a: [" + "b," * 1_000 + "]", loader)
    assert node is None
    assert [p.code for p in problems] == ["too-large"]


def test_so_much_may_be_wrong_that_nothing_more_is_looked_at() -> None:
    node, problems = reading("".join(f"a: {n}\n" for n in range(5_000)))
    assert node is None
    assert len(problems) == limits.PROBLEMS


def test_depth_and_keys_at_the_bound_are_read() -> None:
    good("[" * limits.YAML_DEPTH + "]" * limits.YAML_DEPTH)
    good("k" * limits.KEY_LENGTH + ": a\n")


# ------------------------------------------------------------------ nothing escapes, both agree


def sound(text: str) -> None:
    """Any text is read or told to be wrong, by both parsers alike."""
    source = Source("mine.yaml", text)
    results: list[tuple[object, bool]] = []
    for loader in (FAST, PLAIN):
        problems = Problems()
        node = read_yaml(source, problems, loader)
        assert node is not None or len(problems)
        for problem in problems:
            assert problem.code in CODES
            assert 0 <= problem.span.start <= problem.span.end <= len(text)
        to_text("mine.yaml", list(problems))
        to_json(problems)
        to_sarif(problems, "1")
        results.append((placed(node), len(problems) > 0))
    (fast, fast_wrong), (slow, slow_wrong) = results
    assert fast_wrong == slow_wrong
    assert fast_wrong or fast == slow


BITS = [
    *(": ", " #", "- ", "\n", "\n  ", "[", "]", "{", "}", '"', "'", "&a", "*b", "!t", "|", ">-"),
    *("? ", "%", "@", "`", "\t", "\u00a0", "–", "“", "\u2028", "\r\n", "\r", "\ufeff", ", ", "..."),
    *("---", "<<: ", "\\", "\0", "é", "𝒳", "  ", "\u200b", ":", "：", "~", "\\x", "#", "-", "\n\n"),
    *("\ud800", "a", "f(x, y)", "?", "\x85", "title: ", "about: ", "\n- ", "\n    "),
]


@example("|#")
@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(BITS), max_size=30).map("".join)))
def test_any_text_is_read_or_told(text: str) -> None:
    sound(text)


FILES = [find_game(name).read_text(encoding="utf-8") for name in ("ostia", "nim", "kuhn-poker")]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A piece of a bundled game with a few slips."""
    text = draw(st.sampled_from(FILES))
    start = text.rfind("\n", 0, draw(st.integers(0, len(text)))) + 1
    text = text[start : start + draw(st.sampled_from([80, 300, 1_000]))]
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 5))
        text = text[:at] + draw(st.sampled_from(["", *BITS])) + text[at + cut :]
    return text


@settings(max_examples=150, deadline=None)
@given(mutated())
def test_any_slip_is_read_or_told(text: str) -> None:
    sound(text)


@pytest.mark.parametrize("name", ["ostia", "nim", "kuhn-poker"])
def test_bundled_games_are_read_alike_and_exactly(name: str) -> None:
    text = Path(find_game(name)).read_text(encoding="utf-8")
    assert placed(good(text, FAST)) == placed(good(text, PLAIN))
    for one in texts(good(text)):
        assert one.exact or one.block or one.quoted
        assert not one.exact or one.span.text == one.text
