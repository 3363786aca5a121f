from dataclasses import replace

import pytest

from engine.games import GAMES
from p2p.table.replay import BadLog, OtherLog, read_form, verify_log
from p2p.wire import PROTOCOL
from tests.engine.tiny_game import Tiny
from tests.ring import Ring
from tests.standin import standin_group
from tests.table.logs import log_of, values_of

GROUP = standin_group()


@pytest.fixture
def ring():
    ring = Ring("tiny", 3, group=GROUP, seed="lie20")
    ring.play()
    return ring


def test_a_match_has_begun_when_every_seat_has_spoken(ring):
    items = values_of(ring.logs[0])
    assert verify_log(log_of(items[:1]), GROUP).missing == "beginning"
    assert verify_log(log_of(items[:2]), GROUP).missing == "end"


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda items: [items[0], items[2]], "entry-does-not-follow|step-not-whole"),
        (lambda items: [*items, items[-1]], "after-end"),
        (
            lambda items: [
                *items[:-1],
                {"seals": items[-1]["seals"][:1]},
                {"seals": items[-1]["seals"][1:]},
            ],
            "after-end",
        ),
        (lambda items: [*items[:3], items[-1]], "early-seals"),
        (lambda items: [items[0], {"step": items[1]["step"][::-1]}], "entries-out-of-order"),
        (lambda items: [items[0], {"step": items[1]["step"][:-1]}], "step-not-whole, .*seats p3"),
        (
            lambda items: [items[0], {"step": items[1]["step"] + items[1]["step"][:1]}],
            "entries-out-of-order",
        ),
        (
            lambda items: [items[0], {"step": items[1]["step"] + items[2]["step"][:1]}],
            "entries-out-of-order",
        ),
        (lambda items: [items[0], {"step": items[1]["step"] + items[2]["step"]}], "step-not-whole"),
        (lambda items: [*items[:-1], {"seals": items[-1]["seals"][::-1]}], "entries-out-of-order"),
        (lambda items: [*items[:-1], {"verdict": items[-1]["seals"]}], "."),
        (lambda items: [items[0], {"verdict": items[1]["step"]}], "."),
        (lambda items: [*items[:-1], {"step": items[-1]["seals"]}], "."),
    ],
)
def test_a_log_in_which_something_is_out_of_place_is_bad(ring, spoil, sentence):
    with pytest.raises(BadLog, match=sentence):
        verify_log(log_of(spoil(values_of(ring.logs[0]))), GROUP)


def test_no_epoch_follows_the_end_of_the_rules(ring):
    *items, _seals = values_of(ring.logs[0])
    leave = ring.signed(1, ("leave", 0), {}, ring.terms.first_head()).data
    with pytest.raises(BadLog, match="after-end"):
        verify_log(log_of([*items, {"epoch": [leave]}]), GROUP)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda entry: {"body": {**entry.body, "proof": bytes(96)}}, "fault-in-record"),
        (lambda entry: {"head": bytes(32)}, "entry-does-not-follow"),
    ],
)
def test_a_signed_entry_that_is_false_is_named(ring, change, error):
    items = values_of(ring.logs[0])
    read = [[ring.read(data) for data in item["step"]] for item in items[1:-1]]
    at, entries = next((at, one) for at, one in enumerate(read, 1) if "proof" in one[0].body)
    parts = {"body": entries[0].body, "head": entries[0].head, **change(entries[0])}
    first, *others = entries
    false = ring.signed(first.seat, first.place, parts["body"], parts["head"], first.stage)
    items[at] = {"step": [false.data, *(entry.data for entry in others)]}
    with pytest.raises(BadLog, match=error):
        verify_log(log_of(items), GROUP)


def test_terms_of_another_protocol_are_those_of_another_log(ring):
    opening = values_of(ring.logs[0])[0]
    terms = replace(ring.terms, protocol=PROTOCOL + 1)
    with pytest.raises(OtherLog, match="log-of-other-protocol"):
        read_form(log_of([{**opening, "terms": terms.encode()}]))


@pytest.mark.parametrize("count", [1, 2])
def test_seals_stand_in_a_log_as_they_have_come_in(ring, count):
    items = values_of(ring.logs[0])
    verdict = verify_log(log_of([*items[:-1], {"seals": items[-1]["seals"][:count]}]), GROUP)
    assert verdict.missing == "seals"
    assert verdict.waiting == tuple(range(count, 3))


def test_a_verdict_in_a_log_must_hold_and_nothing_may_stand_beside_it(ring):
    """The holder of a log cannot make a seat guilty in it, nor hide earlier entries."""
    items = values_of(ring.logs[0])
    table = ring.tables[0]
    entry = table.progress.records[0].entries[1]
    pair = ring.signed(1, entry.place, {"more": 1}, entry.head, entry.stage).data
    for end in ([entry.data, pair], [pair, entry.data]):
        verdict = verify_log(log_of([items[0], {"verdict": end}]), GROUP)
        assert (verdict.table.fault.seat, verdict.table.fault.id) == (1, "Equivocation")
        assert verdict.missing == "convicts"
    for before, end in (
        (items[:3], [entry.data, pair]),
        (items[:3], [pair]),
        (items[:1], [entry.data]),
        (items[:1], [entry.data, entry.data, pair]),
        (items[:1], [entry.data, pair, items[5]["step"][0]]),
    ):
        with pytest.raises(BadLog, match="convicts-nobody"):
            verify_log(log_of([*before, {"verdict": end}]), GROUP)


def test_after_a_verdict_nothing_stands_in_a_log(ring):
    items = values_of(ring.logs[0])
    entry = ring.tables[0].progress.records[0].entries[1]
    pair = ring.signed(1, entry.place, {"more": 1}, entry.head, entry.stage).data
    verdict = {"verdict": [entry.data, pair]}
    for more in (verdict, items[1]):
        with pytest.raises(BadLog, match="after-verdict"):
            verify_log(log_of([items[0], verdict, more]), GROUP)


def test_rules_of_another_version_are_not_replayed_by_these(ring, monkeypatch):
    monkeypatch.setitem(GAMES.classes, "tiny", type("Tiny2", (Tiny,), {"version": 2}))
    with pytest.raises(BadLog, match="rules 1 of tiny"):
        verify_log(ring.logs[0], GROUP)


def test_a_game_that_is_not_here_is_named(ring, monkeypatch):
    monkeypatch.delitem(GAMES.classes, "tiny")
    with pytest.raises(BadLog, match="tiny"):
        verify_log(ring.logs[0], GROUP)
