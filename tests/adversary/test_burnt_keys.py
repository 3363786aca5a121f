"""A seat that burns its keys before it lies: the proof against it rests on all its burnt decks."""

from __future__ import annotations

import pytest

from engine.games import GAMES
from p2p.table.known_records import REASONS_BYTES
from p2p.table.log import REASONS
from p2p.table.replay import verify_log
from p2p.table.rounds import BURNS
from p2p.table.table import Table
from tests.adversary.membership import GROUP, accused
from tests.ring import Ring, bare
from tests.table.burning import burner

LIAR = 1
TABLES = [
    (name, players, burners)
    for name, game in GAMES.items()
    for players in game.allowed_players
    for burners in range(1, max((players - 1) // 2, 1) + 1)
]
"""All games, and so many burners that the others are more than half."""


@pytest.mark.parametrize(("game", "players", "burners"), TABLES)
def test_a_flush_may_name_all_tries_at_a_deck(game, players, burners):
    cards, tries = len(GAMES[game].pack), 1 + burners * BURNS
    shuffle = 64 * cards + 128 * cards + 144
    key, consent, form, words = 96, 40, 260, 2
    entries = tries * players * 3 + words * players
    size = tries * players * (shuffle + key + consent + 3 * form) + words * players * 2000
    assert entries <= REASONS
    assert size <= REASONS_BYTES


@pytest.mark.slow
def test_a_seat_that_burns_all_keys_of_a_large_deck_and_one_more_is_convicted():
    players = 5
    kinds = [burner(BURNS + 1) if seat == LIAR else Table for seat in range(players)]
    ring = Ring("kinaskak", players, group=GROUP, table_class=kinds, last_contract=1)
    ring.settle()
    honest = ring.others(LIAR)
    for seat in honest:
        ring.store(seat)
        assert ring.tables[seat].gone == (LIAR,)
        assert accused(ring, seat) == [LIAR]
        verdict = verify_log(ring.logs[seat], GROUP)
        assert [(one.seat, one.how) for one in verdict.gone] == [(LIAR, "convicted")]
        assert bare(ring.logs[seat]) == bare(ring.logs[honest[0]])
