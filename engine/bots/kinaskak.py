"""The computer players of Kínaskák.

They stay as near to the contract as they can, and get rid of cards once they are down.
"""

from __future__ import annotations

from engine.bots.kinaskak_mind import BY_THE_BOOK, CLOSE, Mind, Style
from engine.bots.player import Bot, Character, Rated, Ratings, Strength
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games.kinaskak.moves import Lay, Meld, Say
from engine.games.kinaskak.rules import Kinaskak


def styled(style: Style) -> Bot:
    """Return a player of this style."""

    def player(view: View, choose: Choose) -> Move:
        """Return what seems best; of equal moves any."""
        rated = valued(view, style)
        best = [one.move for one in rated if one.value > rated[0].value - CLOSE]
        return best[choose(len(best))]

    return player


POINTS = {False: 0.07, True: 0.34}
"""The points of a round that a unit of `Mind.value` is worth, by whether the seat is down.

They are rounded from `tests/bots/points_kinaskak.py`: 0.070 ± 0.007 of 5,600 rounds, and 0.338 ±
0.025 of 3,929.
"""


def rate(view: View, choose: Choose) -> Ratings:
    """Return the expected cost in points of each move of the menu to this seat in this round."""
    del choose
    game, seat = view.game, view.seat
    assert isinstance(game, Kinaskak)
    assert seat is not None
    points = POINTS[game.down[seat]]
    return Ratings("points", tuple(Rated(one.move, points * one.value) for one in valued(view)))


def valued(view: View, style: Style = BY_THE_BOOK) -> list[Rated]:
    """Value every move of the menu, and the best way to lay down; the best one first.

    The scale is that of `Mind.value`.
    """
    assert view.options is not None, "only a seat that is asked plays"
    mind, moves = Mind(view, style), list(view.options)
    way = mind.best_way()
    if way is not None and way not in moves:
        moves.insert(0, way)
    return sorted([Rated(move, mind.value(move)) for move in moves], key=lambda one: -one.value)


def at_random(view: View, choose: Choose) -> Move:
    """Lay down and lay off when it can, buy only free cards, and do the rest by chance.

    The others are measured by this player. One that did everything by chance would never end a
    round, and one that bought without end seldom would.
    """
    game, seat = view.game, view.seat
    assert isinstance(game, Kinaskak)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    costs = game.purchases[seat] >= game.options["buys"]
    sensible = [
        move for move in options if isinstance(move, Meld | Lay) or (costs and move == Say("no"))
    ] or options
    return sensible[choose(len(sensible))]


NEVER = 1000.0
"""The price of a purchase to a player that never buys."""

play: Bot = styled(Style())

CHARACTERS = (
    # "Counts the cards, buys what helps and lays down early."
    Character("Sigríður", Strength.STRONG, play),
    # "Buys nothing, and forgets which cards have gone."
    Character("Guðmundur", Strength.MIDDLE, styled(Style(bought=NEVER, forgetful=True))),
    # "Hides what it collects, and sees no melds but its own."
    Character(
        "Kolbrún",
        Strength.WEAK,
        styled(Style(bought=NEVER, forgetful=True, own_melds_only=True, secretive=True)),
    ),
)
"""The characters of the game, the strongest first; above each one its play in a sentence."""
