"""The base of every game's picture: hands, boxes of the others, a middle.

A game says what lies in its middle.

It draws from a scene only, and offers no key that the game's screen does not take.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from client.i18n.translation import _
from client.ui.drawing.canvas import Rect, columns_of
from client.ui.drawing.picture import ASPECTS, Area, Panel, Piece, Span, Text, Words
from client.ui.games import screen_of
from client.ui.games.aloud import spoken
from client.ui.games.screen import Line, Scene
from client.ui.wrap import wrapped
from engine.core.dataclass import dataclass
from engine.core.moves import Face, Seat, Slot

GAP = 8
"""Pixels between two cards that lie side by side."""
LEAST_SEEN = 0.28
"""The share of a card's width that stays in sight under the next one, at least: index and suit."""
LINE = 22
"""Pixels of a line of text."""
STOCK_SIZE, STOCK_LETTER, STOCK_LINE = 13, 7, 18
"""Pixels of the letters of the words below a stock, of a column of them, and of each more line."""
SMALL_SEAT = 124
"""Pixels of a seat's box below which its letters are smaller, as page.css has them."""
CARDS_BELOW = 24
"""Pixels of a seat's box below its lines from which its cards lie there."""
LARGE_BELOW = 60
"""The same from which they are as high as that."""
CARDS_BESIDE, SEAT_EDGE = 0.42, 20
"""The share of the width of a box for cards beside its lines; the pixels of its edges."""
SEAT_SPARE = 8
"""Pixels of a line in a box for signs that are wider than a letter."""
LEAST_ROW = 12
"""Pixels of a row of cards, at least."""
LEAST_CARD = 6
"""Pixels of a card's width below which it is a speck."""
LEAST_STEP, ROW_SEEN, AS_WIDE = 28, 0.32, 0.85
"""Pixels of a card of our hand that stay in sight, where it may have a second row; the share of the
height of the hand that stays in sight of the first of two rows; and the share of a card's width
that two rows leave, at least."""
MOST_NAME = 14
"""Columns of the name above a hand that is not called ours."""
BESIDE = 16
"""Pixels that the caption of a card may be wider than it, at either side."""


@dataclass(frozen=True)
class Drawn:
    """Parts of a picture."""

    pieces: tuple[Piece, ...] = ()
    texts: tuple[Text, ...] = ()
    panels: tuple[Panel, ...] = ()

    def __add__(self, other: Drawn) -> Drawn:
        return Drawn(
            self.pieces + other.pieces, self.texts + other.texts, self.panels + other.panels
        )


@dataclass(frozen=True)
class Held:
    """A card of our hand: its place in the row is its place in the list."""

    slot: Slot
    keys: tuple[str, ...] = ()
    state: str = ""
    caption: str = ""


def spans(line: Line) -> Words:
    """Return a line of the full screen as words of a picture, without its drawings of backs."""
    return tuple(Span(text, style) for style, text in line if "▒" not in text and text)


def letters_of(width: int) -> tuple[int, int, int]:
    """Return the pixels of the name in a box so wide, of a line below it, and of a column."""
    return (24, 20, 8) if width >= SMALL_SEAT else (21, 17, 7)


