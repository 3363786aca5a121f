"""Crockford's base32: five bits in a letter, and no I, L, O or U."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

VALUES = {letter: value for value, letter in enumerate(ALPHABET)} | {"O": 0, "I": 1, "L": 1}
"""The value of each letter, and of those that people confuse with digits."""


def spell(number: int, length: int) -> str:
    """Write a number in `length` letters."""
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(length - 1, -1, -1))


def number_of(letters: str) -> int:
    """Read a number. KeyError for a character that is no letter of it."""
    number = 0
    for letter in letters:
        number = number << 5 | VALUES[letter]
    return number
