"""Random headers with bodies below them: branches, loops, choices (see random_rules.py)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.random_steps import Branches, Keys, Node, Options, Steps

GOODS = ("kinds of box", "kinds of row", "Good", "row", "box", "spot")


class Headers(Steps):
    """Makes steps with steps below them."""

    def body(self, most: int = 3) -> list[Node]:
        with self.scope():
            steps: list[Node] = []
            for _ in range(self.small(1, most)):
                steps += self.step()
            if self.maybe(6):
                steps += self.ending()
            return steps

    def step(self) -> list[Node]:
        if self.depth > 5 or self.maybe(3):
            return self.plain()
        makers = [self.branch, self.loop, self.choice, self.choice, self.plain, self.moving]
        makers += [self.figures]
        if not self.region:
            makers += [self.together, self.asking, self.turning, self.chance, self.telling]
            makers += [self.longest] if self.maybe(2) else []
        if self.depth < 3 and not self.region:
            makers += [self.award, self.depending, *([self.calling] if self.calls else [])]
        return self.one(makers)()

    def condition(self) -> tuple[str, str]:
        """A condition, and `, seen` where it reads a secret."""
        if self.secrets and not self.region and self.maybe(3):
            p = self.owner()
            return f"{p}.cash {self.one(['>', '<='])} {self.small(2, 6)}", ", seen"
        return self.truth(), ""

    def branch(self) -> list[Node]:
        condition, seen = self.condition()
        branches = Branches([(f"if {condition}{seen}", self.body())])
        if self.maybe(3):
            condition, seen = self.condition()
            branches.append((f"elif {condition}{seen}", self.body(2)))
        if self.maybe(2):
            branches.append(("else", self.body(2)))
        return [branches]

    @contextmanager
    def looped(self, turns: int = 0) -> Iterator[None]:
        before = self.loops, self.turns
        self.loops, self.turns = self.loops + 1, turns
        with self.scope():
            yield
        self.loops, self.turns = before

    def loop(self) -> list[Node]:
        x = self.name("x")
        kind = self.pick(6)
        if not self.region and self.maybe(6):
            return self.through_things(f"for {x} in {self.good_name()}.mix", x)
        if not self.region and self.maybe(8):
            return self.through_tiles(f"for {x} in {self.beside()}", x)
        if kind == 0:
            condition, seen = self.condition()
            never = ", never more than 9" if self.maybe(5) else f", at most {self.small(1, 3)}"
            with self.looped():
                return [(f"while {condition}{never}{seen}", self.body(2))]
        if kind == 1:
            with self.looped():
                return [(f"repeat {self.one(['2', 'min(3, ' + self.leaf() + ')'])}", self.body(2))]
        if kind == 2:
            domain = f"{self.small(0, 1)}..{self.one(['3', 'min(3, ' + self.leaf() + ')'])}"
        elif kind == 3 and not self.region:
            near = f"neighbors of {self.good_name()}"
            domains = ["kinds of box", "kinds of row", "Good", "Colour", "maybe Good", near]
            domains += ["box", "spot"]
            domain = self.one([*domains, f"maybe {self.small(0, 2)}..max(2, {self.leaf()})"])
        elif kind == 4 and not self.region:
            domain = "row"
        elif not self.region:
            return self.players_loop()
        else:
            domain = "Good"
        with self.looped():
            if domain in GOODS or "neigh" in domain:
                self.goods.append(x)
            elif domain[0].isdigit():
                self.numbers.append(x)
            where = f" where {self.truth()}" if self.maybe(3) else ""
            body: list[Node] = [f"total += {x}.value"] if domain == "row" else self.body(2)
            return [(f"for {x} in {domain}{where}", body)]

    def through_things(self, head: str, x: str) -> list[Node]:
        """A loop through what is in a bag: goods and others."""
        y = self.name("y")
        with self.looped():
            keys = ["any Good", self.one(["any Token", "seal"]), "else"]
            cases = Options(f"depending on {x}")
            for key in keys:
                with self.scope():
                    if key == "any Good" and self.maybe(2):
                        self.goods.append(x)
                    cases.options.append((key, "", self.body(1)))
            with self.scope():
                self.goods.append(x)
                inside: list[Node] = [f"let {y} = rate[{x}]", f"{x}.worth = {y}", *self.body(1)]
            alone: Node = Branches([(f"if {x} is a Good", inside)])
            choices: list[Node] = [cases, alone]
            return [(head, [self.one(choices), f"thing = {x}"])]

    def through_tiles(self, head: str, x: str) -> list[Node]:
        """A loop through the tiles beside one."""
        with self.looped():
            moss: list[Node] = [f"{x}.moss += {self.small(1, 3)}", f"tile = {x}", *self.body(1)]
            return [(head, moss)]

    def longest(self) -> list[Node]:
        """Rounds that are looked ahead: nothing in them asks, or is left to chance."""
        p = self.owner()
        x, y = self.name("x"), self.name("y")
        room = self.one(["7", "6 - total", "bank", "size of box"])
        with self.looped(), self.scope():
            options = Options(f"{p} chooses")
            add: list[Node] = [f"{p}.bid += {x}"]
            if self.maybe(3):
                add.append(Branches([(f"if {p}.bid > 6", ["end loop"])]))
            where = f"{p}.bid + {x} <= {room}"
            options.options.append((f"add({x} in 1..{self.small(2, 3)})", where, add))
            take: list[Node] = [f"move {y} from box to {p}.line", *self.plainly()]
            where = f"{p}.bid > {y}.value"
            options.options.append((f"pick({y} in kinds of box)", where, take))
            if self.maybe(3):
                options.options.append(("rest", self.truth(), self.plainly()))
            body: list[Node] = [options, *(self.plainly() if self.maybe(2) else [])]
        number = self.one(["2", "3", f"min(3, {self.leaf()})"])
        return [(f"repeat {number}, as many as possible", body)]

    def plainly(self) -> list[Node]:
        """A step that sets off nothing, and tells nothing."""
        p = self.owner()
        steps = ["tally += 1", f"{p}.bid = {self.small(0, 4)}", "flag = not flag", "bank -= 1"]
        return [self.one(steps)]

    def players_loop(self) -> list[Node]:
        p = self.name("p")
        domain = self.one(["players", "players", f"players {self.seats()}"])
        with self.looped(turns=1):
            self.players.append(p)
            where = f" where {self.truth()}" if self.maybe(3) else ""
            until = f" until {self.early()}" if self.maybe(4) else ""
            seen = ""
            if self.secrets and self.maybe(5) and not where and not until:
                where, seen = f" where {p}.cash > 3", ", seen"
            return [(f"for {p} in {domain}{where}{until}{seen}", self.body())]

    def early(self) -> str:
        return self.one(["total > 20", "flag", "bank < 0", "size of stock == 0"])

    def turning(self) -> list[Node]:
        """Turns round the table, which end by a counter at the latest."""
        p = self.name("p")
        start = self.one(["", f" from {self.player()}"])
        with self.looped(turns=2):
            self.players.append(p)
            where = self.one(["", f" where not {p}.out"])
            body = self.body(2)
            head = f"for {p} in turns{start}{where} until tally > {self.small(4, 9)}"
            return ["tally = 0", (head, ["tally += 1", *body])]

    def choice(self) -> list[Node]:
        """Somebody chooses: whose secrets may then be used."""
        p = self.owner()
        if p.startswith("("):
            p = "leader"
        kind = self.pick(6)
        secretly = "secretly " if self.maybe(4) else ""
        head = f"{p} {secretly}chooses"
        if kind == 0:
            once = ", each once" if self.maybe(2) else ""
            head = f"{p} keeps choosing, at most {self.small(1, 3)}{once}"
        options = Options(head)
        loops, turns = self.loops, self.turns
        if kind == 0:
            self.loops, self.turns = self.loops + 1, 0
        with self.scope():
            self.mine = {p}
            for _ in range(self.small(1, 3)):
                with self.scope():
                    options.options.append(self.option(p))
        self.loops, self.turns = loops, turns
        names = [head.split("(")[0] for head, _, _ in options.options]
        unique = [o for i, o in enumerate(options.options) if names[i] not in names[:i]]
        options.options = unique
        if kind != 0 and self.maybe(4):
            options.options.append(("otherwise", "", self.body(1)))
        elif kind != 0:
            options.options.append(("pass", "", []))
        return [options]

    def option(self, p: str) -> tuple[str, str, list[Node]]:
        x, y = self.name("x"), self.name("y")
        subbag = ""
        kind = self.pick(10)
        where = ""
        if kind == 0:
            head = f"bid({x} in {self.small(0, 2)}..{self.one(['4', f'min(5, {self.leaf()})'])})"
            self.numbers.append(x)
        elif kind == 1:
            head = f"spend({x} in 0..min(3, {p}.cash), {y} in 0..{x} where {y} != 2)"
            self.numbers += [x, y]
        elif kind == 2:
            chest = f"kinds of {p}.chest[{self.colour()}]"
            own = [f"kinds of {p}.goods", f"{p}.goods", chest]
            domain = self.one(["Good", *own, "kinds of box"])
            if self.region and "box" in domain:
                domain = "Good"
            elif self.maybe(4):
                domain = f"neighbors of {self.good_name()}"
            head = f"take({x} in {domain})"
            self.goods.append(x)
        elif kind == 3 and self.goods:
            head = f"offer({self.goods[-1]}, {x} in 1..2)"
            self.numbers.append(x)
        elif kind == 4 and not self.region:
            domain = self.one(["players", f"players after {p}", "players"])
            head = f"name({x} in {domain}{self.one(['', f' where {x} != {p}'])})"
            self.players.append(x)
        elif kind == 5:
            low = self.small(0, 1)
            head = f"give({x} in any {low}..{self.small(1, 2)} of {p}.goods)"
            subbag = x
            where = self.one(["", f"size of {x} > 0", f"{x}[silk] < 2"])
        elif kind == 8:
            head = f"lay({x} in any {self.small(0, 1)}..2 of {p}.figures)"
            where = self.one(["", f"size of {x} > 0", f"{x}[moon] == 0"])
        elif kind == 9:
            head = f"draw({x} in {self.one(['', 'kinds of '])}{p}.figures)"
        elif kind == 6:
            low = self.small(0, 2)
            numbers = f"maybe {low}..{self.one(['4', f'max(2, min(5, {self.leaf()}))'])}"
            more = ["Lot"]
            if not self.region:
                more += ["Thing", f"{self.good_name()}.mix", self.beside()]
            domain = self.one(["bool", "maybe Good", "Colour", numbers, "Pair", *more])
            head = f"say({x} in {domain})"
        else:
            head = "stand"
        if not where and self.maybe(3):
            where = self.truth()
        body = self.body(2)
        if subbag:
            but = self.one(["", "all but "])
            body.insert(0, f"move {but}{subbag} from {p}.goods to {self.one(['box', f'{p}.cup'])}")
        elif kind == 8:
            but = self.one(["", "all but "])
            body.insert(0, f"move {but}{x} from {p}.figures to {self.one(['tray', 'chest'])}")
        elif kind == 9:
            to = "tray" if self.region else self.one(["tray", "plinth", "vault"])
            body.insert(0, f"move {x} from {p}.figures to {to}")
        elif kind == 1:
            body.insert(0, f"{p}.cash -= {x}")
        elif kind == 2 and f"{p}.goods" in head:
            body.insert(0, f"move {x} from {p}.goods to {self.one(['box', f'{p}.line'])}")
        return head, where, body

    def asking(self) -> list[Node]:
        """Members in an order that a player chooses."""
        x, p = self.name("x"), self.player()
        near = f"neighbors of {self.good_name()}"
        domain = self.one(["Good", "1..3", "kinds of box", "players", near, "maybe 1..2", "bag"])
        if domain == "bag" and self.maybe(2):
            bag = self.one(["", "kinds of "]) + f"{self.good_name()}.mix"
            return self.through_things(f"for {x} in {bag}, in the order {p} chooses", x)
        if domain == "bag":
            domain = self.one(["box", "row"])
        if not self.region and self.maybe(6):
            return self.through_tiles(f"for {x} in {self.beside()}, in the order {p} chooses", x)
        with self.looped():
            where = f" where {self.truth()}" if self.maybe(3) else ""
            if domain == "players":
                self.players.append(x)
            elif domain == "1..3":
                self.numbers.append(x)
            elif domain != "maybe 1..2":
                self.goods.append(x)
            head = f"for {x} in {domain}{where}, in the order {p} chooses"
            return [(head, self.body(2))]

    def together(self) -> list[Node]:
        p = self.name("p")
        before = self.players, self.numbers, self.goods, self.loops, self.turns
        conditions = [f"not {p}.out", f"{p}.bid > 0", f"{p} != leader"]
        head = f"together {p} in players{self.one(['', f' where {self.one(conditions)}'])}"
        if self.maybe(3) and len(self.players) > 1:
            p = self.one(self.players[1:])
            head = f"{p} secretly"
        self.region, self.loops, self.turns = p, 0, 0
        with self.scope():
            self.mine = set()
            body = [*self.choice(), *self.body(2)]
            if self.maybe(4):
                body.append(f"roll {p}.bid")
        self.region = ""
        self.players, self.numbers, self.goods, self.loops, self.turns = before
        return [(head, body)]

    def award(self) -> list[Node]:
        p, x = self.name("p"), self.one(["points", "bid"])
        by, seen = self.one([f"{p}.bid", f"{p}.points", f"size of {p}.line"]), ""
        if self.secrets and self.maybe(3):
            by, seen = f"{p}.cash", ", seen"
        if self.maybe(2):
            by = f"[{by}, {p}.points]"
        where = self.one(["", f" where not {p}.out"])
        ties = self.one(
            [
                "split rounded down",
                "split rounded up",
                "each gets the prize, places are used up",
                "each gets the prize, none is skipped",
            ]
        )
        keys = [f"by: {by}", f"prizes: [{self.small(3, 5)}, 2, 1]", f"ties: {ties}"]
        return [Keys((f"award {x} to {p} in players{where}{seen}", keys))]

    def calling(self) -> list[Node]:
        p = self.player()
        return [self.one([f"work({p}, {self.small(0, 3)})", f"trade({p}, {self.good()})"])]

    def depending(self) -> list[Node]:
        value, keys = "die", ["1", "2..3", "4+"]
        if self.maybe(2):
            value, keys = self.good(), ["silk", "else"]
        elif self.maybe(3):
            value, keys = self.one(["thing", "hope"]), ["any Token", "silk", "else"]
        cases = Options(f"depending on {value}")
        cases.options = [(key, "", self.body(1)) for key in keys]
        return [cases]

    def ending(self) -> list[Node]:
        """A last step of a body that leaves something."""
        choices: list[str] = []
        if self.loops:
            choices += ["end loop"] * 3
        if self.turns == 2:
            choices += [f"turn passes to {self.any_player()}"] * 5
        if self.turns:
            choices += [f"turn passes to players {self.seats()}"] * 5
        if not self.region and self.maybe(4):
            choices += ["end game", f"{self.player()} wins", "nobody wins"]
            choices += ["end phase"] if self.in_phase else []
        return [self.one(choices)] if choices else []
