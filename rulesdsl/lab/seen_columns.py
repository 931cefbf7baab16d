"""Examples of what somebody sees who sees only columns of the components in a place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import KindType
from rulesdsl.check.sights import sees
from rulesdsl.lab import plan as p
from rulesdsl.lab.setting import NOTHING, UNSEEN, Setting
from rulesdsl.play.moves import say
from rulesdsl.syntax import tree as t


def sees_columns(zone: m.Zone, key: int, seat: int) -> bool:
    """Whether a seat sees columns of what lies in a place, and not all of it."""
    return bool(zone.columns_seen) and not sees(zone, key, seat)


def planned_columns(
    setting: Setting, pair: t.Pair, seat: int, zone: m.Zone, key: int
) -> list[p.Step]:
    """`B sees: {A.offered: [2 silk, wine]}`: the values of a column, for the components."""
    found = _words(setting, zone, pair.value)
    if found is None:
        return []
    tops, besides, words = found
    column = _column(setting, zone, words)
    if column is None:
        return []
    values = tuple(_value(setting, word) for word in words)
    return [p.SeesColumns(pair.span, seat, zone, key, column, values, tops, besides)]


def _words(
    setting: Setting, zone: m.Zone, value: t.Expr | t.Amount | t.ValueList
) -> tuple[tuple[str, ...], int, list[t.Word]] | None:
    """What is listed: components that are seen whole, how many are unseen, values of a column."""
    if isinstance(value, t.Name):
        value = setting.amounts.get(value.text, value)
    if isinstance(value, t.Amount):
        components = value.components
    elif isinstance(value, t.Name):
        word = t.Word(value.span, value.text)
        listed = () if value.text in NOTHING else (t.Components(value.span, None, word),)
        components = listed
    else:
        setting.contents(zone, value)
        return None
    members = {name for kind in zone.kinds for name in kind.members}
    tops: list[str] = []
    words: list[t.Word] = []
    besides = 0
    for one in components:
        count = one.count.value if isinstance(one.count, t.Int) else 1
        if one.name.text == UNSEEN:
            besides += count
        elif one.name.text in members and not any(
            _has(column, setting, one.name) for column in zone.columns_seen
        ):
            tops += [one.name.text] * count
        else:
            words += [one.name] * count
    return tuple(tops), besides, words


def _has(column: m.Column, setting: Setting, word: t.Word) -> bool:
    if not isinstance(column.type, KindType):
        return False
    case = setting.constants.get(word.text)
    if isinstance(case, m.Const):
        return case.type == column.type
    return word.text in column.type.kind.members


def _value(setting: Setting, word: t.Word) -> str:
    """A member by its name, or by a name of the cases."""
    case = setting.constants.get(word.text)
    if isinstance(case, m.Const) and isinstance(case.type, KindType):
        return case.type.kind.members[case.value]
    return word.text


def _column(setting: Setting, zone: m.Zone, words: list[t.Word]) -> m.Column | None:
    """The column of which all these are values; the first one, if nothing is named."""
    columns = zone.columns_seen
    for column in columns:
        if all(_has(column, setting, word) for word in words):
            return column
    names = " or ".join(column.name for column in columns)
    for word in words:
        if not any(_has(column, setting, word) for column in columns):
            known = [
                name
                for column in columns
                if isinstance(column.type, KindType)
                for name in column.type.kind.members
            ]
            note = f"what is seen in {zone.name} is the {names} of each; {word.text} is none"
            setting.unknown(word, known, note)
            return None
    note = f"these are values of different columns; name those of one: {names}"
    setting.problems.add("not-seen", words[0].span.to(words[-1].span), note)
    return None


def wrong_columns(
    check: p.SeesColumns, content: Mapping[str, object]
) -> Iterator[tuple[list[str], list[str]]]:
    """What was wanted and what a view tells, if they differ."""
    rows = content["seen"]
    assert isinstance(rows, dict)
    values = Counter(say(value) for value in rows[check.column.name])
    tops = Counter(name for name in content if name not in ("seen", "unseen"))
    wanted = Counter(check.values)
    besides = values.total() - wanted.total()
    if tops == Counter(check.tops) and wanted <= values and besides == check.besides:
        return
    unseen = ["unseen"] * check.besides
    yield [*check.tops, *sorted(wanted.elements()), *unseen], [*tops, *sorted(values.elements())]
