"""Signatures with a purpose, ids and how they are read aloud, and certificates that are functions
of the key."""

from __future__ import annotations

import re
import ssl
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from crypto.errors import CryptoError, InvalidEncoding, InvalidProof, InvalidSignature
from crypto.identity import (
    SMALL_ORDER,
    Identity,
    fingerprint,
    player_id,
    public_of_certificate,
    verify,
    words,
)
from crypto.plain import L, P
from crypto.wordlist import WORDS

ME = Identity.from_seed(bytes(range(32)))
OTHER = Identity.from_seed(bytes(32))


def test_a_signature_fits_its_key_purpose_and_data() -> None:
    signature = ME.sign("entry", b"data")
    assert len(signature) == 64
    assert signature == ME.sign("entry", b"data")
    verify(ME.public, "entry", b"data", signature)
    for public, context, data in (
        (OTHER.public, "entry", b"data"),
        (ME.public, "terms", b"data"),
        (ME.public, "entry", b"date"),
        (ME.public, "entr", b"ydata"),
        (ME.public, "", b"entrydata"),
    ):
        with pytest.raises(InvalidSignature):
            verify(public, context, data, signature)
    assert issubclass(InvalidSignature, InvalidProof)


def test_a_signature_has_one_spelling() -> None:
    signature = ME.sign("entry", b"data")
    unreduced = int.from_bytes(signature[32:], "little") + L
    for s in (unreduced, unreduced + L, unreduced | 1 << 255):
        with pytest.raises(InvalidSignature, match="spelling"):
            verify(ME.public, "entry", b"data", signature[:32] + s.to_bytes(32, "little"))
    for wrong in (b"", signature[:-1], signature + b"\0", bytearray(signature), None):
        with pytest.raises(InvalidSignature):
            verify(ME.public, "entry", b"data", wrong)  # type: ignore[arg-type]  # hostile input


@pytest.mark.parametrize("sign", [0, 1])
def test_keys_of_small_order_or_another_spelling_are_refused(sign: int) -> None:
    for y in [*SMALL_ORDER, P, P + 1, 2**255 - 1]:
        bad = (y | sign << 255).to_bytes(32, "little")
        for use in (
            lambda bad=bad: verify(bad, "entry", b"", bytes(64)),
            lambda bad=bad: player_id(bad),
        ):
            with pytest.raises(InvalidEncoding):
                use()
    for bad in (b"", bytes(31), bytes(33), "0" * 32):
        with pytest.raises(InvalidEncoding):
            player_id(bad)  # type: ignore[arg-type]  # hostile input


def test_ids_are_read_aloud() -> None:
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}", fingerprint(ME.id))
    assert fingerprint(bytes(32)) == "0000-0000-0000-0000"
    assert fingerprint(bytes([255]) * 32) == "ZZZZ-ZZZZ-ZZZZ-ZZZZ"
    assert fingerprint(bytes([0, 0, 0, 0, 1]) + bytes(27)) == "0000-0001-0000-0000"
    assert words(bytes(range(32))).split() == list(WORDS[:8])
    assert words(ME.id) != words(OTHER.id)


def test_a_certificate_is_one_that_others_understand() -> None:
    certificate = x509.load_der_x509_certificate(ME.certificate())
    certificate.verify_directly_issued_by(certificate)
    assert certificate.public_bytes(serialization.Encoding.DER) == ME.certificate()
    assert certificate.version is x509.Version.v3
    assert certificate.serial_number == 1
    assert certificate.not_valid_before_utc == datetime(2000, 1, 1, tzinfo=UTC)
    assert certificate.not_valid_after_utc == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert b"\x17\x0d000101000000Z\x18\x0f99991231235959Z" in ME.certificate(), "as RFC 5280 asks"
    assert certificate.subject.rfc4514_string() == "CN=sobremesa"
    assert certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    key = certificate.public_key().public_bytes(
        serialization.Encoding.Raw, serialization.PublicFormat.Raw
    )
    assert key == ME.public
    assert ME.certificate() == Identity.from_seed(ME.seed).certificate()


def test_a_certificate_with_any_byte_changed_is_refused() -> None:
    der = ME.certificate()
    for at in range(len(der)):
        with pytest.raises(CryptoError):
            public_of_certificate(der[:at] + bytes([der[at] ^ 1]) + der[at + 1 :])
        with pytest.raises(CryptoError):
            public_of_certificate(der[:at])
    for foreign in (der + b"\0", der[:-64] + OTHER.certificate()[-64:], b"", bytes(len(der))):
        with pytest.raises(CryptoError):
            public_of_certificate(foreign)


def test_a_certificate_signed_by_another_is_refused() -> None:
    forged = ME.certificate().replace(ME.public, OTHER.public)
    with pytest.raises(InvalidSignature):
        public_of_certificate(forged)


def context(side: int, me: Identity, peer: Identity, directory: Path) -> ssl.SSLContext:
    made = ssl.SSLContext(side)
    made.minimum_version = ssl.TLSVersion.TLSv1_3
    made.check_hostname = False
    made.verify_mode = ssl.CERT_REQUIRED
    made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | ssl.VERIFY_X509_STRICT
    made.load_verify_locations(cadata=peer.certificate())
    path = directory / f"{side}.pem"
    path.write_bytes(me.pem())
    made.load_cert_chain(path)
    return made


def handshake(client_trusts: Identity, directory: Path) -> tuple[ssl.SSLObject, ssl.SSLObject]:
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = context(ssl.PROTOCOL_TLS_SERVER, ME, OTHER, directory).wrap_bio(
        up, down, server_side=True
    )
    client = context(ssl.PROTOCOL_TLS_CLIENT, OTHER, client_trusts, directory).wrap_bio(down, up)
    for _ in range(3):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return client, server


def test_tls_accepts_the_certificates_and_key_file(tmp_path: Path) -> None:
    client, server = handshake(ME, tmp_path)
    assert client.getpeercert(binary_form=True) == ME.certificate()
    assert server.getpeercert(binary_form=True) == OTHER.certificate()
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(Identity.from_seed(b"a third person's certificate 123"), tmp_path)
