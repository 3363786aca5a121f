"""A second program that verifies a log, written from docs/protocol.md alone: of ours it imports the
signatures.

`verify` checks every signature, place, head and proof of a log, and comes to F by rules of its own.
Whether moves are legal is judged elsewhere, and so is evidence of faults.
"""

import hashlib

import msgpack

from crypto.identity import verify as verify_signature
from tests.table.log_cryptography import Deck, Wrong, h, pack, player_id, require

LIMITS = {"step": 1024, "epoch": 3598, "seals": 16}
"""Section 8: entries of a record; this reader knows no verdict."""
BURNS = 3
"""Section 8: of one seat, for one deck."""


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
        require(opening["sobremesa"] == 3, "the version of the file")
        data = opening["terms"]
        self.terms = msgpack.unpackb(data)
        self.keys = [seat[0] for seat in self.terms["seats"]]
        for key, _nick, _nonce, kind, machine, voucher in self.terms["seats"]:
            require(kind in ("person", "computer"), "the kind of a seat")
            require(
                (machine == b"") == (voucher == b"") and machine != key, "the machine of a seat"
            )
            if machine:
                verify_signature(machine, "sobremesa/3 machine", key, voucher)
        self.ids = [player_id(key) for key in self.keys]
        for key, signature in zip(self.keys, opening["signatures"], strict=True):
            verify_signature(key, "sobremesa/3 terms", data, signature)
        self.match = h("match", data)
        self.heads = [h("terms", data)]
        self.begins, self.laid = [self.heads[0]], self.heads[0]
        self.epoch, self.members, self.begin = 0, list(range(len(self.keys))), 0
        self.late = dict.fromkeys(self.members, 0)
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
            require(0 < len(entries) <= LIMITS.get(kind, 0), "the number of entries")
            if kind == "step":
                self.step(entries)
            elif kind == "epoch":
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
        verify_signature(self.keys[seat], "sobremesa/3 entry", pack(said), signature)
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
        if request[0] == "shuffle":
            self.laid = head

    def stages(self, stages):
        """Read the stages of a step of the match's own chain: head and bodies of each."""
        head = self.heads[-1]
        for entries in stages:
            yield head, self.read(entries, ["step", self.epoch, len(self.heads)], head)
            head = h("stage", head, entries)

    def shuffle(self, stages, request):
        """The deck's own chain: keys, shuffles, the consent of all; all again after a burn."""
        number, _first, faces, holders = request
        head = first = h("deck", self.match, self.epoch, number, self.laid, faces, holders)
        size, burns = 2 + len(holders), dict.fromkeys(holders, 0)
        require(len(stages) % size == 0, "the stages of a shuffle")
        for stage, entries in enumerate(stages):
            bodies, at = self.read(entries, ["deck", self.epoch, number, first], head), stage % size
            speakers = holders[at - 1 : at] if 0 < at <= len(holders) else sorted(holders)
            require(list(bodies) == speakers, "the holders")
            if at == 0:
                deck = Deck(self.match, self.terms["game"], request, self.ids)
                deck.take_keys(head, bodies)
            elif at <= len(holders):
                deck.take_shuffle(head, bodies[holders[at - 1]])
            else:
                burnt = self.burnt(bodies)
                burns |= {seat: burns[seat] + 1 for seat in burnt}
                require(bool(burnt) == (stage + 1 < len(stages)), "a deck that all keep")
                require(max(burns.values()) <= BURNS, "the burns of a seat")
            head = h("stage", head, entries)
        self.decks.append(deck)

    @staticmethod
    def burnt(bodies):
        """Return the seats that burn their keys."""
        burnt = {seat: body for seat, body in bodies.items() if body != {}}
        for body in burnt.values():
            require(list(body) == ["burn"] and len(body["burn"]) == 32, "a burn")
        return list(burnt)

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
        (on, commits), (head, reveals) = self.stages(stages)
        require(set(commits) == set(reveals) == set(seats), "the seats that reveal")
        for seat, body in reveals.items():
            made = h("commit", self.match, on, seat, body["nonce"], pack(body["value"]))
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
        """Section 6: an epoch. Its reasons, then the flushes and the stands of all who stay."""
        signed = [self.signed(data) for data in entries]
        count = max(
            (
                m
                for m in range(1, len(entries) // 2 + 1)
                if {one[0][0] for one in signed[-m:]} == {"stand"}
                and [[one[0][1:], one[2]] for one in signed[-m:]]
                == [[one[0][1:], one[2]] for one in signed[-2 * m : -m]]
                and {one[0][0] for one in signed[-2 * m : -m]} == {"flush"}
            ),
            default=0,
        )
        require(count > 0, "flushes and stands")
        reasons, flushes, stands = (
            signed[: -2 * count],
            signed[-2 * count : -count],
            signed[-count:],
        )
        _stand, epoch, gone, called, heard = place = stands[0][0]
        staying = [one[2] for one in stands]
        require(epoch == self.epoch and all(one[0] == place for one in stands), "one round")
        going = [seat for seat in self.members if seat not in staying]
        require(staying == sorted(set(staying) & set(self.members)), "the seats that stay")
        require(bool(going) and set(gone) <= set(going), "the seats that go")
        require(bool(gone or called) and all(call in called for call in heard), "the round")
        require({seat for seat, _ in called} <= set(self.members) - set(gone), "the calls")
        require(all(one[4]["done"] == b"" for one in flushes), "a change that is done")
        heads = [self.heads.index(one[3]) for one in flushes]
        require([one[4]["records"] for one in flushes] == heads, "the records of a flush")
        require(min(heads) >= self.begin and max(heads) == len(self.heads) - 1, "the heads")
        data = entries[-2 * count : -count]
        k = h("stage", self.heads[-1], data)
        require(all((one[3], one[4]) == (k, {}) for one in stands), "the stands")
        self.reasons(entries[: -2 * count], reasons, [one[4]["reasons"] for one in flushes])
        electorate = [seat for seat in self.members if seat not in gone]
        left = {
            one[2]
            for one in reasons
            if one[0][0] == "leave" and one[0][1] <= epoch and one[3] == self.begins[one[0][1]]
        }
        require(set(gone) <= left, "the leaves")
        voted = [seat for seat in going if seat not in gone]
        require(not voted or 2 * len(staying) > len(electorate), "more than half stay")
        for seat in voted:
            self.votes(seat, reasons, called, heard, electorate)
        for seat, _point in called:
            self.late[seat] += 1
        leaving = [seat for seat in going if seat in self.state["seats"]]
        require(self.value[3] is not None, "the rules have not ended")
        if leaving:
            self.value = self.rules.throw(Left(leaving))
        self.heads.append(h("epoch", k, fingerprint(self.value)))
        self.epoch, self.begin, self.laid = self.epoch + 1, len(self.heads) - 1, self.heads[-1]
        self.begins.append(self.heads[-1])
        self.members = list(self.state["seats"])

    def reasons(self, entries, signed, named):
        """The reasons are those that the flushes name, in their order."""
        order = [
            (*one[0][:2], one[1], one[2], data) for one, data in zip(signed, entries, strict=True)
        ]
        require(order == sorted(order), "the order of the reasons")
        hashes = [h("entry", data) for data in entries]
        require(len(set(hashes)) == len(hashes), "a reason twice")
        require(all(some == sorted(set(some)) for some in named), "the order of hashes")
        require(set(hashes) == {one for some in named for one in some}, "the reasons")

    def votes(self, named, reasons, called, heard, electorate):
        """Votes remove a seat for an entry that is missing, or because it was late too often."""
        calls = [call for call in called if call[0] == named]
        carried = [
            call
            for call in calls
            if 2
            * len(
                {
                    one[2]
                    for one in reasons
                    if one[0] == ["vote", self.epoch, call[1], named]
                    and one[3] == self.begins[-1]
                    and one[2] in electorate
                }
            )
            > len(electorate)
        ]
        late = len(carried) >= 3 or (carried and self.late[named] + len(carried) >= 9)
        require(any(call not in heard for call in carried) or late, "the votes")

    def seals(self, entries):
        """Section 5: seals."""
        require(self.value[3] is None, "the rules have ended")
        self.read(entries, ["seal", self.epoch, len(self.heads)], self.heads[-1])
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
