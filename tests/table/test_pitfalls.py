"""The pitfalls of the crypto notes that belong to the table, by their numbers. (12, 13, 20, 24 are
in tests/adversary.)"""

import pytest

from client.i18n.sentences import english
from p2p.table.log import make_entry, read_entry
from p2p.table.replay import BadLog, verify_log
from p2p.table.terms import Terms
from p2p.wire import Malformed, pack
from tests.adversary.liar import round_name
from tests.ring import Ring
from tests.standin import standin_group
from tests.table.make_golden import GOLDEN

GROUP = standin_group()


def test_13_each_deal_has_keys_of_its_own():
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
def test_14_nothing_is_dealt_before_every_seat_has_shuffled(late):
    ring = Ring("escoba", 3, group=GROUP, target=1)
    shuffle = ("deck", 1 + late)
    ring.tap = lambda sender, receiver, data: () if _stage(ring, data) == shuffle else (data,)
    ring.settle()
    for seat in ring.others(late):
        assert ring.tables[seat].waiting == (late,)
        assert not ring.tables[seat].progress.here.masks.decks
        said = [read_entry(ring.terms, ring.terms.match, data) for _seat, data in ring.sent]
        assert not any("shares" in entry.body for entry in said)


def _stage(ring, data):
    entry = read_entry(ring.terms, ring.tables[0].match, data)
    return (entry.place[0], entry.stage)


def test_15_shares_are_given_only_for_slots_that_the_rules_name():
    """Nothing that a peer says makes a table share a slot: its debts follow from the script
    alone."""
    ring = Ring("tiny", 3, group=GROUP, deals=1)
    ring.settle()
    table = ring.tables[0]
    before = (table.steps, table.data_to_send(), table.progress.exchange.head)
    for number, body in enumerate(
        ({"shares": [0, 1, 2]}, {"open": [5]}, {"move": ["Play", 5], "shares": []})
    ):
        assert table.receive(
            make_entry(
                ring.who[2], table.match, (("step", 0, 900 + number), 0), 2, bytes(32), body
            ).data
        )
    table.proceed()
    assert (table.steps, table.data_to_send(), table.progress.exchange.head) == before


def public_size(table, name):
    """All that everybody knows of the size of a seat's message: how many cards, decks and faces it
    is about."""
    turn = table.progress.exchange.round if table.progress.exchange else None
    if name in ("deal", "open"):
        owed = turn.owed[table.seat]
        return (len(owed), len(table.progress.here.masks._by_deck(owed)))
    if name == "prove":
        return (len(turn.request.claims[table.seat]), len(turn.request.among))
    return (len(turn.deck.cards),) if name == "shuffle" else ()


@pytest.mark.parametrize("game", ["escoba", "tiny"])
def test_18_the_size_of_a_message_does_not_depend_on_hidden_values(game):
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


def test_25_giant_entries_are_refused_by_their_size_before_anything_else():
    ring = Ring("escoba", 2, group=GROUP)
    table = ring.tables[0]
    giant = make_entry(
        ring.who[1], table.match, (("step", 0, 1), 0), 1, table.head, {"commit": bytes(61 * 1024)}
    )
    with pytest.raises(Malformed, match="at most"):
        table.receive(giant.data)


def test_25_a_seat_can_make_us_keep_only_so_many_entries():
    ring = Ring("escoba", 2, group=GROUP)
    ring.settle()
    table = ring.tables[0]
    taken = [
        table.receive(
            make_entry(
                ring.who[1],
                table.match,
                (("step", 0, 1000 + number), 0),
                1,
                bytes(32),
                {"x": number},
            ).data
        )
        for number in range(200)
    ]
    assert sum(taken) <= 64
    table.proceed()
    assert table.fault is None


def test_25_a_seat_can_make_us_keep_only_so_many_entries_that_come_to_nothing():
    """For decks that have been played, on chains of its own: none of them waits, and none convicts
    anybody."""
    ring = Ring("escoba", 3, group=GROUP, target=1)
    ring.settle()
    table = ring.tables[0]
    taken = 0
    for number in range(300):
        chain = number.to_bytes(32, "big")
        taken += table.receive(
            make_entry(
                ring.who[1], table.match, (("deck", 0, 1, chain), 0), 1, chain, {"x": bytes(1000)}
            ).data
        )
        table.proceed()
    assert taken == 64
    assert table.fault is None
    ring.play()
    assert table.sealed


def test_25_a_seat_that_has_gone_can_make_us_keep_only_so_many_entries():
    ring = Ring("siete-y-media", 3, group=GROUP, deals=2)
    ring.play(moves=2)
    ring.tables[1].leave()
    ring.settle()
    table = ring.tables[0]
    taken = 0
    for number in range(300):
        taken += table.receive(
            make_entry(
                ring.who[1], table.match, (("step", 0, 9000 + number), 0), 1, bytes(32), {}
            ).data
        )
        table.proceed()
    assert taken <= 64
    ring.play()
    assert table.sealed


def test_25_what_waited_and_came_to_nothing_is_kept_no_longer_than_that():
    """It fills what may wait with entries for the next deck, again before each."""
    ring = Ring("siete-y-media", 3, group=GROUP, deals=6)
    table, known = ring.tables[0], 0
    while ring.play(moves=1):
        number = table.run.game.shuffles + 1
        for place in range(40):
            chain = bytes([number, place]) * 16
            table.receive(
                make_entry(
                    ring.who[1], table.match, (("deck", 0, number, chain), 0), 1, chain, {}
                ).data
            )
        table.proceed()
        known = max(
            known,
            sum(len(entry.place[-1:]) for entry in table.inbox.known() if entry.body == {}),
        )
    assert known <= 64 + 64 + 6
    assert table.sealed


@pytest.mark.parametrize("old", [1, 2])
def test_27_a_log_of_an_earlier_protocol_gets_one_sentence(old):
    with pytest.raises(BadLog) as caught:
        verify_log((GOLDEN.parent / f"protocol-{old}.sobremesa").read_bytes())
    assert english(caught.value) == f"a log of protocol {old}; this program speaks 3"


def test_27_a_log_of_this_version_keeps_verifying():
    data = GOLDEN.read_bytes()
    verdict = verify_log(data)
    assert verdict.complete
    game = verdict.table.run.game
    assert (game.winners, game.score, game.round) == ((1,), [2, 6, 5], 2)
    assert verdict.checked == {"steps": 105, "moves": 72, "shuffles": 6, "claims": 20}
    assert Terms.decode(verdict.table.terms.encode()) == verdict.table.terms
