"""The computer player of siete y media: it beats chance, is quick, and makes no move that a player
would call silly."""

from random import Random

import pytest

from engine.bots import bot_for, chance, siete_y_media
from engine.bots.siete_y_media_ordinary import CAUTIOUS, DARING, STEADY, ordinary
from engine.bots.siete_y_media_table import punto_wins
from engine.core.cards import SPANISH_40
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, Bet, HitDown, HitUp, Stand
from engine.scenario import do
from tests.sample import sample


def played(players, bots, seed, seen=lambda play, seat, move: None, **options):
    """Play a match; `seen` looks at every move before it is made."""
    random = Random(seed)
    play = OpenDeck(
        new_game("siete-y-media", players, options), shuffled(random.randrange), first=seed
    )
    while play.turn:
        seat = play.turn[0]
        move = bots[seat](play.view(seat), random.randrange)
        seen(play, seat, move)
        play.act(seat, move)
    return play


def choice(deck, *actions, number=500, **options):
    """Return what the player does after these actions, in notation; `number` is what it draws where
    it mixes."""
    play = OpenDeck(new_game("siete-y-media", 2, options), [deck])
    for action in actions:
        do(play, action)
    seat = play.turn[0]
    return play.game.write(siete_y_media.play(play.view(seat), lambda n: number % n), play.faces)


def test_it_is_the_player_of_its_game():
    assert bot_for("siete-y-media") is siete_y_media.play


def test_it_beats_chance():
    wins = 0.0
    for seed in range(200):
        mine = seed % 2
        bots = [chance.play, chance.play]
        bots[mine] = siete_y_media.play
        winners = played(2, bots, seed, deals=6).game.winners
        wins += (mine in winners) / len(winners)
    assert wins >= 140


@pytest.mark.parametrize("players", sample([2, 8, *range(3, 8)], 2))
def test_it_plays_whole_matches_of_all_sizes(players):
    assert played(players, [siete_y_media.play] * players, players).over
    assert played(
        players, [siete_y_media.play] * players, players, deals=0, chips=20, bank="turn"
    ).over


def match_at(deals_left, score, bank=0, **options):
    """Return a match of two at the first card of a deal, so many deals before the last."""
    play = OpenDeck(
        new_game("siete-y-media", 2, {"deals": 1 + deals_left, **options}), [["7o"]], first=bank
    )
    play.game.score = list(score)
    return play


def test_the_least_stake_does_not_tell_the_card():
    """Every card is bet low now and then."""
    for card in ("10o", "1o", "2o", "3o", "4o", "5o", "6o", "7o"):
        assert "bet 1" in {choice([card], number=number) for number in range(0, 1000, 50)}


def test_the_highest_stake_does_not_tell_the_card():
    """A seven and a four come with it, and both come without."""
    for card in ("4o", "7o"):
        drawn = {choice([card, "1c", "2c"], number=number) for number in range(0, 1000, 25)}
        assert {"bet 1", "bet 10"} <= drawn


def positions(count, **options):
    """Yield positions in matches of players that play by chance, and the seat that is asked."""
    found = 0
    for seed in range(count):
        random = Random(seed)
        play = OpenDeck(
            new_game("siete-y-media", 2 + seed % 4, options), shuffled(random.randrange), first=seed
        )
        while play.turn and play.game.round < 4 and found < count:
            seat = play.turn[0]
            yield play, seat
            found += 1
            play.act(seat, random.choice(list(play.options(seat))))


def test_all_characters_play_legal_moves_and_repeat_themselves():
    looked = 0
    for play, seat in positions(200):
        looked += 1
        for character in siete_y_media.CHARACTERS:
            move = character.play(play.view(seat), Random(looked).randrange)
            assert move in play.options(seat)
            assert move == character.play(play.view(seat), Random(looked).randrange)
    assert looked == 200


def test_it_rates_every_option_and_plays_one_of_nearly_the_best():
    for play, seat in positions(150):
        ratings = siete_y_media.rate(play.view(seat), Random(1).randrange)
        values = {each.move: each.value for each in ratings.moves}
        assert ratings.unit == "win"
        assert set(values) == set(play.options(seat))
        assert list(values.values()) == sorted(values.values(), reverse=True)
        assert all(0 <= value <= 1 + 1e-9 for value in values.values())
        for number in (0, 300, 600, 900):
            move = siete_y_media.play(play.view(seat), lambda n, number=number: number % n)
            assert values[move] == max(values.values())


