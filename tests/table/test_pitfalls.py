"""Pitfalls of card games without a dealer, as far as the table must avoid them; tests/crypto and
tests/adversary have the others."""

import pytest

from p2p.table.replay import verify_log
from p2p.table.terms import Terms
from p2p.wire import Malformed, pack
from tests.adversary.liar import round_name
from tests.ring import Ring
from tests.standin import standin_group
from tests.table.make_golden import GOLDEN

GROUP = standin_group()


def test_each_deal_has_keys_of_its_own():
    ring = Ring("escoba", 2, group=GROUP, target=5)
    ring.play()
    keys = [
        entry.body["key"]
        for step in ring.tables[0].progress.records
        for entry in step.entries
        if "key" in entry.body
    ]
    assert len(keys) == len(set(keys)) == 2 * ring.tables[0].run.game.round > 2


@pytest.mark.parametrize("late", [0, 1, 2])
def test_nothing_is_dealt_before_every_seat_has_shuffled(late):
    ring = Ring("escoba", 3, group=GROUP, target=1)
    shuffle = ("deck", 1 + late)
    ring.tap = lambda sender, receiver, data: () if _stage(ring, data) == shuffle else (data,)
    ring.settle()
    for seat in ring.others(late):
        assert ring.tables[seat].waiting == (late,)
        assert not ring.tables[seat].progress.here.masks.decks
        said = [ring.read(data) for _seat, data in ring.sent]
        assert not any("shares" in entry.body for entry in said)


def _stage(ring, data):
    entry = ring.read(data)
    return (entry.kind, entry.stage)


def test_shares_are_given_only_for_slots_that_the_rules_name():
    """Nothing that a peer says makes a table share a slot: its debts follow from the script
    alone."""
    ring = Ring("tiny", 3, group=GROUP, deals=1)
    ring.settle()
    table = ring.tables[0]
    before = (table.steps, table.data_to_send(), table.progress.exchange.head)
    for number, body in enumerate(
        ({"shares": [0, 1, 2]}, {"open": [5]}, {"move": ["Play", 5], "shares": []})
    ):
        assert table.receive(ring.signed(2, ("step", 0, 900 + number), body, bytes(32)).data)
    table.proceed()
    assert (table.steps, table.data_to_send(), table.progress.exchange.head) == before


def public_size(table, name):
    """All that everybody knows of the size of a seat's message: how many cards, decks and faces it
    is about."""
    turn = table.progress.exchange.round if table.progress.exchange else None
    if name in ("deal", "open"):
        owed = turn.owed[table.seat]
        return (len(owed), len(table.progress.here.masks.by_deck(owed)))
    if name == "prove":
        return (len(turn.request.claims[table.seat]), len(turn.request.among))
    return (len(turn.deck.cards),) if name == "shuffle" else ()


@pytest.mark.parametrize("game", ["escoba", "tiny"])
def test_the_size_of_a_message_does_not_depend_on_hidden_values(game):
    """Other permutations, other keys, other cards: of each round and stage the entries' bodies are
    as long."""
    sizes = {}
    for seed in range(4):
        ring = Ring(
            game,
            3,
            group=GROUP,
            seed=f"sizes{seed}",
            **({"target": 1} if game == "escoba" else {"deals": 1}),
        )
        for table in ring.tables:
            say = table.sign

            def said(stage_key, head, body, table=table, say=say):
                name = (
                    round_name(table.progress.exchange.round) if table.progress.exchange else "seal"
                )
                if name not in ("ask", "attest", "any") and "move" not in body:
                    sizes.setdefault((name, stage_key[1], public_size(table, name)), set()).add(
                        len(pack(body))
                    )
                return say(stage_key, head, body)

            table.sign = said
        ring.play()
    assert {name for name, *_ in sizes} >= {"shuffle", "deal", "open", "prove", "toss", "seal"}
    assert {key: found for key, found in sizes.items() if len(found) > 1} == {}


def test_giant_entries_are_refused_by_their_size_before_anything_else():
    ring = Ring("escoba", 2, group=GROUP)
    table = ring.tables[0]
    giant = ring.signed(1, ("step", 0, 1), {"commit": bytes(61 * 1024)}, table.head)
    with pytest.raises(Malformed, match="at most"):
        table.receive(giant.data)


def test_a_seat_can_make_us_keep_only_so_many_entries():
    ring = Ring("escoba", 2, group=GROUP)
    ring.settle()
    table = ring.tables[0]
    taken = [
        table.receive(ring.signed(1, ("step", 0, 1000 + number), {"x": number}, bytes(32)).data)
        for number in range(200)
    ]
    assert sum(taken) <= 64
    table.proceed()
    assert table.fault is None


def test_a_seat_can_make_us_keep_only_so_many_entries_that_come_to_nothing():
    """For decks that have been played, on chains of its own: none of them waits, and none convicts
    anybody."""
    ring = Ring("escoba", 3, group=GROUP, target=1)
    ring.settle()
    table = ring.tables[0]
    taken = 0
    for number in range(300):
        chain = number.to_bytes(32, "big")
        taken += table.receive(
            ring.signed(1, ("deck", 0, 1, chain), {"x": bytes(1000)}, chain).data
        )
        table.proceed()
    assert taken == 64
    assert table.fault is None
    ring.play()
    assert table.sealed


def test_a_log_of_this_version_keeps_verifying():
    data = GOLDEN.read_bytes()
    verdict = verify_log(data)
    assert verdict.complete
    game = verdict.table.run.game
    assert (game.winners, game.score, game.round) == ((1,), [2, 6, 5], 2)
    assert verdict.checked == {"steps": 105, "moves": 72, "shuffles": 6, "claims": 20}
    assert Terms.decode(verdict.table.terms.encode()) == verdict.table.terms
