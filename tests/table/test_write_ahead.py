"""Everything that an entry of ours rests on outlives a crash, although liars keep it to themselves
afterwards (decision 0016)."""

from random import Random

import pytest

from engine.bots import chance
from p2p.table.choices import AskRound
from p2p.table.table import Table
from tests.adversary.membership import GROUP, accused, come_together, must_end, point, siete
from tests.ring import Ring, first_choice
from tests.standin import seeded


def resume(ring: Ring, seat: int, journal: bytes, log: bytes) -> Table:
    """Sit down again at a seat with these files; everything else that its table held is lost."""
    who = ring.who[seat]
    ring.tables[seat] = Table.resumed(
        ring.terms, ring.signatures, seat, who, seeded("another life"), journal, log, GROUP
    )
    return ring.tables[seat]


def go_on_without(ring: Ring, liar: int, honest: tuple[int, int]) -> None:
    """Let the honest seats show each other all that they hold, and vote the liar out if they can;
    the liar is cut off."""
    ring.tap = lambda sender, receiver, data: () if liar in (sender, receiver) else (data,)
    for _ in range(4):
        for one, other in (honest, honest[::-1]):
            for data in ring.tables[one].held_since(0):
                ring.tables[other].receive(data)
        ring.settle()
    ring.play()
    for table in [ring.tables[seat] for seat in honest] * 3:
        if liar in table.waiting and table.may_vote(liar):
            table.vote(liar)
            ring.settle()
    ring.play()


def test_the_evidence_for_a_flush():
    """A liar signs two stories for a step far ahead, and shows them to seat 0 alone."""
    ring = siete(3)
    table = ring.tables[0]
    for number in (1, 2):
        table.receive(ring.signed(1, ("step", 0, 1000), {"more": number}, b"h" * 32).data)
    table.proceed()
    assert [data for data in ring.store(0) if b"\xa5flush" in data]
    resume(ring, 0, ring.journals[0], ring.logs[0])
    go_on_without(ring, 1, (0, 2))
    must_end(ring, (0, 2), (1, "convicted"))


def test_a_bad_answer_to_a_record_that_is_not_in_the_log():
    ring = Ring("escoba", 3, group=GROUP, target=11)
    ring.settle()
    while not ring.tables[1].asked:
        ring.play(moves=1)
    log, table = ring.logs[0], ring.tables[0]
    honest, liar = ring.tables[1], ring.tables[2]
    honest.act(first_choice(honest.view()))
    signed = ring.store(1)
    for data in signed:
        liar.receive(data)
    liar.proceed()
    assert liar.asked
    bad = ring.signed(2, ("step", 0, liar.steps + 1), {"more": 1}, point(ring, 2))
    for data in [*signed, bad.data]:
        table.receive(data)
    table.proceed()
    assert table.how(2) == "convicted"
    again = resume(ring, 0, ring.journals[0] + table.data_to_store(), log)
    assert again.going == (2,)
    assert again.how(2) == "convicted"


def test_the_late_word_that_a_flush_names():
    """Two vote about a seat, and flush and stand; then seat 0 has its word, and flushes that the
    call is heard."""
    ring = siete(3)
    late = 1
    while not ring.tables[late].asked:
        ring.play(moves=1)
    ring.tap = lambda sender, receiver, data: (
        () if late in (sender, receiver) or b"\xa5stand" in data else (data,)
    )
    for voter in (0, 2):
        ring.tables[voter].vote(late)
    ring.settle()
    ring.tables[late].act(first_choice(ring.tables[late].view()))
    table = ring.tables[0]
    for data in ring.store(late):
        table.receive(data)
    table.proceed()
    said = [ring.read(data) for data in ring.store(0)]
    flushes = [entry for entry in said if entry.kind == "flush" and entry.seat == 0]
    assert flushes[-1].place[4]
    resume(ring, 0, ring.journals[0], ring.logs[0])
    go_on_without(ring, late, (0, 2))
    must_end(ring, (0, 2), (late, "voted"))


@pytest.mark.parametrize(("players", "between"), [(4, True), (6, False)])
def test_the_answer_that_we_yield_to(players, between):
    """A liar tells its answer to one partner alone, and after that one's crash another answer to
    everybody.

    With three partners the question is still open when the log is written.
    """
    ring = Ring("truco", players, group=GROUP, seed="y0", target=7, envido_callers="any")
    random = Random(0)
    for _ in range(200):
        exchange = ring.tables[0].progress.exchange
        asks = (
            exchange is not None
            and isinstance(exchange.round, AskRound)
            and exchange.round.request.kind == "any"
        )
        if (
            asks
            and not exchange.round.request.auto
            and len(exchange.round.request.seats) == players // 2
        ):
            break
        ring.play(lambda view: chance.play(view, random.randrange), moves=1)
    liar, victim = exchange.round.request.seats[:2]
    twin = ring.resumed(liar, "twin")
    one, other = list(twin.view().options)[:2]
    before = set(twin.held_since(0))
    twin.act(one)
    twin.data_to_store()
    log = ring.logs[victim]
    ring.tables[victim].receive(next(data for data in twin.data_to_send() if data not in before))
    ring.tables[victim].proceed()
    assert [data for data in ring.store(victim) if b"\xa5yield" in data]
    resume(ring, victim, ring.journals[victim], log if between else ring.logs[victim])
    ring.tables[liar].act(other)
    come_together(ring)
    assert all(accused(ring, seat) == [liar] for seat in range(players) if seat != liar)
