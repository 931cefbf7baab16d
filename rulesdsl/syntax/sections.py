"""The declaring sections of a rule file: sources, options, kinds, tables, state and so on."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from rulesdsl.syntax.fields import (
    EVENT,
    MAPS,
    OWNER,
    RESULT_HEADER,
    ROW_KEY,
    SIGNATURE,
    STATE_TYPE,
)
from rulesdsl.syntax.kinds import Kinds
from rulesdsl.syntax.shape import (
    DEFINE,
    MEASURE,
    OPTION_DECL,
    PHASE,
    PROCEDURE,
    RESULT,
    RESULT_OF,
    SOURCE,
    STATE,
    STATE_ENTRY,
    STATE_OWNER,
    TABLE,
    TRIGGER,
)
from rulesdsl.syntax.tree import (
    Cite,
    DefineDecl,
    Expr,
    InvariantDecl,
    MapsType,
    MeasureDecl,
    OptionDecl,
    PhaseDecl,
    ProcedureDecl,
    ResultDecl,
    RowKey,
    ScoreTerm,
    Signature,
    SourceDecl,
    StateDecl,
    StateOwner,
    StateType,
    TableDecl,
    TriggerDecl,
    TypeExpr,
    Word,
    WordsType,
)
from rulesdsl.syntax.words import RESERVED_FOR_KINDS
from rulesdsl.syntax.yaml_nodes import Entry, List, Map, Node, Text


@frozen
class Sections(Kinds):
    """Reads the declaring sections; a section that is absent is empty."""

    def sources(self, entry: Entry | None) -> tuple[SourceDecl, ...]:
        """Books with sections, and rulings."""
        return () if entry is None else self.each(entry.value, "the sources", self._source)

    def _source(self, entry: Entry) -> SourceDecl:
        name = self.name(entry.key, "a source")
        names = {e.key.text for e in entry.value.entries} if isinstance(entry.value, Map) else set()
        if not names & set(SOURCE.names):
            texts = tuple(
                (Word(inner.key.span, inner.key.text), self.prose(inner.value, "a ruling"))
                for inner in self.entries(entry.value, f"the {name.text}")
            )
            return SourceDecl(name, "", (), texts)
        keys = self.section(entry.value, SOURCE)
        nodes = self.items(keys["sections"].value, "sections") if "sections" in keys else ()
        found = (self.text(node, "a section") for node in nodes)
        sections = tuple(Word(text.span, text.text) for text in found if text is not None)
        return SourceDecl(name, self.told(keys, "title"), sections, ())

    # ------------------------------------------------------------------ options, kinds, tables

    def options(self, entry: Entry | None) -> tuple[OptionDecl, ...]:
        """Choices before the game."""
        return () if entry is None else self.each(entry.value, "the options", self._option_decl)

    def _option_decl(self, entry: Entry) -> OptionDecl | None:
        name = self.name(entry.key, "an option")
        keys = self.section(entry.value, OPTION_DECL)
        type_ = self._option_type(keys["type"].value) if "type" in keys else None
        default = self.expr(keys["default"].value) if "default" in keys else None
        cites, about = self.cites(keys.get("cite")), self.told(keys, "about")
        if type_ is None or default is None:
            return None
        return OptionDecl(name, type_, default, about, cites)

    def _option_type(self, node: Node) -> TypeExpr | None:
        if isinstance(node, List):
            return WordsType(node.span, tuple(self.name(item, "a word") for item in node.items))
        return self.type_(node)

    def tables(self, entry: Entry | None) -> tuple[TableDecl, ...]:
        """Tables of values."""
        return () if entry is None else self.each(entry.value, "the tables", self._table)

    def _table(self, entry: Entry) -> TableDecl | None:
        name = self.name(entry.key, "a table")
        keys = self.section(entry.value, TABLE)
        maps: MapsType | None = None
        if "maps" in keys:
            maps = self.parsed(MAPS, keys["maps"].value)
        columns: tuple[RowKey, ...] = ()
        if "columns" in keys:
            nodes = self.items(keys["columns"].value, "columns")
            found = (self.parsed(ROW_KEY, node) for node in nodes)
            columns = tuple(column for column in found if column is not None)
        rows: list[tuple[RowKey, tuple[Expr, ...]]] = []
        for row in self.entries(keys["rows"].value, "the rows") if "rows" in keys else ():
            key, cells = self.parsed(ROW_KEY, row.key), self.cells(row, len(columns) or 1)
            if key is not None:
                rows.append((key, cells))
        cites, about = self.cites(keys.get("cite")), self.told(keys, "about")
        return None if maps is None else TableDecl(name, maps, columns, tuple(rows), about, cites)

    # ------------------------------------------------------------------ state

    def state(self, entry: Entry | None) -> tuple[StateDecl, ...]:
        """What changes in a game."""
        found: list[StateDecl] = []
        for owner in self.entries(entry.value, "the state") if entry is not None else ():
            if owner.key.text != "shared" and not owner.key.text.startswith("each "):
                self.unknown_key(owner.key, STATE.names, STATE.name)
                continue
            whose = self.parsed(OWNER, owner.key)
            inner = self.entries(owner.value, f"what is {owner.key.text}")
            cites = self.cites(next((e for e in inner if e.key.text in STATE_OWNER.names), None))
            for one in inner:
                if one.key.text != "cite":
                    nobody = StateOwner(owner.key.span, Word(owner.key.span, ""), None)
                    decl = self._state_decl(one, whose or nobody, cites)
                    found += [decl] if decl is not None and whose is not None else []
        return tuple(found)

    def _state_decl(
        self, entry: Entry, owner: StateOwner, cites: tuple[Cite, ...]
    ) -> StateDecl | None:
        name = self.name(entry.key, "a name of the state")
        if not isinstance(entry.value, Map):
            type_ = self.parsed(STATE_TYPE, entry.value)
            return None if type_ is None else StateDecl(name, owner, type_, cites)
        keys = self.section(entry.value, STATE_ENTRY)
        type_ = self.parsed(STATE_TYPE, keys["type"].value) if "type" in keys else None
        notes: tuple[tuple[Word, TypeExpr], ...] = ()
        if "notes" in keys:
            notes = self.each(keys["notes"].value, "the notes", self._note)
        cites, about = self.cites(keys.get("cite")) or cites, self.told(keys, "about")
        if type_ is None:
            return None
        return StateDecl(name, owner, type_, cites, notes, about)

    def _note(self, entry: Entry) -> tuple[Word, TypeExpr] | None:
        name, type_ = self.name(entry.key, "a note"), self.type_(entry.value)
        return None if type_ is None else (name, type_)

    def _counters(self, entries: Iterable[Entry]) -> list[tuple[Word, StateType]]:
        found = []
        for entry in entries:
            name = self.name(entry.key, "a name of the state")
            type_ = self.parsed(STATE_TYPE, entry.value)
            if type_ is not None:
                found.append((name, type_))
        return found

    def _own_state(self, keys: dict[str, Entry]) -> tuple[tuple[Word, StateType], ...]:
        if "state" not in keys:
            return ()
        return tuple(self._counters(self.entries(keys["state"].value, "its counters")))

    # ------------------------------------------------------------------ definitions, procedures

    def defines(self, entry: Entry | None) -> tuple[DefineDecl, ...]:
        """Names for values."""
        return () if entry is None else self.each(entry.value, "the definitions", self._define)

    def _define(self, entry: Entry) -> DefineDecl | None:
        signature = self.parsed(SIGNATURE, entry.key)
        long = isinstance(entry.value, Map)
        keys = self.section(entry.value, DEFINE) if long else {"is": entry}
        value = self.expr(keys["is"].value) if "is" in keys else None
        cites, about = self.cites(keys.get("cite")), self.told(keys, "about")
        if signature is None or value is None:
            return None
        return DefineDecl(signature, value, about, cites)

    def procedures(self, entry: Entry | None) -> tuple[ProcedureDecl, ...]:
        """Steps with a name and arguments."""
        return () if entry is None else self.each(entry.value, "the procedures", self._procedure)

    def _procedure(self, entry: Entry) -> ProcedureDecl | None:
        signature = self.parsed(SIGNATURE, entry.key)
        if signature is not None and signature.name.text in RESERVED_FOR_KINDS:
            self.reserved(signature.name)
        keys = self.long_form(entry.value, PROCEDURE)
        if keys is None:
            body, keys = self.body(entry.value, entry.key.span), {}
        else:
            body = self.do(keys, entry)
        state = self._own_state(keys)
        where = self.exprs(keys["where"].value, "a condition") if "where" in keys else ()
        cites, about = self.cites(keys.get("cite")), self.told(keys, "about")
        if signature is None:
            return None
        return ProcedureDecl(signature, state, where, body, about, cites)

    # ------------------------------------------------------------------ phases, triggers, result

    def phases(self, entry: Entry | None) -> tuple[PhaseDecl, ...]:
        """The parts of the game."""
        if entry is None:
            return ()
        return self.each(
            entry.value,
            "the phases",
            lambda phase: self._phase(phase, self._phase_signature(phase.key)),
        )

    def _phase_signature(self, key: Text) -> Signature | None:
        if "(" in key.text:
            return self.parsed(SIGNATURE, key)
        return Signature(key.span, self.name(key, "a phase"), ())

    def setup(self, entry: Entry | None) -> PhaseDecl | None:
        """The phase in a section of its own."""
        if entry is None:
            return None
        span = entry.key.span
        return self._phase(entry, Signature(span, Word(span, "setup"), ()))

    def _phase(self, entry: Entry, signature: Signature | None) -> PhaseDecl | None:
        keys = self.long_form(entry.value, PHASE)
        if keys is None:
            body, keys = self.body(entry.value, entry.key.span), {}
        else:
            body = self.do(keys, entry)
        state = self._own_state(keys)
        cites, about = self.cites(keys.get("cite")), self.told(keys, "about")
        return None if signature is None else PhaseDecl(signature, state, body, about, cites)

    def triggers(self, entry: Entry | None) -> tuple[TriggerDecl, ...]:
        """What happens whenever something happens."""
        return () if entry is None else self.each(entry.value, "the triggers", self._trigger)

    def _trigger(self, entry: Entry) -> TriggerDecl | None:
        event = self.parsed(EVENT, entry.key)
        keys = self.long_form(entry.value, TRIGGER)
        if keys is None:
            body, keys = self.body(entry.value, entry.key.span), {}
        else:
            body = self.do(keys, entry)
        cites, about = self.cites(keys.get("cite")), self.told(keys, "about")
        return None if event is None else TriggerDecl(event, body, about, cites)

    def result(self, entry: Entry | None) -> ResultDecl | None:
        """Who wins."""
        found = None
        entries = () if entry is None else self.entries(entry.value, "the result")
        cites = self.cites(next((e for e in entries if e.key.text == "cite"), None))
        for inner in entries:
            if inner.key.text == "cite":
                continue
            if not inner.key.text.startswith("for"):
                self.unknown_key(inner.key, ("cite", "for p in players"), RESULT.name)
            elif found is None:
                found = self._result_of(inner, cites)
        return found

    def _result_of(self, entry: Entry, cites: tuple[Cite, ...]) -> ResultDecl | None:
        binder = self.parsed(RESULT_HEADER, entry.key)
        keys = self.section(entry.value, RESULT_OF)
        out = self.expr(keys["out"].value) if "out" in keys else None
        highest = self.exprs(keys["highest"].value, "what ranks") if "highest" in keys else ()
        score = self.each(keys["score"].value, "the score", self._term) if "score" in keys else ()
        payoff = self.expr(keys["payoff"].value) if "payoff" in keys else None
        if "payoff" in keys and ("score" in keys or "highest" in keys):
            note = "a result has a `payoff`, or it ranks by `score` and `highest`"
            self.problems.add("two-results", keys["payoff"].key.span, note)
        if not {"payoff", "score", "highest"} & set(keys) and isinstance(entry.value, Map):
            note = "nothing says who wins: `highest`, `score` or `payoff` is missing"
            self.problems.add("missing-key", entry.key.span, note, help="highest: p.points")
        if binder is None:
            return None
        return ResultDecl(entry.key.span, binder, out, highest, score, payoff, cites)

    def _term(self, entry: Entry) -> ScoreTerm | None:
        value = self.expr(entry.value)
        return None if value is None else ScoreTerm(self.name(entry.key, "a term"), value)

    def invariants(self, entry: Entry | None) -> tuple[InvariantDecl, ...]:
        """Conditions that hold at every moment."""
        return () if entry is None else self.each(entry.value, "the invariants", self.invariant)

    def invariant(self, entry: Entry) -> InvariantDecl | None:
        """One of them."""
        value = self.expr(entry.value)
        return None if value is None else InvariantDecl(Word(entry.key.span, entry.key.text), value)

    def measures(self, entry: Entry | None) -> tuple[MeasureDecl, ...]:
        """What is asked for when a game is over."""
        return () if entry is None else self.each(entry.value, "the measures", self._measure)

    def _measure(self, entry: Entry) -> MeasureDecl | None:
        signature = self.parsed(SIGNATURE, entry.key)
        long = isinstance(entry.value, Map)
        keys = self.section(entry.value, MEASURE) if long else {"is": entry}
        value = self.expr(keys["is"].value) if "is" in keys else None
        about = self.told(keys, "about")
        return None if signature is None or value is None else MeasureDecl(signature, value, about)