@pytest.mark.parametrize("stakes", sample([250, 1000], 1))
def test_it_rates_a_thousand_stakes_too(stakes):
    play = OpenDeck(new_game("siete-y-media", 2, {"max_bet": stakes, "chips": 1000}), [["7o"]])
    assert len(siete_y_media.rate(play.view(1), lambda n: 0).moves) == stakes
    play.act(1, Bet(1))
    assert len(siete_y_media.rate(play.view(1), lambda n: 0).moves) == 3 * stakes


def test_it_knows_nothing_but_its_view():
    """Hidden cards that change places change nothing."""
    compared = 0
    for play, seat in positions(80):
        hidden = [
            slot
            for slot in play.faces
            if slot not in play.view(seat).faces and slot not in play.game.faces
        ]
        before = siete_y_media.rate(play.view(seat), Random(1).randrange)
        faces = dict(play.faces)
        for slot, face in zip(hidden, [faces[slot] for slot in reversed(hidden)], strict=True):
            play.faces[slot] = face
        assert siete_y_media.rate(play.view(seat), Random(1).randrange) == before
        play.faces.update(faces)
        compared += len(hidden) > 1
    assert compared > 20


def test_it_shows_a_figure_rather_than_hide_it():
    assert choice(["10o"], "p2 bet 1") in ("hit down", "hit up")


def test_a_raise_comes_with_standing_on_much():
    assert choice(["7o"], "p2 bet 1") == "stand raise 9"


def test_it_stands_on_a_seven_though_a_figure_would_make_more():
    assert choice(["7o"], "p2 bet 10") == "stand"


@pytest.mark.parametrize("left", [0, 1, 3, 8])
@pytest.mark.parametrize("score", [(90, 10), (10, 90), (50, 50), (45, 55)])
def test_it_stands_on_six_unless_a_card_is_clearly_better(left, score):
    """Also with one chip at stake, and in a match that is won or lost: then all moves are worth the
    same."""
    play = OpenDeck(new_game("siete-y-media", 2, {"deals": 1 + left}), [["6o"]])
    play.game.score = list(score)
    do(play, "p2 bet 1")
    view = play.view(play.turn[0])
    rated = siete_y_media.rate(view, lambda n: 0).moves
    assert isinstance(rated[0].move, Stand)
    moves = [
        siete_y_media.play(view, lambda n, number=number: number % n)
        for number in range(0, 1000, 25)
    ]
    assert all(isinstance(move, Stand) for move in moves)


@pytest.mark.parametrize(("number", "stands"), [("7c", True), ("2c", False)])
def test_the_bank_goes_by_its_chips_where_the_match_is_decided(number, stands):
    play = OpenDeck(new_game("siete-y-media", 3, {"deals": 1}), [["5o", "5c", number]])
    play.game.score = [150, 10, 10]
    while play.turn[0] != play.game.bank:
        play.act(play.turn[0], Bet(1))
        play.act(play.turn[0], Stand())
    move = siete_y_media.play(play.view(play.turn[0]), lambda n: 0)
    assert move == (Stand() if stands else HitUp())


def test_the_bank_stands_when_it_beats_or_ties_whatever_there_can_be():
    # p2's open cards make 6: with the hidden one 6½ or 7, and the bank has 7.
    deck = ["10o", "7c", "6o"]
    assert choice(deck, "p2 bet 1", "p2 hit up", "p2 stand") == "stand"


def test_the_bank_draws_when_it_is_beaten_for_certain_and_chips_count():
    # against an open siete y media
    assert choice(["7o", "6c", "10o"], "p2 bet 10", "p2 hit up", deals=1) == "hit up"


def test_the_bank_takes_the_highest_stake_on_one_card_for_a_seven():
    deck = ["7o", "6c", "10c"]  # with the figure the bank has six and a half
    assert choice(deck, "p2 bet 10", "p2 stand", "p1 hit up") == "hit up"
    assert choice(["5o", "6c", "10c"], "p2 bet 1", "p2 stand", "p1 hit up") == "stand"


def test_the_bank_is_given_up_where_it_is_worth_less_than_the_stake():
    """The punto with siete y media becomes the bank: early in a match, for a small stake, that is
    no loss."""
    deck = ["7o", "6c", "10o"]
    assert choice(deck, "p2 bet 1", "p2 hit up") == "stand"


