"""The picture of Dominoes. Paragraphs are those of docs/rules/domino.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from client.i18n.translation import _
from client.ui.drawing.picture import CHOOSE, Area, Piece, Span, Words
from client.ui.games.domino.screen import SCREEN
from client.ui.games.picture import LINE, Drawn, GamePicture, Held, line_of
from client.ui.games.screen import Scene, over
from engine.core.cards import pips
from engine.core.moves import Slot
from engine.games.domino.moves import Draw
from engine.games.domino.rules import Domino

MOST, LEAST = 46, 12
"""Pixels of a tile's short side in the line."""


@dataclass(frozen=True)
class Laid:
    """A tile of the line: its slot, and its numbers from left to right."""

    slot: Slot
    left: int
    right: int

    @property
    def along(self) -> int:
        """How many short sides it takes along the line: a double lies across."""
        return 1 if self.left == self.right else 2


class DominoPicture(GamePicture):
    """A picture with the line in the middle, our tiles below and the graveyard in a corner.

    The line turns at the edges like a snake.
    """

    kind: ClassVar[str] = "domino"
    overlaps: ClassVar[bool] = False
    seat_lines: ClassVar[int] = 1
    hand_share: ClassVar[int] = 32

    def middle(self, scene: Scene, area: Area) -> Drawn:
        """The line, and the graveyard."""
        game = scene.of(Domino)
        found, room = Drawn(), area
        if game.players < 4 and not over(scene):
            wide = 124
            words = _("graveyard: {count}").format(count=len(game.stock))
            may_draw = scene.asked and list(scene.view.options or ()) == [Draw()]
            keys = tuple(key for key, _about in SCREEN.keys(scene)) if may_draw else ()
            found += self.stock(
                scene, Area(area.right - wide, area.y, wide, min(area.height, 110)), words, keys
            )
            room = Area(area.x, area.y, area.width - wide - 8, area.height)
        if not game.line:
            words = _("the line is empty")
            return found + line_of(
                "empty",
                Area(room.x, room.middle[1] - LINE // 2, room.width, LINE),
                [Span(words, "dim")],
                16,
                "middle",
            )
        return found + self._line(scene, room)

    def _line(self, scene: Scene, area: Area) -> Drawn:
        """R6. The line in rows as large as they fit; every other row runs backwards."""
        game = scene.of(Domino)
        tiles = [
            Laid(slot, left, right)
            for slot, (left, right) in zip(game.line, game.row(), strict=True)
        ]
        unit, rows = next(
            (side, rows)
            for side in range(MOST, LEAST - 1, -1)
            if len(rows := _rows(tiles, max(4, area.width // side))) * (2 * side + 6) <= area.height
            or side == LEAST
        )
        ends = self._ends(scene)
        newest = SCREEN.newest(scene)
        pitch = 2 * unit + 6
        top = area.y + max(0, (area.height - len(rows) * pitch) // 2)
        pieces: list[Piece] = []
        for number, tiles_here in enumerate(rows):
            backwards = number % 2 == 1
            length = unit * sum(tile.along for tile in tiles_here)
            middle = top + number * pitch + pitch // 2
            begin = area.x + (area.width - length) // 2
            if len(rows) > 1:
                begin = area.right - length if backwards else area.x
            x = begin + length if backwards else begin
            for tile in tiles_here:
                along = unit * tile.along
                at = x - along if backwards else x
                x = at if backwards else at + along
                place = len(pieces)
                at_end = [
                    key
                    for key, where in (("left", 0), ("right", len(tiles) - 1))
                    if place == where and key in ends
                ]
                state = "last" if place == newest else "legal" if at_end else ""
                pieces.append(
                    self._tile(
                        scene,
                        tile,
                        (at + along // 2, middle),
                        unit,
                        (state, tuple(at_end[:1])),
                        backwards,
                    )
                )
        return Drawn(tuple(pieces))

    def _tile(
        self,
        scene: Scene,
        tile: Laid,
        centre: tuple[int, int],
        unit: int,
        looks: tuple[str, tuple[str, ...]],
        backwards: bool,
    ) -> Piece:
        """Return a tile of the line.

        A face has its higher number above. Turned by 90 degrees, it has that number at the right.
        """
        area = Area(centre[0] - unit // 2, centre[1] - unit, unit, 2 * unit)
        if tile.left == tile.right:
            turn = 0
        else:
            higher_at_left = (tile.left > tile.right) != backwards
            turn = 270 if higher_at_left else 90
        return self.card(scene, tile.slot, area, looks[0], looks[1], layer=1, turn=turn)

    def _ends(self, scene: Scene) -> list[str]:
        """Return the ends at which the picked tile may be laid, where there is a choice."""
        chosen = SCREEN.chosen(scene)
        return (
            [end for end in SCREEN.fitting(scene).get(chosen, []) if end]
            if chosen is not None
            else []
        )

    def hand(self, scene: Scene) -> list[Held]:
        """Return our tiles, the heaviest first.

        Picking the picked tile once more lays it where there is no choice.
        """
        playable, chosen = SCREEN.fitting(scene), SCREEN.chosen(scene)
        found = []
        for slot in SCREEN.in_order(scene):
            ends = playable.get(slot, [])
            one = len(ends) == 1 or SCREEN.same(scene.of(Domino))
            keys = ("enter",) if slot == chosen and ends and one else (f"{CHOOSE}slot:{slot}",)
            state = "picked" if slot == chosen else "barred" if slot not in playable else "legal"
            found.append(Held(slot, keys if scene.asked else (), state if scene.asked else ""))
        return found

    def about(self, scene: Scene) -> Words:
        """The weight of our hand, since it counts at the end of a deal."""
        weight = sum(sum(pips(face)) for _slot, face in scene.hand)
        return (
            (Span(_("your tiles: {count} points").format(count=weight), "dim"),)
            if scene.hand
            else ()
        )


def _rows(tiles: list[Laid], most: int) -> list[list[Laid]]:
    """Cut the line into rows of at most so many short sides."""
    found: list[list[Laid]] = [[]]
    taken = 0
    for tile in tiles:
        if taken + tile.along > most and found[-1]:
            found.append([])
            taken = 0
        found[-1].append(tile)
        taken += tile.along
    return found


PICTURE = DominoPicture()
