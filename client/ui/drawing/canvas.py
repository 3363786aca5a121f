"""A sheet of styled characters, on which everything on the full screen is drawn.

The sheet is then shown, compared or printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from client.i18n.translation import NO_BREAK
from p2p.net.text import END, FIRST_STRONG, columns, is_right_to_left

Piece = tuple[str, str]
"""A style, and text in it. Styles are names of client.ui.drawing.style, several apart by spaces;
the last word counts."""
Text = str | Iterable[Piece]

ASCII = str.maketrans(
    "─│┌┐└┘├┤┬┴┼╭╮╰╯═║╔╗╚╝╤╧━┃┏┓┗┛▶◀▲▼●○◆♠♥♦♣·…–—✓✗×½░▒▓█▌▐¡¿«»„“”‘’→←↑↓╪╱",
    '-|+++++++++++++=|++++++-|++++><^vo.*shdc.~--vxxh:%##||!?"""""\'\'><^v#/',
)
"""The ASCII substitute of each character. Letters lose their accents; isolates have no width and
are left out."""
BARE = str.maketrans("áéíóúýñüçÁÉÍÓÚÝÑÜÇ", "aeiouynucAEIOUYNUC") | str.maketrans(
    {
        FIRST_STRONG: "",
        END: "",
        "þ": "th",
        "Þ": "Th",
        "ð": "d",
        "Ð": "D",
        "æ": "ae",
        "Æ": "Ae",
        "ö": "o",
        "Ö": "O",
    }
)


