"""The computer player of Truco: it beats chance, is quick, and makes none of the moves that a
player would call silly."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from engine.bots import chance, truco, truco_chance
from engine.bots.truco import CHARACTERS, rate
from engine.bots.truco_odds import standing
from engine.bots.truco_past import heard
from engine.bots.truco_solved import plan
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.truco.moves import ENVIDO, TRUCO, Call, Play, Say
from engine.games.truco.worth import STRENGTH, envido_points
from engine.scenario import do
from tests.bots.opponents import LEAGUE
from tests.sample import odds, sample

ALL_SUNG = ("p1 truco", "p2 retruco", "p1 vale4", "p2 quiero")
"""Nothing more can be sung: only cards are left to play."""


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
    return play.game.write(truco.play(play.view(play.turn[0]), lambda n: n // 2), play.faces)


@pytest.mark.parametrize(("matches", "least"), sample([(15, 13), (60, 50)], 1, rows=True))
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
    assert (
        choice(
            ["1e 4c 5c", "4o 5o 6o", "3c 7o 6e", "4b 5b 6b"], *ALL_SUNG, "p1 play 1e", "p2 play 4o"
        )
        == "play 6e"
    )


def test_it_accepts_what_it_cannot_lose_and_refuses_what_it_cannot_win():
    after_two = ["p1 play 4c", "p2 play 1b", "p2 play 4e", "p1 play 6b"]
    assert choice(["4c 6b 1e", "1b 4e 7e"], *after_two, "p1 truco") != "no-quiero"
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


def test_it_refuses_no_truco_where_that_loses_the_match():
    """It has no chance as far as it can see, and risks nothing more."""
    play = OpenDeck(new_game("truco", 2, {"target": 15}), [["4c", "1b", "3b", "1e", "4b", "4e"]])
    for action in ("p1 play 4c", "p2 play 1b", "p2 truco", "p1 retruco", "p2 vale4"):
        do(play, action)
    for theirs, refuses in ((11, {True}), (12, {False})):
        play.game.score = [6, theirs]
        assert {
            truco.play(play.view(0), Random(seed).randrange) == Call("no-quiero")
            for seed in range(8)
        } == refuses


def test_it_sings_no_truco_while_it_waits_for_an_envido_with_a_good_number():
    # the second has 32, and may open the envido; so may the third
    hands = ("6e 2b 1c", "5c 5o 7o", "1e 11o 6c", "12e 1o 5e")
    assert "truco" not in answers("Ramona", hands, "p1 play 6e", times=20)


def test_it_accepts_no_falta_envido_with_a_poor_hand():
    for hand in ("3o 1e 7b", "4c 10o 12b", "4o 1o 1b"):
        assert (
            choice([hand, "7o 6o 1c"], "p1 play " + hand.split()[0], "p2 falta-envido")
            == "no-quiero"
        )


def test_it_states_its_number_if_that_is_better_and_concedes_otherwise():
    assert choice(["7e 6e 1b", "5o 4o 12c"], "p1 envido", "p2 quiero") == "say 33"
    assert choice(["7e 6e 1b", "5o 4o 12c"], "p1 envido", "p2 quiero", "p1 say 33") == "son-buenas"
    assert choice(["5o 4o 12c", "7e 6e 1b"], "p1 envido", "p2 quiero", "p1 say 29") == "say 33"


def test_tricks_are_counted_as_the_rules_count_them():
    """The answers that are read from the past agree with the state of the match before each card
    was played."""
    count = 0
    for players, seed in product((2, 4), range(6)):
        seen = []

        def note(play, seat, move, seen=seen):
            if isinstance(move, Play):
                won = [None if by is None else by % 2 for by in play.game.results]
                seen.append((seat, play.faces[move.card], tuple(won), play.game.stake))

        play = played(players, [chance.play] * players, seed, note, target=9)
        cards = [word for word in heard(play.game, play.view(0).past) if word.question == "card"]
        assert [(word.seat, word.answer, word.results, word.stake) for word in cards] == seen
        count += len(seen)
    assert count > 60


def test_a_better_hand_has_a_better_chance():
    hands = [(3, 2, 1), (7, 5, 2), (10, 7, 4), (12, 9, 5), (14, 10, 7)]
    for mano in (False, True):
        values = [
            truco_chance.chance((), 0, 0, hand, mano=mano, first_decides=False, members=1)
            for hand in hands
        ]
        assert values == sorted(values)
        assert values[0] < 0.35
        assert values[-1] > 0.9


def test_a_sure_trick_is_certain():
    assert (
        truco_chance.chance((1, -1), 0, 10, (14,), mano=False, first_decides=False, members=1)
        == 1.0
    )
    assert (
        truco_chance.chance((1, -1), 0, 14, (10,), mano=True, first_decides=False, members=1) == 0.0
    )
    assert (
        truco_chance.chance((-1, 1), 0, 10, (10,), mano=True, first_decides=False, members=1) == 1.0
    )
    assert (
        truco_chance.chance((-1, 1), 0, 10, (10,), mano=False, first_decides=True, members=1) == 0.0
    )


def positions(count, players=2):
    """Yield views at random positions of matches played by chance, where a seat has a choice."""
    random = Random(11)
    while count:
        play = OpenDeck(
            new_game("truco", players, {"target": 9}), shuffled(random.randrange), first=0
        )
        while play.turn:
            view = play.view(play.turn[0])
            options = list(view.options)
            if len(options) > 1 and random.random() < 0.1:
                yield view, options
                count -= 1
                if not count:
                    return
            play.act(view.seat, chance.play(view, random.randrange))


@pytest.mark.parametrize(
    ("players", "count"), sample([(2, 6), (4, 2), (2, 150), (4, 40), (6, 30)], 2, rows=True)
)
def test_every_move_is_rated_and_the_same_view_gives_the_same(players, count):
    """The characters play legally there, too."""
    for view, options in positions(count, players):
        rated = rate(view, Random(3).randrange)
        assert rated == rate(view, Random(3).randrange)
        assert rated.unit == "win"
        assert sorted(map(repr, options)) == sorted(repr(one.move) for one in rated.moves)
        assert all(0.0 <= one.value <= 1.0 for one in rated.moves)
        assert [one.value for one in rated.moves] == sorted(
            (one.value for one in rated.moves), reverse=True
        )
        for character in CHARACTERS:
            move = character.play(view, Random(4).randrange)
            assert move in options
            assert move == character.play(view, Random(4).randrange)


@pytest.mark.parametrize("count", sample([15, 40], 1))
def test_the_strongest_plays_what_it_rates_high(count):
    """Calls of the envido are mixed; all else is nearly the best."""
    for view, _ in positions(count):
        values = {one.move: one.value for one in rate(view, lambda n: 0).moves}
        move = truco.play(view, lambda n: 0)
        assert values[move] > max(values.values()) - 0.05, (values, move)


BLIND = [("falta-envido", 8), ("never-folds", 8), ("real-envido", 24), ("always-truco", 8)]


@pytest.mark.parametrize(("name", "matches"), sample(BLIND, 1, rows=True))
def test_no_blind_player_beats_it(name, matches):
    """Each of these beat the player before this one, or nearly; tests.bots.duel measures all of
    them at length."""
    wins = 0
    for seed in range(matches):
        bots = [LEAGUE["truco"][name]] * 2
        bots[seed % 2] = truco.play
        wins += seed % 2 in played(2, bots, seed // 2).game.winners
    assert 2 * wins >= matches


def test_it_opens_the_envido_with_much():
    assert choice(["12c 4o 5o", "7e 6e 1b"], "p1 play 12c") in ENVIDO


@pytest.mark.parametrize(
    ("players", "matches"), sample([(2, 4), (4, 2), (6, 2), (2, 8), (4, 8), (6, 8)], 3, rows=True)
)
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
        assert played(
            players, [truco.play] * players, seed, seen, target=12, envido_callers="any"
        ).over
    assert counted["moves"] > 80


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
    """Last to play, it throws no strong card that neither wins nor ties, nor a stronger one than it
    needs to win."""
    game = play.game
    if (
        not isinstance(move, Play)
        or len(game.played()) != len(game.awake(0)) - 1
        or len(game.hands[seat]) == 1
    ):
        return
    chosen = STRENGTH[play.faces[move.card]]
    held = [STRENGTH[card] for card in play.hand(seat)]
    theirs = max(STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 != seat % 2)
    ours = max(
        (STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 == seat % 2),
        default=0,
    )
    if chosen < theirs or ours > theirs:
        assert chosen == min(held), "a card that does not win is the lowest"
    elif chosen > theirs:
        assert chosen == min(card for card in held if card > theirs), (
            "a card that wins is the cheapest"
        )


def never_bets_on_a_lost_deal(play, seat, move):
    """It accepts nothing, nor raises at a table of more than two, when all cards of the last trick
    but its own are open and its own is beaten: of two, the other does not know that yet."""
    game = play.game
    last = (
        len(game.results) == 2 and len(game.played()) == len(game.awake(0)) - 1 and play.hand(seat)
    )
    if (
        last
        and isinstance(move, Call)
        and (move.word == "quiero" or (move.word in TRUCO and game.players > 2))
        and seat not in game.played()
    ):
        theirs = max(
            STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 != seat % 2
        )
        ours = max(
            (STRENGTH[game.faces[slot]] for by, slot in game.tricks[-1] if by % 2 == seat % 2),
            default=0,
        )
        doomed = max(ours, *map(STRENGTH.get, play.hand(seat))) < theirs
        lose_anyway = game.score[1 - seat % 2] + game.stake >= game.options["target"]
        assert not doomed or lose_anyway


BY_NUMBER = {
    5: "5o 3c 1b",
    24: "4o 10o 1b",
    25: "4o 1o 1b",
    26: "4o 2o 1b",
    27: "4o 3o 1b",
    28: "5o 3o 1b",
}
BY_GREAT_NUMBER = {30: "6o 4o 1b", 32: "7o 5o 1b", 33: "7o 6o 1b"}


def openings(hand, times=8):
    """Return the openings of the mano with a hand, as the lot falls."""
    deck = [card for turn in zip(hand.split(), ["4e", "5e", "11c"], strict=True) for card in turn]
    view = OpenDeck(new_game("truco", 2), [deck]).view(0)
    moves = [truco.play(view, Random(seed).randrange) for seed in range(times)]
    return [move.word for move in moves if isinstance(move, Call) and move.word in ENVIDO]


@pytest.mark.parametrize(
    "number", sample(sorted(BY_NUMBER, key=lambda number: number not in (5, 26)), 2)
)
def test_a_small_number_is_not_called_louder_than_a_greater_one(number):
    """Real envido is mixed in, no more than it must be."""
    hands = (BY_NUMBER[number].split(), ["4e", "5e", "11c"])
    deck = [card for turn in zip(*hands, strict=True) for card in turn]
    planned = plan(OpenDeck(new_game("truco", 2), [deck]).view(0))
    often = {move.word: one.often for move, one in planned.items() if isinstance(move, Call)}
    assert often["falta-envido"] < 0.05
    assert often["real-envido"] < 0.55


def test_the_louder_calls_are_those_of_good_numbers():
    loud = {
        number: sum(word != "envido" for word in openings(hand))
        for number, hand in BY_GREAT_NUMBER.items()
    }
    assert sum(loud.values()) >= 8
    assert all(len(openings(hand)) >= 4 for hand in BY_GREAT_NUMBER.values())


def answer(score, hand, *actions):
    """Return how often the first seat says each word of the envido with a hand, after these actions
    at a score."""
    deck = [card for turn in zip(hand.split(), ["3e", "12e", "11c"], strict=True) for card in turn]
    play = OpenDeck(new_game("truco", 2), [deck])
    play.game.score = list(score)
    for action in actions:
        do(play, action)
    return {
        move.word: one.often for move, one in plan(play.view(0)).items() if isinstance(move, Call)
    }


def test_it_raises_nobody_out_who_would_lose_the_match_by_refusing():
    """A refused falta envido would bring two points, which are all that is missing."""
    often = answer((13, 11), "12c 11o 10b", "p1 play 12c", "p2 envido")
    assert often["no-quiero"] > 0.8


def test_it_hardly_bluffs_against_a_raise():
    assert answer((0, 0), "5o 3c 1b", "p1 envido", "p2 envido")["no-quiero"] > 0.8


def answers(name, hands, *actions, times=10):
    """Return the moves of a character with these hands after these actions, as the lot falls, and
    how often it makes each."""
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    play = OpenDeck(new_game("truco", len(hands)), [deck])
    for action in actions:
        do(play, action)
    character = next(one for one in CHARACTERS if one.name == name)
    view = play.view(play.turn[0])
    return Counter(
        play.game.write(character.play(view, Random(seed).randrange), play.faces)
        for seed in range(times)
    )


def test_eider_does_not_raise_on_a_middling_hand_straight_after_accepting():
    hands = ["1c 12o 4b", "2o 11c 4e"]
    assert "retruco" not in answers("Eider", hands, "p1 truco", "p2 quiero", "p1 play 4b")


def test_eider_does_not_sing_truco_with_nothing_nor_raise_what_a_partner_accepted():
    hands = ("6e 6b 10e", "7c 7e 7o", "5b 5e 1e", "4o 5o 12o")
    assert answers("Eider", hands, times=20)["truco"] < 4
    assert "vale4" not in answers("Eider", hands, "p1 truco", "p2 retruco", "p3 quiero")


def test_anselmo_calls_what_he_cannot_lose():
    hands = ["4c 6b 1e", "1b 4e 7e"]
    assert answers(
        "Anselmo", hands, "p1 play 4c", "p2 play 1b", "p2 play 4e", "p1 play 6b"
    ).keys() == {"truco"}


def test_snaefridur_accepts_where_the_strongest_raises():
    hands = ["1e 3c 6b", "1c 12o 4b"]
    assert answers("Ramona", hands, "p1 play 6b", "p2 truco").keys() <= {"quiero", "retruco"}
    assert "retruco" in answers("Ramona", hands, "p1 play 6b", "p2 truco")
    assert answers("Snæfríður", hands, "p1 play 6b", "p2 truco").keys() == {"quiero"}
