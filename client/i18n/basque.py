"""Basque names in a sentence: the endings of the cases that sentences ask for.

A name takes the ending of an indefinite noun without `-a`: after a vowel one form, after a
consonant another, and a final `r` is doubled (Ane, Anek; Jon, Jonek; Iker, Ikerrek). Figures are
declined as they are read aloud (2, bi: 2k; 1, bat: 1ek; 31, hogeita hamaika: 31k). Signs that
nobody reads stand before a hyphen: the sound before them decides (Ane!, Ane!-k; Jon!, Jon!-ek).
"""

from __future__ import annotations

import re
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
_VOWELS = frozenset("aeiouyæøœıаеиоуыэюяіαεηιουω")
_KNOWN_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")
_FIGURES = re.compile(r"\d{1,4}$")


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
    read = _read(bare)
    last = unicodedata.normalize("NFD", read[-1:])[:1].lower()
    script = unicodedata.name(last, "").partition(" ")[0] if last.isalpha() else ""
    if figures := _FIGURES.search(read):
        vowel = _number_ends_in_a_vowel(int(figures[0]))
    else:
        vowel = last in _VOWELS or script not in _KNOWN_SCRIPTS
    ending = after_vowel if vowel else after_consonant
    if read != bare or script not in ("LATIN", ""):
        ending = "-" + ending
    elif last == "r":
        ending = "r" + ending
    return bare + ending + bracket + rest


def _read(name: str) -> str:
    """Return a name up to the last letter or figure that is read aloud; nothing if none is."""
    while name and not (name[-1].isalpha() or name[-1].isdecimal()):
        name = name[:-1]
    return name


def _number_ends_in_a_vowel(number: int) -> bool:
    """Whether a number is read with a vowel at its end: bi, hamaika, hogei, mila; not bat, ehun."""
    tens, ones = divmod(number % 100, 10)
    if not tens and not ones:
        return number % 1000 == 0
    return ones not in ((0, 5) if tens % 2 else (1, 5))
