"""The computer player of dominoes: it beats chance, is quick, and makes no move that a player would call silly."""

from random import Random

import pytest

from engine.bots import bot_for, chance, domino
from engine.bots.small_change import Dice
from engine.core.cards import pips
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.domino.rules import Place
from tests.sample import odds, sample


def played(players, bots, seed, seen=lambda play, seat, move: None, **options):
    """Play a match; `seen` looks at every move before it is made."""
    random = Random(seed)
    play = OpenDeck(new_game("domino", players, options), shuffled(random.randrange))
    while play.turn:
        seat = play.turn[0]
        move = bots[seat](play.view(seat), random.randrange)
        seen(play, seat, move)
        play.act(seat, move)
    return play


def test_it_is_the_player_of_its_game():
    assert bot_for("domino") is domino.play


@pytest.mark.parametrize(
    ("players", "least", "matches"), sample([(2, 11, 12), (4, 9, 15), (2, 24, 30), (4, 15, 30)], 2, rows=True)
)
def test_it_beats_chance(players, least, matches):
    wins = 0
    for seed in range(matches):
        mine = seed % players
        bots = [chance.play] * players
        bots[mine] = domino.play
        wins += mine in played(players, bots, seed, target=10).game.winners
    assert wins >= least
    assert odds(least, matches, 1 / players) < 0.005


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"draw": False, "capicua": "strict"}),
        (3, {"draw": False, "passes": "first"}),
        (3, {"capicua": "on"}),
        (4, {"partners": True}),
        (4, {"passes": "none"}),
    ],
)
def test_it_plays_whole_matches(players, options):
    assert played(players, [domino.play] * players, 1, target=8, **options).over


def test_layings_keep_to_what_was_proven():
    """Nothing that is proven to lie elsewhere is laid into a hand, and all tiles lie somewhere once."""
    looked = 0
    for seed in range(12):
        random = Random(seed)
        play = OpenDeck(new_game("domino", 2 + seed % 3), shuffled(random.randrange))
        while play.turn and play.game.round == 1:
            seat, game = play.turn[0], play.game
            view = play.view(seat)
            mind = domino._Mind(view, view.game, seat, Dice(random.randrange))
            world = mind._world()
            whole = [*world.hands, *(1 << tile for tile in world.stock), world.line]
            assert sum(whole) == (1 << 28) - 1
            assert [hand.bit_count() for hand in world.hands] == [len(hand) for hand in game.hands]
            for other, hand in enumerate(game.hands):
                everywhere = [set(game.lacks.get(slot, ())) for slot in hand]
                never = set.intersection(*everywhere) if everywhere and other != seat else set()
                assert not any(world.hands[other] & domino.WITH[number] for number in never)
                looked += bool(never)
            play.act(seat, random.choice(list(play.options(seat))))
    assert looked > 30


def known_ends(limit):
    """Yield positions of two seats with an empty graveyard and so few tiles left that all can be tried, and who is to play."""
    for seed in range(200):
        random = Random(seed)
        play = OpenDeck(new_game("domino", 2, {"target": 500, "capicua": "on"}), shuffled(random.randrange))
        while play.turn and play.game.round == 1:
            seat = play.turn[0]
            few = len(play.game.hands[0]) + len(play.game.hands[1]) <= limit
            if few and not play.game.stock and len(list(play.options(seat))) > 1:
                yield play, seat
            play.act(seat, random.choice(list(play.options(seat))))


def outcome(play, moves, me):
    """Return my points less the other's in this deal, both playing their best after these moves."""
    twin = OpenDeck(new_game("domino", 2, play.game.options), play.laid[:1])
    twin.replay([*play.answers, *moves])
    if twin.game.round > 1:
        return twin.game.score[me] - twin.game.score[1 - me]
    seat = twin.turn[0]
    following = [outcome(play, [*moves, (seat, move)], me) for move in twin.options(seat)]
    return max(following) if seat == me else min(following)


def test_with_all_tiles_known_it_finds_the_best():
    """It goes out, closes when that wins and not when it loses, makes the other pass, and sees capicuas, as far as can be."""
    compared = 0
    for play, seat in known_ends(7):
        outcomes = {move: outcome(play, [(seat, move)], seat) for move in play.options(seat)}
        chosen = domino.play(play.view(seat), lambda n: 0)
        assert outcomes[chosen] == max(outcomes.values())
        compared += len(set(outcomes.values())) > 1
        if compared >= 12:
            return
    raise AssertionError(f"only {compared} positions in which it matters")


def silly(play, seat, move):
    """Return what a player would laugh at, in games for four singly, where nothing is drawn."""
    game = play.game
    places = [option for option in play.options(seat) if isinstance(option, Place)]
    if not isinstance(move, Place) or game.ends is None or len(places) == 1 or len(game.hands[seat]) == 1:
        return None
    following = (seat + 1) % 4
    if len(game.hands[following]) == 1:
        lacks = set(game.lacks.get(game.hands[following][0], ()))
        safe = [option for option in places if set(ends_after(play, option)) <= lacks]
        if safe and move not in safe:
            return "lets the next seat go out though it could not have"
    if len(game.hands[seat]) == 2:
        mine = next(slot for slot in game.hands[seat] if slot != move.tile)
        wins = [option for option in places if stops_all(play, seat, option)]
        if wins and move not in wins and not set(ends_after(play, move)) & set(pips(play.faces[mine])):
            return "does not make all others pass, nor can it go on"
    return None


def ends_after(play, place):
    high, low = pips(play.faces[place.tile])
    left, right = play.game.ends
    return (high + low - left, right) if place.end == "left" else (left, high + low - right)


def stops_all(play, seat, place):
    """Whether a play leaves ends that nobody else is known to serve, and its own last tile is."""
    ends = set(ends_after(play, place))
    others = [slot for other, hand in enumerate(play.game.hands) if other != seat for slot in hand]
    mine = next(slot for slot in play.game.hands[seat] if slot != place.tile)
    return bool(ends & set(pips(play.faces[mine]))) and all(ends <= set(play.game.lacks.get(slot, ())) for slot in others)


@pytest.mark.parametrize("seeds", sample([range(3), range(3, 12)], 1), ids=["few", "more"])
def test_nothing_silly(seeds):
    found = []
    for seed in seeds:
        played(4, [domino.play] * 4, seed, lambda play, seat, move: found.append(silly(play, seat, move)))
    assert len(found) > 40 * len(seeds)
    assert [what for what in found if what] == []


def test_dice_are_fair_and_repeat_themselves():
    dice = Dice(lambda n: 5)
    thrown = [dice.below(6) for _ in range(6000)]
    assert all(850 < thrown.count(face) < 1150 for face in range(6))
    again = Dice(lambda n: 5)
    assert [again.below(6) for _ in range(6000)] == thrown
    assert sorted(again.shuffled(range(10))) == list(range(10))
