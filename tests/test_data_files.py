"""Data files: rows, examples and rulings that stand beside the rule file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesdsl.compile import check_source
from rulesdsl.lab.page import outline
from rulesdsl.lab.reading import problems_of, read_game
from rulesdsl.play.loading import load
from rulesdsl.play.rules_hash import rules_hash
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.text import limits
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problem, Problems, RulesError
from rulesdsl.text.render import to_text
from rulesdsl.text.source import Source
from tests.command import rulesdsl

ORCHARD = Path(__file__).parent / "games" / "orchard.yaml"
FRUIT = "fruit,worth,copies\ncherry,1,9\napple,3,6\n"
MINE = """\
rules: 1
game: mine
players: 2
sources:
  rulings: {from: mine/rulings.yaml}
kinds:
  Fruit:
    columns: {worth: 1..6, copies: 1..9}
    rows: {from: mine/fruit.csv}
tables:
  price:
    cite: ruling fair
    maps: Fruit -> 0..9
    rows: {from: mine/price.csv}
state:
  shared: {trees: "bag of Fruit, hidden, starts with copies", total: 0..999}
flow:
  - total = price[cherry] * cherry.worth + size of trees
result:
  for p in players: {highest: total}
examples: {from: mine/examples.yaml}
"""
FILES = {
    "mine.yaml": MINE,
    "mine/rulings.yaml": "fair: fruit has its price\n",
    "mine/fruit.csv": FRUIT,
    "mine/price.csv": "fruit,price\ncherry,2\napple,5\n",
    "mine/examples.yaml": "- example: a cherry costs two\n  players: [A, B]\n"
    "  expect: {price[cherry]: 2}\n".replace("expect: {", "expect:\n    ").replace("2}", "2"),
}


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """The rule file among some files that are written into a folder."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "mine.yaml"


def problems(folder: Path, **changed: str | bytes) -> list[Problem]:
    """What is told of the rules with some files changed: `fruit_csv` is mine/fruit.csv."""
    named = {f"mine/{name.replace('_', '.')}": content for name, content in changed.items()}
    return problems_of(write(folder, {**FILES, **named}))


def told(found: Iterable[Problem], folder: Path) -> list[str]:
    """Place, code, underlined text, note and help of each problem."""
    return [
        f"{str(p.span)[len(str(folder)) + 1 :]} {p.code} [{p.span.text}] {p.note} | {p.help}"
        for p in found
    ]


def naming(folder: Path, name: str, section: str = "rows") -> list[str]:
    """What is told of rules that name this file for their fruit, or for another section."""
    line = {"rows": "mine/fruit.csv", "examples": "mine/examples.yaml"}[section]
    found = problems_of(write(folder, {**FILES, "mine.yaml": MINE.replace(line, name)}))
    return told(found, folder)


# ------------------------------------------------------------------ what is right


def test_rules_with_data_files_are_right(tmp_path: Path) -> None:
    assert told(problems(tmp_path), tmp_path) == []


def test_rows_mean_the_same_wherever_they_stand(tmp_path: Path) -> None:
    beside = rules_hash(check_source(read_source(write(tmp_path, {**FILES}))))
    inline = MINE
    for part, rows in {
        "{from: mine/fruit.csv}": "{cherry: [1, 9], apple: [3, 6]}",
        "{from: mine/price.csv}": "{cherry: 2, apple: 5}",
        "{from: mine/rulings.yaml}": "{fair: fruit has its price}",
        "\nexamples: {from: mine/examples.yaml}": "",
    }.items():
        assert part in inline
        inline = inline.replace(part, rows)
    assert rules_hash(check_source(Source("inline.yaml", inline))) == beside
    other = inline.replace("apple: 5", "apple: 4")
    assert rules_hash(check_source(Source("inline.yaml", other))) != beside


@pytest.mark.parametrize(
    "fruit",
    [
        "\ufeff" + FRUIT,
        FRUIT.replace("\n", "\r\n"),
        FRUIT.rstrip("\n"),
        " fruit , worth , copies \n\n  cherry,1 , 9\n,,\n# apples\n   \napple,3,6",
        '"fruit","worth","copies"\n"cherry","1", "9" \napple,3,6\n',
        "x,copies,worth\ncherry,9,1\napple,6,3\n",
    ],
    ids=["mark", "crlf", "no end", "blanks", "quotes", "order"],
)
def test_ways_to_write_the_same_rows(tmp_path: Path, fruit: str) -> None:
    wanted = read_game(write(tmp_path, {**FILES})).model
    found = read_game(write(tmp_path, {"mine/fruit.csv": fruit})).model
    assert rules_hash(found) == rules_hash(wanted)


