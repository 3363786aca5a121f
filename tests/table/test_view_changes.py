"""Leaving: who goes by its own word or the others', and that all who stay agree where the match stood, in any weather."""

from random import Random

import pytest
from p2p.table.cutting import BACK

from engine.bots import chance_for
from engine.run import IllegalMove
from p2p.table.events import Accused, Gone, Voted
from p2p.table.log import LEAVE, RECORD_LIMIT, Entry, make_entry, read_entry, record, split_records
from p2p.table.replay import BadLog, verify_log
from p2p.table.table import Table
from p2p.wire import unpack
from tests.ring import Ring, seeded
from tests.standin import standin_group
from tests.table.weather import Storm

GROUP = standin_group()


def siete(seats: int = 4, **options) -> Ring:
    ring = Ring("siete-y-media", seats, group=GROUP, deals=3, **options)
    ring.play(moves=5)
    return ring


def stay(ring: Ring, *gone: int) -> list[int]:
    return [seat for seat in range(len(ring.tables)) if seat not in gone]


def must_agree(ring: Ring, *gone: tuple[int, str]) -> None:
    """Require that all who stay have one sealed log, which says who went, and that nobody is accused."""
    seats = stay(ring, *(seat for seat, _ in gone))
    assert len({ring.logs[seat] for seat in seats}) == 1
    assert all(ring.tables[seat].sealed for seat in seats)
    verdict = verify_log(ring.logs[seats[0]], GROUP)
    assert verdict.complete
    assert sorted(verdict.gone) == sorted(gone)
    assert not any(isinstance(event, Accused) for events in ring.events for event in events)


class Storming(Storm):
    """Weather in which seats leave, or are voted out, between two deliveries."""

    def __init__(self, *args, leavers=(), when=0.02, silent=(), **options):
        super().__init__(*args, **options)
        self.leavers, self.when, self.silent = list(leavers), when, set(silent)

    def deliver(self) -> bool:
        if self.leavers and self._chance.random() < self.when:
            table = self.tables[self.leavers[0]]
            if table.run.over or table.out or not table.run.game.may_leave(self.leavers[0]):
                self.leavers.pop(0)
            else:
                table.leave()
                self.leavers.pop(0)
        return super().deliver()

    def carry(self, sender, data, receivers) -> None:
        super().carry(sender, data, [seat for seat in receivers if sender not in self.silent and seat not in self.silent])


def storm(game: str, number: int, leavers, players=4, **options) -> Storming:
    chance = Random(f"cut {game} {number}")
    player = chance_for(game)
    ring = Storming(
        game,
        players,
        weather=number,
        seed=f"cut {number}",
        group=GROUP,
        flood=True,
        leavers=leavers,
        when=chance.choice([0.002, 0.01, 0.03]),
        **options,
    )
    ring.play(lambda view: player(view, chance.randrange))
    return ring


def said(ring: Ring) -> list:
    return [event for events in ring.events for event in events]


@pytest.mark.parametrize("number", range(40))
def test_siete_y_media_goes_on_without_who_leaves_in_any_weather(number):
    ring = storm("siete-y-media", number, [number % 4, (number + 1) % 4][: 1 + number % 2], deals=3)
    gone = sorted({(event.seat, event.how) for event in said(ring) if isinstance(event, Gone)})
    must_agree(ring, *gone)


@pytest.mark.parametrize("game", ["escoba", "truco", "domino", "kinaskak"])
@pytest.mark.parametrize("number", range(6))
def test_another_game_is_over_when_somebody_leaves_in_any_weather(game, number):
    options = {"kinaskak": {"last_contract": 1}}.get(game, {"target": {"escoba": 5, "truco": 5, "domino": 30}.get(game)})
    ring = storm(game, number, [number % 4], **options)
    gone = sorted({(event.seat, event.how) for event in said(ring) if isinstance(event, Gone)})
    must_agree(ring, *gone)


