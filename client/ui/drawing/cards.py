"""Cards as they are drawn, in three sizes.

Rank and suit letter carry the meaning, everywhere; colour and pips decorate.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _, later, pgettext
from client.storage.settings import CardSize
from client.ui.drawing.canvas import Canvas, Rect
from engine.core.cards import FRENCH_52, JOKER, rank, suit

SIZES: dict[CardSize, tuple[int, int]] = {
    CardSize.CHIP: (5, 1),
    CardSize.SMALL: (5, 4),
    CardSize.BIG: (9, 7),
}
"""Columns and rows of a card."""
ORDER = (CardSize.BIG, CardSize.SMALL, CardSize.CHIP)

SPANISH = {"o": "golds", "c": "cups", "e": "swords", "b": "clubs"}
FRENCH = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
COLOURS = {"♠": "black", "♥": "red", "♦": "red", "♣": "black"}
PIPS: dict[int, tuple[str, ...]] = {
    1: ("", "", "  *", "", ""),
    2: ("", "  *", "", "  *", ""),
    3: ("", "  *", "  *", "  *", ""),
    4: ("", "*   *", "", "*   *", ""),
    5: ("", "*   *", "  *", "*   *", ""),
    6: ("", "*   *", "*   *", "*   *", ""),
    7: ("", "* * *", "  *", "* * *", ""),
}
"""Where a large Spanish card has its pips."""
FIGURES = {10: later("sota"), 11: later("caballo"), 12: later("rey")}


def fitting(
    count: int, width: int, height: int, most: CardSize = CardSize.BIG, *, overlap: bool = True
) -> CardSize:
    """Return the largest size, up to `most`, in which so many cards fit side by side."""
    for size in ORDER[ORDER.index(most) :]:
        columns, rows = SIZES[size]
        step = 4 if overlap and size is not CardSize.CHIP else columns
        if rows <= height and (count == 0 or columns + (count - 1) * step <= width):
            return size
    return CardSize.CHIP


def spread(count: int, width: int, size: CardSize) -> tuple[int, int]:
    """Return the distance between cards of a row, and the columns that the row takes.

    The cards overlap if room is short.
    """
    columns, _rows = SIZES[size]
    if count < 2:
        return columns, columns * count
    step = min(
        columns + (1 if size is CardSize.BIG else 0), max(1, (width - columns) // (count - 1))
    )
    return step, step * (count - 1) + columns


def draw_card(
    canvas: Canvas, x: int, y: int, face: str | None, size: CardSize, style: str = ""
) -> Rect:
    """Draw a card, None being its back, and return the place it takes.

    `style` is added to the whole card.

    A picked card has another frame too: colours may be missing.
    """
    columns, rows = SIZES[size]
    place = Rect(x, y, columns, rows)
    picked = style == "picked"
    if size is CardSize.CHIP:
        label, own = ("▒▒▒", "back") if face is None else short(face)
        left, right = "▐▌" if picked else "[]"
        canvas.write(
            x,
            y,
            [("card", left), (own, label.center(3) if face is None else label), ("card", right)],
            style,
        )
        return place
    inside = canvas.box(place, "back" if face is None else "card", double=picked)
    if face is None:
        canvas.fill(inside, "back", "▒")
    elif size is CardSize.SMALL:
        _small(canvas, inside, face)
    else:
        _big(canvas, inside, face)
    if style:
        canvas.restyle(place, style)
    return place


def draw_row(
    canvas: Canvas,
    rect: Rect,
    faces: Sequence[str | None],
    size: CardSize,
    styles: Sequence[str] = (),
    *,
    centred: bool = False,
) -> list[Rect]:
    """Draw cards side by side, overlapping if they must; return their places.

    Those to the right lie on top.
    """
    step, taken = spread(len(faces), rect.width, size)
    x = rect.x + max(0, (rect.width - taken) // 2) if centred else rect.x
    return [
        draw_card(canvas, x + place * step, rect.y, face, size, styles[place] if styles else "")
        for place, face in enumerate(faces)
    ]


def corner(rank: str) -> str:
    """Return what stands in the corner of a French card of a rank, for the reader."""
    letters = {
        "A": pgettext("corner of a card", "A"),
        "J": pgettext("corner of a card", "J"),
        "Q": pgettext("corner of a card", "Q"),
        "K": pgettext("corner of a card", "K"),
    }
    return "10" if rank == "T" else letters.get(rank, rank)


def french(card: str) -> str:
    """Return a card of the French pack as it is shown, drawn or in a sentence: `Td` is `10♦`.

    A joker has the card or the rank that it stands for: `*Td` is `*10♦`, `*T` is `*10`.
    """
    joker, rank = (JOKER, card[1:]) if card.startswith(JOKER) else ("", card)
    sign = FRENCH.get(rank[-1:], "")
    return joker + corner(rank[:-1] if sign else rank) + sign


def french_notation(line: str) -> str:
    """Return a line in which cards of the French pack may be typed as they are shown.

    `10♦`, `10d` and `*10` become `Td`, `Td` and `*T`.
    """
    known = {corner(one).casefold(): one for one in map(rank, FRENCH_52)}
    known |= {french(face).casefold(): face for face in FRENCH_52}
    known |= {(corner(rank(face)) + suit(face)).casefold(): face for face in FRENCH_52}
    words = []
    for word in line.split():
        card = word.removeprefix(JOKER)
        words.append(word.removesuffix(card) + known.get(card.casefold(), card))
    return " ".join(words)


def short(face: str) -> tuple[str, str]:
    """Return a card in three columns, and its style: ` 7o`, `12e`, `10♠`.

    French cards as `french` has them. The letters of suits are small: `1O` could be read as ten.
    """
    rank, suit = face[:-1], face[-1]
    if suit in SPANISH and rank.isdecimal() and not face.startswith("*"):
        return face.rjust(3), SPANISH[suit]
    if suit in COLOURS:
        return face.rjust(3), COLOURS[suit]
    return face.rjust(3), "joker"


def _parts(label: str) -> tuple[str, str]:
    """Return the rank of a card, and its suit; a joker has its star before the suit."""
    if not label.startswith(JOKER):
        return label[:-1], label[-1:]
    rank = label[1:].rstrip("".join(COLOURS))
    return rank, JOKER + label[1 + len(rank) :]


def _small(canvas: Canvas, inside: Rect, face: str) -> None:
    label, style = short(face)
    rank, suit = _parts(label.strip())
    canvas.write(inside.x, inside.y, rank, style)
    canvas.write(inside.right - 1 - len(suit), inside.y + 1, suit, style)


def _big(canvas: Canvas, inside: Rect, face: str) -> None:
    label, style = short(face)
    rank, suit = _parts(label.strip())
    canvas.write(inside.x, inside.y, rank, style)
    canvas.flush_right(inside, inside.y, suit, style)
    canvas.write(inside.x, inside.bottom - 1, suit, style)
    canvas.flush_right(inside, inside.bottom - 1, rank, style)
    if face[-1] in SPANISH and rank.isdecimal():
        number = int(rank)
        figure = _(FIGURES[number]) if number in FIGURES else ""
        for row, pips in enumerate(PIPS.get(number, ("", "", figure.center(7), "", ""))):
            if not 0 < row < 4:
                continue
            text = pips if number in FIGURES else " " + pips
            canvas.write(
                inside.x, inside.y + row, text.replace("*", "●"), style
            ) if pips.strip() else None
