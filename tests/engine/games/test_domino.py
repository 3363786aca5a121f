"""The rules of docs/rules/domino.md that the scenario files do not pin, and the events for
screens."""

from dataclasses import astuple
from random import Random

import pytest

from engine.core.cards import DOMINOES
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.options import BadOption
from engine.core.requests import Ask, Deal, Open, Prove
from engine.core.run import Run
from engine.games import new_game
from engine.games.domino import events
from engine.games.domino.count import points_for
from engine.games.domino.moves import Deny, Draw, Place
from engine.scenario import do


def tiles(text):
    return text.split()


# p1 opens with 6-6 and goes out on the thirteenth move, both players having followed without
# drawing.
QUICK = tiles("6-6 6-5 5-5 5-4 4-4 4-3 3-2 6-0 0-0 1-0 1-1 2-1 2-2 5-3")
STUCK = [*QUICK[:7], *tiles("0-0 1-0 1-1 2-1 2-2 5-3 3-3")]
"""p2 has no six."""
QUICKLY = [
    *(
        "p1 play 6-6",
        "p2 play 6-0 left",
        "p1 play 6-5",
        "p2 play 0-0",
        "p1 play 5-5",
        "p2 play 1-0",
    ),
    *("p1 play 5-4", "p2 play 1-1", "p1 play 4-4", "p2 play 2-1", "p1 play 4-3", "p2 play 2-2"),
]


def opened(deck=(), players=2, **options):
    return OpenDeck(new_game("domino", players, options), [deck])


def after(actions, deck=QUICK, players=2, **options):
    play = opened(deck, players, **options)
    for action in actions:
        do(play, action)
    return play


def told(game, kind):
    return [astuple(event) for event in game.told if isinstance(event, kind)]


def test_R12_the_table_of_points():
    points = {0: 1, 2: 1, 3: 2, 20: 2, 21: 3, 30: 3, 31: 4, 40: 4, 41: 5, 90: 9, 91: 10, 168: 17}
    assert {total: points_for(total) for total in points} == points


def dealt(hands, players=2, **options):
    """Return a run after the dealing, and the holders of the slots; the answers to C1 are given."""
    run = Run(new_game("domino", players, options))
    run.answer()
    run.answer()
    for seat in range(players):
        run.choose(seat, Deny(), {})
    run.conclude()
    return run, dict(enumerate(hands))


def test_C2_the_questions_go_down_the_list_and_one_proof_follows():
    hands = tiles("5-4 5-3 4-3 3-2 2-1 1-0 5-2 6-3 6-0 4-2 3-1 4-0 5-1 4-4")
    run, faces = dealt(hands)
    asked = []
    while isinstance(run.request, Ask):
        asked.append(run.game.asked)
        for seat in (0, 1):
            run.choose(seat, next(run.options(seat, faces)), faces)
        run.conclude()
    assert asked == ["6-6", "5-5", "4-4"]
    assert isinstance(run.request, Prove)
    # a tile that is shown needs no proof
    assert run.request.claims == {0: tuple(range(7)), 1: tuple(range(7, 13))}
    assert set(DOMINOES) - set(run.request.among) == {"6-6", "5-5"}
    run.answer()
    assert run.turn == (1,)
    assert list(run.options(1, faces)) == [Place(13, "")]
    assert run.game.denied == ("6-6", "5-5")


@pytest.mark.parametrize(("players", "questions"), [(2, 15), (3, 8), (4, 1)])
def test_C2_where_more_is_denied_than_can_be_true_the_proof_comes_at_once(players, questions):
    run, _ = dealt((), players)
    for _ in range(questions):
        assert isinstance(run.request, Ask)
        for seat in range(players):
            run.choose(seat, Deny(), {})
        run.conclude()
    assert isinstance(run.request, Prove)
    assert len(run.request.among) == 28 - questions < 7 * players + 1


def test_C3_a_draw_is_proven_for_all_slots_and_a_further_one_for_the_new_tile():
    hands = tiles("6-6 6-5 5-5 5-4 3-3 2-1 1-0 4-4 4-3 3-2 2-2 1-1 3-1 2-0 3-0 5-0")
    run, faces = dealt(hands)
    for seat in (0, 1):
        run.choose(seat, next(run.options(seat, faces)), faces)
    run.conclude()
    run.choose(0, Place(0, ""), faces)
    run.conclude()
    run.choose(1, Draw(), {})
    run.conclude()
    assert isinstance(run.request, Prove)
    assert run.request.claims == {1: tuple(range(7, 14))}
    assert set(run.request.among) == {tile for tile in DOMINOES if "6" not in tile}
    run.answer()
    assert isinstance(run.request, Deal)
    assert run.request.to == {1: (14,)}
    run.answer()
    assert told(run.game, events.Drawn) == [(1, 13)]
    run.choose(1, Draw(), {})
    run.conclude()
    assert isinstance(run.request, Prove)
    assert run.request.claims == {1: (14,)}
    assert run.game.lacks[7] == [6]


def test_C3_a_slot_lacks_what_any_proof_has_excluded():
    play = after(["p1 play 6-6"], STUCK, draw=False)
    play.game.lacks = {slot: [4] for slot in play.game.hands[1]}
    do(play, "p2 pass")
    assert [play.game.lacks[slot] for slot in play.game.hands[1]] == [[4, 6]] * 7


