"""Truco with masked cards: whole matches to sealed logs that are the same for all and that
verify."""

from random import Random

import pytest

from engine.bots import chance, truco
from p2p.table.events import Accused, Moved
from p2p.table.replay import verify_log
from tests.ring import Ring
from tests.sample import sample
from tests.standin import standin_group
from tests.table.weather import Storm

GROUP = standin_group()


def player(seed, bot=chance.play):
    random = Random(seed)
    return lambda view: bot(view, random.randrange)


def must_be_good(ring):
    assert all(table.sealed and table.over for table in ring.tables)
    assert set(ring.logs) == {ring.logs[0]}
    assert verify_log(ring.logs[0], ring.group).complete
    assert not ring.charged
    assert not [event for seen in ring.events for event in seen if isinstance(event, Accused)]
    assert len({table.run.fingerprint() for table in ring.tables}) == 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", [2, 4, 6])
def test_matches_by_chance(players, seed):
    ring = Ring("truco", players, group=GROUP, seed=f"truco{seed}", target=7, envido_callers="any")
    ring.play(player(seed))
    must_be_good(ring)


@pytest.mark.parametrize("players", sample([4, 2, 6], 1))
def test_matches_by_the_computer_player(players):
    ring = Ring("truco", players, group=GROUP, seed="bots", target=5)
    ring.play(player(players, truco.play))
    must_be_good(ring)


@pytest.mark.parametrize("weather", range(4))
@pytest.mark.parametrize("players", [2, 4, 6])
def test_partners_may_answer_both_in_any_weather(players, weather):
    storm = Storm(
        "truco",
        players,
        weather=weather,
        group=GROUP,
        seed=f"storm{weather}",
        target=5,
        envido_callers="any",
    )
    storm.play(player(weather))
    must_be_good(storm)


def test_the_cards_of_the_envido_are_opened_by_themselves():
    shown = 0
    for seed in range(6):
        ring = Ring("truco", 2, group=GROUP, seed=f"shown{seed}", target=5)
        ring.play(player(seed))
        must_be_good(ring)
        shown += sum(
            isinstance(event, Moved) and event.auto and len(event.shown) > 0
            for event in ring.events[0]
        )
    assert shown >= 3


def test_the_cards_of_a_flor_are_opened_by_themselves():
    sung = shown = 0
    for seed in range(8):
        ring = Ring("truco", 4, group=GROUP, seed=f"flor{seed}", target=9, flor=True)
        ring.play(player(seed))
        must_be_good(ring)
        due = False
        for event in ring.events[0]:
            if isinstance(event, Moved):
                sung += event.text == "flor"
                shown += due and event.auto
                due = (due or event.text == "flor") and not event.auto
    assert sung >= shown >= 2


def test_a_match_over_the_real_group():
    ring = Ring("truco", 4, target=5, envido_callers="any", seed="real")
    ring.play(player(1))
    must_be_good(ring)
