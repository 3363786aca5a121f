"""The reader's language: translated sentences, and names that can be declined.

The words of each game are in client.ui.games.

English sentences are the ids of the translations, which lie in `client/i18n/locale`. A sentence is
never glued from parts: braces mark the variable parts, and the sentence is translated whole, then
filled in.
"""

from __future__ import annotations

import gettext
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from client.i18n.basque import ENDINGS, declined

NO_BREAK = "\u00a0"
"""Stands for a space at which no line may be broken, until the line is printed."""
LOCALE = Path(__file__).parent / "locale"
DOMAIN = "sobremesa"
OUTSIDE_COLUMNS = 400
"""How wide a file name or a message of the system may be in a sentence."""
KEY_CONTEXT = "key"
"""The context in which letters of keys are translated."""
TYPED_CONTEXT = "typed"
"""The context in which the words of typed moves are translated."""
PROGRAM = "sobremesa"
"""The usual command of this program."""
_COMMAND = re.compile(rf"(?<![\w./-]){PROGRAM}(?= [a-z{{-]|{NO_BREAK}resume)")
"""Matches the command in a sentence that tells its reader to type it, and nobody else."""
SOURCE = "en"
"""The language of the sentences in the code, which needs no catalogue."""
_SOUNDS_LIKE_AND = re.compile("(?:h?i|y)(?![aeou])", re.IGNORECASE)
"""Spanish says `e` instead of `y` before these: Ane e Iker, Ane e Hilario, but Ane y Hielo."""
_SOUNDS_LIKE_OR = re.compile("h?o|8|11(?![0-9])", re.IGNORECASE)
"""Spanish says `u` instead of `o` before these: 7 u 8 (ocho), 10 u 11 (once)."""


class Reader:
    """The language in use, and the command of this program; there is one reader a process."""

    language = SOURCE
    command = PROGRAM
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


class Sentence(str):
    """A translated sentence. A name at its end that brings a full stop is followed by no other."""

    __slots__ = ()

    def format(self, *values: object, **named: object) -> str:
        """Fill in the variable parts."""
        filled = super().format(*values, **named)
        for value in (*values, *named.values()):
            if isinstance(value, str) and value.endswith((".", "…")):
                filled = filled.replace(f"{value}.", value)
        return filled


def _(sentence: str) -> str:
    """Return a sentence in the reader's language."""
    # gettext translates "" to the catalogue's head
    return Sentence(as_called(Reader.catalogue.gettext(sentence)) if sentence else "")


def ngettext(one: str, many: str, count: int) -> str:
    """Return the sentence for this many, in the reader's language."""
    return Sentence(as_called(Reader.catalogue.ngettext(one, many, count)))


def pgettext(context: str, sentence: str) -> str:
    """Return the translation of a sentence that means different things in different places.

    `context` says in which place it stands.
    """
    return Sentence(Reader.catalogue.pgettext(context, sentence))


def later(sentence: str) -> str:
    """Mark a sentence of a table for translation; the code that shows it calls `_`."""
    return sentence


def keyed(action: str) -> str:
    """Mark a key's letter, with its action behind a colon, for translation: `t: take a tile`."""
    return action


def letter(action: str) -> str:
    """Return the letter of a key that `keyed` has marked, in the reader's language."""
    return pgettext(KEY_CONTEXT, action)[0]


def languages() -> list[str]:
    """Return the languages there are words for."""
    return sorted(
        {SOURCE, *(found.parent.parent.name for found in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))}
    )


def language() -> str:
    """Return the language in use."""
    return Reader.language


def set_language(code: str | None = None) -> str:
    """Set the language to `code`, or else to that of the environment, and return it.

    The language of the environment is used as far as there are words for it.

    LookupError if there are no words for a language that was asked for by its code.
    """
    known = languages()
    if code is not None and code not in known:
        raise LookupError(code)
    wanted = [code] if code else _of_the_environment()
    Reader.language = next((one for one in wanted if one in known), SOURCE)
    Reader.catalogue = (
        gettext.NullTranslations()
        if Reader.language == SOURCE
        else gettext.translation(DOMAIN, LOCALE, [Reader.language], fallback=True)
    )
    return Reader.language


def call_program(command: str) -> None:
    """Let sentences name the command that starts this program: a file that is not on the PATH."""
    Reader.command = command


def as_called(text: str) -> str:
    """Return a text whose commands begin as our player starts this program."""
    command = Reader.command
    return text if command == PROGRAM else _COMMAND.sub(lambda _found: command, text)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language for a moment, in which no other task may run. LookupError.

    The reader of these words is somewhere else, and has the program under its usual name.
    """
    before, command = language(), Reader.command
    set_language(code)
    call_program(PROGRAM)
    try:
        yield
    finally:
        set_language(before)
        call_program(command)


def uncompiled(code: str | None = None) -> str:
    """Return the language that is asked for if this source tree has only its `.po`, else empty.

    `code`, or else the environment, asks for the language.
    """
    asked = code or next(iter(_of_the_environment()), "")
    return (
        asked
        if asked not in languages() and (LOCALE / asked / "LC_MESSAGES" / f"{DOMAIN}.po").is_file()
        else ""
    )


def _of_the_environment() -> list[str]:
    """Return the languages that the environment asks for, best first: `eu_ES.UTF-8` is `eu`."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return [one.split(".")[0].split("@")[0].split("_")[0] for one in value.split(":")]
    return []


class Name(str):
    """A player's name as a sentence takes it: `{who}`.

    A language that declines names asks for the case, `{who:erg}`.

    Only Basque does: elsewhere every case is the name itself. ValueError for a case that there is
    not.
    """

    __slots__ = ()

    def __format__(self, case: str) -> str:
        if case not in ENDINGS:
            return super().__format__(case)
        return declined(self, case) if language() == "eu" else str(self)


def unbroken(text: str) -> str:
    """Return words that stay on one line: a move as it is typed, a command to be copied."""
    return text.replace(" ", NO_BREAK)


def decimal(number: float) -> str:
    """Return a number with one decimal, as the reader's language writes it: 1.5 or 1,5."""
    return f"{number:.1f}".replace(".", "." if language() == SOURCE else ",")


def keys_in_brackets(sentence: str) -> str:
    """Return a sentence whose brackets name keys.

    A no-break space before a bracket marks it, so that a window without a keyboard leaves it out.
    """
    return sentence.replace(" (", f"{NO_BREAK}(")


def listed(items: Sequence[str]) -> Name:
    """Return items as a list in a sentence, declined as its last item: `a, b and c`."""
    if len(items) < 2:
        return Name("".join(items))
    joined = _("{some} and {last}")
    if language() == "es" and _SOUNDS_LIKE_AND.match(unicodedata.normalize("NFD", items[-1])):
        joined = "{some} e {last}"
    return Name(joined.format(some=", ".join(items[:-1]), last=items[-1]))


def either(items: Sequence[str]) -> str:
    """Return items of which one is meant: `a`, `a or b`, `a, b or c`."""
    if len(items) < 2:
        return "".join(items)
    joined = _("{some} or {last}")
    if language() == "es" and _SOUNDS_LIKE_OR.match(unicodedata.normalize("NFD", items[-1])):
        joined = "{some} u {last}"
    return joined.format(some=", ".join(items[:-1]), last=items[-1])


def outside(text: object) -> str:
    """Return a file name, a message of the system or the like, fit to stand in a sentence."""
    from p2p.net.text import isolated, one_line  # noqa: PLC0415 - help and version print without it

    return isolated(one_line(str(text), OUTSIDE_COLUMNS))
