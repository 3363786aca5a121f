"""Lines broken between words, for a terminal and for pages."""

from __future__ import annotations

import re
from functools import lru_cache

from client.i18n.translation import NO_BREAK
from p2p.net.text import columns

NARROWEST = 20
_ROW = re.compile(r" +\S+(?: \S+)*  +(?=\S)")
"""The first column of a row of a list, with the gap after it."""


def wrapped(line: str, width: int | None) -> list[str]:
    """Break a line between words, with later lines two columns further in.

    A word that is too long stays whole. If the line is a row of a list, its text stays in its
    column.
    """
    return list(_wrapped(line, width))


@lru_cache(maxsize=4096)  # the same lines stand beside many tables of a page
def _wrapped(line: str, width: int | None) -> tuple[str, ...]:
    whole = line.replace(NO_BREAK, " ")
    if width is None or columns(whole) <= max(width, NARROWEST):
        return (whole,)
    width = max(width, NARROWEST)
    current = margin = " " * (len(line) - len(line.lstrip(" ")))
    indent = margin + "  "
    if (row := _ROW.match(line)) and 2 * columns(row[0]) <= width:
        current, line = row[0].replace(NO_BREAK, " "), line[row.end() :]
        indent = " " * columns(current)
    found: list[str] = []
    fresh = True
    for part in filter(None, line.split(" ")):
        word = part.replace(NO_BREAK, " ")
        if not fresh and columns(current) + 1 + columns(word) > width:
            found.append(current)
            current, fresh = indent, True
        current = current + word if fresh else f"{current} {word}"
        fresh = False
    return (*found, current)
