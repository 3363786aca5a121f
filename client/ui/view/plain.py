"""The table of a game without a view of its own: hands, a row of cards, a button for each move."""

from __future__ import annotations

from client.ui.games import screen_of
from client.ui.games.screen import Scene
from client.ui.view.action import Action
from client.ui.view.game import GameView
from client.ui.view.table_parts import Zone
from engine.core.cards import DOUBLE_NINE, SPANISH_40
from engine.games import GAMES

MOST = 24
"""Moves that are offered; each of the others can be typed."""


class PlainView(GameView):
    """The view of such a game."""

    def __init__(self, game: str) -> None:
        """Take the looks of the cards from the pack."""
        packs = {"spanish": SPANISH_40, "domino": DOUBLE_NINE}
        self.kind = next(
            (kind for kind, pack in packs.items() if {*pack} & {*GAMES[game].pack}), "french"
        )
        self.screen = screen_of(game)

    def zones(self, scene: Scene) -> tuple[Zone, ...]:
        """Return the cards on the table."""
        table = scene.game.table()
        slots = [slot for slot, face in scene.game.faces.items() if face in table]
        return (Zone("spread", "spread", self.cards(scene, slots)),)

    def actions(self, scene: Scene) -> tuple[Action, ...]:
        """Return a button for each move: its keys choose the move in the list, and play it."""
        if not scene.moves:
            return ()
        now = scene.picked.turn % len(scene.moves)
        return tuple(
            Action(f"move:{place}", self.in_words(line), (*_to(place - now), "enter"))
            for place, line in enumerate(scene.moves[:MOST])
        )


def _to(steps: int) -> tuple[str, ...]:
    return ("down" if steps > 0 else "up",) * abs(steps)
