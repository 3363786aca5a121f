"""The computer player of siete y media: it beats chance, is quick, and makes no move that a player would call silly."""

from random import Random

import pytest

from engine.bots import bot_for, chance, siete_y_media
from engine.core.cards import SPANISH_40
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, Bet, HitDown, HitUp, Stand
from engine.scenario import do


def played(players, bots, seed, seen=lambda play, seat, move: None, **options):
    """Play a match; `seen` looks at every move before it is made."""
    random = Random(seed)
    play = OpenDeck(new_game("siete-y-media", players, options), shuffled(random.randrange), first=seed)
    while play.turn:
        seat = play.turn[0]
        move = bots[seat](play.view(seat), random.randrange)
        seen(play, seat, move)
        play.act(seat, move)
    return play


def choice(deck, *actions, number=1, **options):
    """Return what the player does after these actions, in notation; `number` is what it draws where it mixes."""
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


@pytest.mark.parametrize("players", range(2, 9))
def test_it_plays_whole_matches_of_all_sizes(players):
    assert played(players, [siete_y_media.play] * players, players).over
    assert played(players, [siete_y_media.play] * players, players, deals=0, chips=20, bank="turn").over


@pytest.mark.parametrize(("card", "bet"), [("1o", 1), ("3o", 1), ("5o", 1), ("10o", 5), ("6o", 5), ("7o", 10)])
def test_it_bets_by_its_card(card, bet):
    assert choice([card]) == f"bet {bet}"


def test_it_mixes_a_little():
    assert choice(["7o"], number=0) == "bet 5"
    assert choice(["6o"], number=0) == "bet 1"


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("10o", "hit down"),
        ("1o", "hit down"),
        ("3o", "hit down"),
        ("6o", "stand"),
        ("7o", "stand raise 9"),
    ],
)
def test_it_shows_low_cards_and_stands_on_high_ones(card, says):
    assert choice([card], "p2 bet 1") == says


def test_a_high_hidden_card_stays_hidden():
    assert choice(["5o", "6o", "10c", "10e", "10b"], "p2 bet 1", "p2 hit up") in ("hit up", "stand")
    assert choice(["4o", "6o", "10c"], "p2 bet 1", "p2 hit up").startswith("hit")


def test_the_bank_stands_when_it_beats_or_ties_whatever_there_can_be():
    # p2's open cards make 6: with the hidden one 6½ or 7, and the bank has 7.
    deck = ["10o", "7c", "6o"]
    assert choice(deck, "p2 bet 1", "p2 hit up", "p2 stand") == "stand"


def test_the_bank_draws_when_it_is_beaten_for_certain():
    assert choice(["7o", "6c", "10o"], "p2 bet 1", "p2 hit up") == "hit up"  # against an open siete y media
    assert choice(["6o", "5c", "10o"], "p2 bet 1", "p2 hit up", "p2 stand") == "hit up"


def test_in_the_last_deal_it_risks_all_when_behind_and_nothing_when_far_ahead():
    play = OpenDeck(new_game("siete-y-media", 2, {"deals": 1}), [["4o"]])
    play.game.score = [60, 40]
    assert siete_y_media.play(play.view(1), lambda n: 1) == Bet(10)
    play.game.score = [30, 70]
    assert siete_y_media.play(play.view(1), lambda n: 1) == Bet(1)


def silly(play, seat, move):
    """Return what a player would laugh at."""
    game = play.game
    total = sum(WORTH[play.faces[slot]] for slot in game.hands[seat])
    left = [WORTH[card] for card in SPANISH_40 if card not in {*game.faces.values(), *play.hand(seat)}]
    over = sum(total + worth > SIETE_Y_MEDIA for worth in left) / len(left)
    if seat == game.bank:
        totals = [sum(WORTH[play.faces[slot]] for slot in game.hands[other]) for other in game.stood]
        sure = [game.shown(other) + max(left) for other in game.stood if other not in game.sevens]
        if isinstance(move, HitUp) and max([*sure, *(game.shown(other) for other in game.sevens)]) <= total:
            return "draws though it beats whatever there can be"
        if isinstance(move, Stand) and not [other for other in totals if other <= total] and game.sevens == game.stood:
            return "stands though it has lost to all"
        return None
    match move:
        case Stand() if over == 0:
            return "stands though it cannot go over"
        case Stand() if total < 8:
            return "stands below four"
        case Stand(raised) if raised and total < 12 and game.round < game.options["deals"]:
            return "raises on less than six"
        case HitUp(raised) | HitDown(_, raised) if raised:
            return "raises to chase"
        case HitUp() | HitDown() if total >= 12:
            return "asks with six or more"
        case HitDown(hidden) if WORTH[play.faces[hidden]] > 8:
            return "shows a high card"
        case HitUp() if WORTH[play.faces[game.hidden(seat)]] < 8:
            return "hides a low card"
        case Bet(chips) if total == 14 and chips < game.cap(seat) // 2 and game.round < game.options["deals"]:
            return "bets little on a seven"
    return None


def test_nothing_silly():
    found = []
    for seed in range(40):
        players = 2 + seed % 7
        bots = [siete_y_media.play] * players
        played(players, bots, seed, lambda play, seat, move: found.append(silly(play, seat, move)))
    assert len(found) > 3000
    assert [what for what in found if what] == []
