"""The computer players of Kínaskák: as near to the contract as they can be, and rid of cards once they are down."""

from __future__ import annotations

from collections.abc import Callable

from engine.bots.kinaskak_mind import Mind, Style
from engine.bots.player import Bot, Character, Strength
from engine.core.moves import Move
from engine.core.view import View
from engine.games.kinaskak.moves import Lay, Meld, Say
from engine.games.kinaskak.plays import Plays
from engine.games.kinaskak.rules import Kinaskak


def styled(style: Style) -> Bot:
    """Return a player of this style."""

    def player(view: View, choose: Callable[[int], int]) -> Move:
        """Return what seems best; of equal discards any."""
        options = view.options
        assert options is not None, "only a seat that is asked plays"
        mind = Mind(view, style)
        if isinstance(options, Plays):
            return mind.play(options, choose)
        words = {option.word: option for option in options if isinstance(option, Say)}
        if "buy" in words:
            return words["buy" if mind.would_buy() else "no"]
        return words["take" if "decline" not in words or mind.would_take() else "decline"]

    return player


def at_random(view: View, choose: Callable[[int], int]) -> Move:
    """Lay down and lay off when it can, buy only free cards, and do the rest by chance: the measure for the others.

    One that does everything by chance never ends a round, and one that buys without end seldom does.
    """
    game, seat = view.game, view.seat
    assert isinstance(game, Kinaskak)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    costs = game.purchases[seat] >= game.options["buys"]
    sensible = [move for move in options if isinstance(move, Meld | Lay) or (costs and move == Say("no"))] or options
    return sensible[choose(len(sensible))]


play: Bot = styled(Style())

CHARACTERS = (
    # "Counts the cards and lays down as soon as it can."
    Character("Sigríður", Strength.STRONG, play),
    # "Buys nothing, and forgets which cards have gone."
    Character("Þorsteinn", Strength.MIDDLE, styled(Style(buys="never", forgetful=True))),
    # "Buys nothing and lays cards off on its own melds only."
    Character("Kolbrún", Strength.WEAK, styled(Style(buys="never", forgetful=True, own_melds_only=True))),
)
"""The characters of the game, the strongest first; above each one its play in a sentence."""
