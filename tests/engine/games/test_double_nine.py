"""Dominoes with the double-nine set: R18 of docs/rules/domino.md."""

import pytest

from engine.core.cards import DOUBLE_NINE
from engine.core.moves import IllegalMove
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.domino.count import is_double
from engine.scenario import do


def nine(players=4, deck=(), **options):
    return OpenDeck(new_game("domino", players, {"set": "double-nine", **options}), [deck])


def test_R18_ten_of_55_tiles_for_each_seat_and_the_others_sleep():
    for players in (2, 3, 4):
        play = nine(players, DOUBLE_NINE)
        assert [play.hand(seat) for seat in range(players)] == [
            list(DOUBLE_NINE[10 * seat : 10 * seat + 10]) for seat in range(players)
        ]
        assert len(play.game.stock) == 55 - 10 * players
        assert play.game.next_pack() == (DOUBLE_NINE, tuple(range(players)))


def test_R4_without_any_double_the_heaviest_tile_opens_also_of_four():
    singles = [tile for tile in DOUBLE_NINE if not is_double(tile) and tile not in ("9-8", "9-7")]
    play = nine(4, [*singles[:35], "1-1", *singles[35:39]])
    assert play.turn == (3,)
    asleep = nine(4, [*singles[3:43], "9-8", "9-7"])
    (opener,) = asleep.turn
    assert [tile for tile in asleep.hand(opener) if tile == "9-6"] == ["9-6"]
    with pytest.raises(IllegalMove) as refused:
        do(asleep, f"p{opener + 1} play 8-7")
    assert refused.value.why in (("must-open", "9-6"), ("not-in-hand", "8-7"))
    assert len(asleep.game.denied) == 12  # the ten doubles, 9-8 and 9-7
