"""The computer players of all games: legal, determined by their view and their numbers, true to
their ratings, and better than chance."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.bots import (
    RATERS,
    Bot,
    bot_for,
    chance_for,
    character_for,
    characters_of,
    domino,
    usual,
)
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.options import BadOption
from engine.games import GAMES, new_game
from tests.engine.steps import Steps
from tests.sample import odds, sample

CHARACTERS = [
    pytest.param(game, one.play, id=one.name) for game in GAMES for one in characters_of(game)
]
POSITIONS = {"escoba": 60, "kinaskak": 40, "domino": 25, "siete-y-media": 60, "truco": 8}
"""How many positions are looked at: as many as take a few seconds."""
EXACT = ("escoba", "kinaskak", "siete-y-media")
"""The games whose strongest player always makes the move that it rates best."""


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the player of dominoes play few deals out: whole matches take long."""
    monkeypatch.setattr(domino, "PLAYED_OUT", 100)
    monkeypatch.setattr(domino, "LAYINGS", 50)


def positions(game: str, count: int) -> Iterator[OpenDeck]:
    """Yield matches in which a seat has a choice, as chance leads to them."""
    random = Random(1)
    while count:
        players = random.choice(GAMES[game].allowed_players)
        play = OpenDeck(
            new_game(game, players), shuffled(random.randrange), random.randrange(players)
        )
        for _move in range(120):
            if not play.turn or not count:
                break
            seat = play.turn[0]
            if random.randrange(4) == 0 and len(list(play.options(seat))) > 1:
                count -= 1
                yield play
            play.act(seat, chance_for(game)(play.view(seat), random.randrange))


