"""Errors for people: an id and facts.

`client.i18n.sentences` has the sentence for each id.
"""

from __future__ import annotations


class Explained(Exception):
    """An error with an id and facts. As a string it is one printable line, for programmers."""

    def __init__(self, name: str, /, **facts: object) -> None:
        line = ", ".join([name, *(f"{key} {fact}" for key, fact in facts.items())])
        super().__init__(
            "".join(
                letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line
            )
        )
        self.id, self.facts = name, facts
