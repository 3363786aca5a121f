"""The handshake against the vector of the Noise project, and against a second implementation."""

from __future__ import annotations

import traceback

import pytest

from crypto.noise import EMPTY_BYTES, LAST_NONCE, Agreed, Broken, Cipher, Symmetric, respond
from tests import second_noise
from tests.second_noise import CipherState, HandshakeState, P, x25519
from tests.standin import seeded

# Noise_NNpsk0_25519_ChaChaPoly_SHA256 of vectors/cacophony.txt in haskell-cryptography/cacophony.
PSK = b"This is my Austrian perspective!"
PROLOGUE = b"John Galt"
FIRST_SECRET = bytes.fromhex("893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a")
SECOND_SECRET = bytes.fromhex("bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b")
HASH = "f4d03dc34495c95729ea6de9e1b59004b59733102488b3e24bc441e0be208eaf"
MESSAGES = [
    (
        b"Ludwig von Mises",
        "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944"
        "79b962b8aff8485742ac32f905ba45369e2465fb59e138a93d67a0d1266b6a54",
    ),
    (
        b"Murray Rothbard",
        "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843"
        "d6062704d5a9c422a8e834423f8c1feada7e8d0d910a1a2cd030fb584221e3",
    ),
    (b"F. A. Hayek", "e632c3763d7669067383433197a3baddf146e9e70ad4b4e9e59e0f"),
    (b"Carl Menger", "64c6bee32ea91c8474bb4c21d7a700109ad45af77b29764ba5eb1e"),
    (
        b"Jean-Baptiste Say",
        "e2fa0bed0603b62d3ccac2ecabbf3fe33f3e86514909b323361626266cb2471cc8",
    ),
    (
        "Eugen Böhm von Bawerk".encode("latin-1"),
        "0c01dc9cec1fe4ddd692e8dd32188aa351088dc91183639a53b57aa4692b5ebdef8b8ca111",
    ),
]
SENT = [bytes.fromhex(text) for _payload, text in MESSAGES]
PAYLOADS = [payload for payload, _text in MESSAGES]

SMALL_ORDER = [
    0,
    1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
    P - 1,
    P,
    P + 1,
]
"""The u of all points of order 1, 2, 4 and 8 on the curve and its twist, in every spelling but for
the highest bit, which does not count."""


def answer(first: bytes, psk: bytes = PSK, prologue: bytes = PROLOGUE) -> Agreed:
    return respond(psk, prologue, first, b"files", seeded("program"))


def initiator(secret: bytes = FIRST_SECRET, shown: bytes | None = None) -> HandshakeState:
    return HandshakeState("NNpsk0", "initiator", PROLOGUE, [PSK], secret, shown)


def test_the_responder_says_what_the_vector_says():
    agreed = respond(PSK, PROLOGUE, SENT[0], PAYLOADS[1], lambda _size: SECOND_SECRET)
    assert (agreed.payload, agreed.message, agreed.hash.hex()) == (PAYLOADS[0], SENT[1], HASH)
    for number in (2, 4):
        assert agreed.receiving.decrypt(SENT[number]) == PAYLOADS[number]
        assert agreed.sending.encrypt(PAYLOADS[number + 1]) == SENT[number + 1]


def test_both_roles_of_the_second_implementation_say_what_the_vector_says():
    page = initiator()
    program = HandshakeState("NNpsk0", "responder", PROLOGUE, [PSK], SECOND_SECRET)
    assert page.write_message(PAYLOADS[0]) == SENT[0]
    assert program.read_message(SENT[0]) == PAYLOADS[0]
    assert program.write_message(PAYLOADS[1]) == SENT[1]
    assert page.read_message(SENT[1]) == PAYLOADS[1]
    assert page.h.hex() == program.h.hex() == HASH
    for one, other, number in ((page, program, 2), (program, page, 3)):
        sealed = one.split()[0].encrypt_with_ad(b"", PAYLOADS[number])
        assert sealed == SENT[number]
        assert other.split()[1].decrypt_with_ad(b"", sealed) == PAYLOADS[number]