def test_every_cell_has_its_place(tmp_path: Path) -> None:
    fruit = '\ufefffruit, copies,worth\r\n# none\r\n\r\n cherry ,"9", 1\r\napple,6,3\r\n'
    tree = read_game(write(tmp_path, {**FILES, "mine/fruit.csv": fruit})).tree
    (name, cells), _ = tree.kinds[0].rows
    places = [(one.span.text, one.span.line, one.span.column) for one in (name, *cells)]
    assert places == [("cherry", 4, 2), ("1", 4, 15), ("9", 4, 11)]


def test_a_quote_in_quotes_is_written_twice(tmp_path: Path) -> None:
    fruit = 'fruit,worth,copies\n"a ""b""",1,9\n'
    (found,) = (one for one in problems(tmp_path, fruit_csv=fruit) if one.code == "no-name")
    assert found.span.text == '"a ""b"""'
    assert found.help == "a_b,1,9"


def test_the_tree_knows_its_files() -> None:
    tree = read_game(ORCHARD).tree
    shown = "\n".join(outline(tree))
    assert [(file.holds, file.name) for file in tree.data_files][:3] == [
        ("rulings", "orchard/rulings.yaml"),
        ("rows of Season", "orchard/seasons.csv"),
        ("rows of Fruit", "orchard/fruit.csv"),
    ]
    assert "DataFile holds rows of Fruit, name orchard/fruit.csv" in shown
    assert "cherry" not in shown


def test_a_game_with_data_files_is_loaded_and_played() -> None:
    game = load(str(ORCHARD), players=3)
    state = game.start(seed=1)
    while not state.is_over:
        state.apply(state.legal_moves(state.to_act[0])[0])
    assert state.outcome is not None


def run(*arguments: str, folder: Path) -> tuple[int, str, str]:
    """A command in a folder: exit code, output, error output."""
    return rulesdsl(*arguments, cwd=folder, cache=folder / "cache")


def test_a_game_is_copied_with_its_data_files(tmp_path: Path) -> None:
    assert run("new", "one.yaml", "--copy", str(ORCHARD), folder=tmp_path)[0] == 0
    assert "well formed" in run("test", "one.yaml", "--games", "2", folder=tmp_path)[1]
    assert run("new", "two.yaml", "--copy", str(ORCHARD), folder=tmp_path)[0] == 0
    (tmp_path / "orchard" / "fruit.csv").write_text("mine", encoding="utf-8")
    code, _, err = run("new", "three.yaml", "--copy", str(ORCHARD), folder=tmp_path)
    assert code == 2
    assert "fruit.csv is there already" in err
    assert not (tmp_path / "three.yaml").exists()


def test_a_playlog_of_rules_with_data_files(tmp_path: Path) -> None:
    run("new", "one.yaml", "--copy", str(ORCHARD), folder=tmp_path)
    assert run("run", "one.yaml", "--seed", "4", folder=tmp_path)[0] == 0
    assert "rules and playlog agree" in run("replay", "last", "--verify", folder=tmp_path)[1]
    fruit = tmp_path / "orchard" / "fruit.csv"
    fruit.write_text(fruit.read_text("utf-8").replace("9,", "8,"), encoding="utf-8")
    assert run("replay", "last", "--verify", folder=tmp_path)[0] == 1


# ------------------------------------------------------------------ which file is named

