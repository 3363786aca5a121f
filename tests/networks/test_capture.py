"""A leak in a recording is found: one that is planted into frames which are otherwise sealed."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from crypto.channel import Kind, spell_code
from tests.networks import capture
from tests.networks.test_phone_match import TALK, shows_nothing

NICK = "Zubeldia"
ROOT, SECRET = bytes(range(10)), bytes(range(100, 132))
CODE = spell_code(ROOT)
HEAD = b"GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
LEAST = 50_000
PHONE, LAPTOP = bytes((10, 99, 0, 2)), bytes((10, 99, 0, 1))
PORT = 47757


def of_a_socket(data: bytes) -> bytes:
    """Return a frame of a WebSocket (RFC 6455), unmasked as those of a program are."""
    return b"\x82\x7e" + struct.pack("!H", len(data)) + data


def of_a_network(data: bytes, place: int, port: int = PORT, own: int = 50_000) -> bytes:
    """Return a frame of Ethernet with a segment of TCP; the first one, 0, begins a connection."""
    begins = 0 if place else 2
    segment = struct.pack("!HHIIBBHHH", own, port, place, 0, 5 << 4, begins, 0, 0, 0) + data
    packet = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(segment), 0, 0, 64, capture.TCP, 0)
    return bytes(12) + b"\x08\x00" + packet + PHONE + LAPTOP + segment


def recording(file: Path, sealed: list[bytes], *others: bytes) -> Path:
    """Write the recording of a connection with these frames, and other frames of the network."""
    place, found = 1, [*others, of_a_network(b"", 0)]
    for data in [HEAD, *map(of_a_socket, sealed)]:
        found.append(of_a_network(data, place))
        place += len(data)
    file.write_bytes(b"".join(struct.pack("!I", len(one)) + one for one in found))
    return file


def frames() -> list[bytes]:
    """Return what a phone and its program say to each other: random bytes."""
    first = b"\1" + bytes([Kind.CODE]) + os.urandom(56)
    return [first, *(os.urandom(1024 + 16) for _time in range(LEAST // 1024 + 1))]


def looks(file: Path) -> None:
    shows_nothing(file, [NICK], [CODE, SECRET.hex()], LEAST)


def test_sealed_frames_show_nothing(tmp_path):
    looks(recording(tmp_path / "recorded", frames()))


def within(leak: bytes) -> Callable[[bytes], bytes]:
    """Return a function that plants a leak in the midst of a frame, which stays as long."""
    return lambda frame: frame[:300] + leak + frame[300 + len(leak) :]


VIEW = json.dumps({"hand": ["7o", "1e", "12c"], "score": [12, 3]}).ljust(1024 + 16).encode()
LEAKS: dict[str, Callable[[bytes], bytes]] = {
    "a nick": within(NICK.encode()),
    "a nick in wide letters": within(NICK.encode("utf-16-le")),
    "talk": within(TALK.encode()),
    "a game": within(b'"truco"'),
    "a view whose words are all unknown": lambda _frame: VIEW,
    "cards in a corner of a frame": within(VIEW[:600]),
    "the letters of a code": within(CODE.encode()),
    "the bytes of a code": within(ROOT),
    "the letters of a secret": within(SECRET.hex().encode()),
    "the bytes of a secret": within(SECRET),
    "a length that is not padded": lambda frame: frame[:-5],
}


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("place", [1, -1])
def test_a_leak_in_a_frame_is_found(tmp_path, leak, place):
    sealed = frames()
    sealed[place] = LEAKS[leak](sealed[place])
    with pytest.raises(AssertionError):
        looks(recording(tmp_path / "recorded", sealed))


@pytest.mark.parametrize("leak", [NICK.encode(), TALK.encode(), SECRET, SECRET.hex().encode()])
@pytest.mark.parametrize("port", [PORT, 47747])
def test_a_leak_beside_the_sockets_of_phones_is_found(tmp_path, leak, port):
    other = of_a_network(b"GET /?" + leak + b" HTTP/1.1\r\n\r\n", 7, port, 50_001)
    with pytest.raises(AssertionError):
        looks(recording(tmp_path / "recorded", frames(), other))


def test_a_second_phone_that_came_unseen_is_found(tmp_path):
    with pytest.raises(AssertionError):
        looks(recording(tmp_path / "recorded", [*frames(), frames()[0]]))
