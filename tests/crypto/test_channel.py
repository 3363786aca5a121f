"""The sealed channel: codes, keys, the five messages, and everything that must close it."""

from __future__ import annotations

import json
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crypto import channel as channels
from crypto.channel import (
    ANSWER_BYTES,
    FROM_PAGE_BYTES,
    OPENING_BYTES,
    ROOT_BYTES,
    TO_PAGE_BYTES,
    Channel,
    Claim,
    Key,
    Kind,
    claim,
    read_code,
    spell_code,
)
from crypto.errors import InvalidEncoding
from crypto.noise import TAG_BYTES, Broken
from tests.second_noise import SecondPage, Wrong
from tests.standin import seeded

HOST = "192.168.1.23:47757"
FILES = bytes(range(32))
CODE, SECRET = bytes(range(10)), bytes(range(100, 132))
ROOTS = [(Kind.CODE, CODE), (Kind.SECRET, SECRET)]


def page(kind: Kind = Kind.CODE, root: bytes = CODE, **more: bytes | None) -> SecondPage:
    return SecondPage(kind, root, HOST, seeded("page")(32), **more)


def answer(
    first: bytes,
    kind: Kind = Kind.CODE,
    root: bytes = CODE,
    host: str = HOST,
    seed: str = "program",
) -> Channel:
    return Channel.open(Key.of(kind, root), host, first, FILES, seeded(seed))


def connected(kind: Kind = Kind.CODE, root: bytes = CODE) -> tuple[SecondPage, Channel]:
    one = page(kind, root)
    channel = answer(one.first, kind, root)
    assert one.finish(channel.answer) == FILES
    return one, channel


def is_closed(channel: Channel) -> bool:
    """Whether a connection does nothing more in either direction."""
    for call in (lambda: channel.unseal(bytes(144)), lambda: channel.seal("{}")):
        with pytest.raises(Broken):
            call()
    return True


# Codes and keys.


def test_a_code_is_sixteen_letters_that_nobody_confuses():
    assert spell_code(CODE) == "000G40R40M30E209"
    assert spell_code(b"\xff" * 10) == "Z" * 16


@given(st.binary(min_size=10, max_size=10))
def test_a_code_that_is_spelled_is_read(root):
    text = spell_code(root)
    groups = "-".join(text[at : at + 4] for at in range(0, 16, 4))
    typed = text.replace("0", "O").replace("1", "l").lower()
    assert {read_code(one) for one in (text, groups, f" {groups.lower()} ", typed)} == {root}


@pytest.mark.parametrize(
    "text", ["", "0" * 15, "0" * 17, "U" + "0" * 15, "Ä" + "0" * 15, "0" * 15 + "=", "٣" * 16]
)
def test_anything_else_is_no_code(text):
    with pytest.raises(InvalidEncoding) as found:
        read_code(text)
    assert not text or text not in str(found.value)


@pytest.mark.parametrize(("kind", "root"), ROOTS, ids=["code", "secret"])
def test_a_key_is_the_one_of_the_table(kind, root):
    key = Key.of(kind, root)
    named = Claim(kind, key.id)
    assert claim(page(kind, root).first) == named
    assert (
        key.psk.hex()
        == {
            Kind.CODE: "b2154f3905e1136128a1ad481bec097cb0b24e94f45bd894a74355d3f5f2fa76",
            Kind.SECRET: "3957d210a1451bcaeed3129e73cec7bd77ac0a083e05e713af576da4fcf1a991",
        }[kind]
    )
    for size in {0, 9, 11, 31, 33} | set(ROOT_BYTES.values()) - {len(root)}:
        with pytest.raises(ValueError, match="bytes"):
            Key.of(kind, bytes(size))


# The first frame and its answer.


@pytest.mark.parametrize(("kind", "root"), ROOTS, ids=["code", "secret"])
def test_the_five_messages_of_the_table(kind, root):
    one = page(kind, root)
    assert len(one.first) == OPENING_BYTES == 58
    channel = answer(one.first, kind, root)
    assert len(channel.answer) == ANSWER_BYTES == 48 + 32
    assert one.finish(channel.answer) == FILES
    assert channel.unseal(one.seal('{"lang":"eu"}')) == '{"lang":"eu"}'
    assert one.unseal(channel.seal('{"secret":"…"}')) == '{"secret":"…"}'
    assert channel.unseal(one.seal('{"kept":true}')) == '{"kept":true}'


def test_both_ends_show_the_same_digits_and_other_connections_others():
    shown = set()
    for number in range(40):
        one = SecondPage(Kind.CODE, CODE, HOST, seeded(number)(32))
        channel = answer(one.first, seed=f"program {number}")
        one.finish(channel.answer)
        assert channel.digits == one.digits
        assert len(channel.digits) == 4
        shown.add(channel.digits)
    assert len(shown) > 30


@pytest.mark.parametrize(("place", "values"), [(0, {1}), (1, {0, 1})])
def test_there_is_one_version_and_two_kinds(place, values):
    for value in range(256):
        frame = bytearray(page().first)
        frame[place] = value
        if value in values:
            claim(bytes(frame))
        else:
            with pytest.raises(Broken):
                answer(bytes(frame))


def test_no_bit_of_a_first_frame_can_be_changed():
    first = page().first
    for bit in range(8 * OPENING_BYTES):
        changed = bytearray(first)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Broken):
            answer(bytes(changed))


@pytest.mark.parametrize(
    "changes",
    [
        {"host": "192.168.1.24:47757"},
        {"host": "192.168.1.23:47758"},
        {"root": CODE[::-1]},
        {"kind": Kind.SECRET, "root": SECRET},
    ],
)
def test_another_address_code_or_kind_is_not_answered(changes):
    with pytest.raises(Broken):
        answer(page().first, **changes)


