"""The songs of a real table of Truco: they stay Spanish in every language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from client.i18n.translation import unbroken
from engine.games.truco.moves import FLOR_ANSWERS, NO_FLOR
from engine.games.truco.worth import FLORS, NUMBERS

CRIES: Mapping[str, str] = {
    "truco": "¡Truco!",
    "retruco": "¡Retruco!",
    "vale4": "¡Vale cuatro!",
    "envido": "¡Envido!",
    "real-envido": "¡Real envido!",
    "falta-envido": "¡Falta envido!",
    "quiero": "Quiero",
    "no-quiero": "No quiero",
    "son-buenas": "Son buenas",
    "mazo": "Me voy al mazo",
    "flor": "¡Flor!",
    "contraflor": "¡Contraflor!",
    "contraflor-al-resto": "¡Contraflor al resto!",
    "con-flor-quiero": "Con flor quiero",
    "con-flor-me-achico": "Con flor me achico",
    "no-tengo": "No tengo",
}
"""The song for each word of the notation."""

ANSWERED = ("quiero", "no-quiero", "son-buenas", "mazo", *FLOR_ANSWERS, NO_FLOR)
"""The words that the rules do not tell as sung: the move itself tells them."""

_OF_WORDS = [cry.strip("¡!").lower() for cry in CRIES.values() if " " in cry]

RAISES: Mapping[str, str] = {"retruco": "¡Quiero retruco!", "vale4": "¡Quiero vale cuatro!"}
"""The song instead, if the word answers a lower call."""

_WORDS = (
    "Cero, Uno, Dos, Tres, Cuatro, Cinco, Seis, Siete, Veinte, Veintiuno, Veintidós, Veintitrés, "
    "Veinticuatro, Veinticinco, Veintiséis, Veintisiete, Veintiocho, Veintinueve, Treinta, Treinta "
    "y uno, Treinta y dos, Treinta y tres, Treinta y cuatro, Treinta y cinco, Treinta y seis, "
    "Treinta y siete, Treinta y ocho"
)
SAID = dict(zip(sorted({*NUMBERS, *FLORS}), _WORDS.split(", "), strict=True))
"""How envido points, and the values of flors, are stated."""
BETTER: Mapping[bool, str] = {False: "{number}", True: "{number} son mejores"}
FIRST = "El envido está primero: {cry}"


def unbroken_cries(sentence: str) -> str:
    """Return a sentence in which no line breaks within a cry, as `no quiero`."""
    return reduce(lambda said, cry: said.replace(cry, unbroken(cry)), _OF_WORDS, sentence)


def sung(word: str, how: str = "call") -> str:
    """Return the song for a word as a call, as an answer, or as first.

    An envido is first where it comes before a truco.
    """
    cry = RAISES.get(word, CRIES[word]) if how == "answer" else CRIES[word]
    return FIRST.format(cry=cry) if how == "first" else cry


def stated(number: int, *, beats: bool) -> str:
    """Return how envido points are stated."""
    return BETTER[beats].format(number=SAID[number])
