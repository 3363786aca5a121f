"""The rules of docs/rules/truco.md that the scenario files do not pin, and the events for
screens."""

from random import Random

import pytest

from engine.core.cards import SPANISH_40
from engine.core.moves import IllegalMove, NotAMove
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.options import BadOption
from engine.core.run import Run
from engine.games import new_game
from engine.games.truco import events
from engine.games.truco.moves import WORDS, Play, Say, Show
from engine.games.truco.rules import ENVIDO, TRUCO
from engine.games.truco.worth import STRENGTH, deal_winner
from engine.scenario import do

# p1 is the mano.                 p1: 7e 6e 4c = 33    p2: 5o 4o 12o = 29
DECK = ["7e", "5o", "6e", "4o", "4c", "12o"]
# p1: 4o 5o 1e = 29   p2: 7c 4c 3b = 31   p3: 6e 5e 2b = 31   p4: 7b 6b 10o = 33
FOUR = ["4o", "7c", "6e", "7b", "5o", "4c", "5e", "6b", "1e", "3b", "2b", "10o"]


def opened(deck=(), players=2, first=0, **options):
    return OpenDeck(new_game("truco", players, options), [deck], first)


def after(play, *actions):
    """Do these; return all that was told, also before the next deal was shuffled."""
    told = []
    run = play.run
    advance = type(run)._advance

    def noting(*args):
        advance(run, *args)
        told.extend(run.game.told)

    run._advance = noting
    for action in actions:
        do(play, action)
    del run._advance
    return told


def refusal(play, action):
    with pytest.raises(IllegalMove) as refused:
        do(play, action)
    return refused.value.why


def legal(play, seat):
    return {play.game.write(move, play.faces) for move in play.options(seat)}


def test_R1_R4_seats_and_options():
    for players in (1, 3, 5, 8):
        with pytest.raises(BadOption):
            new_game("truco", players)
    for key, value in (
        ("target", 4),
        ("target", 41),
        ("falta", "buenas"),
        ("early_mazo", 3),
        ("early_mazo", 0),
        ("envido_first", 1),
    ):
        with pytest.raises(BadOption):
            new_game("truco", 2, {key: value})
    assert new_game("truco", 6).options == {
        "target": 15,
        "falta": "leader",
        "third_tie": "mano",
        "envido_callers": "left",
        "envido_first": True,
        "early_mazo": 2,
        "flor": False,
    }


def test_R3_strengths():
    groups = [
        [card for card in SPANISH_40 if STRENGTH[card] == strength] for strength in range(14, 0, -1)
    ]
    assert groups[:4] == [["1e"], ["1b"], ["7e"], ["7o"]]
    assert [len(group) for group in groups[4:]] == [4, 4, 2, 4, 4, 4, 2, 4, 4, 4]
    assert groups[6] == ["1o", "1c"]
    assert groups[10] == ["7c", "7b"]
    assert [group[0][:-1] for group in groups[4:]] == [
        "3",
        "2",
        "1",
        "12",
        "11",
        "10",
        "7",
        "6",
        "5",
        "4",
    ]


def test_R6_the_mano_moves_on_however_the_deal_ended():
    play = opened(players=4, first=2)
    manos = [play.game.mano]
    for actions in (
        ["p3 truco", "p4 no-quiero"],
        ["p4 mazo", "p1 play 2o", "p2 mazo"],
        ["p1 truco", "p4 no-quiero"],
    ):
        after(play, *actions)
        manos.append(play.game.mano)
    assert manos == [2, 3, 0, 1]
    assert play.game.round == 4


@pytest.mark.parametrize(
    ("won", "winner"),
    [
        ([], None),
        ([0], None),
        ([None], None),
        ([0, 0], 0),
        ([1, None], 1),
        ([None, 1], 1),
        ([None, None], None),
        ([0, 1], None),
        ([0, 1, 0], 0),
        ([None, None, 0], 0),
    ],
)
def test_R13_who_wins_the_deal(won, winner):
    assert deal_winner(won, 1, first_decides=False) == winner


