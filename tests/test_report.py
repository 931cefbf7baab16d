"""Pages of studies: nothing is fetched, they parse, every plot is there, texts stay in place."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulesdsl.lab.report import comparison, simulation
from rulesdsl.lab.report.page import MARK, Page
from rulesdsl.lab.report.plots import Plots
from rulesdsl.lab.series.intervals import Estimate
from rulesdsl.lab.series.plan import Wish, plan
from rulesdsl.lab.series.simulation import simulate
from rulesdsl.lab.series.work import Bench
from rulesdsl.resources import find_game
from tests.browser import Browser, chromium
from tests.test_compare import DRAW, compared, side, write

VOID = {"meta", "br", "img", "link", "input", "hr"}
EVIL = "</title></style><script>document.hacked = 1</script><img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """Reads a page and tells of what is open, which names there are, and the plots."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.plots = 0
        self.captions: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        assert not {"src", "onerror", "onload", "onclick"} & known.keys()
        assert (known.get("href") or "#").startswith("#")
        assert tag not in ("script", "link", "img", "iframe", "object")
        self.names += [str(known["id"])] if "id" in known else []
        self.plots += tag == "svg"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-2:] == ["figcaption", "b"]:
            self.captions.append(data)


def checked(text: str) -> Reader:
    """A page with nothing to fetch in it, whose names are all different."""
    assert "default-src 'none'" in text
    assert MARK in text
    assert not re.search(r"url\((?!#)|@import|https?:|data:", text)
    reader = Reader(text)
    assert len(set(reader.names)) == len(reader.names)
    assert all(f'id="{name}"' in text for name in re.findall(r"url\(#([^)]+)\)", text))
    return reader


def simulated(
    path: str, bots: tuple[str, ...], vary: str | None = None, games: int = 24, players: int = 3
) -> str:
    wish, bench = Wish("draw", path, games, players, 5, bots, {}, vary), Bench()
    found = simulate(wish, plan(wish, bench), bench)
    return simulation.page(found, Plots.ready())


SCORED = DRAW.replace(
    "    highest: [p.points, p.money]\n",
    "    score: {cards: p.points, saved: p.money - 20, always: 3}\n",
)


def test_a_simulation_has_every_plot(tmp_path: Path) -> None:
    files = write(tmp_path, scored=SCORED)
    reader = checked(simulated(files["scored"], ()))
    assert reader.captions == [
        "Wins of each seat",
        "Total of each seat",
        "What the result is made of",
    ]
    assert reader.plots == 3


def test_bots_at_one_table_have_a_plot_of_their_own(tmp_path: Path) -> None:
    files = write(tmp_path)
    reader = checked(simulated(files["draw"], ("random", files["taker"])))
    assert "Wins of each bot" in reader.captions
    assert reader.plots == len(reader.captions) == 3


def test_what_is_varied_has_curves(tmp_path: Path) -> None:
    files = write(tmp_path)
    reader = checked(simulated(files["draw"], (), "bonus=0..8 step 4"))
    assert reader.captions == [
        "Wins of each seat",
        "The winner's points",
        "How far the winner is ahead",
        "Length",
        "money left",
        "cards",
        "poor %",
    ]
    assert reader.plots == len(reader.captions)


def test_words_can_be_varied(tmp_path: Path) -> None:
    text = simulated(write(tmp_path)["draw"], (), "unused=true,false", games=6)
    assert checked(text).plots > 3
    assert ">true</text>" in text


def test_a_comparison_has_its_plots_and_every_figure(tmp_path: Path) -> None:
    files = write(tmp_path)
    bots = files["taker"], files["rester"]
    found = compared(side(files["draw"]), side(files["draw"], bonus="5"), bots)
    text = comparison.page(found, "abcd1234", Plots.ready())
    reader = checked(text)
    # all games are equally long, so there is no plot of that
    assert reader.captions == ["Wins of each seat, B - A", "Points and measures, B beside A"]
    for row in found.rows:
        assert escape(row.title) in text
    assert "compare --again abcd1234" in text


def test_plots_say_what_they_are_given() -> None:
    """The letters are text, so that they can be read, searched and heard."""
    svg = Plots.ready().intervals(
        ["first", "second"], {"one": [Estimate(3, 2, 4), Estimate(1, 0, 2)]}, "wins", 2, "even"
    )
    assert all(f">{word}</text>" in svg for word in ("first", "second", "wins", "even"))
    assert Plots.ready().histogram({"": [1.0, 2.0]}, "x") == Plots.ready().histogram(
        {"": [1.0, 2.0]}, "x"
    )


def test_no_text_gets_out_of_its_place(tmp_path: Path) -> None:
    evil = DRAW.replace("title: Draw", f"title: '{EVIL}'")
    evil += f"texts:\n  names:\n    money_left: '{EVIL}'\n    points: '$x$ {EVIL}'\n"
    files = write(tmp_path, evil=evil)
    checked(simulated(files["evil"], (), games=6))
    page = Page(EVIL)
    page.section(EVIL, EVIL)
    page.table((EVIL,), [(EVIL,)], EVIL)
    page.facts([(EVIL, EVIL)])
    checked(page.whole())


def test_where_nobody_wins_even_is_nothing() -> None:
    page = simulated(str(find_game("tic-tac-toe")), ("beginner",), games=12, players=2)
    assert "each would win 0 games in 100" in page
    assert "A game has 8 decisions, 8 in nine of ten games." in page


@pytest.mark.skipif(chromium() is None, reason="needs chromium (Debian: apt install chromium)")
@pytest.mark.xdist_group("browser")
def test_a_page_fits_a_phone_and_a_projector(tmp_path: Path) -> None:
    files = write(tmp_path)
    file = tmp_path / "study.html"
    file.write_text(simulated(files["draw"], (), games=6), encoding="utf-8")
    with Browser(tmp_path / "profile") as browser:
        for width in (360, 1920):
            browser.size(width, 800)
            browser.open(file.as_uri())
            assert browser.ask("document.documentElement.scrollWidth") <= width
            least = browser.ask(
                "Math.min(...[...document.querySelectorAll('svg text')]"
                ".map(one => one.getBoundingClientRect().height))"
            )
            assert least > 9
        assert browser.requests == [file.as_uri()] * 2
        browser.size(360, 800)
        found = compared(
            side(files["draw"]), side(files["draw"], bonus="3"), (files["taker"], files["rester"])
        )
        file.write_text(comparison.page(found, "abcd1234", Plots.ready()), encoding="utf-8")
        browser.open(file.as_uri())
        narrow = "document.querySelector('td').getBoundingClientRect().width"
        # beside many figures the words are still words
        assert browser.ask(narrow) > 90
        assert not browser.errors
