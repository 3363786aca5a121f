"""The script's end of the sealed channel, in a real browser and on plain HTTP: the vectors of its
ciphers, and the page against the program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from playwright.sync_api import Browser, Page

from client.ui.browser.shell import text_of
from crypto.channel import (
    ANSWER_BYTES,
    FROM_PAGE_BYTES,
    TO_PAGE_BYTES,
    Channel,
    Key,
    Kind,
)
from crypto.noise import TAG_BYTES
from tests.browser.chromium import needs_chromium
from tests.crypto.test_noise import (
    FIRST_SECRET,
    HASH,
    MESSAGES,
    PAYLOADS,
    PROLOGUE,
    PSK,
    SENT,
    SMALL_ORDER,
)
from tests.second_noise import HandshakeState, P, derived, poly1305
from tests.standin import seeded

pytestmark = needs_chromium
HOST = "192.168.1.23:47757"
CODE, SECRET = bytes(range(10)), bytes(range(100, 132))
FILES = bytes(range(32))
VECTORS = json.loads(
    (Path(__file__).parent.parent / "vectors" / "ciphers.json").read_text(encoding="utf-8")
)
HELPERS = """
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const un = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
let channel = null;
function attempt(work) {
  try { return work(); } catch (error) { return `${error.name}: ${error.message}`; }
}
"""
WORK = {
    "sha256": "ciphers.sha256(un(one.message))",
    "repeated": "ciphers.sha256(ciphers.ascii(one.text.repeat(one.times)))",
    "hmac": "ciphers.hmac(un(one.key), un(one.message))",
    "hkdf": "ciphers.hkdf(un(one.salt), un(one.material), un(one.info), one.size)",
    "x25519": "ciphers.x25519(un(one.secret), un(one.point))",
    "chacha20": "ciphers.chacha20(un(one.key), one.counter, un(one.nonce), un(one.input))",
    "poly1305": "ciphers.poly1305(un(one.key), un(one.message))",
    "aead": "ciphers.encrypt(un(one.key), un(one.nonce), un(one.input), un(one.bound))",
    "opened": "ciphers.decrypt(un(one.key), un(one.nonce), un(one.output), un(one.bound))",
}


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    """A page with the two scripts, as a phone gets it: over HTTP, from a private address."""
    page = browser.new_page()
    scripts = text_of("ciphers.js") + text_of("sealed.js") + HELPERS
    html = f"<!DOCTYPE html><script>{scripts}</script>"
    page.route("**/*", lambda route: route.fulfill(body=html, content_type="text/html"))
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"http://{HOST}/")
    yield page
    assert wrong == []
    page.close()


def results(sheet: Page, name: str, cases: list[Any]) -> list[str]:
    return sheet.evaluate(f"(cases) => cases.map((one) => {WORK[name]}).map(hex)", cases)


class FaultyChannel(Channel):
    """A program that can also send what none of ours sends."""

    def encrypt(self, data: bytes) -> bytes:
        """Return a frame of any bytes, with the right tag."""
        return self._sending.encrypt(data)


def program(kind: Kind, root: bytes, first: str, seed: str = "program") -> FaultyChannel:
    return FaultyChannel.open(Key.of(kind, root), HOST, bytes.fromhex(first), FILES, seeded(seed))


def begin(sheet: Page, kind: Kind = Kind.CODE, root: bytes = CODE) -> str:
    """Let the page begin a connection; return its first frame."""
    return sheet.evaluate(
        "([kind, root]) => { channel = new sealed.Channel(kind, un(root), location.host);"
        " return hex(channel.first); }",
        [int(kind), root.hex()],
    )


def connect(sheet: Page, kind: Kind = Kind.CODE, root: bytes = CODE) -> FaultyChannel:
    one = program(kind, root, begin(sheet, kind, root))
    assert finish(sheet, one.answer) == FILES.hex()
    return one


def finish(sheet: Page, answer: bytes) -> str:
    return sheet.evaluate(
        "(answer) => attempt(() => hex(channel.finish(un(answer))))", answer.hex()
    )


def seal(sheet: Page, *texts: str) -> list[bytes]:
    found = sheet.evaluate(
        "(texts) => texts.map((text) => attempt(() => hex(channel.seal(text))))", list(texts)
    )
    return [bytes.fromhex(frame) for frame in found]


def unseal(sheet: Page, *frames: bytes) -> list[str]:
    return sheet.evaluate(
        "(frames) => frames.map((frame) => attempt(() => channel.unseal(un(frame))))",
        [frame.hex() for frame in frames],
    )


def refuses(sheet: Page, *frames: bytes) -> bool:
    """Whether the page refuses the last of these frames, and does nothing more in either
    direction."""
    *right, last = unseal(sheet, *frames)
    assert not [text for text in right if text.startswith("Error")]
    more = sheet.evaluate("() => attempt(() => channel.seal('{}'))")
    return last.startswith("Error: ") and more == "Error: ended"


# The ciphers.


@pytest.mark.parametrize("name", [name for name in WORK if name != "opened"])
def test_the_vectors_of_the_standards(sheet, name):
    cases = VECTORS[name]
    assert results(sheet, name, cases) == [case["output"] for case in cases]


def test_the_sealed_texts_of_the_standards_are_opened(sheet):
    cases = VECTORS["aead"]
    assert results(sheet, "opened", cases) == [case["input"] for case in cases]


def test_points_of_small_order_give_zero(sheet):
    points = [(u + top).to_bytes(32, "little") for u in SMALL_ORDER for top in (0, 2**255)]
    cases = [{"secret": FIRST_SECRET.hex(), "point": point.hex()} for point in points]
    assert set(results(sheet, "x25519", cases)) == {bytes(32).hex()}


def test_sealing_agrees_with_the_library_at_every_length(sheet):
    random = seeded("aead")
    sizes = [(size, size % 37) for size in range(300)] + [(4096, 0), (100_000, 5)]
    cases = [
        {
            "key": random(32).hex(),
            "nonce": random(12).hex(),
            "input": random(size).hex(),
            "bound": random(bound).hex(),
        }
        for size, bound in sizes
    ]
    for case, found in zip(cases, results(sheet, "aead", cases), strict=True):
        given = {name: bytes.fromhex(value) for name, value in case.items()}
        library = ChaCha20Poly1305(given["key"])
        assert found == library.encrypt(given["nonce"], given["input"], given["bound"]).hex()


def test_poly1305_carries_at_its_edges(sheet):
    edges = [b"\xff" * 16, b"\xfb" + b"\xff" * 15, b"\xfa" + b"\xff" * 15, bytes(16)]
    keys = [r + s for r in (b"\xff" * 16, b"\1" + bytes(15), b"\2" + bytes(15)) for s in edges]
    texts = [first + second for first in edges for second in (b"", b"\xff", *edges)]
    texts += [b"\xff" * 1600, bytes(1600)]
    cases = [(key, text) for key in keys for text in texts]
    found = results(
        sheet, "poly1305", [{"key": key.hex(), "message": text.hex()} for key, text in cases]
    )
    assert found == [poly1305(key, text).hex() for key, text in cases]


def test_the_handshake_says_what_the_vector_says(sheet):
    work = """([psk, prologue, secret, payload, second]) => {
      const page = new sealed.Handshake(un(psk), un(prologue), un(payload), un(secret));
      const { sending, receiving, ...made } = page.finish(un(second));
      Object.assign(globalThis, { sending, receiving });
      return [page.first, made.payload, made.hash].map(hex);
    }"""
    given = (PSK, PROLOGUE, FIRST_SECRET, PAYLOADS[0], SENT[1])
    assert sheet.evaluate(work, [value.hex() for value in given]) == [
        SENT[0].hex(),
        PAYLOADS[1].hex(),
        HASH,
    ]
    for number in (2, 4):
        given = [PAYLOADS[number].hex(), MESSAGES[number + 1][1]]
        work = "([said, heard]) => [sending.encrypt(un(said)), receiving.decrypt(un(heard))]"
        found = sheet.evaluate(f"({work})({json.dumps(given)}).map(hex)")
        assert found == [MESSAGES[number][1], PAYLOADS[number + 1].hex()]


# The page against the program.


def test_thousands_of_texts_go_both_ways(sheet):
    one = connect(sheet)
    random = seeded("texts")
    texts = [json.dumps(random(number % 90).decode("latin-1"))[:4000] for number in range(2500)]
    texts += ["7" * size for size in (1, 127, 128, 129, FROM_PAGE_BYTES)]
    texts += ['"🂡 Þórunn, Eñaut — 1 × 2"', "[ 1,   2 ]", '"\ufeff"', "\ufeff"]
    frames = seal(sheet, *texts)
    assert [one.unseal(frame) for frame in frames] == texts
    assert {(len(frame) - TAG_BYTES) % 128 for frame in frames} == {0}
    texts += ["7" * size for size in (1023, 1024, 1025, 99_999, TO_PAGE_BYTES)]
    assert unseal(sheet, *map(one.seal, texts)) == texts
    assert one.unseal(seal(sheet, "{}")[0]) == "{}"


# Answers and frames that a page must refuse.


def test_a_page_refuses_an_answer_with_any_changed_bit(sheet):
    work = """([root, secret]) => {
      const make = () => new sealed.Channel(sealed.CODE, un(root), location.host, un(secret));
      Object.assign(globalThis, { make });
      return hex(make().first);
    }"""
    first = sheet.evaluate(work, [CODE.hex(), FIRST_SECRET.hex()])
    answer = program(Kind.CODE, CODE, first).answer
    work = """([answer, bits]) => bits.filter((bit) => {
      const changed = un(answer);
      changed[bit >> 3] ^= 1 << (bit & 7);
      return attempt(() => make().finish(changed)) !== "Error: a wrong tag";
    })"""
    bits = [*range(0, 256, 15), *range(256, 8 * ANSWER_BYTES, 7), 8 * ANSWER_BYTES - 1]
    assert 255 in bits  # the highest bit of a key, which X25519 does not look at
    assert sheet.evaluate(work, [answer.hex(), bits]) == []
    assert sheet.evaluate("(answer) => hex(make().finish(un(answer)))", answer.hex()) == FILES.hex()


@pytest.mark.parametrize("size", [0, 31, 47, 48, 79, 81, 1000])
def test_a_page_refuses_an_answer_of_another_length(sheet, size):
    answer = program(Kind.CODE, CODE, begin(sheet)).answer
    assert finish(sheet, answer.ljust(size, b"\0")[:size]) == "Error: no answer"


@pytest.mark.parametrize("u", SMALL_ORDER)
def test_a_page_refuses_a_key_of_small_order_though_its_tag_is_right(sheet, u):
    first = bytes.fromhex(begin(sheet))
    shown = u.to_bytes(32, "little")
    assert finish(sheet, forged(first, shown)) == "Error: a key of small order"


def forged(first: bytes, shown: bytes) -> bytes:
    """The answer of somebody with the code who sends this key, by which every secret is 0."""
    prologue = b"sobremesa/phone/1\0" + first[1:10] + HOST.encode()
    psk = derived(CODE, b"psk\0", 32)
    liar = HandshakeState("NNpsk0", "responder", prologue, [psk], FIRST_SECRET, shown)
    liar.read_message(first[10:])
    return liar.write_message(FILES)


def test_a_page_refuses_an_answer_to_another_first_frame_and_one_that_comes_again(sheet):
    earlier = program(Kind.CODE, CODE, begin(sheet)).answer
    begin(sheet)
    assert finish(sheet, earlier) == "Error: a wrong tag"
    assert finish(sheet, earlier) == "Error: no answer"
    one = connect(sheet)
    assert finish(sheet, one.answer) == "Error: no answer"


@pytest.mark.parametrize("place", [0, 500, 1023, 1024, 1031, 1039])
def test_a_page_refuses_a_changed_frame_and_then_the_right_one(sheet, place):
    one = connect(sheet)
    frame = one.seal("{}")
    changed = bytearray(frame)
    changed[place] ^= 0x40
    assert refuses(sheet, bytes(changed))
    assert refuses(sheet, frame)


@pytest.mark.parametrize("order", [(0, 0), (1,), (0, 2), (0, 1, 0), (0, 1, 1)])
def test_a_page_refuses_a_frame_again_left_out_or_out_of_order(sheet, order):
    one = connect(sheet)
    frames = [one.seal(f"[{number}]") for number in range(3)]
    assert refuses(sheet, *(frames[number] for number in order))


@pytest.mark.parametrize("size", [0, 1, 128, 1023, 1025, TO_PAGE_BYTES + 1024])
def test_a_page_refuses_a_frame_of_another_length_though_its_tag_is_right(sheet, size):
    one = connect(sheet)
    assert refuses(sheet, one.encrypt(b" " * size))


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 1039, 1041])
def test_a_page_refuses_a_frame_that_is_no_sealed_one(sheet, size):
    one = connect(sheet)
    assert refuses(sheet, one.seal("{}").ljust(size, b"\0")[:size])


@pytest.mark.parametrize("data", [b"\xff", b"\xc3", b"\xed\xa0\x80"])
def test_a_page_refuses_bytes_that_are_no_text(sheet, data):
    one = connect(sheet)
    assert refuses(sheet, one.encrypt(data.ljust(1024)))


def test_x25519_agrees_with_the_library_for_any_key_and_spelling(sheet):
    random = seeded("x25519")
    points = [random(32) for _ in range(60)]
    points += [(P + more).to_bytes(32, "little") for more in range(2, 19)]
    points += [(2**255 + more).to_bytes(32, "little") for more in (2, 9, P - 2)]
    points += [(P - more).to_bytes(32, "little") for more in range(2, 9)]
    cases = [{"secret": random(32).hex(), "point": point.hex()} for point in points]
    for case, found in zip(cases, results(sheet, "x25519", cases), strict=True):
        own = X25519PrivateKey.from_private_bytes(bytes.fromhex(case["secret"]))
        theirs = X25519PublicKey.from_public_bytes(bytes.fromhex(case["point"]))
        assert found == own.exchange(theirs).hex()


def test_a_page_refuses_its_own_frames(sheet):
    connect(sheet)
    (own,) = seal(sheet, "7" * 1024)
    assert len(own) == 1040
    assert refuses(sheet, own)
