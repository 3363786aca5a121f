"""Seats that go at once: the rules are told of all of them together, and none of them is among the
winners."""

from itertools import combinations, count, pairwise

import pytest

from engine.core.requests import Open
from engine.games import new_game
from tests.engine.steps import Steps

TABLES = [
    ("escoba", 3, {}),
    ("escoba", 4, {"leaving": "end"}),
    ("escoba", 4, {"teams": True}),
    ("escoba", 6, {}),
    ("domino", 3, {"leaving": "end"}),
    ("domino", 4, {}),
    ("domino", 4, {"partners": True}),
    ("truco", 4, {}),
    ("truco", 6, {}),
    ("kinaskak", 3, {"last_contract": 2}),
    ("kinaskak", 4, {"last_contract": 1, "leaving": "end"}),
    ("kinaskak", 5, {"last_contract": 1}),
    ("siete-y-media", 3, {"deals": 3}),
    ("siete-y-media", 4, {"deals": 3, "bank": "turn"}),
]
HOPEFUL = {"kinaskak": [0, 30, 10, 20, 25]}
"""Scores with which somebody else would win; of partners the same."""


def at(game, players, options, number):
    """Return a match at its request of this number, with scores in which no two sides are equal."""
    play = Steps(new_game(game, players, options), number)
    for _ in range(number):
        if play.over:
            break
        play.step()
    if game != "siete-y-media":  # where it is chips, and a payment must be there
        scores = HOPEFUL.get(game, [9, 7, 8, 6, 5, 4])
        play.game.score = [scores[play.game.side(seat)] for seat in range(players)]
    return play


def several(seats):
    """Return every choice of two or more of these seats that leaves somebody."""
    return [going for many in range(2, len(seats)) for going in combinations(seats, many)]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 5, 8, 13, 21, 34])
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
@pytest.mark.slow
def test_of_those_who_go_at_once_none_wins(game, players, options, number):
    for going in several(range(players)):
        play = at(game, players, options, number)
        if play.over or not set(going) < set(play.game.seats):
            continue
        play.run.leave(going)
        assert not set(going) & set(play.game.seats)
        while not play.over:
            play.step()
        assert play.game.winners
        assert not set(going) & set(play.game.winners), going


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_where_all_but_one_go_that_one_has_won(game, players, options):
    for stays in range(players):
        play = at(game, players, options, 6)
        play.run.leave([seat for seat in range(players) if seat != stays])
        assert (play.over, play.game.winners) == (True, (stays,))


PARTNERS = [table for table in TABLES if new_game(*table).sides == 2]


@pytest.mark.parametrize(("game", "players", "options"), PARTNERS)
def test_a_side_that_a_seat_has_left_does_not_win_by_its_points(game, players, options):
    play = at(game, players, options, 6)
    play.run.leave([2])
    assert play.game.score[0] > play.game.score[1]
    assert play.game.winners == play.game.seats_of(1)


ALONE = [table for table in TABLES if new_game(*table).plays_on(new_game(*table).options)]
"""The tables at which the others go on."""


@pytest.mark.parametrize("number", [0, 1, 2, 5, 13, 34, 89])
@pytest.mark.parametrize(("game", "players", "options"), ALONE)
def test_the_others_go_on_among_themselves(game, players, options, number):
    for gone in range(players):
        play = at(game, players, options, number)
        left = play.game.ends_without(gone)
        if play.over or gone not in play.game.seats:
            continue
        before, said = list(play.game.score), play.game.round
        play.run.leave([gone])
        assert play.over is left
        if game != "siete-y-media":
            assert play.game.score == before
        while not play.over:
            play.step()
            assert gone not in play.run.turn
            assert not play.game.hands[gone] or play.game.round == said
        assert gone not in play.game.winners


@pytest.mark.parametrize(("game", "players"), [("escoba", 4), ("kinaskak", 5)])
def test_each_deal_is_begun_by_the_next_seat_that_stays(game, players):
    """The seat after one that has left begins once, and not again for it."""
    play = Steps(new_game(game, players), 3)
    started: list[int] = []
    while len(started) < 7 and not play.over:
        play.step()
        now = play.game.eldest if game == "escoba" else play.game.starter
        if now is not None and play.game.round > len(started):
            started.append(now)
            if len(started) == 2:
                play.run.leave([play.game.seats_from(now + 1)[0]])
                started.append(play.game.eldest if game == "escoba" else play.game.starter)
    pairs = list(pairwise(started[2:]))
    assert pairs
    assert all(other == play.game.seats_from(one + 1)[0] for one, other in pairs)


@pytest.mark.parametrize("game", ["escoba", "domino"])
def test_the_score_of_a_seat_that_has_left_wins_nothing(game):
    play = at(game, 4, {"target": 10}, 5)
    play.game.score = [100, 3, 4, 5]
    play.run.leave([0])
    assert not play.over
    while not play.over:
        play.step()
    assert play.game.winners[0] != 0
    assert play.game.score[play.game.winners[0]] >= 10


def test_domino_the_right_to_open_passes_on():
    def opened(play):
        return play.game.opener is not None and play.game.line

    play = until("domino", 4, {}, opened)
    opener = play.game.opener
    play.run.leave([(opener + 2) % 4])
    assert play.game.opener == opener
    play.run.leave([opener])
    assert play.game.opener == play.game.seats_from(opener)[0] != opener


def stopped(game, players, options):
    """Yield matches at each of their requests, one after the other."""
    for seed in count():
        play = Steps(new_game(game, players, options), seed)
        while not play.over:
            yield play
            play.step()


def until(game, players, options, wanted):
    """Return a match at the first request at which it is like this."""
    return next(play for play in stopped(game, players, options) if wanted(play))


def test_domino_R17_two_who_turn_up_nothing_have_both_lost():
    def turning_up(play):
        return isinstance(play.run.request, Open) and play.game.score == [0, 0, 0]

    for going in several(range(3)):
        play = until("domino", 3, {"passes": "none", "target": 100}, turning_up)
        play.game.score = [9, 8, 3]
        play.run.leave(going)
        if not play.over:
            play.step()
        assert (play.over, len(play.game.winners)) == (True, 1)
        assert play.game.winners[0] not in going


def test_siete_y_media_R17_puntos_who_go_pay_before_a_bank_that_goes():
    def both_stand(play):
        return len(play.game.stood) == 3 and not play.game.over

    play = until("siete-y-media", 4, {"deals": 0, "chips": 10}, both_stand)
    game, bank = play.game, play.game.bank
    first, second, third = game.order(bank)[:3]
    game.stakes, game.sevens = {first: 2, second: 3, third: 4}, [third]
    # the bank cannot pay twice four without the second's stake
    game.score[bank], game.score[second] = 5, 12
    had = list(game.score)
    play.run.leave(sorted([second, bank]))
    expected = {first: had[first] + 2, second: 0, third: had[third] + 6, bank: 0}
    assert {seat: game.score[seat] for seat in expected} == expected
    assert game.left == sorted([second, bank])
