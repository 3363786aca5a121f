"""Names from other machines: compared by how they look, and marked if they mix scripts (UTS #39).

Decision 0013. The data come from `confusable_homoglyphs`. It lists pairs that look alike, in both
directions; here they are joined into classes, and one member represents each class. Two names
become equal by that where UTS #39 has equal skeletons.
"""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache
from importlib.resources import files

from p2p.net.text import bare, isolated

NICK_COLUMNS = 24
"""How wide a nick may be."""
MARK = "⚠"
"""Stands before a name that mixes scripts."""
_OURS = frozenset("✓✔✗✘☑☒✅❌❎🗸🗹🗷🗴" + MARK + ',;:()[]{}<>«»“”„‟"|')
"""The program's own marks, and the signs between a name and the words of the program."""

# UTS #39 section 5.2, "highly restrictive": one script, or one of these sets.
_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
_ANY_SCRIPT = frozenset({"COMMON", "INHERITED"})

ASCII_LOOKS = {
    "`": "'",
    '"': "''",
    "}": "❵",
    "&": "ꝸ",
    "1": "l",
    "|": "l",
    "I": "l",
    "0": "O",
    "%": "º/₀",
    "m": "rn",
}
"""The part of the data for ASCII. Most names need no more, and to read the rest takes 0.1 s of a
start."""


def clean_name(name: str) -> str:
    """Return a name fit to be shown, of at most 24 columns.

    It has none of the program's own marks. It is marked if it mixes scripts, and isolated if it has
    right-to-left text.
    """
    shown = _unmarked(name)
    if _mixes_scripts(shown):
        shown = MARK + bare(shown, NICK_COLUMNS - 1)
    return isolated(shown)


def look_alike(one: str, other: str) -> bool:
    """Tell whether two names can be mistaken for each other: by shape, by case, or by spaces.

    No name is like an empty one.
    """
    ours, theirs = _skeletons(one), _skeletons(other)
    return bool(ours[0]) and (ours[0] == theirs[0] or ours[1] == theirs[1])


def _unmarked(name: str) -> str:
    """Return a name without marks and separators of the program, at most 24 columns wide."""
    kept = [
        char
        for char in bare(name, 2 * len(name))
        if _OURS.isdisjoint(unicodedata.normalize("NFKC", char))
    ]
    return bare("".join(kept), NICK_COLUMNS)


def _mixes_scripts(name: str) -> bool:
    if name.isascii():
        return False
    from confusable_homoglyphs.categories import alias  # noqa: PLC0415 -- 30 ms, rarely needed

    # Symbols are of no script: there are more of them every year than the data know.
    scripts = {alias(char) for char in name if unicodedata.category(char)[0] in "LMN"} - _ANY_SCRIPT
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


@lru_cache(maxsize=1024)
def _skeletons(name: str) -> tuple[str, str]:
    """Return the skeleton of a name as it is written, and of the name in small letters."""
    plain = unicodedata.normalize("NFKC", _unmarked(name)).replace(" ", "")
    return _skeleton(plain).casefold(), _skeleton(plain.casefold())


def _skeleton(text: str) -> str:
    looks = ASCII_LOOKS if text.isascii() else _looks()
    before = ""
    while before != text:  # a representative of several characters may contain represented ones
        before = text
        parts = (looks.get(char, char) for char in unicodedata.normalize("NFD", text))
        text = unicodedata.normalize("NFD", "".join(parts))
    return text


@lru_cache(maxsize=1)
def _looks() -> dict[str, str]:
    """Return, for each character with look-alikes, the representative of all that look so."""
    # The file and not the module that reads it: that one keeps 10 MB for good.
    data = json.loads(
        files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    )
    near: dict[str, set[str]] = {}
    for one, others in data.items():
        near.setdefault(_spelled(one), set()).update(_spelled(other["c"]) for other in others)
    looks: dict[str, str] = {}
    seen: set[str] = set()
    for start in near:
        alike, todo = set(), [start]
        while todo:
            char = todo.pop()
            if char not in seen:
                seen.add(char)
                alike.add(char)
                todo += near[char]
        if alike:
            # A sequence represents single characters (rn for m); only single ones are replaced.
            representative = max(alike, key=lambda char: (len(char), len(near[char]), char))
            looks.update(
                {
                    char: representative
                    for char in alike
                    if len(char) == 1 and char != representative
                }
            )
    return looks


def _spelled(text: str) -> str:
    """Return an entry of the data without the direction marks that its source is printed with."""
    return unicodedata.normalize("NFD", text.replace("\u200e", "").replace("\u200f", ""))