def test_R14_a_tied_third_trick():
    assert deal_winner([0, 1, None], 1, first_decides=False) == 1
    assert deal_winner([0, 1, None], 1, first_decides=True) == 0
    assert deal_winner([None, None, None], 1, first_decides=True) == 1


def test_R11_the_best_cards_of_both_teams_tie_whoever_else_has_one():
    play = opened(["3o", "2o", "4c", "3c", "6o", "6c", "5o", "5c"], players=4)
    told = after(play, "p1 play 3o", "p2 play 2o", "p3 play 4c", "p4 play 3c")
    assert events.Trick(1, None, "3o") in told
    assert play.turn == (0,)


def test_R12_after_a_tie_the_next_to_the_mano_leads_if_it_has_folded():
    play = opened(["4o", "3o", "3c", "4c"], players=4)
    after(play, "p1 mazo", "p2 play 3o", "p3 play 3c", "p4 play 4c")
    assert play.game.results == [None]
    assert play.turn == (1,)


def test_R16_a_folded_winner_cannot_be_asked_and_the_trick_counts_as_it_lies():
    play = opened(["4o", "3o", "1e", "4c"], players=4)
    after(play, "p1 play 4o", "p2 play 3o", "p3 play 1e", "p4 mazo")
    assert (play.game.results, play.turn, play.hand(3)) == ([2], (2,), [])
    after(play, "p3 truco")
    assert play.turn == (1,)
    assert refusal(play, "p4 quiero") == ("not-your-turn",)


@pytest.mark.parametrize(
    ("actions", "early_mazo", "points", "how"),
    [
        (["p1 mazo"], 2, 2, "early-mazo"),
        (["p1 mazo"], 1, 1, "mazo"),
        (["p1 play 4c", "p2 mazo"], 2, 2, "early-mazo"),
        (["p1 play 4c", "p2 play 5o", "p2 mazo"], 2, 1, "mazo"),
        (["p1 envido", "p2 no-quiero", "p1 mazo"], 2, 1, "mazo"),
        (["p1 truco", "p2 quiero", "p1 mazo"], 2, 2, "mazo"),
    ],
)
def test_R17_what_giving_up_costs(actions, early_mazo, points, how):
    told = after(opened(DECK, early_mazo=early_mazo), *actions)
    (won,) = [event for event in told if isinstance(event, events.DealWon)]
    assert won == events.DealWon(int(actions[-1].startswith("p1")), points, how)


def test_R18_truco_in_any_trick_and_each_call_once():
    play = opened(DECK)
    after(play, "p1 play 4c", "p2 play 5o", "p2 truco", "p1 quiero", "p2 play 4o")
    assert legal(play, 0) >= {"retruco"}
    after(play, "p1 retruco", "p2 vale4", "p1 quiero")
    assert (play.game.stake, play.game.right) == (4, 0)
    assert not legal(play, 0) & set(TRUCO)


def test_R19_R22_after_the_envido_the_same_team_answers_the_truco():
    play = opened(FOUR, players=4)
    told = after(play, "p1 play 4o", "p2 truco", "p3 envido", "p4 no-quiero")
    assert play.turn == (0, 2)
    assert events.Sung(2, "envido", "first") in told
    assert legal(play, 0) == {"quiero", "no-quiero", "retruco"}
    told = after(play, "p1 retruco")
    assert told == [events.Sung(0, "retruco", "answer")]
    assert (play.turn, play.game.stake) == ((1, 3), 2)


def test_R22_not_with_the_option_and_not_with_a_card_played():
    assert not legal_after(["p1 truco"], 1, envido_first=False) & set(ENVIDO)
    assert legal_after(["p1 truco"], 1) >= set(ENVIDO)
    assert not legal_after(["p1 play 7e", "p2 truco"], 0) & set(ENVIDO)
    assert not legal_after(["p1 truco", "p2 retruco"], 0) & set(ENVIDO)


