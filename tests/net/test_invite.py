from __future__ import annotations

import pytest

from client.i18n.sentences import said
from p2p.net.errors import NotAnInvite
from p2p.net.invite import Invite, looks_like_invite, parse_invite

ID = bytes(range(200, 210))
SECRET = bytes(range(5))
ONE = Invite(("192.168.1.23",), 47747, ID, SECRET)
TEXT = str(ONE)
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@pytest.mark.parametrize(
    "hosts",
    [
        ("192.168.1.23",),
        ("10.0.0.1", "192.168.1.23"),
        ("fd00::2",),
        ("10.0.0.1", "fd00::2"),
        ("fd00::1", "fd00::2"),
    ],
)
def test_a_spelled_invite_is_read_again(hosts):
    invite = Invite(hosts, 1, ID, SECRET)
    assert parse_invite(str(invite)) == invite


def test_the_spelling_stays():
    assert TEXT == "SBM1-070A-G08Q-QA1W-HJEA-SF6C-VKPF-T38G-0082-0C20-QN6P"
    assert len(TEXT.replace("-", "")) == 44


@pytest.mark.parametrize(
    "typed",
    [
        TEXT.lower(),
        TEXT.replace("-", ""),
        TEXT.replace("-", " "),
        f"  {TEXT}\n",
        "sbm1" + TEXT[4:].replace("0", "o").replace("1", "l"),
        "sbm1" + TEXT[4:].replace("0", "O").replace("1", "I"),
    ],
)
def test_as_people_type_it(typed):
    assert looks_like_invite(typed)
    assert parse_invite(typed) == ONE


def body(text: str) -> str:
    return text.replace("-", "")


def test_every_wrong_character_is_found():
    letters = body(TEXT)
    for at in range(4, len(letters)):
        for letter in LETTERS:
            if letter != letters[at]:
                with pytest.raises(NotAnInvite):
                    parse_invite(letters[:at] + letter + letters[at + 1 :])


def test_every_swap_of_neighbours_is_found():
    letters = body(TEXT)
    for at in range(4, len(letters) - 1):
        a, b = letters[at], letters[at + 1]
        if a != b:
            with pytest.raises(NotAnInvite):
                parse_invite(letters[:at] + b + a + letters[at + 2 :])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "start"),
        ("192.168.1.23", "start"),
        ("SBM2-0000", "start"),
        ("SBM1", "length"),
        ("SBM1-0000", "version"),
        ("SBM1-U000", "letter"),
        ("SBM1-é000", "letter"),
        ("SBM1-" + "0" * 9000, "length"),
    ],
)
def test_text_that_is_no_invite(text, problem):
    assert mistake(text).reason == problem


def mistake(text: str) -> NotAnInvite:
    with pytest.raises(NotAnInvite) as caught:
        parse_invite(text)
    return caught.value


def replaced(at: int, *letters: str) -> str:
    """Return the invite with other characters from this place on."""
    return TEXT[:at] + "".join(letters) + TEXT[at + len(letters) :]


def test_a_character_that_no_invite_has_is_named_with_its_group():
    error = mistake(replaced(12, "u"))
    assert (error.reason, error.letter, error.group, error.end) == ("letter", "U", "2", 13)
    assert "U in group 2 after SBM1 must be a mistake" in said(error)


def test_the_group_of_a_wrong_character_is_named_or_is_one_of_a_few():
    errors = [
        (at // 5, mistake(replaced(at, letter)))
        for at, old in enumerate(TEXT[5:], 5)
        for letter in LETTERS
        if old not in ("-", letter)
    ]
    assert all(error.reason in ("group", "groups") for _group, error in errors)
    assert all(str(group) in error.group.split(", ") for group, error in errors)
    one = [(group, error) for group, error in errors if error.reason == "group"]
    assert len(one) > 0.5 * len(errors)
    assert all(error.end == 5 * group + 4 for group, error in one)


def spelled(data: bytes, spare: int = 0) -> str:
    """Return the text of an invite with these bytes, other spare bits perhaps, and a good check."""
    length = -(-len(data) * 8 // 5)
    number = (int.from_bytes(data, "big") << length * 5 - len(data) * 8) | spare
    places = [*range(length - 1, -1, -1)]
    text = "".join(LETTERS[number >> 5 * place & 31] for place in places)
    check = number % 1048573
    return f"SBM1{text}" + "".join(LETTERS[check >> 5 * place & 31] for place in (3, 2, 1, 0))


def test_other_bytes_with_a_good_check_are_no_invite():
    good = bytes([1, 192, 168, 1, 23]) + (47747).to_bytes(2, "big") + ID + SECRET
    assert parse_invite(spelled(good)) == ONE
    with pytest.raises(NotAnInvite):
        parse_invite(spelled(good, spare=1))
    for data in (good[:5] + bytes(2) + good[7:], bytes([3]) + good[1:], bytes([0]) + good[1:]):
        assert mistake(spelled(data)).reason == "version"


def test_a_group_with_too_few_or_too_many_characters_is_named():
    for typed, length in ((TEXT.replace("QA1W", "QAW"), 3), (TEXT.replace("QA1W", "QAA1W"), 5)):
        error = mistake(f"  {typed}")
        assert (error.reason, error.group, error.length) == ("part", "3", length)
        assert f"  {typed}"[: error.end].endswith(("-QAW", "-QAA1W"))


def test_a_cut_invite_is_told_by_its_length():
    for typed in (TEXT[:-5], TEXT.replace("-", "")[:-4]):
        error = mistake(typed)
        assert (error.reason, error.length, error.expected) == ("length", 36, 40)
        assert error.end is None
        assert "it has 36 characters after SBM1 instead of 40" in said(error)


def test_an_invite_with_a_wrong_beginning_is_still_meant_as_one():
    assert looks_like_invite(TEXT.replace("SBM1", "SBN1"))
    assert mistake(TEXT.replace("SBM1", "SBN1")).reason == "start"
    assert parse_invite(TEXT.replace("SBM1", "sbml")) == ONE
    assert not looks_like_invite("ane-" * 8)


@pytest.mark.parametrize(
    "parts",
    [
        ((), 1, ID, SECRET),
        (("10.0.0.1",) * 3, 1, ID, SECRET),
        (("ane.local",), 1, ID, SECRET),
        (("fe80::1%2",), 1, ID, SECRET),
        (("10.0.0.1",), 0, ID, SECRET),
        (("10.0.0.1",), 1, ID[1:], SECRET),
        (("10.0.0.1",), 1, ID, SECRET + b"x"),
    ],
)
def test_facts_that_cannot_be_an_invite(parts):
    with pytest.raises(ValueError, match="an invite has"):
        Invite(*parts)
