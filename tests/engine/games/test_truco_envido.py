"""The envido of docs/rules/truco.md where scenario files do not pin it: points, sequences, stating,
showing, lies."""

from itertools import combinations

import pytest

from engine.core.cards import SPANISH_40
from engine.core.moves import IllegalMove
from engine.core.requests import Ask
from engine.core.run import ProvenLie, Run
from engine.games import new_game
from engine.games.truco import events
from engine.games.truco.moves import Call, Play, Say, Show
from engine.games.truco.worth import (
    NUMBERS,
    accepted_points,
    could_have,
    envido_points,
    falta_points,
    proves,
    raises,
    refused_points,
)
from tests.engine.games.test_truco import DECK, FOUR, after, opened


def test_R20_envido_points():
    hands = {
        ("7e", "6e", "4c"): 33,
        ("12o", "10o", "11o"): 20,
        ("7c", "1o", "11b"): 7,
        ("12c", "11o", "10b"): 0,
    }
    for hand, points in {
        **hands,
        ("7o", "6o", "5o"): 33,
        ("12e", "4e", "5c"): 24,
        ("1o", "11o", "7e"): 21,
    }.items():
        assert envido_points(hand) == points
    assert {envido_points(hand) for hand in combinations(SPANISH_40, 3)} == set(NUMBERS)


def test_R23_R25_every_sequence():
    pays = {
        "E": (2, 1),
        "R": (3, 1),
        "F": ("falta", 1),
        "EE": (4, 2),
        "ER": (5, 2),
        "EF": ("falta", 2),
        "EER": (7, 4),
        "EEF": ("falta", 4),
        "RF": ("falta", 3),
        "ERF": ("falta", 5),
        "EERF": ("falta", 7),
    }
    names = {"E": "envido", "R": "real-envido", "F": "falta-envido"}
    found = {}

    def go_on(letters):
        calls = [names[letter] for letter in letters]
        accepted = accepted_points(calls, 99)
        found[letters] = ("falta" if accepted == 99 else accepted, refused_points(calls))
        for word in raises(calls):
            go_on(letters + next(letter for letter, name in names.items() if name == word))

    for letter in names:
        go_on(letter)
    assert found == pays


@pytest.mark.parametrize(
    ("mine", "theirs", "malas", "points"),
    [
        (3, 7, False, 8),
        (7, 3, False, 8),
        (3, 7, True, 12),
        (7, 3, True, 8),
        (7, 8, True, 7),
        (8, 3, True, 7),
        (0, 0, True, 15),
    ],
)
def test_R26_falta(mine, theirs, malas, points):
    assert falta_points(15, mine, theirs, malas=malas) == points


def test_R26_in_the_malas_the_falta_is_what_its_winner_lacks():
    play = opened(DECK, falta="malas")
    play.game.score = [3, 7]
    after(play, "p1 falta-envido", "p2 quiero", "p1 say 33", "p2 son-buenas")
    assert (play.over, play.game.score) == (True, [15, 7])


def test_R27_partners_of_the_best_do_not_speak_nor_seats_that_have_folded():
    play = opened(FOUR, players=4, first=1)
    told = after(
        play, "p2 mazo", "p3 play 7c", "p4 envido", "p1 quiero", "p3 say 31", "p4 son-buenas"
    )
    assert events.Said(2, 31, beats=False) in told
    assert events.EnvidoWon(0, 2, "said") in told
    assert play.turn == (3,)


# R29, R30.


@pytest.mark.parametrize(
    ("hand", "plays", "shown"),
    [
        (["7e", "6e", "4c"], [], ["6e", "7e"]),
        (["7e", "6e", "4c"], ["7e"], ["6e"]),
        (["7e", "6e", "4c"], ["4c", "7e"], ["6e"]),
        (["7e", "6e", "4c"], ["7e", "6e"], []),
        (["12e", "11e", "10e"], [], ["10e", "11e"]),
        (["12e", "11e", "10e"], ["11e"], ["10e"]),
        (["7b", "7o", "1c"], [], ["7o"]),
        (["7b", "7o", "1c"], ["1c"], ["7o"]),
        (["12b", "11o", "10c"], [], ["11o"]),
        (["7e", "12e", "11e"], ["12e"], ["7e"]),
    ],
)
def test_R29_the_first_of_the_smallest_sets_is_shown(hand, plays, shown):
    play = opened([hand[0], "4b", hand[1], "4e", hand[2], "5o"])
    number = envido_points(hand)
    game = play.game
    game.best = (0, number)
    for card in plays:
        slot = next(slot for slot in game.hands[0] if play.faces[slot] == card)
        game.hands[0].remove(slot)
        game.faces[slot] = card
        game.tricks[-1].append((0, slot))
    known = play.known(0)
    if not shown:
        assert proves(number, game.played_by(0))
        return
    first = next(game.showings(0, known))
    assert sorted(play.faces[slot] for slot in first.cards) == sorted(shown)
    for move in game.showings(0, known):
        assert move in game.showings(0, {slot: known[slot] for slot in move.shows})