@pytest.mark.parametrize("number", range(10))
def test_of_two_who_leave_at_once_both_are_gone_in_one_order(number):
    ring = Storming("siete-y-media", 5, weather=number, seed=f"two {number}", group=GROUP, flood=True, deals=3)
    player = chance_for("siete-y-media")
    chance = Random(number)
    ring.play(lambda view: player(view, chance.randrange), moves=4 + number)
    for seat in (1, 3):
        ring.tables[seat].leave()
    ring.play(lambda view: player(view, chance.randrange))
    must_agree(ring, (1, "left"), (3, "left"))


def test_who_is_alone_flushes_alone():
    ring = Ring("escoba", 2, group=GROUP, target=5)
    ring.play(moves=3)
    ring.tables[0].leave()
    ring.settle()
    must_agree(ring, (0, "left"))
    assert ring.tables[1].run.game.winners == (1,)


def test_all_others_vote_a_silent_seat_out_and_it_hears_of_it_when_it_returns():
    ring = siete()
    lost: list[bytes] = []
    ring.tap = lambda sender, receiver, data: () if 2 in (sender, receiver) and not lost.append(data) else (data,)
    ring.play(moves=8)
    waiting = [ring.tables[seat].waiting for seat in stay(ring, 2)]
    assert all(seats == (2,) for seats in waiting), waiting
    for seat in (0, 1):
        ring.tables[seat].expel([2])
        ring.settle()
    assert not any(table.gone or table.going for table in ring.tables)
    assert ring.tables[3].votes == {2: frozenset({0, 1})}
    assert [event for event in ring.events[3] if isinstance(event, Voted)] == [Voted(0, (2,)), Voted(1, (2,))]
    ring.tables[3].expel([2])
    ring.play()
    must_agree(ring, (2, "expelled"))
    ring.tap = None
    for data in ring.tables[0].lacking(ring.tables[2].steps, ring.tables[2].head):
        ring.tables[2].receive(data)
    ring.tables[2].proceed()
    ring.store(2)
    assert ring.tables[2].out
    assert Gone(2, "expelled") in ring.events[2]
    assert ring.logs[2] == ring.logs[0]  # who has gone may watch


def test_a_vote_that_is_not_everybodys_changes_nothing():
    ring = siete()
    ring.tables[0].expel([2])
    ring.tables[1].expel([2])
    ring.play()
    must_agree(ring)


def test_nobody_votes_for_himself_or_for_nobody():
    ring = siete()
    for seats in ([], [1], [1, 2], [9]):
        with pytest.raises(IllegalMove):
            ring.tables[1].expel(seats)


def test_old_votes_do_not_count_against_who_has_played_on():
    ring = siete()
    ring.tables[0].expel([2])
    ring.tables[1].expel([2])
    ring.settle()
    place = next(iter(ring.tables[3]._calls._votes))
    ring.play(moves=40)
    late = ring.tables[3]
    assert late._held.progress.here.step > place[1] + 8
    late._held.inbox.put(late._say((place, 0), late.head, {}))
    ring.play()
    must_agree(ring)


def test_who_votes_in_every_step_is_heard_to_the_end():
    """Against whoever is slow, who then always speaks: more votes than entries may wait."""
    ring = Ring("escoba", 3, group=GROUP, target=50)
    ring.settle()
    votes = 0
    while not ring.tables[0].over and votes < 90:
        asked = next(seat for seat, table in enumerate(ring.tables) if table.asked)
        if asked:
            ring.tables[0].expel([asked])
            ring.settle()
            votes += 1
        assert ring.play(moves=1), "the match goes on"
    assert votes == 90
    assert ring.tables[0].gone == ()
    assert all(len(table._calls.words()) <= 64 for table in ring.tables)


