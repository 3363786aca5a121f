"""Words from other machines made fit to be shown: no control, escape or direction marks, and no wider than there is room.

The only file that decides which characters of a remote string reach a terminal or a log.
"""

from __future__ import annotations

import re
import unicodedata

from wcwidth import wcwidth

ELLIPSIS = "…"
MARKS = 2
"""How many combining marks one character keeps; more is decoration that runs over other lines."""

# Control sequences go as a whole (CSI; then OSC, DCS, SOS, PM, APC up to their end): without ESC their rest would be litter.
_SEQUENCES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
    "|(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"
    "|\x1b[ -/]*[0-~]?"
)

# Control, format (direction marks, joiners, tags), surrogates, private, unassigned.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# Letters that draw nothing (fillers, Braille blank): a nick of these would look like no nick.
_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def clean(text: str, width: int) -> str:
    """Return `text` as one line of at most `width` columns, safe to show. It may be empty; cut text ends in an ellipsis."""
    # Whatever is worth showing stands near the beginning; this bounds the work a hostile string can make.
    text = _SEQUENCES.sub("", text[: 16 * width + 256])
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        if kind in {"Zs", "Zl", "Zp"} or char in "\t\n\r\v\f":
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif kind in _UNSEEN or char in _BLANK or 0xFE00 <= ord(char) <= 0xFE0F:
            continue
        elif kind.startswith("M") or wcwidth(char) == 0:
            if kept and kept[-1] != " " and marks < MARKS:
                kept.append(char)
                marks += 1
            continue
        else:
            kept.append(char)
        marks = 0
    return _cut("".join(kept).strip(), width)


def columns(text: str) -> int:
    """Return how many columns a cleaned text takes."""
    return sum(max(0, wcwidth(char)) for char in text)


def _cut(text: str, width: int) -> str:
    if columns(text) <= width:
        return text
    room = width - columns(ELLIPSIS)
    end = used = 0
    for char in text:
        used += max(0, wcwidth(char))
        if used > room:
            break
        end += 1
    return (text[:end].rstrip() + ELLIPSIS) if width > 0 else ""
