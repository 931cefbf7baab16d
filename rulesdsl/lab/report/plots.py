"""Plots as SVG for a page: dark on white, in colours that everybody can tell apart."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from types import ModuleType
from typing import Any, Final

from attrs import define, field

from rulesdsl.lab.series.extras import extra
from rulesdsl.lab.series.intervals import Estimate

INK: Final = "#1b1b1b"
SOFT: Final = "#6a6a6a"
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b4a00")
"""Told apart by people of all kinds of colour vision (Okabe and Ito)."""
DARK: Final = (0, 1, 2, 6)
"""Those of the colours on which letters are white."""
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X")
LINES: Final = ("-", "--", "-.", ":")
LABEL: Final = 22
"""Letters of a label."""
WIDTH: Final = 5.0
"""Inches: narrow, so that a phone need not make the letters smaller."""
_STYLE: Final = {
    "svg.fonttype": "none",
    "svg.hashsalt": "rulesdsl",
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "axes.unicode_minus": False,
}
_METADATA: Final = dict.fromkeys(("Creator", "Date", "Format", "Type"))


@define(eq=False)
class Plots:
    """Draws; each plot is an `<svg>` element without anything that has to be fetched."""

    _pyplot: Any
    _matplotlib: ModuleType
    _drawn: int = field(default=0, init=False)

    @classmethod
    def ready(cls) -> Plots:
        """Raises UsageError where the library is not installed."""
        matplotlib = extra("matplotlib", "study", "--report")
        matplotlib.use("svg")
        return cls(extra("matplotlib.pyplot", "study", "--report"), matplotlib)

    # ---------------------------------------------------------------- kinds of plots

    def intervals(
        self,
        names: Sequence[str],
        groups: Mapping[str, Sequence[Estimate]],
        axis: str,
        line: float | None = None,
        words: str = "",
    ) -> str:
        """A point with its interval for each name and group; `line` is what they are held to."""
        height = 1.1 + len(names) * (0.22 + 0.2 * len(groups))
        with self._figure(height) as (figure, axes):
            if line is not None:
                axes.axvline(line, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
                axes.annotate(words, (line, 1), xycoords=("data", "axes fraction"), color=SOFT,
                              xytext=(3, 2), textcoords="offset points", fontsize=9.5)  # fmt: skip
            for number, (group, values) in enumerate(groups.items()):
                shift = (number - (len(groups) - 1) / 2) * 0.22
                at = [i + shift for i in range(len(values))]
                axes.hlines(at, *_ends(values),
                            color=COLOURS[number], linewidth=2.2)  # fmt: skip
                axes.plot([v.value for v in values], at, MARKERS[number], color=COLOURS[number],
                          label=_short(group), markersize=7)  # fmt: skip
            axes.set_yticks(range(len(names)), map(_short, names))
            axes.set_ylim(len(names) - 0.5, -0.5)
            axes.set_xlabel(axis)
            axes.grid(axis="x", color="#e4e4e4", linewidth=0.8)
            self._legend(figure, axes, len(groups))
            return self._svg(figure)

    def stacked(self, bars: Mapping[str, Mapping[str, float]], axis: str) -> str:
        """For each bar its parts side by side; what is below zero goes to the left."""
        parts = list(dict.fromkeys(part for one in bars.values() for part in one))
        with self._figure(1.5 + 0.5 * len(bars) + 0.2 * ((len(parts) + 1) // 2)) as (figure, axes):
            ends = {name: [0.0, 0.0] for name in bars}
            for number, part in enumerate(parts):
                for row, (name, values) in enumerate(bars.items()):
                    value = values.get(part, 0.0)
                    side = int(value >= 0)
                    axes.barh(row, value, left=ends[name][side], height=0.62, edgecolor="white",
                              color=COLOURS[number % len(COLOURS)],
                              hatch="" if number < len(COLOURS) else "//",
                              label=_short(part) if row == 0 else None)  # fmt: skip
                    if abs(value) > 0.06 * max(sum(map(abs, v.values())) for v in bars.values()):
                        middle = ends[name][side] + value / 2
                        on = "white" if number % len(COLOURS) in DARK else INK
                        axes.text(middle, row, f"{value:.1f}", ha="center", va="center",
                                  fontsize=9.5, color=on)  # fmt: skip
                    ends[name][side] += value
            axes.set_yticks(range(len(bars)), map(_short, bars))
            axes.set_ylim(len(bars) - 0.4, -0.6)
            axes.set_xlabel(axis)
            axes.axvline(0, color=SOFT, linewidth=0.8)
            self._legend(figure, axes, len(parts), always=True)
            return self._svg(figure)

    def histogram(self, groups: Mapping[str, Sequence[float]], axis: str) -> str:
        """How often each number, for each group as an outline with its own line."""
        values = [value for one in groups.values() for value in one]
        low, high = min(values), max(values)
        bars = min(30, max(8, int(len(values) ** 0.5)))
        step = max(1, -(-int(high - low + 1) // bars))
        edges = [low - 0.5 + step * i for i in range(int((high - low) // step) + 2)]
        with self._figure(2.6) as (figure, axes):
            for number, (group, one) in enumerate(groups.items()):
                weights = [100 / len(one)] * len(one)
                axes.hist(one, edges, weights=weights, histtype="stepfilled", alpha=0.18,
                          color=COLOURS[number])  # fmt: skip
                axes.hist(one, edges, weights=weights, histtype="step", linewidth=1.8,
                          linestyle=LINES[number % len(LINES)], color=COLOURS[number])  # fmt: skip
                axes.plot(
                    [], [], LINES[number % len(LINES)], color=COLOURS[number], label=_short(group)
                )
            axes.set_xlabel(axis)
            axes.set_ylabel("games in 100")
            self._legend(figure, axes, len(groups))
            return self._svg(figure)

    def curves(
        self, values: Sequence[str], lines: Mapping[str, Sequence[Estimate]], axis: str, title: str
    ) -> str:
        """A line for each name over the values of what is varied, each with its interval."""
        numbers = [_number(value) for value in values]
        xs: list[float] = [float(i) for i in range(len(values))]
        if all(number is not None for number in numbers):
            xs = [number for number in numbers if number is not None]
        with self._figure(3.1) as (figure, axes):
            for number, (name, points) in enumerate(lines.items()):
                colour = COLOURS[number % len(COLOURS)]
                axes.fill_between(xs, *_ends(points),
                                  color=colour, alpha=0.13, linewidth=0)  # fmt: skip
                axes.plot(xs, [p.value for p in points], color=colour, label=_short(name),
                          linewidth=1.8, marker=MARKERS[number % len(MARKERS)], markersize=5,
                          linestyle=LINES[number % len(LINES)])  # fmt: skip
            if xs and numbers[0] is None:
                axes.set_xticks(xs, map(_short, values))
            axes.set_xlabel(axis)
            axes.set_ylabel(title)
            axes.grid(axis="y", color="#e4e4e4", linewidth=0.8)
            self._legend(figure, axes, len(lines))
            return self._svg(figure)

    # ---------------------------------------------------------------- drawing

    @contextmanager
    def _figure(self, height: float) -> Iterator[tuple[Any, Any]]:
        with self._matplotlib.rc_context(_STYLE):
            figure, axes = self._pyplot.subplots(figsize=(WIDTH, height), layout="constrained")
            try:
                yield figure, axes
            finally:
                self._pyplot.close(figure)

    @staticmethod
    def _legend(figure: Any, axes: Any, groups: int, always: bool = False) -> None:
        if groups > 1 or always:
            columns = 2 if groups in (2, 4) else 3
            handles, labels = axes.get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside upper left", ncols=columns, fontsize=10)

    def _svg(self, figure: Any) -> str:
        """The figure as an element: names of its own, no size of its own, nothing to fetch."""
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata=_METADATA)
        self._drawn += 1
        text = file.getvalue()
        text = text[text.index("<svg") :]
        text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
        text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
        head, _, rest = text.partition(">")
        head = re.sub(r' (xmlns(:\w+)?|width|height|version)="[^"]*"', "", head)
        text = f"{head}>{rest}".replace("xlink:href", "href")
        mine = f"plot{self._drawn}-"
        text = re.sub(r'\bid="', f'id="{mine}', text)
        text = re.sub(r'href="#', f'href="#{mine}', text)
        text = text.replace("url(#", f"url(#{mine}")
        return text.replace("<svg", '<svg aria-hidden="true"', 1).strip()


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _ends(values: Sequence[Estimate]) -> tuple[list[float], list[float]]:
    """Where intervals begin and end; of a single game nothing is known, and none is drawn."""
    ends = [(v.low, v.high) if isfinite(v.half) else (v.value, v.value) for v in values]
    return [low for low, _ in ends], [high for _, high in ends]


def _short(text: str) -> str:
    """A label that leaves room for what is plotted."""
    return text if len(text) <= LABEL else f"{text[: LABEL - 3]}..."
