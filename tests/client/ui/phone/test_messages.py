"""The messages between a program and its visitors, in any pieces, and nothing but them."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.ui.phone.messages import (
    LENGTH,
    MOST,
    AdmitPhone,
    Asks,
    Asleep,
    Begin,
    Claims,
    Close,
    Code,
    CodeUsed,
    Doing,
    EndCode,
    Entered,
    Frame,
    LinkClosed,
    MakeCode,
    Message,
    MessageReader,
    Moved,
    NoMessage,
    Rename,
    packed,
)
from p2p import wire

MESSAGES: list[Message] = [
    Begin("192.168.1.23:47757", bytes(32), "", b"", b""),
    Begin("192.168.1.23:47757", bytes(32), "192.168.1.23", bytes(32), bytes(64)),
    Frame(7, b"\0" * 144),
    LinkClosed(7),
    MakeCode(),
    EndCode(),
    Moved("10.0.0.5:47757"),
    AdmitPhone(7),
    Claims([]),
    Claims([b"\0" * 9, b"\1" * 9]),
    Code("000G40R40M30E209"),
    Close(7),
    Asks(7, "0042"),
    CodeUsed(2**40),
    Entered(7, "eu"),
    Entered(7, "eu", by_code=True),
    Rename("Jon"),
    Asleep([]),
    Asleep([b"\0" * 32]),
    Doing("", "lobby", "", bound=False),
    Doing("Jon", "play", "truco", bound=True),
]


def test_the_list_has_every_message():
    assert {type(message) for message in MESSAGES} == set(get_args(Message))


@given(st.lists(st.integers(1, 60)))
def test_messages_come_out_as_they_went_in_in_any_pieces(sizes):
    data, reader, found = b"".join(map(packed, MESSAGES)), MessageReader(), []
    for size in [*sizes, len(data)]:
        found += reader.feed(data[:size])
        data = data[size:]
    assert found == MESSAGES


def framed(value: object) -> bytes:
    data = wire.pack(value)
    return len(data).to_bytes(LENGTH, "big") + data


@pytest.mark.parametrize(
    "data",
    [
        (MOST + 1).to_bytes(LENGTH, "big"),
        b"\xff" * 10,
        bytes(LENGTH),
        b"\0\0\0\1\xc1",
        *map(
            framed,
            [
                None,
                [],
                {},
                ["Nothing"],
                ["LinkClosed"],
                ["LinkClosed", "7"],
                ["LinkClosed", True],
                ["LinkClosed", 7, 8],
                ["MakeCode", 1],
                ["Claims", [1]],
                ["Claims", b""],
                ["Frame", 7, "text"],
                ["Begin", "host", b""],
                [7, "LinkClosed"],
            ],
        ),
    ],
)
def test_anything_else_is_no_message(data):
    with pytest.raises(NoMessage):
        MessageReader().feed(data)
