"""Text from other machines, cleaned for display: bounded, no control, escape or direction marks.

Only this file decides which characters of a remote string reach a terminal or a log.
"""

from __future__ import annotations

import re
import string
import unicodedata
from functools import lru_cache

ELLIPSIS = "…"
MARKS = 2
"""The most combining marks of a character; more of them would run over other lines."""

# Control sequences go as a whole (CSI; then OSC, DCS, SOS, PM, APC up to their end): without ESC,
# the rest would be litter.
_SEQUENCES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
    "|(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"
    "|\x1b[ -/]*[0-~]?"
)

# Control, format (direction marks, joiners, tags), surrogates, private, unassigned.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# Default-ignorable characters of other categories: variation selectors, the combining grapheme
# joiner, fillers. And characters that draw nothing: the Braille blank, a musical note without a
# head.
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)

# Characters that take different numbers of columns on different terminals, or join their neighbours
# on some of them (decision 0023). Spacing marks and viramas are among them too.
_UNEVEN = frozenset(
    "\u0d4e\u17a4\u17d8\u3030\u303d\u3297\u3299\ua8fa\uff9e\uff9f\U0001f202\U0001f237"
    "\U000111c2\U000111c3\U0001171e\U0001193f\U00011941\U00011d46"
    + "".join(
        chr(number)
        for first, last in (
            (0x1100, 0x11FF),  # letters of Hangul that compose no syllable, also in two more blocks
            (0xA960, 0xA97C),
            (0xD7B0, 0xD7FB),
            (0x2630, 0x2637),  # trigrams, hexagrams and their like
            (0x268A, 0x268F),
            (0x4DC0, 0x4DFF),
            (0x1D300, 0x1D356),
            (0x1D360, 0x1D376),  # counting rods
            (0x3248, 0x324F),  # numbers in circles
            (0x11A84, 0x11A89),
            (0x1F3FB, 0x1F3FF),  # skin tones
        )
        for number in range(first, last + 1)
    )
)
_VIRAMA = 9
"""The combining class of a mark that joins two letters."""
_FLAG_LETTERS = {0x1F1E6 + place: letter for place, letter in enumerate(string.ascii_uppercase)}
"""Two of these make a flag on some terminals, and two letters on others."""

FIRST_STRONG, END = "\u2068", "\u2069"
"""First strong isolate, and its end (UAX #9): the text between them is ordered on its own, as one
piece of its line."""
_UNPAIRED = re.compile(f"({FIRST_STRONG}[^{FIRST_STRONG}{END}]*{END})|[{FIRST_STRONG}{END}]")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def clean(text: str, width: int) -> str:
    """Return `text` as one line of at most `width` columns, safe to show in any other line.

    It may be empty; cut text ends in an ellipsis. Text with right-to-left letters or digits is
    isolated, so that it cannot reorder the line around it. Decision 0013.
    """
    return isolated(bare(text, width))


def isolated(text: str) -> str:
    """Return a line of text, isolated if it has right-to-left letters or digits."""
    return f"{FIRST_STRONG}{text}{END}" if any(map(is_right_to_left, text)) else text


def printable(text: str) -> str:
    """Return lines without anything that controls a terminal: the last defence before printing.

    Spaces and line ends stay, and so do isolates that are closed in their line.
    """
    if text.isprintable():
        return text
    lines = _SEQUENCES.sub("", text).split("\n")
    return "\n".join(_UNPAIRED.sub(r"\1", "".join(filter(_is_harmless, line))) for line in lines)


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char in (FIRST_STRONG, END) or unicodedata.category(char) == "Zs"


def is_right_to_left(char: str) -> bool:
    """Whether a character belongs to a script that is written from right to left."""
    return char >= "\u0590" and unicodedata.bidirectional(char) in _RIGHT_TO_LEFT


def bare(text: str, width: int) -> str:
    """Return what `clean` does, without isolates: to send or compare."""
    return one_line(even(text[: _worth_showing(width)]), width)


def one_line(text: str, width: int) -> str:
    """Return `text` as one line of at most `width` columns, with every visible character.

    Terminals may draw some of them in different widths.
    """
    text = _SEQUENCES.sub("", text[: _worth_showing(width)])
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", "".join(filter(_is_seen, text))):
        if unicodedata.category(char).startswith("M"):
            if kept and kept[-1] != " " and marks < MARKS:
                kept.append(char)
                marks += 1
            continue
        marks = 0
        if not char.isspace():
            kept.append(char)
        elif kept and kept[-1] != " ":
            kept.append(" ")
    return _cut("".join(kept).strip(), width)


def _worth_showing(width: int) -> int:
    """Return how many characters to process; this bounds the work of a hostile string."""
    return 16 * width + 256


def _is_seen(char: str) -> bool:
    return char in "\t\n\r\v\f" or not (unicodedata.category(char) in _UNSEEN or char in _BLANK)


def even(text: str) -> str:
    """Return text in which every terminal draws each character in the same number of columns.

    A flag becomes its two letters; other characters of uneven width are left out.
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text.translate(_FLAG_LETTERS))
    # Once more: a character left out may have separated a letter and its mark.
    return unicodedata.normalize("NFC", "".join(filter(_is_even, composed)))


def _is_even(char: str) -> bool:
    return not (
        char in _UNEVEN
        or unicodedata.category(char) in {"Mc", "Me"}
        or unicodedata.combining(char) == _VIRAMA
    )


@lru_cache(maxsize=4096)
def columns(text: str) -> int:
    """Return how many columns a cleaned text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_columns_of, text))


def _columns_of(char: str) -> int:
    kind = unicodedata.category(char)
    if kind in _UNSEEN or kind.startswith("M"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def _cut(text: str, width: int) -> str:
    if columns(text) <= width:
        return text
    space = width - columns(ELLIPSIS)
    end = used = 0
    for char in text:
        used += columns(char)
        if used > space:
            break
        end += 1
    return (text[:end].rstrip() + ELLIPSIS) if width > 0 else ""
