"""Vectors of the RFCs on every backend, and our own: the results of each function, and its
refusals, also in years to come."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from crypto import identity, transcript
from crypto.backend import Backend, backends
from crypto.errors import CryptoError
from crypto.group import Group
from crypto.plain import P
from tests.vectors.make_vectors import FILES, make

VECTORS = Path(__file__).parent.parent / "vectors"
GROUPS = {backend.name: Group(backend) for backend in backends()}


def load(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("backend", backends(), ids=lambda backend: backend.name)
def test_rfc_9496(backend: Backend) -> None:
    content = load("rfc9496")
    for k, encoding in enumerate(content["multiples"]["encodings"]):
        element = bytes.fromhex(encoding)
        assert backend.valid(element)
        assert backend.base(k) == backend.mult(k, backend.base(1)) == element
        assert backend.add(backend.base(15 - k), element) == backend.base(15)
        assert backend.sub(backend.base(15), element) == backend.base(15 - k)
    for case in content["uniform"]["cases"]:
        assert backend.from_uniform(bytes.fromhex(case["input"])).hex() == case["output"]


@pytest.mark.parametrize("backend", backends(), ids=lambda backend: backend.name)
def test_no_encoding_but_the_canonical_one_is_taken(backend: Backend) -> None:
    group = Group(backend)
    encodings = load("rfc9496")["invalid"]["encodings"]
    assert sum(map(len, encodings.values())) == 29
    for kind, group_of in encodings.items():
        for encoding in group_of:
            with pytest.raises(CryptoError):
                group.element(bytes.fromhex(encoding), identity=True)
            assert not backend.valid(bytes.fromhex(encoding)), kind


@pytest.mark.parametrize("backend", backends(), ids=lambda backend: backend.name)
def test_no_element_has_a_second_spelling(backend: Backend) -> None:
    """RFC 9496 section 4.3.1 asks for this, its list of examples does not; libsodium 1.0.18 ignores
    bit 255.

    P - 3 and P - 9 have the only second spellings, P + 3 and P + 9, that are even and below 2**255.
    """
    small = [P - 3, P - 9]
    for s in [*small, *(int.from_bytes(backend.base(k), "little") for k in range(40))]:
        assert backend.valid(s.to_bytes(32, "little"))
        for alias in (s + P, s + 2 * P, P - s, 2 * P - s, s | 1 << 255, (P - s) | 1 << 255):
            assert alias >= 1 << 256 or not backend.valid(alias.to_bytes(32, "little"))
    for _ in range(200):
        noise = bytearray(os.urandom(32))
        noise[31] |= 128
        assert not backend.valid(bytes(noise))


def test_rfc_9380_expand_message() -> None:
    content = load("rfc9380")
    for case in content["cases"]:
        made = transcript.expand_message(
            case["message"].encode(), content["dst"].encode(), case["size"]
        )
        assert made.hex() == case["output"]


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_rfc_9380_hash_to_ristretto255_as_rfc_9497_uses_it(group: Group) -> None:
    content = load("rfc9497")
    for case in content["cases"]:
        element = group.hash_to_group(bytes.fromhex(content["dst"]), bytes.fromhex(case["message"]))
        assert (
            group.mult(group.scalar(bytes.fromhex(case["blind"])), element).hex() == case["output"]
        )


def test_rfc_8032() -> None:
    for case in load("rfc8032")["cases"]:
        key = identity.private_key(bytes.fromhex(case["seed"]))
        message, signature = bytes.fromhex(case["message"]), bytes.fromhex(case["signature"])
        assert key.public_key().public_bytes_raw().hex() == case["public"]
        assert key.sign(message) == signature
        identity.verify_plain(bytes.fromhex(case["public"]), message, signature)


@pytest.mark.parametrize("file", FILES)
def test_own_vectors_are_given_and_taken_as_ever(file: str) -> None:
    give, check = FILES[file]
    for group in GROUPS.values():
        for case in load(file)["cases"]:
            assert give(group, case["given"]) == case["gives"], group
            check(group, {**case["given"], **case["gives"]})


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_own_rejects_are_refused_with_their_error(file: str, group: Group) -> None:
    content = load(file)
    _, check = FILES[file]
    for reject in content["rejects"]:
        case = content["cases"][reject["of"]]
        with pytest.raises(CryptoError) as caught:
            check(group, {**case["given"], **case["gives"], **reject["change"]})
        assert type(caught.value).__name__ == reject["error"], reject["why"]


@pytest.mark.parametrize("file", FILES)
def test_files_are_what_the_script_makes(file: str) -> None:
    assert load(file) == make(file, GROUPS[backends()[0].name])
