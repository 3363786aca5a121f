"""The next deck, made while the deal before is still played (protocol 4)."""

from __future__ import annotations

import pytest

from p2p.table.events import Accused, Mixed, Shuffled, Shuffling
from p2p.table.faults import BadProof
from p2p.table.log import make_entry
from p2p.table.replay import verify_log
from p2p.table.table import Table
from tests.ring import Ring, first_choice, identities
from tests.standin import seeded, standin_group


class Eager(Ring):
    """Tables that work at the next deck whenever nothing else is to be done; `eager` of them do."""

    eager: tuple[int, ...] = (0, 1, 2, 3)

    def deliver(self) -> bool:
        if super().deliver():
            return True
        made = [table.make_ahead() for seat, table in enumerate(self.tables) if seat in self.eager]
        return any(made)


def decks_made(ring: Ring, seat: int) -> list[int]:
    """Return the decks of the entries that a seat has sent, in the order sent."""
    entries = [ring.read(data) for sender, data in ring.sent if sender == seat]
    return [entry.place[2] if entry.kind == "deck" else 0 for entry in entries]


@pytest.mark.slow
def test_a_deck_made_ahead_is_whole_before_the_deal_before_it_ends() -> None:
    ring = Eager("escoba", 3, group=standin_group(), target=11)
    ring.play(moves=20)
    assert ring.tables[0].run.game.round == 1
    assert decks_made(ring, 1).count(2) == 3
    assert not any(
        isinstance(event, Mixed | Shuffling) and event.deck == 2 for event in ring.events[0]
    )
    ring.play()
    assert all(table.sealed for table in ring.tables)
    told = [type(event) for event in ring.events[0] if getattr(event, "deck", 0) == 2]
    assert told == [Shuffling, Mixed, Mixed, Mixed, Shuffled]


def test_a_lie_in_a_deck_made_ahead_is_named_in_mid_deal_and_the_log_shows_it() -> None:
    ring = Eager("escoba", 3, group=standin_group(), target=11)
    ring.eager = (1,)
    ring.play(moves=2)
    assert ring.tables[1].make_ahead() or ring.sent
    entry = next(
        entry
        for entry in (ring.read(data) for seat, data in ring.sent if seat == 1)
        if entry.kind == "deck" and entry.place[2] == 2
    )
    ring = Eager("escoba", 3, group=standin_group(), target=11)
    ring.eager = ()
    ring.play(moves=2)
    body = {**entry.body, "proof": bytes(len(entry.body["proof"]))}
    false = make_entry(identities(3)[1], ring.terms.match, entry.stage_key, 1, entry.head, body)
    for seat in (0, 2):
        ring.tables[seat].receive(false.data)
        while ring.tables[seat].make_ahead():
            pass
        ring.store(seat)
        fault = ring.tables[seat].fault
        assert (type(fault), fault and fault.seat) == (BadProof, 1)
        assert any(isinstance(event, Accused) for event in ring.events[seat])
        verdict = verify_log(ring.tables[seat].verdict(fault), standin_group())
        assert verdict.table.fault is not None
        assert verdict.table.fault.seat == 1


def test_after_a_crash_the_deck_that_was_begun_is_gone_on_with() -> None:
    ring = Eager("escoba", 2, group=standin_group(), target=11)
    ring.play(moves=5)
    before = ring.tables[1]
    table = Table.resumed(
        ring.terms,
        ring.signatures,
        1,
        identities(2)[1],
        seeded("again"),
        ring.journals[1],
        ring.logs[1],
        standin_group(),
    )
    assert table.head == before.head
    known = {data for _seat, data in ring.sent}
    for data in ring.tables[0].held_since(table.steps - 1):
        table.receive(data)
    table.proceed()
    while table.make_ahead():
        pass
    table.data_to_store()
    assert set(table.data_to_send()) <= known
    ring.tables[1] = table
    ring.logs[1] = ring.logs[0]
    ring.play(first_choice)
    assert all(table.sealed for table in ring.tables)


def test_entries_for_a_deck_made_ahead_are_checked_before_they_are_heard() -> None:
    ring = Eager("escoba", 2, group=standin_group(), target=11)
    ring.eager = ()
    ring.play(moves=2)
    other, ours = ring.tables
    assert other.make_ahead()
    for data in ring.store(0):
        ours.receive(data)
    while ours.make_ahead():  # without `proceed` in between
        pass
    ours.proceed()
    assert ours.fault is None
    for data in ring.store(1):
        other.receive(data)
    ring.eager = (0, 1)
    ring.play()
    assert all(table.sealed for table in ring.tables)
