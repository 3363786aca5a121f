"""The computer players of Escoba and Kínaskák: legal, determined by their view and their numbers,
and true to their ratings."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from engine.bots import chance_for, characters_of
from engine.bots.player import Strength
from engine.bots.raters import RATERS
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.kinaskak.moves import Meld
from tests.sample import sample

GAMES = {"escoba": (2, 3, 4), "kinaskak": (3, 4)}
POSITIONS = 200
BY_NAME = [
    pytest.param(game, one.play, id=one.name) for game in GAMES for one in characters_of(game)
]


@cache
def positions(game):
    """Return views of seats that have a choice, as random play leads to them."""
    random, found = Random(1), []
    while len(found) < POSITIONS:
        players = random.choice(GAMES[game])
        play = OpenDeck(
            new_game(game, players, {}), shuffled(random.randrange), random.randrange(players)
        )
        for _ in range(120):
            if not play.turn:
                break
            seat = play.turn[0]
            if random.randrange(3) == 0 and len(list(play.options(seat))) > 1:
                found.append(play.view(seat))
            play.act(seat, chance_for(game)(play.view(seat), random.randrange))
    return found[:POSITIONS]


@pytest.mark.parametrize("step", sample([4, 1], 1), ids=["a-part", "all"])
@pytest.mark.parametrize(("game", "bot"), BY_NAME)
def test_every_move_is_legal_and_follows_from_the_view_and_the_numbers(game, bot, step):
    for number, view in enumerate(positions(game)[::step]):
        move = bot(view, Random(7).randrange)
        assert move in view.options
        if number % 8 == 0:
            assert bot(view, Random(7).randrange) == move


@pytest.mark.parametrize("step", sample([12, 4], 1), ids=["a-part", "more"])
@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_rated_and_the_strongest_makes_the_best_move(game, step):
    strongest = characters_of(game)[0].play
    for view in positions(game)[::step]:
        ratings = RATERS[game](view, Random(3).randrange)
        assert ratings.unit == "points"
        values = {rated.move: rated.value for rated in ratings.moves}
        assert len(values) == len(ratings.moves)
        assert set(view.options) <= set(values)
        assert list(values.values()) == sorted(values.values(), reverse=True)
        assert values[strongest(view, Random(3).randrange)] == pytest.approx(ratings.moves[0].value)
        assert all(move in view.options for move in values)


@pytest.mark.parametrize("game", GAMES)
def test_a_laying_down_of_kinaskak_is_rated_among_others(game):
    """Some of these positions ask for the rare moves too."""
    kinds = Counter(type(move).__name__ for view in positions(game) for move in view.options)
    assert (kinds[Meld.__name__] > 0) == (game == "kinaskak")


def hidden_otherwise(game, seed):
    """Return two matches that look alike to the first seat, whose other cards lie in another
    order."""
    random = Random(seed)
    players = GAMES[game][0]
    deck = list(new_game(game, players, {}).pack)
    random.shuffle(deck)
    each = {"escoba": 3, "kinaskak": 13}[game]
    seen = [
        *range(0, each * players, players),
        *range(each * players, each * players + (4 if game == "escoba" else 1)),
    ]
    hidden = [place for place in range(len(deck)) if place not in seen]
    order = random.sample(hidden, len(hidden))
    other = list(deck)
    for place, taken in zip(hidden, order, strict=True):
        other[place] = deck[taken]
    return [OpenDeck(new_game(game, players, {}), [cards]) for cards in (deck, other)]


@pytest.mark.parametrize("seeds", sample([range(6), range(6, 20)], 1), ids=["few", "more"])
@pytest.mark.parametrize(("game", "bot"), BY_NAME)
def test_hidden_cards_make_no_difference(game, bot, seeds):
    for seed in seeds:
        one, other = hidden_otherwise(game, seed)
        assert one.hand(0) == other.hand(0)
        assert one.hand(1) != other.hand(1)
        views = [play.view(0) for play in (one, other)]
        assert bot(views[0], Random(1).randrange) == bot(views[1], Random(1).randrange)
        rates = [RATERS[game](view, Random(1).randrange) for view in views]
        assert rates[0] == rates[1]


def duel(game, stronger, weaker, matches, players, **options):
    """Return how many of these matches the stronger player wins, every order of cards played
    twice."""
    wins = 0
    for number in range(matches):
        cards, whims, mine = Random(number // 2), Random(number), number % 2
        deck = OpenDeck(
            new_game(game, players, options), shuffled(cards.randrange), cards.randrange(players)
        )
        while deck.turn:
            seat = deck.turn[0]
            deck.act(
                seat, (stronger if seat % 2 == mine else weaker)(deck.view(seat), whims.randrange)
            )
        wins += {seat % 2 for seat in deck.game.winners} == {mine}
    return wins


@pytest.mark.parametrize("game", GAMES)
def test_there_are_three_strengths(game):
    strengths = [one.strength for one in characters_of(game)]
    assert strengths == sorted(strengths, reverse=True)
    assert set(strengths) == set(Strength)


@pytest.mark.parametrize(
    ("game", "matches", "least"), sample([("kinaskak", 6, 4), ("escoba", 60, 31)], 1, rows=True)
)
def test_the_strongest_beats_the_weakest(game, matches, least):
    strongest, *_, weakest = characters_of(game)
    players, options = {"escoba": (2, {}), "kinaskak": (4, {"last_contract": 3})}[game]
    assert duel(game, strongest.play, weakest.play, matches, players, **options) >= least


@pytest.mark.parametrize("seed", sample([1, 4, 5, 8, 9, 10, 11], 1))
@pytest.mark.parametrize(
    "bot", [pytest.param(one.play, id=one.name) for one in characters_of("kinaskak")]
)
def test_a_table_of_one_character_comes_to_an_end(bot, seed):
    """Nobody else breaks the circle if each takes a card that it then throws away."""
    random = Random(seed)
    whims = Random(seed)
    play = OpenDeck(
        new_game("kinaskak", 3, {"last_contract": 2}),
        shuffled(random.randrange),
        random.randrange(3),
    )
    for _move in range(1500):
        if not play.turn:
            break
        seat = play.turn[0]
        play.act(seat, bot(play.view(seat), whims.randrange))
    assert play.over