AT = "mine.yaml:9:18"
WHOLE = "copy the file into the folder of the rule file, and name it from there"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("/etc/rows.csv", f"file-outside [/etc/rows.csv] a file is named from the folder of "
         f"the rule file, not by a whole path | {WHOLE}"),
        ("C:/rows.csv", f"file-outside [C:/rows.csv] a file is named from the folder of the "
         f"rule file, not by a whole path | {WHOLE}"),
        ("mine/../mine/fruit.csv", "file-outside [mine/../mine/fruit.csv] `..` leads out of the "
         f"folder; what is named stands in the rule file's or below it | {WHOLE}"),
        ("mine\\fruit.csv", "no-data-file [mine\\fruit.csv] folders are separated by `/` | "
         "rows: {from: mine/fruit.csv}"),
        ("mine/friut.csv", "no-data-file [mine/friut.csv] there is no `friut.csv` in `mine`; did "
         "you mean `fruit.csv`? | rows: {from: mine/fruit.csv}"),
        ("mine/Fruit.csv", "no-data-file [mine/Fruit.csv] there is no `Fruit.csv` in `mine`; did "
         "you mean `fruit.csv`? | rows: {from: mine/fruit.csv}"),
        ("cards.csv", "no-data-file [cards.csv] there is no `cards.csv` beside the rule file | "
         "write a file of this name, or name one that is beside the rule file"),
        ("mine.yaml/fruit.csv", "no-data-file [mine.yaml/fruit.csv] `mine.yaml` is a file, and "
         "nothing stands in it | name `mine.yaml` alone"),
        ("folder.csv", "no-data-file [folder.csv] `folder.csv` is a folder | name a file in it"),
        ("mine/fruit.txt", "file-ending [mine/fruit.txt] the name of a data file ends in .yaml, or "
         "in .csv if it holds rows | save the rows in a file that ends in .yaml or .csv"),
        ("mine", "file-ending [mine] the name of a data file ends in .yaml, or in .csv if it holds "
         "rows | save the rows in a file that ends in .yaml or .csv"),
        ("[a.csv, b.csv]", "no-data-file [[a.csv, b.csv]] the name of one file stands here | "
         "from: rows.yaml"),
        ('""', "no-data-file [] the name of one file stands here | from: rows.yaml"),
    ],
    ids=lambda value: value.partition(" ")[0],
)  # fmt: skip
def test_a_file_that_cannot_be_named(tmp_path: Path, name: str, expected: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    (found,) = naming(tmp_path, name)
    place, _, rest = found.partition(" ")
    assert rest == expected
    assert place.startswith("mine.yaml:9:")


def test_examples_are_no_rows(tmp_path: Path) -> None:
    assert naming(tmp_path, "mine/fruit.csv", "examples") == [
        "mine.yaml:21:18 file-ending [mine/fruit.csv] a CSV file holds rows only; examples stand "
        "in a YAML file | save the examples in a file that ends in .yaml"
    ]


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    found = problems(tmp_path, fruit_csv=b"#" * (limits.FILE_BYTES + 1))
    assert told(found, tmp_path) == [
        f"{AT} file-too-large [mine/fruit.csv] with `mine/fruit.csv` the data files have more than "
        "1,000,000 bytes together | leave out what the game does not need"
    ]


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    found = problems(tmp_path, fruit_csv="fruit,worth,copies\nKäse,1,2\n".encode("cp1252"))
    assert told(found, tmp_path) == [
        f"{AT} not-utf8 [mine/fruit.csv] `mine/fruit.csv` is not UTF-8 text | save it as UTF-8; "
        "spreadsheets call it CSV UTF-8"
    ]
    assert found[0].second is not None
    assert str(found[0].second.span).endswith("fruit.csv:2:2")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_that_leads_outside(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    write(outside, {"rows.csv": FRUIT, "mine/fruit.csv": FRUIT})
    write(inside, {**FILES})
    (inside / "linked.csv").symlink_to(outside / "rows.csv")
    (inside / "folder").symlink_to(outside)
    (inside / "round.csv").symlink_to(inside / "round.csv")
    (inside / "gone.csv").symlink_to(inside / "nothing.csv")
    (inside / "good.csv").symlink_to(inside / "mine" / "fruit.csv")
    assert naming(inside, "linked.csv") == [
        f"{AT} file-outside [linked.csv] `linked.csv` is a link that leads out of the folder of the"
        " rule file | copy the file to the place of the link"
    ]
    assert "file-outside" in naming(inside, "folder/rows.csv")[0]
    assert "`round.csv` is no file" in naming(inside, "round.csv")[0]
    assert "`gone.csv` is no file" in naming(inside, "gone.csv")[0]
    assert naming(inside, "good.csv") == []
    # a rule file may itself be reached by a link
    (tmp_path / "link").symlink_to(inside)
    assert problems_of(tmp_path / "link" / "mine.yaml") == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    assert "`pipe.csv` is no file" in naming(tmp_path, "pipe.csv")[0]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="may read everything")
def test_a_file_that_nobody_may_read(tmp_path: Path) -> None:
    rules = write(tmp_path, {**FILES})
    (tmp_path / "mine" / "fruit.csv").chmod(0)
    assert "cannot be read: Permission denied" in problems_of(rules)[0].note


def test_nothing_stands_beside_the_name(tmp_path: Path) -> None:
    rules = MINE.replace("{from: mine/fruit.csv}", "{from: mine/fruit.csv, plum: [1, 2]}")
    found = told(problems_of(write(tmp_path, {**FILES, "mine.yaml": rules})), tmp_path)
    assert found == [
        "mine.yaml:9:34 misplaced-from [plum] `from` names the file with all rows; nothing stands "
        "beside it | move it into the file"
    ]


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("rows: mine/fruit.csv", "9:11 wrong-shape [mine/fruit.csv] a data file is named with "
         "`from` | rows: {from: mine/fruit.csv}"),
        ("rows: {form: mine/fruit.csv}", "9:12 unknown-key [form] did you mean `from`? | "
         "rows: {from: mine/fruit.csv}"),
        ("from: mine/fruit.csv", "9:5 misplaced-from [from] `from` stands behind `rows` | "
         "rows: {from: mine/fruit.csv}"),
        ("row: {from: mine/fruit.csv}", "9:5 unknown-key [row] a kind has no such key; did you "
         "mean `rows`? | rows: {from: mine/fruit.csv}"),
    ],
)  # fmt: skip
def test_near_misses(tmp_path: Path, wrong: str, expected: str) -> None:
    rules = MINE.replace("rows: {from: mine/fruit.csv}", wrong)
    found = told(problems_of(write(tmp_path, {**FILES, "mine.yaml": rules})), tmp_path)
    assert found == [f"mine.yaml:{expected}"]


