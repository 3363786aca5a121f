"""A picture as one SVG that needs nothing else: for documents, and for a step of a match."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from client.ui.drawing.canvas import columns_of
from client.ui.drawing.picture import Call, Panel, Picture, Piece, Span, Text, Words
from client.ui.pictures.art import symbol_id, symbols
from client.ui.pictures.parts import PER_EM

GROUND, PANEL, INK, LINE, ACCENT = "#e3e9df", "#fffdf8", "#1d1b18", "#b9b0a0", "#1f5f3f"
COLOURS = {
    "dim": "#5d574d", "barred": "#5d574d", "turn": "#2d6a1e", "good": "#2d6a1e", "wait": "#7a5200",
    "warn": "#8a4b00", "bad": "#a8161a", "alarm": "#a8161a", "moment": "#8d1f86",
    "joker": "#8d1f86", "back": "#0b5a94", "golds": "#7a5200", "cups": "#a8161a",
    "swords": "#0b5a94", "clubs": "#2d6a1e", "red": "#a8161a",
}  # fmt: skip
"""The colours of styles: those of the light page."""
BOLD = {
    "strong",
    "key",
    "turn",
    "warn",
    "bad",
    "alarm",
    "moment",
    "golds",
    "cups",
    "swords",
    "clubs",
    "red",
    "black",
    "pips",
}
FRAMES = {
    "legal": (ACCENT, 2),
    "picked": ("#8a4b00", 4),
    "marked": ("#0b5a94", 3),
    "last": ("#8d1f86", 3),
}
"""Colour and width of the frame of a piece, by its state."""
BARE = {"status", "prose", "field"}
"""Panels without a box."""
SMALL = {"seat", "turn"}
READ = 32
"""Pixels that a card is wide, at least, if its worth is to be read in its corner."""
_COLOUR = re.compile(r"var\(--[a-z-]+,(#[0-9a-f]{3,6})\)")
_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)
_USED = re.compile(r'href="#([^"]+)"')


def as_svg(picture: Picture) -> str:
    """Return a picture as SVG, without its controls, which cannot be pressed there.

    Text wider than its place is cut.
    """
    size = f'width="{picture.width}" height="{picture.height}"'
    found = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width} {picture.height}" '
        f"{size}"
        ' font-family="system-ui, sans-serif">',
        f"<title>{escape(picture.title)}</title>",
        f"<defs>{_symbols(picture.pieces)}</defs>",
        f'<rect {size} fill="{GROUND}"/>',
        *_heading(picture),
    ]
    for panel in picture.panels:
        found += _panel(panel)
    for piece in sorted(picture.pieces, key=lambda piece: piece.layer):
        found += _piece(piece)
    for text in picture.texts:
        found += _text(text)
    if picture.call is not None:
        found += _call(picture.call)
    return "\n".join([*found, "</svg>", ""])


def _symbols(pieces: Iterable[Piece]) -> str:
    """Return the symbols that are drawn, and those that they use."""
    wanted = {symbol_id(piece.kind, piece.face) for piece in pieces}
    known: dict[str, str] = {}
    for kind in sorted({piece.kind for piece in pieces}):
        known |= {found[1]: found[0] for found in _SYMBOL.finditer(symbols(kind))}
    left = sorted(wanted)
    while left:
        fresh = set(_USED.findall(known[left.pop()])) - wanted
        wanted |= fresh
        left += sorted(fresh)
    return _COLOUR.sub(r"\1", "".join(symbol for name, symbol in known.items() if name in wanted))


def _heading(picture: Picture) -> Iterator[str]:
    if not picture.heading:
        return
    middle = min(picture.head, 48) // 2 + 7
    yield _line(picture.heading, 16, middle, 20, bold=True)
    if picture.head > 48:
        yield _line(picture.score, 16, picture.head - 10, 15)
    else:
        yield _line(picture.score, picture.width - 16, middle, 16, anchor="end")


def _piece(piece: Piece) -> Iterator[str]:
    x, y, width, height = piece.x, piece.y, piece.width, piece.height
    turned = (
        f' transform="rotate({piece.turn} {x + width / 2:g} {y + height / 2:g})"'
        if piece.turn
        else ""
    )
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    states = piece.state.split()
    faint = ' opacity="0.75"' if "barred" in states else ""
    yield f'<use href="#{symbol_id(piece.kind, piece.face)}" {place}{turned}{faint}/>'
    if piece.worth and width >= READ:
        side = round(width * 0.34)
        corner = (
            f'x="{x + 2}" y="{y + height - side - 2}" width="{side}" height="{side}" '
            f'rx="{side // 4}"'
        )
        yield f'<rect {corner} fill="{PANEL}" stroke="{LINE}"{turned}/>'
        below = y + height - side // 4 - 2
        yield _line(
            (Span(piece.worth),),
            x + 2 + side // 2,
            below,
            round(side * 0.62),
            bold=True,
            anchor="middle",
        )
    for colour, thick in (FRAMES[state] for state in states if state in FRAMES):
        frame = f'fill="none" stroke="{colour}" stroke-width="{thick}"'
        yield f'<rect {place} rx="{max(2, width // 14)}" {frame}{turned}/>'


def _text(text: Text) -> Iterator[str]:
    x = text.x + {"left": 0, "middle": text.width // 2, "right": text.width}[text.align]
    anchor = {"left": "start", "middle": "middle", "right": "end"}[text.align]
    yield _line(
        _cut(text.words, text.width, text.size),
        x,
        text.y + round(text.size * 1.05),
        text.size,
        anchor=anchor,
    )


def _panel(panel: Panel) -> Iterator[str]:
    area, size = panel.area, 14 if panel.kind in SMALL else 15
    padding = 8 if panel.kind in SMALL else 12
    if panel.kind not in BARE:
        edge = f'stroke="{ACCENT}" stroke-width="2"' if panel.kind == "turn" else f'stroke="{LINE}"'
        place = f'x="{area.x}" y="{area.y}" width="{area.width}" height="{area.height}"'
        yield f'<rect {place} rx="10" fill="{PANEL}" {edge}/>'
    middle = panel.kind == "ended"
    x = area.x + (area.width // 2 if middle else padding)
    space = area.width - 2 * padding
    step = round(size * 1.4)
    y = area.y + round(size * 1.35)
    if panel.title:
        yield _line(_cut(panel.title, space, size + 1), x, y, size + 1, bold=True)
        y += step
    lines = [part for line in panel.lines for part in _wrapped(line, space, size)]
    lines += [
        part
        for row in panel.rows
        for part in _wrapped((*row.words, Span("  "), *row.about), space, size)
    ]
    fit = max(0, (area.bottom - 2 - y) // step + 1)
    for line in lines[-fit:] if panel.kind == "log" and fit else lines[:fit]:
        yield _line(
            line, x, y, size, anchor="middle" if middle else "start", mono=bool(panel.columns)
        )
        y += step


def _call(call: Call) -> Iterator[str]:
    width = round(columns_of(call.text) * 34 * PER_EM) + 56
    ink = COLOURS.get(call.style, INK)
    place = f'x="{call.x - width // 2}" y="{call.y - 34}" width="{width}" height="68"'
    yield f'<rect {place} rx="12" fill="{PANEL}" stroke="{ink}" stroke-width="3"/>'
    yield _line((Span(call.text, call.style),), call.x, call.y + 12, 34, bold=True, anchor="middle")


def _line(
    words: Words,
    x: int,
    y: int,
    size: int,
    *,
    bold: bool = False,
    anchor: str = "start",
    mono: bool = False,
) -> str:
    parts = "".join(_span(span) for span in words)
    looks = f'font-size="{size}" fill="{INK}"' + ' font-weight="bold"' * bold
    looks += (
        f' text-anchor="{anchor}"' * (anchor != "start")
        + ' font-family="ui-monospace, monospace"' * mono
    )
    return f'<text x="{x}" y="{y}" {looks} xml:space="preserve">{parts}</text>'


def _span(span: Span) -> str:
    names = span.style.split()
    ink = next((COLOURS[name] for name in reversed(names) if name in COLOURS), "")
    looks = f' fill="{ink}"' * bool(ink) + ' font-weight="bold"' * bool(BOLD.intersection(names))
    return f"<tspan{looks}>{escape(span.text)}</tspan>" if looks else escape(span.text)


def _fits(words: Words, width: int, size: int) -> bool:
    return columns_of("".join(span.text for span in words)) * size * PER_EM <= width


def _cut(words: Words, width: int, size: int) -> Words:
    """Return words as far as they fit, with an ellipsis if they do not."""
    if _fits(words, width, size):
        return words
    letters = [Span(letter, span.style) for span in words for letter in span.text]
    while letters and not _fits((*letters, Span("…")), width, size):
        letters.pop()
    return (*_joined(letters), Span("…"))


def _wrapped(words: Words, width: int, size: int) -> Iterator[Words]:
    """Break a line between words where it is too long."""
    line: list[Span] = []
    for part in (
        Span(text, span.style) for span in words for text in re.findall(r"\s*\S+|\s+$", span.text)
    ):
        if line and not _fits((*line, part), width, size):
            yield _joined(line)
            line = [Span(part.text.lstrip(), part.style)]
        else:
            line.append(part)
    yield _joined(line)


def _joined(spans: Iterable[Span]) -> Words:
    """Join neighbours of one style."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1].style == span.style:
            found[-1] = Span(found[-1].text + span.text, span.style)
        else:
            found.append(span)
    return tuple(found)