@pytest.mark.parametrize("part", sample([3, 1], 1), ids=["a-part", "all"])
@pytest.mark.parametrize(("game", "bot"), CHARACTERS)
def test_every_move_is_legal_and_follows_from_the_view_and_the_numbers(
    game: str, bot: Bot, part: int
) -> None:
    for number, play in enumerate(positions(game, POSITIONS[game] // part)):
        view = play.view(play.turn[0])
        move = bot(view, Random(number).randrange)
        assert view.options is not None
        assert move in view.options
        assert bot(view, Random(number).randrange) == move


@pytest.mark.parametrize("part", sample([3, 1], 1), ids=["a-part", "all"])
@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_rated_and_the_strongest_makes_the_best_move(game: str, part: int) -> None:
    for play in positions(game, POSITIONS[game] // part):
        view = play.view(play.turn[0])
        ratings = RATERS[game](view, Random(3).randrange)
        values = {rated.move: rated.value for rated in ratings.moves}
        assert len(values) == len(ratings.moves)
        assert set(view.options or ()) <= set(values)
        assert list(values.values()) == sorted(values.values(), reverse=True)
        assert ratings.unit in ("points", "win")
        assert ratings.unit == "points" or all(0 <= value <= 1 + 1e-9 for value in values.values())
        if game in EXACT:
            move = bot_for(game)(view, usual)
            assert values[move] == pytest.approx(ratings.moves[0].value)


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_make_no_difference(game: str) -> None:
    """Cards that the seat does not see change places, and nothing of its ratings changes."""
    compared = 0
    for play in positions(game, max(8, POSITIONS[game] // 3)):
        seat = play.turn[0]
        seen = {*play.view(seat).faces, *play.game.faces}
        hidden = [slot for slot in play.faces if slot not in seen]
        before = RATERS[game](play.view(seat), Random(1).randrange)
        faces = dict(play.faces)
        for slot, other in zip(hidden, reversed(hidden), strict=True):
            play.faces[slot] = faces[other]
        assert RATERS[game](play.view(seat), Random(1).randrange) == before
        play.faces.update(faces)
        compared += len(hidden) > 1
    assert compared > 2


def wins(game: str, ours: Bot, others: Bot, matches: int, players: int, **options: Any) -> float:
    """Return how many of these matches a player wins alone against others."""
    found = 0.0
    for seed in range(matches):
        random, mine = Random(seed), seed % players
        play = OpenDeck(new_game(game, players, options), shuffled(random.randrange), seed // 2)
        while play.turn:
            seat = play.turn[0]
            bot = ours if seat == mine else others
            play.act(seat, bot(play.view(seat), random.randrange))
        winners = play.game.winners
        found += (mine in winners) / len(winners)
    return found


BETTER = [
    ("escoba", 2, 12, 11, {"target": 11}),
    ("domino", 2, 12, 11, {"target": 10}),
    ("siete-y-media", 2, 100, 64, {"deals": 6}),
    ("truco", 2, 15, 13, {"target": 9}),
    ("kinaskak", 3, 9, 8, {"last_contract": 2}),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "matches", "least", "options"), BETTER, ids=[row[0] for row in BETTER]
)
def test_the_strongest_beats_chance(
    game: str, players: int, matches: int, least: int, options: dict[str, Any]
) -> None:
    assert odds(least, matches, 1 / players) < 0.005
    assert wins(game, bot_for(game), chance_for(game), matches, players, **options) >= least


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample([1, 4, 5, 8, 9, 10, 11], 1))
@pytest.mark.parametrize(
    "bot", [pytest.param(one.play, id=one.name) for one in characters_of("kinaskak")]
)
def test_a_table_of_one_character_of_kinaskak_comes_to_an_end(bot: Bot, seed: int) -> None:
    """Nobody else breaks the circle if each takes a card that it then throws away."""
    play = Steps(new_game("kinaskak", 3, {"last_contract": 2}), seed, bot)
    for _step in range(6000):
        if not play.over:
            play.step()
    assert play.over


# Options, and seats that have left.

BESIDE = {"min_bet": {"max_bet": 100, "chips": 100}, "max_bet": {"chips": 1000}}
"""The options without which a value is refused."""
DECISIONS = 6
"""Decisions of each match, from its beginning."""


def extremes(game: str) -> list[tuple[str, str, object]]:
    """Return each option with each of its values; of a long range its ends."""
    found: list[tuple[str, str, object]] = []
    for name, option in GAMES[game].choices.items():
        values = option.values
        ends = (values[0], values[-1]) if isinstance(values, range) else values
        found += [(game, name, value) for value in ends if value != option.default]
    return found


@pytest.mark.parametrize(
    ("game", "name", "value"), [case for game in GAMES for case in extremes(game)]
)
def test_computer_players_decide_at_every_value_of_an_option(game, name, value):
    played = 0
    for players in GAMES[game].allowed_players[:: len(GAMES[game].allowed_players) - 1]:
        try:
            match = new_game(game, players, {**BESIDE.get(name, {}), name: value})
        except BadOption:
            continue
        chance = Random(f"{name} {value}")
        deck = OpenDeck(match, shuffled(chance.randrange), 0)
        weakest = character_for(game, characters_of(game)[-1].name).play
        for number in range(DECISIONS):
            if deck.turn:
                seat = deck.turn[0]
                player = weakest if number % 3 == 2 else bot_for(game)
                deck.act(seat, player(deck.view(seat), chance.randrange))
        played += 1
    assert played


@pytest.mark.parametrize("gone", [(0,), (1, 3)])
@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("escoba", 4, {"target": 5}),
        ("domino", 4, {"target": 6}),
        ("kinaskak", 5, {"last_contract": 1}),
    ],
)
def test_every_player_plays_a_match_that_seats_have_left(game, players, options, gone):
    for player in (character.play for character in characters_of(game)):
        play = Steps(new_game(game, players, options), 5, player)
        for seat in gone:
            for _ in range(25):
                play.step()
            play.run.leave([seat])
        while not play.over:
            play.step()
        assert play.game.winners
        assert not set(gone) & set(play.game.winners)
