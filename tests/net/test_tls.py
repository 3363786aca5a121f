"""The peer at the other end is proven: the attackers here are written out by hand, from the
announcement on."""

from __future__ import annotations

import ssl
import struct
from contextlib import suppress
from functools import partial

import pytest
import trio
import trio.testing

from p2p.net.errors import (
    LinkLost,
    NetError,
    NotSobremesa,
    OwnIdentity,
    Unproven,
    WrongPeer,
)
from p2p.net.tls import ALPN, MAGIC, secure


@pytest.fixture
def ends():
    return trio.testing.memory_stream_pair()


async def outcome(results, name, call):
    try:
        results[name] = await call()
    except NetError as error:
        results[name] = error


async def both(client, server):
    results = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(outcome, results, "client", client)
        nursery.start_soon(outcome, results, "server", server)
    return results["client"], results["server"]


def announce(certificate: bytes) -> bytes:
    return MAGIC + struct.pack(">H", len(certificate)) + certificate


def end(stream, identity, pem, *, server_side, **options):
    return partial(
        secure,
        stream,
        identity,
        server_side=server_side,
        pem_path=pem(identity),
        address="there:1",
        **options,
    )


async def test_both_know_the_other(ends, identities, pem):
    a, b = identities[:2]
    client, server = await both(
        end(ends[0], a, pem, server_side=False), end(ends[1], b, pem, server_side=True)
    )
    assert (client.id, client.public) == (b.id, b.public)
    assert (server.id, server.public) == (a.id, a.public)
    assert client.stream.version() == "TLSv1.3"
    await client.stream.send_all(b"hello")
    assert await server.stream.receive_some() == b"hello"


@pytest.mark.parametrize("length", [32, 10])
@pytest.mark.parametrize("right", [True, False])
async def test_pins_and_their_prefixes(ends, identities, pem, length, right):
    a, b = identities[:2]
    pin = b.id[:length]
    if not right:
        pin = pin[:-1] + bytes([pin[-1] ^ 1])
    client, server = await both(
        end(ends[0], a, pem, server_side=False, expect=pin), end(ends[1], b, pem, server_side=True)
    )
    if right:
        assert client.id == b.id
    else:
        assert isinstance(client, WrongPeer)
        assert (client.expected, client.got) == (pin, b.id)
        assert isinstance(server, LinkLost)


async def test_ones_own_identity_is_refused(ends, identities, pem):
    a = identities[0]
    client, server = await both(
        end(ends[0], a, pem, server_side=False), end(ends[1], a, pem, server_side=True)
    )
    assert isinstance(client, OwnIdentity)
    assert isinstance(server, OwnIdentity)


def attacker_context(server_side, key_file, anchor):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server_side else ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.load_verify_locations(cadata=anchor)
    context.load_cert_chain(key_file)
    context.set_alpn_protocols([ALPN])
    return context


async def attack(stream, *, announced, victim, key_file, server_side, change=lambda context: None):
    """Announce one certificate and present the one in `key_file`; return what the handshake looked
    like from here."""
    await stream.send_all(announce(announced))
    for _ in range(2):
        await stream.receive_some(6 if _ == 0 else 2048)
    context = attacker_context(server_side, key_file, victim.certificate())
    change(context)
    tls = trio.SSLStream(stream, context, server_side=server_side, https_compatible=False)
    try:
        await tls.do_handshake()
        return await tls.receive_some()
    except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
        await stream.aclose()
        return error


@pytest.mark.parametrize("server_side", [True, False])
async def test_an_announced_certificate_of_somebody_else_proves_nothing(
    ends, identities, pem, server_side
):
    victim, attacker, foreign = identities[:3]
    results = await both(
        end(ends[0], victim, pem, server_side=not server_side, expect=foreign.id),
        partial(
            attack,
            ends[1],
            announced=foreign.certificate(),
            victim=victim,
            key_file=pem(attacker),
            server_side=server_side,
        ),
    )
    assert isinstance(results[0], Unproven)
    assert results[0].claimed == foreign.id
    # the end of the stream, or of the link
    assert results[1] == b"" or isinstance(results[1], trio.BrokenResourceError)


