"""A second program that verifies a log, written from docs/protocol.md alone: of ours it imports the
signatures.

`verify` checks every signature, place, head and proof of a log, and comes to F by rules of its own.
Whether moves are legal is judged elsewhere, and so is evidence of faults.
"""

import hashlib

import msgpack

from crypto.identity import verify as verify_signature
from tests.table.log_cryptography import Deck, Wrong, h, pack, player_id, require


class Left(Exception):
    """Thrown into the rules: these seats, in seat order, have gone."""

    def __init__(self, seats):
        super().__init__(seats)
        self.seats = seats


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
            require(commits[seat] == {"commit": made}, "a value that was committed to")
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
            "the order of the entries that justify a change",
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
