"""The project uses plain sentences: a clause that begins with "who" or "what" has a noun."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prose import clauses, prose
from tests.test_tidy import texts

EXCLUDED = ("docs/rules/", "tests/prose.py", "tests/test_vocabulary.py")
"""The rules of the games follow the text of their authorities; the others have the words."""


def test_every_clause_has_a_noun():
    found = [
        f"{path}:{line}: {clause}"
        for path, source in sorted(texts().items())
        if path.endswith((".py", ".md")) and not path.startswith(EXCLUDED)
        for line, text in prose(source, Path(path).suffix)
        for clause in clauses(text)
    ]
    assert not found, "\n".join(["put a noun before the clause:", *found])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Who leaves loses.", True),
        ("It sends what it has and what is new.", True),
        ("The votes of who is here.", True),
        ("What does a spectator see?", False),
        ("A seat, whose key is known, signs.", False),
        ("The seat to whom it belongs signs.", False),
        ("It counts the players who left.", False),
    ],
)
def test_a_clause_without_a_noun_is_found_and_no_other(text, found):
    assert bool(list(clauses(text))) == found