@pytest.mark.parametrize("number", range(40))
def test_it_agrees_with_the_second_implementation(number):
    random = seeded(f"handshake {number}")
    psk, prologue, payload = random(32), random(number), random(3 * number)
    page = HandshakeState("NNpsk0", "initiator", prologue, [psk], random(32))
    agreed = respond(psk, prologue, page.write_message(payload), random(number), random)
    assert agreed.payload == payload
    page.read_message(agreed.message)
    assert page.h == agreed.hash
    sending, receiving = page.split()
    for size in range(0, 400, 57):
        text = random(size)
        assert agreed.receiving.decrypt(sending.encrypt_with_ad(b"", text)) == text
        assert receiving.decrypt_with_ad(b"", agreed.sending.encrypt(text)) == text


@pytest.mark.parametrize("top", [0, 2**255])
@pytest.mark.parametrize("u", SMALL_ORDER)
def test_a_key_of_small_order_is_refused_though_its_tag_is_right(u, top):
    shown = (u + top).to_bytes(32, "little")
    assert x25519(FIRST_SECRET, shown) == bytes(32)
    with pytest.raises(Broken, match="small order"):
        answer(initiator(shown=shown).write_message(b""))


def test_no_bit_of_a_first_message_can_be_changed():
    first = initiator().write_message(b"")
    for bit in range(8 * EMPTY_BYTES):
        changed = bytearray(first)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Broken):
            answer(bytes(changed))


def test_a_first_message_of_another_length_is_refused():
    first = initiator().write_message(b"")
    for size in (*range(EMPTY_BYTES), EMPTY_BYTES + 1, 1000):
        with pytest.raises(Broken):
            answer(first.ljust(size, b"\0")[:size])


@pytest.mark.parametrize(
    ("psk", "prologue"), [(PSK[:-1] + b"?", PROLOGUE), (PSK, b""), (PSK, PROLOGUE + b"\0")]
)
def test_another_key_or_prologue_is_refused(psk, prologue):
    with pytest.raises(Broken):
        answer(initiator().write_message(b""), psk, prologue)


def test_a_cipher_ends_with_the_first_wrong_tag():
    sealed = [Cipher(PSK).encrypt(b"one")]
    cipher = Cipher(PSK)
    with pytest.raises(Broken):
        cipher.decrypt(sealed[0][:-1] + bytes([sealed[0][-1] ^ 1]))
    with pytest.raises(Broken):
        cipher.decrypt(sealed[0])
    with pytest.raises(Broken):
        cipher.encrypt(b"one")


def test_nonces_count_and_the_last_one_is_not_used():
    cipher, state = Cipher(PSK), CipherState(PSK)
    for number in (0, 1, 2, 255, 256, 2**32 - 1, 2**32, LAST_NONCE):
        cipher.nonce = state.n = number
        sealed = cipher.encrypt(b"text")
        assert sealed == state.encrypt_with_ad(b"", b"text")
        nonce = bytes(4) + number.to_bytes(8, "little")
        assert second_noise.aead_decrypt(PSK, nonce, b"", sealed) == b"text"
    with pytest.raises(Broken):
        cipher.encrypt(b"text")
    with pytest.raises(Broken):
        cipher.decrypt(second_noise.aead_encrypt(PSK, bytes(4) + b"\xff" * 8, b"", b"text"))


def test_no_secret_is_in_a_repr_or_in_the_trace_of_an_error():
    agreed = answer(initiator().write_message(b""))
    shown = [repr(agreed), str(agreed), *map(repr, agreed[2:4]), repr(Symmetric(b""))]
    with pytest.raises(Broken) as wrong_tag:
        agreed.receiving.decrypt(b"x" * 64)
    with pytest.raises(Broken) as wrong_key:
        answer(initiator(shown=bytes(32)).write_message(b""))
    for error in (wrong_tag.value, wrong_key.value):
        shown += traceback.format_exception(error)
        assert error.__suppress_context__
    secrets = [PSK, FIRST_SECRET, seeded("program")(32), agreed.message, agreed.hash]
    for secret in secrets:
        assert not [text for text in shown if repr(secret)[2:-1] in text or secret.hex() in text]
