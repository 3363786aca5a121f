"""The parts of libraries that they promise to nobody, and on which we rest. Each test names its
library: if one fails, read its changes before you look for a mistake of ours."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta

import pytest
import zeroconf
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from wcwidth import wcwidth

from p2p.net.tls import WITHOUT_TIME

NAME = "ane._sobremesa._tcp.local."


def text_record(number: int, name: str = NAME) -> zeroconf.DNSText:
    return zeroconf.DNSText(name, 16, 1, 4500, b"%d" % number)


def test_zeroconf_has_a_cache_that_lists_the_records_of_a_name():
    """`p2p/net/browse.py` reads it."""
    cache = zeroconf.DNSCache()
    pointer = zeroconf.DNSPointer("_sobremesa._tcp.local.", 12, 1, 4500, NAME)
    cache.async_add_records([pointer, text_record(1), text_record(2)])
    assert [repr(one) for one in cache.entries_with_name(pointer.name)] == [repr(pointer)]
    found = cache.get_all_by_details(NAME, 16, 1)
    assert {one.text for one in found if isinstance(one, zeroconf.DNSText)} == {b"1", b"2"}
    assert all(one.created > 0 for one in found)


def test_zeroconf_bounds_its_cache():
    """Else a stranger could fill our memory with invented names."""
    cache = zeroconf.DNSCache()
    cache.async_add_records(text_record(0, f"p{number}._x.local.") for number in range(20_000))
    assert len(cache.cache) < 15_000


@pytest.mark.parametrize(("flags", "taken"), [(WITHOUT_TIME, True), (0, False)])
def test_openssl_knows_the_flag_that_leaves_dates_out(tmp_path, flags, taken):
    """Python has no name for it (`p2p/net/tls.py`)."""
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Ane")])
    past = datetime(2020, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, past, past + timedelta(1))
        .sign(key, None)
        .public_bytes(serialization.Encoding.PEM)
    )
    pem = tmp_path / "key.pem"
    pem.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | flags
    client.load_verify_locations(cadata=certificate.decode())
    assert agree(client, server) == taken


def agree(client: ssl.SSLContext, server: ssl.SSLContext) -> bool:
    """Whether a client takes a server's certificate."""
    one, other = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [client.wrap_bio(one, other), server.wrap_bio(other, one, server_side=True)]
    for _ in range(4):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError:
                return False
    return True


@pytest.mark.parametrize(
    ("characters", "width"),
    [("aéñÞ│─╭♣♦♥♠•…“”×½", 1), ("美かア한", 2), ("🙂🎉👍", 2), ("\u0301\u200d\ufe0f", 0)],
)
def test_wcwidth_counts_the_columns_of_our_signs(characters, width):
    """`p2p/net/text.py` and `client/ui/drawing/canvas.py` count with it."""
    assert {one: wcwidth(one) for one in characters} == dict.fromkeys(characters, width)
