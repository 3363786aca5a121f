"""Changes of members: they leave, are voted out or convicted.

All who stay come to one match, in any weather.
"""

import itertools
from random import Random

import pytest

from engine.bots import chance_for
from engine.core.run import IllegalMove
from p2p.table.events import Changing, Gone, Voted, WentBack
from p2p.table.log import STAND, read_entry, split_records
from p2p.table.phase import Phase
from p2p.table.replay import verify_log
from p2p.table.table import Table
from tests.ring import Ring, bare, seeded
from tests.sample import sample
from tests.table.deck_keys import keys_in_memory
from tests.table.member_changes import (
    GROUP,
    catch_up,
    must_agree,
    siete,
    silence,
    stay,
    vote_out,
    went,
)
from tests.table.weather import Storm


class Leaving(Storm):
    """Weather in which seats leave between two deliveries, as soon as the rules let them."""

    def __init__(self, *args, leavers=(), when=0.02, **options):
        super().__init__(*args, **options)
        self.leavers, self.when = list(leavers), when

    def deliver(self) -> bool:
        if self.leavers and self._chance.random() < self.when:
            for seat in self.leavers:
                table = self.tables[seat]
                if not table.over and not table.out and table.run.game.may_leave(seat):
                    table.leave()
            self.leavers = []
        return super().deliver()


GAMES = {
    "siete-y-media": (range(3, 7), {"deals": 3}),
    "escoba": ((3, 4, 6), {"target": 5}),
    "truco": ((4, 6), {"target": 5}),
    "domino": ((3, 4), {"target": 30}),
    "kinaskak": (range(3, 6), {"last_contract": 1}),
}


STORMS = [
    (game, seats, leaving)
    for game, (counts, _) in GAMES.items()
    for seats in counts
    for leaving in (1, 2)
]
STORMS.sort(key=lambda storm: sum(storm[1:]) % 2)


