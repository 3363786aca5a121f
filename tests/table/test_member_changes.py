"""Changes of members: they leave, are voted out or convicted.

All who stay come to one match, in any weather.
"""

from random import Random

import pytest

from engine.core.moves import IllegalMove
from p2p.table.events import Changing, Gone, Voted, WentBack
from p2p.table.phase import Phase
from p2p.table.replay import verify_log
from tests.adversary.membership import (
    GROUP,
    catch_up,
    must_agree,
    siete,
    silence,
    stay,
    vote_out,
)
from tests.ring import Ring, bare
from tests.sample import sample
from tests.table.deck_keys import keys_in_memory


def test_two_players_have_no_vote():
    ring = Ring("escoba", 2, group=GROUP, target=5)
    ring.settle()
    for table in ring.tables:
        assert table.votes_needed == 0
        for seat in (0, 1):
            assert not table.may_vote(seat)
            with pytest.raises(IllegalMove):
                table.vote(seat)


# Votes.


@pytest.mark.parametrize(("seats", "needed"), [(3, 2), (4, 3), (5, 3), (6, 4)])
def test_more_than_half_vote_a_silent_seat_out_and_it_hears_of_it_when_it_returns(seats, needed):
    ring = siete(seats)
    silence(ring, 2)
    ring.play(moves=3 * seats)
    others = stay(ring, 2)
    assert all(ring.tables[seat].waiting == (2,) for seat in others)
    assert ring.tables[0].votes_needed == needed
    vote_out(ring, 2, *others[: needed - 1])
    assert not any(table.gone or table.going for table in ring.tables)
    assert ring.tables[others[-1]].votes == {2: tuple(others[: needed - 1])}
    vote_out(ring, 2, others[needed - 1])
    ring.play()
    for seat in others:
        assert [event for event in ring.events[seat] if isinstance(event, Voted)] == [
            Voted(voter, 2, number, needed) for number, voter in enumerate(others[:needed], 1)
        ]
    must_agree(ring, (2, "voted"))
    (voted,) = verify_log(ring.logs[0], GROUP).voted_out
    assert (voted.voters, voted.electorate) == (tuple(others[:needed]), seats)
    ring.tap = None
    catch_up(ring, 0, 2)
    assert ring.tables[2].out
    assert [event.how for event in ring.events[2] if isinstance(event, Gone)] == ["voted"]
    assert bare(ring.logs[2]) == bare(ring.logs[0]), "a seat that has gone may watch"


def test_a_word_that_turns_up_in_time_keeps_the_seat():
    """It is voted on, one has stopped for that already, and then its word arrives: the match goes
    on where it was, and no record says so."""
    ring = siete()
    ring.tap = lambda sender, receiver, data: () if sender == 2 else (data,)
    ring.play(moves=12)
    assert [ring.tables[seat].waiting for seat in (0, 1, 3)] == [(2,)] * 3
    vote_out(ring, 2, 0, 1)
    ring.tap = lambda sender, receiver, data: () if {sender, receiver} & {2, 3} else (data,)
    vote_out(ring, 2, 3)
    assert ring.tables[3].phase is Phase.CHANGING
    assert ring.tables[3].going == (2,)
    ring.tap = None
    catch_up(ring, 0, 1, 2)
    catch_up(ring)
    ring.play()
    must_agree(ring)
    assert not any(table.gone for table in ring.tables)
    assert [table.mark[0] for table in ring.tables] == [0] * 4
    assert not any(isinstance(event, WentBack) for events in ring.events for event in events)


def test_a_leave_while_votes_are_carried_out_has_to_wait():
    ring = siete(5)
    silence(ring, 3, 4)
    ring.play(moves=20)
    named = ring.tables[0].waiting[0]
    assert named in (3, 4)
    vote_out(ring, named, 0, 1, 2)
    assert ring.tables[0].phase is Phase.CHANGING
    with pytest.raises(IllegalMove, match="vote-under-way"):
        ring.tables[0].leave()


def test_a_seat_whose_flush_does_not_come_can_be_voted_out():
    ring = siete()
    silence(ring, 2)
    ring.tables[0].leave()
    ring.settle()
    assert ring.tables[1].waiting == (2,)
    assert [event for event in ring.events[1] if isinstance(event, Changing)] == [Changing((0,))]
    vote_out(ring, 2, 1, 3)
    ring.play()
    must_agree(ring, (0, "left"), (2, "voted"))


# Nested changes.


@pytest.mark.parametrize("number", sample(range(12), 4))
def test_somebody_leaves_while_a_change_is_under_way(number):
    ring = siete(5)
    chance = Random(number)
    late: list[tuple[int, bytes]] = []
    ring.tap = lambda sender, receiver, data: (
        () if chance.random() < 0.4 and not late.append((receiver, data)) else (data,)
    )
    first, second = chance.sample(range(5), 2)
    ring.tables[first].leave()
    ring.settle()
    ring.tables[second].leave()
    ring.settle()
    ring.tap = None
    chance.shuffle(late)
    for receiver, data in late:
        ring.tables[receiver].receive(data)
    for _ in range(3):
        catch_up(ring)
    ring.play()
    must_agree(ring, (first, "left"), (second, "left"))


# Two stories.


@pytest.mark.parametrize("flood", [False, True])
def test_two_branches_of_two_stories_end_on_the_record_that_they_share(flood):
    """A seat tells two stories; one of those who stay has gone on by the second, and goes back to
    the shared record."""
    ring = siete(4, moves=4, flood=flood)
    ring.play(moves=0)
    table = ring.tables[0]
    ring.tap = lambda sender, receiver, data: ()
    asked = next(seat for seat, one in enumerate(ring.tables) if one.asked)
    others = stay(ring, asked)
    options = list(ring.tables[asked].view().options or ())
    stories = []
    for move in options:
        again = ring.resumed(asked, "two")
        try:
            again.act(move)
        except IllegalMove:
            continue
        again.data_to_store()
        stories.append(
            next(
                data
                for data in again.data_to_send()
                if data not in ring.tables[asked].held_since(0)
            )
        )
    assert len(stories) > 1
    ring.tap = lambda sender, receiver, data: (
        () if others[2] in (sender, receiver) or asked in (sender, receiver) else (data,)
    )
    for seat in others[:2]:
        ring.tables[seat].receive(stories[0])
    ring.tables[others[2]].receive(stories[1])
    before = table.steps
    ring.settle()
    assert all(ring.tables[seat].steps > before for seat in others)
    ring.tap = lambda sender, receiver, data: () if asked in (sender, receiver) else (data,)
    for _ in range(2):
        catch_up(ring, *others)
    ring.play()
    for seat in others:
        ring.store(seat)
        assert ring.tables[seat].sealed, (seat, ring.tables[seat].phase, ring.tables[seat].waiting)
        assert not keys_in_memory(ring.tables[seat])
        assert ring.tables[seat].how(asked) == "convicted"
        verdict = verify_log(ring.logs[seat], GROUP)
        assert verdict.complete
        assert bare(ring.logs[seat]) == bare(ring.logs[others[0]])
    back = [event for seat in others for event in ring.events[seat] if isinstance(event, WentBack)]
    assert back
    assert {event.records for event in back} == {before}
