"""The picture of Escoba. Paragraphs are those of docs/rules/escoba.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from client.i18n.translation import _, ngettext
from client.ui.drawing.picture import Area, Piece, Span, Words
from client.ui.games.escoba.screen import SCREEN
from client.ui.games.picture import LINE, Drawn, GamePicture, Held, grid, line_of, size_in
from client.ui.games.screen import Scene, over
from engine.core.moves import Face
from engine.games.escoba.rules import WORTH, Escoba

LETTERS = "abcdefghijklmnopqrstuvwxyz"
STOCK = 80
"""Pixels of the width of the stock, at least: two lines below it say how many hands are to come."""
PILE = 34
"""Pixels that a pile at a seat is wide."""


class EscobaPicture(GamePicture):
    """A picture with the table cards in the middle and the stock beside them.

    The piles lie at the seats of their sides.
    """

    beside: ClassVar[int] = 60

    def middle(self, scene: Scene, area: Area) -> Drawn:
        """The table cards; those that the picked card takes are marked. At the right the stock."""
        game = scene.of(Escoba)
        wide = min(132, max(STOCK, area.width // 5))
        hands = ngettext(
            "{count} hand to come", "{count} hands to come", game.hands_to_come()
        ).format(count=game.hands_to_come())
        high = 150 if wide >= 120 else 100
        beside = Area(area.right - wide, area.y, wide, min(area.height, high))
        found = self.stock(scene, beside, hands)
        room = Area(area.x, area.y, area.width - wide - 8, area.height)
        if not game.on_table and not over(scene):
            words = [Span(_("the table is empty"), "dim")]
            return found + line_of(
                "empty",
                Area(room.x, room.middle[1] - LINE // 2, room.width, LINE),
                words,
                16,
                "middle",
            )
        width, height, places = grid(self.kind, len(game.on_table), room.inner(4), 190)
        taken = SCREEN.taken(scene)
        chosen = SCREEN.chosen(scene) is not None
        for slot, letter, (x, y) in zip(game.on_table, LETTERS, places, strict=False):
            keys = (letter,) if chosen else ()
            state = "marked" if slot in taken else ""
            found += Drawn(
                (self.card(scene, slot, Area(x, y, width, height), state, keys, layer=1),)
            )
        return found

    def worth(self, face: Face) -> str:
        """R2. A figure counts two less than its number."""
        return "" if face.startswith(str(WORTH[face])) and len(face) == 2 else str(WORTH[face])

    def seat_pieces(self, scene: Scene, seat: int, area: Area, lines: Sequence[Words]) -> Drawn:
        """The backs of its hand, and its pile if it is the first seat of its side here."""
        found = super().seat_pieces(scene, seat, area, lines)
        side = scene.game.side(seat)
        first = next(other for other in scene.game.seats_of(side) if other != scene.seat)
        if seat == first and (scene.seat is None or side != scene.game.side(scene.seat)):
            cards = super().seat_cards(area, lines)
            if cards.width >= 2 * PILE:
                place = Area(cards.right - PILE, cards.y, PILE, cards.height)
                found += self._pile(scene, side, place)
        return found

    def seat_cards(self, area: Area, lines: Sequence[Words]) -> Area:
        """The hand stands beside the pile; alone where both have no room."""
        cards = super().seat_cards(area, lines)
        beside = PILE + 8 if cards.width >= 2 * PILE else 0
        return Area(cards.x, cards.y, cards.width - beside, cards.height)

    def hand(self, scene: Scene) -> list[Held]:
        """Return our three cards.

        A card that may not be played is grey. When it is chosen, the status says why.
        """
        legal, picked = SCREEN.plays(scene), SCREEN.chosen(scene)
        return [
            Held(
                slot,
                (str(number),) if scene.asked else (),
                "picked"
                if slot == picked
                else "barred"
                if scene.asked and slot not in legal
                else "legal"
                if scene.asked
                else "",
            )
            for number, (slot, _face) in enumerate(scene.hand, 1)
        ]

    def about(self, scene: Scene) -> Words:
        """How many cards and eskobas our side has, and whether we deal."""
        game = scene.of(Escoba)
        if scene.seat is None:
            return ()
        found = tuple(Span(text, style) for style, text in SCREEN.pile(game, game.side(scene.seat)))
        deals = _("you deal") if scene.me is not None else _("dealer")
        return (
            *found,
            *((Span("  " + deals, "dim"),) if SCREEN.dealer(scene) == scene.seat else ()),
        )

    def mine(self, scene: Scene, area: Area) -> Drawn:
        """Our hand, and our pile at the right of it."""
        found = super().mine(scene, area)
        if scene.seat is None:
            return found
        return found + self._pile(
            scene, scene.game.side(scene.seat), Area(area.right - 58, area.bottom - 66, 54, 54)
        )

    def _pile(self, scene: Scene, side: int, area: Area) -> Drawn:
        """Draw the cards that a side has taken, face down, one on the other.

        The top card of each eskoba lies across.
        """
        game = scene.of(Escoba)
        width, height = size_in(
            self.kind, 1, Area(0, 0, area.width, min(area.height, area.width)), area.height
        )
        x, y = area.right - (height + width) // 2, area.bottom - height
        return Drawn(
            tuple(
                Piece(
                    id=f"slot:{slot}",
                    kind=self.kind,
                    face=None,
                    x=x,
                    y=y - place // 8,
                    width=width,
                    height=height,
                    turn=90 if place < game.eskobas[side] else 0,
                )
                for place, slot in enumerate(game.piles[side])
            )
        )


PICTURE = EscobaPicture()
