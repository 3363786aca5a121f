"""Every request of the rules under the masked deck: its speakers, its answer, its events. Lies are
in tests/adversary."""

from collections import Counter

import pytest

from engine.core.moves import spell_move
from engine.core.requests import Ask
from engine.core.view import View
from p2p.table.events import (
    Asked,
    Dealt,
    Mixed,
    Moved,
    Opened,
    Over,
    Proved,
    Sealed,
    Shuffled,
    Told,
    Tossed,
)
from p2p.table.replay import verify_log
from tests.adversary.liar import round_name
from tests.engine.tiny_game import Say
from tests.ring import Ring, first_choice
from tests.sample import pairs, sample
from tests.standin import standin_group

GROUP = standin_group()


def tiny(players=3, seed="rounds", **options):
    ring = Ring("tiny", players, group=GROUP, seed=seed, **options)
    ring.play()
    return ring


def entries(ring, seat=0):
    return [entry for step in ring.tables[seat].progress.records for entry in step.entries]


@pytest.mark.parametrize(("players", "seed"), sample(pairs([2, 3, 4], range(6)), 6, rows=True))
def test_a_match_with_every_request_ends_the_same_for_all_and_verifies(players, seed):
    ring = tiny(players, f"every{seed}")
    assert all(table.sealed for table in ring.tables)
    assert len(set(ring.logs)) == 1
    verdict = verify_log(ring.logs[0], GROUP)
    assert verdict.complete
    assert verdict.table.head == ring.tables[0].head
    assert verdict.table.run.game.score == ring.tables[0].run.game.score
    assert verdict.checked["shuffles"] == 2 * (players + 2)
    told = Counter(type(event) for event in ring.events[0])
    assert told[Tossed] == told[Over] == told[Sealed] == 1
    assert told[Shuffled] == 4
    assert told[Mixed] == verdict.checked["shuffles"]
    # Claims are told as they arrive, all else in the order of the log.
    in_order = (Moved, Opened, Tossed, Mixed, Shuffled, Over, Told)
    for events in ring.events:
        assert [event for event in events if isinstance(event, in_order)] == [
            event for event in ring.events[0] if isinstance(event, in_order)
        ]
        assert {event for event in events if isinstance(event, Proved)} == {
            event for event in ring.events[0] if isinstance(event, Proved)
        }


def test_everybody_sees_its_own_cards_alone():
    ring = tiny()
    for seat, events in enumerate(ring.events):
        dealt = [event for event in events if isinstance(event, Dealt)]
        assert dealt
        for event in dealt:
            assert set(event.mine) == set(event.to.get(seat, ()))
            assert "mine" not in repr(event)


def test_the_holders_of_a_deck_alone_shuffle_it_and_share_its_slots():
    ring = tiny(4)
    second = [entry for entry in entries(ring) if entry.place[0] == "deck" and entry.place[2] == 2]
    order = [entry.seat for entry in second if "deck" in entry.body]
    assert len(order) == 2
    assert {entry.seat for entry in second} == set(order)


def test_the_toss_is_the_sum_of_all_revealed_numbers():
    ring = tiny()
    values = [
        entry.body["value"]
        for entry in entries(ring)
        if entry.place == ("step", 0, 1) and entry.stage == 1
    ]
    tossed = next(event for event in ring.events[0] if isinstance(event, Tossed))
    assert (len(values), tossed.number) == (3, sum(values) % 3)


def test_sealed_choices_are_committed_before_any_is_revealed():
    ring = tiny()
    sealed = [entry for entry in entries(ring) if type(entry.body.get("value")) is list]
    commits = {entry.place: entry for entry in entries(ring) if "commit" in entry.body}
    assert {tuple(spelled) for spelled in (entry.body["value"] for entry in sealed)} == {("Bid", 0)}
    for reveal in sealed:
        assert reveal.place in commits
        assert reveal.head != commits[reveal.place].head


def test_automatic_questions_are_never_asked_of_a_player():
    asked = Counter()

    def watching(view: View):
        asked[view.game.round, view.turn] += 1
        assert view.options is not None
        return first_choice(view)

    ring = Ring("tiny", 3, group=GROUP)
    ring.play(watching)
    for seat, events in enumerate(ring.events):
        mine = [event for event in events if isinstance(event, Moved) and event.seat == seat]
        assert any(event.auto for event in mine)
        # A seat is asked for each move of its own that is not automatic, and where a partner
        # answered for it.
        assert sum(isinstance(event, Asked) for event in events) >= sum(
            not event.auto for event in mine
        )
    assert asked


def until_any(ring):
    """Play until somebody may answer for all."""
    ring.settle()
    while True:
        turn = ring.tables[0].progress.exchange.round
        if isinstance(turn.request, Ask) and turn.request.kind == "any":
            return list(turn.request.seats)
        assert ring.play(first_choice, moves=1)


def test_of_partners_the_first_answer_in_seat_order_counts_and_a_partner_that_has_seen_one_yields():
    ring = Ring("tiny", 3, group=GROUP, seed="any")
    first, second = until_any(ring)
    ring.tables[second].act(Say("pass"))
    ring.settle()
    said = {entry.seat: entry for entry in entries(ring)[-2:]}
    assert said[first].body == {"yield": said[second].hash}
    assert said[second].body["move"] == spell_move(Say("pass"))
    moved = [event for event in ring.events[first] if isinstance(event, Moved)][-1]
    assert (moved.seat, moved.move) == (second, Say("pass"))


def test_partners_who_answer_at_once_are_both_heard_and_the_first_in_order_counts():
    ring = Ring("tiny", 3, group=GROUP, seed="any")
    first, second = until_any(ring)
    ring.tables[second].act(Say("pass"))
    ring.tables[first].act(Say("double"))
    ring.settle()
    moved = [event for event in ring.events[0] if isinstance(event, Moved)][-1]
    assert (moved.seat, moved.move) == (first, Say("double"))
    assert all("move" in entry.body for entry in entries(ring)[-2:])


def test_a_yield_that_arrives_before_the_answer_waits_for_it():
    ring = Ring("tiny", 3, group=GROUP, seed="any")
    first, second = until_any(ring)
    (eldest,) = ring.others(first, second)
    late = []
    ring.tap = lambda sender, receiver, data: (
        (late.append(data), ())[1]
        if sender == second and receiver == eldest and not late
        else (data,)
    )
    ring.tables[second].act(Say("pass"))
    ring.settle()
    table = ring.tables[eldest]
    assert late
    assert first in table.waiting
    assert table.fault is None
    table.receive(late[0])
    ring.play()
    assert len(set(ring.logs)) == 1
    assert all(table.sealed for table in ring.tables)


def test_all_rounds_have_been_heard_of():
    found = set()
    ring = Ring("tiny", 3, group=GROUP, seed="lie20")
    for table in ring.tables:
        listen = table.progress._listen
        table.progress._listen = lambda exchange, listen=listen: (
            found.add(round_name(exchange.round)),
            listen(exchange),
        )[1]
    ring.play()
    assert found == {"toss", "shuffle", "deal", "open", "attest", "prove", "sealed", "any", "ask"}
