"""What must hold after every event, whatever the weather: the watch looks at all that is written, sent and known.

It reads bytes by itself and asks no table for its opinion, so that what tables forget to check is seen here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from crypto.commitment import commit
from engine.moves import Face, Seat, Slot
from engine.requests import Deal, Open
from p2p.table.choices import AskRound
from p2p.table.events import Accused, Differs, Event
from p2p.table.log import ENTRY_LIMIT, RECORD_LIMIT, split_records
from p2p.table.table import Table
from p2p.wire import unpack

Key: TypeAlias = "tuple[tuple[Any, ...], int, Seat]"


class Broken(Exception):
    """Something that must hold does not: the sentence says what."""


def demand(holds: bool, sentence: str) -> None:
    """Raise Broken unless it holds."""
    if not holds:
        raise Broken(sentence)


class Watch:
    """It knows all of a match, and is known to nobody."""

    def __init__(self, match: bytes, seats: int, liars: frozenset[Seat]) -> None:
        self.match, self.liars = match, liars
        """Seats that need not keep to anything."""
        self.doubtful: set[Seat] = set()
        """Seats that leave, or are voted against: what they had beyond all others' may come to nothing."""
        self.between: Callable[[Seat], bool] = lambda _seat: False
        """Whether a seat is in the middle of a cut: what it has heard since it began may yet be taken back."""
        self._signed: dict[Key, bytes] = {}
        self._entries: dict[bytes, tuple[Key, bytes, dict[str, Any]]] = {}
        self._stored: list[set[bytes]] = [set() for _ in range(seats)]
        self._chains: list[dict[bytes, bytes]] = [{} for _ in range(seats)]
        self._nonces: list[dict[bytes, int]] = [{} for _ in range(seats)]
        self._hidden: list[set[tuple[int, bytes, bytes]]] = [set() for _ in range(seats)]
        self._logs = [bytearray() for _ in range(seats)]
        self._heads: list[dict[int, bytes]] = [{} for _ in range(seats)]
        self._faces: list[dict[Slot, Face]] = [{} for _ in range(seats)]
        self._shares = [0] * seats
        self._meant: list[set[Slot]] = [set() for _ in range(seats)]
        """The slots that were being dealt to each seat, even if a cut then dropped that step."""

    def peers_of(self, seat: Seat) -> list[Seat]:
        """Return with whom a seat must be of one mind: nobody, if it is doubtful itself, or where somebody lies."""
        seats = range(len(self._logs))
        return [] if self.liars or seat in self.doubtful else [other for other in seats if other not in {seat, *self.doubtful}]

    # What is on disk.

    def journalled(self, seat: Seat, data: bytes) -> None:
        """A seat's journal has these records now, and will not lose them."""
        for item in split_records(data)[0]:
            value = unpack(item, RECORD_LIMIT)
            if "entry" in value:
                self._stored[seat].add(value["entry"])
            elif "chain" in value:
                chain = self._chains[seat].setdefault(value["key"], value["chain"])
                demand(chain == value["chain"], f"p{seat + 1} uses one deck key for two decks")
            elif "nonce" in value:
                step = self._nonces[seat].setdefault(value["nonce"], value["sealed"])
                demand(step == value["sealed"], f"p{seat + 1} uses one nonce for two commitments")
                self._hidden[seat].add((value["sealed"], value["nonce"], value["value"]))

    def logged(self, seat: Seat, at: int, data: bytes) -> None:
        """A seat's log goes on like this after so many bytes; it is a beginning of the others', or they of it."""
        log = self._logs[seat]
        demand(len(log) >= at, f"p{seat + 1}'s log has a hole")
        log[at:] = data
        for other in [] if self.between(seat) else self.peers_of(seat):
            if self.between(other):
                continue
            theirs = self._logs[other][at : at + len(data)]
            demand(data.startswith(theirs), f"p{seat + 1}'s log differs from p{other + 1}'s")

    def went_back(self, seat: Seat, log: bytes) -> None:
        """A seat stood further on than all could agree on: its log is shorter now. Only where somebody lies, or goes.

        Honest seats too: while it is not yet clear who goes, a seat may hear what is named by a flush that in the end does not
        count, because who signed it goes as well. What it comes to must be what all others come to: `logged` sees to that.
        """
        demand(bool(self.liars or self.doubtful), f"p{seat + 1} goes back, and nobody lies or goes")
        self._logs[seat] = bytearray(log)
        self._heads[seat].clear()
        self._faces[seat].clear()

    # What is sent.

    def sent(self, sender: Seat, data: bytes) -> None:
        """A seat puts an entry on a link: its own only if it is on disk, and nothing that its seat has not said."""
        key = self._read(data)[0]
        seat = key[2]
        if seat == sender:
            self._signed.setdefault(key, data)
        if {seat, sender} & self.liars:
            return
        if seat == sender:
            self.look_at_the_disk(seat, data)
        does = "signs two stories" if seat == sender else f"passes on what p{seat + 1} never said"
        demand(self._signed.get(key) == data, f"p{sender + 1} {does}: {_name(key)}")

    def look_at_the_disk(self, seat: Seat, data: bytes) -> None:
        """Check that an entry is stored, with the secrets that it stands for."""
        key, head, body = self._read(data)
        place, stage, _seat = key
        demand(data in self._stored[seat], f"p{seat + 1} sends what it has not stored: {_name(key)}")
        if place[0] == "deck" and not stage:
            demand(head in self._chains[seat].values(), f"p{seat + 1} sends the key of a deck, and has not stored its secret")
        if "commit" in body:
            hidden = [item for item in self._hidden[seat] if item[0] == place[1]]
            made = [commit(self.match, step, seat, nonce, value) for step, nonce, value in hidden]
            demand(body["commit"] in made, f"p{seat + 1} sends a commitment, and has not stored its secret")

    def knows(self, data: bytes) -> bool:
        """Whether somebody has said this."""
        return data in self._entries

    def said(self) -> list[bytes]:
        """Return all that was ever said, in its order."""
        return list(self._entries)

    def _read(self, data: bytes) -> tuple[Key, bytes, dict[str, Any]]:
        if data not in self._entries:
            _match, place, stage, seat, head, body, _signature = unpack(data, ENTRY_LIMIT)
            self._entries[data] = ((tuple(place), stage, seat), head, body)
        return self._entries[data]

    # What a table knows and thinks.

    def looked(self, seat: Seat, table: Table, events: list[Event]) -> None:
        """A seat has done something: look at its table and at what it tells."""
        if seat in self.liars:
            return
        for event in events:
            if isinstance(event, Accused):
                demand(event.fault.seat in self.liars, f"p{seat + 1} accuses somebody honest: {event.fault}")
            if isinstance(event, Differs) and not (self.liars or self.doubtful):
                raise Broken(f"p{seat + 1} finds its head to differ from p{(event.seat or 0) + 1}'s in step {event.number}")
        if not self.between(seat):
            self._heads[seat][table.steps] = table.head
            for other in self.peers_of(seat):
                head = self._heads[other].get(table.steps, table.head)
                demand(head == table.head, f"p{seat + 1} stands on another head than p{other + 1} after {table.steps} steps")
        self._look_at_faces(seat, table)

    def _look_at_faces(self, seat: Seat, table: Table) -> None:
        """No table has all shares of a card that is neither public nor its seat's, and all know the same faces."""
        game, masks = table.run.game, table._here.masks
        if isinstance(table.run.request, Deal):
            for to, slots in table.run.request.to.items():
                self._meant[to].update(slots)
        count = sum(map(len, masks.shares.values()))
        if count == self._shares[seat] or seat in table.gone:  # who goes has perhaps kept back its share of what was to be shown
            return
        self._shares[seat] = count
        own = {slot for slot in table._here.own_faces if slot in game.holder and slot not in game.faces}
        demand(all(game.holder[slot] == seat for slot in own), f"p{seat + 1} has faces of others' cards")
        hidden = masks.shares.keys() - own - game.faces.keys() - _becoming_public(table) - self._meant[seat]
        for masked in masks.decks.values():
            holders = set(masked.deck.seats) - {seat}
            for slot in hidden & set(masked.deck.slots):
                given = masks.shares[slot].keys()
                # What a seat showed itself, in a step that a cut then dropped, is seen though the rules have not opened it.
                # And a liar may show what is its own.
                holder = game.holder.get(slot)
                shown = holder in given and (bool(table.gone) or holder in self.liars)
                seen = holders <= given and not shown
                demand(not seen, f"p{seat + 1} can see slot {slot}, which is neither public nor its own")
        faces = self._faces[seat]
        faces.update(table._here.own_faces)
        faces.update(game.faces)
        for other in self.peers_of(seat):
            theirs = self._faces[other]
            wrong = [slot for slot in faces.keys() & theirs.keys() if faces[slot] != theirs[slot]]
            demand(not wrong, f"p{seat + 1} and p{other + 1} take slots {wrong} for different cards")


def _becoming_public(table: Table) -> set[Slot]:
    """Return the slots whose faces are just being shown."""
    request = table.run.request
    if isinstance(request, Open):
        return set(request.slots)
    turn = table._exchange.round if table._exchange else None
    return set(turn._shown) if isinstance(turn, AskRound) else set()


def _name(key: Key) -> str:
    place, stage, _seat = key
    return f"{[item for item in place if not isinstance(item, bytes)]} stage {stage}"
