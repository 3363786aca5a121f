"""The project uses the standard terms of docs/architecture.md, and plain sentences. Both lists of clean folders only grow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prose import clauses, prose, words
from tests.test_tidy import texts

OLD_TERMS = {
    "astray": "diverged",
    "bookmark": "resume point",
    "chair": "seat request",
    "chairs": "seat requests",
    "comeback": "resume gate",
    "desk": "screen state",
    "door": "admission",
    "evening": "session",
    "gallery": "spectators",
    "gathering": "table setup",
    "hush": "a phase",
    "mute": "a phase (listening)",
    "onlooker": "spectator",
    "onlookers": "spectators",
    "onlooking": "spectating",
    "pace": "timeouts",
    "papers": "incident report",
    "parlour": "application",
    "shelf": "match history",
    "sitting": "local seats",
    "spot": "stage key",
    "spots": "stage keys",
    "street": "network",
    "vet": "admission",
}
"""Each term that the project no longer uses, with the term that replaces it."""

ALLOWED: dict[tuple[str, str], str] = {}
"""Uses that stay, as (file, term), each with its reason."""

CLEAN_DOCS = ("docs/protocol.md", "docs/states/", "docs/desync.md", "docs/fuzzing.md")

STANDARD_TERMS = ("p2p/", "engine/", "crypto/", *CLEAN_DOCS)
"""Files that use no old term."""

PLAIN_SENTENCES = ("p2p/", "engine/", "crypto/", "docs/threat-model.md", "docs/faults.md", *CLEAN_DOCS)
"""Files without a clause that begins with "who" or "what" and has no noun before it."""


def under(beginnings: tuple[str, ...]) -> list[str]:
    return [path for path in sorted(texts()) if path.startswith(beginnings) and path.endswith((".py", ".md"))]


def test_no_old_term_is_used():
    found = []
    for path in under(STANDARD_TERMS):
        old = words(texts()[path], Path(path).suffix) & OLD_TERMS.keys()
        found += [f"{path}: {term} (use: {OLD_TERMS[term]})" for term in sorted(old) if (path, term) not in ALLOWED]
    assert not found, "\n".join(found)


def test_every_clause_has_a_noun():
    found = [
        f"{path}:{line}: {clause}"
        for path in under(PLAIN_SENTENCES)
        for line, text in prose(texts()[path], Path(path).suffix)
        for clause in clauses(text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "Who leaves loses.",
        "It sends what it has and what is new.",
        "Return the table; whoever asks gets it.",
        "The votes of who is here.",
    ],
)
def test_a_clause_without_a_noun_is_found(text):
    assert list(clauses(text))


@pytest.mark.parametrize(
    "text",
    [
        "What does a spectator see?",
        "A seat, whose key is known, signs.",
        "The seat to whom it belongs signs.",
        "Seats that stay and who voted sign.",
        "It counts the players who left.",
    ],
)
def test_a_clause_with_a_noun_is_not_found(text):
    assert not list(clauses(text))


def test_words_are_found_in_names_comments_and_strings():
    assert words("class EveningDoor:\n    old_desk = 'a Shelf'  # vet it\n", ".py") >= {"evening", "door", "desk", "shelf", "vet"}