def test_R30_what_a_number_may_not_contradict():
    assert could_have(33, ["7e"], [])
    assert not could_have(33, ["7e"], ["6e", "6o", "6c", "6b"])
    assert could_have(33, ["1e"], ["6e"])
    assert not could_have(6, ["7e"], [])
    assert could_have(33, ["7e", "4c"], [])
    assert not could_have(33, ["7e", "4c"], ["6e"])
    assert not could_have(33, ["7e", "4c", "1e"], [])
    assert not could_have(0, [], [card for card in SPANISH_40 if int(card[:-1]) >= 10])


def blind_run(hands, mano=0, **options):
    """Play as a peer that sees only backs: return the run, a function that plays a card, says a
    number or a word, and the slots."""
    run = Run(new_game("truco", 2, options))
    run.answer(mano)
    run.answer()
    run.answer()
    slots = {
        (seat, face): slot
        for seat in (0, 1)
        for slot, face in zip(run.game.hands[seat], hands[seat], strict=True)
    }

    def act(seat, what):
        move = (
            Play(slots[seat, what])
            if what in SPANISH_40
            else Say(what)
            if isinstance(what, int)
            else Call(what)
        )
        run.choose(seat, move, {slots[seat, what]: what} if isinstance(move, Play) else {})
        run.conclude()

    return run, act, slots


def test_R30_a_card_of_another_shows_that_a_number_was_a_lie():
    run, act, _ = blind_run([["7e", "4c", "1o"], ["6o", "6e", "12b"]])
    for seat, what in (
        (0, "7e"),
        (1, "envido"),
        (0, "quiero"),
        (0, 33),
        (1, "son-buenas"),
        (1, "6o"),
        (0, "4c"),
    ):
        act(seat, what)
    before = run.fingerprint()
    with pytest.raises(ProvenLie) as lie:
        act(1, "6e")
    assert (lie.value.seat, lie.value.move, lie.value.why) == (0, Say(33), ("not-your-points", 33))
    assert run.fingerprint() == before


def test_R30_ones_own_card_shows_that_a_number_was_a_lie():
    _, act, _ = blind_run([["7e", "4c", "7o"], ["5o", "5e", "12b"]])
    for seat, what in ((0, "envido"), (1, "quiero"), (0, 6), (1, "son-buenas")):
        act(seat, what)
    with pytest.raises(ProvenLie) as lie:
        act(0, "7e")
    assert lie.value.seat == 0


def test_R29_R30_the_cards_shown_are_judged_and_must_fit():
    run, act, slots = blind_run([["7e", "6e", "4c"], ["5o", "5e", "12b"]])
    for seat, what in ((0, "envido"), (1, "quiero"), (0, 29), (1, "son-buenas"), (0, "mazo")):
        act(seat, what)
    request = run.request
    assert isinstance(request, Ask)
    assert request.auto
    faces = {slot: face for (seat, face), slot in slots.items() if seat == 0}
    for cards in ((), ("7e",), ("7e", "6e"), ("7e", "4c")):
        move = Show(tuple(slots[0, card] for card in cards))
        with pytest.raises(IllegalMove):
            run.choose(0, move, faces)


def test_R34_R35_while_the_cards_are_due_the_match_is_not_won():
    run, act, _ = blind_run([["7e", "6e", "4c"], ["5o", "5e", "12b"]])
    run.game.score = [14, 3]
    for seat, what in ((0, "envido"), (1, "quiero"), (0, 33), (1, "son-buenas")):
        act(seat, what)
    assert (run.game.score, run.over, run.turn) == ([16, 3], False, ())
    run.leave([0])
    assert (run.over, run.game.winners, run.game.score) == (True, (1,), [16, 3])
