"""The results of a game's computer player against random moves, with open cards: `sobremesa bench --players`.

Both have every other seat, and each order of cards is played twice, with the seats exchanged. A match counts for a player
if only seats of his have won it; a draw counts for neither.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from math import sqrt
from statistics import median
from typing import Any

from client.bench.cost import percentile
from client.bench.settings import BenchSettings, Row, ms
from client.i18n.translation import _
from engine.bots import Bot, bot_for, chance_for
from engine.core.moves import Move
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
QUICK, LONG = 30.0, 300.0
"""Milliseconds for a decision: for the median, and for 99 of 100."""
KINDS = ("computer", "chance")


class Clock:
    """A player whose decisions are timed, in milliseconds."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.took: list[float] = []

    def play(self, view: View, choose: Callable[[int], int]) -> Move:
        """Decide. The view is ready; that the moves it lists are found while it is looked at counts."""
        began = time.perf_counter()
        move = self._bot(view, choose)
        self.took.append(1000 * (time.perf_counter() - began))
        return move


def players(settings: BenchSettings, game: str, matches: int) -> dict[str, Any]:
    """Play so many matches, half of them with the seats exchanged."""
    seats = min(count for count in game_class(game).allowed_players if count % 2 == 0)
    options = dict(SHORT.get(game, {}))
    clocks = {"computer": Clock(bot_for(game)), "chance": Clock(chance_for(game))}
    wins = dict.fromkeys(KINDS, 0)
    for number in range(matches):
        settings.say(_("match {number} of {matches}").format(number=number + 1, matches=matches))
        kinds = [KINDS[(seat + number) % 2] for seat in range(seats)]
        won = {kinds[seat] for seat in _match(game, options, [clocks[kind] for kind in kinds], number // 2)}
        if len(won) == 1:
            wins[won.pop()] += 1
    found = {kind: _share(wins[kind], matches) | _decisions(clocks[kind]) for kind in KINDS}
    return {
        "game": game,
        "seats": seats,
        "options": options,
        "matches": matches,
        "draws": matches - sum(wins.values()),
        **found,
        "apart": found["computer"]["low"] > found["chance"]["high"],
        "aim_median_ms": QUICK,
        "aim_p99_ms": LONG,
    }


def _match(game: str, options: Mapping[str, Any], seated: list[Clock], seed: int) -> tuple[int, ...]:
    """Play a match; return its winners. The same seed gives the same cards and the same toss."""
    cards = random.Random(seed)  # noqa: S311 - the same matches every time; nothing is secret here
    whims = random.Random(seed)  # noqa: S311 - the same
    deck = OpenDeck(new_game(game, len(seated), options), shuffled(cards.randrange), cards.randrange(len(seated)))
    while deck.turn:
        seat = deck.turn[0]
        deck.act(seat, seated[seat].play(deck.view(seat), whims.randrange))
    return deck.game.winners


def _share(wins: int, matches: int) -> dict[str, Any]:
    low, high = wilson(wins, matches)
    return {"wins": wins, "share": round(wins / matches, 4), "low": round(low, 4), "high": round(high, 4)}


def wilson(wins: int, matches: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, as Wilson has it (J. Am. Stat. Assoc. 22, 1927). ValueError without matches."""
    if matches < 1:
        raise ValueError("no matches")
    share, squared = wins / matches, LIKELY**2
    middle = share + squared / (2 * matches)
    half = LIKELY * sqrt(share * (1 - share) / matches + squared / (4 * matches**2))
    whole = 1 + squared / matches
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def _decisions(clock: Clock) -> dict[str, Any]:
    return {
        "decisions": len(clock.took),
        "median_ms": round(median(clock.took), 3),
        "p99_ms": round(percentile(clock.took, 99), 3),
        "max_ms": round(max(clock.took), 3),
    }


def players_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Say it."""
    about = {"computer": _("the computer player"), "chance": _("a random player")}
    for kind, name in about.items():
        one = found[kind]
        interval = _("{share} % ({low} to {high} %)").format(**{key: f"{100 * one[key]:.1f}" for key in ("share", "low", "high")})
        yield Row(_("{name}: matches won, of {matches}").format(name=name, matches=found["matches"]), interval)
    yield Row(_("draws"), str(found["draws"]))
    apart = _("yes") if found["apart"] else _("no")
    yield Row(_("the computer player's interval is above the other's"), apart, aim=_("yes"), missed=not found["apart"])
    one = found["computer"]
    times = (
        (_("a decision: median"), one["median_ms"], found["aim_median_ms"]),
        (_("a decision: 99 %"), one["p99_ms"], found["aim_p99_ms"]),
    )
    for name, took, aim in times:
        yield Row(name, ms(took), aim=ms(aim), missed=took > aim)
    yield Row(_("a decision: the longest"), ms(one["max_ms"]))
