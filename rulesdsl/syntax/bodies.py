"""Bodies: lists of steps, headers with what stands below them, choices, cases."""

from __future__ import annotations

from typing import assert_never

from attrs import evolve, frozen

from rulesdsl.syntax.fields import CHOICE, HEADER, LINE, ROW_KEY, TIES, Fields
from rulesdsl.syntax.heads import (
    AwardHead,
    BranchHead,
    Header,
    Otherwise,
)
from rulesdsl.syntax.shape import AWARD, OPTION, Section
from rulesdsl.syntax.tree import (
    Award,
    Body,
    Branch,
    Case,
    Chooses,
    CiteHere,
    Depending,
    For,
    IfStep,
    Named,
    Option,
    Repeat,
    Secretly,
    Step,
    Together,
    Turns,
    While,
)
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.text.source import Span

NOTHING = "nothing"


@frozen
class Bodies(Fields):
    """Reads bodies."""

    def body(self, node: Node, key: Span) -> Body:
        """The steps below a key: a list, one line, or `nothing`."""
        match node:
            case Text(text=text) if text == NOTHING:
                return Body(node.span, ())
            case Text():
                step = self._line(node)
                return Body(node.span, () if step is None else (step,))
            case Empty() | Map(entries=()):
                self._empty_body(key)
                return Body(key, ())
            case List(items=items):
                steps = [step for item in items for step in self._item(item)]
                return Body(node.span, tuple(steps))
            case Map(entries=entries):
                note = "steps are a list: each begins with `- `"
                first = entries[0].key
                self.problems.add("step-without-dash", first.span, note, help=f"- {first.text}:")
                return Body(node.span, tuple(self._steps(node)))
            case _:
                assert_never(node)

    def long_form(self, node: Node, section: Section) -> dict[str, Entry] | None:
        """The keys of a section that may stand instead of a body; None if a body stands there."""
        if not isinstance(node, Map) or not node.entries:
            return None
        if any(entry.key.text in section.names for entry in node.entries):
            return self.section(node, section)
        first = node.entries[0].key.text
        if self._opens_header(first):
            return None
        return self.section(node, section)

    def _opens_header(self, text: str) -> bool:
        first, *rest = text.split()
        return bool(rest) and (
            first in ("for", "if", "elif", "while", "repeat", "together", "step", "award")
            or rest[-1] in ("chooses", "secretly")
            or first == "depending"
        )

    def _empty_body(self, key: Span) -> None:
        note = "no step stands here"
        help = "indent the steps more than this line; `nothing` is the word for no step"
        self.problems.add("empty-body", key, note, help=help)

    def _line(self, text: Text) -> Step | None:
        return self.parsed(LINE, text)

    def _item(self, node: Node) -> list[Step]:
        match node:
            case Text(text=text) if text == NOTHING:
                note = "`nothing` stands alone behind the colon, not among steps"
                self.problems.add("nothing-among-steps", node.span, note)
                return []
            case Text(text="else" | "elif" as text):
                self._without_if(text, node.span)
                return []
            case Text():
                step = self._line(node)
                return [] if step is None else [step]
            case Empty() | Map(entries=()):
                self.problems.add("empty-item", node.span, "no step stands here")
                return []
            case Map():
                return self._steps(node)
            case List():
                self.problems.add(
                    "list-in-list",
                    node.span,
                    "a step is missing before this list",
                    help="take one `- ` away, or write `- step NAME:` above",
                )
                return list(self.body(node, node.span).steps)
            case _:
                assert_never(node)

    # ------------------------------------------------------------------ one item with keys

    def _steps(self, node: Map) -> list[Step]:
        """The step of an item with keys; several if keys lack their `- `."""
        steps: list[Step] = []
        branches: list[Branch] = []
        first = node.entries[0]
        for entry in node.entries:
            if entry.key.text == "cite":
                self._needs_dash(entry, first)
                steps.append(CiteHere(entry.key.span, self.cites(entry)))
                continue
            header = self.parsed(HEADER, entry.key)
            if isinstance(header, BranchHead):
                self._branch(header, entry, first, branches, steps)
            else:
                self._needs_dash(entry, first)
                step = self._with_body(header, entry)
                if step is not None:
                    steps.append(step)
        return steps

    def _needs_dash(self, entry: Entry, first: Entry) -> None:
        if entry is not first:
            note = "a step of its own begins with `- `"
            self.second(
                "step-without-dash",
                entry.key.span,
                note,
                first.key.span,
                "it stands below this one as if it belonged to it",
                f"- {entry.key.text}:",
            )

    def _branch(
        self,
        head: BranchHead,
        entry: Entry,
        first: Entry,
        branches: list[Branch],
        steps: list[Step],
    ) -> None:
        span = entry.key.span
        branch = evolve(head.branch, body=self.body(entry.value, span))
        if head.word == "if":
            self._needs_dash(entry, first)
            branches[:] = [branch]
            steps.append(IfStep(span, (branch,)))
            return
        if not branches:
            self._without_if(head.word, span)
            return
        if branches[-1].condition is None:
            note = f"`{head.word}` stands behind `else`"
            self.second(
                "branch-after-else", span, note, branches[-1].span, "`else` is the last one", ""
            )
            return
        branches.append(branch)
        steps[-1] = IfStep(branches[0].span, tuple(branches))

    def _without_if(self, word: str, span: Span) -> None:
        note = f"`{word}` stands without its `if`"
        help = f"take away its `- `: `{word}` stands right below `if`, without a dash"
        self.problems.add("else-without-if", span, note, help=help)

    def _with_body(self, header: Header | None, entry: Entry) -> Step | None:
        span = entry.key.span
        match header:
            case For() | Turns() | While() | Repeat() | Together() | Secretly() | Named():
                return evolve(header, body=self.body(entry.value, span))
            case AwardHead():
                return self._award(header, entry)
            case Chooses():
                return self._chooses(header, entry)
            case Depending():
                cases = self.each(entry.value, "the cases", self._case)
                return Depending(header.span, header.value, cases)
            case _:
                self._below_unknown(entry)
                return None

    def _below_unknown(self, entry: Entry) -> None:
        """What stands below a key that could not be read is read for its own problems."""
        words = entry.key.text.split()
        if "chooses" in words or "choosing" in words:
            self._options(entry.value)
        elif words and words[0] == "depending":
            self.each(entry.value, "the cases", self._case)
        elif isinstance(entry.value, List):
            self.body(entry.value, entry.key.span)

    def _award(self, head: AwardHead, entry: Entry) -> Award | None:
        keys = self.section(entry.value, AWARD)
        by = self.exprs(keys["by"].value, "what ranks") if "by" in keys else ()
        prizes = self.exprs(keys["prizes"].value, "a prize") if "prizes" in keys else ()
        ties = None
        if "ties" in keys:
            ties = self.parsed(TIES, keys["ties"].value)
        if not by or ties is None:
            return None
        return Award(
            head.span,
            head.field,
            head.binder,
            head.domain,
            head.where,
            head.seen,
            by,
            prizes,
            ties.words,
        )

    # ------------------------------------------------------------------ choices

    def _chooses(self, head: Chooses, entry: Entry) -> Chooses:
        options, otherwise = self._options(entry.value)
        return evolve(head, options=options, otherwise=otherwise)

    def _options(self, node: Node) -> tuple[tuple[Option, ...], Body | None]:
        options, otherwise = [], None
        for entry in self.entries(node, "the choices"):
            head = self.parsed(CHOICE, entry.key)
            match head:
                case Otherwise():
                    otherwise = self.body(entry.value, entry.key.span)
                case Option():
                    options.append(self._option(head, entry))
                case _ if isinstance(entry.value, List):
                    self.body(entry.value, entry.key.span)
        return tuple(options), otherwise

    def _option(self, head: Option, entry: Entry) -> Option:
        keys = self.long_form(entry.value, OPTION)
        if keys is None:
            return evolve(head, body=self.body(entry.value, entry.key.span))
        where = self.exprs(keys["where"].value, "a condition") if "where" in keys else ()
        about = self.prose(keys["about"].value, "a text") if "about" in keys else ""
        return evolve(
            head,
            where=(*head.where, *where),
            cites=self.cites(keys.get("cite")),
            about=about,
            body=self.do(keys, entry),
        )

    def do(self, keys: dict[str, Entry], entry: Entry) -> Body:
        """The body of a long form."""
        if "do" not in keys:
            return Body(entry.key.span, ())
        return self.body(keys["do"].value, keys["do"].key.span)

    def _case(self, entry: Entry) -> Case | None:
        key = self.parsed(ROW_KEY, entry.key)
        body = self.body(entry.value, entry.key.span)
        return None if key is None else Case(entry.key.span, key, body)
