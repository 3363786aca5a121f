"""The rules of docs/rules/escoba.md that the scenario files do not pin, and the events for
screens."""

from dataclasses import astuple
from itertools import combinations
from random import Random

import pytest

from engine.core.cards import SPANISH_40
from engine.core.moves import IllegalMove
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.requests import Open, Prove, Shuffle
from engine.core.run import Run
from engine.games import new_game
from engine.games.escoba import events
from engine.games.escoba.rules import Play
from engine.games.escoba.sums import count_lines, takers
from engine.scenario import do

# p1 holds 7o 5c 12e and p2 10b 2c 3o; on the table lie 5e 3b 4c 6o.
DECK = ["7o", "10b", "5c", "2c", "12e", "3o", "5e", "3b", "4c", "6o"]


def opened(deck=(), players=2, **options):
    return OpenDeck(new_game("escoba", players, options), [deck])


def told(play, kind):
    return [astuple(event) for event in play.game.told if isinstance(event, kind)]


def test_R2_what_can_take():
    for size in range(6):
        for cards in combinations((1, 2, 3, 5, 8, 9, 10), size):
            sums = {
                sum(group) for count in range(1, size + 1) for group in combinations(cards, count)
            }
            assert takers(cards) == {value for value in range(1, 11) if 15 - value in sums}


@pytest.mark.parametrize("capture", ["hand", "card", "free"])
def test_listing_and_judging_agree(capture):
    random = Random(5)
    for _ in range(20):
        play = OpenDeck(
            new_game("escoba", 2, {"capture": capture, "target": 1}), shuffled(random.randrange)
        )
        while play.turn:
            seat, game = play.turn[0], play.game
            listed = list(play.options(seat))
            assert len(set(listed)) == len(listed)
            if len(game.on_table) <= 6:
                groups_of_table = [
                    group
                    for size in range(len(game.on_table) + 1)
                    for group in combinations(game.on_table, size)
                ]
                every = [
                    Play(card, group) for card in game.hands[seat] for group in groups_of_table
                ]
                options = game.plays(seat, play.known(seat))
                assert {move for move in every if move in options} == set(listed)
            play.act(seat, random.choice(listed))


@pytest.mark.parametrize(
    ("four", "count"),
    [
        (["1e", "2e", "3e", "10o"], 0),
        (["7o", "5c", "1o", "2o"], 1),
        (["12o", "12e", "6o", "4o"], 2),
    ],
)
@pytest.mark.parametrize(("first_table", "seat"), [("dealer", 1), ("first", 0)])
def test_R5_a_first_table_of_15_or_30_is_swept(four, count, first_table, seat):
    others = [card for card in SPANISH_40 if card not in four][:6]
    play = opened([*others, *four], first_table=first_table)
    assert (len(play.game.on_table) == 0) == (count > 0)
    assert play.game.eskobas == ([count, 0] if seat == 0 else [0, count])
    assert told(play, events.FirstTable) == ([(seat, count, tuple(four))] if count else [])
    assert play.turn == (0,)
    if count:
        assert (play.game.last_capture, play.game.last_eskoba) == (seat, seat)


def test_R10_how_many_hands_are_to_come():
    assert [opened(players=players).game.hands_to_come() for players in (2, 3, 4, 6)] == [
        5,
        3,
        2,
        1,
    ]


def test_why_a_play_is_refused_that_no_notation_can_name():
    play = opened(DECK)
    game, hand = play.game, play.known(0)
    assert game.why_not(0, Play(99), hand) == ("not-in-hand",)
    assert game.why_not(0, Play(1), hand) == ("not-in-hand",)
    assert game.why_not(0, Play(0, (99,)), hand) == ("not-on-table",)
    assert game.why_not(0, Play(0, (8, 8)), hand) == ("named-twice",)
    with pytest.raises(IllegalMove):
        play.act(0, Play(0, (8, 8)))


def test_C1_a_lay_is_proven_against_the_table_before_it():
    run = Run(new_game("escoba", 2))
    run.answer(0)
    assert isinstance(run.request, Shuffle)
    run.answer()
    run.answer()
    assert isinstance(run.request, Open)
    # only a 5 takes
    run.opened(dict(zip(run.request.slots, ["12o", "12e", "12c", "12b"], strict=True)))
    card = run.game.hands[0][0]
    run.choose(0, Play(card), {card: "3e"})
    run.conclude()
    assert isinstance(run.request, Prove)
    assert run.request.claims == {0: tuple(run.game.hands[0])}
    assert len(run.request.claims[0]) == 2
    assert set(run.request.among) == {card for card in SPANISH_40 if card[0] != "5"}
    assert run.game.lacks == [[5], []]


