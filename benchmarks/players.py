"""Results of computer players against one another: `python -m benchmarks --players` and `--league`.

They play with open cards.

Both have every other seat, and each order of cards is played twice, with the seats exchanged. A
match counts for a player if only seats of his have won it; a draw counts for neither.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from statistics import median
from typing import Any

from benchmarks.cost import percentile
from benchmarks.habits import HABITS
from benchmarks.settings import BenchSettings, Row, ms
from engine.bots import Bot, bot_for, chance_for, character_for, characters_of
from engine.core.moves import Choose, Move
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.view import View
from engine.games import game_class, new_game

SHORT: Mapping[str, Mapping[str, Any]] = {
    "escoba": {"target": 11},
    "domino": {"target": 10},
    "siete-y-media": {"deals": 6},
    "truco": {"target": 9},
    "kinaskak": {"last_contract": 2},
}
"""Options that make matches short; a game that is not here is played as it is."""
LIKELY = 1.96
"""Standard deviations on each side of the middle that hold 95 % of a normal distribution."""
QUICK, LONG = 50.0, 300.0
"""Milliseconds for a decision: for the median, and for 99 of 100."""


class Clock:
    """A player whose decisions are timed, in milliseconds."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.took: list[float] = []

    def play(self, view: View, choose: Choose) -> Move:
        """Decide.

        The view is ready; that the moves it lists are found while it is looked at counts.
        """
        began = time.perf_counter()
        move = self._bot(view, choose)
        self.took.append(1000 * (time.perf_counter() - began))
        return move


def opponents(game: str) -> list[str]:
    """Return the names of a game's opponents: chance, its characters, and habits."""
    return ["chance", *(one.name for one in characters_of(game)), *HABITS.get(game, {})]


def opponent(game: str, name: str) -> Bot:
    """Return one of `opponents`; a habit is one of the strongest player's.

    KeyError if there is none of this name.
    """
    if name == "chance":
        return chance_for(game)
    if name in HABITS.get(game, {}):
        return HABITS[game][name](bot_for(game))
    return character_for(game, name).play


def players(
    settings: BenchSettings, game: str, matches: int, against: str = "chance"
) -> dict[str, Any]:
    """Play matches of the strongest player against another player.

    Half of them are played with the seats exchanged.
    """
    found = _duel(
        settings, game, matches, {"computer": bot_for(game), "other": opponent(game, against)}
    )
    return {
        **found,
        "against": against,
        "apart": found["computer"]["low"] > found["other"]["high"],
        "aim_median_ms": QUICK,
        "aim_p99_ms": LONG,
    }


def league(settings: BenchSettings, game: str, matches: int) -> dict[str, Any]:
    """Let every two characters of a game play `matches` matches against each other.

    `apart` is None for two characters of the same strength.
    """
    characters = characters_of(game)
    duels = []
    took: dict[str, list[float]] = {one.name: [] for one in characters}
    wins = dict.fromkeys(took, 0)
    for one, other in combinations(characters, 2):
        clocks = {one.name: Clock(one.play), other.name: Clock(other.play)}
        found = _duel(settings, game, matches, clocks)
        for name, clock in clocks.items():
            took[name] += clock.took
            wins[name] += found[name]["wins"]
        apart = (
            None
            if one.strength == other.strength
            else found[one.name]["low"] > found[other.name]["high"]
        )
        duels.append({**found, "players": [one.name, other.name], "apart": apart})
    played = matches * (len(characters) - 1)
    rank = [
        {
            "name": one.name,
            "strength": one.strength.name.lower(),
            **_share(wins[one.name], played),
            **_decisions(took[one.name]),
        }
        for one in characters
        if played
    ]
    return {"game": game, "matches": matches, "characters": rank, "duels": duels}


