"""The flor of Truco (R38 to R42 of docs/rules/truco.md), where the scenarios do not pin it."""

import pytest

from engine.core.moves import IllegalMove
from engine.core.open_deck import OpenDeck
from engine.core.requests import Ask
from engine.core.run import ProvenLie
from engine.games import new_game
from engine.games.truco.moves import Call, Play, Say, Show
from engine.games.truco.worth import (
    flor_accepted,
    flor_refused,
)
from engine.scenario import do
from tests.engine.games.test_truco import legal
from tests.engine.games.test_truco_envido import blind_run

FLOWER, OTHER = ["7o", "5o", "12o"], ["6c", "3c", "2c"]
NONE = ["7c", "6c", "10b"]


def dealt(*hands):
    """Return the deck that deals these hands, the first to the mano."""
    return [card for turn in zip(*hands, strict=True) for card in turn]


def opened(*hands, **options):
    return OpenDeck(new_game("truco", len(hands), {"flor": True, **options}), [dealt(*hands)])


@pytest.mark.parametrize(
    ("calls", "accepted", "refused"),
    [
        (["flor"], 4, 3),
        (["flor", "contraflor"], 6, 4),
        (["flor", "contraflor-al-resto"], 16, 4),
        (["flor", "contraflor", "contraflor-al-resto"], 16, 6),
    ],
)
def test_R40_every_sequence(calls, accepted, refused):
    assert (flor_accepted(calls, 10), flor_refused(calls)) == (accepted, refused)


def test_R38_a_flor_lapses_when_a_truco_or_an_envido_is_accepted():
    play = opened(NONE, FLOWER, ["1e", "2b", "3c"], ["4o", "6o", "11o"], envido_callers="any")
    for action in ("p1 truco", "p2 flor", "p3 no-tengo", "p1 no-tengo", "p4 quiero"):
        do(play, action)
    assert play.turn == (0,)
    do(play, "p1 play 7c")
    do(play, "p2 play 7o")
    do(play, "p3 play 1e")
    assert "flor" not in legal(play, 3)  # its team has sung
    play = opened(NONE, ["1e", "2b", "3c"], ["4e", "6b", "11o"], FLOWER, envido_callers="any")
    for action in ("p1 envido", "p2 quiero", "p1 say 33", "p2 son-buenas", "p4 son-buenas"):
        do(play, action)
    for action in ("p1 play 7c", "p2 play 1e", "p3 play 4e"):
        do(play, action)
    assert "flor" not in legal(play, 3)
    do(play, "p4 play 7o")


def test_R38_a_refused_envido_leaves_the_flor():
    play = opened(NONE, ["1e", "2b", "3c"], FLOWER, ["4e", "6b", "11o"], envido_callers="any")
    do(play, "p1 envido")
    do(play, "p2 no-quiero")
    do(play, "p1 play 7c")
    do(play, "p2 play 1e")
    assert legal(play, 2) == {"flor"}


def test_R39_a_seat_that_has_folded_is_not_asked():
    play = opened(NONE, ["1e", "2b", "3c"], ["4e", "6b", "11o"], FLOWER)
    for action in ("p1 mazo", "p2 play 1e", "p3 play 4e", "p4 flor"):
        do(play, action)
    assert play.game.score == [0, 3, 0, 3]
    assert play.turn == (3,)


# Peers that see only backs.


def lie_of(act, *said):
    """Return the seat that the last of these acts convicts, and its lie; the others go through."""
    *earlier, last = said
    for what in earlier:
        act(*what)
    with pytest.raises(ProvenLie) as lie:
        act(*last)
    return lie.value.seat, lie.value.move, lie.value.why


def test_R35_a_flor_sung_without_one_is_a_lie_that_a_second_suit_shows():
    _, act, _ = blind_run([NONE, FLOWER], flor=True)
    assert lie_of(act, (0, "flor"), (1, "no-tengo"), (0, "7c"), (1, "7o"), (1, "5o"), (0, "10b"))[
        ::2
    ] == (0, ("no-flor",))


def test_R35_a_silent_flor_is_a_lie_that_its_third_card_shows():
    _, act, _ = blind_run([FLOWER, NONE], flor=True)
    seat, move, why = lie_of(
        act, (0, "7o"), (1, "7c"), (0, "5o"), (1, "6c"), (1, "10b"), (0, "12o")
    )
    assert (seat, why) == (0, ("flor-first",))
    assert isinstance(move, Play)


def test_R35_one_who_denies_its_flor_is_convicted_by_its_third_card():
    _, act, _ = blind_run([FLOWER, OTHER], flor=True)
    seat, move, why = lie_of(
        act,
        *((0, "flor"), (1, "no-tengo"), (0, "12o"), (1, "3c"), (1, "2c"), (0, "7o")),
        *((0, "5o"), (1, "6c")),
    )
    assert (seat, move, why) == (1, Call("no-tengo"), ("have-flor",))


def test_R30_a_value_that_the_cards_cannot_have_is_a_lie():
    _, act, _ = blind_run([FLOWER, OTHER], flor=True)
    lie = lie_of(
        act,
        *((0, "flor"), (1, "con-flor-quiero"), (0, 38), (1, "son-buenas")),
        (0, "12o"),
    )
    assert lie == (0, Say(38), ("not-your-flor", 38))


def test_R42_only_the_whole_flor_of_this_value_proves_it():
    run, act, slots = blind_run([FLOWER, OTHER], flor=True)
    for what in ((0, "flor"), (1, "con-flor-quiero"), (0, 32), (1, "son-buenas"), (0, "mazo")):
        act(*what)
    assert isinstance(run.request, Ask)
    assert run.request.auto
    faces = {slot: face for (seat, face), slot in slots.items() if seat == 0}
    for cards in ((), FLOWER[:1], FLOWER[:2]):
        with pytest.raises(IllegalMove):
            run.choose(0, Show(tuple(slots[0, card] for card in cards)), faces)
    move = Show(tuple(slots[0, card] for card in FLOWER))
    for other in (["7o", "5o", "11c"], ["6o", "5o", "12o"]):  # no flor, and one of another value
        with pytest.raises(IllegalMove):
            run.choose(0, move, dict(zip(move.cards, other, strict=True)))
    run.choose(0, move, faces)
    run.conclude()
    assert run.game.round == 2


def test_why_a_flor_is_not_shown_so():
    play = opened(FLOWER, OTHER)
    for action in ("p1 flor", "p2 con-flor-quiero", "p1 say 32", "p2 son-buenas"):
        do(play, action)
    game, slots = play.game, (0, 2, 4)
    for cards, why in (
        (["7o", "6o", "5o"], ("not-your-flor", 32)),
        (NONE, ("no-flor",)),
        (FLOWER, ("not-the-proof",)),
    ):
        assert game.why_not(0, Show(slots), dict(zip(slots, cards, strict=True))) == why
    assert game.why_not(0, Show((0,)), {0: "7o"}) == ("not-the-proof",)


def test_R30_R35_a_flor_is_a_lie_if_others_have_too_many_cards_of_its_suit():
    oros = [f"{rank}o" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]
    play = opened([oros[0], "1c", "2c"], oros[1:4], oros[4:7], [*oros[7:9], "3c"])
    game = play.game
    game.flors = [(0, "flor")]
    seen = {slot: face for slot, face in play.faces.items() if face in oros[:9]}
    assert list(game.contradicted(seen)) == [(0, Call("flor"), ("no-flor",))]
    assert list(game.contradicted({slot: seen[slot] for slot in list(seen)[:8]})) == []
