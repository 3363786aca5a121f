from random import Random

import pytest

from engine.bots import escoba, escoba_mind, usual
from engine.bots.escoba_table import bits_of, prospect
from engine.core.cards import SPANISH_40
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.escoba.events import MatchLost
from engine.games.escoba.rules import Play
from engine.games.escoba.sums import WORTH
from tests.engine.bots.test_players import positions


def position(hand, other, table, aside, players=2, **options):
    """Return a match with these cards in the hands and on the table; those set aside are in the
    last seat's pile."""
    order = [
        card
        for pair in zip(
            hand, *[other[seat :: players - 1] for seat in range(players - 1)], strict=True
        )
        for card in pair
    ]
    play = OpenDeck(new_game("escoba", players, options), [[*order, *table, *aside]])
    assert play.hand(0) == hand
    game = play.game
    game.piles[-1], game.on_table = game.on_table[len(table) :], game.on_table[: len(table)]
    assert game.table() == table
    return play


SILLY = [
    # A sweep is passed up for a seven that stays in the hand anyway.
    (["7o", "10o", "1e"], ["10e", "6e"], ["12c", "3c"], "play 1e take 10e 6e"),
    # Laid, the king lets an ace sweep and every five, four and two capture; the ace lets only kings
    # take.
    (["12c", "1o", "7o"], ["1c", "3o"], ["5c", "7e"], "play 1o"),
]


@pytest.mark.parametrize(("hand", "table", "aside", "expected"), SILLY)
@pytest.mark.parametrize("seed", range(5))
def test_it_makes_no_silly_play(hand, table, aside, expected, seed):
    play = position(hand, ["4c", "2b", "3b"], table, aside)
    move = escoba.play(play.view(0), Random(seed).randrange)
    assert set(play.game.write(move, play.faces).split()) == set(expected.split())


