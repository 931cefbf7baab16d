"""A game as one HTML file that needs nothing else: what it holds, and how little of it.

Of each step only what has changed is written, and what is said or changed several times, perhaps
in several tabs, is written once: the steps are numbers in one pool.
"""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256

from attrs import define, field

from rulesdsl.play.board import Block, Board, Spot
from rulesdsl.play.ending import Ending
from rulesdsl.play.film import Film, Step
from rulesdsl.play.game import Game
from rulesdsl.play.sheet import Heading, Line
from rulesdsl.play.texts import Wording
from rulesdsl.resources import page_part
from rulesdsl.syntax.cites import Cite

MARK = '<meta name="generator" content="rulesdsl replay">'
"""Stands in every page that was written here."""
FORMAT = 1


@define(eq=False)
class Pool:
    """Values of JSON, each written once."""

    values: list[object] = field(factory=list)
    _at: dict[str, int] = field(factory=dict)

    def put(self, value: object) -> int:
        """The number of a value."""
        text = json.dumps(value, ensure_ascii=False)
        if text not in self._at:
            self._at[text] = len(self.values)
            self.values.append(value)
        return self._at[text]


@define(eq=False)
class Pages:
    """Watches a game and makes the page of it; `viewer` None is the referee with all seats."""

    game: Game
    viewer: int | None = None
    films: list[Film] = field(init=False)
    _pool: Pool = field(factory=Pool, init=False)
    _paths: dict[str, int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        viewers = [self.viewer] if self.viewer is not None else [None, *range(self.game.players)]
        self.films = [Film(self.game.rules, viewer) for viewer in viewers]

    def page(self) -> str:
        """The whole file."""
        data = json.dumps(self.data(), ensure_ascii=False, separators=(",", ":"))
        script, style = page_part("replay.js"), page_part("replay.css")
        parts = {
            "title": html.escape(self.game.title),
            "mark": MARK,
            "policy": _policy(script, style),
            "style": style,
            "data": _inert(data),
            "script": script,
        }
        whole = page_part("replay.html")
        pieces = whole.split("%%")
        return "".join(parts[one] if i % 2 else one for i, one in enumerate(pieces))

    def data(self) -> dict[str, object]:
        """What the page shows, as JSON."""
        wording = Wording(self.game.rules, self.viewer)
        board = Board(self.game.rules, wording)
        tabs = [self._tab(film) for film in self.films]
        return {
            "format": FORMAT,
            "title": self.game.title,
            "options": self._options(wording),
            "seats": [wording.name(seat) for seat in self.game.seat_names],
            "words": list(board.words()),
            "board": [self._block(block) for block in board.blocks()],
            "tabs": tabs,
            "paths": list(self._paths),
            "pool": self._pool.values,
        }

    def _options(self, wording: Wording) -> list[str]:
        """The options that are not as they are by default."""
        return [
            wording.name(name) if value is True else f"{wording.name(name)} {value}"
            for name, value in self.game.changed_options.items()
        ]

    # ---------------------------------------------------------------- tabs

    def _tab(self, film: Film) -> dict[str, object]:
        ending = film.finish()
        before: dict[str, object] = {}
        steps: list[object] = []
        for step in film.steps:
            steps.append(self._step(step, list(self._changes(before, step.seen))))
            before = step.seen
        tab: dict[str, object] = {"seat": film.viewer, "steps": steps}
        if ending is not None:
            tab["ending"] = self._ending(ending)
        return tab

    def _step(self, step: Step, changes: list[object]) -> list[object]:
        """Player, sentence, question, rule, sections, told, changes, and which decision it is."""
        put = self._pool.put
        rule = [*step.rule], [self._cite(cite) for cite in step.cites]
        sections = [put(title) for title in step.sections]
        row: list[object] = [step.player, put(step.sentence), put(step.question), put(rule)]
        row += [put(sections), [put(self._told(one)) for one in step.told], changes]
        # a seat is not told how many decisions others made unseen
        return row if self.viewer is not None else [*row, step.at]

    def _told(self, one: Heading | Line) -> object:
        if isinstance(one, Line):
            return [*one.cells]
        return {"title": one.title, "cites": [self._cite(cite) for cite in one.cites]}

    def _cite(self, cite: Cite) -> list[str]:
        """Where a rule comes from, and what a ruling says."""
        sources = self.game.model.sources
        source = sources.get("rulings" if cite.source == "ruling" else cite.source)
        said = "" if source is None else source.sections.get(cite.section) or source.title
        return [f"{cite.source} {cite.section}", said]

    def _ending(self, ending: Ending) -> dict[str, object]:
        columns = ending.columns()
        rows = [
            [rank, seat, [(one.values[seat], [v[seat] for _, v in one.parts]) for one in columns]]
            for rank, seat in ending.placed()
        ]
        titles = [[column.title, [title for title, _ in column.parts]] for column in columns]
        verdict = [line.strip() for line in ending.verdict()]
        return {"columns": titles, "rows": rows, "verdict": verdict}

    # ---------------------------------------------------------------- the state

    def _path(self, path: str) -> int:
        return self._paths.setdefault(path, len(self._paths))

    def _block(self, block: Block) -> dict[str, object]:
        return {
            "role": block.role,
            "title": block.title,
            "rows": [[track.title, int(track.place)] for track in block.rows],
            "columns": [[track.title, int(track.place)] for track in block.columns],
            "spots": [[self._spot(spot) for spot in row] for row in block.spots],
        }

    def _spot(self, spot: Spot) -> list[int]:
        return [self._path(path) for path in (spot.path, *spot.notes)]

    def _changes(self, before: dict[str, object], now: dict[str, object]) -> Iterator[int]:
        for path, value in now.items():
            known = path in before
            if not known or before[path] != value:
                number = self._path(path)
                change = _patch(before[path], value) if known else [value]
                yield self._pool.put([number, *change])


def _patch(old: object, new: object) -> list[object]:
    """The new value, or how it comes from the old one where that is shorter.

    Of counts those that are others, with 1 behind them; of a list what stands behind the part
    that stays, after its length.
    """
    match old, new:
        case dict(), dict() if _is_counts(old) and _is_counts(new):
            counts = {name: new.get(name, 0) for name in {**old, **new}}
            return [{name: n for name, n in counts.items() if n != old.get(name, 0)}, 1]
        case list(), list():
            pairs = zip(old, new, strict=False)
            same = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
            return [same, new[same:]]
        case _:
            return [new]


def _is_counts(value: dict[object, object]) -> bool:
    return all(isinstance(one, int) for one in value.values()) and "unseen" not in value


# ------------------------------------------------------------------ writing it safely


def _inert(data: str) -> str:
    """JSON in which nothing can end the element it stands in."""
    for sign in "<>&\u2028\u2029":
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    return data


def _policy(*allowed: str) -> str:
    """Nothing is fetched, and only what was written here runs."""
    script, style = (b64encode(sha256(one.encode()).digest()).decode() for one in allowed)
    scripts = f"script-src 'sha256-{script}'; style-src 'sha256-{style}'"
    return f"default-src 'none'; {scripts}; base-uri 'none'; form-action 'none'"
