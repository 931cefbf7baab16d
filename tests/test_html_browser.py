"""The page of a game in a browser: keys, tabs, narrow windows, nothing fetched, hostile texts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulesdsl.play.html import Pages
from rulesdsl.play.loading import load
from tests.browser import Browser, chromium
from tests.test_html import hostile_page, played

pytestmark = [
    pytest.mark.skipif(chromium() is None, reason="needs chromium (Debian: apt install chromium)"),
    pytest.mark.xdist_group("browser"),
]
WIDE = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@cache
def page_of(name: str, players: int | None, most: int) -> str:
    game = load(name, players)
    pages = Pages(game)
    played(game, pages, most)
    return pages.page()


def opened(browser: Browser, folder: Path, text: str, width: int = 1366) -> None:
    """Open a page; of what happened before nothing is kept."""
    file = folder / "game.html"
    file.write_text(text, encoding="utf-8")
    browser.size(width, 800)
    browser.requests.clear()
    browser.errors.clear()
    browser.open(file.as_uri())


def text_of(browser: Browser, selector: str) -> str:
    found = browser.ask(f"document.querySelector({selector!r})?.textContent ?? ''")
    return str(found)


def test_arrow_keys_step_through_a_game(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("kuhn-poker", 2, 99))
    last = int(text_of(browser, "#count").partition(" / ")[2])
    assert text_of(browser, "#count") == f"0 / {last}"
    assert browser.ask("document.getElementById('back').disabled")
    said = [text_of(browser, ".sentence")]
    for _ in range(last):
        browser.press("ArrowRight")
        said.append(text_of(browser, ".sentence"))
    assert text_of(browser, "#count") == f"{last} / {last}"
    assert said[1].split()[0] in ("A", "B")
    assert "wins" in text_of(browser, ".verdict")
    assert text_of(browser, "table.result tbody th") in ("A", "B")
    browser.press("ArrowRight")
    browser.press("ArrowLeft", last)
    assert text_of(browser, ".sentence") == said[0]
    browser.press("End")
    assert text_of(browser, ".sentence") == said[-1]
    browser.press("Home")
    assert text_of(browser, "#count") == f"0 / {last}"
    browser.ask("document.getElementById('next').click()")
    assert text_of(browser, ".sentence") == said[1]
    assert not browser.errors


def test_tabs_show_what_each_sees_at_the_same_moment(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("ostia", 3, 60))
    tabs = "[...document.querySelectorAll('[role=tab]')].map(one => one.textContent).join()"
    assert browser.ask(tabs) == "Referee,A,B,C"
    browser.press("End")
    said = text_of(browser, ".sentence")
    rows = "[...document.querySelectorAll('table.shared tr')].map(one => one.textContent)"
    deck = f"{rows}.find(text => text.startsWith('deck'))"
    assert "unseen" not in browser.ask(deck)
    assert "book" in text_of(browser, ".rule .cite")
    browser.press("2")
    assert text_of(browser, "[aria-selected=true]") == "B"
    assert text_of(browser, ".sentence") == said
    assert "unseen" in browser.ask(deck)
    rows = "[...document.querySelectorAll('table.players tbody tr')]"
    money = f"{rows}.map(one => one.cells[1].textContent).join()"
    assert browser.ask(money).split(",")[0] == "?"
    assert browser.ask(money).split(",")[1] != "?"
    # without a mouse: the tabs are reached with the tab key, since arrows step through the game
    browser.ask("document.getElementById('tab-0').focus()")
    browser.press("ArrowLeft")
    assert text_of(browser, "[aria-selected=true]") == "B"
    assert browser.ask("document.querySelectorAll('[role=tab][tabindex]').length") == 0
    browser.press("ArrowRight")
    browser.ask("document.activeElement.click()")
    assert "unseen" not in browser.ask(deck)
    assert text_of(browser, "#count").startswith("60 ")
    assert not browser.errors


def test_what_changed_is_marked(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("nim", 2, 99))
    assert browser.ask("document.querySelectorAll('.changed').length") == 0
    browser.press("ArrowRight")
    assert browser.ask("document.querySelectorAll('td.changed').length") > 0
    assert text_of(browser, ".news li")


def counts(browser: Browser, begins: str) -> None:
    """Wait until the step is this one: a touch comes to the page a little later."""
    deadline = time.monotonic() + 20
    while not text_of(browser, "#count").startswith(begins):
        assert time.monotonic() < deadline, text_of(browser, "#count")
        time.sleep(0.05)


def test_a_board_shows_who_stands_where(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("tic-tac-toe", 2, 99))
    assert browser.ask("document.querySelectorAll('table.grid tbody td').length") == 9
    assert browser.ask("document.querySelectorAll('table.grid td.seat').length") == 0
    browser.press("ArrowRight", 2)
    taken = "[...document.querySelectorAll('table.grid td.seat')].map((one) => one.textContent)"
    assert sorted(browser.ask(taken)) == ["O", "X"]
    assert text_of(browser, "table.grid td.changed") == "O"
    label = text_of(browser, ".news li > span")
    assert browser.ask("document.querySelector('table.grid td.changed').dataset.label") == label
    assert text_of(browser, ".sentence").endswith(label)
    assert browser.errors == []


def test_a_swipe_is_a_step(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("nim", 2, 99), width=360)
    browser.swipe((300, 180), (80, 190))
    counts(browser, "1 ")
    browser.swipe((200, 180), (190, 400))
    browser.swipe((80, 180), (300, 190))
    counts(browser, "0 ")


@pytest.mark.parametrize(
    ("name", "players", "most"),
    [("ostia", 5, 60), ("oltremare", 3, 40), ("patronus", 4, 40), ("kuhn-poker", 2, 99)],
)
def test_a_phone_shows_it_all_without_going_sideways(
    browser: Browser, tmp_path: Path, name: str, players: int, most: int
) -> None:
    opened(browser, tmp_path, page_of(name, players, most), width=360)
    assert browser.ask("innerWidth") == 360
    for tab in ("0", "1"):
        browser.press(tab)
        for key in ("Home", "ArrowRight", "End"):
            browser.press(key)
            assert browser.ask(WIDE) <= 360, (tab, key)
    size = (
        "Math.min(...[...document.querySelectorAll('footer button')].map(one => one.offsetHeight))"
    )
    assert browser.ask(size) >= 44


def test_type_is_large_on_a_projector(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("kuhn-poker", 2, 99), width=1920)
    size = "parseFloat(getComputedStyle(document.querySelector('.sentence')).fontSize)"
    assert browser.ask(size) >= 28
    browser.size(360, 800)
    assert browser.ask(size) < 20


def test_it_is_dark_where_people_want_that(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("nim", 2, 99))
    paper = "getComputedStyle(document.body).backgroundColor"
    light = browser.ask(paper)
    browser.size(1366, 800, dark=True)
    assert browser.ask(paper) != light


def test_nothing_is_fetched_and_hostile_texts_stay_texts(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, hostile_page())
    browser.press("ArrowRight", 3)
    assert "<b>" in text_of(browser, ".question")
    assert "</script><script>" in text_of(browser, ".sentence")
    assert browser.ask("document.hacked") is None
    assert browser.ask("document.querySelectorAll('img, #view b b').length") == 0
    fetched = [one for one in browser.requests if not one.startswith(("file:", "about:"))]
    assert not fetched
    assert len([one for one in browser.requests if one.startswith("file:")]) == 1
    assert not browser.errors