def legal_after(actions, seat, **options):
    play = opened(DECK, **options)
    after(play, *actions)
    return legal(play, seat)


@pytest.mark.parametrize(
    ("players", "callers", "seats"),
    [
        (2, "left", {0, 1}),
        (2, "pies", {0, 1}),
        (4, "left", {1, 2}),
        (6, "left", {3, 4}),
        (4, "pies", {2, 3}),
        (6, "pies", {4, 5}),
        (6, "any", {0, 1, 2, 3, 4, 5}),
    ],
)
def test_R21_who_may_open(players, callers, seats):
    play = opened(players=players, envido_callers=callers)
    assert set(play.game.openers()) == seats
    for seat in range(players):
        assert (set(ENVIDO) <= legal(play, seat)) == (seat in seats)
        play.act(seat, next(play.options(seat)))


def test_R28_the_points_may_end_the_match_while_a_truco_waits():
    play = opened(DECK, target=5)
    after(play, "p1 truco", "p2 falta-envido", "p1 quiero", "p1 say 33", "p2 son-buenas")
    assert (play.over, play.game.score, play.game.waiting) == (True, [5, 0], None)
    assert play.game.table() == ["7e", "6e"]
    assert play.hand(0) == ["4c"]


def test_R34_anybody_may_leave_and_the_other_team_wins():
    for players, leaver in ((2, 0), (4, 3), (6, 2)):
        play = opened(players=players)
        play.leave(leaver)
        assert play.game.winners == play.game.seats_of(1 - leaver % 2)
    run = Run(new_game("truco", 4))
    run.leave([1])  # during the toss
    assert run.game.winners == (0, 2)


def test_R31_points_are_told_and_added_in_full():
    play = opened(DECK, target=5)
    play.game.score = [4, 4]
    told = after(play, "p1 truco", "p2 quiero", "p1 mazo")
    assert told[-3:] == [events.DealWon(1, 2, "mazo"), events.Score(0, 0, 4), events.Score(1, 2, 6)]
    assert play.game.winners == (1,)


def test_crossing_into_the_buenas_is_told_once():
    play = opened(DECK, target=30)
    play.game.score = [14, 0]
    told = after(play, "p1 envido", "p2 no-quiero")
    assert events.Buenas(0) in told
    assert events.Buenas not in map(type, after(play, "p1 play 4c", "p2 mazo"))


# Refusals, notation, the pack.


@pytest.mark.parametrize(
    ("actions", "action", "why"),
    [
        ([], "p1 play 5o", ("not-in-hand", "5o")),
        ([], "p2 play 5o", ("not-your-turn",)),
        ([], "p1 quiero", ("nothing-waits",)),
        ([], "p1 say 33", ("no-points-now",)),
        ([], "p1 son-buenas", ("no-points-now",)),
        ([], "p1 retruco", ("not-yet",)),
        (["p1 truco"], "p2 play 5o", ("answer-first",)),
        (["p1 truco"], "p2 mazo", ("answer-first",)),
        (["p1 truco"], "p2 truco", ("sung-already",)),
        (["p1 truco"], "p2 vale4", ("not-yet",)),
        (["p1 truco", "p2 quiero"], "p1 retruco", ("not-your-raise",)),
        (["p1 truco", "p2 quiero"], "p1 envido", ("truco-accepted",)),
        (["p1 truco", "p2 retruco"], "p1 envido", ("truco-accepted",)),
        (["p1 envido"], "p2 truco", ("envido-waits",)),
        (["p1 real-envido"], "p2 envido", ("no-such-raise",)),
        (["p1 envido", "p2 no-quiero"], "p1 envido", ("envido-once",)),
        (["p1 play 7e", "p2 play 5o"], "p1 envido", ("envido-too-late",)),
        (["p1 play 7e", "p2 truco"], "p1 envido", ("envido-too-late",)),
        (["p1 envido", "p2 quiero"], "p1 say 32", ("not-your-points", 32)),
        (["p1 envido", "p2 quiero"], "p1 say 34", ("not-your-points", 34)),
        (["p1 envido", "p2 quiero"], "p1 son-buenas", ("state-points",)),
        (["p1 envido", "p2 quiero"], "p1 play 7e", ("state-points",)),
        (["p1 envido", "p2 quiero", "p1 say 33"], "p2 say 29", ("does-not-beat", 33)),
        (["p1 envido", "p2 quiero", "p1 say 33"], "p2 quiero", ("state-or-concede",)),
    ],
)
def test_why_a_move_is_refused(actions, action, why):
    play = opened(DECK)
    after(play, *actions)
    assert refusal(play, action) == why


