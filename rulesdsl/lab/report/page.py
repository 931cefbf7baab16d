"""A page of a study as one file: sections with plots, tables and words; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from attrs import Factory, define, frozen

from rulesdsl.resources import page_part

MARK = '<meta name="generator" content="rulesdsl study">'
"""Stands in every page that was written here."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@frozen
class Plotted:
    """A plot with what it shows in words, for those who read and those who only hear."""

    svg: str
    caption: str
    says: str = ""


@define
class Page:
    """Puts a page together from above to below; all texts are made safe here."""

    title: str
    _parts: list[str] = Factory(list)

    def section(self, title: str, about: str = "") -> None:
        """A heading, with a sentence below it."""
        self._parts.append(f"<h2>{escape(title)}</h2>")
        if about:
            self.text(about)

    def text(self, text: str, kind: str = "") -> None:
        """A paragraph."""
        of_kind = f' class="{kind}"' if kind else ""
        self._parts.append(f"<p{of_kind}>{escape(text)}</p>")

    def facts(self, facts: Iterable[tuple[str, str]]) -> None:
        """Titles with texts."""
        rows = "".join(f"<dt>{escape(t)}</dt><dd>{escape(text)}</dd>" for t, text in facts)
        self._parts.append(f"<dl>{rows}</dl>")

    def plots(self, plots: Iterable[Plotted]) -> None:
        """Plots side by side where there is room."""
        each = "".join(
            f"<figure><figcaption><b>{escape(one.caption)}</b> {escape(one.says)}</figcaption>"
            f"{one.svg}</figure>"
            for one in plots
        )
        self._parts.append(f'<div class="plots">{each}</div>')

    def table(
        self, head: Sequence[str], rows: Iterable[Sequence[str]], fold: str = "", words: int = 1
    ) -> None:
        """A table whose first columns are words and whose others are figures.

        With `fold` it is folded away under that title.
        """
        kinds = ["" if i < words else ' class="number"' for i in range(len(head))]
        top = "".join(f"<th{k}>{escape(one)}</th>" for one, k in zip(head, kinds, strict=True))
        body = "".join(
            "<tr>"
            + "".join(f"<td{k}>{escape(one)}</td>" for one, k in zip(row, kinds, strict=True))
            + "</tr>"
            for row in rows
        )
        text = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
        text = f'<div class="scroll">{text}</div>'
        if fold:
            text = f"<details><summary>{escape(fold)}</summary>{text}</details>"
        self._parts.append(text)

    def whole(self) -> str:
        """The file."""
        parts = {
            "title": escape(self.title),
            "mark": MARK,
            "policy": _POLICY,
            "style": page_part("study.css"),
            "body": "\n".join(self._parts),
        }
        pieces = page_part("study.html").split("%%")
        return "".join(parts[one] if i % 2 else one for i, one in enumerate(pieces))
