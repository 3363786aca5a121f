"""The computer player of Truco: it beats chance, is quick, and makes none of the moves that a player would call silly."""

from itertools import product
from random import Random

import pytest

from engine.bots import chance, truco, truco_calls, truco_duel
from engine.bots.truco_envido import Envido
from engine.bots.truco_habits import BLIND, habit
from engine.bots.truco_odds import Odds, standing
from engine.core.cards import SPANISH_40
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.truco.moves import ENVIDO, TRUCO, Call, Play, Say
from engine.games.truco.worth import STRENGTH, envido_points
from engine.scenario import do
from tests.bots.opponents import LEAGUE
from tests.sample import odds, sample

ALL_SUNG = ("p1 truco", "p2 retruco", "p1 vale4", "p2 quiero")
"""Nothing more can be sung: what is left is to play cards."""


def played(players, bots, seed, seen=lambda play, seat, move: None, **options):
    """Play a match; `seen` looks at every move before it is made."""
    random = Random(seed)
    play = OpenDeck(new_game("truco", players, options), shuffled(random.randrange), first=seed)
    while play.turn:
        seat = random.choice(play.turn)
        move = bots[seat](play.view(seat), random.randrange)
        seen(play, seat, move)
        play.act(seat, move)
    return play


def choice(hands, *actions, **options):
    """Return what the player on turn does with these hands after these actions, in notation."""
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    play = OpenDeck(new_game("truco", len(hands), options), [deck])
    for action in actions:
        do(play, action)
    return play.game.write(truco.play(play.view(play.turn[0]), lambda n: 0), play.faces)