@pytest.mark.parametrize("columns", ["[worth, copies]", "worth", "{}", ""])
def test_columns_that_are_wrong(tmp_path: Path, columns: str) -> None:
    rules = MINE.replace("{worth: 1..6, copies: 1..9}", columns)
    assert problems_of(write(tmp_path, {**FILES, "mine.yaml": rules}))


def test_help_for_rulings_and_gaps(tmp_path: Path) -> None:
    found = problems(tmp_path, rulings_yaml="fair: fruit: yes\n")
    assert [problem.help for problem in found] == ['fair: "fruit: yes"']
    found = problems(tmp_path, price_csv="fruit,price\ncherry,2\n")
    assert [problem.help for problem in found] == ["a row `apple,...`, or `else,...` for the rest"]


def test_a_text_without_a_folder_has_no_files() -> None:
    with pytest.raises(RulesError) as error:
        check_source(Source("text", MINE))
    assert [(p.code, p.span.text) for p in error.value.problems] == [
        ("misplaced-from", name)
        for name in (
            "mine/rulings.yaml",
            "mine/fruit.csv",
            "mine/price.csv",
            "mine/examples.yaml",
        )
    ]
    assert error.value.problems[1].note == (
        "these rules are a text without a folder, so no file stands beside them"
    )
    assert error.value.problems[1].help == "write the rows here, or read the rules from a file"


def test_a_data_file_names_no_other(tmp_path: Path) -> None:
    found = problems(tmp_path, rulings_yaml="from: mine/more.yaml\n")
    assert told(found, tmp_path) == [
        "mine/rulings.yaml:1:1 misplaced-from [from] a data file holds the rulings; it names no "
        "other file | write the rulings here"
    ]


def test_a_data_file_does_not_hold_its_key(tmp_path: Path) -> None:
    text = "examples:\n  - example: x\n    players: [A, B]\n    expect: {total: 0}\n"
    assert told(problems(tmp_path, examples_yaml=text), tmp_path) == [
        "mine/examples.yaml:1:1 wrong-shape [examples] the file holds what stands below "
        "`examples:`, without this key | delete the line, and begin the lines below it further left"
    ]


def test_not_too_many_files(tmp_path: Path) -> None:
    kinds = "".join(f"  K{i}: {{rows: {{from: k.csv}}}}\n" for i in range(20))
    rules = MINE.replace("kinds:\n", "kinds:\n" + kinds)
    found = problems_of(write(tmp_path, {**FILES, "mine.yaml": rules, "k.csv": "k\na\n"}))
    assert {(p.code, p.note) for p in found} == {
        ("too-large", "a rule file may name 20 data files")
    }


# ------------------------------------------------------------------ what stands in a file

HEADER = "The first line names the columns: one for the member, then each of the others."


