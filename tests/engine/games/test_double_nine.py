"""Dominoes with the double-nine set: R18 of docs/rules/domino.md."""

from random import Random

import pytest

from engine.core.cards import DOMINOES, DOUBLE_NINE
from engine.core.open_deck import BadDeck, OpenDeck, shuffled
from engine.games import new_game
from engine.games.domino.count import is_double
from engine.games.domino.rules import Pass
from engine.scenario import do
from tests.engine.games.test_domino import opened, refusal


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


def test_R18_who_stays_when_a_seat_leaves_has_ten_again():
    play = nine()
    play.leave(1)
    assert [len(hand) for hand in play.game.hands] == [10, 0, 10, 10]
    assert len(play.game.stock) == 25


def test_R18_the_tiles_of_the_double_six_set_keep_their_places():
    assert DOUBLE_NINE[:28] == DOMINOES
    assert new_game("domino", 2).tile_set.tiles == DOMINOES
    with pytest.raises(BadDeck):
        opened(["7-0"])


def test_R18_nobody_draws_and_no_pass_scores():
    without_nines = [tile for tile in DOUBLE_NINE if "9" not in tile]
    play = nine(2, ["9-9", *without_nines[:9], *without_nines[20:30]], passes="each", draw=True)
    do(play, "p1 play 9-9")
    assert list(play.options(1)) == [Pass()]
    assert refusal(play, "p2 draw") == ("no-drawing",)
    do(play, "p2 pass")
    assert play.game.score == [0, 0]


def test_R4_without_any_double_the_heaviest_tile_opens_also_of_four():
    singles = [tile for tile in DOUBLE_NINE if not is_double(tile) and tile not in ("9-8", "9-7")]
    play = nine(4, [*singles[:35], "1-1", *singles[35:39]])
    assert play.turn == (3,)
    asleep = nine(4, [*singles[3:43], "9-8", "9-7"])
    (opener,) = asleep.turn
    assert [tile for tile in asleep.hand(opener) if tile == "9-6"] == ["9-6"]
    assert refusal(asleep, f"p{opener + 1} play 8-7") in (
        ("must-open", "9-6"),
        ("not-in-hand", "8-7"),
    )
    assert len(asleep.game.denied) == 12  # the ten doubles, 9-8 and 9-7


@pytest.mark.parametrize("seed", range(3))
def test_R11_a_line_of_the_double_nine_set_is_closed_only_when_nothing_fits(seed):
    random = Random(seed)
    play = OpenDeck(new_game("domino", 4, {"set": "double-nine"}), shuffled(random.randrange))
    while play.game.round == 1:
        play.act(play.turn[0], random.choice(list(play.options(play.turn[0]))))
        ends = play.game.ends
        if play.game.round == 1 and ends is not None:
            assert set(play.game.tile_set.with_any(ends)) - set(play.game.table())
