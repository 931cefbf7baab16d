"""What texts tell of components of which a viewer sees only some columns."""

from __future__ import annotations

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.visibility_reads import Env, Reader
from rulesdsl.check.visibility_secrets import NOBODY, Secret
from rulesdsl.check.walk import nodes
from rulesdsl.play.words import Words

Reads = tuple[frozenset[m.Zone], frozenset[m.Local]]
"""The places of which no more than columns are read; the names of which more is."""
_NOTHING: Reads = (frozenset(), frozenset())


@define(eq=False)
class SeenColumns:
    """Looks at the expressions of texts as the proof of secrecy looks at those of rules."""

    model: m.Model
    _zones: frozenset[m.Zone] = field(init=False)
    _members: dict[m.Local, m.Zone] = field(init=False)
    """The names that texts give to the components in such places."""
    _reader: Reader = field(factory=lambda: Reader(lambda what, span: None), init=False)

    def __attrs_post_init__(self) -> None:
        zones = self.model.zones.values()
        self._zones = frozenset(zone for zone in zones if zone.columns_seen)
        self._members = {}
        texts = self.model.texts
        for table in (texts.prompts, texts.moves, texts.before, texts.after):
            for node in nodes(tuple(table.values())):
                if isinstance(node, m.TextEach) and (zone := gone_through(node)) is not None:
                    self._members[node.members.binder] = zone

    def reads(self, expr: m.Expr) -> Reads:
        """What an expression reads of places of which all see columns."""
        if not self._zones:
            return _NOTHING
        env = Env()
        for local, zone in self._members.items():
            secret = Secret(NOBODY, local, None, False, span=local.span)
            env = env.bind(local, frozenset({secret}), columns=frozenset(zone.columns_seen))
        told = {secret.what for secret in self._reader.label(expr, env)}
        return self._zones - told, frozenset(one for one in self._members if one in told)


def gone_through(each: m.TextEach) -> m.Zone | None:
    """The place whose components a list goes through, if all see columns of them."""
    domain = each.members.domain
    if isinstance(domain, m.ComponentsOf) and domain.place.zone.columns_seen:
        return domain.place.zone
    return None


def veiled(words: Words, zone: m.Zone, cells: list[int]) -> list[int]:
    """The cells of a place with others for its components that have the same columns."""
    first = words.alike(zone)
    match zone.shape:
        case m.Shape.BAG:
            counts = [0] * len(cells)
            for member, count in enumerate(cells):
                counts[first[member]] += count
            return counts
        case m.Shape.SLOT:
            return [first[cells[0] - 1] + 1 if cells[0] else 0]
        case m.Shape.PILE | m.Shape.DECK:
            size = cells[0]
            return [size, *(first[member] for member in cells[1 : 1 + size]), *cells[1 + size :]]


def spread(words: Words, zone: m.Zone, cells: list[int]) -> list[int]:
    """Veiled cells in which no component that exists once lies twice: others that are alike do."""
    if zone.shape is not m.Shape.BAG or zone.kinds[0] not in words.single:
        return cells
    first, left = words.alike(zone), list(cells)
    found = [0] * len(cells)
    for member in range(len(cells)):
        if left[first[member]]:
            left[first[member]] -= 1
            found[member] = 1
    return found