@pytest.mark.parametrize(
    ("fruit", "expected"),
    [
        ("", "1:1 empty-file [] nothing stands in this file | "
         "write the rows here, below their header"),
        ("# none\n\n", "1:1 empty-file [] nothing stands in this file | "
         "write the rows here, below their header"),
        ("fruit;worth;copies\ncherry;1;9\n", "1:6 csv-separator [;] commas stand between the "
         "cells, not semicolons | fruit,worth,copies"),
        ("fruit\tworth\tcopies\ncherry\t1\t9\n", "1:6 csv-separator [\t] commas stand between the "
         "cells, not tabs | fruit,worth,copies"),
        ("cherry,1,9\napple,3,6\n", "1:8 csv-header [1] there is no column 1 | name,worth,copies"),
        ("fruit,worht,copies\n", "1:7 csv-header [worht] there is no column worht; did you mean "
         "`worth`? | name,worth,copies"),
        ("fruit,worth,worth\n", "1:13 csv-header [worth] the column worth stands here a second "
         "time | name,worth,copies"),
        ("# first\nfruit,worth\n", "2:1 csv-header [fruit,worth] no column for copies | "
         "name,worth,copies"),
        ("fruit,worth,copies,\n", "1:20 csv-header [] a column without a name | name,worth,copies"),
        ('fruit,worth,copies\n"cherry,1,9\n', '2:1 csv-quote ["cherry,1,9] this quote is not '
         "closed on its line | take the quotes away"),
        ('fruit,worth,copies\ncherry,"1"2,9\n', '2:11 csv-quote [2] behind the closing quote '
         "stands the comma | take the quotes away"),
        ('fruit,worth,copies\nche"rry,1,9\n', '2:4 csv-quote ["] quotes stand round a whole cell; '
         "within one, each is written twice | take the quotes away"),
        (FRUIT + "plum,1\n", "4:6 row-length [1] 1 cell behind the member, for 2 columns | "
         "one cell for each column, with a comma between them"),
        (FRUIT + "plum\n", "4:1 row-length [plum] 0 cells behind the member, for 2 columns | "
         "one cell for each column, with a comma between them"),
        (FRUIT + "plum,1;2\n", "4:6 row-length [1;2] 1 cell behind the member, for 2 columns "
         "| plum,1,2"),
        (FRUIT + "plum,1,2,3\n", "4:6 row-length [1,2,3] 3 cells behind the member, for 2 columns "
         "| one cell for each column, with a comma between them"),
        (FRUIT + "plum,7,2\n", "4:6 out-of-range [7] "),
        (FRUIT + "plum,1,\n", "4:8 empty-value [] "),
        (FRUIT + "apple,1,2\n", "4:1 duplicate-key [apple] the row of `apple` stands here a second "
         "time | delete one of them"),
        (FRUIT + "a plum,1,2\n", "4:1 no-name [a plum] a member is a name: a letter, then letters, "
         "digits and `_` | a_plum,1,2"),
        (FRUIT + ",1,2\n", "4:1 empty-value [] the member of this row is missing | write its name "
         "before the comma"),
        (FRUIT + "plum,1 + ,2\n", "4:8 incomplete [+] "),
        (FRUIT + "plum,\u00a01,2\n", "4:6 pasted-character [\u00a0] a no-break or wide space "
         "(U+00A0) | plum, 1,2"),
        (FRUIT + "\tplum,1,2\n", "4:1 pasted-character [\t] a tab | plum,1,2"),
        (FRUIT + "plum,\u201c1\u201d,2\n", "4:6 pasted-character [\u201c] a curly quote (U+201C) | "
         "plum,1,2"),
        (FRUIT + "pl\u200bum,1,2\n", "4:3 pasted-character [\u200b] a character that nobody sees "
         "(U+200B) | plum,1,2"),
        (FRUIT + "plum,1,2\r", "4:9 hidden-character [\r] a line break that not every program sees "
         "(U+000D) | delete it, or type the line anew"),
        (FRUIT + "plum,1,2\n\x00", "5:1 hidden-character [\x00] "),
        (FRUIT + f"{'x' * 1001},1,2\n", "4:1 too-large [x] 1,001 characters; a cell may have 1,000 "
         "| give a part a name under define"),
    ],
    ids=lambda value: ascii(value)[-30:],
)  # fmt: skip
def test_rows_that_are_wrong(tmp_path: Path, fruit: str, expected: str) -> None:
    found = told(problems(tmp_path, fruit_csv=fruit), tmp_path)
    found = [one for one in found if not one.startswith(("mine/price.csv", "mine.yaml"))]
    assert len(found) == 1, found
    assert found[0].startswith(f"mine/fruit.csv:{expected}"), found


