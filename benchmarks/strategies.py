"""Players that soon reach a situation to measure; they do not try to win."""

from __future__ import annotations

from engine.bots import Bot
from engine.core.cards import pips
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games.domino.rules import Domino
from engine.games.kinaskak.moves import Discard, Say


def drawing(view: View, choose: Choose) -> Move:
    """Kínaskák: take, buy and lay down nothing, and throw away the drawn card.

    This makes the stock run out.
    """
    del choose
    assert view.options is not None, "only an asked seat plays"
    assert view.seat is not None
    for word in ("decline", "no"):
        if Say(word) in view.options:
            return Say(word)
    return Discard(view.game.hands[view.seat][-1])


def doubles(view: View, choose: Choose) -> Move:
    """Dominoes: open with a double, then lay any tile.

    After a double, the next seat is the likeliest to pass with all its tiles.
    """
    assert isinstance(view.game, Domino)
    assert view.options is not None, "only an asked seat plays"
    options = list(view.options)
    if not view.game.line:
        options = [
            move for move in options if len({*pips(view.faces[move.shows[0]])}) == 1
        ] or options
    return options[choose(len(options))]


STRATEGIES: dict[str, Bot] = {"drawing": drawing, "doubles": doubles}
"""By the name that an order uses."""
