"""Kínaskák with masked cards: whole matches to sealed logs that are the same for all and that
verify."""

from random import Random

import pytest

from engine.bots import chance_for, kinaskak
from engine.core.moves import Move
from engine.core.view import View
from engine.games.kinaskak import events
from engine.games.kinaskak.rules import Say
from p2p.table.events import Accused, Opened, Shuffled, Told
from p2p.table.replay import verify_log
from tests.ring import Ring
from tests.sample import sample
from tests.standin import standin_group

GROUP = standin_group()


def player(seed, bot=kinaskak.play):
    random = Random(seed)
    return lambda view: bot(view, random.randrange)


def greedy(view: View) -> Move:
    """Buys whatever there is, so that there are disputes."""
    assert view.options is not None
    bought = Say("buy")
    return bought if view.game.phase == "window" else kinaskak.play(view, lambda bound: 0)


def must_be_good(ring):
    assert all(table.sealed and table.over for table in ring.tables)
    assert set(ring.logs) == {ring.logs[0]}
    assert verify_log(ring.logs[0], ring.group).complete
    assert not ring.charged
    assert not [event for seen in ring.events for event in seen if isinstance(event, Accused)]
    assert len({table.run.fingerprint() for table in ring.tables}) == 1


def told(ring, kind):
    return [
        event.event
        for event in ring.events[0]
        if isinstance(event, Told) and isinstance(event.event, kind)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("players", sample([3, 6, 4, 5], 1))
def test_short_matches(players):
    ring = Ring("kinaskak", players, group=GROUP, seed=f"bots{players}", last_contract=1)
    ring.play(player(players))
    must_be_good(ring)
    assert len(told(ring, events.Left)) == players - 1
    assert len(told(ring, events.Count)) == 1


@pytest.mark.slow
def test_a_match_by_chance():
    ring = Ring(
        "kinaskak",
        3,
        group=GROUP,
        seed="chance",
        first_contract=2,
        last_contract=2,
        lay_off="next-turn",
    )
    ring.play(player(1, chance_for("kinaskak")))
    must_be_good(ring)


@pytest.mark.slow
def test_R13_disputes_are_drawn_from_the_stock_and_known_when_they_come_again():
    """A card that a dispute has shown is opened once: drawn later it needs no word from anybody."""
    ring = Ring("kinaskak", 4, group=GROUP, seed="dispute", last_contract=1, buys=5)
    ring.play(greedy, moves=160)
    assert told(ring, events.Dispute)
    opened = [slot for event in ring.events[0] if isinstance(event, Opened) for slot in event.faces]
    assert len(set(opened)) == len(opened)
    assert not [event for seen in ring.events for event in seen if isinstance(event, Accused)]


@pytest.mark.slow
def test_R16_the_stock_is_shuffled_anew_in_mid_round():
    """In contract 8 six seats draw and throw away until the stock is used up; then they play the
    round to its end."""
    random = Random(3)

    def patient(view: View) -> Move:
        game, seat = view.game, view.seat
        if game.shuffles > 1:
            return kinaskak.play(view, random.randrange)
        if game.phase == "offer":
            return Say("decline")
        return list(game.plays(seat, {**game.faces, **view.faces}).discards())[-1]

    ring = Ring("kinaskak", 6, group=GROUP, seed="renewal", first_contract=8)
    ring.play(patient)
    must_be_good(ring)
    shuffles = [event.cards for event in ring.events[0] if isinstance(event, Shuffled)]
    assert shuffles[:2] == [165, 86]
    assert [renewal.cards for renewal in told(ring, events.Renewal)] == shuffles[1:]


@pytest.mark.slow
def test_a_match_in_the_real_group():
    ring = Ring("kinaskak", 3, seed="real", last_contract=1)
    ring.play(player(7))
    must_be_good(ring)