def test_R6_without_a_side_the_tile_goes_where_it_fits_and_to_the_right_of_equals():
    play = after(QUICKLY[:1])
    assert play.game.read("play 6-0", 1, play.known(1)).end == "right"
    play = after(QUICKLY[:2])
    assert play.game.read("play 6-5", 0, play.known(0)).end == "right"
    assert play.game.row() == [(0, 6), (6, 6)]


@pytest.mark.parametrize(("mode", "doubled"), [("off", False), ("on", True), ("strict", False)])
def test_R13_capicua_at_equal_ends(mode, doubled):
    game = opened(QUICK, capicua=mode).game
    assert game.fits_both(3, 2, 2, 2) == doubled
    assert not game.fits_both(2, 2, 2, 2)
    assert not game.fits_both(3, 2, 2, 4)


def test_R9_only_the_first_pass_counts_or_none():
    assert after(["p1 play 6-6", "p2 pass"], STUCK, draw=False).game.score == [2, 0]
    assert after(["p1 play 6-6", "p2 pass"], STUCK, draw=False, passes="none").game.score == [0, 0]
    first = after(
        ["p1 play 6-6", "p2 pass", "p1 play 6-5", "p2 play 5-3"], STUCK, draw=False, passes="first"
    )
    assert first.game.score == [2, 0]
    later = OpenDeck(new_game("domino", 4, {"passes": "first"}), [DOMINOES])
    for action in ("p4 play 6-6", "p1 pass", "p2 pass"):
        do(later, action)
    assert later.game.score == [0, 0, 0, 2]


def test_R11_equals_in_a_block():
    game = opened(players=4, partners=True).game
    game.ends, game.opener, game.in_a_row, game.placer = (6, 6), 1, 0, 0
    assert game.lowest([0, 1, 2, 3], {0: 9, 1: 9, 2: 3, 3: 3}) == 3  # on the opener's side
    single = opened(players=4).game
    single.ends, single.opener, single.in_a_row, single.placer = (6, 6), 1, 0, 0
    assert single.lowest([0, 1, 2, 3], {0: 3, 1: 9, 2: 9, 3: 3}) == 3  # the first after the opener
    assert single.lowest([0, 1, 2, 3], {0: 3, 1: 3, 2: 3, 3: 3}) == 1
    assert told(single, events.Closed) == [(0, (6,)), (0, (6,))]


def test_R15_a_pass_that_ends_the_match_opens_all_hands():
    play = opened(DOMINOES, 4, target=2)
    play.game.score[1] = 1
    do(play, "p4 play 6-6")
    do(play, "p1 pass")
    assert (play.over, play.game.winners, play.game.score) == (True, (3,), [0, 1, 0, 2])
    assert len(play.game.faces) == 28
    assert told(play.game, events.Shoemaker) == [(0,), (2,)]


def at_the_count(players=2):
    """Return a run in which all hands are being turned up, and the truth."""
    truth = OpenDeck(new_game("domino", players), shuffled(Random(3).randrange))
    while truth.game.round == 1:
        truth.act(truth.turn[0], next(truth.options(truth.turn[0])))
    run = Run(new_game("domino", players))
    answers = iter(truth.answers)
    while True:
        match run.request:
            case Open():
                return run, truth
            case Ask(seats, _, _, auto):
                for seat in seats if auto else ():
                    run.choose(seat, next(run.options(seat, truth.faces)), truth.faces)
                if not auto:
                    run.choose(*next(answers), truth.faces)
                run.conclude()
            case _:
                run.answer()


@pytest.mark.parametrize("leaver", [0, 1])
def test_R17_who_leaves_instead_of_turning_up_is_counted_with_nothing_and_has_lost(leaver):
    run, truth = at_the_count()
    winner = 0 if not run.game.hands[0] else 1
    run.leave([leaver])
    if leaver == winner:  # has no tile, so the other's are still turned up
        assert isinstance(run.request, Open)
        run.opened({slot: truth.faces[slot] for slot in run.request.slots})
        assert run.game.score[winner] == truth.game.score[winner] > 0
    else:
        assert run.game.score[winner] == 1  # nothing is left that counts
        assert told(run.game, events.ClosedHand) == [(leaver,)]
    assert (run.over, run.game.winners) == (True, (1 - leaver,))


def test_R17_whoever_does_not_turn_up_cannot_win_a_block():
    game = opened(QUICK).game
    game.ends, game.opener, game.in_a_row = (6, 6), 0, 2
    assert game.lowest([1], {0: 0, 1: 50}) == 1


def test_options_that_do_not_go_together():
    for players in (2, 3):
        with pytest.raises(BadOption):
            new_game("domino", players, {"partners": True})


def test_the_next_pack_is_certain_until_the_match_is_over():
    play = opened(players=3)
    assert play.game.next_pack() == (DOMINOES, (0, 1, 2))
    play.leave(1)
    assert play.game.next_pack() == (DOMINOES, (0, 2))
    play.leave(0)
    assert play.game.next_pack() is None
