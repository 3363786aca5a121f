"""A second program that plays, written from docs/protocol.md alone, like its other
halves `tests.table.log_reader` and `tests.table.log_cryptography`.

`Player` holds one seat of a match of Escoba in which nobody goes. It is given `sign`, for bytes of
an entry, `send`, which carries an entry to the others, and `heard`, which returns all entries that
have come in.
"""

from itertools import combinations

import msgpack

from tests.table.log_cryptography import (
    GROUP,
    Deck,
    G,
    L,
    digest,
    h,
    h128,
    hl,
    pack,
    require,
    spell_scalar,
)
from tests.table.log_reader import Log


class Secrets:
    """Proofs, section 7; `draw` gives a number below a bound."""

    def __init__(self, draw):
        self.draw = draw

    def scalar(self):
        """Draw a scalar that is not 0."""
        return 1 + self.draw(L - 1)

    def relation(self, label, statement, rows, images, secret):
        """Prove a relation with one secret."""
        w = self.scalar()
        made = [GROUP.mult(w, base) for base in rows]
        c = hl(label, statement, [[[base] for base in rows], list(images)], made)
        return spell_scalar(c) + spell_scalar(w + c * secret)

    def shuffle(self, ctx, joint, before):
        """7.4. Returns the deck after, and the proof."""
        n = len(before)
        pi, left = [], list(range(n))
        while left:
            pi.append(left.pop(self.draw(len(left))))
        r, rho, rho_hat = ([self.scalar() for _ in before] for _ in range(3))
        masks = [(before[j], k) for j, k in zip(pi, r, strict=True)]
        mixed = [
            (GROUP.add(a, GROUP.base(k)), GROUP.add(b, GROUP.mult(k, joint))) for (a, b), k in masks
        ]
        h_0, *gens = GROUP.family(b"sobremesa/v1/gen", b"", n + 1)
        coms = [b""] * n
        for i, j in enumerate(pi):
            coms[j] = GROUP.add(GROUP.base(rho[j]), gens[i])
        flat = [b"".join(part for pair in deck for part in pair) for deck in (before, mixed)]
        e = digest("tw/e", ctx, G, digest("tw/gen", h_0, gens), joint, *flat)
        st = digest("tw/u", e, b"".join(coms))
        u = [h128("tw/u", st, j) for j in range(n)]
        u_dash = [u[j] for j in pi]
        chain = [h_0]
        for k, factor in zip(rho_hat, u_dash, strict=True):
            chain.append(GROUP.add(GROUP.base(k), GROUP.mult(factor, chain[-1])))
        v = [1] * n
        for i in reversed(range(n - 1)):
            v[i] = u_dash[i + 1] * v[i + 1] % L
        secrets = [sum(rho), inner(rho_hat, v), inner(rho, u), inner(r, u_dash)]
        w, w_hat, w_dash = (
            [self.scalar() for _ in range(4)],
            [self.scalar() for _ in pi],
            [self.scalar() for _ in pi],
        )
        t = [GROUP.base(w[0]), GROUP.base(w[1]), GROUP.combine([w[2], *w_dash], [G, *gens])]
        t += [
            GROUP.combine([-w[3] % L, *w_dash], [key, *(pair[at] for pair in mixed)])
            for at, key in enumerate((G, joint))
        ]
        t += [
            GROUP.combine(pair, [G, last])
            for pair, last in zip(zip(w_hat, w_dash, strict=True), chain[:-1], strict=True)
        ]
        c = h128("tw/c", st, b"".join(chain[1:]), b"".join(t))
        s = [
            *zip(w, secrets, strict=True),
            *zip(w_hat, rho_hat, strict=True),
            *zip(w_dash, u_dash, strict=True),
        ]
        said = b"".join(spell_scalar(nonce + c * secret) for nonce, secret in s)
        return flat[1], b"".join(coms) + b"".join(chain[1:]) + c.to_bytes(16, "little") + said

    def claim(self, deck, head, seat, slot, among, secret):
        """7.7."""
        a, key = deck.slots[slot - deck.first][0], deck.keys[seat]
        masked = deck.without(slot, [other for other in deck.holders if other != seat])
        points = [
            point for point, face in zip(deck.points, deck.faces, strict=True) if face in among
        ]
        mine = points.index(GROUP.sub(masked, GROUP.mult(secret, a)))
        pairs = [(self.scalar(), self.scalar()) for _ in points]
        w, made = self.scalar(), []
        for at, (point, (c, z)) in enumerate(zip(points, pairs, strict=True)):
            if at == mine:
                made += [GROUP.base(w), GROUP.mult(w, a)]
            else:
                made.append(GROUP.sub(GROUP.base(z), GROUP.mult(c, key)))
                made.append(GROUP.sub(GROUP.mult(z, a), GROUP.mult(c, GROUP.sub(masked, point))))
        total = hl("one-of", [deck.context(head), slot, key, a, masked, points], made)
        c = (total - sum(c for at, (c, _) in enumerate(pairs) if at != mine)) % L
        pairs[mine] = (c, w + c * secret)
        return b"".join(spell_scalar(part) for pair in pairs for part in pair)


