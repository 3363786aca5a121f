"""Opponents for Escoba and Kínaskák: each plays like the shipped player but for one habit. Nothing
here is shipped."""

from __future__ import annotations

from collections.abc import Callable

from engine.bots import Bot, escoba, kinaskak
from engine.bots.kinaskak_mind import WORTH, Mind, Style
from engine.core.cards import JOKER
from engine.core.moves import Move
from engine.core.view import View
from engine.games.kinaskak.moves import Discard, Meld, Say
from engine.games.kinaskak.rules import Kinaskak
from tests.bots.today import escoba as escoba_today
from tests.bots.today import kinaskak as kinaskak_today

FEW = 3
"""The cards that a seat that holds back may have left when it lays down."""


def always_buys(base: Bot) -> Bot:
    """Buy whatever lies open, as long as that costs no points."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        game, seat = view.game, view.seat
        assert isinstance(game, Kinaskak)
        assert seat is not None
        assert view.options is not None
        if game.phase == "window":
            return Say("buy" if game.purchases[seat] < game.options["buys"] else "no")
        return base(view, choose)

    return play


def holds_back(base: Bot) -> Bot:
    """Lay nothing down until hardly a card would be left."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        move = base(view, choose)
        assert view.seat is not None
        if isinstance(move, Meld) and len(view.game.hands[view.seat]) - len(move.shows) > FEW:
            return next(
                one.move
                for one in kinaskak.rate(view, choose).moves
                if isinstance(one.move, Discard)
            )
        return move

    return play


def counts(base: Bot) -> Bot:
    """Throw away what the next seat has thrown away too, of cards that are of nearly equal use."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        move, game = base(view, choose), view.game
        if not isinstance(move, Discard):
            return move
        assert isinstance(game, Kinaskak)
        assert view.seat is not None
        mind = Mind(view)
        following = (view.seat + 1) % game.players
        thrown = {
            one.faces[0][0]
            for one in view.past
            if isinstance(one.move, Discard) and one.seat == following and one.deal == game.round
        }
        safe = [one for one in kinaskak.rate(view, choose).moves if isinstance(one.move, Discard)]
        return max(
            safe, key=lambda one: one.value + 4.0 * (mind.faces[one.move.shows[0]][0] in thrown)
        ).move

    return play


def dear_first(base: Bot) -> Bot:
    """Throw the dearest card away that is no joker, even if it is of use."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        move = base(view, choose)
        if not isinstance(move, Discard):
            return move
        mind = Mind(view)
        dearest = max(mind.hand, key=lambda face: WORTH[face] * (face != JOKER))
        assert view.seat is not None
        return next(
            Discard(slot) for slot in view.game.hands[view.seat] if mind.faces[slot] == dearest
        )

    return play


ESCOBA: dict[str, Bot] = {
    "today": escoba_today.play,
    **{one.name: one.play for one in escoba.CHARACTERS[1:]},
}
KINASKAK: dict[str, Bot] = {
    "today": kinaskak_today.play,
    "always-buys": always_buys(kinaskak.play),
    "never-buys": kinaskak.styled(Style(bought=kinaskak.NEVER)),
    "always-buys-today": always_buys(kinaskak_today.play),
    "holds-back": holds_back(kinaskak.play),
    "counts": counts(kinaskak.play),
    "dear-first": dear_first(kinaskak.play),
    **{one.name: one.play for one in kinaskak.CHARACTERS[1:]},
}
"""By name."""