@dataclass(frozen=True)
class Rect:
    """A part of a sheet: its upper left corner, columns and rows."""

    x: int
    y: int
    width: int
    height: int

    @property
    def bottom(self) -> int:
        """The row below it."""
        return self.y + self.height

    @property
    def right(self) -> int:
        """The column beside it."""
        return self.x + self.width

    def holds(self, x: int, y: int) -> bool:
        """Whether a place lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inner(self, by: int = 1) -> Rect:
        """Return the part within a frame."""
        return Rect(
            self.x + by, self.y + by, max(0, self.width - 2 * by), max(0, self.height - 2 * by)
        )


class Canvas:
    """A sheet of `width` x `height`; characters beyond its edges are cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", "")] * width for _ in range(height)]

    @property
    def rect(self) -> Rect:
        """The whole sheet."""
        return Rect(0, 0, self.width, self.height)

    def write(self, x: int, y: int, text: Text, style: str = "", width: int | None = None) -> int:
        """Write from a place to the right; return the column after the text.

        At most `width` columns are written, and cut text ends in `…`.
        """
        pieces = (
            [(style, text)]
            if isinstance(text, str)
            else [(f"{style} {own}".strip(), part) for own, part in text]
        )
        space = self.width - x if width is None else min(width, self.width - x)
        characters = [
            (character, own, taken)
            for own, part in pieces
            for character in part.replace(NO_BREAK, " ")
            if (taken := columns(character))
        ]
        cut = sum(taken for _character, _own, taken in characters) > space
        left = space - 1 if cut else space
        for character, own, taken in characters:
            if taken > left:
                break
            self._put(x, y, character, own, taken)
            x, left = x + taken, left - taken
        if cut and space > 0:
            self._put(x, y, "…", characters[-1][1] if characters else style, 1)
            x += 1
        return x

    def _put(self, x: int, y: int, character: str, style: str, columns: int) -> None:
        if not 0 <= y < self.height or x < 0 or x + columns > self.width:
            return
        row = self._cells[y]
        row[x] = (character, style)
        for further in range(x + 1, x + columns):
            row[further] = ("", style)  # covered by the wide character before it

    def is_blank(self, x: int, y: int) -> bool:
        """Whether nothing is written at a place."""
        return self._cells[y][x][0] == " "

    def centre(self, rect: Rect, y: int, text: Text, style: str = "") -> None:
        """Write in the middle of a rectangle's row."""
        pieces = text if isinstance(text, str) else list(text)
        x = rect.x + max(0, (rect.width - columns_of(pieces)) // 2)
        self.write(x, y, pieces, style, rect.right - x)

    def flush_right(self, rect: Rect, y: int, text: Text, style: str = "") -> int:
        """Write so that it ends at a rectangle's right edge; return the column where it begins."""
        pieces = text if isinstance(text, str) else list(text)
        x = max(rect.x, rect.right - columns_of(pieces))
        self.write(x, y, pieces, style, rect.right - x)
        return x

    def fill(self, rect: Rect, style: str, character: str = " ") -> None:
        """Fill a rectangle."""
        for y in range(rect.y, rect.bottom):
            for x in range(rect.x, rect.right):
                self._put(x, y, character, style, 1)

    def box(
        self, rect: Rect, style: str = "line", title: Text = "", *, double: bool = False
    ) -> Rect:
        """Draw a frame with a title in its upper edge, and clear and return the part inside."""
        if rect.width < 2 or rect.height < 2:
            return rect.inner()
        self.fill(rect, "")
        corners, across, down = ("╔╗╚╝", "═", "║") if double else ("╭╮╰╯", "─", "│")
        for y, left, right in (
            (rect.y, corners[0], corners[1]),
            (rect.bottom - 1, corners[2], corners[3]),
        ):
            self.write(rect.x, y, left + across * (rect.width - 2) + right, style)
        for y in range(rect.y + 1, rect.bottom - 1):
            self.write(rect.x, y, down, style)
            self.write(rect.right - 1, y, down, style)
        if title:
            pieces = [(style, title)] if isinstance(title, str) else list(title)
            self.write(rect.x + 2, rect.y, [("", " "), *pieces, ("", " ")], "", rect.width - 4)
        return rect.inner()

    def restyle(self, rect: Rect, style: str) -> None:
        """Add a style to all that stands in a rectangle."""
        for y in range(max(0, rect.y), min(self.height, rect.bottom)):
            row = self._cells[y]
            for x in range(max(0, rect.x), min(self.width, rect.right)):
                character, own = row[x]
                row[x] = (character, f"{own} {style}".strip())

    def rows(self) -> list[list[Piece]]:
        """Return the rows, each as pieces of one style."""
        found: list[list[Piece]] = []
        for cells in self._cells:
            row: list[Piece] = []
            for character, style in _isolated(cells):
                if row and row[-1][0] == style:
                    row[-1] = (style, row[-1][1] + character)
                else:
                    row.append((style, character))
            found.append(row)
        return found

    def text(self) -> str:
        """Return what is written, without styles and without spaces at the ends of lines."""
        return (
            "\n".join(
                "".join(character for character, _style in row).rstrip() for row in self._cells
            )
            + "\n"
        )


def _isolated(cells: list[Piece]) -> list[Piece]:
    """Return a row's cells with isolates around right-to-left text.

    So a terminal that orders this text moves no other cell.
    """
    found = list(cells)
    places = [
        at
        for at, (character, _style) in enumerate(cells)
        if character and is_right_to_left(character)
    ]
    for before, at, after in zip([-9, *places], places, [*places[1:], -9], strict=False):
        character, style = cells[at]
        begins = before < 0 or any(between.strip() for between, _style in cells[before + 1 : at])
        ends = after < 0 or any(between.strip() for between, _style in cells[at + 1 : after])
        found[at] = (FIRST_STRONG * begins + character + END * ends, style)
    return found


def columns_of(text: Text) -> int:
    """Return how many columns text takes."""
    return columns(text) if isinstance(text, str) else sum(columns(part) for _style, part in text)


def as_ascii(text: str) -> str:
    """Return text for a terminal that shows only ASCII.

    It is as many columns wide as before wherever that can be.
    """
    plain = text.translate(ASCII).translate(BARE)
    return "".join(character if character.isascii() else "?" for character in plain)
