"""Lines broken between words, for a terminal and for pages."""

from __future__ import annotations

from client.i18n.translation import NO_BREAK
from p2p.net.text import columns

NARROWEST = 20


def wrapped(line: str, width: int | None) -> list[str]:
    """Break a line between words, with later lines two columns further in.

    A word that is too long stays whole.
    """
    whole = line.replace(NO_BREAK, " ")
    if width is None or columns(whole) <= max(width, NARROWEST):
        return [whole]
    width = max(width, NARROWEST)
    margin = " " * (len(line) - len(line.lstrip(" ")))
    found: list[str] = []
    current, fresh = margin, True
    for part in filter(None, line.split(" ")):
        word = part.replace(NO_BREAK, " ")
        if not fresh and columns(current) + 1 + columns(word) > width:
            found.append(current)
            current, fresh = margin + "  ", True
        current = current + word if fresh else f"{current} {word}"
        fresh = False
    return [*found, current]
