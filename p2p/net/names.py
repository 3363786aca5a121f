"""Names from other machines: compared by how they look, and marked if they mix scripts (UTS #39).

See decision 0013. `confusable_homoglyphs` lists pairs that look alike, in both directions. Here
pairs are joined into classes with one representative each, so that two names are equal where UTS
#39 has equal skeletons.
"""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache
from importlib.resources import files

from p2p.net.text import bare, isolated

NICK_COLUMNS = 24
"""The most columns of a nick."""
MARK = "⚠"
"""The mark in front of a name that mixes scripts."""
_OURS = frozenset("✓✔✗✘☑☒✅❌❎🗸🗹🗷🗴" + MARK + ',;:()[]{}<>«»“”„‟"|')
"""The program's own marks, and the punctuation between a name and the program's words."""

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
"""The part of the data for ASCII, which is enough for most names. Reading the rest takes 0.1 s."""


def clean_name(name: str) -> str:
    """Return a name safe to show, of at most 24 columns.

    It has none of the program's own marks. It is marked if it mixes scripts, and isolated if it has
    right-to-left text.
    """
    shown = _unmarked(name)
    if _mixes_scripts(shown):
        shown = MARK + bare(shown, NICK_COLUMNS - 1)
    return isolated(shown)


def look_alike(one: str, other: str) -> bool:
    """Whether two names can be mistaken for each other by shape, case or spaces.

    An empty name resembles none.
    """
    ours, theirs = _skeletons(one), _skeletons(other)
    return bool(ours[0]) and (ours[0] == theirs[0] or ours[1] == theirs[1])


def _unmarked(name: str) -> str:
    """Return a name without the program's marks and separators, at most 24 columns wide."""
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

    # Symbols have no script: each year brings more than the data know.
    scripts = {alias(char) for char in name if unicodedata.category(char)[0] in "LMN"} - _ANY_SCRIPT
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


@lru_cache(maxsize=1024)
def _skeletons(name: str) -> tuple[str, str]:
    """Return the skeletons of a name, and of the name in lower case."""
    plain = unicodedata.normalize("NFKC", _unmarked(name)).replace(" ", "")
    return skeleton(plain).casefold(), skeleton(plain.casefold())


def skeleton(text: str) -> str:
    """Return the text with each character replaced by its representative (UTS #39)."""
    looks = ASCII_LOOKS if text.isascii() else representatives()
    before = ""
    while before != text:  # a representative may contain others
        before = text
        parts = (looks.get(char, char) for char in unicodedata.normalize("NFD", text))
        text = unicodedata.normalize("NFD", "".join(parts))
    return text


@lru_cache(maxsize=1)
def representatives() -> dict[str, str]:
    """Return the representative of each character that has look-alikes."""
    # Read the file directly: the module that reads it keeps 10 MB.
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
            # A sequence may represent a character (rn for m); only single ones are replaced.
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
    """Return an entry of the data without the direction marks of its source."""
    return unicodedata.normalize("NFD", text.replace("\u200e", "").replace("\u200f", ""))
