"""Opponents for Escoba and Kínaskák: each plays like the shipped player but for one habit. Nothing
here is shipped."""

from __future__ import annotations

from engine.bots import Bot, escoba, kinaskak
from engine.bots.kinaskak_mind import Mind, Style
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games.kinaskak.moves import Discard, Say
from engine.games.kinaskak.rules import Kinaskak


def always_buys(base: Bot) -> Bot:
    """Buy whatever lies open, as long as that costs no points."""

    def play(view: View, choose: Choose) -> Move:
        game, seat = view.game, view.seat
        assert isinstance(game, Kinaskak)
        assert seat is not None
        assert view.options is not None
        if game.phase == "window":
            return Say("buy" if game.purchases[seat] < game.options["buys"] else "no")
        return base(view, choose)

    return play


def counts(base: Bot) -> Bot:
    """Throw away what the next seat has thrown away too, of cards that are of nearly equal use."""

    def play(view: View, choose: Choose) -> Move:
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


ESCOBA: dict[str, Bot] = {
    **{one.name: one.play for one in escoba.CHARACTERS[1:]},
}
KINASKAK: dict[str, Bot] = {
    "always-buys": always_buys(kinaskak.play),
    "never-buys": kinaskak.styled(Style(bought=kinaskak.NEVER)),
    "counts": counts(kinaskak.play),
    **{one.name: one.play for one in kinaskak.CHARACTERS[1:]},
}
"""By name."""
