"""Matches of dominoes and siete y media between tables: masked, proven, sealed, and verified from
the log alone."""

from random import Random

import pytest

from engine.bots import chance
from p2p.table.events import Accused
from p2p.table.replay import verify_log
from tests.bots.today import fixed_bot
from tests.ring import Ring
from tests.sample import sample
from tests.standin import standin_group

MATCHES = [
    ("domino", 2, {"target": 6, "capicua": "on"}),
    ("domino", 2, {"target": 6, "draw": False}),
    ("domino", 3, {"target": 6}),
    ("domino", 4, {"target": 6}),
    ("domino", 4, {"target": 6, "partners": True, "passes": "first"}),
    ("domino", 4, {"target": 6, "set": "double-nine"}),
    *[("siete-y-media", players, {"deals": 3}) for players in (2, 3, 4, 5, 6, 8)],
    ("siete-y-media", 3, {"deals": 0, "chips": 10, "max_bet": 10}),
]


def played(game, players, group, seed, player, **options):
    """Play a match between tables; return the ring, every log of which verifies and is the same."""
    random = Random(seed)
    ring = Ring(game, players, group=group, seed=f"{game}{seed}", **options)
    ring.play(lambda view: player(view, random.randrange))
    for seat, table in enumerate(ring.tables):
        assert table.fault is None
        assert table.sealed
        assert not [event for event in ring.events[seat] if isinstance(event, Accused)]
    assert not ring.charged
    assert len(set(ring.logs)) == 1
    verdict = verify_log(ring.logs[0], group)
    assert verdict.complete
    assert verdict.table.run.game.winners == ring.tables[0].run.game.winners != ()
    return ring


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(3), 1))
@pytest.mark.parametrize(("game", "players", "options"), MATCHES, ids=str)
def test_masked_matches_by_chance(game, players, options, seed):
    played(game, players, standin_group(), seed, chance.play, **options)


@pytest.mark.parametrize("game", ["domino", "siete-y-media"])
def test_masked_matches_of_computer_players(game):
    options = {"target": 4} if game == "domino" else {"deals": 2}
    played(game, 3, standin_group(), 1, fixed_bot(game), **options)


@pytest.mark.parametrize(
    ("game", "options"), [("domino", {"target": 1}), ("siete-y-media", {"deals": 1})]
)
def test_a_match_over_the_real_group(game, options):
    played(game, 2, None, 1, fixed_bot(game), **options)


def test_a_ruined_seat_holds_no_keys_and_seals_nothing():
    for seed in range(10):
        ring = played(
            "siete-y-media", 3, standin_group(), seed, chance.play, deals=0, chips=10, max_bet=10
        )
        assert len(ring.tables[0].run.game.seats) == 1
        decks = [event.seats for event in ring.events[0] if type(event).__name__ == "Shuffled"]
        if any(len(seats) == 2 for seats in decks):
            return
    raise AssertionError("nobody was ruined before the end")