def with_an_old_vote(seats: int, voters: list[int], slow: int) -> Ring:
    """A match in which some have voted against seat 2, which has played on since; but one seat has not seen that."""
    ring = Ring("siete-y-media", seats, group=GROUP, deals=9)
    ring.play(moves=5)
    for seat in voters:
        ring.tables[seat].expel([2])
    ring.settle()
    step = ring.tables[slow]._held.progress.here.step

    def is_late(sender: int, receiver: int, data: bytes) -> tuple[bytes, ...]:
        entry = read_entry(ring.terms, ring.terms.match, data)
        late = entry.seat == 2 and entry.place[0] == "step" and entry.place[1] >= step + 8
        return () if receiver == slow and late else (data,)

    ring.tap = is_late
    ring.play()
    assert ring.tables[slow]._calls._spoke[2] < step + 8 <= ring.tables[2]._calls._spoke[2]
    return ring


def catch_up(ring: Ring) -> None:
    """Let everybody show everybody what they lack."""
    ring.tap = None
    for table in ring.tables:
        for other in ring.tables:
            for data in table.lacking(other.steps, other.head):
                other.receive(data)
    ring.play()


def must_name(ring: Ring, lie: Entry, first: Table) -> None:
    """Require that seat 1 is convicted by the others and by their log, when one of them has found it out, then all."""
    for seat in (0, 2):
        ring.tables[seat].receive(lie.data)
    ring.settle()
    assert first.fault is not None
    for other in (0, 2):
        while ring.tables[other].make_ahead():
            pass
    ring.play()
    assert [ring.tables[seat].how(1) for seat in (0, 2)] == ["convicted"] * 2
    assert ring.logs[0] == ring.logs[2]
    verdict = verify_log(ring.logs[0], GROUP)
    assert verdict.complete
    assert verdict.gone == [(1, "convicted")]


@pytest.mark.parametrize("ahead", [0, 2])
def test_who_speaks_too_late_on_a_head_of_the_next_deck_is_named_by_all_and_by_the_log(ahead):
    """One table has come to that head, the other has not when it hears of it: there it looks like nothing at all."""
    ring = siete(3)
    table = ring.tables[ahead]
    assert table.make_ahead()
    spot = next(entry.spot for entries in table._record for entry in entries if entry.seat == 0 and len(entries) == 1)
    lie = make_entry(ring.who[1], ring.terms.match, spot, 1, table._held.progress.ahead.head, {})
    must_name(ring, lie, table)


@pytest.mark.parametrize("ahead", [0, 2])
def test_who_answers_on_a_head_of_the_next_deck_is_named_by_all_and_by_the_log(ahead):
    """What it was asked for stands on another head, which one table has come to already, and the other not."""
    ring = Ring("siete-y-media", 3, group=GROUP, deals=3)
    while ring.tables[0]._held.progress.exchange.missing() != (1,) or ring.tables[0]._held.progress._next_deck() is None:
        assert ring.play(moves=1)
    table = ring.tables[ahead]
    assert table.make_ahead()
    lie = make_entry(ring.who[1], ring.terms.match, table._held.progress.exchange.spot, 1, table._held.progress.ahead.head, {})
    must_name(ring, lie, table)


def test_an_old_vote_does_not_hold_up_who_leaves():
    """Who goes does not flush: where it stood is for the others to say, who have seen that the vote is old."""
    ring = with_an_old_vote(3, [1], slow=0)
    ring.tables[0].leave()
    catch_up(ring)
    must_agree(ring, (0, "left"))
    assert ring.logs[0] == ring.logs[1]


def test_what_one_has_flushed_for_by_an_old_vote_counts_for_all():
    ring = with_an_old_vote(4, [1, 3], slow=1)
    ring.tables[0].leave()
    ring.settle()
    catch_up(ring)
    must_agree(ring, (0, "left"), (2, "expelled"))


def test_a_seat_can_be_voted_out_while_a_cut_waits_for_it():
    ring = siete()
    ring.tap = lambda sender, receiver, data: () if 2 in (sender, receiver) else (data,)
    ring.tables[0].leave()
    ring.settle()
    assert ring.tables[1].waiting == (2,)
    for seat in (1, 3):
        ring.tables[seat].expel([2])
    ring.play()
    must_agree(ring, (0, "left"), (2, "expelled"))


