"""The table of words: complete, current, and every example in it can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesdsl.check.vocabulary import WORDS, Entry, entry, nearest_word, page
from rulesdsl.syntax.grammar import stop_of
from rulesdsl.syntax.table import keywords

PAGE = Path(__file__).parent.parent / "docs" / "words.md"


def test_the_page_is_current() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == "\n".join(page()) + "\n", "python -m rulesdsl.check.vocabulary > docs/words.md"


@pytest.mark.parametrize("word", WORDS, ids=lambda word: f"{word.group}: {word.name}")
def test_examples_can_be_read(word: Entry) -> None:
    assert stop_of(word.start, word.example) is None, word.example


def test_every_word_of_the_grammar_is_told() -> None:
    told = " ".join(f"{word.signature} {word.meaning}" for word in WORDS)
    assert set(keywords()) - set(re.findall(r"[a-z]+", told)) == set()


def test_entries_are_told_once() -> None:
    names = [(word.group, word.name) for word in WORDS]
    assert len(names) == len(set(names))


def test_finding_words() -> None:
    deal = entry("deal")
    assert deal is not None
    assert deal.group == "Steps"
    assert entry("dealt") is None
    near = nearest_word("shufle")
    assert near is not None
    assert near.name == "shuffle"
