"""The flor, as the computer players of Truco judge it: the answers when two flors meet.

The other flor is one of those that the cards not seen can make. One that has been raised is taken
for a good one, and a good one is taken to accept.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from engine.bots.truco_chance import Worth
from engine.core.cards import SPANISH_40
from engine.core.moves import Face, Move, Seat
from engine.games.truco.moves import FLOR, FLOR_ANSWERS, Call
from engine.games.truco.rules import Truco
from engine.games.truco.worth import FLOR_ALONE, FLORS, flor_points, flor_refused, is_flor

GOOD = {"contraflor": 30, "contraflor-al-resto": 33}
"""The least value with which people raise by each word."""
TAKEN = {"contraflor": 27, "contraflor-al-resto": 30}
"""The least value with which they accept each word."""


def flor_worths(
    game: Truco, seat: Seat, own: Sequence[Face], options: Sequence[Move], worth: Worth, more: int
) -> dict[Move, float]:
    """Return the chance to win the match with each of these words of the flor.

    `own` are the three cards of the seat; a player that overvalues its flor adds `more`.
    """
    words = {move.word: move for move in options if isinstance(move, Call)}
    if not is_flor(own):
        return dict.fromkeys(words.values(), worth(0, FLOR_ALONE))
    if not game.flors:
        return dict.fromkeys(words.values(), worth(FLOR_ALONE, 0))
    side, calls = game.side(seat), game.flor_calls()
    other = next(by for by in game.flor_seats() if game.side(by) != side)
    seen = {*own, *game.faces.values()}
    theirs = _values(seen, GOOD.get(calls[-1], 0))
    value = flor_points(own) + more
    ahead = game.after_mano(seat) < game.after_mano(other)

    def compared(values: Sequence[int], *raised: str) -> float:
        """Return the worth when our flor is compared with each of these."""
        won = worth(game.flor_worth(side, *raised), 0)
        lost = worth(0, game.flor_worth(1 - side, *raised))
        wins = sum(value > each or (value == each and ahead) for each in values)
        return (wins * won + (len(values) - wins) * lost) / len(values)

    found: dict[Move, float] = {}
    for word, move in words.items():
        if word == FLOR_ANSWERS[0]:
            found[move] = compared(theirs)
        elif word in FLOR:
            gained = worth(flor_refused([*calls, word]), 0)
            accept = [each for each in theirs if gained == 1.0 or each >= TAKEN[word]]
            share = len(accept) / len(theirs)
            found[move] = (1 - share) * gained + (share * compared(accept, word) if accept else 0.0)
        else:
            found[move] = worth(0, flor_refused(calls))
    return found


def denied(game: Truco, seat: Seat) -> bool:
    """Return whether a seat can have no flor: it would have had to sing it."""
    if not game.options["flor"] or seat in game.flor_seats():
        return False
    return bool(game.flors or game.played_by(seat))


def _values(seen: Collection[Face], least: int) -> list[int]:
    """Return the values of the flors without these cards; only of good ones, if there are any."""
    rest = [card for card in SPANISH_40 if card not in seen]
    every = [flor_points(cards) for cards in combinations(rest, 3) if is_flor(cards)]
    return [value for value in every if value >= least] or every or [min(FLORS)]
