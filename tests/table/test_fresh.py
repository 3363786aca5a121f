"""Keys, masks, orders and nonces come from fresh randomness, and from nothing that others know: two
programs that go on from one disk, on one head, draw nothing alike."""

from __future__ import annotations

from collections.abc import Callable

from crypto.masking import card_points
from p2p.table.log import Entry
from p2p.table.table import Table
from p2p.wire import pack
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()
CARDS = 40
OURS = 0


class Copied(Ring):
    """A match of two. The disk of the first seat is copied before each store."""

    def __init__(self) -> None:
        super().__init__("escoba", 2, group=GROUP, target=1)
        self.copies: list[tuple[bytes, bytes, int]] = []
        self.play(moves=1)

    def store(self, seat: int) -> list[bytes]:
        if seat == OURS:
            self.copies.append((self.journals[seat], self.logs[seat], len(self.sent)))
        return super().store(seat)


def lives(wanted: Callable[[Entry], bool], count: int = 2) -> tuple[list[Entry], list[Table]]:
    """Sit down so often with a copy of a disk that is from just before our first such entry, and
    let each table hear what we had heard. Return their entries for that place, and the tables."""
    ring = Copied()
    said = [(seat, ring.read(data)) for seat, data in ring.sent]
    at = next(at for at, (seat, entry) in enumerate(said) if seat == OURS and wanted(entry))
    journal, log, _sent = max(
        (copy for copy in ring.copies if said[at][1].data not in copy[0]), key=lambda copy: copy[2]
    )
    entries, tables = [], []
    for life in range(count):
        table = ring.resumed(OURS, f"life {life}", journal=journal, log=log)
        for seat, entry in said[:at]:
            if seat != OURS:
                table.receive(entry.data)
        table.proceed()
        table.data_to_store()
        found = [ring.read(data) for data in table.data_to_send()]
        entries += [entry for entry in found if entry.key == said[at][1].key]
        tables.append(table)
    assert len({entry.head for entry in entries}) == 1
    assert len(entries) == count
    return entries, tables


def parts(data: bytes) -> set[bytes]:
    return {data[at : at + 32] for at in range(0, len(data), 32)}


def test_a_deck_key() -> None:
    (one, other), _ = lives(lambda entry: "key" in entry.body)
    assert one.body["key"] != other.body["key"]
    assert not parts(one.body["proof"]) & parts(other.body["proof"])


def test_the_masks_and_the_order_of_a_shuffle_and_its_proof() -> None:
    (one, other), tables = lives(lambda entry: "deck" in entry.body)
    assert not parts(one.body["deck"]) & parts(other.body["deck"])
    assert not parts(one.body["proof"]) & parts(other.body["proof"])
    assert order(one, tables[0]) != order(other, tables[1])


def order(entry: Entry, table: Table) -> list[bytes]:
    """Return the points of a shuffled deck in their order: in this group X is its own logarithm."""
    x = int.from_bytes(joint(table), "little")
    data, found = entry.body["deck"], []
    for at in range(0, len(data), 64):
        a, b = data[at : at + 32], data[at + 32 : at + 64]
        found.append(GROUP.sub(b, GROUP.mult(x, a)))
    assert sorted(found) == sorted(card_points(GROUP, "escoba", CARDS))
    return found


def joint(table: Table) -> bytes:
    assert table.progress.exchange is not None
    keys = [entry.body["key"] for entry in table.progress.context() if "key" in entry.body]
    return GROUP.sum(keys)


def test_a_part_of_a_toss_and_the_nonce_that_hides_it() -> None:
    entries, tables = lives(lambda entry: "commit" in entry.body, 16)
    sealed = [found for table in tables if (found := table.journal.committed(1)) is not None]
    assert len({nonce for nonce, _value in sealed} - {entries[0].head}) == 16
    assert {value for _nonce, value in sealed} == {pack(0), pack(1)}
