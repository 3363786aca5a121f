"""A second program that verifies a log, written from docs/protocol.md alone: of ours it imports the
group and the signatures.

`verify` checks every signature, place, head and proof of a log, and comes to F by rules of its own.
Whether moves are legal is judged elsewhere, and so is evidence of faults.
"""

import hashlib

import msgpack

from crypto.group import ristretto255
from crypto.identity import verify as verify_signature

GROUP = ristretto255()
G = GROUP.generator
L = GROUP.order


class Wrong(Exception):
    """The log is not what the documents say."""


class Left(Exception):
    """Thrown into the rules: these seats, in seat order, have gone."""

    def __init__(self, seats):
        super().__init__(seats)
        self.seats = seats


def require(holds, what):
    """Raise if something does not hold."""
    if not holds:
        raise Wrong(what)


# Section 1: hashes.


def digest(label, *parts):
    """Return SHA-512 over the label and the parts."""
    return hashlib.sha512(
        b"".join(spell(part) for part in ("sobremesa/v1", label, *parts))
    ).digest()


def spell(part):
    """Return the type, the length and the content."""
    if isinstance(part, list):
        kind, length, content = b"l", len(part), b"".join(spell(item) for item in part)
    elif isinstance(part, int):
        kind, content = b"i", part.to_bytes((part.bit_length() + 7) // 8, "big")
        length = len(content)
    else:
        kind, content = (b"s", part.encode()) if isinstance(part, str) else (b"b", part)
        length = len(content)
    return kind + length.to_bytes(8, "big") + content


def h(label, *parts):
    """H."""
    return digest(label, *parts)[:32]


def hl(label, *parts):
    """HL."""
    return int.from_bytes(digest(label, *parts), "little") % L


def h128(label, *parts):
    """H128."""
    return int.from_bytes(digest(label, *parts)[:16], "little")


def pack(value):
    """Return canonical MessagePack."""
    return msgpack.packb(value)


def player_id(key):
    """Section 2.1."""
    return hashlib.sha256(b"sobremesa/v1/player\0" + key).digest()


# Section 7: cryptography.


def halves(data, size=32):
    """Cut bytes into pieces of equal size."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def scalars(data, size=32):
    """Read scalars."""
    return [int.from_bytes(piece, "little") for piece in halves(data, size)]


def spell_scalar(number):
    """Spell a scalar."""
    return (number % L).to_bytes(32, "little")


def verify_relation(label, statement, rows, images, proof):
    """A proof of a relation with one secret: each row has one base."""
    c, s = scalars(proof)
    made = [
        GROUP.sub(GROUP.mult(s, base), GROUP.mult(c, image))
        for base, image in zip(rows, images, strict=True)
    ]
    require(
        c == hl(label, statement, [[[base] for base in rows], list(images)], made),
        f"a proof: {label}",
    )


class Deck:
    """One deck: 7.1 to 7.7."""

    def __init__(self, match, game, request, ids):
        self.number, self.first, self.faces, self.holders = request
        self.match, self.game, self.ids = match, game, ids
        name = game.encode()
        self.points = list(GROUP.family(b"sobremesa/v1/card", name, len(self.faces)))
        self.keys = {}
        self.slots = []
        self.shares = {}

    def context(self, head):
        """Return ctx."""
        return h(
            "context",
            self.match,
            self.number,
            self.game,
            [self.ids[seat] for seat in self.holders],
            head,
        )

    def take_keys(self, head, bodies):
        """7.1, 7.3."""
        for seat, body in bodies.items():
            key = body["key"]
            verify_relation(
                "key", [self.context(head), seat, self.ids[seat]], [G], [key], body["proof"]
            )
            self.keys[seat] = key
        self.joint = GROUP.sum(self.keys.values())
        require(len(set(self.keys.values())) == len(self.holders), "equal keys")
        self.slots = [(G, GROUP.add(point, self.joint)) for point in self.points]

    def take_shuffle(self, head, body):
        """7.4."""
        flat = halves(body["deck"])
        after = list(zip(flat[::2], flat[1::2], strict=True))
        verify_shuffle(self.context(head), self.joint, self.slots, after, body["proof"])
        self.slots = after

    def take_shares(self, head, seat, slots, item):
        """7.5."""
        data, proof = item
        firsts = [self.slots[slot - self.first][0] for slot in slots]
        shares = halves(data)
        require(len(shares) == len(slots) > 0, "the number of shares")
        statement = digest(
            "shares/statement", self.context(head), self.keys[seat], slots, firsts, shares
        )
        weights = [1, *(h128("shares/weight", statement, index) for index in range(1, len(slots)))]
        rows = [G, GROUP.combine(weights, firsts)]
        verify_relation(
            "shares", statement, rows, [self.keys[seat], GROUP.combine(weights, shares)], proof
        )
        for slot, share in zip(slots, shares, strict=True):
            self.shares.setdefault(slot, {})[seat] = share

    def without(self, slot, seats):
        """Take the masks of these seats off a slot."""
        rest = self.slots[slot - self.first][1]
        for seat in seats:
            rest = GROUP.sub(rest, self.shares[slot][seat])
        return rest

    def face(self, slot):
        """7.6."""
        return self.faces[self.points.index(self.without(slot, self.holders))]

    def take_claim(self, head, seat, slot, among, proof):
        """7.7."""
        a, key = self.slots[slot - self.first][0], self.keys[seat]
        c = self.without(slot, [other for other in self.holders if other != seat])
        points = [
            point for point, face in zip(self.points, self.faces, strict=True) if face in among
        ]
        pairs = scalars(proof)
        require(len(pairs) == 2 * len(points), "the length of a claim")
        made, total = [], 0
        for point, c_f, z_f in zip(points, pairs[::2], pairs[1::2], strict=True):
            made.append(GROUP.sub(GROUP.base(z_f), GROUP.mult(c_f, key)))
            made.append(GROUP.sub(GROUP.mult(z_f, a), GROUP.mult(c_f, GROUP.sub(c, point))))
            total += c_f
        require(
            total % L == hl("one-of", [self.context(head), slot, key, a, c, points], made),
            "a claim",
        )


def verify_shuffle(ctx, joint, before, after, proof):
    """7.4."""
    n = len(before)
    require(len(proof) == 128 * n + 144, "the length of a shuffle's proof")
    big_h = list(GROUP.family(b"sobremesa/v1/gen", b"", n + 1))
    h_0, gens = big_h[0], big_h[1:]
    coms, chain, rest = halves(proof[: 32 * n]), halves(proof[32 * n : 64 * n]), proof[64 * n :]
    c, s = int.from_bytes(rest[:16], "little"), scalars(rest[16:])
    s1, s2, s3, s4, s_hat, s_dash = *s[:4], s[4 : 4 + n], s[4 + n :]
    flat = [b"".join(part for pair in deck for part in pair) for deck in (before, after)]
    e = digest("tw/e", ctx, G, digest("tw/gen", h_0, gens), joint, *flat)
    st = digest("tw/u", e, b"".join(coms))
    u = [h128("tw/u", st, j) for j in range(n)]
    product = 1
    for factor in u:
        product = product * factor % L
    c_bar = GROUP.sub(GROUP.sum(coms), GROUP.sum(gens))
    c_hat = GROUP.sub(chain[-1], GROUP.mult(product, h_0))
    c_tilde = GROUP.combine(u, coms)
    a_in, b_in = (GROUP.combine(u, [pair[part] for pair in before]) for part in (0, 1))
    a_out, b_out = ([pair[part] for pair in after] for part in (0, 1))
    t = [
        GROUP.combine([s1, -c % L], [G, c_bar]),
        GROUP.combine([s2, -c % L], [G, c_hat]),
        GROUP.combine([s3, *s_dash, -c % L], [G, *gens, c_tilde]),
        GROUP.combine([-s4 % L, *s_dash, -c % L], [G, *a_out, a_in]),
        GROUP.combine([-s4 % L, *s_dash, -c % L], [joint, *b_out, b_in]),
    ]
    for i, last in enumerate([h_0, *chain[:-1]]):
        t.append(GROUP.combine([s_hat[i], s_dash[i], -c % L], [G, last, chain[i]]))
    require(c == h128("tw/c", st, b"".join(chain), b"".join(t)), "the proof of a shuffle")


# Sections 4 and 6: entries, steps, heads, the log.


def records(log):
    """Cut a log into its records."""
    while log:
        size = int.from_bytes(log[:4], "big")
        yield msgpack.unpackb(log[4 : 4 + size])
        log = log[4 + size :]


class Log:
    """A log that is being verified: `heads` and `fingerprints` of all steps so far."""

    def __init__(self, log, rules_of):
        opening, *self.records = records(log)
        require(opening["sobremesa"] == 2, "the version of the file")
        data = opening["terms"]
        self.terms = msgpack.unpackb(data)
        self.keys = [seat[0] for seat in self.terms["seats"]]
        self.ids = [player_id(key) for key in self.keys]
        for key, signature in zip(self.keys, opening["signatures"], strict=True):
            verify_signature(key, "sobremesa/2 terms", data, signature)
        self.match = h("match", data)
        self.heads = [h("terms", data)]
        self.view, self.members, self.stands = 0, list(range(len(self.keys))), False
        self.fingerprints = []
        self.requests = []
        self.decks = []
        self.rules = rules_of(self.terms)
        self.value = next(self.rules)

    @property
    def state(self):
        """The public state now."""
        return self.value[2]

    def verify(self):
        """Verify all records."""
        for record in self.records:
            ((kind, entries),) = record.items()
            if kind == "step" and self.stands:
                self.stand(entries)
            elif kind == "step":
                self.step(entries)
            elif kind == "view":
                self.change(entries)
            elif kind == "seals":
                self.seals(entries)
            else:
                raise Wrong(f"this reader knows no {kind}")
        return self

    def signed(self, data):
        """Read an entry of this match: place, stage, seat, head, body."""
        *said, signature = msgpack.unpackb(data)
        match, place, stage, seat, head, body = said
        verify_signature(self.keys[seat], "sobremesa/2 entry", pack(said), signature)
        require(match == self.match, "the match of an entry")
        return place, stage, seat, head, body

    def read(self, entries, place, head):
        """Read the entries of one stage: the body of each seat. They stand in seat order."""
        bodies = {}
        for data in entries:
            where, _stage, seat, on, body = self.signed(data)
            require((where, on) == (place, head), "place and head of an entry")
            bodies[seat] = body
        require(list(bodies) == sorted(bodies), "the order of the entries")
        return bodies

    def step(self, entries):
        """Verify a step, and go on."""
        request = self.value[3]
        stages = []
        for data in entries:
            stage = msgpack.unpackb(data)[2]
            stages += [[] for _ in range(stage + 1 - len(stages))]
            stages[stage].append(data)
        answer = getattr(self, request[0])(stages, *request[1:])
        self.value = self.rules.send(answer)
        f = fingerprint(self.value)
        if request[0] == "shuffle":
            head = h("step", self.heads[-1], entries, f)
        else:
            head = self.heads[-1]
            for stage in stages[:-1]:
                head = h("stage", head, stage)
            head = h("step", head, stages[-1], f)
        self.requests.append(request)
        self.fingerprints.append(f)
        self.heads.append(head)

    def stages(self, stages):
        """Read the stages of a step of the match's own chain: head and bodies of each."""
        head = self.heads[-1]
        for entries in stages:
            yield head, self.read(entries, ["step", self.view, len(self.heads)], head)
            head = h("stage", head, entries)

    def shuffle(self, stages, request):
        """The deck's own chain."""
        number, _first, faces, holders = request
        deck = Deck(self.match, self.terms["game"], request, self.ids)
        head = first = h("deck", self.match, self.view, number, faces, holders)
        require(len(stages) == 1 + len(holders), "the stages of a shuffle")
        for stage, entries in enumerate(stages):
            bodies = self.read(entries, ["deck", self.view, number, first], head)
            require(
                list(bodies) == (holders[stage - 1 : stage] if stage else holders), "the holders"
            )
            if stage:
                deck.take_shuffle(head, bodies[holders[stage - 1]])
            else:
                deck.take_keys(head, bodies)
            head = h("stage", head, entries)
        self.decks.append(deck)

    def shares(self, head, seat, slots, items):
        """The shares of slots, of as many decks as they are of."""
        by_deck = {}
        for slot in sorted(slots):
            deck = self.deck_of(slot)
            by_deck.setdefault(deck.number, (deck, []))[1].append(slot)
        require(len(items) == len(by_deck), "the decks of shares")
        for number, item in zip(sorted(by_deck), items, strict=True):
            deck, own = by_deck[number]
            deck.take_shares(head, seat, own, item)

    def deck_of(self, slot):
        """The deck that a slot is of."""
        return max((deck for deck in self.decks if deck.first <= slot), key=lambda deck: deck.first)

    def owed(self, slots, to=None):
        """Return who owes shares of slots, and of which; `to` says to whom slots are dealt."""
        owing = {}
        for slot in slots:
            deck = self.deck_of(slot)
            for seat in deck.holders:
                if seat not in deck.shares.get(slot, {}) and seat != (to or {}).get(slot):
                    owing.setdefault(seat, []).append(slot)
        return owing

    def deal(self, stages, to):
        """Every holder's shares of all slots but its own."""
        self.published(stages, self.owed(*_slots_to(to)))

    def open(self, stages, slots):
        """Shares that are missing. Returns the faces."""
        self.published(stages, self.owed(slots))
        return {slot: self.deck_of(slot).face(slot) for slot in slots}

    def published(self, stages, owing):
        """Read a stage of shares."""
        ((head, bodies),) = self.stages(stages)
        require(set(bodies) == set(owing), "the seats that owe shares")
        for seat, body in bodies.items():
            require(list(body) == ["shares"], "the fields")
            self.shares(head, seat, owing[seat], body["shares"])

    def prove(self, stages, claims, among):
        """Claims."""
        ((head, bodies),) = self.stages(stages)
        require(list(bodies) == [seat for seat, _ in claims], "the seats with a claim")
        for seat, slots in claims:
            for slot, proof in zip(slots, bodies[seat]["claims"], strict=True):
                self.deck_of(slot).take_claim(head, seat, slot, among, proof)

    def toss(self, stages, seats, sides):
        """7.8. Returns the number."""
        said = self.revealed(stages, seats)
        require(all(0 <= value < sides for _, _, value in said.values()), "the numbers of a toss")
        return sum(value for _, _, value in said.values()) % sides

    def revealed(self, stages, seats):
        """Commit and reveal: the head, the body and the value of each seat."""
        (_, commits), (head, reveals) = self.stages(stages)
        require(set(commits) == set(reveals) == set(seats), "the seats that reveal")
        for seat, body in reveals.items():
            made = h(
                "commit", self.match, len(self.heads), seat, body["nonce"], pack(body["value"])
            )
            require(commits[seat] == {"commit": made}, "what was committed to")
        return {seat: (head, body, body["value"]) for seat, body in reveals.items()}

    def ask(self, stages, kind, _question, seats, programs):
        """Return the moves in the order of the request: seat, move, and the faces that it shows."""
        if kind == "all" and len(seats) > 1 and not programs:
            said = self.revealed(stages, seats)
        else:
            ((head, bodies),) = self.stages(stages)
            require(set(bodies) == set(seats), "the seats that answer")
            said = {seat: (head, body, body.get("move")) for seat, body in bodies.items()}
        return [
            (seat, said[seat][2], self.shown(seat, *said[seat]))
            for seat in seats
            if said[seat][2] is not None
        ]

    def shown(self, seat, head, body, move):
        """Read the shares that come with a move: those of the slots that it shows and nobody has
        seen."""
        seen = {slot for slot, _ in self.state["faces"]}
        slots = [slot for slot in shows(move) if slot not in seen]
        self.shares(head, seat, slots, body["shares"])
        return {slot: self.deck_of(slot).face(slot) for slot in shows(move)}

    def change(self, entries):
        """Sections 5 and 6: a view change. The flushes are the last entries, one of each seat that
        stays."""
        _flush, view, gone, called, heard = place = self.signed(entries[-1])[0]
        voted = {seat for seat, point in called if [seat, point] not in heard}
        going = {*gone, *voted}
        staying = [seat for seat in self.members if seat not in going]
        calls, flushes = entries[: -len(staying)], entries[-len(staying) :]
        signed = [self.signed(data) for data in flushes]
        require(
            view == self.view and [one[0] for one in signed] == [place] * len(staying),
            "the flushes of one round",
        )
        require([one[2] for one in signed] == staying, "the flushes of all who stay")
        for _place, _stage, _seat, head, body in signed:
            require(
                body["done"] == b"" and self.heads[body["records"]] == head, "the head of a flush"
            )
        require(
            max(one[4]["records"] for one in signed) == len(self.heads) - 1, "the furthest flush"
        )
        self.justify(calls, gone, [call for call in called if call not in heard])
        require(
            not voted or 2 * len(staying) > len(self.members) - len(gone), "more than half stay"
        )
        leaving = [seat for seat in sorted(going) if seat in self.state["seats"]]
        if leaving:
            self.value = self.rules.throw(Left(leaving))
        self.heads.append(h("view", self.heads[-1], flushes, fingerprint(self.value)))
        self.view += 1
        self.members = [seat for seat in self.state["seats"] if seat not in going]
        self.stands = self.value[3] is not None

    def justify(self, calls, gone, pending):
        """Require leaves and votes, in their order; this reader judges no evidence."""
        signed = [(*self.signed(data)[:3], data) for data in calls]
        require(
            signed == sorted(signed, key=lambda one: (*one[0][:2], *one[1:])),
            "the order of what justifies a change",
        )
        left = {
            seat
            for place, _stage, seat, _data in signed
            if place[0] == "leave" and place[1] <= self.view
        }
        require(set(gone) <= left, "the leaves")
        electorate = [seat for seat in self.members if seat not in gone]
        for named in {seat for seat, _point in pending}:
            places = [["vote", self.view, point, seat] for seat, point in pending if seat == named]
            votes = [
                {
                    seat
                    for place, _stage, seat, _data in signed
                    if place == one and seat in electorate
                }
                for one in places
            ]
            require(any(2 * len(voters) > len(electorate) for voters in votes), "the votes")

    def stand(self, entries):
        """Section 5: the first step of a view."""
        bodies = self.read(entries, ["stand", self.view], self.heads[-1])
        require(bodies == {seat: {} for seat in self.state["seats"]}, "the stands of all in play")
        self.heads.append(h("step", self.heads[-1], entries, fingerprint(self.value)))
        self.stands = False

    def seals(self, entries):
        """Section 5: seals."""
        require(self.value[3] is None, "the rules have ended")
        self.read(entries, ["seal", self.view, len(self.heads)], self.heads[-1])
        self.sealed = [msgpack.unpackb(data)[3] for data in entries]


def _slots_to(to):
    return [slot for _, slots in to for slot in slots], {
        slot: seat for seat, slots in to for slot in slots
    }


def shows(move):
    """Return the slots that a move shows: docs/states, Moves."""
    name, *fields = move
    return {"Play": lambda: fields[:1]}[name]()


def fingerprint(value):
    """docs/states, 1."""
    game, rules, state, request = value
    return hashlib.sha256(
        pack([game, rules, {name: state[name] for name in sorted(state)}, request])
    ).digest()
