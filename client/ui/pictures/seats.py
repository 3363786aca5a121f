"""The boxes of the other seats: their places round the table, their words and their cards."""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _
from client.ui.drawing.picture import Area, Panel, Span
from client.ui.games.picture import SEAT_EDGE, Drawn, GamePicture, first_lines, letters_of, spans
from client.ui.games.screen import Scene
from client.ui.screen import table_words
from client.ui.screen.phrases import said
from client.ui.screen.state import ScreenState
from engine.core.dataclass import dataclass
from engine.core.moves import Seat

CARDS = 44
"""Pixels of the cards in the box of another seat."""
LARGE_CARDS, HIGH = 84, 800
"""Pixels of these cards in a wide window, from that height of the table on."""
FEW_CARDS = 30
"""The same in a narrow window. Where seats have more than one row there, or one has all of it, the
cards lie beside the lines."""
BELOW_LINES = 8
"""Pixels below the lines of a box whose cards lie beside them."""
SHORT = 360
"""Pixels of a table below which a seat has one line, with its cards beside it."""
ROUND = 860
"""Pixels of a table from which two to five others sit round it, not in rows across."""
ONE_SEAT = 300
"""Pixels of a seat's box from which its cards lie beside its lines in a narrow window."""
LEAST_SEAT = 88
"""Pixels that a seat has across, at least, where more than one row of them would have to be
made."""


@dataclass(frozen=True)
class Seats:
    """The boxes of the others in an area: their places, and the pixel below those across."""

    area: Area
    places: dict[Seat, Area]
    lines: int
    """Lines below the name of a seat."""
    below: int

    def middle(self, bottom: int) -> Area:
        """Return the middle of the table: below the boxes across, between those at the sides."""
        sides = [place for place in self.places.values() if place.bottom > self.below]
        left = max(
            (place.right for place in sides if place.x < self.area.middle[0]), default=self.area.x
        )
        right = min(
            (place.x for place in sides if place.x > self.area.middle[0]), default=self.area.right
        )
        return Area(
            left + 8, self.below + 4, max(1, right - left - 16), max(1, bottom - self.below - 8)
        )


def seats_round(area: Area, seats: Sequence[Seat], game: GamePicture) -> Seats:
    """Return the boxes of the others.

    `seats` are in playing order from the one after us, who sits to our right, as play goes round to
    the right.
    """
    if 2 <= len(seats) <= 5 and area.width >= ROUND:
        side = min(230, area.width // 5)
        lines = 1 if area.height < SHORT else game.lines_in(side)
        height = _height(side, lines, LARGE_CARDS if area.height >= HIGH else CARDS)
        across = seats[1:-1]
        places, below = _across(area, across, height) if across else ({}, area.y)
        y = below + 8 if across else area.y + 8
        places[seats[0]] = Area(area.right - side - 8, y, side, height)
        places[seats[-1]] = Area(area.x + 8, y, side, height)
        return Seats(area, places, lines, below)
    width, short = _width(area, len(seats)), area.height < SHORT
    lines = 1 if short else game.lines_in(width)
    one_row = ONE_SEAT > area.width // max(1, len(seats)) >= LEAST_SEAT
    wide = LARGE_CARDS if area.height >= HIGH else CARDS
    cards = wide if area.width >= ROUND else FEW_CARDS if one_row and not short else 0
    places, below = _across(area, seats, _height(width, lines, cards))
    return Seats(area, places, lines, below)


def _height(width: int, lines: int, cards: int) -> int:
    """Return how high a box is with its name, its lines and its cards below them."""
    name, line, _letter = letters_of(width)
    return name + 2 + line * lines + (cards or BELOW_LINES)


def _rows(area: Area, count: int) -> tuple[int, int]:
    """Return how many rows so many seats need, and how many stand in each."""
    fit = max(1, area.width // LEAST_SEAT)
    rows = max(1, -(-count // fit))
    return rows, max(1, -(-count // rows))


def _width(area: Area, count: int) -> int:
    """Return how wide a box is where so many stand across."""
    return min(300, area.width // _rows(area, count)[1] - 8)


def _across(area: Area, seats: Sequence[Seat], height: int) -> tuple[dict[Seat, Area], int]:
    if not seats:
        return {}, area.y
    rows, each = _rows(area, len(seats))
    width = _width(area, len(seats))
    places: dict[Seat, Area] = {}
    for place, seat in enumerate(seats):
        number, column = divmod(place, each)
        here = min(each, len(seats) - number * each)
        gap = (area.width - here * width) // (here + 1)
        places[seat] = Area(
            area.right - (column + 1) * (width + gap),
            area.y + 4 + number * (height + 4),
            width,
            height,
        )
    return places, area.y + 4 + rows * (height + 4)


def seat_box(
    state: ScreenState, scene: Scene, game: GamePicture, seat: Seat, place: Area, most: int
) -> Drawn:
    """Return another seat's box: its name, its turn or absence, its cards, its last remark.

    The box has at most `most` lines.
    """
    in_turn = seat in scene.model.turn and not state.done
    sign, style = ("▶ ", "turn") if in_turn else ("", "strong")
    letter = letters_of(place.width)[2]
    room = (place.width - SEAT_EDGE) // (letter + 1) - len(sign)
    title = (
        Span(sign + scene.names.short(seat, max(3, room)), style),
        *spans(table_words.mark(state, seat)),
    )
    lines = game.seat_words(scene, seat, place)
    if (remark := table_words.last_remark(state, seat)) is not None:
        lines = ((Span(_("“{words}”").format(words=said(remark)), "wait"),), *lines[:1])
    shown = first_lines(lines, (place.width - SEAT_EDGE) // letter, most)
    panel = Panel(f"seat:{seat}", "turn" if in_turn else "seat", place, title, shown)
    return Drawn(panels=(panel,)) + game.seat_pieces(scene, seat, place, shown)