def _duel(
    settings: BenchSettings, game: str, matches: int, two: Mapping[str, Bot | Clock]
) -> dict[str, Any]:
    """Play matches of two players, by their names, and return their shares."""
    seats = min(count for count in game_class(game).allowed_players if count % 2 == 0)
    options, names = dict(SHORT.get(game, {})), list(two)
    clocks = {name: bot if isinstance(bot, Clock) else Clock(bot) for name, bot in two.items()}
    wins = dict.fromkeys(names, 0)
    for number in range(matches):
        settings.say(f"{names[0]} and {names[1]}, match {number + 1} of {matches}")
        kinds = [names[(seat + number) % 2] for seat in range(seats)]
        won = {
            kinds[seat]
            for seat in _match(game, options, [clocks[kind] for kind in kinds], number // 2)
        }
        if len(won) == 1:
            wins[won.pop()] += 1
    found = {name: _share(wins[name], matches) | _decisions(clocks[name].took) for name in names}
    facts = {
        "game": game,
        "seats": seats,
        "options": options,
        "matches": matches,
        "draws": matches - sum(wins.values()),
    }
    return {**facts, **found}


def _match(
    game: str, options: Mapping[str, Any], seated: list[Clock], seed: int
) -> tuple[int, ...]:
    """Play a match; return its winners. The same seed gives the same cards and the same toss."""
    cards = random.Random(seed)  # noqa: S311 - the same matches every time; nothing is secret here
    whims = random.Random(f"draws of {seed}")  # noqa: S311 - the same
    deck = OpenDeck(
        new_game(game, len(seated), options),
        shuffled(cards.randrange),
        cards.randrange(len(seated)),
    )
    while deck.turn:
        seat = deck.turn[0]
        deck.act(seat, seated[seat].play(deck.view(seat), whims.randrange))
    return deck.game.winners


def _share(wins: int, matches: int) -> dict[str, Any]:
    low, high = wilson(wins, matches)
    return {
        "wins": wins,
        "share": round(wins / matches, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def wilson(wins: int, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share (1927). ValueError without matches."""
    if matches < 1:
        raise ValueError("no matches")
    share, squared = wins / matches, LIKELY**2
    middle = share + squared / (2 * matches)
    half = LIKELY * sqrt(share * (1 - share) / matches + squared / (4 * matches**2))
    whole = 1 + squared / matches
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def _decisions(took: Sequence[float]) -> dict[str, Any]:
    return {
        "decisions": len(took),
        "median_ms": round(median(took), 3),
        "p99_ms": round(percentile(took, 99), 3),
        "max_ms": round(max(took), 3),
    }


def players_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the two players."""
    other = "a random player" if found["against"] == "chance" else found["against"]
    about = {"computer": "the computer player", "other": other}
    for kind, name in about.items():
        yield Row(
            f"{name}: matches won, of {found['matches']}",
            _interval(found[kind]),
        )
    yield Row("draws", str(found["draws"]))
    apart = "yes" if found["apart"] else "no"
    yield Row(
        "the computer player's interval is above the other's",
        apart,
        aim="yes",
        missed=not found["apart"],
    )
    one = found["computer"]
    times = (
        ("a decision: median", one["median_ms"], found["aim_median_ms"]),
        ("a decision: 99 %", one["p99_ms"], found["aim_p99_ms"]),
    )
    for name, took, aim in times:
        yield Row(name, ms(took), aim=ms(aim), missed=took > aim)
    yield Row("a decision: the longest", ms(one["max_ms"]))


def league_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return a row for each character, its times, and each pair."""
    played = found["matches"] * (len(found["characters"]) - 1)
    for one in found["characters"]:
        yield Row(
            f"{one['name']}: matches won, of {played}",
            _interval(one),
        )
        yield Row(
            "  " + "a decision: median",
            ms(one["median_ms"]),
            aim=ms(QUICK),
            missed=one["median_ms"] > QUICK,
        )
        yield Row(
            "  " + "a decision: 99 %",
            ms(one["p99_ms"]),
            aim=ms(LONG),
            missed=one["p99_ms"] > LONG,
        )
    for duel in found["duels"]:
        one, other = duel["players"]
        yield Row(f"{one} against {other}", _interval(duel[one]))
        if duel["apart"] is not None:
            apart = "yes" if duel["apart"] else "no"
            yield Row(
                "  " + "the stronger one's interval is above the other's",
                apart,
                aim="yes",
                missed=not duel["apart"],
            )


def _interval(one: Mapping[str, Any]) -> str:
    share, low, high = (f"{100 * one[key]:.1f}" for key in ("share", "low", "high"))
    return f"{share} % ({low} to {high} %)"
