from __future__ import annotations

import struct

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.net.errors import FrameTooLong
from p2p.net.framing import LIMIT, FrameReader, pack_frame
from p2p.wire import Malformed, shape

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text(max_size=20)
    | st.binary(max_size=50),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=10,
)


@pytest.mark.slow
@given(st.lists(values, max_size=5), st.integers(1, 40))
def test_any_cut_of_the_stream_gives_the_same_values(sent, step):
    stream = b"".join(pack_frame(value) for value in sent)
    reader = FrameReader()
    got = [
        value for at in range(0, len(stream), step) for value in reader.feed(stream[at : at + step])
    ]
    assert got == sent
    assert reader.waiting == 0


def framed(body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + body


@pytest.mark.parametrize("length", [LIMIT + 1, 2**31, 2**32 - 1])
def test_a_length_over_the_limit_is_refused_before_anything_is_kept(length):
    reader = FrameReader()
    with pytest.raises(FrameTooLong) as caught:
        reader.feed(struct.pack(">I", length))
    assert caught.value.length == length
    assert reader.waiting == 0


def test_the_largest_frame_passes_and_one_byte_more_does_not():
    body = bytes(LIMIT - 3)  # msgpack adds three bytes
    (value,) = FrameReader().feed(pack_frame(body))
    assert value == body
    with pytest.raises(FrameTooLong):
        pack_frame(bytes(LIMIT - 2))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xcd\x00\x01",  # 1, spelled with two bytes
        b"\x82\xa1b\x01\xa1a\x01",  # keys out of order
        b"\x82\xa1a\x01\xa1a\x01",  # a key twice
        b"\x81\x01\x01",  # a key that is no string
        b"\x01\x01",  # two values
        b"\xdd\xff\xff\xff\xff",  # an array that claims 2^32 items
        b"\x91" * 9 + b"\x01",  # too deep
        b"\x91" * 60_000,
        b"\xdc\x20\x00" + b"\x80" * 0x2000,  # more empty dicts than any honest value has
        # each array claims room for 61,440 items: 70 MB in 64 kB
        b"\xdd\x00\x00\xf0\x00" * 900 + b"\xc0" * 0xE000,
        msgpack.packb(1.5),
        msgpack.packb(float("nan")),
        msgpack.packb(msgpack.ExtType(5, b"x")),
        b"\xa1\xff",  # a string that is not UTF-8
    ],
)
def test_a_value_in_another_than_its_one_spelling_is_malformed(body):
    with pytest.raises(Malformed):
        FrameReader().feed(framed(body))


def test_an_unfinished_frame_keeps_no_more_than_itself():
    reader = FrameReader()
    reader.feed(struct.pack(">I", LIMIT))
    assert reader.feed(bytes(1000)) == []
    assert reader.waiting == 1004


@pytest.mark.parametrize("value", [{"a": True}, {"a": "1"}, {"a": 1, "b": 1}, {}, [1]])
def test_a_message_has_its_fields_of_their_types_and_no_others(value):
    assert shape({"a": 1}, a=int) == {"a": 1}
    with pytest.raises(Malformed):
        shape(value, a=int)