@pytest.mark.parametrize(
    ("price", "expected"),
    [
        ("fruit,price\ncherry,2\nplum,5\n", ["3:1 unknown-name [plum]"]),
        ("fruit,price\ncherry,2\n", ["2:1 table-gap [cherry]"]),
        ("fruit,price\ncherry,2\napple,10\n", ["3:7 out-of-range [10]"]),
        ("fruit,price,more\ncherry,2,1\n", ["1:1 csv-header [fruit,price,more]"]),
        ("fruit,price\ncherry,2\napple\n", ["3:1 row-length [apple]"]),
        ("fruit,price\ncherry,2\ncherry,3\nelse,1\n", ["3:1 duplicate-key [cherry]"]),
        ("fruit,price\ncherry,apple\nelse,1\n", ["2:8 wrong-type [apple]"]),
    ],
)
def test_tables_that_are_wrong(tmp_path: Path, price: str, expected: list[str]) -> None:
    found = told(problems(tmp_path, price_csv=price), tmp_path)
    assert [one.partition("] ")[0] + "]" for one in found] == [
        f"mine/price.csv:{one}" for one in expected
    ], found


def test_a_table_of_two_domains(tmp_path: Path) -> None:
    rules = MINE.replace(
        "maps: Fruit -> 0..9", "maps: Fruit, Fruit -> 0..9\n    columns: [cherry, apple]"
    )
    rules = rules.replace("price[cherry]", "price[cherry, cherry]")
    write(tmp_path, {**FILES, "mine.yaml": rules})
    (tmp_path / "mine" / "examples.yaml").unlink()
    text = rules.partition("examples:")[0]
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "mine" / "price.csv").write_text("x,apple,cherry\ncherry,1,2\nelse,3,4\n")
    (table,) = read_game(tmp_path / "mine.yaml").model.tables.values()
    assert dict(table.cells) == {(0, 0): 2, (0, 1): 1, (1, 0): 4, (1, 1): 3}


def test_a_kind_without_columns_has_members_only(tmp_path: Path) -> None:
    kinds = "kinds:\n  Colour: {rows: {from: colours.csv}}\n"
    rules = MINE.replace("kinds:\n", kinds)
    files: dict[str, str | bytes] = {**FILES, "mine.yaml": rules}
    more = "colour\nred\nblue\nred\ngreen,1\n"
    found = told(problems_of(write(tmp_path, {**files, "colours.csv": more})), tmp_path)
    assert [one for one in found if "colours" in one] == [
        "colours.csv:4:1 duplicate-key [red] the row of `red` stands here a second time | "
        "delete one of them",
        "colours.csv:5:7 row-length [1] 1 cell behind the member, for 0 columns | "
        "one cell for each column, with a comma between them",
    ]


def test_problems_of_the_rule_file_come_first(tmp_path: Path) -> None:
    rules = MINE.replace("highest: total", "highest: totl")
    files = {**FILES, "mine.yaml": rules, "mine/fruit.csv": FRUIT + "plum,7,2\nelse,1,2\n"}
    rules_file = write(tmp_path / "a", {**files, "mine/price.csv": "x,y\ncherry,2\nelse,20\n"})
    names = [Path(p.span.source.name).name for p in problems_of(rules_file)]
    assert names == sorted(names, key=lambda name: name != "mine.yaml")
    assert len(set(names)) > 1


def test_how_it_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {**FILES, "mine/fruit.csv": FRUIT + "plum, 7, 2\n"})
    (tmp_path / "mine" / "price.csv").write_text("fruit,price\nelse,2\n", encoding="utf-8")
    assert to_text("mine.yaml", problems_of(Path("mine.yaml"))).splitlines()[:5] == [
        "mine.yaml: 1 problem, nothing was played",
        "",
        " 1  out-of-range        mine/fruit.csv:4:7",
        "      4 | plum, 7, 2",
        "                ^  this is 7; only 1..6 is allowed here",
    ]


def test_the_head_names_the_rule_file(tmp_path: Path) -> None:
    write(tmp_path, {**FILES, "mine/fruit.csv": FRUIT + "plum,7,2\n"})
    code, _, err = run("run", "mine.yaml", folder=tmp_path)
    assert code == 1
    assert err.startswith("mine.yaml: ")


