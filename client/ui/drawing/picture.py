"""A picture of the screen: frozen, pure, in CSS pixels.

Python decides where everything lies; a page only places it.

A click or a tap names a control by its id. The program looks the id up in the picture that it has
sent last, and presses the keys that stand there: so a click acts on the thing that was seen, or on
nothing, and there is no second logic of a game.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from engine.core.dataclass import dataclass

CHOOSE = "="
"""Before the id of an item or of a card: as a key it chooses this one, wherever it stands in its
list."""
SIGNS = ("+", "-", "←", "→", "↑", "↓")
"""Keys that say what they do."""
ASPECTS = {"spanish": (61, 95), "french": (63, 88), "domino": (1, 2)}
"""Width and height of a card, or of a tile that stands upright, its first number above."""


@dataclass(frozen=True)
class Area:
    """A part of a picture: its upper left corner, width and height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The pixel beside it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The pixel below it."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[int, int]:
        """Its centre."""
        return self.x + self.width // 2, self.y + self.height // 2

    def inner(self, by: int) -> Area:
        """Return the part within a margin."""
        return Area(
            self.x + by, self.y + by, max(0, self.width - 2 * by), max(0, self.height - 2 * by)
        )


@dataclass(frozen=True)
class Span:
    """Text of one style: names of `client.ui.drawing.style`, several apart by spaces."""

    text: str
    style: str = ""


Words = tuple[Span, ...]
"""A line or paragraph of text."""


@dataclass(frozen=True)
class Piece:
    """A card or a tile."""

    id: str
    """The same as long as it is the same card: `slot:` and the slot. A piece that moves glides
    there from where it was."""
    kind: str
    """The drawing: `spanish`, `french` or `domino`."""
    face: str | None
    """As the rules write it; None shows the back."""
    x: int
    y: int
    """The upper left corner, before it is turned about its centre."""
    width: int
    height: int
    turn: int = 0
    """Degrees, clockwise."""
    layer: int = 0
    """Those of a higher layer lie on top; within a layer the later ones."""
    state: str = ""
    """Words apart by spaces: `picked`, `marked`, `legal`, `barred`, `last`."""
    keys: tuple[str, ...] = ()
    """The keys that a click presses; without any it is no control."""
    name: str = ""
    """The words for a screen reader; needed if a click means something."""
    worth: str = ""
    """The worth of a card whose print does not say it: it stands in a corner."""

    @property
    def area(self) -> Area:
        """The part of the picture that it covers."""
        wide, high = (
            (self.height, self.width) if self.turn in (90, 270) else (self.width, self.height)
        )
        return Area(
            self.x + (self.width - wide) // 2, self.y + (self.height - high) // 2, wide, high
        )


@dataclass(frozen=True)
class Text:
    """A line of text at a place."""

    id: str
    x: int
    y: int
    width: int
    """It is cut off with an ellipsis beyond this."""
    words: Words
    size: int = 16
    align: str = "left"
    """Or `middle`, `right`."""


@dataclass(frozen=True)
class Row:
    """An item of a list."""

    id: str
    words: Words
    about: Words = ()
    chosen: bool = False
    keys: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    """The keys of a button that takes the value before, where the item has values."""
    more: tuple[str, ...] = ()
    """The same for the next value."""


@dataclass(frozen=True)
class Panel:
    """A box with text in it, which scrolls if it does not fit."""

    id: str
    kind: str
    """The looks: `seat`, `turn` (a seat whose turn it is), `status` (the line of the turn),
    `ended`, `list`, `prose`, `sheet`, `alarm`, `log`, `field`, `code`.
    """
    area: Area
    title: Words = ()
    lines: tuple[Words, ...] = ()
    rows: tuple[Row, ...] = ()
    columns: int = 0
    """Columns of its lines' text if it is a table of characters, as the count is; 0 is prose."""
    svg: str = ""
    """A drawing of the program's own: the QR code of an invite, a plot."""
    modal: bool = False
    """Whether it lies above everything, and nothing below can be clicked."""


@dataclass(frozen=True)
class Control:
    """A button: the same as a key of the full screen."""

    id: str
    key: str
    """The key as it is shown, with which the keyboard does the same."""
    label: str
    keys: tuple[str, ...]
    enabled: bool = True

    @property
    def sign(self) -> bool:
        """Whether its key says something that its label does not: an arrow, more or less."""
        return self.key in SIGNS


@dataclass(frozen=True)
class Entry:
    """A line that our player is typing."""

    label: str
    text: str
    hint: str = ""
    """The wish of the program, in a sentence."""
    caret: int = 0
    """How many characters stand before the cursor; a page puts it there when the hint changes."""


@dataclass(frozen=True)
class Call:
    """A moment worth a look up, across the table."""

    text: str
    x: int
    y: int
    """Its centre."""
    width: int
    """It is broken into lines so that it is at most as wide as this, with its frame."""
    style: str = "moment"


@dataclass(frozen=True)
class Picture:
    """All that is to be seen, in a window of so many CSS pixels."""

    width: int
    height: int
    page: str
    """The name of the page: of `client.ui.screen.state.Page`."""
    title: str
    """The words above the window."""
    heading: Words = ()
    """The first line: the page, or the game and its deal."""
    score: Words = ()
    """At the right of it."""
    pieces: tuple[Piece, ...] = ()
    texts: tuple[Text, ...] = ()
    panels: tuple[Panel, ...] = ()
    controls: tuple[Control, ...] = ()
    """The buttons in the last lines, the most useful first."""
    notice: str = ""
    """A sentence about the last thing that was done or went wrong."""
    aside: Area | None = None
    """The place of the notice, if it is too long for the space of the buttons."""
    entry: Entry | None = None
    call: Call | None = None
    origin: tuple[int, int] | None = None
    """The centre of the stock: a new piece comes from there."""
    announce: tuple[str, ...] = ()
    """The last lines of the plain face, oldest first: a screen reader reads those that are new."""
    bar: int = 0
    """Pixels from the bottom that the controls and the notice have."""
    head: int = 0
    """Pixels from the top that the heading has."""

    def clicks(self) -> dict[str, tuple[str, ...]]:
        """Return the keys of everything that can be clicked, by id.

        Below a modal panel nothing can be clicked.
        """
        modal = any(panel.modal for panel in self.panels)
        found: dict[str, tuple[str, ...]] = {}
        if not modal:
            found |= {piece.id: piece.keys for piece in self.pieces if piece.keys}
        for panel in self.panels:
            if modal and not panel.modal:
                continue
            for row in panel.rows:
                found |= {row.id: row.keys} if row.keys else {}
                found |= {f"{row.id}<": row.less} if row.less else {}
                found |= {f"{row.id}>": row.more} if row.more else {}
        return found | {
            control.id: control.keys
            for control in self.controls
            if control.enabled and control.keys
        }


def as_data(picture: Picture) -> dict[str, Any]:
    """Return a picture as JSON can hold it, without the keys: a page knows ids only."""
    found = asdict(picture)
    for piece in found["pieces"]:
        piece["click"] = bool(piece.pop("keys"))
    for control in found["controls"]:
        del control["keys"]
        control["sign"] = control["key"] in SIGNS
    for panel in found["panels"]:
        for row in panel["rows"]:
            row["click"], row["steps"] = (
                bool(row.pop("keys")),
                bool(row.pop("less")) | bool(row.pop("more")),
            )
    return found
