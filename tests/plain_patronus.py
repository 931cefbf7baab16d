"""What the expansion Patronus adds to Portus, in plain Python."""

from __future__ import annotations

from attrs import define

from tests.plain_portus import RING, Asking, Portus

SETS = {
    "dockyards": ({"building": 1, "ship": 1}, 3),
    "oil_fleet": ({"ship": 1, "amphora": 1}, 3),
    "storehouses": ({"building": 1, "amphora": 1}, 3),
    "colonies": ({"building": 2, "passed": 1}, 6),
    "exports": ({"amphora": 2, "passed": 1}, 6),
}
"""The five kinds of sets, as printed."""


@define
class Patronus(Portus):
    """The expansion, from the draft on."""

    def play(self) -> Asking:
        yield from self.draft()
        for p in reversed(self.seats):  # the first player is the last one
            yield from self.use_tiles(p)
        yield from super().play()

    def draft(self) -> Asking:
        """One of five, four, three and two tiles; the last one stays; one of five is returned."""
        for _ in range(4):
            asked = {p: {f"keep {tile}" for tile in +self.now[f"{p}.hand"]} for p in self.seats}
            answer = yield asked
            for p in self.seats:
                self.move(answer[p].split()[1], f"{p}.hand", f"{p}.kept")
            hands = [self.now[f"{p}.hand"] for p in self.seats]
            for p, hand in zip(self.seats, [hands[-1], *hands[:-1]], strict=True):
                self.now[f"{p}.hand"] = hand
        for p in self.seats:
            (last,) = +self.now[f"{p}.hand"]
            self.move(last, f"{p}.hand", f"{p}.kept")
        kept = {p: +self.now[f"{p}.kept"] for p in self.seats}
        answer = yield {p: {f"return {tile}" for tile in kept[p]} for p in self.seats}
        for p in self.seats:
            self.move(answer[p].split()[1], f"{p}.kept", "tile_box")

    def use_tiles(self, p: str) -> Asking:
        tiles = [tile for tile in +self.now[f"{p}.kept"] if tile not in SETS]
        for tile in tiles:
            self.move(tile, f"{p}.kept", f"{p}.used")
        while tiles:
            tile = (yield {p: {f"next {tile}" for tile in tiles}})[p].split()[1]
            tiles.remove(tile)
            icons = list(self.data.bag("Immediate", "icons", tile).elements())
            while icons:
                icon = (yield {p: {f"next {icon}" for icon in icons}})[p].split()[1]
                icons.remove(icon)
                yield from self.use(p, icon)

    def use(self, p: str, icon: str) -> Asking:
        match icon:
            case "amphora":
                if self.size("box"):
                    self.move("amphora", "box", f"{p}.amphorae")
            case "animals":
                self.receive(p, "wild_animal")
                self.receive(p, "exotic_animal")
            case "chartered_ship":
                if self.size("chartered_tokens"):
                    answer = (yield {p: {f"place {s}" for s in RING}})[p]
                    self.move("chartered", "chartered_tokens", f"{p}.sea[{answer.split()[1]}]")
            case "lighthouse":
                if self.size("lighthouse_token"):
                    spots = [s for s in self.spots() if s != "mason_yard"]
                    free = {f"light {s}" for s in spots if self.now[f"{p}.built[{s}]"] is None}
                    answer = (yield {p: free})[p]
                    self.now["lighthouse_token"]["lighthouse"] -= 1
                    self.now[f"{p}.built[{answer.split()[1]}]"] = "lighthouse"
            case "free_move":
                yield from self.voyage(p, 1, free=True)
            case _:
                self.receive(p, icon)

    def support_points(self, p: str) -> int:
        """Each end-game tile on its own: as many sets as its scarcest part makes."""
        owned = {**self.icons(p), "passed": self.beyond(p, 3)}
        kept = [SETS[tile] for tile in (+self.now[f"{p}.kept"]).elements()]
        return sum(worth * min(owned[w] // n for w, n in needs.items()) for needs, worth in kept)

    def score(self, p: str) -> dict[str, int]:
        return {**super().score(p), "support_tiles": self.support_points(p)}