# ------------------------------------------------------------------ anything at all


@pytest.mark.parametrize(
    "content",
    [
        "\t" * 300_000,
        "\u00a0," * 200_000,
        '"a",' * 200_000,
        " " * 900_000 + '"',
        '""' * 400_000,
        "a;b\n" * 200_000,
        "a,1,1\n" * 150_000,
    ],
    ids=lambda content: ascii(content[:9]),
)
def test_large_files_are_refused_soon(tmp_path: Path, content: str) -> None:
    start = process_time()
    assert problems(tmp_path, fruit_csv="fruit,worth,copies\n" + content)
    assert process_time() - start < 8


PIECES = st.sampled_from(
    [b"fruit,worth,copies\n", b"cherry,1,9\n", b"\n", b",", b'"', b"#", b"\t", b";",
     b"\xef\xbb\xbf",
     b"\r", b"\xc2\xa0", b"else", b"1", b"from: x.csv\n", b"- ", b": ", b"{", b"[", b"\xff",
     b"\x00",
     b"example: x\n", b"  players: [A, B]\n", "\u201c".encode(), b"x" * 1100, b" " * 50]
)  # fmt: skip
CONTENTS = st.binary(max_size=200) | st.lists(PIECES, max_size=12).map(b"".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=CONTENTS, name=st.sampled_from([name for name in FILES if name != "mine.yaml"]))
def test_no_content_ends_in_a_traceback(tmp_path: Path, content: bytes, name: str) -> None:
    rules = write(tmp_path, {**FILES, name: content})
    for problem in problems_of(rules):
        to_text("mine.yaml", [problem])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    name=st.text(max_size=20)
    | st.lists(st.sampled_from(["mine", "fruit.csv", "..", ".", "/"])).map("/".join)
)
def test_no_name_ends_in_a_traceback(tmp_path: Path, name: str) -> None:
    quoted = "'" + name.replace("'", "''") + "'"
    source = Source("mine.yaml", MINE.replace("mine/fruit.csv", quoted), tmp_path)
    write(tmp_path, {**FILES})
    read_rules(source, Problems())


LINKED = """\
rules: 1
game: linked
players: 2
kinds:
  Port: {rows: [venice, ancona, zara]}
  Route: {links: Port, rows: {from: mine/routes.csv}}
state:
  each player: {money: 0..9}
flow:
  - for p in players: p.money += count(q in neighbors of venice)
result:
  for p in players: {highest: p.money}
"""


def test_each_link_has_a_line_of_its_own(tmp_path: Path) -> None:
    routes = "port,linked to\nvenice,ancona\nvenice,zara\n"
    path = write(tmp_path, {"mine.yaml": LINKED, "mine/routes.csv": routes})
    assert read_game(path).model.kinds["Route"].members == ("venice_ancona", "venice_zara")
    write(tmp_path, {"mine/routes.csv": routes + "zara,venice\nzara,corfu\n"})
    assert told(problems_of(path), tmp_path) == [
        "mine/routes.csv:4:6 duplicate-name [venice] zara and venice are linked already | ",
        "mine/routes.csv:5:6 unknown-name [corfu] Port has no member corfu | ",
    ]


BAGS = """\
rules: 1
game: mine
players: 2
kinds:
  Good: {rows: [silk, iron]}
  Tile:
    columns: {worth: 1..9, gives: bag of Good}
    rows: {from: mine/tiles.csv}
state:
  each player: {money: 0..99}
flow:
  - for p in players: p.money += sum(tile.worth + size of tile.gives for tile in Tile)
result:
  for p in players: {highest: p.money}
"""


def test_a_bag_in_a_cell_is_words_with_blanks_between_them(tmp_path: Path) -> None:
    tiles = "tile,gives,worth\nmill,silk  iron silk,3\nhut,,1\n"
    path = write(tmp_path, {"mine.yaml": BAGS, "mine/tiles.csv": tiles})
    assert read_game(path).model.kinds["Tile"].bags["gives"].counts == ((2, 1), (0, 0))
    write(tmp_path, {"mine/tiles.csv": tiles + "inn,silk wool,2\nfort,silk,\n"})
    assert told(problems_of(path), tmp_path) == [
        "mine/tiles.csv:5:11 empty-value [] an expression is missing | ",
    ]