@pytest.mark.parametrize("capture", ["card", "free"])
def test_C1_is_claimed_only_where_the_whole_hand_counts(capture):
    run = Run(new_game("escoba", 2, {"capture": capture}))
    run.answer(0)
    run.answer()
    run.answer()
    run.opened(dict(zip(run.request.slots, ["12o", "12e", "12c", "12b"], strict=True)))
    card = run.game.hands[0][0]
    run.choose(0, Play(card), {card: "3e"})
    run.conclude()
    assert run.turn == (1,)


def test_the_denial_of_a_lay_is_forgotten_with_the_hand():
    play = opened(["1o", "1c", "3e", "2c", "3c", "2e", "12o", "12e", "12c", "12b"])
    play.game.lacks[0] = [9]
    do(play, "p1 play 3e")
    assert play.game.lacks[0] == [5, 9]
    while len(play.answers) < 6:
        play.act(play.turn[0], next(play.options(play.turn[0])))
    assert play.game.lacks == [[], []]


# The count.


def lines(*piles, eskobas=None, side=0, all_replaces=False):
    """Return the points of each line, for piles of so many cards or of these cards."""
    return {
        line.letter: line.points
        for line in count_lines(side, piles, eskobas or [0] * len(piles), all_replaces=all_replaces)
        if line.points
    }


GOLDS = [card for card in SPANISH_40 if card.endswith("o")]
SEVENS = [card for card in SPANISH_40 if card.startswith("7")]
PLAIN = [card for card in SPANISH_40 if card not in GOLDS and card not in SEVENS]


def test_R12_every_line():
    assert lines([], PLAIN[:10], eskobas=[3, 0]) == {"a": 3}
    assert lines(["1o", "2o"], ["3o", *PLAIN[:11]]) == {"b": 1}
    assert lines(GOLDS[:5], [*GOLDS[5:], *PLAIN[:9]]) == {}
    assert lines(["7o"], [*SEVENS[1:], *GOLDS[:3], *PLAIN[:9]]) == {"d": 1}
    assert lines(["7e", "7c"], ["7o", "1o", *PLAIN[:11]]) == {"e": 1}
    assert lines(PLAIN[:12], ["1o", "7o", *PLAIN[12:21]]) == {"g": 1}
    assert lines(PLAIN[:9], ["1o", *PLAIN[9:17]]) == {"h": 1}


def test_R12_lines_add_up_or_replace_one_another():
    everything = [*GOLDS, *SEVENS[1:]]
    assert lines(everything, PLAIN[:20]) == {"b": 1, "c": 2, "d": 1, "e": 1, "f": 3}
    assert lines(everything, PLAIN[:20], all_replaces=True) == {"c": 2, "d": 1, "f": 3}
    assert lines(GOLDS, PLAIN[:20]) == {"b": 1, "c": 2, "d": 1, "e": 1}


def test_R12_ties_at_the_top_are_nobodys():
    assert lines(PLAIN[:10], PLAIN[10:20], PLAIN[20:25]) == {}
    assert lines(PLAIN[20:25], PLAIN[:10], PLAIN[10:20], side=1) == {}


def test_R12_h_needs_every_other_side():
    assert "h" in lines(PLAIN[:12], PLAIN[12:21], PLAIN[21:24])
    assert "h" not in lines(PLAIN[:12], PLAIN[12:22], PLAIN[22:24])
    assert lines([], PLAIN[:9]) == {}


def test_R13_whoever_has_no_cards_has_lost():
    play = opened(DECK, capture="free", target=101)
    do(play, "p1 play 7o take 5e 3b")
    while play.turn:
        seat = play.turn[0]
        play.act(seat, Play(play.game.hands[seat][0]))
    assert play.game.winners == (0,)
    assert told(play, events.MatchLost) == [(0,)]
    assert told(play, events.Leftovers)[0][0] == 0
    assert play.game.score[0] < 101
    assert (play.game.round, play.game.table(), play.hand(1)) == (1, [], [])


def test_R14_sides_that_are_level_at_the_target_play_on():
    def played(score):
        play = opened(DECK, target=101)
        play.game.score = score
        while play.turn and play.game.round == 1:
            play.act(play.turn[0], next(play.options(play.turn[0])))
        return play.game

    mine, theirs = played([0, 0]).score
    assert played([101 - mine, 101 - theirs]).winners == ()
    assert played([101 - mine, 102 - theirs]).winners == (1,)


def test_the_next_pack_is_certain_until_the_match_is_over():
    play = opened(players=3)
    assert play.game.next_pack() == (SPANISH_40, (0, 1, 2))
    play.leave(1)
    assert play.game.next_pack() == (SPANISH_40, (0, 2))
    play.leave(0)
    assert play.game.next_pack() is None
