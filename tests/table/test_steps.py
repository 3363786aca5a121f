import pytest

from p2p.table.faults import BadForm, OutOfTurn
from p2p.table.log import make_entry, read_entry
from p2p.table.replay import replay_log
from p2p.table.terms import h
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()


@pytest.fixture(scope="module")
def ring():
    ring = Ring("escoba", 3, group=GROUP, target=1)
    ring.play()
    return ring


def test_heads_are_what_the_protocol_says(ring):
    """Protocol 4, drawn again from nothing but the entries and the fingerprints of the public
    states."""
    head = first = h("terms", ring.terms.encode())
    states = [
        (table.steps, table.head, table.run.fingerprint())
        for table, _ in replay_log(ring.logs[0], GROUP)
    ]
    for step, (number, after, state) in zip(
        [step.entries for step in ring.tables[0].progress.records], states[1:], strict=False
    ):
        data = {
            stage: [entry.data for entry in step if entry.stage == stage]
            for stage in sorted({entry.stage for entry in step})
        }
        if step[0].place[0] == "deck":
            deck = ring.tables[0].run.game.pack
            on = h("deck", ring.tables[0].match, 0, 1, first, list(deck), [0, 1, 2])
            assert step[0].place == ("deck", 0, 1, on)
            for stage, said in data.items():
                assert {entry.head for entry in step if entry.stage == stage} == {on}
                on = h("stage", on, said)
            head = h("step", head, [entry.data for entry in step], state)
        else:
            assert {entry.place for entry in step} == {("step", 0, number)}
            *before, last = data
            for stage in before:
                assert {entry.head for entry in step if entry.stage == stage} == {head}
                head = h("stage", head, data[stage])
            assert {entry.head for entry in step if entry.stage == last} == {head}
            head = h("step", head, data[last], state)
        assert head == after
    assert head == ring.tables[0].head
    seals = list(ring.tables[0].seals.values())
    assert {entry.head for entry in seals} == {head}


def test_a_stage_is_over_when_all_have_spoken_and_not_before():
    ring = Ring("escoba", 3, group=GROUP)
    ring.tap = lambda sender, receiver, data: (data,) if sender != 2 else ()
    ring.settle()
    exchange = ring.tables[0].progress.exchange
    assert (exchange.stage, exchange.missing()) == (0, (2,))
    assert set(exchange.signed) == {0, 1}
    assert not exchange.closed_entries
    with pytest.raises(AssertionError):
        exchange.close_stage()


def test_a_seat_that_is_not_asked_is_out_of_turn_and_one_that_is_has_one_word():
    ring = Ring("tiny", 3, group=GROUP)
    ring.settle()
    for table in ring.tables:
        exchange = table.progress.exchange
        for seat in set(range(3)) - set(exchange.missing()):
            entry = make_entry(
                ring.who[seat], table.match, exchange.stage_key, seat, exchange.head, {}
            )
            with pytest.raises(OutOfTurn):
                exchange.receive(entry)
    asked = ring.tables[0].progress.exchange
    seat = asked.missing()[0]
    with pytest.raises(BadForm) as caught:
        asked.receive(
            make_entry(
                ring.who[seat], ring.tables[0].match, asked.stage_key, seat, asked.head, {"more": 1}
            )
        )
    assert caught.value.seat == seat
    (evidence,) = caught.value.evidence
    assert read_entry(ring.terms, ring.tables[0].match, evidence).seat == seat
