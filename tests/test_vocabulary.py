"""The project uses the standard terms of docs/architecture.md, and plain sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prose import clauses, prose, words
from tests.test_tidy import texts

OLD_TERMS = {
    "astray": "diverged",
    "bookmark": "resume point",
    "chair": "seat request",
    "comeback": "resume gate",
    "desk": "screen state",
    "door": "admission",
    "evening": "session",
    "gallery": "spectators",
    "gathering": "table setup",
    "hush": "a phase",
    "mailbox": "inbox",
    "manners": "benchmark strategies",
    "meeting": "table setup",
    "onlooker": "spectator",
    "onlooking": "spectating",
    "pace": "timeouts",
    "papers": "incident report",
    "parlour": "application",
    "party": "match session",
    "shelf": "match history",
    "sitting": "local seats",
    "spot": "stage key",
    "street": "network",
    "vet": "admission",
}
"""Each term that the project no longer uses, with the term that replaces it. An unfinished match
and a muted player are plain English, and stay."""

OURS = (
    "benchmarks/",
    "p2p/",
    "engine/",
    "crypto/",
    "client/",
    "tests/",
    "docs/",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "README.md",
    "hatch_build.py",
    "sobremesa.py",
)
"""Files that use no old term, and no clause that begins with "who" or "what" without a noun."""

EXCLUDED = ("docs/rules/", "tests/prose.py", "tests/test_vocabulary.py")
"""The rules of the games follow the text of their authorities; the others have the words."""


PHONES = (
    "client/storage/phone_secrets.py",
    "client/storage/visitors.py",
    "client/ui/phone/",
    "docs/decisions/0035-",
    "docs/decisions/0036-",
    "docs/decisions/0037-",
    "tests/client/storage/test_phone_secrets.py",
    "tests/client/storage/test_visitors.py",
    "tests/client/ui/phone/",
    "tests/end_to_end/test_visitors.py",
    "tests/networks/laptop.py",
    "tests/networks/test_phones.py",
)
"""Files about players on phones: these are visitors. A guest is a player who joined a table."""


def under(beginnings: tuple[str, ...]) -> list[str]:
    paths = [
        path
        for path in sorted(texts())
        if path.startswith(beginnings) and path.endswith((".py", ".md"))
    ]
    return [path for path in paths if not path.startswith(EXCLUDED)]


def old_terms(found: set[str]) -> set[str]:
    return {term for term in OLD_TERMS if term in found or f"{term}s" in found}


def test_no_old_term_is_used():
    found = []
    for path in under(OURS):
        old = old_terms(words(texts()[path], Path(path).suffix))
        found += [f"{path}: {term} (use: {OLD_TERMS[term]})" for term in sorted(old)]
    assert not found, "\n".join(found)


def test_every_file_with_code_or_text_is_covered_but_rules_and_this_one():
    found = {path for path in texts() if path.endswith((".py", ".md"))}
    missing = found - {*under(OURS)}
    assert all(path.startswith(EXCLUDED) for path in missing), sorted(missing)


def names_a_guest(source: str, suffix: str) -> bool:
    return not words(source, suffix).isdisjoint({"guest", "guests"})


def test_a_player_on_a_phone_is_a_visitor_and_no_guest():
    paths = under(PHONES)
    assert all(any(path.startswith(one) for path in paths) for one in PHONES)
    assert not [path for path in paths if names_a_guest(texts()[path], Path(path).suffix)]


@pytest.mark.parametrize(
    ("source", "suffix"), [("class ToGuest: pass", ".py"), ("# guests", ".py"), ("A guest.", ".md")]
)
def test_a_guest_is_found(source, suffix):
    assert names_a_guest(source, suffix)


def test_plurals_of_old_terms_are_found():
    assert old_terms({"evenings", "papers", "paper", "desk"}) == {"evening", "papers", "desk"}


def test_every_clause_has_a_noun():
    found = [
        f"{path}:{line}: {clause}"
        for path in under(OURS)
        for line, text in prose(texts()[path], Path(path).suffix)
        for clause in clauses(text)
    ]
    assert not found, "\n".join(["put a noun before the clause:", *found])


@pytest.mark.parametrize(
    "text",
    [
        "Who leaves loses.",
        "It sends what it has and what is new.",
        "Return the table; whoever asks gets it.",
        "The votes of who is here.",
        "Who leaves loses!",
        "What is signed, is signed, she said. What luck!",
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
        "What cards!",
        "what",
        "{nick}, whom you know, has a table.",
        'Do not begin a clause with "who" or "what".',
    ],
)
def test_a_clause_with_a_noun_is_not_found(text):
    assert not list(clauses(text))


def test_a_heading_is_no_clause_but_the_text_below_it_is():
    document = (
        "# What is covered\n\nWhat is covered counts.\n\n## Who decides\n- Who leaves loses.\n"
    )
    assert list(prose(document, ".md")) == [
        (3, "What is covered counts."),
        (6, "Who leaves loses."),
    ]


def test_a_key_of_a_dictionary_is_no_clause_but_a_sentence_in_it_is():
    pieces = [
        text
        for _line, text in prose(
            "facts = {'who': f'{nick} , whom you know', 'what': 'who leaves loses'}\n", ".py"
        )
    ]
    assert [text for text in pieces if list(clauses(text))] == ["who leaves loses"]


def test_words_are_found_in_names_comments_and_strings():
    assert words("class EveningDoor:\n    old_desk = 'a Shelf'  # vet it\n", ".py") >= {
        "evening",
        "door",
        "desk",
        "shelf",
        "vet",
    }
