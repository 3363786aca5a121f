from typing import Any

import pytest

from crypto.errors import CryptoError
from engine.core.moves import IllegalMove
from engine.core.options import BadOption
from p2p.table.events import Accused, Differs, Gone, Over, Told
from p2p.table.faults import BadSignature, Unstored
from p2p.table.log import make_entry
from p2p.table.replay import verify_log
from p2p.table.table import Table
from p2p.wire import Malformed
from tests.engine.tiny_game import Say, Tiny
from tests.ring import Ring, first_choice
from tests.standin import seeded, standin_group

GROUP = standin_group()


def accused(events):
    return [event.fault for event in events if isinstance(event, Accused)]


def escoba(moves=0, players=3, **options):
    ring = Ring("escoba", players, group=GROUP, target=1, **options)
    ring.settle()
    if moves:
        ring.play(first_choice, moves=moves)
    return ring


# Taking a seat.


def test_nobody_sits_down_to_terms_that_cannot_be_played_or_are_not_signed():
    ring = escoba()
    for terms, error in (
        (
            type(ring.terms)(
                **{**vars(ring.terms), "options": {**ring.terms.options, "target": 0}}
            ),
            BadOption,
        ),
        (type(ring.terms)(**{**vars(ring.terms), "rules": 9}), Malformed),
    ):
        with pytest.raises(error):
            Table(terms, ring.signatures, 0, ring.who[0], seeded("x"), GROUP)
    with pytest.raises(CryptoError):
        Table(ring.terms, ring.signatures[::-1], 0, ring.who[0], seeded("x"), GROUP)
    with pytest.raises(Malformed):
        Table(ring.terms, ring.signatures[:2], 0, ring.who[0], seeded("x"), GROUP)


# Our player.


def test_an_illegal_move_is_refused_and_nothing_is_said():
    ring = escoba()
    (seat,) = [seat for seat, table in enumerate(ring.tables) if table.asked]
    table, idle = ring.tables[seat], ring.tables[(seat + 1) % 3]
    hand = table.run.game.hands[seat]
    kind: Any = type(first_choice(table.view()))
    before = table.run.fingerprint()
    for move in (
        kind(99),
        kind(hand[0], (hand[1],)),
        kind(idle.run.game.hands[(seat + 1) % 3][0]),
        Say("pass"),
        None,
    ):
        with pytest.raises(IllegalMove):
            table.act(move)
    with pytest.raises(IllegalMove):
        idle.act(first_choice(table.view()))
    assert table.asked
    assert table.run.fingerprint() == before
    assert ring.store(seat) == []
    table.act(first_choice(table.view()))
    assert not table.asked
    with pytest.raises(IllegalMove):
        table.act(kind(hand[0]))


def test_an_entry_that_is_not_stored_is_not_sent():
    ring = Ring("tiny", 2, group=GROUP)
    table = ring.tables[0]
    table.proceed()
    with pytest.raises(Unstored):
        table.data_to_send()
    assert table.data_to_store()
    assert len(table.data_to_send()) == 1
    assert table.data_to_send() == []
    assert table.data_to_store() == b""


# Entries.


def test_the_same_entry_again_is_no_news_and_our_own_neither():
    ring = escoba(moves=2)
    for seat, data in ring.sent:
        for table in ring.tables:
            assert not table.receive(data), seat


def test_after_the_end_a_pair_undoes_nothing():
    ring = escoba()
    ring.play()
    table = ring.tables[0]
    entry = table.progress.records[0].entries[1]
    for number in range(3):
        table.receive(ring.signed(1, entry.place, {"more": number}, entry.head, entry.stage).data)
    table.proceed()
    log = ring.logs[0]
    ring.store(0)
    assert ring.logs[0] == log
    assert verify_log(log, GROUP).complete
    assert [fault.seat for fault in accused(ring.events[0])] == [1]
    assert table.sealed
    assert table.fault is None