@pytest.mark.parametrize("server_side", [True, False])
async def test_the_attacker_of_these_tests_gets_in_with_its_own_key(
    ends, identities, pem, server_side
):
    """Otherwise the refusals here would prove nothing."""
    victim, attacker = identities[:2]
    secured = None

    async def victims_side():
        nonlocal secured
        secured = await end(ends[0], victim, pem, server_side=not server_side)()
        await secured.stream.send_all(b"welcome")

    _, got = await both(
        victims_side,
        partial(
            attack,
            ends[1],
            announced=attacker.certificate(),
            victim=victim,
            key_file=pem(attacker),
            server_side=server_side,
        ),
    )
    assert got == b"welcome"
    assert secured.id == attacker.id


def old_tls(context):
    context.maximum_version = ssl.TLSVersion.TLSv1_2


def other_alpn(context):
    context.set_alpn_protocols(["http/1.1"])


@pytest.mark.parametrize("server_side", [True, False])
@pytest.mark.parametrize("change", [old_tls, other_alpn])
async def test_another_tls_or_alpn_is_refused(ends, identities, pem, server_side, change):
    victim, attacker = identities[:2]
    results = await both(
        end(ends[0], victim, pem, server_side=not server_side),
        partial(
            attack,
            ends[1],
            announced=attacker.certificate(),
            victim=victim,
            key_file=pem(attacker),
            server_side=server_side,
            change=change,
        ),
    )
    assert isinstance(results[0], Unproven | LinkLost)


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"G",
        b"\x16\x03\x01\x02\x00\x01",
        b"SBM2",
        MAGIC + b"\0\0",
        MAGIC + struct.pack(">H", 2049),
        announce(b"\x30\x03\x02\x01\x01"),
        announce(bytes(300)),
    ],
)
async def test_garbage_is_not_sobremesa(ends, identities, pem, said):
    await ends[1].send_all(said)
    with pytest.raises(NotSobremesa) as caught:
        await end(ends[0], identities[0], pem, server_side=True)()
    assert "there:1" in str(caught.value)
    with pytest.raises(trio.ClosedResourceError):
        await ends[0].send_all(b"x")


async def test_a_certificate_that_is_not_exactly_a_players_is_refused(ends, identities, pem):
    forged = bytearray(identities[1].certificate())
    forged[-1] ^= 1
    await ends[1].send_all(announce(bytes(forged)))
    with pytest.raises(NotSobremesa):
        await end(ends[0], identities[0], pem, server_side=True)()


@pytest.mark.parametrize("said", [b"", b"SB", announce(b"x" * 500)[:100]])
async def test_a_peer_that_hangs_up_halfway_is_lost(ends, identities, pem, said):
    if said:
        await ends[1].send_all(said)
    await ends[1].aclose()
    with pytest.raises(LinkLost):
        await end(ends[0], identities[0], pem, server_side=True)()


@pytest.mark.parametrize("said", [b"", b"SBM", b"HTTP/1.1 200 OK", b"SBM2"])
async def test_a_service_that_is_no_peer_does_not_hear_a_byte(ends, identities, pem, said):
    """Others may have named the address that we dial."""
    ours, theirs = ends
    heard = b""

    async def other():
        nonlocal heard
        if said:
            await theirs.send_all(said)
        with trio.move_on_after(0.2):
            while data := await theirs.receive_some():
                heard += data
        await theirs.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(other)
        with pytest.raises(NetError):
            await end(ours, identities[0], pem, server_side=False)()
    assert heard == b""


async def test_bytes_of_tls_that_carry_nothing_end_the_connection(ends, identities, pem):
    """Tickets, for instance, or new keys: any number of them would be taken in at one reading."""
    ours, theirs = ends
    a, b = identities[:2]

    async def host():
        await theirs.send_all(announce(b.certificate()))
        await theirs.receive_some(len(MAGIC))
        await theirs.receive_some(2 + len(a.certificate()))
        context = attacker_context(server_side=True, key_file=pem(b), anchor=a.certificate())
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.num_tickets = 2000
        stream = trio.SSLStream(theirs, context, server_side=True, https_compatible=False)
        with suppress(trio.BrokenResourceError):
            await stream.send_all(b"hello")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host)
        secured = await end(ours, a, pem, server_side=False, expect=b.id)()
        with pytest.raises(trio.BrokenResourceError):
            await secured.stream.receive_some()
        await trio.aclose_forcefully(secured.stream)