def inner(xs, ys):
    """Return the sum of products."""
    return sum(x * y for x, y in zip(xs, ys, strict=True))


def worth(face):
    """R1 of Escoba."""
    rank = int(face[:-1])
    return rank if rank <= 7 else rank - 2


class Player(Log):
    """A seat of a match, from the first record of its log on."""

    def __init__(self, opening, rules_of, seat, draw, sign, send, heard):
        super().__init__(opening, rules_of)
        self.seat, self.secrets = seat, Secrets(draw)
        self.sign, self.send, self.heard = sign, send, heard
        self.key = 0
        self.said = []

    def play(self):
        """Play to the end, and seal."""
        while (request := self.value[3]) is not None:
            kind, *fields = request
            self.step(
                [data for entries in getattr(self, f"play_{kind}")(*fields) for data in entries]
            )
        self.seals(
            self.exchange(
                ["seal", 0, len(self.heads)], 0, self.heads[-1], self.state["seats"], dict
            )
        )

    def exchange(self, place, stage, head, speakers, word):
        """Say our word, if we owe one; return the entries of all in seat order."""
        if self.seat in speakers:
            fields = [self.match, place, stage, self.seat, head, word()]
            data = pack([*fields, self.sign(pack(fields))])
            self.said.append(data)
            self.send(data)
        found = {}
        for data in [*self.said, *self.heard()]:
            _match, where, at, seat, *_rest = msgpack.unpackb(data)
            if (where, at) == (place, stage):
                found[seat] = data
        require(set(found) == set(speakers), "somebody is silent")
        return [found[seat] for seat in sorted(found)]

    def one_stage(self, speakers, word):
        """A step of one stage."""
        return [self.exchange(["step", 0, len(self.heads)], 0, self.heads[-1], speakers, word)]

    def play_toss(self, seats, sides):
        """7.8."""
        number, nonce = len(self.heads), bytes(self.secrets.draw(256) for _ in range(32))
        value = self.secrets.draw(sides)
        made = h("commit", self.match, self.heads[-1], self.seat, nonce, pack(value))
        (first,) = self.one_stage(seats, lambda: {"commit": made})
        head = h("stage", self.heads[-1], first)
        return [
            first,
            self.exchange(
                ["step", 0, number], 1, head, seats, lambda: {"nonce": nonce, "value": value}
            ),
        ]

    def play_shuffle(self, request):
        """7.1, 7.4: until all keep the deck."""
        number, _first, faces, holders = request
        head = first = h("deck", self.match, 0, number, self.laid, faces, holders)
        place, stages = ["deck", 0, number, first], []

        def say(speakers, word):
            nonlocal head
            on = head
            stages.append(self.exchange(place, len(stages), on, speakers, lambda: word(on)))
            head = h("stage", on, stages[-1])
            return on, self.read(stages[-1], place, on)

        burnt = True
        while burnt:
            deck, self.key = (
                Deck(self.match, self.terms["game"], request, self.ids),
                self.secrets.scalar(),
            )
            deck.take_keys(*say(holders, lambda on, deck=deck: self.key_of(deck, on)))
            for holder in holders:
                on, bodies = say([holder], lambda on, deck=deck: self.mixed(deck, on))
                deck.take_shuffle(on, bodies[holder])
            burnt = self.burnt(say(holders, lambda _: {})[1])
        return stages

    def key_of(self, deck, head):
        """7.1."""
        public, owner = GROUP.base(self.key), self.ids[self.seat]
        statement = [deck.context(head), self.seat, owner]
        proof = self.secrets.relation("key", statement, [G], [public], self.key)
        return {"key": public, "proof": proof}

    def mixed(self, deck, head):
        """7.4."""
        mixed, proof = self.secrets.shuffle(deck.context(head), deck.joint, deck.slots)
        return {"deck": mixed, "proof": proof}

    def play_deal(self, to):
        """7.5."""
        holders = {slot: seat for seat, slots in to for slot in slots}
        owing = self.owed(sorted(holders), holders)
        return self.one_stage(sorted(owing), lambda: {"shares": self.own_shares(owing[self.seat])})

    def play_open(self, slots):
        """7.5."""
        owing = self.owed(sorted(slots))
        return self.one_stage(sorted(owing), lambda: {"shares": self.own_shares(owing[self.seat])})

    def own_shares(self, slots):
        """Our shares of slots, all of the last deck."""
        deck, head = self.decks[-1], self.heads[-1]
        firsts = [deck.slots[slot - deck.first][0] for slot in slots]
        shares = [GROUP.mult(self.key, first) for first in firsts]
        statement = digest(
            "shares/statement", deck.context(head), deck.keys[self.seat], slots, firsts, shares
        )
        weights = [1, *(h128("shares/weight", statement, index) for index in range(1, len(slots)))]
        images = [deck.keys[self.seat], GROUP.combine(weights, shares)]
        rows = [G, GROUP.combine(weights, firsts)]
        return [
            [b"".join(shares), self.secrets.relation("shares", statement, rows, images, self.key)]
        ]

    def play_prove(self, claims, among):
        """7.7."""
        slots, deck, head = dict(map(tuple, claims)), self.decks[-1], self.heads[-1]

        def word():
            return {
                "claims": [
                    self.secrets.claim(deck, head, self.seat, slot, among, self.key)
                    for slot in slots[self.seat]
                ]
            }

        return self.one_stage(sorted(slots), word)

    def play_ask(self, _kind, _question, seats, _programs):
        """Take something if a card can, else lay the first card."""

        def word():
            move = self.choose()
            return {"move": move, "shares": self.own_shares([move[1]])}

        return self.one_stage(seats, word)

    def own_face(self, slot):
        """The face of a slot that was dealt to us."""
        deck = self.decks[-1]
        masked = deck.without(slot, [seat for seat in deck.holders if seat != self.seat])
        point = GROUP.sub(masked, GROUP.mult(self.key, deck.slots[slot - deck.first][0]))
        return deck.faces[deck.points.index(point)]

    def choose(self):
        """Choose a move."""
        hand, seen = self.state["hands"][self.seat], dict(map(tuple, self.state["faces"]))
        table = self.state["on_table"]
        for card in hand:
            for size in range(len(table), 0, -1):
                for taken in combinations(table, size):
                    if worth(self.own_face(card)) + sum(worth(seen[slot]) for slot in taken) == 15:
                        return ["Play", card, sorted(taken)]
        return ["Play", hand[0], []]
