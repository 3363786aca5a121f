"""A picture as text, for golden tests: a line for each piece, text, row and control, with the keys
it presses."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from client.ui.drawing.picture import Area, Control, Entry, Panel, Picture, Piece, Row, Text, Words


def as_text(picture: Picture) -> str:
    """Return a picture in lines. Styles stand in `‹›` before their text, keys in `[]`; an empty
    style is plain."""
    return "\n".join(line.rstrip() for line in _lines(picture)) + "\n"


def _lines(picture: Picture) -> Iterator[str]:
    yield (
        f"{picture.width}x{picture.height} {picture.page} “{picture.title}” head "
        f"{picture.head}, "
        f"bar {picture.bar}"
    )
    yield f"heading  {_words(picture.heading)}"
    if picture.score:
        yield f"score    {_words(picture.score)}"
    yield from map(_piece, picture.pieces)
    yield from map(_text, picture.texts)
    for panel in picture.panels:
        yield from _panel(panel)
    if picture.call is not None:
        call = picture.call
        yield f"call     {call.x},{call.y} {_styled(call.text, call.style)}"
    if picture.origin is not None:
        yield f"origin   {picture.origin[0]},{picture.origin[1]}"
    if picture.notice:
        yield f"notice   {picture.notice}"
    if picture.aside is not None:
        yield f"aside    {_area(picture.aside)}"
    if picture.entry is not None:
        yield f"entry    {_entry(picture.entry)}"
    yield from map(_control, picture.controls)
    for line in picture.announce:
        yield f"announce {line}"


def _piece(piece: Piece) -> str:
    turned = f" turned {piece.turn}" if piece.turn else ""
    layer = f" layer {piece.layer}" if piece.layer else ""
    state = f" {piece.state}" if piece.state else ""
    named = f" “{piece.name}”" if piece.name else ""
    named += f" worth {piece.worth}" if piece.worth else ""
    where = f"{piece.x},{piece.y} {piece.width}x{piece.height}{turned}{layer}"
    return (
        f"piece    {piece.id} {piece.kind} {piece.face or 'back'} "
        f"{where}{state}{named}{_keys(piece.keys)}"
    )


def _text(text: Text) -> str:
    align = f" {text.align}" if text.align != "left" else ""
    size = f" size {text.size}" if text.size != 16 else ""
    return f"text     {text.id} {text.x},{text.y} {text.width}{size}{align}  {_words(text.words)}"


def _panel(panel: Panel) -> Iterator[str]:
    modal, columns = " modal" * panel.modal, f" columns {panel.columns}" if panel.columns else ""
    yield (
        f"panel    {panel.id} {panel.kind} {_area(panel.area)}{modal}{columns}  "
        f"{_words(panel.title)}"
    )
    for line in panel.lines:
        yield f"         {_words(line)}"
    if panel.svg:
        yield f"         svg {len(panel.svg)} characters, {crc32(panel.svg.encode()):08x}"
    yield from map(_row, panel.rows)


def _row(row: Row) -> str:
    about = f" | {_words(row.about)}" if row.about else ""
    steps = f" <{_keys(row.less)} >{_keys(row.more)}" if row.less or row.more else ""
    return (
        f"  {'>' if row.chosen else '-'} {row.id}  "
        f"{_words(row.words)}{about}{_keys(row.keys)}{steps}"
    )


def _control(control: Control) -> str:
    off = "" if control.enabled else " off"
    return f"control  {control.id}  {control.key} {control.label}{_keys(control.keys)}{off}"


def _entry(entry: Entry) -> str:
    hint = f" ({entry.hint})" if entry.hint else ""
    return f"{entry.label}: {entry.text}_{hint}"


def _area(area: Area) -> str:
    return f"{area.x},{area.y} {area.width}x{area.height}"


def _words(line: Words) -> str:
    return "".join(_styled(span.text, span.style) for span in line)


def _styled(text: str, style: str) -> str:
    return f"‹{style}›{text}‹›" if style else text


def _keys(keys: tuple[str, ...]) -> str:
    return f" [{' '.join(keys)}]" if keys else ""