def test_votes_from_before_a_cut_count_no_longer_after_it():
    ring = siete(5)
    for seat in (0, 2, 4):
        ring.tables[seat].expel([1])
    for seat in (0, 1, 2, 4):
        ring.tables[seat].expel([3])
    ring.play()
    must_agree(ring, (3, "expelled"))


def test_nobody_votes_who_has_left():
    ring = siete()
    ring.tables[0].leave()
    with pytest.raises(IllegalMove):
        ring.tables[0].expel([1])


def test_a_cut_that_some_have_made_is_made_by_all_however_long_the_match():
    """Two leave, one after the other; who stays hears of both at once. What both have long had whole is not named again."""
    ring = Ring("siete-y-media", 3, group=GROUP, deals=9)
    while ring.tables[2].steps <= BACK + 10:
        assert ring.play(moves=1)
    held: list[bytes] = []
    ring.tap = lambda sender, receiver, data: () if (sender, receiver) == (0, 2) and not held.append(data) else (data,)
    ring.tables[1].leave()
    ring.settle()
    assert ring.tables[0].gone == (1,)
    assert ring.tables[2].going == (1,)
    ring.tables[0].leave()
    ring.settle()
    ring.tap = None
    for data in reversed(held):
        ring.tables[2].receive(data)
    ring.settle()
    must_agree(ring, (0, "left"), (1, "left"))
    assert ring.logs[0] == ring.logs[1] == ring.logs[2]


def test_of_two_cuts_that_could_go_before_the_last_the_one_for_more_seats_does():
    """One flush for the first comes late: two have flushed for more without it, and then it could be made after all."""
    late: list[bytes] = []

    def tap(sender: int, receiver: int, data: bytes) -> tuple[bytes, ...]:
        entry = read_entry(ring.terms, ring.terms.match, data)
        if (entry.place, entry.seat) in {(("cut", 0), 1), (("cut", 0, 1), 3), (LEAVE, 3)}:
            late.append(data)
            return ()
        return (data,)

    ring = siete()
    ring.tap = tap
    for seat in (0, 1, 3):
        ring.tables[seat].leave()
        ring.settle()
    assert ring.tables[2].going == (0, 1)
    ring.tap = None
    for table in ring.tables:
        for data in late:
            table.receive(data)
    ring.settle()
    must_agree(ring, (0, "left"), (1, "left"), (3, "left"))
    assert len(set(ring.logs)) == 1
    assert [entries[-1].place for entries in ring.tables[2]._record if entries[-1].place[0] == "cut"] == [
        ("cut", 0, 1),
        ("cut", 0, 1, 3),
    ]


def test_who_has_left_goes_back_behind_a_cut_that_the_others_could_not_make():
    """It has heard a word for a deck that a flush names, and who stays has not: the last cut goes on without that word."""
    ring = Ring("siete-y-media", 3, group=GROUP, deals=2)

    def tap(sender: int, receiver: int, data: bytes) -> tuple[bytes, ...]:
        entry = read_entry(ring.terms, ring.terms.match, data)
        if (entry.seat, receiver) == (1, 2) and entry.place == ("cut", 0):
            return ()
        late = entry.spot == (("step", 1), 1) or entry.place[0] == "cut"
        return () if (entry.seat, receiver) == (2, 1) and (entry.place[0] == "deck" or late) else (data,)

    ring.tap = tap
    ring.settle()
    ring.tables[0].leave()
    ring.settle()
    assert [table.gone for table in ring.tables] == [(0,), (), ()]
    ring.tables[2].leave()
    for entry in list(ring.tables[2]._held.inbox.known()):
        if entry.place[0] != "deck":
            ring.tables[1].receive(entry.data)
    for entry in list(ring.tables[1]._held.inbox.known()):
        ring.tables[2].receive(entry.data)
    ring.settle()
    must_agree(ring, (0, "left"), (2, "left"))
    assert ring.logs[0] == ring.logs[1] == ring.logs[2]


