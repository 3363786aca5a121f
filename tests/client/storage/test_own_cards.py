"""The file with the shares of our cards of a match: written for us only, read with suspicion."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from client.storage.home import Home, StoreError
from client.storage.match_files import MatchFiles
from client.storage.own_cards import (
    LIMIT_BYTES,
    MOST_SHARES,
    own_cards_file,
    read_own_cards,
    spell_shares,
    write_own_cards,
)
from p2p.wire import pack

MATCH = b"m" * 32
SHARES = {3: b"\x11" * 96, 1: b"\x12" * 96}
SENTENCE = "your cards that never became public are not shown: "


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def put(home: Home, data: bytes) -> Path:
    """Write a file in the place of the one with our shares."""
    path = own_cards_file(home.path, MATCH)
    path.write_bytes(data)
    return path


def spelled(**changes: object) -> bytes:
    return pack({"sobremesa": 2, "match": MATCH, "shares": spell_shares(SHARES), **changes})


def test_shares_are_read_as_they_were_written_and_only_their_owner_may_read_them(
    home: Home,
) -> None:
    assert read_own_cards(home.path, MATCH) == {}
    files = MatchFiles(home, MATCH, (0,))
    files.write_own_cards({1: SHARES[1]})
    assert read_own_cards(home.path, MATCH) == {1: SHARES[1]}
    files.write_own_cards({**SHARES, 7: b"\x13" * 96})
    files.write_own_cards(SHARES)
    assert 7 in read_own_cards(home.path, MATCH)
    files.close(finished=True)
    path = own_cards_file(home.path, MATCH)
    assert read_own_cards(home.path, MATCH) == SHARES, "they stay; that of a public card goes"
    assert path.read_bytes() == spelled()
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path in home.secret()


def test_the_file_is_bounded_and_can_be_read_at_its_largest(home: Home) -> None:
    shares = {at: bytes([at % 256, at // 256]) * 48 for at in range(MOST_SHARES + 5)}
    path = own_cards_file(home.path, MATCH)
    write_own_cards(path, MATCH, shares)
    assert path.stat().st_size <= LIMIT_BYTES
    assert read_own_cards(home.path, MATCH) == dict(list(shares.items())[:MOST_SHARES])


BAD = {
    "empty": (b"", "it is damaged"),
    "noise": (b"\xff" * 99, "it is damaged"),
    "torn": (spelled()[:-1], "it is damaged"),
    "longer": (spelled() + b"\0", "it is damaged"),
    "too long": (bytes(LIMIT_BYTES + 1), "File too large"),
    "another version": (spelled(sobremesa=3), "it is damaged"),
    "more fields": (spelled(seat=1), "it is damaged"),
    "a list": (spelled(shares=[b"x" * 100]), "it is damaged"),
    "a short share": (spelled(shares=spell_shares(SHARES)[:-1]), "it is damaged"),
    "a share twice": (spelled(shares=2 * spell_shares({1: SHARES[1]})), "it is damaged"),
    "another order": (
        spelled(shares=spell_shares({3: SHARES[3]}) + spell_shares({1: SHARES[1]})),
        "it is damaged",
    ),
    "too many shares": (spelled(shares=bytes(100 * (MOST_SHARES + 1))), "it is damaged"),
    "another match": (spelled(match=b"o" * 32), "it belongs to another match"),
}


@pytest.mark.parametrize(("data", "why"), BAD.values(), ids=BAD)
def test_a_file_that_is_no_such_file_is_one_sentence_without_a_share(
    home: Home, data: bytes, why: str
) -> None:
    path = put(home, data)
    with pytest.raises(StoreError) as caught:
        read_own_cards(home.path, MATCH)
    assert str(caught.value) == f"{SENTENCE}{path} cannot be used ({why})"
    assert isinstance(caught.value.__cause__, OSError | None)
