"""Parts of single games under the masked deck: no small match has them."""

from random import Random
from typing import Any

import pytest

from engine.bots import chance, kinaskak
from engine.core.view import View
from engine.games.kinaskak import events
from engine.games.kinaskak.moves import Say
from p2p.table.events import Accused, Moved, Opened, Shuffled, Told
from p2p.table.replay import verify_log
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()


def play(game, players, player, *, group=GROUP, **options) -> Ring:
    """Play a match to its end; all have one log, which is complete, and nobody is accused."""
    ring = Ring(game, players, group=group, **options)
    ring.play(player)
    assert all(table.sealed for table in ring.tables)
    assert len(set(ring.logs)) == 1
    assert verify_log(ring.logs[0], group).complete
    assert not [event for seen in ring.events for event in seen if isinstance(event, Accused)]
    return ring


def by_chance(seed):
    random = Random(seed)
    return lambda view: chance.play(view, random.randrange)


@pytest.mark.slow
def test_R16_the_stock_is_shuffled_anew_in_mid_round():
    """In contract 8 six seats draw and throw away until the stock is used up; then they play the
    round to its end. A card that a dispute has shown is opened once."""
    random = Random(3)

    def patient(view: View):
        game: Any = view.game
        seat = view.seat
        if game.shuffles > 1:
            return kinaskak.play(view, random.randrange)
        if game.phase == "offer":
            return Say("decline")
        return list(game.plays(seat, {**game.faces, **view.faces}).discards())[-1]

    ring = play("kinaskak", 6, patient, seed="renewal", first_contract=8)
    seen = ring.events[0]
    shuffles = [event.cards for event in seen if isinstance(event, Shuffled)]
    assert shuffles[:2] == [165, 86]
    told = [event.event for event in seen if isinstance(event, Told)]
    renewals = [one.cards for one in told if isinstance(one, events.Renewal)]
    assert renewals == shuffles[1:]
    opened = [slot for event in seen if isinstance(event, Opened) for slot in event.faces]
    assert len(set(opened)) == len(opened)


def test_the_cards_of_an_envido_and_of_a_flor_are_opened_by_themselves():
    shown = 0
    for seed in range(6):
        flor = seed % 2 == 1
        ring = play("truco", 2, by_chance(seed), seed=f"shown{seed}", target=7, flor=flor)
        shown += sum(
            isinstance(event, Moved) and event.auto and len(event.shown) > 0
            for event in ring.events[0]
        )
    assert shown >= 3


def test_a_ruined_seat_holds_no_keys_and_seals_nothing():
    for seed in range(10):
        options = {"deals": 0, "chips": 10, "max_bet": 10}
        ring = play("siete-y-media", 3, by_chance(seed), seed=f"ruined{seed}", **options)
        assert len(ring.tables[0].seals) == 1
        if any(isinstance(event, Shuffled) and len(event.seats) == 2 for event in ring.events[0]):
            return
    raise AssertionError("nobody was ruined before the end")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("domino", {"target": 1}),
        ("siete-y-media", {"deals": 1}),
        ("truco", {"target": 5}),
    ],
)
def test_a_match_over_the_real_group(game, options):
    play(game, 2, by_chance(1), group=None, **options)