@pytest.mark.parametrize(("matches", "least"), sample([(20, 17), (60, 50)], 1, rows=True))
def test_it_beats_chance(matches, least):
    wins = 0
    for seed in range(matches):
        mine = seed % 2
        bots = [chance.play, chance.play]
        bots[mine] = truco.play
        wins += mine in played(2, bots, seed // 2, target=9).game.winners
    assert wins >= least
    assert odds(least, matches, 1 / 2) < 0.005


def test_standing_is_a_chance():
    assert standing(15, 15) == pytest.approx(0.5)
    assert (standing(0, 3), standing(3, 0)) == (1.0, 0.0)
    assert all(standing(mine, 9) > standing(mine + 1, 9) for mine in range(1, 20))
    assert standing(3, 8) + standing(8, 3) == pytest.approx(1)


def test_it_wins_with_the_cheapest_card_that_wins_and_throws_the_lowest_otherwise():
    assert choice(["2o 4c 6b", "3o 1b 4e"], *ALL_SUNG, "p1 play 2o") == "play 3o"
    assert choice(["1b 4c 6b", "7c 11o 4e"], *ALL_SUNG, "p1 play 1b") == "play 4e"


def test_it_does_not_beat_its_partner():
    assert choice(["1e 4c 5c", "4o 5o 6o", "3c 7o 6e", "4b 5b 6b"], *ALL_SUNG, "p1 play 1e", "p2 play 4o") == "play 6e"


def test_it_accepts_what_it_cannot_lose_and_refuses_what_it_cannot_win():
    after_two = ["p1 play 4c", "p2 play 1b", "p2 play 4e", "p1 play 6b"]
    assert choice(["4c 6b 1e", "1b 4e 7e"], *after_two, "p1 truco") == "retruco"
    # p1's last card is the strongest of all; p2's 12o has been beaten already.
    assert choice(["4c 6b 1e", "1b 12o 4e"], *after_two, "p1 play 1e", "p2 truco") == "retruco"
    assert choice(["4c 3b 4b", "1b 1e 4e"], "p1 play 4c", "p2 play 1b", "p2 truco") == "no-quiero"


def test_it_bets_when_a_loss_costs_nothing_more():
    """The others lack one point: to refuse or not to raise would lose the match for less."""
    play = OpenDeck(new_game("truco", 2, {"target": 5}), [["4c", "1e", "5c", "1b", "6o", "7e"]])
    play.game.score = [0, 4]
    do(play, "p1 play 4c")
    do(play, "p2 truco")
    move = truco.play(play.view(0), lambda n: 0)
    assert isinstance(move, Call)
    assert move.word != "no-quiero"


def test_it_accepts_no_falta_envido_with_a_poor_hand():
    for hand in ("3o 1e 7b", "4c 10o 12b", "4o 2o 1b"):
        assert choice([hand, "7o 6o 1c"], "p1 play " + hand.split()[0], "p2 falta-envido") == "no-quiero"


def test_it_states_its_number_if_that_is_better_and_concedes_otherwise():
    assert choice(["7e 6e 1b", "5o 4o 12c"], "p1 envido", "p2 quiero") == "say 33"
    assert choice(["7e 6e 1b", "5o 4o 12c"], "p1 envido", "p2 quiero", "p1 say 33") == "son-buenas"
    assert choice(["5o 4o 12c", "7e 6e 1b"], "p1 envido", "p2 quiero", "p1 say 29") == "say 33"


def after_calls(side, question, answer, times):
    """Return a match in which a side has given an answer so often."""
    game = new_game("truco", 2)
    game.habits[side, question, answer] = times
    return game


def test_the_first_call_tells_nothing_and_each_further_one_more():
    blind = [habit(after_calls(1, "open", "real-envido", times), 1, "open").blind for times in range(6)]
    assert blind[0] == pytest.approx(BLIND)
    assert blind[1] == pytest.approx(BLIND)
    assert blind[1] < blind[2] < blind[3] < blind[4]
    assert blind[4] > 0.9
    assert habit(after_calls(1, "open", "real-envido", 5), 0, "open").blind == pytest.approx(BLIND)


def test_typical_play_is_not_taken_for_blind():
    game = new_game("truco", 2)
    game.habits = {(1, "open", ""): 14, (1, "open", "envido"): 4, (1, "open", "real-envido"): 2}
    assert habit(game, 1, "open").blind < BLIND


def test_a_low_number_after_a_call_tells_much():
    game = after_calls(1, "open", "envido", 1)
    game.habits[1, "said after envido", "4"] = 1
    assert habit(game, 1, "open").blind > 3 * BLIND


def says_to_envido(hand, calls, game_habits):
    """Return how often a seat accepts an envido of the other, who has called like this before."""
    deck = [card for turn in zip(hand.split(), ["7o", "6o", "1c"], strict=True) for card in turn]
    play = OpenDeck(new_game("truco", 2), [deck])
    do(play, "p1 play " + hand.split()[0])
    play.game.habits.update(game_habits)
    for call in calls:
        do(play, call)
    view = play.view(0)
    mind = truco._Mind(view, view.game, lambda n: 0)
    return Envido(view.game, 0, hand.split(), mind.worth).says(last=False)


def test_a_blind_caller_is_accepted_with_less():
    hand, calls = "4o 2o 1b", ["p2 real-envido"]  # 26
    stranger = says_to_envido(hand, calls, {})
    blind = says_to_envido(hand, calls, {(1, "open", "real-envido"): 5})
    assert stranger["no-quiero"] > 0.5
    assert blind["no-quiero"] < 0.1


def test_what_is_said_is_counted():
    play = OpenDeck(new_game("truco", 2), [["4o", "7o", "2o", "6o", "1b", "1c"]])
    for action in ("p1 envido", "p2 quiero", "p1 say 26", "p2 say 33", "p1 truco", "p2 no-quiero"):
        do(play, action)
    assert play.game.habits == {
        (0, "open", "envido"): 1,
        (1, "envido", "quiero"): 1,
        (0, "said after envido", "26"): 1,
        (1, "said", "33"): 1,
        (0, "sing", "truco"): 1,
        (1, "truco", "no-quiero"): 1,
    }


def every_position():
    """Yield the hands and results of the last trick: who wins is plain."""
    for mover, other, led in product(range(1, 15), range(1, 15), (False, True)):
        if led:
            yield (mover,), (), other, mover > other, mover == other
        else:
            yield (mover,), (other,), 0, mover > other, mover == other


def test_a_duel_of_last_cards_is_won_by_the_stronger_or_the_mano():
    for mover, other, led, stronger, tied in every_position():
        for mano in (False, True):
            won = truco_duel.wins(mover, other, led, (1, -1), mano=mano, first_decides=False)
            assert won == (stronger or (tied and mano))
        assert truco_duel.wins(mover, other, led, (1, -1), mano=False, first_decides=True) == (stronger or tied)


def test_a_duel_agrees_with_the_search_for_teams():
    """Of whole hands too: the two were written apart."""
    random = Random(5)
    for _ in range(40):
        cards = random.sample(SPANISH_40, 6)
        play = OpenDeck(new_game("truco", 2), [cards], first=0)
        for action in ALL_SUNG:
            do(play, action)
        view = play.view(0)
        odds_there = Odds(view.game, 0, dict(view.faces), random.randrange)
        hands = [play.hand(0), play.hand(1)]
        mine, theirs = (truco_calls.held(hand) for hand in hands)
        won = truco_duel.wins(mine, theirs, 0, (), mano=True, first_decides=False)
        assert won == (odds_there.tricks.winner(hands) == 0)


@pytest.mark.parametrize("name", ["falta-envido", "real-envido", "always-truco", "never-folds"])
def test_no_blind_player_beats_it(name):
    """Each of these beat the player before this one, or nearly; tests.bots.duel measures all of them at length."""
    wins = 0
    for seed in range(8):
        bots = [LEAGUE["truco"][name]] * 2
        bots[seed % 2] = truco.play
        wins += seed % 2 in played(2, bots, seed // 2).game.winners
    assert wins >= 4


def test_it_opens_the_envido_with_much():
    assert choice(["12c 4o 5o", "7e 6e 1b"], "p1 play 12c") in ENVIDO


@pytest.mark.parametrize(("players", "matches"), sample([(2, 4), (4, 3), (6, 2), (2, 8), (4, 8), (6, 8)], 3, rows=True))
def test_it_makes_no_silly_moves(players, matches):
    """Looked for in whole matches among equals, with all cards known to the test."""
    counted = {"moves": 0}

    def seen(play, seat, move):
        counted["moves"] += 1
        view = play.view(seat)
        if isinstance(move, Say):
            return
        never_folds_early(play, seat, move)
        never_concedes_what_it_beats(play, seat, move, view)
        never_wastes_the_last_card_of_a_trick(play, seat, move)
        never_bets_on_a_lost_deal(play, seat, move)

    for seed in range(matches):
        assert played(players, [truco.play] * players, seed, seen, target=12, envido_callers="any").over
    assert counted["moves"] > 100


def never_folds_early(play, seat, move):
    """It gives up only in the second or third trick, alone, when every card loses."""
    if move == Call("mazo"):
        game = play.game
        assert game.results
        assert len(game.awake_of(seat % 2)) == 1
        best = max(STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 != seat % 2)
        assert all(STRENGTH[card] <= best for card in play.hand(seat))


def never_concedes_what_it_beats(play, seat, move, view):
    if move == Call("son-buenas"):
        dealt = [view.face(slot) for slot, holder in play.game.holder.items() if holder == seat]
        assert not play.game.beats(seat, envido_points(dealt))


def never_wastes_the_last_card_of_a_trick(play, seat, move):
    """Last to play, it throws no strong card that neither wins nor ties, nor a stronger one than it needs to win."""
    game = play.game
    if not isinstance(move, Play) or len(game.played()) != len(game.awake(0)) - 1 or len(game.hands[seat]) == 1:
        return
    chosen = STRENGTH[play.faces[move.card]]
    held = [STRENGTH[card] for card in play.hand(seat)]
    theirs = max(STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 != seat % 2)
    ours = max((STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 == seat % 2), default=0)
    if chosen < theirs or ours > theirs:
        assert chosen == min(held), "what does not win is the lowest"
    elif chosen > theirs:
        assert chosen == min(card for card in held if card > theirs), "what wins is the cheapest"


def never_bets_on_a_lost_deal(play, seat, move):
    """It raises or accepts nothing when all cards of the last trick but its own are open and its own is beaten."""
    game = play.game
    last = len(game.results) == 2 and len(game.played()) == len(game.awake(0)) - 1 and play.hand(seat)
    if last and isinstance(move, Call) and (move.word in TRUCO or move.word == "quiero") and seat not in game.played():
        theirs = max(STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 != seat % 2)
        ours = max((STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 == seat % 2), default=0)
        doomed = max(ours, *map(STRENGTH.get, play.hand(seat))) < theirs
        lose_anyway = game.score[1 - seat % 2] + game.stake >= game.options["target"]
        assert not doomed or lose_anyway
