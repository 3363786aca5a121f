"""A nick that only looks like the one of a trusted contact counts as the same nick."""

from __future__ import annotations

import pytest

from client.storage.contacts import Contacts, Trust
from crypto.identity import Identity, fingerprint
from p2p.table.lobby import TableRefused
from p2p.table.terms import Participant

WHO = [Identity.from_seed(bytes([number]) * 32) for number in range(1, 5)]
ANE, JON, MARY, EVE = (identity.id for identity in WHO)

PRETENDERS = [
    "An\u034fe",  # a character that draws nothing
    "A\U000e0100ne",
    "A\u180bne",
    "\u0410ne",  # the first letter is Cyrillic
    "An\u0435",
    "\u0391ne",  # Greek
    "\U0001d434\U0001d45b\U0001d452",  # mathematical italics
    "\u13aane",  # Cherokee
    "\u26a0Ane",
    "✓ Ane",
    "(Ane)",
    "Ane,",
]
"""All of them look like `Ane`."""


def place(number: int, nick: str) -> Participant:
    return Participant(WHO[number].public, nick, bytes(16))


@pytest.mark.parametrize("nick", PRETENDERS)
def test_another_key_under_a_name_that_looks_trusted_is_refused(tmp_path, nick):
    contacts = Contacts(tmp_path)
    contacts.meet(ANE, "Ane", None, 1, Trust.TRUSTED)
    contacts.check([place(0, nick)], MARY)
    with pytest.raises(TableRefused) as caught:
        contacts.check([None, place(1, "Jon"), place(3, nick)], MARY)
    assert caught.value.facts == {
        "who": "Ane",
        "trusted": fingerprint(ANE),
        "present": fingerprint(EVE),
    }


@pytest.mark.parametrize(
    ("trusted", "pretended"),
    [
        ("Amaia", "Arnaia"),
        ("Jon", "J0n"),
        ("Iñaki", "lñaki"),
        ("Ibon", "1bon"),
        ("Goñi", "Gon\u0303i"),
        ("Þórður", "Þ\u043erður".replace("\u043e", "\u043e\u0301")),
        ("Ævar", "AEvar"),
        ("МАКС", "MAKC"),
        ("\u0410ne", "Ane"),
        ("Ane ES", "Ane \U0001f1ea\U0001f1f8"),
        ("Ane\U0001f44b", "Ane\U0001f44b\U0001f3fd"),
    ],
)
def test_names_that_look_alike_are_one_name(tmp_path, trusted, pretended):
    contacts = Contacts(tmp_path)
    contacts.meet(MARY, trusted, None, 1, Trust.TRUSTED)
    with pytest.raises(TableRefused) as caught:
        contacts.check([place(3, pretended)], JON)
    assert (caught.value.facts["trusted"], caught.value.facts["present"]) == (
        fingerprint(MARY),
        fingerprint(EVE),
    )
    assert [one.id for one in contacts.find(pretended)] == [MARY]


@pytest.mark.parametrize("other", ["Añe", "Anne", "Ana", "Ene", "Ane 2", "Áne", "Ane👍", "An"])
def test_names_that_differ_to_the_eye_are_different_names(tmp_path, other):
    contacts = Contacts(tmp_path)
    contacts.meet(ANE, "Ane", None, 1, Trust.TRUSTED)
    contacts.check([place(3, other)], MARY)