def test_in_the_last_deal_it_stakes_what_can_still_win_the_match():
    play = match_at(0, (54, 46))
    move = siete_y_media.play(play.view(1), lambda n: 0)
    assert isinstance(move, Bet)
    play.act(1, move)
    while play.turn and play.turn[0] == 1:
        move = siete_y_media.play(play.view(1), lambda n: 0)
        if isinstance(move, Stand):
            assert 2 * (play.game.stakes[1] + move.raised) > 8
        play.act(1, move)


def test_the_leader_stakes_the_least_in_the_last_deal():
    play = match_at(0, (40, 60))
    assert siete_y_media.play(play.view(1), lambda n: 0) == Bet(1)
    play.act(1, Bet(1))
    assert siete_y_media.play(play.view(1), lambda n: 0) == Stand()


def test_the_same_lead_is_worth_more_to_the_punto():
    """He alone says how much is at stake."""
    assert punto_wins(0, 11) > 0.6
    assert punto_wins(6, 3) > punto_wins(6, 11) > punto_wins(0, 11)
    assert [punto_wins(lead, 0) for lead in (-1, 0, 1)] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("habits", [STEADY, CAUTIOUS, DARING])
@pytest.mark.parametrize(
    ("score", "left", "least"),
    [((56, 44), 0, 7), ((44, 56), 0, 1), ((56, 44), 1, 1), ((80, 20), 0, 10)],
)
def test_an_ordinary_player_who_is_behind_in_the_last_deal_stakes_what_he_lacks(
    habits, score, left, least
):
    """The bank pays each chip that he wins, so half of the difference and one more will do."""
    for raises in (True, False):
        play = OpenDeck(
            new_game("siete-y-media", 2, {"deals": 1 + left, "raises": raises}),
            [["5o", "5c", "1o", "1c"]],
        )
        play.game.score = list(score)
        while play.turn and play.turn[0] == 1:
            move = ordinary(habits)(play.view(1), lambda n: 0)
            play.act(1, move)
            stakes = play.game.stakes.get(1, least)
        assert stakes >= least
        if least == 1 and habits is not DARING:
            assert stakes == 1, "he stakes no more than usual"


def test_an_ordinary_player_raises_by_no_less_than_may_be():
    play = OpenDeck(
        new_game("siete-y-media", 2, {"deals": 1, "min_bet": 3, "max_bet": 10}), [["5o"]]
    )
    play.game.score = [53, 47]
    play.act(1, Bet(3))
    assert ordinary(CAUTIOUS)(play.view(1), lambda n: 0) == Stand(3)


def silly(play, seat, move):
    """Return what a player would laugh at."""
    game = play.game
    total = sum(WORTH[play.faces[slot]] for slot in game.hands[seat])
    left = [
        WORTH[card] for card in SPANISH_40 if card not in {*game.faces.values(), *play.hand(seat)}
    ]
    over = sum(total + worth > SIETE_Y_MEDIA for worth in left) / len(left)
    if seat == game.bank:
        totals = [
            sum(WORTH[play.faces[slot]] for slot in game.hands[other]) for other in game.stood
        ]
        sure = [game.shown(other) + max(left) for other in game.stood if other not in game.sevens]
        if (
            isinstance(move, HitUp)
            and max([*sure, *(game.shown(other) for other in game.sevens)]) <= total
        ):
            return "draws though it beats whatever there can be"
        lost = not [other for other in totals if other <= total] and game.sevens == game.stood
        if (
            isinstance(move, Stand)
            and lost
            and (game.players > 2 or game.round == game.options["deals"])
        ):
            return "stands though it has lost to all"
        return None
    match move:
        case Stand() if over == 0:
            return "stands though it cannot go over"
        case Stand() if total < 8:
            return "stands below four"
        case Stand(raised) if raised and total < 10 and game.round < game.options["deals"]:
            return "raises on less than five"
        case HitUp(raised) | HitDown(_, raised) if raised:
            return "raises to chase"
        case HitUp() | HitDown() if (
            total >= 12
            and game.stakes[seat] > game.options["min_bet"]
            and game.round < game.options["deals"]
        ):
            return "asks with six or more, and much at stake"
        case HitDown(hidden) if WORTH[play.faces[hidden]] > 8:
            return "shows a high card"
    return None


@pytest.mark.parametrize("seeds", sample([range(7), range(7, 40)], 1), ids=["few", "more"])
def test_nothing_silly(seeds):
    found = []
    for seed in seeds:
        players = 2 + seed % 7
        bots = [siete_y_media.play] * players
        played(players, bots, seed, lambda play, seat, move: found.append(silly(play, seat, move)))
    assert len(found) > 70 * len(seeds)
    assert [what for what in found if what] == []