def test_why_a_move_is_refused_by_options_and_other_ways():
    play = opened(DECK, envido_first=False)
    do(play, "p1 truco")
    assert refusal(play, "p2 envido") == ("truco-first",)
    assert refusal(opened(FOUR, players=4), "p1 envido") == ("not-your-envido",)
    game, hand = play.game, play.known(1)
    assert game.why_not(1, Show((1,)), hand) == ("not-allowed-now",)
    play = opened(DECK)
    after(play, "p1 envido", "p2 quiero", "p1 say 33", "p2 son-buenas")
    assert play.game.why_not(0, Show((1,)), play.known(0)) == ("not-the-proof",)
    assert opened(DECK).game.why_not(0, Play(99), {}) == ("not-in-hand",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "play",
        "play 8o",
        "play 7o 6o",
        "say",
        "say 033",
        "say x",
        "say -1",
        "say 33 33",
        "truco truco",
        "show 7o",
        "Truco",
        "sing",
    ],
)
def test_R37_malformed_moves(text):
    with pytest.raises(NotAMove):
        opened(DECK).game.read(text, 0, {})


def test_R37_all_words_are_read_and_written():
    game = opened(DECK).game
    for word in WORDS:
        assert game.write(game.read(word, 0, {}), {}) == word
    assert game.read("say 33", 0, {}) == Say(33)
    assert game.write(Show((2, 1)), {1: "7e", 2: "6e"}) == "show 7e 6e"


def test_a_deal_by_tricks_is_told_line_by_line():
    told = after(
        opened(DECK),
        "p1 play 7e",
        "p2 play 5o",
        "p1 play 6e",
        "p2 play 12o",
        "p2 play 4o",
        "p1 play 4c",
    )
    assert [event for event in told if not isinstance(event, events.Deal)] == [
        events.Trick(1, 0, "7e"),
        events.Trick(2, 1, "12o"),
        events.Trick(3, None, "4o"),
        events.DealWon(0, 1, "tricks"),
        events.Score(0, 1, 1),
        events.Score(1, 0, 0),
    ]
    assert events.Deal(2, 0, 1) in told


def test_cards_are_conserved():
    for players in (2, 4, 6):
        random = Random(players)
        play = OpenDeck(new_game("truco", players, {"target": 9}), shuffled(random.randrange))
        while play.turn:
            game = play.game
            played = [slot for trick in game.tricks for _, slot in trick]
            places = [
                *game.stock,
                *played,
                *game.shown,
                *(slot for hand in game.hands for slot in hand),
            ]
            assert len(places) == len(set(places))
            assert len(places) == 40 or game.folded
            seat = random.choice(play.turn)
            play.act(seat, random.choice(list(play.options(seat))))


def test_the_next_pack_is_certain_until_the_match_is_over():
    play = opened(players=4)
    assert play.game.next_pack() == (SPANISH_40, (0, 1, 2, 3))
    play.leave(1)
    assert play.game.next_pack() is None