def test_a_first_frame_that_comes_again_proves_nothing():
    # Somebody who has recorded a connection repeats its first frame, and then all others.
    one, channel = connected()
    said = [one.seal('{"lang":"es"}'), one.seal('{"kept":true}')]
    assert channel.unseal(said[0]) == '{"lang":"es"}'
    again = answer(one.first, seed="later")
    assert again.answer != channel.answer
    with pytest.raises(Broken):
        again.unseal(said[0])
    assert is_closed(again)


# Texts.


@pytest.mark.parametrize(
    ("size", "padded"),
    [(0, 1024), (1, 1024), (1024, 1024), (1025, 32768), (32769, 65536), (TO_PAGE_BYTES,) * 2],
)
def test_a_text_to_a_page_is_short_or_as_long_as_any_view_of_a_table(size, padded):
    _one, channel = connected()
    assert len(channel.seal("7" * size)) == padded + TAG_BYTES


@pytest.mark.parametrize("letter", ["7", " ", "+", "é", "🂡"])
def test_a_text_that_is_too_long_for_a_frame_goes_on_in_the_next_one(letter, monkeypatch):
    most = 2048
    monkeypatch.setattr(channels, "TO_PAGE_BYTES", most)
    one, channel = connected()
    for letters in (0, 1, *range(most - 3, most), 2 * most - 4, 2 * most):
        text = json.dumps(letter * letters, ensure_ascii=False)
        size, frames = len(text.encode()), channel.seal_all(text)
        assert (len(frames) > 1) == (size > most)
        assert max(map(len, frames)) <= most + TAG_BYTES
        assert len(frames) <= size // (most - 4) + 1
        assert one.hear(frames) == text


@pytest.mark.parametrize("size", [0, 1, 127, 129, 200, FROM_PAGE_BYTES + 1, FROM_PAGE_BYTES + 128])
def test_a_frame_of_another_length_closes_though_its_tag_is_right(size):
    one, channel = connected()
    with pytest.raises(Broken):
        channel.unseal(one.seal_bytes(b"7" * size))
    assert is_closed(channel)


@pytest.mark.parametrize("data", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"])
def test_bytes_that_are_no_text_close(data):
    one, channel = connected()
    with pytest.raises(Broken):
        channel.unseal(one.seal_bytes(data.ljust(128)))
    assert is_closed(channel)


@pytest.mark.parametrize("place", [*range(0, 128, 17), *range(128, 144)])
def test_a_changed_frame_closes_and_the_right_one_is_not_read_afterwards(place):
    one, channel = connected()
    frame = one.seal('{"click":"a","seen":7}')
    changed = bytearray(frame)
    changed[place] ^= 0x10
    with pytest.raises(Broken):
        channel.unseal(bytes(changed))
    with pytest.raises(Broken):
        channel.unseal(frame)
    assert is_closed(channel)


@pytest.mark.parametrize("order", [(0, 0), (1,), (0, 2), (0, 1, 0), (0, 1, 1)])
def test_a_frame_again_left_out_or_out_of_order_closes(order):
    one, channel = connected()
    frames = [one.seal(f"[{number}]") for number in range(3)]
    *right, wrong = order
    for number in right:
        assert channel.unseal(frames[number]) == f"[{number}]"
    with pytest.raises(Broken):
        channel.unseal(frames[wrong])
    assert is_closed(channel)


def test_a_frame_is_not_reflected():
    one, channel = connected()
    frames = [channel.seal("7" * 1000), channel.seal("{}")]
    with pytest.raises(Broken):
        channel.unseal(frames[0])
    with pytest.raises(Wrong):
        one.unseal(one.seal("{}"))


def test_a_thief_of_the_code_reads_nothing_later():
    # All that crosses the network, and the code: the keys of the connection are not in it.
    one, channel = connected()
    recorded = [one.first, channel.answer, one.seal('{"lang":"is"}'), channel.seal('{"secret":1}')]
    thief = SecondPage(Kind.CODE, CODE, HOST, seeded("thief")(32))
    with pytest.raises(Wrong):
        thief.finish(recorded[1])
    with pytest.raises(Broken):
        answer(recorded[0], seed="thief").unseal(recorded[2])


def test_no_secret_is_in_a_repr_or_in_the_trace_of_an_error():
    one, channel = connected(Kind.SECRET, SECRET)
    key = Key.of(Kind.SECRET, SECRET)
    shown = [repr(key), str(key), repr(channel), repr(claim(one.first))]
    wrong = [
        lambda: channel.unseal(one.seal_bytes(b"geheim\xff".ljust(128))),
        lambda: channel.unseal(bytes(144)),
        lambda: answer(one.first, Kind.SECRET, SECRET, host="10.0.0.1:1"),
        lambda: answer(page(shown=bytes(32)).first),
        lambda: Key.of(Kind.CODE, SECRET),
        lambda: read_code("ABCDEFGH1234567" + "="),
    ]
    for call in wrong:
        with pytest.raises((Broken, ValueError, InvalidEncoding)) as error:
            call()
        lines = traceback.format_exception(error.value)
        shown += [line for line in lines if Path(__file__).name not in line]  # has them literally
    secrets = [key.psk, SECRET, CODE, b"geheim", b"ABCDEFGH1234567"]
    for secret in secrets:
        spelled = {repr(secret)[2:-1], secret.hex(), spell_code(secret[:10].ljust(10, b"\0"))}
        assert not [text for text in shown if any(one in text for one in spelled)]
