"""A second program's Escoba, written from docs/states and docs/rules alone: it imports nothing of
ours.

`match` is a generator. It yields what F is the hash of, `[game, rules, state, request]`, at each
request and at the end, and is sent what the entries of the step say: a toss its number, an open the
faces of its slots, a question the move and the faces that it shows, anything else None.
"""

import hashlib

import msgpack

PACK = [f"{rank}{suit}" for suit in "oceb" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]
MAPS = ("holder", "faces")
"""The fields of type {X: Y}."""


def fingerprint(value):
    """Return F of `[game, rules, state, request]`: 32 bytes."""
    game, rules, state, request = value
    return hashlib.sha256(
        msgpack.packb([game, rules, {name: state[name] for name in sorted(state)}, request])
    ).digest()


def worth(face):
    """R1."""
    rank = int(face[:-1])
    return rank if rank <= 7 else rank - 2


def takers(table):
    """R2. K(T)."""
    sums = {0}
    for face in table:
        sums |= {total + worth(face) for total in sums}
    return {15 - total for total in sums if 5 <= total <= 14}


class Escoba:
    """A match, as far as the state needs it: whether moves are legal is judged elsewhere."""

    def __init__(self, players, options):
        self.players, self.options = players, options
        self.sides = 2 if options["teams"] else players
        self.state = {
            "seats": list(range(players)),
            "score": [0] * players,
            "round": 0,
            "winners": [],
            "shuffles": 0,
            "slots_used": 0,
            "eldest": None,
        }
        self.begin()

    def begin(self):
        """Empty what belongs to a deal."""
        self.state |= {
            "decks": [],
            "stock": [],
            "hands": [[] for _ in range(self.players)],
            "holder": {},
            "faces": {},
        }
        self.state |= {
            "on_table": [],
            "piles": [[] for _ in range(self.sides)],
            "eskobas": [0] * self.sides,
        }
        self.state |= {"last_capture": None, "last_eskoba": None}

    def leave(self, seats):
        """R16: these seats leave at once.

        Returns the generator with which the match goes on instead of the one before.
        """
        state = self.state
        state["seats"] = [seat for seat in state["seats"] if seat not in seats]
        alone = self.options["leaving"] == "go-on" and not self.options["teams"]
        if not alone or len(state["seats"]) < 2:
            lost = {seat % self.sides for seat in range(self.players)} - {
                seat % self.sides for seat in range(self.players) if seat in state["seats"]
            }
            lost |= {seat % self.sides for seat in seats}
            whole = [seat for seat in state["seats"] if seat % self.sides not in lost]
            staying = whole or state["seats"]
            best = max(state["score"][seat] for seat in staying)
            state["winners"] = [seat for seat in staying if state["score"][seat] == best]
        return self.match()

    def from_seat(self, first):
        """The seats still in the match, in playing order from this one or the next."""
        return sorted(self.state["seats"], key=lambda seat: (seat - first) % self.players)

    def now(self, request=None):
        """Return what F is the hash of, in the documented form."""
        spelled = {
            name: [[key, value[key]] for key in sorted(value)] if name in MAPS else value
            for name, value in self.state.items()
        }
        return ["escoba", 3, spelled, request]

    def match(self):
        """Course 1, 2, 8."""
        state = self.state
        while not state["winners"]:
            if state["eldest"] is None:
                number = yield self.now(["toss", state["seats"], len(state["seats"])])
                eldest = state["seats"][number]
            else:
                eldest = self.from_seat(state["eldest"] + 1)[0]
            self.begin()
            state["round"] += 1
            state["eldest"] = eldest
            yield from self.one_deal(self.from_seat(eldest))
        yield self.now()

    def one_deal(self, order):
        """Course 3 to 8."""
        state = self.state
        deck = [state["shuffles"] + 1, state["slots_used"], PACK, state["seats"]]
        yield self.now(["shuffle", deck])
        state["shuffles"] += 1
        state["slots_used"] += len(PACK)
        state["decks"].append(deck)
        state["stock"] += range(deck[1], deck[1] + len(PACK))
        yield from self.deal(order)
        slots = state["stock"][:4]
        state["faces"] |= yield self.now(["open", slots])
        del state["stock"][:4]
        state["on_table"] = slots
        total = sum(worth(state["faces"][slot]) for slot in slots)
        if total in (15, 30):
            first = self.options["first_table"] == "first"
            self.take(order[0 if first else -1], list(slots), total // 15)
        while True:
            for seat in order * 3:
                yield from self.turn(seat)
            if not state["stock"]:
                break
            yield from self.deal(order)
        self.leftovers()
        self.count()

    def deal(self, order):
        """Section 4: three each, one at a time."""
        state = self.state
        slots = state["stock"][: 3 * len(order)]
        to = {seat: slots[place :: len(order)] for place, seat in enumerate(order)}
        yield self.now(["deal", [[seat, to[seat]] for seat in sorted(to)]])
        del state["stock"][: len(slots)]
        for seat, own in to.items():
            state["hands"][seat] += own
            state["holder"] |= dict.fromkeys(own, seat)

    def turn(self, seat):
        """Course 6."""
        state = self.state
        table = [state["faces"][slot] for slot in state["on_table"]]
        (name, card, takes), faces = yield self.now(["ask", "one", "plays", [seat], False])
        assert name == "Play"
        state["faces"] |= faces
        state["hands"][seat].remove(card)
        if takes:
            self.take(seat, [card, *takes], int(len(takes) == len(table)))
            return
        state["on_table"].append(card)
        closed = [slot for slot in state["hands"][seat] if slot not in state["faces"]]
        if self.options["capture"] == "hand" and closed and takers(table):
            among = sorted(face for face in PACK if worth(face) not in takers(table))
            yield self.now(["prove", [[seat, closed]], among])

    def take(self, seat, cards, eskobas):
        """R5, R7, R9."""
        state, side = self.state, seat % self.sides
        state["on_table"] = [slot for slot in state["on_table"] if slot not in cards]
        state["piles"][side] += cards
        state["eskobas"][side] += eskobas
        state["last_capture"] = side
        if eskobas:
            state["last_eskoba"] = side

    def leftovers(self):
        """R11."""
        state = self.state
        swept = state["last_eskoba"] if self.options["leftovers"] == "sweep" else None
        side = state["last_capture"] if swept is None else swept
        if side is not None:
            state["piles"][side] += state["on_table"]
        state["on_table"] = []

    def count(self):
        """R12, R13, R14."""
        state = self.state
        piles = [[state["faces"][slot] for slot in pile] for pile in state["piles"]]
        lines = [
            [
                len(pile),
                sum(face[-1] == "o" for face in pile),
                sum(face[:-1] == "7" for face in pile),
            ]
            for pile in piles
        ]
        for side, (pile, (cards, golds, sevens)) in enumerate(zip(piles, lines, strict=True)):
            others = lines[:side] + lines[side + 1 :]
            most = [
                all(mine > line[kind] for line in others)
                for kind, mine in enumerate((cards, golds, sevens))
            ]
            replaces = self.options["all_replaces"]
            points = state["eskobas"][side] + most[0] + ("7o" in pile)
            points += 2 * (golds == 10) + (most[1] and not (replaces and golds == 10))
            points += 3 * (sevens == 4) + (most[2] and not (replaces and sevens == 4))
            points += bool(cards) and all(line[0] < 10 for line in others)
            for seat in range(side, self.players, self.sides):
                state["score"][seat] += points
        alone = [side for side, pile in enumerate(piles) if pile]
        most = max(state["score"][seat] for seat in state["seats"])
        there = sorted({seat % self.sides for seat in state["seats"]})
        best = [side for side in there if state["score"][side] == most]
        if len(alone) == 1 or (most >= self.options["target"] and len(best) == 1):
            winner = alone[0] if len(alone) == 1 else best[0]
            state["winners"] = list(range(winner, self.players, self.sides))
