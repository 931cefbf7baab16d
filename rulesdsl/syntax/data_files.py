"""What `from` names is read here: data files beside the rule file, put where they are named.

Whoever reads the rules on sees rows, examples and rulings as if they stood in the rule file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, evolve, field, frozen

from rulesdsl.syntax.csv_rows import Columns, read_csv
from rulesdsl.syntax.parser import replaced_line
from rulesdsl.syntax.shape import KIND, RULE_FILE
from rulesdsl.syntax.tree import DataFile
from rulesdsl.syntax.yaml_nodes import Entry, List, Map, Node, Text
from rulesdsl.syntax.yaml_reader import read_yaml
from rulesdsl.text import limits
from rulesdsl.text.files import NoDataFile, read_data
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Source, Span
from rulesdsl.text.spelling import nearest

FROM: Final = "from"
_ENDINGS: Final = (".yaml", ".csv")


@frozen
class _Part:
    """What a file holds a part of: `rows`, `examples` or `rulings`, and of what."""

    word: str
    of: str = ""
    columns: Columns | None = None
    """The columns of a CSV file; None where none can stand, or where they are wrong."""

    @property
    def told(self) -> str:
        return self.word if self.of in ("", self.word) else f"{self.word} of {self.of}"


@define
class DataFiles:
    """Reads the data files of one rule file."""

    problems: Problems
    files: list[DataFile] = field(factory=list)
    bytes_left: int = limits.DATA_BYTES
    broken: bool = False
    """Whether a file is missing that the rest of the rules cannot be checked without."""

    def put_in(self, root: Map) -> Map:
        """A rule file with what its data files hold in place of their names."""
        return _each(root, self._section)

    def _section(self, section: Entry) -> Node:
        match _meant(section.key, RULE_FILE.names), section.value:
            case "kinds", Map() as kinds:
                return _each(kinds, lambda kind: self._with_rows(kind, _columns_of_kind))
            case "tables", Map() as tables:
                return _each(tables, lambda table: self._with_rows(table, _columns_of_table))
            case "sources", Map() as sources:
                return _each(
                    sources, lambda one: self._read(one.value, _Part("rulings", one.key.text))
                )
            case "examples", node:
                return self._read(node, _Part("examples"))
            case _, node:
                return node

    def _with_rows(self, owner: Entry, columns_of: Callable[[Map], Columns | None]) -> Node:
        if not isinstance(owner.value, Map):
            return owner.value
        part = _Part("rows", owner.key.text, columns_of(owner.value))
        return Map(
            owner.value.span, tuple(self._with_these(key, part) for key in owner.value.entries)
        )

    def _with_these(self, key: Entry, part: _Part) -> Entry:
        """A key of a kind or table, `rows` with what its file holds."""
        if key.key.text == FROM:
            note, value = "`from` stands behind `rows`", key.value.span.text
            help = f"rows: {{from: {value}}}"
            self.problems.add("misplaced-from", key.key.span, note, help=help)
            self.broken = True
            return Entry(evolve(key.key, text="rows", exact=False), Map(key.value.span, ()))
        if _meant(key.key, KIND.names) == "rows":
            return Entry(key.key, self._read(key.value, part))
        return key

    # ------------------------------------------------------------------ one file

    def _read(self, node: Node, part: _Part) -> Node:
        """What a file holds, if the node names one."""
        match node:
            case Text(text=text) if text.endswith(_ENDINGS):
                note = "a data file is named with `from`"
                help = replaced_line(node.span, f"{{from: {text}}}")
                self.problems.add("wrong-shape", node.span, note, help=help)
                name = None
            case Map(entries=entries) if named := _named(node):
                name = self._name(entries, named, part)
            case _:
                return node
        found = None if name is None else self._content(name, part)
        if found is None:
            self.broken = True
            found = List(node.span, ()) if part.word == "examples" else Map(node.span, ())
        return found

    def _name(self, entries: tuple[Entry, ...], named: Entry, part: _Part) -> Text | None:
        """The name of a file, if one can be named here."""
        for entry in entries:
            if entry is not named:
                note = f"`from` names the file with all {part.word}; nothing stands beside it"
                second, help = Second(named.key.span, "the file"), "move it into the file"
                self.problems.add("misplaced-from", entry.key.span, note, second=second, help=help)
                return None
        if named.key.text != FROM:
            help = replaced_line(named.key.span, FROM)
            self.problems.add("unknown-key", named.key.span, "did you mean `from`?", help=help)
            return None
        match named.value:
            case Text(text=text) as name if text:
                return name
            case value:
                note, help = "the name of one file stands here", f"from: {part.word}.yaml"
                self.problems.add("no-data-file", value.span, note, help=help)
                return None

    def _content(self, name: Text, part: _Part) -> Node | None:
        source = self._source(name, part)
        if source is None:
            return None
        if name.text.endswith(".csv"):
            # columns that are wrong are told when their kind or table is read
            columns = part.columns
            return None if columns is None else read_csv(source, columns, self.problems)
        node = read_yaml(source, self.problems, prose=part.word == "rulings")
        return node if node is not None and self._is_part(node, part) else None

    def _source(self, name: Text, part: _Part) -> Source | None:
        """The text of a file; what hinders is told where the file is named."""
        rules = name.span.source
        if rules.folder is None:
            note = "these rules are a text without a folder, so no file stands beside them"
            help = f"write the {part.word} here, or read the rules from a file"
            self.problems.add("misplaced-from", name.span, note, help=help)
            return None
        if not self._has_ending(name, part):
            return None
        if len(self.files) == limits.DATA_FILES:
            note = f"a rule file may name {limits.DATA_FILES} data files"
            self.problems.add("too-large", name.span, note, help="put two of them into one")
            return None
        self.files.append(DataFile(name.span, part.told, name.text))
        try:
            source, size = read_data(rules, rules.folder, name.text, self.bytes_left)
            self.bytes_left -= size
            return source
        except NoDataFile as error:
            second = None if error.place is None else _second(error.place)
            help = replaced_line(name.span, error.near) if error.near else error.help
            self.problems.add(error.code, name.span, error.note, second=second, help=help)
            return None

    def _has_ending(self, name: Text, part: _Part) -> bool:
        if name.text.endswith(".csv") and part.word != "rows":
            note = f"a CSV file holds rows only; {part.word} stand in a YAML file"
        elif not name.text.endswith(_ENDINGS):
            note = "the name of a data file ends in .yaml, or in .csv if it holds rows"
        else:
            return True
        endings = ".yaml or .csv" if part.word == "rows" else ".yaml"
        help = f"save the {part.word} in a file that ends in {endings}"
        self.problems.add("file-ending", name.span, note, help=help)
        return False

    def _is_part(self, node: Node, part: _Part) -> bool:
        """Whether a YAML file holds the part itself: no other file, not the key again."""
        named = _named(node)
        if named is not None:
            note = f"a data file holds the {part.word}; it names no other file"
            help = f"write the {part.word} here"
            self.problems.add("misplaced-from", named.key.span, note, help=help)
            return False
        match node:
            case Map(entries=(Entry(key=key, value=Map() | List()),)) if key.text == part.word:
                note = f"the file holds what stands below `{key.text}:`, without this key"
                help = "delete the line, and begin the lines below it further left"
                self.problems.add("wrong-shape", key.span, note, help=help)
                return False
        return True


def files_named_in(source: Source) -> list[str]:
    """The names of the data files of a rule file, as far as it can be read."""
    problems = Problems()
    root = read_yaml(source, problems)
    reader = DataFiles(problems)
    if isinstance(root, Map):
        reader.put_in(root)
    return [file.name for file in reader.files]


def _meant(key: Text, names: tuple[str, ...]) -> str:
    """A key, or the one it is read as if it is misspelt."""
    return key.text if key.text in names else nearest(key.text, names) or key.text


def _each(node: Map, change: Callable[[Entry], Node]) -> Map:
    return Map(node.span, tuple(Entry(entry.key, change(entry)) for entry in node.entries))


def _named(node: Node) -> Entry | None:
    """The entry that names a file, also where its key is misspelt."""
    match node:
        case Map(entries=(Entry(key=key, value=Text(text=text)) as entry,)) if text.endswith(
            _ENDINGS
        ) and nearest(key.text, (FROM,)):
            return entry
        case Map(entries=entries):
            return next((entry for entry in entries if entry.key.text == FROM), None)
        case _:
            return None


def _value(keys: Map, name: str) -> Node | None:
    return next((entry.value for entry in keys.entries if entry.key.text == name), None)


def _columns_of_kind(keys: Map) -> Columns | None:
    if _value(keys, "links") is not None:
        return Columns((), one_value=True, again=True)
    match _value(keys, "columns"):
        case None:
            return Columns(())
        case Map(entries=entries):
            names = tuple(entry.key.text for entry in entries)
            bags = (e.key.text for e in entries if _is_bag(e.value))
            return Columns(names, bags=frozenset(bags))
        case _:
            return None


def _is_bag(node: Node) -> bool:
    return isinstance(node, Text) and node.text.split()[:2] == ["bag", "of"]


def _columns_of_table(keys: Map) -> Columns | None:
    match _value(keys, "columns"):
        case List(items=(_, *_) as items):
            return Columns(tuple(item.text for item in items if isinstance(item, Text)))
        case None | List():
            return Columns((), one_value=True)
        case _:
            return None


def _second(place: Span) -> Second:
    return Second(place, "here it stops being text")
