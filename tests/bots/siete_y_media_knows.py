"""An opponent at siete y media who has watched the player at length: the best answer to its stakes
and to its bank.

Matches of the player against itself are counted: the cards with which it stands on each stake, and
the totals at which its bank stands. The opponent plays as well as can be against that, for the
match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from random import Random

from engine.bots import siete_y_media
from engine.bots.siete_y_media_reading import beaten_by, level_of
from engine.bots.siete_y_media_table import LEVELS
from engine.core.moves import Move
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.view import View
from engine.games import new_game
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, Bet, HitUp, SieteYMedia, Stand

WATCHED = 150
"""Matches."""
LATE = 4
"""So many deals before the last, stakes follow the score: they are counted by themselves."""
FIVE = 10
"""A bank stands from here, where it was not watched."""
Counted = dict[tuple[bool, int, int], dict[int, float]]


def _late(game: SieteYMedia) -> bool:
    return bool(game.options["deals"] - game.round < LATE)


@cache
def watched() -> tuple[Counted, dict[tuple[bool, int, int], list[float]]]:
    """Return by lateness, level of the stake and open sum: the totals of puntos who stand, and how
    often the bank stands."""
    totals: Counted = defaultdict(lambda: defaultdict(float))
    bank: dict[tuple[bool, int, int, int], list[int]] = defaultdict(lambda: [0, 0])
    for seed in range(WATCHED):
        random = Random(seed)
        play = OpenDeck(
            new_game("siete-y-media", 2, {}), shuffled(random.randrange), first=seed % 2
        )
        while play.turn:
            seat, game = play.turn[0], play.game
            assert isinstance(game, SieteYMedia)
            move = siete_y_media.play(play.view(seat), random.randrange)
            if seat == game.bank and not game.sevens:
                other = game.stood[0]
                counted = bank[
                    _late(game),
                    level_of(game, game.stakes[other]),
                    game.shown(other),
                    game.shown(seat),
                ]
                counted[0] += isinstance(move, Stand)
                counted[1] += 1
            elif isinstance(move, Stand) and seat != game.bank:
                total = sum(WORTH[play.faces[slot]] for slot in game.hands[seat])
                totals[
                    _late(game), level_of(game, game.stakes[seat] + move.raised), game.shown(seat)
                ][total] += 1
            play.act(seat, move)
    stands = {}
    for late in (False, True):
        for level in range(LEVELS):
            for shown in range(SIETE_Y_MEDIA):
                counts = [bank[late, level, shown, mine] for mine in range(1, SIETE_Y_MEDIA)]
                often = [
                    (stood + (mine >= FIVE)) / (asked + 1)
                    for mine, (stood, asked) in enumerate(counts, 1)
                ]
                stands[late, level, shown] = [0.0, *often]
    return totals, stands


class _Knowing(siete_y_media._Mind):
    """The reckoning of the player, with the counts instead of its beliefs."""

    def _stood(self, stake: int, shown: int, hidden: int) -> float:
        won = _wins(_late(self.game), level_of(self.game, stake), shown)[shown + hidden]
        return won * self.worth(stake) + (1 - won) * self.worth(-stake)

    @property
    def _puntos(self) -> list[tuple[int, int, dict[int, float]]]:
        game = self.game
        (seat,) = game.stood
        stake = game.stakes[seat]
        if seat in game.sevens:
            return [(stake, 2 * stake, {SIETE_Y_MEDIA: 1.0})]
        counted = watched()[0][_late(game), level_of(game, stake), game.shown(seat)]
        found = {game.shown(seat) + worth: share * 0.05 for worth, share in self.cards.items()}
        for total, count in counted.items():
            found[total] = found.get(total, 0.0) + count
        found = {total: count for total, count in found.items() if total < SIETE_Y_MEDIA}
        return [
            (stake, stake, {total: count / sum(found.values()) for total, count in found.items()})
        ]


@cache
def _wins(late: bool, level: int, shown: int) -> list[float]:
    return beaten_by(watched()[1][late, level, shown])


def knows(view: View, choose: Callable[[int], int]) -> Move:
    """Return the move that does best against the player as it was watched."""
    del choose
    game, seat = view.game, view.seat
    assert isinstance(game, SieteYMedia)
    assert seat is not None
    mind = _Knowing(view, game, seat)
    if seat == game.bank:
        standing, asking = mind.bank_values()
        return Stand() if standing > asking else HitUp()
    if seat not in game.stakes:
        values = mind.bet_values()
        return Bet(max(values, key=values.__getitem__))
    requests = mind.request_values()
    return max(requests, key=requests.__getitem__)
