"""Our own drawings of cards and tiles as SVG: a sprite with a symbol for each face.

Suits differ in shape, colour and letter. All colours are custom properties (`colours.style`), so
that a page may set its own; text is in the indices only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.cards import JOKER

if TYPE_CHECKING:
    from client.ui.browser.art.svg import Pack

KINDS = ("spanish", "french", "domino")
_SVG = '<svg xmlns="http://www.w3.org/2000/svg"'


def symbol_id(kind: str, face: str | None) -> str:
    """Return the id of the symbol of a face, None being the back.

    Examples are `spanish-7o`, `french-joker` and `domino-back`.
    """
    return f"{kind}-{'back' if face is None else 'joker' if face == JOKER else face}"


def faces_of(kind: str) -> tuple[str, ...]:
    """Return the faces of a kind as the rules write them; all jokers are one."""
    return tuple(face for face in _pack(kind).faces if face is not None)


def symbols(kind: str) -> str:
    """Return a sprite: an invisible `<svg>` with a symbol for each face and the back.

    A page uses it by `#` and `symbol_id`.
    """
    pack = _pack(kind)
    drawn = {symbol_id(kind, face): symbol for face, symbol in pack.faces.items()}
    body = "".join(symbol.written(name) for name, symbol in {**pack.parts, **drawn}.items())
    return f'{_SVG} width="0" height="0" aria-hidden="true">{body}</svg>'


def _pack(kind: str) -> Pack:
    from client.ui.browser.art import domino, french, spanish  # noqa: PLC0415 - the lobby shows no card: start-up time

    packs = {"spanish": spanish.pack, "french": french.pack, "domino": domino.pack}
    return packs[kind]()
