"""Two stories for one place: the others name the seat that told them, whether they pass on entries
at once or only show their own when heads differ; and nobody who believed one of them is named."""

from itertools import chain, count, islice, permutations

import pytest

from client.session.seats import AT_ONCE
from engine.core.moves import spell_move
from p2p.table.faults import Equivocation
from p2p.table.log import FLUSH, STAND, is_about_members
from p2p.table.pool import POOL
from tests.adversary.liar import SEEDS, Lie, must_name, ring_with
from tests.adversary.membership import GROUP, catch_up, must_end
from tests.adversary.stories import TwoFaced, lies, two_faced
from tests.ring import Ring
from tests.sample import sample


def tell_two(lie: Lie, **options):
    for number in range(SEEDS):
        ring, liar = ring_with(lie, number, TwoFaced, **options)
        two_faced(ring, liar)
        ring.play()
        if liar.told:
            return ring
    raise AssertionError(f"no occasion for this lie: {lie}")


LIES = lies()
FOURTHS = [LIES[start::4] for start in range(4)]


@pytest.mark.parametrize("lie", sample(chain(*FOURTHS), len(FOURTHS[0])), ids=str)
def test_the_others_name_who_tells_two_stories_when_all_is_passed_on(lie: Lie):
    must_name(tell_two(lie, flood=True), lie.seat, lie.faults)


@pytest.mark.slow
@pytest.mark.parametrize("lie", sample(chain(*FOURTHS[2:], *FOURTHS[:2]), len(FOURTHS[2])), ids=str)
def test_the_others_name_who_tells_two_stories_when_heads_differ(lie: Lie):
    must_name(tell_two(lie, flood=False), lie.seat, lie.faults)


def test_the_pair_alone_convinces():
    lie = lies()[0]
    fault = must_name(tell_two(lie), 1)
    assert isinstance(fault, Equivocation)
    assert len(fault.evidence) == 2


def shares_of_one_move(ring: Ring, liar: int, count: int) -> list[bytes]:
    """Return so many stories of a move of a seat: each proves its shares in another way."""
    progress = ring.tables[liar].progress
    turn, exchange = progress.asked, progress.exchange
    move = next(iter(ring.tables[liar].view().options))
    return [
        ring.signed(
            liar,
            exchange.place,
            {"move": spell_move(move), "shares": turn.shares(move, exchange.head)},
            exchange.head,
        ).data
        for _ in range(count)
    ]


def each_hears_another(players: int) -> tuple[Ring, int, list[bytes]]:
    """Return a match in which a liar has told each of the others another story, and none hears the
    others; the liar; and its stories."""
    ring = Ring("escoba", players, group=GROUP, target=1)
    ring.settle()
    liar = next(table.seat for table in ring.tables if table.asked)
    honest, ring.tap = ring.others(liar), lambda _sender, _receiver, _data: ()
    stories = shares_of_one_move(ring, liar, len(honest))
    for seat, story in zip(honest, stories, strict=True):
        ring.tables[seat].receive(story)
    ring.settle()
    assert len({ring.tables[seat].head for seat in honest}) == len(honest)
    return ring, liar, stories


@pytest.mark.parametrize("turned", [False, True])
def test_the_heads_of_others_are_found_in_every_order_of_their_flushes(turned):
    """All words are here before the first flush."""
    ring, liar, stories = each_hears_another(4)
    for seat in ring.others(liar):
        for story in stories:
            ring.tables[seat].receive(story)
    ring.settle()
    one, *others = ring.others(liar)
    said = [
        ring.read(data)
        for seat in (reversed(others) if turned else others)
        for data in ring.tables[seat].held_since(0)
    ]
    table = ring.tables[one]
    for entry in said:
        if not is_about_members(entry.place):
            table.receive(entry.data)
    table.proceed()
    ring.store(one)
    for entry in said:
        if entry.kind == FLUSH:
            table.receive(entry.data)
            table.proceed()
    sent = [ring.read(data) for data in ring.store(one)]
    assert [entry.kind for entry in sent if is_about_members(entry.place)][-1] == STAND


@pytest.mark.parametrize("junk", [0, POOL // 2])
@pytest.mark.parametrize("players", [3, 4, 6])
def test_seats_with_a_story_each_come_together_whatever_else_the_liar_has_told_twice(players, junk):
    """It tells each of the others another story, and lets none hear the others. When they meet it
    has signed any number of words twice that lead nowhere, and more stories of the same move."""
    ring, liar, stories = each_hears_another(players)
    honest = ring.others(liar)
    words = [
        ring.signed(liar, ("step", 0, 900 + at), {"story": story}, bytes(32)).data
        for at in range(junk)
        for story in (1, 2)
    ]
    words += shares_of_one_move(ring, liar, junk)
    for seat in honest:
        for data in (*stories, *words):
            ring.tables[seat].receive(data)
    ring.tap = lambda sender, receiver, data: () if liar in (sender, receiver) else (data,)
    ring.settle()
    for _ in range(3):
        for one, other in permutations(honest, 2):
            for data in ring.tables[one].lacking(ring.tables[other].need):
                ring.tables[other].receive(data)
        ring.settle()
    ring.play()
    must_end(ring, honest, (liar, "convicted"))


def test_a_story_that_is_shown_is_followed_whatever_its_seat_signs_at_the_same_time():
    """Seats with a story each meet. Beside each answer the liar shows further stories of words that
    nobody waits for, as many as a table takes in before it judges them."""
    ring, liar, _stories = each_hears_another(4)
    honest = ring.others(liar)
    ring.tap = lambda sender, receiver, data: () if liar in (sender, receiver) else (data,)
    fresh = count()
    for _ in range(3):
        for one, other in permutations(honest, 2):
            for data in ring.tables[one].lacking(ring.tables[other].need):
                ring.tables[other].receive(data)
            for at in islice(fresh, AT_ONCE // 4):
                for story in range(3):
                    word = ring.signed(liar, ("step", 0, 900 + at), {"story": story})
                    ring.tables[other].receive(word.data)
            ring.settle()
    ring.play()
    must_end(ring, honest, (liar, "convicted"))


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("asks", [False, True], ids=["passed on", "asked for"])
def test_a_holder_that_shows_one_that_it_keeps_a_deck_and_another_that_it_burns_it_goes(
    players, asks
):
    """The first deals from the deck and the others make it anew. The two stories meet because
    entries are passed on, or else because all ask by need."""
    ring, liar = Ring("escoba", players, group=GROUP, target=1, flood=not asks), players - 1
    burn = None

    def tap(sender, receiver, data):
        nonlocal burn
        entry = ring.read(data)
        if sender == entry.seat == liar and entry.kind == "deck" and not entry.body:
            body = {"burn": bytes(32)}
            burn = ring.signed(liar, entry.place, body, entry.head, entry.stage).data
            return (data if receiver == 0 else burn,)
        return () if liar in (sender, receiver) and burn is not None else (data,)

    ring.tap = tap
    ring.settle()
    assert burn is not None
    honest = ring.others(liar)
    for _ in range(2 if asks else 0):
        catch_up(ring, *honest)
    ring.play()
    must_end(ring, honest, (liar, "convicted"))