def first_lines(lines: Iterable[Words], columns: int, room: int) -> tuple[Words, ...]:
    """Return the first lines, as many as have room when broken at `columns`; at least one."""
    found: list[Words] = []
    for line in lines:
        text = "".join(span.text for span in line)
        room -= max(len(wrapped(text, columns)), -(-columns_of(text) // max(1, columns)))
        if room < 0 and found:
            break
        found.append(line)
    return tuple(found)


def line_of(
    id: str,  # noqa: A002 - as pictures call it
    area: Area,
    words: Iterable[Span],
    size: int = 16,
    align: str = "left",
) -> Drawn:
    """Return a line of text over the width of an area, or nothing if it is empty."""
    shown = tuple(span for span in words if span.text)
    return (
        Drawn(texts=(Text(id, area.x, area.y, area.width, shown, size, align),))
        if shown
        else Drawn()
    )


def size_in(
    kind: str, count: int, area: Area, most: int, *, overlap: bool = True
) -> tuple[int, int]:
    """Return width and height of cards, so that so many fit side by side.

    They are at most `most` pixels high.
    """
    wide, high = ASPECTS[kind]
    height = min(area.height, most)
    share = 1 + (count - 1) * (LEAST_SEEN if overlap else 1)
    gaps = 0 if overlap else (count - 1) * GAP
    width = (
        min(height * wide // high, int((area.width - gaps) / share))
        if count
        else height * wide // high
    )
    return max(1, width), max(1, width * high // wide)


def row(count: int, area: Area, width: int) -> list[int]:
    """Return the positions where the cards of a row begin, in the middle of the area.

    The cards overlap where room is short.
    """
    if not count:
        return []
    step = min(width + GAP, (area.width - width) // (count - 1)) if count > 1 else 0
    begin = area.x + (area.width - width - step * (count - 1)) // 2
    return [begin + place * step for place in range(count)]


def grid(
    kind: str, count: int, area: Area, most: int, below: int = 0
) -> tuple[int, int, list[tuple[int, int]]]:
    """Return the width, height and places of so many cards in rows.

    There are as many rows as make the cards largest.

    So many pixels `below` each card stay free.
    """
    found = (0, 0, 1)
    for rows in range(1, 5):
        each = -(-count // rows) if count else 1
        height = (area.height - (rows - 1) * GAP) // rows - below
        width, high = size_in(
            kind, each, Area(0, 0, area.width, max(1, height)), most, overlap=False
        )
        if width > found[0]:
            found = (width, high, rows)
    width, high, rows = found
    each = -(-count // rows) if count else 1
    step = high + below + GAP
    top = area.y + (area.height - rows * step + GAP) // 2
    places = []
    for number in range(rows):
        y = top + number * step
        places += [(x, y) for x in row(min(each, count - number * each), area, width)]
    return width, high, places


class GamePicture:
    """The picture of a game: `kind` is the drawing of its cards."""

    kind: ClassVar[str] = "spanish"
    seat_lines: ClassVar[int] = 2
    """Lines of text in the box of another seat, below its name."""
    hand_share: ClassVar[int] = 42
    """The share of the table below the others that our own part has, in per cent."""
    hand_most: ClassVar[int] = 190
    """Pixels that a card of our hand is high, at most."""
    hand_least: ClassVar[int] = 145
    """Pixels of our own part in which its cards can be read well, if as many as `middle_least` are
    left for the middle."""
    middle_least: ClassVar[int] = 116
    """Pixels that the middle needs before our own part gets more than its share."""
    hand_rows: ClassVar[int] = 1
    """Rows of our hand where it is long and the window narrow."""
    captions: ClassVar[bool] = False
    """Whether a card of our hand may have words above it."""
    beside: ClassVar[int] = 0
    """Pixels that stay free at either side of our hand; the lines above it need not leave them."""
    overlaps: ClassVar[bool] = True
    """Whether the cards of our hand may lie one over the other."""

    def lines_in(self, width: int) -> int:
        """Return how many lines a seat's box has that is so wide."""
        del width
        return self.seat_lines

    def seat_words(self, scene: Scene, seat: Seat, area: Area) -> tuple[Words, ...]:
        """Return the lines of text in the box of another seat, below its name."""
        columns = (area.width - SEAT_EDGE - SEAT_SPARE) // letters_of(area.width)[2]
        lines = screen_of(scene.model.game).seat_in(
            scene, seat, Rect(0, 0, max(10, columns), self.seat_lines)
        )
        words = tuple(spans(line) for line in lines)
        return tuple(line for line in words if any(span.text.strip() for span in line))

    def seat_pieces(self, scene: Scene, seat: Seat, area: Area, lines: Sequence[Words]) -> Drawn:
        """Return the cards in the box of another seat, beside or below its lines of text."""
        return self.row_of(scene, scene.game.hands[seat], self.seat_cards(area, lines))

    def seat_cards(self, area: Area, lines: Sequence[Words]) -> Area:
        """Return the part of a seat's box that has its cards: they lie on no word."""
        name, line, letter = letters_of(area.width)
        high, free = 38 if area.width > 180 else 26, name + line * self.lines_in(area.width)
        if area.height - free >= CARDS_BELOW:
            below = area.height - free - 4
            high = below if below >= LARGE_BELOW else min(high, below)
            return Area(area.x + 6, area.bottom - high - 4, area.width - 12, high)
        y, columns = area.bottom - high - 4, max(1, (area.width - SEAT_EDGE) // letter)
        rows = [
            row for line in lines for row in wrapped("".join(span.text for span in line), columns)
        ]
        free = max(0, (y - area.y - name) // line)
        longest = max((columns_of(row) for row in rows[free:]), default=0) * letter
        wide = min(int(area.width * CARDS_BESIDE), area.width - SEAT_EDGE - SEAT_SPARE - longest)
        return Area(area.right - max(0, wide) - 4, y, max(0, wide), high)

    def row_of(self, scene: Scene, slots: Sequence[Slot], area: Area, layer: int = 0) -> Drawn:
        """Return cards side by side, as large as they fit; none if nothing could be seen."""
        if area.width < LEAST_ROW:
            return Drawn()
        width, height = size_in(self.kind, len(slots), area, area.height)
        if width < LEAST_CARD:
            return Drawn()
        y = area.y + (area.height - height) // 2
        places = zip(slots, row(len(slots), area, width), strict=True)
        return Drawn(
            tuple(
                self.card(scene, slot, Area(x, y, width, height), layer=layer) for slot, x in places
            )
        )

    def card(
        self,
        scene: Scene,
        slot: Slot,
        area: Area,
        state: str = "",
        keys: tuple[str, ...] = (),
        layer: int = 0,
        turn: int = 0,
    ) -> Piece:
        """Return a card of the match at a place, as we see it."""
        face = scene.view.face(slot)
        name, worth = _("a hidden card"), ""
        if face is not None:
            name, worth = spoken(self.kind, face), self.worth(face)
        if worth:
            name = _("{card}, worth {worth}").format(card=name, worth=worth)
        x, y, width, height = area.x, area.y, area.width, area.height
        return Piece(
            f"slot:{slot}",
            self.kind,
            face,
            x,
            y,
            width,
            height,
            turn,
            layer,
            state,
            keys,
            name,
            worth,
        )

    def worth(self, face: Face) -> str:
        """Return the worth of a card if its print does not say it."""
        del face
        return ""

    def stock(self, scene: Scene, area: Area, words: str, keys: tuple[str, ...] = ()) -> Drawn:
        """Return the stock as a small pile of backs, with words below it."""
        wide, high = ASPECTS[self.kind]
        lines = textwrap.wrap(words, max(1, area.width // STOCK_LETTER), break_long_words=False)
        below = LINE + STOCK_LINE * (len(lines) - 1)
        height = max(1, area.height - below)
        width = min(area.width, height * wide // high)
        height = width * high // wide
        count = len(scene.game.stock)
        x, y = area.x + (area.width - width) // 2, area.y + (area.height - below - height) // 2
        pieces = [
            Piece(
                f"stock:{place}",
                self.kind,
                None,
                x + 2 * place,
                y - 2 * place,
                width,
                height,
                layer=1,
            )
            for place in range(min(3, count))
        ]
        if pieces and keys:
            pieces[-1] = replace(pieces[-1], keys=keys, name=words)
        found = Drawn(tuple(pieces))
        for number, line in enumerate(lines):
            top = area.bottom - below + number * STOCK_LINE
            place = Area(area.x, top, area.width, LINE)
            found += line_of(f"stock:{number}", place, [Span(line, "dim")], STOCK_SIZE, "middle")
        return found

    def middle(self, scene: Scene, area: Area) -> Drawn:
        """Return what lies on the table: of a game without a picture of its own a row of cards."""
        slots = [slot for slot, face in scene.game.faces.items() if face in scene.game.table()]
        return self.row_of(scene, slots, area)

    def hand(self, scene: Scene) -> list[Held]:
        """Return the cards of our hand in their order."""
        return [Held(slot) for slot, _face in scene.hand]

    def about(self, scene: Scene) -> Words:
        """Return the words above our hand: the facts about our seat not shown by its cards."""
        del scene
        return ()

    def facts(self, scene: Scene, area: Area) -> Sequence[Words]:
        """Return the lines above our hand in an area.

        There are as many at every moment of a match, so that nothing jumps.
        """
        del area
        return [self.about(scene)]

    def named(self, scene: Scene, facts: Sequence[Words]) -> list[Words]:
        """Return the lines above our hand, with the name of its seat where that is not `you`."""
        first, *others = facts
        if scene.seat is None or scene.me is not None:
            return [*facts]
        sign, style = ("▶ ", "turn") if scene.seat in scene.model.turn else ("", "strong")
        name = scene.names.short(scene.seat, MOST_NAME)
        return [(Span(f"{sign}{name}   ", style), *first), *others]

    def mine(self, scene: Scene, area: Area) -> Drawn:
        """Return our hand, picked cards raised, with a line above it."""
        line, facts = Drawn(), self.named(scene, self.facts(scene, area))
        for place, words in enumerate(facts):
            line += line_of(
                f"mine:{place}",
                Area(area.x, area.y + place * LINE, area.width, LINE),
                words,
                15,
                "middle",
            )
        above = (len(facts) - 1) * LINE
        area = Area(
            area.x + self.beside,
            area.y + above,
            area.width - 2 * self.beside,
            max(1, area.height - above),
        )
        held = self.hand(scene)
        captions = LINE - 4 if self.captions else 0
        room = Area(
            area.x,
            area.y + LINE + 14 + captions,
            area.width,
            max(1, area.height - LINE - 18 - captions),
        )
        if not self.overlaps:
            width, high, places = grid(self.kind, len(held), room, min(room.height, self.hand_most))
            for card, (x, y) in zip(held, places, strict=True):
                where = Area(x, y - (12 if "picked" in card.state else 0), width, high)
                line += Drawn((self.card(scene, card.slot, where, card.state, card.keys, layer=2),))
            return line
        width, high, each, below = self._hand_size(len(held), room)
        found = line
        for number in range(-(-len(held) // each)):
            part = held[number * each : (number + 1) * each]
            y = room.y + number * below + (room.height - below - high) // 2
            for card, x in zip(part, row(len(part), room, width), strict=True):
                raised = 12 if "picked" in card.state else 0
                where = Area(x, y - raised, width, high)
                found += Drawn(
                    (self.card(scene, card.slot, where, card.state, card.keys, layer=2 + number),)
                )
                if card.caption:
                    over = Area(x - BESIDE, y - raised - LINE + 2, width + 2 * BESIDE, LINE)
                    found += line_of(
                        f"caption:{card.slot}", over, [Span(card.caption, "dim")], 12, "middle"
                    )
        return found

    def _hand_size(self, count: int, room: Area) -> tuple[int, int, int, int]:
        """Return the width and height of a card of our hand, and the cards of a row.

        The last number is how far a second row lies below the first, which it covers in part.
        """
        width, high = size_in(self.kind, count, room, self.hand_most)
        if self.hand_rows > 1 and width + (count - 1) * LEAST_STEP > room.width:
            each, below = -(-count // 2), int(room.height * ROW_SEEN)
            lower = replace(room, height=room.height - below)
            two = size_in(self.kind, each, lower, self.hand_most)
            if two[0] >= width * AS_WIDE:
                return *two, each, below
        return width, high, max(1, count), 0


PICTURE = GamePicture()
