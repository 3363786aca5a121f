"""Text from other machines, cleaned for display: no control, escape or direction marks.

Its width is limited.

The only file that decides which characters of a remote string reach a terminal or a log.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from wcwidth import wcwidth

ELLIPSIS = "…"
MARKS = 2
"""How many combining marks one character keeps; more is decoration that runs over other lines."""

# Control sequences go as a whole (CSI; then OSC, DCS, SOS, PM, APC up to their end): without ESC
# their rest would be litter.
_SEQUENCES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
    "|(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"
    "|\x1b[ -/]*[0-~]?"
)

# Control, format (direction marks, joiners, tags), surrogates, private, unassigned.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# Characters that are default-ignorable in Unicode but of another category: variation selectors, the
# combining grapheme joiner, fillers.
# And characters that draw nothing all the same: the Braille blank, a musical note without a head.
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)

FIRST_STRONG, END = "\u2068", "\u2069"
"""First strong isolate, and its end (UAX #9): the text between them is ordered by itself, and as
one piece of its line."""
_UNPAIRED = re.compile(f"({FIRST_STRONG}[^{FIRST_STRONG}{END}]*{END})|[{FIRST_STRONG}{END}]")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def clean(text: str, width: int) -> str:
    """Return `text` as one line of at most `width` columns, safe to show in any other line.

    It may be empty; cut text ends in an ellipsis. Text with right-to-left letters or digits is
    isolated, so that it cannot reorder the line around it. Decision 0013.
    """
    return isolated(bare(text, width))


def isolated(text: str) -> str:
    """Return one line of text, in isolates if it has right-to-left letters or digits."""
    return f"{FIRST_STRONG}{text}{END}" if any(map(is_right_to_left, text)) else text


def printable(text: str) -> str:
    """Return lines with all removed that does something to a terminal.

    This is the last defence where text is printed.

    Spaces and line ends stay, and so do isolates that are closed in their line.
    """
    if text.isprintable():
        return text
    lines = _SEQUENCES.sub("", text).split("\n")
    return "\n".join(_UNPAIRED.sub(r"\1", "".join(filter(_is_harmless, line))) for line in lines)


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char in (FIRST_STRONG, END) or unicodedata.category(char) == "Zs"


def is_right_to_left(char: str) -> bool:
    """Tell whether a character belongs to a script that is written from right to left."""
    return char >= "\u0590" and unicodedata.bidirectional(char) in _RIGHT_TO_LEFT


def bare(text: str, width: int) -> str:
    """Return what `clean` does without isolates: to be sent, or compared."""
    # The text worth showing stands near the beginning; this bounds the work a hostile string can
    # make.
    text = _SEQUENCES.sub("", text[: 16 * width + 256])
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        if kind in {"Zs", "Zl", "Zp"} or char in "\t\n\r\v\f":
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif kind in _UNSEEN or char in _BLANK:
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


@lru_cache(maxsize=4096)
def columns(text: str) -> int:
    """Return how many columns a cleaned text takes."""
    return sum(max(0, wcwidth(char)) for char in text)


def _cut(text: str, width: int) -> str:
    if columns(text) <= width:
        return text
    space = width - columns(ELLIPSIS)
    end = used = 0
    for char in text:
        used += max(0, wcwidth(char))
        if used > space:
            break
        end += 1
    return (text[:end].rstrip() + ELLIPSIS) if width > 0 else ""
