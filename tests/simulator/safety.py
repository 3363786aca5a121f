"""Rules that hold after every event, in any weather and with any liars: the watch looks at all that
is written, sent, known.

It reads bytes by itself and asks no table for its opinion, so that checks that tables forget are
made here. G1 to G7 are the promises of the protocol (docs/protocol.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from crypto.commitment import commit
from engine.core.events import BrokenOff
from engine.core.moves import Face, Seat, Slot
from engine.core.requests import Deal, Open
from p2p.table.choices import AskRound
from p2p.table.events import Accused, Differs, Event, Gone, Told
from p2p.table.log import ENTRY_LIMIT
from p2p.table.replay import Verdict
from p2p.table.table import Table
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import Malformed, unpack
from tests.simulator.records import (
    Key,
    Record,
    Word,
    common,
    demand,
    in_agreement,
    key_of,
    read,
    records_of,
    seals_in,
)

KEPT = 320
"""Entries beyond its records that a table keeps of each seat, at most (G6)."""


class Watch:
    """It knows all of a match, and is known to nobody."""

    def __init__(self, match: bytes, seats: int, liars: frozenset[Seat]) -> None:
        self.match = match
        self.liars = liars
        """Seats that need not keep to anything."""
        self.leaving: set[Seat] = set()
        """Honest seats that have given up their places."""
        self._signed: dict[Key, set[bytes]] = {}
        """All that was ever put on a link, by its place."""
        self.votes: dict[tuple[Seat, bytes], set[Seat]] = {}
        self._received: list[set[tuple[int, bytes, Seat]]] = [set() for _ in range(seats)]
        """The epochs and heads on which each seat has heard each other since its process began."""
        self._stored: list[set[bytes]] = [set() for _ in range(seats)]
        self._chains: list[dict[bytes, bytes]] = [{} for _ in range(seats)]
        self._nonces: list[dict[bytes, int]] = [{} for _ in range(seats)]
        self._hidden: list[set[tuple[int, bytes, bytes]]] = [set() for _ in range(seats)]
        self._logs = [b""] * seats
        self._faces: list[dict[Slot, Face]] = [{} for _ in range(seats)]
        self._shares = [0] * seats
        self._meant: list[set[Slot]] = [set() for _ in range(seats)]
        """The slots that were being dealt to each seat, even if a change then dropped that
        step."""
        self.gone: list[dict[Seat, str]] = [{} for _ in range(seats)]
        """The seats that have gone, and how, as each seat tells it."""
        self.broken_off: set[tuple[Seat, ...]] = set()
        """The seats whose going has made a deal void while the others went on."""

    def peers_of(self, seat: Seat) -> list[Seat]:
        """Return with whom a seat must be of one mind: nobody, where somebody lies."""
        return [] if self.liars else [other for other in range(len(self._logs)) if other != seat]

    # Disks.

    def began(self, seat: Seat, journal: bytes, log: bytes) -> None:
        """A seat's process begins, with this journal and this log: a crash may have taken what was
        not synced."""
        self._logs[seat] = log
        self._received[seat] = set()
        self.journalled(seat, journal)

    def journalled(self, seat: Seat, data: bytes) -> None:
        """A seat's journal has these records now, and will not lose them."""
        for item in split_records(data)[0]:
            value = unpack(item, RECORD_LIMIT)
            if "entry" in value:
                if value["entry"] not in self._stored[seat]:
                    self._flushed(seat, read(value["entry"]))
                self._stored[seat].add(value["entry"])
            elif "chain" in value:
                chain = self._chains[seat].setdefault(value["key"], value["chain"])
                demand(
                    chain == value["chain"] or seat in self.liars,
                    f"p{seat + 1} uses one deck key for two decks",
                )
            elif "nonce" in value:
                step = self._nonces[seat].setdefault(value["nonce"], value["sealed"])
                demand(
                    step == value["sealed"] or seat in self.liars,
                    f"p{seat + 1} uses one nonce for two commitments",
                )
                self._hidden[seat].add((value["sealed"], value["nonce"], value["value"]))

    def _flushed(self, seat: Seat, word: Word) -> None:
        """G2: nobody flushes as if it lacked a word that it has."""
        if word.place[0] != "flush" or seat in self.liars:
            return
        _kind, epoch, gone, called, received = word.place
        for named, point in set(called) - set(received):
            has = (epoch, point, named) in self._received[seat] and named not in gone
            demand(not has, f"G2: p{seat + 1} flushes without p{named + 1}, whose word it has")

    def logged(self, seat: Seat, log: bytes) -> None:
        """A seat's log now says this. It is a beginning of the others', or they of it."""
        old, new = records_of(self._logs[seat]), records_of(log)
        at = common(old, new)
        if at < len(old):
            self._went_back(seat, old, new, at)
        self._logs[seat] = log
        for other in self.peers_of(seat):
            agree = in_agreement(seat, new, other, records_of(self._logs[other]))
            demand(agree, f"p{seat + 1}'s log differs from p{other + 1}'s")

    def _went_back(self, seat: Seat, old: Sequence[Record], new: Sequence[Record], at: int) -> None:
        """G1: a seat goes back behind a record only if somebody has told two stories in it, and a
        seat that stays stands on the other."""
        self._faces[seat].clear()
        if new[at].name == "epoch" and seat not in new[at].stays:
            return  # it goes: perhaps nobody who stays knows its last news
        told_two = {word.seat for word in old[at].words if len(self._signed.get(word.key, ())) > 1}
        demand(
            bool(told_two),
            f"G1: p{seat + 1} goes back behind record {at + 1}, and nobody has told two stories in "
            f"it",
        )
        changes = [record for record in new[at:] if record.name == "epoch"]
        if changes:
            silent = changes[0].stays - {
                word.seat for record in old[at + 1 :] for word in record.words
            }
            demand(
                bool(silent),
                f"G1: p{seat + 1} goes back behind record {at + 1}, and all who stay have spoken "
                f"since",
            )

    # Sent bytes.

    def received(self, seat: Seat, data: bytes) -> None:
        """A link brings something to a seat."""
        if self.knows(data):
            word = read(data)
            if word.place[0] not in ("leave", "vote", "flush", "stand"):
                self._received[seat].add((word.place[1], word.head, word.seat))

    def sent(self, sender: Seat, data: bytes) -> None:
        """A seat puts an entry on a link: its own only if it is on disk, and nothing that its seat
        has not said."""
        word = read(data)
        key, seat = word.key, word.seat
        fresh = self._signed.setdefault(key, set())
        if seat == sender or seat in self.liars:
            fresh.add(data)
            if word.place[0] == "vote":
                self.votes.setdefault((word.place[3], word.place[2]), set()).add(seat)
        if seat in self.liars or sender in self.liars:
            return
        demand(len(data) <= ENTRY_LIMIT, f"G6: p{seat + 1} signs an entry of {len(data)} bytes")
        if seat == sender:
            self.look_at_the_disk(seat, data)
        does = "signs two stories" if seat == sender else f"passes on words p{seat + 1} never said"
        demand(fresh == {data}, f"p{sender + 1} {does}: {word}")

    def look_at_the_disk(self, seat: Seat, data: bytes) -> None:
        """Check that an entry is stored, with the secrets that it stands for."""
        word = read(data)
        demand(data in self._stored[seat], f"p{seat + 1} sends what it has not stored: {word}")
        if word.place[0] == "deck" and not word.stage:
            known = word.head in self._chains[seat].values()
            demand(known, f"p{seat + 1} sends the key of a deck, and has not stored its secret")
        if "commit" in word.body:
            hidden = [item for item in self._hidden[seat] if item[0] == word.place[2]]
            made = [commit(self.match, word.head, seat, nonce, value) for _, nonce, value in hidden]
            demand(
                word.body["commit"] in made,
                f"p{seat + 1} sends a commitment, and has not stored its secret",
            )

    def knows(self, data: bytes) -> bool:
        """Whether somebody has said this."""
        try:
            return data in self._signed.get(key_of(data), ())
        except (Malformed, ValueError, TypeError):  # no entry at all
            return False

    def all_sent(self) -> list[bytes]:
        """Return all that was ever said."""
        return [data for told in self._signed.values() for data in sorted(told)]

    def sent_by(self, seat: Seat) -> list[Word]:
        """Return all that a seat ever said."""
        return [
            read(data)
            for key, told in self._signed.items()
            if key[2] == seat
            for data in sorted(told)
        ]

    # Knowledge and opinions of a table.

    def looked(self, seat: Seat, table: Table, events: list[Event]) -> None:
        """A seat has done something: look at its table and at its events."""
        if seat in self.liars:
            return
        for event in events:
            if isinstance(event, Accused):
                demand(
                    event.fault.seat in self.liars,
                    f"G7: p{seat + 1} accuses somebody honest: {event.fault}",
                )
            elif isinstance(event, Gone):
                self._look_at_gone(seat, event)
            elif isinstance(event, Told) and isinstance(event.event, BrokenOff):
                self.broken_off.add(event.event.seats)
            elif isinstance(event, Differs):
                demand(
                    event.seat is not None,
                    f"p{seat + 1} finds good proofs of impossible things, in step {event.number}",
                )
        kept = len(table.held_since(table.steps))
        demand(
            kept <= KEPT * len(self._logs),
            f"G6: p{seat + 1} keeps {kept} entries beyond its records",
        )
        self._look_at_faces(seat, table)

    def _look_at_gone(self, seat: Seat, event: Gone) -> None:
        """G2, G7: how somebody has gone, as a table tells it."""
        name = f"p{event.seat + 1}"
        self.gone[seat][event.seat] = event.how
        if event.how == "left":
            left = any(word.place[0] == "leave" for word in self.sent_by(event.seat))
            demand(left, f"G2: {name} is gone by a leave that it has not signed")
        elif event.how == "convicted":
            demand(event.seat in self.liars, f"G7: {name} is convicted")
        else:
            voters = set(event.voters)
            demand(
                2 * len(voters) > event.electorate > 2,
                f"G2: {name} is gone by {len(voters)} votes of {event.electorate}",
            )
            signed = [votes for (named, _), votes in self.votes.items() if named == event.seat]
            demand(
                any(voters <= votes for votes in signed),
                f"G2: {name} is gone by votes that nobody has signed",
            )

    def judged(self, seat: Seat, log: bytes, verdict: Verdict) -> None:
        """A stranger has verified a log (G2, G4, G7)."""
        for fault in verdict.faults:
            demand(
                fault.seat in self.liars, f"G7: p{seat + 1}'s log convicts somebody honest: {fault}"
            )
        gone = {one.seat: one.how for one in verdict.gone}
        members = set(range(len(self._logs)))
        for record in sorted({one.record for one in verdict.gone}):
            here = [one for one in verdict.gone if one.record == record]
            electorate = members - {one.seat for one in here if one.how != "voted"}
            members -= {one.seat for one in here}
            if any(one.how == "voted" for one in here):
                demand(
                    2 * len(members) > len(electorate),
                    f"G2: {len(members)} of {len(electorate)} go on by votes",
                )
            for one in here:
                if one.how == "voted":
                    demand(
                        set(one.voters) <= electorate,
                        f"G2: p{one.seat + 1} is gone by votes of a seat that has gone",
                    )
                    demand(
                        2 * len(one.voters) > len(electorate),
                        f"G2: p{one.seat + 1} is gone by too few votes",
                    )
        if verdict.complete:
            sealed = seals_in(log)
            for other in verdict.table.run.game.seats:  # without those who had lost by the rules
                answers = other in sealed or gone.get(other) in ("left", "convicted")
                demand(answers, f"G4: p{seat + 1}'s log is complete without p{other + 1}")

    def _look_at_faces(self, seat: Seat, table: Table) -> None:
        """No table has all shares of a card that is neither public nor its seat's, and all know the
        same faces."""
        game, masks = table.run.game, table.progress.here.masks
        if isinstance(table.run.request, Deal):
            for to, slots in table.run.request.to.items():
                self._meant[to].update(slots)
        count = sum(map(len, masks.shares.values()))
        # a seat that goes has perhaps kept back its share of the cards to be shown
        if count == self._shares[seat] or seat in table.gone:
            return
        self._shares[seat] = count
        own = {
            slot
            for slot in table.progress.here.own_faces
            if slot in game.holder and slot not in game.faces
        }
        demand(
            all(game.holder[slot] == seat for slot in own),
            f"p{seat + 1} has faces of others' cards",
        )
        hidden = (
            masks.shares.keys()
            - own
            - game.faces.keys()
            - _becoming_public(table)
            - self._meant[seat]
        )
        for masked in masks.decks.values():
            holders = set(masked.deck.seats) - {seat}
            for slot in hidden & set(masked.deck.slots):
                given = masks.shares[slot].keys()
                # A card that a seat showed itself, in a step that a change then dropped, is seen
                # before the rules open it. And a liar may show a card of its own.
                holder = game.holder.get(slot)
                shown = holder in given and (bool(table.gone) or holder in self.liars)
                seen = holders <= given and not shown
                demand(
                    not seen,
                    f"p{seat + 1} can see slot {slot}, which is neither public nor its own",
                )
        faces = self._faces[seat]
        faces.update(table.progress.here.own_faces)
        faces.update(game.faces)
        for other in self.peers_of(seat):
            theirs = self._faces[other]
            wrong = [slot for slot in faces.keys() & theirs.keys() if faces[slot] != theirs[slot]]
            demand(
                not wrong, f"p{seat + 1} and p{other + 1} take slots {wrong} for different cards"
            )


def _becoming_public(table: Table) -> set[Slot]:
    """Return the slots whose faces are just being shown."""
    request = table.run.request
    if isinstance(request, Open):
        return set(request.slots)
    exchange = table.progress.exchange
    turn = exchange.round if exchange else None
    return set(turn.shown) if isinstance(turn, AskRound) else set()
