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

MOST, COMFORTABLE, LEAST = 56, 28, 12
"""Pixels of a tile's short side in the line: at most; enough for a line in one row; at least."""
SEAM = 2
"""Pixels between two tiles of the line."""
LEAST_ROW = 6
"""Short sides that a row of the line has, at least."""
DOWN = 2
"""The way of a tile at a turn; 1 and -1 are those of a row, and 0 is a double across it."""


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


@dataclass(frozen=True)
class At:
    """How a tile of the line lies: its centre, in half short sides, and its way."""

    x: int
    y: int
    way: int

    def turn(self, tile: Laid) -> int:
        """Return by how many degrees it is turned.

        A face has its higher number above. Turned by 90 degrees, it has that number at the right.
        """
        if self.way == 0:
            return 0
        if self.way == DOWN:
            return 0 if tile.left > tile.right else 180
        return 270 if (tile.left > tile.right) == (self.way == 1) else 90


class DominoPicture(GamePicture):
    """A picture with the line in the middle, our tiles below and the graveyard in a corner.

    The line turns at the edges like a snake.
    """

    kind: ClassVar[str] = "domino"
    overlaps: ClassVar[bool] = False
    seat_lines: ClassVar[int] = 1
    hand_share: ClassVar[int] = 32
    hand_least: ClassVar[int] = 126
    middle_least: ClassVar[int] = 200
    hand_most: ClassVar[int] = 128

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
        """R6. The line as large as it fits; where it turns, a tile lies down the edge."""
        game = scene.of(Domino)
        tiles = [
            Laid(slot, left, right)
            for slot, (left, right) in zip(game.line, game.row(), strict=True)
        ]
        unit, laid = largest(tiles, area)
        ends = self._ends(scene)
        newest = SCREEN.newest(scene)
        left, top, right, bottom = _bounds(laid)
        x = area.x + (area.width - (right - left) * unit // 2) // 2 - left * unit // 2
        y = area.y + (area.height - (bottom - top) * unit // 2) // 2 - top * unit // 2
        pieces: list[Piece] = []
        for place, (tile, at) in enumerate(zip(tiles, laid, strict=True)):
            at_end = [
                key
                for key, where in (("left", 0), ("right", len(tiles) - 1))
                if place == where and key in ends
            ]
            state = "last" if place == newest else "legal" if at_end else ""
            wide, high = unit - SEAM, 2 * unit - SEAM
            where = Area(
                x + at.x * unit // 2 - wide // 2, y + at.y * unit // 2 - high // 2, wide, high
            )
            keys = tuple(at_end[:1])
            pieces.append(
                self.card(scene, tile.slot, where, state, keys, layer=1, turn=at.turn(tile))
            )
        return Drawn(tuple(pieces))

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
        words = (
            _("your tiles: {count} points") if scene.me is not None else _("tiles: {count} points")
        )
        return (Span(words.format(count=weight), "dim"),) if scene.hand else ()


def largest(tiles: list[Laid], area: Area) -> tuple[int, list[At]]:
    """Return the short side of the tiles, and how they lie.

    In one row if they can be read so; else as large as they fit.
    """
    straight = sum(tile.along for tile in tiles)
    if area.width // straight >= COMFORTABLE and area.height >= 2 * COMFORTABLE:
        unit = min(MOST, area.width // straight, area.height // 2)
        return unit, _snake(tiles, straight)
    for unit in range(MOST, LEAST - 1, -1):
        most = area.width // unit
        laid = _snake(tiles, max(LEAST_ROW, most))
        _left, top, _right, bottom = _bounds(laid)
        if most >= LEAST_ROW and (bottom - top) * unit <= 2 * area.height:
            break
    return unit, laid


def _snake(tiles: list[Laid], most: int) -> list[At]:
    """Lay tiles in rows of at most so many short sides; every other row runs backwards.

    The tile at a turn lies down the edge; the next row begins below it. A double never lies at a
    turn. Where it begins a row it lies along it, across the tile that it follows.
    """
    laid: list[At] = []
    x, y, way, turned = 0, 0, 1, False  # the end of the line, in half short sides; where it goes
    for place, tile in enumerate(tiles):
        following = tiles[place + 1 : place + 3]
        # a tile at a turn takes two halves; a double that another tile follows is not the turn
        doubled = bool(following) and following[0].along == 1
        needed = 2 * len(following if doubled else following[:1])
        along = 4 if turned else 2 * tile.along
        free = (2 * most - x if way == 1 else x) - along
        if free >= needed or tile.along == 1:
            laid.append(At(x + way * along // 2, y, way if along == 4 else 0))
            x, turned = x + way * along, False
        else:
            laid.append(At(x + way, y + 1, DOWN))
            x, y, way, turned = x + 2 * way, y + 4, -way, True
    return laid


def _bounds(laid: list[At]) -> tuple[int, int, int, int]:
    """Return the left, upper, right and lower edge of tiles, in half short sides."""
    across = [(2, 1) if at.way in (1, -1) else (1, 2) for at in laid]
    return (
        min(at.x - wide for at, (wide, _high) in zip(laid, across, strict=True)),
        min(at.y - high for at, (_wide, high) in zip(laid, across, strict=True)),
        max(at.x + wide for at, (wide, _high) in zip(laid, across, strict=True)),
        max(at.y + high for at, (_wide, high) in zip(laid, across, strict=True)),
    )


PICTURE = DominoPicture()
