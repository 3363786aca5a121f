"""Basque names in a sentence: the endings of the cases that sentences ask for.

A name takes the ending of an indefinite noun without `-a`: after a vowel one form, after a
consonant another, and a final `r` is doubled (Ane, Anek; Jon, Jonek; Iker, Ikerrek). Figures are
declined as they are read aloud (2, bi: 2k; 1, bat: 1ek).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

ENDINGS: Mapping[str, tuple[str, str]] = {
    "abs": ("", ""),
    "erg": ("k", "ek"),
    "dat": ("ri", "i"),
    "gen": ("ren", "en"),
    "soc": ("rekin", "ekin"),
    "ben": ("rentzat", "entzat"),
}
"""The cases that may stand in braces: the ending after a vowel, and after a consonant."""
_IRREGULAR: Mapping[tuple[str, str], str] = {("zu", "gen"): "zure", ("zu", "ben"): "zuretzat"}
"""Lists call our own seat `zu`, you."""
_VOWELS = frozenset("aeiouyæøœı")
_FIGURES_READ_WITH_A_CONSONANT = frozenset("15")  # bat, bost; all others end in a vowel


def declined(name: str, case: str) -> str:
    """Return a name in a case.

    KeyError for one that sentences do not use. Text in brackets after it is not declined.
    """
    after_vowel, after_consonant = ENDINGS[case]
    bare, bracket, rest = name.partition(" (")
    if not bare or not after_consonant:
        return name
    if (name, case) in _IRREGULAR:
        return _IRREGULAR[name, case]
    last = unicodedata.normalize("NFD", bare[-1])[0].lower()
    if last in _VOWELS or (last.isdecimal() and last not in _FIGURES_READ_WITH_A_CONSONANT):
        ending = after_vowel
    elif last == "r":
        ending = "r" + after_consonant
    elif last.isdecimal() or unicodedata.name(last, "").startswith("LATIN"):
        ending = after_consonant
    else:
        ending = "-" + after_consonant  # a sign, or a script whose sounds we do not know
    return bare + ending + bracket + rest
