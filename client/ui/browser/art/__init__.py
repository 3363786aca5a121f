"""Our own drawings of cards and tiles as SVG: a sprite, or one face as a drawing of its own.

The sprite has a symbol for each face.

Suits differ in shape, colour and letter. All colours are custom properties with defaults
(`colours`), so that a page may set its own; text is in the indices only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from client.ui.browser.art.colours import LIGHT
from engine.core.cards import JOKER

if TYPE_CHECKING:
    from client.ui.browser.art.svg import Pack

KINDS = ("spanish", "french", "domino")
_SVG = '<svg xmlns="http://www.w3.org/2000/svg"'
_COLOUR = re.compile(r"var\(--([a-z-]+),#[0-9a-f]+\)")


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


def drawing(
    kind: str, face: str | None, colours: Mapping[str, str] = LIGHT, *, width: int = 0
) -> str:
    """Return one face, or the back, as an image of its own, with these colours written out.

    `width` is in pixels; 0 means the image's own width.
    """
    pack = _pack(kind)
    symbol = pack.faces[face]
    parts = "".join(pack.parts[name].written(name) for name in _needed(pack, symbol.used()))
    wide, tall = pack.size
    width = width or wide
    head = f'{_SVG} viewBox="0 0 {wide} {tall}" width="{width}" height="{width * tall / wide:g}">'
    plain = f"{head}{f'<defs>{parts}</defs>' if parts else ''}{symbol.content}</svg>"
    return _COLOUR.sub(lambda found: {**LIGHT, **colours}[found[1]], plain)


def _pack(kind: str) -> Pack:
    from client.ui.browser.art import domino, french, spanish  # noqa: PLC0415 - the lobby shows no card: start-up time

    packs = {"spanish": spanish.pack, "french": french.pack, "domino": domino.pack}
    return packs[kind]()


def _needed(pack: Pack, names: Iterable[str]) -> list[str]:
    """Return the parts that are used, and those that they use."""
    found: dict[str, None] = {}
    for name in names:
        found |= dict.fromkeys([*_needed(pack, pack.parts[name].used()), name])
    return list(found)