def test_held_since_gives_a_returning_peer_all_that_it_lacks():
    ring = escoba(moves=4)
    source = ring.tables[0]
    for steps in range(source.steps + 1):
        table = Table(ring.terms, ring.signatures, None, None, lambda size: 1 / 0, GROUP)
        for data in source.held_since(0):
            if table.steps < steps:
                table.receive(data)
                table.proceed()
        for data in source.held_since(table.steps):
            table.receive(data)
        table.proceed()
        assert (table.steps, table.head) == (source.steps, source.head)
    assert source.held_since(-5) == source.held_since(0)


# Leaving; more in test_member_changes.py.


def test_a_seat_that_leaves_is_gone_for_all_and_the_others_seal_the_log():
    ring = escoba(moves=3, leaving="end")
    ring.tables[1].leave()
    ring.settle()
    assert [table.gone for table in ring.tables] == [(1,)] * 3
    assert all(table.over for table in ring.tables)
    assert not any(table.asked for table in ring.tables)
    assert ring.logs[0] == ring.logs[2]
    kinds = [type(event) for event in ring.events[0]]
    assert kinds.index(Gone) < kinds.index(Over)
    verdict = verify_log(ring.logs[0], GROUP)
    assert verdict.complete
    assert [(one.seat, one.how) for one in verdict.gone] == [(1, "left")]
    assert 1 not in verdict.table.run.game.winners
    with pytest.raises(IllegalMove):
        ring.tables[0].leave()


def test_a_seat_that_has_left_seals_nothing():
    ring = escoba(moves=3, leaving="end")
    ring.tables[1].leave()
    ring.settle()
    table = ring.tables[0]
    seal = ring.signed(1, table.progress.sealing[0], {}, table.head)
    table.receive(seal.data)
    table.proceed()
    ring.store(0)
    assert set(table.seals) == {0, 2}
    assert [fault.seat for fault in accused(ring.events[0])] == [1]


def test_nobody_leaves_where_the_rules_have_ended(monkeypatch):
    monkeypatch.setattr(Tiny, "may_leave", lambda game, seat: False)
    ring = Ring("tiny", 3, group=GROUP)
    ring.settle()
    with pytest.raises(IllegalMove):
        ring.tables[1].leave()


# Seals.


def test_a_seal_on_another_head_is_not_judged_and_said_once():
    ring = escoba()
    ring.tap = lambda sender, receiver, data: (
        () if sender == 1 and receiver == 0 and _is_seal(data) else (data,)
    )
    ring.play()
    table = ring.tables[0]
    assert table.waiting == (1,)
    table.receive(ring.signed(1, ("seal", 0, table.progress.here.step), {}, b"?" * 32).data)
    for _ in range(5):
        table.proceed()
    ring.store(0)
    assert [event.seat for event in ring.events[0] if isinstance(event, Differs)] == [1]
    assert table.fault is None
    assert table.waiting == (1,)


def _is_seal(data):
    return b"\x93\xa4seal" in data[:60]


# Noise.


def test_noise_is_refused_and_leaves_no_trace():
    ring = escoba()
    table = ring.tables[0]
    before = (table.head, table.waiting, len(list(table.inbox)))
    good = ring.sent[0][1]
    stranger = make_entry(ring.who[2], table.match, (("step", 0, 9), 0), 1, table.head, {}).data
    for data in (
        b"",
        b"\xc0",
        good[:-1],
        good + b"\0",
        bytes(70000),
        b"\x97" + good[1:-3] + b"abc",
    ):
        with pytest.raises((Malformed, BadSignature)):
            table.receive(data)
    with pytest.raises(BadSignature):
        table.receive(stranger)
    table.proceed()
    assert (table.head, table.waiting, len(list(table.inbox))) == before


def test_the_end_of_a_deal_is_told_with_the_table_as_it_stood():
    """The rules clear it in the same step, so that no view shows it any more."""
    ring = Ring("escoba", 2, group=GROUP, target=3)
    ring.play(first_choice)
    pictures = [
        [event for event in events if isinstance(event, Told) and event.table]
        for events in ring.events
    ]
    assert len(pictures[0]) == ring.tables[0].view().game.round
    for one, other in zip(*pictures, strict=True):
        assert one.table.faces_of(one.table.on_table) == one.event.cards
        assert vars(one.table) == vars(other.table)
        assert one.table.told == []
        assert one.table.pictures == {}