@pytest.mark.parametrize(
    ("hand", "table", "safe"),
    [
        (["2c", "6b", "12e"], ["1c"], "2c"),
        (["1b", "5b", "10e"], ["2c"], "1b"),
        (["3b", "7b", "12e"], [], "3b"),
        (["2o", "6b", "11e"], ["1c"], "2o"),
        (["1b", "5b", "12e"], ["2c"], "1b"),
        (["2b", "6o", "5e"], ["1c"], "2b"),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_it_leaves_three_which_no_card_sweeps_rather_than_seven(hand, table, safe, seed):
    others = [card for card in SPANISH_40 if card not in (*hand, *table)]
    play = position(hand, Random(seed).sample(others, 3), table, [])
    move = escoba.play(play.view(0), Random(seed).randrange)
    assert play.game.write(move, play.faces) == f"play {safe}"


@pytest.mark.parametrize(
    ("hand", "table", "aside"),
    [
        (["5o", "2e", "6o"], ["1b"], ["10b", "12e", "3e", "7e", "1e", "10o"]),
        (["2e", "10b", "6c"], ["1o"], ["7e", "3b", "10e", "4c", "3e", "3o"]),
        (["2o", "6o", "10e"], ["1b"], ["6c", "10o", "5b", "2e", "5e", "11e"]),
        (["5c", "1b", "5b"], ["2b"], ["12c", "2c", "11e", "7o", "6o", "12e"]),
    ],
)
def test_with_any_luck_it_leaves_three_and_not_seven(hand, table, aside):
    """The cards that it lays in mind are spread evenly, and are many: it errs once in 16 times."""
    others = [card for card in SPANISH_40 if card not in (*hand, *table, *aside)]
    left = []
    for seed in range(16):
        play = position(hand, Random(seed).sample(others, 3), table, aside)
        move = escoba.play(play.view(0), Random(seed).randrange)
        left.append(WORTH[play.faces[move.card]] + sum(WORTH[card] for card in table))
    assert left.count(3) >= 15


@pytest.mark.parametrize("seed", range(5))
def test_of_ends_that_come_to_the_same_it_takes_the_one_that_looks_best(seed):
    """It takes three cards with a gold, though one king comes to as many points in the end."""
    hand, others = ["5b", "5c", "6o"], ["1e", "7o", "10b"]
    table = ["1c", "5o", "4c", "12c"]
    play = position(hand, others, table, [])
    game = play.game
    rest = [slot for slot, face in play.faces.items() if face not in (*hand, *others, *table)]
    game.piles[0], game.piles[1], game.stock = rest[:15], rest[15:], []
    game.faces.update({slot: play.faces[slot] for slot in rest})
    move = escoba.play(play.view(0), Random(seed).randrange)
    assert {play.faces[slot] for slot in move.takes} == {"1c", "5o", "4c"}


def test_hint_and_analysis_are_one_estimate():
    """No play is rated above the hinted one, before the ratings are made to agree."""
    for play in positions("escoba", 12):
        view = play.view(play.turn[0])
        value = {one.move: one.value for one in escoba.rate(view, Random(1).randrange).moves}
        assert value[escoba.play(view, usual)] == pytest.approx(max(value.values()))


@pytest.mark.parametrize("seed", range(5))
def test_among_four_it_leaves_no_sweep_behind_for_a_third_card(seed):
    hand, table = ["1b", "11o", "11c"], ["6b", "10e", "11e", "2o"]
    others = [card for card in SPANISH_40 if card not in (*hand, *table)][:9]
    play = position(hand, others, table, [], players=4)
    assert (
        play.game.write(escoba.play(play.view(0), Random(seed).randrange), play.faces)
        == "play 11o take 6b"
    )


def test_where_there_are_very_many_plays_it_still_rates_all():
    table = ["1o", "1c", "1e", "1b", "2o", "2c", "2e", "2b", "3o", "3c", "3e"]
    play = OpenDeck(new_game("escoba", 2), [["12o", "11c", "7e", "11o", "6b", "12c", *table]])
    play.game.on_table = [slot for slot, face in play.faces.items() if face in table]
    play.game.faces.update({slot: play.faces[slot] for slot in play.game.on_table})
    play.game.stock = play.game.stock[len(table) - 4 :]
    view = play.view(0)
    rated = {one.move: one.value for one in escoba.rate(view, Random(1).randrange).moves}
    assert set(view.options) == set(rated)
    assert len(rated) > 2 * escoba.TRIED
    assert rated[escoba.play(view, Random(1).randrange)] == max(rated.values())


def test_it_finds_the_best_end_when_all_cards_are_known():
    """In the last hand of two seats no play does better than the one chosen, tried out against best
    answers."""
    compared = 0
    for seed in range(40):
        random = Random(seed)
        play = OpenDeck(new_game("escoba", 2, {"target": 1}), shuffled(random.randrange))
        while play.turn and not (
            not play.game.stock and len(play.hand(0)) + len(play.hand(1)) == 4
        ):
            seat = play.turn[0]
            play.act(seat, random.choice(list(play.options(seat))))
        if not play.turn or play.game.round > 1:
            continue
        seat = play.turn[0]
        outcomes = {move: outcome(play, [(seat, move)], seat) for move in play.options(seat)}
        chosen = escoba.play(play.view(seat), lambda n: 0)
        assert outcomes[chosen] == pytest.approx(max(outcomes.values()))
        compared += len(outcomes) > 1
    assert compared > 10


def test_a_side_without_cards_takes_some_with_its_last_card():
    compared = 0
    for seed in range(40):
        rules = new_game("escoba", 2, {"capture": "free", "target": 101})
        play = OpenDeck(rules, shuffled(Random(seed).randrange))
        while play.game.round == 1:
            seat, game = play.turn[0], play.game
            takes = [move for move in play.options(seat) if move.takes]
            last = seat == 1 and not game.stock and len(game.hands[1]) == 1
            if last and takes and not game.piles[1]:
                assert escoba.play(play.view(1), lambda n: 0).takes
                compared += 1
            play.act(seat, takes[0] if seat == 0 and takes else Play(game.hands[seat][0]))
            if not play.turn:
                break
    assert compared


def outcome(play, moves, me):
    """Return my points less the other's in this deal, both playing their best after these moves."""
    twin = OpenDeck(new_game("escoba", 2, play.game.options), play.laid)
    twin.replay([*play.answers, *moves])
    if twin.over or twin.game.round > 1:
        piles = 0.0
        lost = (
            [event.side for event in twin.game.told if isinstance(event, MatchLost)]
            if twin.over
            else []
        )
        score = twin.game.score[me] - twin.game.score[1 - me]
        if twin.over:
            piles = escoba_mind.CARD * (len(twin.game.piles[me]) - len(twin.game.piles[1 - me]))
        if lost:
            score += 100 if lost == [me] else -100
        return score + piles
    seat = twin.turn[0]
    following = [outcome(play, [*moves, (seat, move)], me) for move in twin.options(seat)]
    return max(following) if seat == me else min(following)


@pytest.mark.parametrize(("sides", "lost"), [(2, True), (3, False), (4, False)])
def test_a_side_without_cards_fears_for_the_match_only_if_there_is_one_other(sides, lost):
    """R13: the match is lost to the only side that has cards."""
    piles = [0, *(bits_of(SPANISH_40[other :: sides - 1]) for other in range(sides - 1))]
    assert (prospect(piles, [0] * sides, 0, over=True, all_replaces=False) < -20) == lost
