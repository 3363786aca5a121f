"""The mistakes of a catalogue of translations, as sentences."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message

from client.i18n.basque import ENDINGS

PLURALS = {
    "eu": (2, "(n != 1)"),
    "es": (2, "(n != 1)"),
    "is": (2, "(n%10==1 && n%100!=11 ? 0 : 1)"),
}
"""How each language counts: 21 is singular in Icelandic."""

ALLOWED = frozenset(("who", case) for case in ENDINGS)
"""All that a translation may say of a field beyond its name: the case of a player's name. Nothing
else is a Name in every place."""


def problems(catalogue: Catalog, template: Catalog) -> Iterator[str]:
    """Give a sentence for everything that is wrong with a catalogue for this program."""
    language = str(catalogue.locale)
    if (catalogue.num_plurals, catalogue.plural_expr) != PLURALS[language]:
        yield f"{language}: it does not count as its language does"
    wanted = {(message.context, _id(message)) for message in template if message.id}
    known = {(message.context, _id(message)): message for message in catalogue if message.id}
    for context, text in wanted - known.keys():
        yield f"{language}: {text!r} ({context}) is missing"
    for context, text in known.keys() - wanted:
        yield f"{language}: {text!r} ({context}) is not said any more"
    for key in wanted & known.keys():
        yield from (
            f"{language}: {known[key].id!r}: {what}" for what in _wrong(known[key], language)
        )


def _id(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _wrong(message: Message, language: str) -> Iterator[str]:
    sources = (message.id,) if isinstance(message.id, str) else tuple(message.id)
    texts = (message.string,) if isinstance(message.string, str) else tuple(message.string)
    if not all(texts):
        yield "it is not translated"
        return
    if message.fuzzy:
        yield "the translation is a guess"
    if len(texts) != len(sources):
        yield "it has not all plurals"
    fields = {field for source in sources for field in _fields(source, "")}
    for text in texts:
        try:
            own = set(_fields(text, language))
        except ValueError as error:
            yield f"it is ill-formed: {error}"
            continue
        if own - fields or (fields - own and len(texts) == 1):
            yield f"its fields are {sorted(own)}, not {sorted(fields)}"
        if any(unicodedata.category(character) == "Cc" for character in text if character != "\n"):
            yield "it has control characters"
        if (text[:1] == " ", text[-1:] == " ") != (sources[0][:1] == " ", sources[0][-1:] == " "):
            yield "its spaces at the ends are others"
        ends = [
            (said[-1:] in ".!?…:", said.rstrip(")")[-1:] in ".!?…:") for said in (text, sources[0])
        ]
        # a gloss in brackets may stand behind the sentence
        if ends[0][0] != ends[1][0] and ends[0][1] != ends[1][1]:
            yield "one is a sentence and the other is not"


def _fields(text: str, language: str) -> Iterator[str]:
    """Give the names of the fields in braces; ValueError for a field that cannot be filled in, or
    an unknown case."""
    for _literal, field, spec, conversion in string.Formatter().parse(text):
        if field is None:
            continue
        if language and spec and (field, spec) not in ALLOWED:
            raise ValueError(f"{{{field}:{spec}}}")
        yield field + (f"!{conversion}" if conversion else "")