@pytest.mark.parametrize("dies", [False, True])
def test_what_came_after_a_flush_is_taken_back_if_others_have_made_that_cut(dies):
    """The last word of who is voted out comes to one seat only, after its flush; named in the next one, it ends a step there."""
    late: list[bytes] = []
    open_to_all = True

    def tap(sender: int, receiver: int, data: bytes) -> tuple[bytes, ...]:
        entry = read_entry(ring.terms, ring.terms.match, data)
        if entry.seat == 3 and entry.place == ("step", 1) and entry.stage == 1:
            late.append(data)
            return ()
        flush = entry.place[0] == "cut" and entry.seat == 2
        return () if receiver == 0 and (not open_to_all or flush) else (data,)

    ring = Ring("siete-y-media", 4, group=GROUP, deals=3, tap=tap)
    ring.settle()
    for seat in (0, 1, 2):
        assert ring.tables[seat].waiting == (3,)
        ring.tables[seat].expel([3])
    ring.settle()
    assert [table.gone for table in ring.tables[:3]] == [(), (3,), (3,)]
    open_to_all = False
    ring.tables[2].leave()
    leave = ring.tables[2]._held.inbox.said((LEAVE, 0), 2)
    for data in (late[0], leave.data):
        ring.tables[0].receive(data)
    ring.settle()
    assert ring.tables[0].going == (2, 3)
    assert ring.tables[0].steps == 1
    assert ring.tables[0].head != ring.tables[1].trail[1]
    if dies:
        ring.tables[0] = Table.resumed(
            ring.terms, ring.signatures, 0, ring.who[0], seeded("again"), ring.journals[0], ring.logs[0], GROUP
        )
    catch_up(ring)
    must_agree(ring, (2, "left"), (3, "expelled"))


def test_a_table_that_has_flushed_says_nothing_more_after_a_crash():
    """Law: what commits us is on disk before it is sent, and nothing is signed twice differently."""
    ring = siete()
    crashed = 0
    said: dict = {}
    ring.tap = lambda sender, receiver, data: () if sender == 3 else (data,)
    ring.tables[1].leave()
    ring.settle()
    assert ring.tables[0].going == (1,)
    assert ring.tables[0].waiting == (3,)
    again = Table.resumed(
        ring.terms,
        ring.signatures,
        crashed,
        ring.who[crashed],
        seeded("again"),
        ring.journals[crashed],
        ring.logs[crashed],
        GROUP,
    )
    assert again.silent
    ring.tables[crashed] = again
    ring.tap = None
    for seat in (3,):
        for data in ring.tables[seat].said_since(0):
            for other in stay(ring, 3, 1):
                ring.tables[other].receive(data)
    ring.play()
    must_agree(ring, (1, "left"))
    for _, data in ring.sent:
        entry = read_entry(ring.terms, ring.terms.match, data)
        assert said.setdefault(entry.key, data) == data


def spoiled(ring: Ring, change) -> bytes:
    """Change the entries of the cut in the log of the first seat."""
    log = ring.logs[0]
    found, _ = split_records(log)
    values = [unpack(item, RECORD_LIMIT) for item in found]
    at = next(at for at, value in enumerate(values) if "cut" in value)
    values[at] = {"cut": change(values[at]["cut"])}
    return b"".join(record(value) for value in values)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda entries: entries[::-1], "not in the order"),
        (lambda entries: entries[:-1], "the cut is not whole: entries of p4"),
        (lambda entries: entries[-1:], "the cut is not whole"),
        (lambda entries: [*entries, entries[0]], "too many"),
        (lambda entries: [data for data in entries if b"leave" not in data], "the cut is not whole"),
    ],
)
def test_the_log_of_a_cut_must_be_whole_and_in_order(change, sentence):
    ring = siete()
    ring.tables[1].leave()
    ring.play()
    assert verify_log(spoiled(ring, lambda entries: entries), GROUP).complete
    with pytest.raises(BadLog, match=sentence):
        verify_log(spoiled(ring, change), GROUP)