@pytest.mark.slow
@pytest.mark.parametrize("number", sample(range(3), 1))
@pytest.mark.parametrize(("game", "seats", "leaving"), sample(STORMS, len(STORMS) // 2, rows=True))
def test_one_or_two_leave_at_any_moment_in_any_weather(game, seats, leaving, number):
    chance = Random(f"{game} {seats} {leaving} {number}")
    player = chance_for(game)
    ring = Leaving(
        game,
        seats,
        weather=number,
        seed=f"leaving {number}",
        group=GROUP,
        flood=True,
        leavers=chance.sample(range(seats), leaving),
        when=chance.choice([0.002, 0.01, 0.05]),
        **GAMES[game][1],
    )
    ring.play(lambda view: player(view, chance.randrange))
    must_agree(ring, *went(ring))


def test_of_two_players_the_other_goes_on_alone():
    ring = Ring("escoba", 2, group=GROUP, target=5)
    ring.play(moves=3)
    ring.tables[0].leave()
    ring.settle()
    must_agree(ring, (0, "left"))
    assert ring.tables[1].run.game.winners == (1,)


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


def test_only_a_seat_that_owes_a_word_can_be_voted_on():
    ring = siete()
    table = ring.tables[1]
    for seat in range(4):
        assert table.may_vote(seat) is (seat in table.waiting and seat != 1)
        if not table.may_vote(seat):
            with pytest.raises(IllegalMove):
                table.vote(seat)


def test_half_of_the_votes_change_nothing():
    ring = siete()
    named = ring.tables[0].waiting[0]
    for voter in stay(ring, named)[:2]:
        ring.tables[voter].vote(named)
    ring.play()
    must_agree(ring)


def test_votes_end_with_the_stage_for_which_they_were_cast():
    ring = siete()
    for _ in range(12):
        named = ring.tables[0].waiting[0]
        for voter in stay(ring, named)[:2]:
            ring.tables[voter].vote(named)
        ring.settle()
        ring.play(moves=1)
        if ring.tables[0].over:
            break
    ring.play()
    must_agree(ring)


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


def test_a_seat_that_has_left_has_no_vote():
    ring = siete()
    ring.tables[0].leave()
    for seat in range(4):
        with pytest.raises(IllegalMove):
            ring.tables[0].vote(seat)


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


@pytest.mark.parametrize("number", sample(range(8), 3))
def test_a_member_that_has_made_a_change_answers_those_who_have_not(number):
    """One has all stands and goes on; the others lack its own, and another leaves meanwhile."""
    ring = siete(4)
    ring.tap = lambda sender, receiver, data: (
        () if sender == 1 and is_stand(ring, data) else (data,)
    )
    ring.tables[0].leave()
    ring.settle()
    assert [table.gone for table in ring.tables] == [(), (0,), (), ()]
    ring.tables[2 + number % 2].leave()
    ring.settle()
    ring.tap = None
    for _ in range(3):
        catch_up(ring)
    ring.play()
    must_agree(ring, (0, "left"), (2 + number % 2, "left"))


def is_stand(ring: Ring, data: bytes) -> bool:
    return read_entry(ring.terms, ring.terms.match, data).place[0] == STAND


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
        again = Table.resumed(
            ring.terms,
            ring.signatures,
            asked,
            ring.who[asked],
            seeded("two"),
            ring.journals[asked],
            ring.logs[asked],
            GROUP,
        )
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


# Restarts.


def again(ring: Ring, seat: int) -> Table:
    return Table.resumed(
        ring.terms,
        ring.signatures,
        seat,
        ring.who[seat],
        seeded("again"),
        ring.journals[seat],
        ring.logs[seat],
        GROUP,
    )


def prefixes(data: bytes) -> list[bytes]:
    """Return a file cut after each of its records."""
    ends = itertools.accumulate(len(item) + 4 for item in split_records(data)[0])
    return [data[:end] for end in ends]


class Dying(Ring):
    """At its n-th store one seat dies, before it sends what it has stored, and sits down again."""

    dies, left = 0, 0

    def store(self, seat):
        before = self.journals[seat]
        data = super().store(seat)
        if seat != self.dies or self.journals[seat] == before or not self.left:
            return data
        self.left -= 1
        if self.left:
            return data
        self.tables[seat] = again(self, seat)
        for other in self.others(seat):
            for lacked in self.tables[other].lacking(self.tables[seat].need):
                self.tables[seat].receive(lacked)
        return []


@pytest.mark.parametrize("stores", sample([range(1, 14, 4), range(1, 14)], 1), ids=["some", "all"])
@pytest.mark.parametrize("how", ["leave", "vote", "leave and vote"])
def test_a_restart_at_any_store_of_a_change_is_survived(how, stores):
    for at in stores:
        ring = Dying("siete-y-media", 5, group=GROUP, deals=2, flood=True)
        ring.play(moves=5)
        ring.left = at
        if how != "vote":
            ring.tables[1].leave()
            ring.settle()
        if how != "leave":
            silence(ring, 2)
            ring.play(moves=20)
            for voter in (0, 3, 4):
                if ring.tables[voter].may_vote(2):
                    ring.tables[voter].vote(2)
                    ring.settle()
        ring.play()
        for _ in range(2):
            catch_up(ring, *stay(ring, *([] if how == "leave" else [2])))
        ring.play()
        must_agree(ring, *went(ring))
        said: dict = {}
        for _, data in ring.sent:
            entry = read_entry(ring.terms, ring.terms.match, data)
            assert said.setdefault(entry.key, data) == data, "nothing is signed twice differently"


def test_a_seat_that_has_flushed_says_nothing_more_in_its_epoch_after_a_restart():
    ring = siete()
    ring.tap = lambda sender, receiver, data: () if sender == 3 else (data,)
    ring.tables[1].leave()
    ring.settle()
    assert ring.tables[0].phase is Phase.CHANGING
    ring.tables[0] = again(ring, 0)
    assert ring.tables[0].phase is Phase.CHANGING
    assert 3 in ring.tables[0].waiting
    assert not ring.tables[0].asked
    ring.tap = None
    catch_up(ring)
    ring.play()
    must_agree(ring, (1, "left"))


def test_a_journal_that_is_cut_anywhere_is_taken_up_or_refused():
    """A journal and log of which the end is lost lead to a table or to a clear error, with any log
    that is no longer."""
    ring = siete(4, deals=1)
    ring.tables[1].leave()
    ring.play()
    for log in prefixes(ring.logs[0]):
        table = Table.resumed(
            ring.terms,
            ring.signatures,
            0,
            ring.who[0],
            seeded("x"),
            ring.journals[0],
            log,
            GROUP,
            listening=True,
        )
        assert table.phase in (Phase.LISTENING, Phase.ENDED, Phase.SEALED)
        for data in ring.tables[2].lacking(table.need):
            table.receive(data)
        table.proceed()
        assert table.trail == ring.tables[0].trail


# Spectators.


@pytest.mark.parametrize("number", sample(range(6), 2))
def test_a_spectator_follows_all_changes(number):
    chance = Random(number)
    player = chance_for("siete-y-media")
    ring = Leaving(
        "siete-y-media",
        5,
        weather=number,
        seed=f"watch {number}",
        group=GROUP,
        flood=True,
        leavers=[1, 3],
        when=0.02,
        deals=3,
    )
    ring.play(lambda view: player(view, chance.randrange))
    spectator = Table(ring.terms, ring.signatures, None, None, lambda size: 1 / 0, GROUP)
    parcels = [data for _, data in ring.sent]
    # In order, but for a few that are late.
    for _ in range(40):
        at = chance.randrange(len(parcels))
        parcels.insert(min(len(parcels), at + chance.randrange(30)), parcels.pop(at))
    for data in parcels:
        spectator.receive(data)
        spectator.proceed()
    assert spectator.sealed
    assert spectator.trail == ring.tables[0].trail
    assert {
        (event.seat, event.how) for event in spectator.events() if isinstance(event, Gone)
    } == set(went(ring))
