"""The picture of Siete y media. Paragraphs are those of docs/rules/siete-y-media.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from client.i18n.translation import _
from client.ui.drawing.picture import Area, Span, Words
from client.ui.games.picture import LINE, Drawn, GamePicture, Held, line_of, row, size_in
from client.ui.games.screen import Scene
from client.ui.games.siete_y_media.screen import SCREEN
from engine.core.moves import Face, Seat
from engine.games.siete_y_media.rules import WORTH, SieteYMedia

LOW = 120
"""Pixels of the middle below which the used cards are not counted there."""
TWO_LINES = 100
"""Pixels of the box of a seat from which two lines are enough for it."""
WORDS = 180
"""Pixels of the box of a seat from which on a stake is named."""


class SieteYMediaPicture(GamePicture):
    """A picture of every seat, and of the cards in the middle.

    Every seat shows its chips, its stake and its cards. In the middle lie the cards of the seat in
    turn, or of the bank.
    """

    hand_share: ClassVar[int] = 50
    hand_least: ClassVar[int] = 150
    middle_least: ClassVar[int] = 92
    captions: ClassVar[bool] = True

    def worth(self, face: Face) -> str:
        """R2. A figure counts half a point."""
        return "½" if WORTH[face] == 1 else ""

    def seat_words(self, scene: Scene, seat: Seat, area: Area) -> tuple[Words, ...]:
        """Return the state of the seat, its chips, its stake and its sum."""
        game = scene.of(SieteYMedia)
        style, word = SCREEN.state_of(scene, seat)
        staked = game.stakes.get(seat, 0)
        chips = Span(f" {game.score[seat] - staked}")
        stake = Span(
            (_("stake {chips}").format(chips=staked) if area.width >= WORDS else str(staked))
            if staked
            else "",
            "golds",
        )
        total = Span(SCREEN.total(scene, seat), "moment")
        if area.width < TWO_LINES:
            return (Span(word, style),), (Span(chips.text.strip()), Span("  "), stake), (total,)
        return (Span(word, style), chips), (stake, Span("  "), total)

    def lines_in(self, width: int) -> int:
        """In a narrow box the sum has a line of its own."""
        return 2 if width >= TWO_LINES else 3

    def seat_pieces(self, scene: Scene, seat: Seat, area: Area, lines: Sequence[Words]) -> Drawn:
        """Return its cards, unless they lie in the middle."""
        if SCREEN.looked_at(scene) == seat:
            return Drawn()
        return super().seat_pieces(scene, seat, area, lines)

    def middle(self, scene: Scene, area: Area) -> Drawn:
        """Return the cards of the seat in turn, or of the bank, with their open sum.

        The stock lies beside them.
        """
        game = scene.of(SieteYMedia)
        wide = min(120, area.width // 4)
        left = _("{left} cards left, {used} used").format(left=len(game.stock), used=len(game.used))
        found = self.stock(
            scene,
            Area(area.right - wide, area.y, wide, min(area.height, 150 if wide == 120 else 100)),
            _("stock {count}").format(count=len(game.stock)),
        )
        below = LINE if area.height >= LOW else 0
        if below:
            place = Area(area.x, area.bottom - below, area.width, below)
            found += line_of("used", place, [Span(left, "dim")], 13, "middle")
        seat = SCREEN.looked_at(scene)
        if seat is None:
            return found
        title = [
            Span(str(scene.names.label(seat)), "strong"),
            Span("  "),
            Span(SCREEN.total(scene, seat), "moment"),
        ]
        room = Area(
            area.x, area.y + LINE, area.width - wide - 8, max(1, area.height - LINE - below - 6)
        )
        slots = game.hands[seat]
        width, height = size_in(self.kind, len(slots), room, 190)
        y = room.y + (room.height - height) // 2
        named = Area(area.x, y - LINE, area.width - wide, LINE)
        found += line_of("looked", named, title, 16, "middle")
        places = zip(slots, row(len(slots), room, width), strict=True)
        return found + Drawn(
            tuple(self.card(scene, slot, Area(x, y, width, height), layer=1) for slot, x in places)
        )

    def hand(self, scene: Scene) -> list[Held]:
        """Our cards, the hidden one named so."""
        game = scene.game
        slots = [] if scene.seat is None else game.hands[scene.seat]
        return [Held(slot, (), "", "" if slot in game.faces else _("hidden")) for slot in slots]

    def about(self, scene: Scene) -> Words:
        """Our true total, our chips and our stake."""
        game, seat = scene.of(SieteYMedia), scene.seat
        if seat is None:
            return ()
        style, word = SCREEN.state_of(scene, seat)
        stake = game.stakes.get(seat, 0)
        chips = _("{chips} chips").format(chips=game.score[seat] - stake)
        bet = "   " + _("stake {chips}").format(chips=stake) if stake else ""
        return (
            Span(SCREEN.total(scene, seat), "moment"),
            Span("   " + chips),
            Span(bet, "golds"),
            Span("   " + word, style),
        )


PICTURE = SieteYMediaPicture()
