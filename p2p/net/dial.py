"""Dial several addresses for one link: a race with staggered starts, and one clear error."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from crypto.identity import Identity
from p2p.net.addresses import Address, show_address, show_addresses
from p2p.net.errors import (
    Broken,
    LinkLost,
    NetError,
    NotSobremesa,
    OwnIdentity,
    PeerBlocked,
    TooSlow,
    Unproven,
    Unreachable,
    VersionMismatch,
    WrongPeer,
)
from p2p.net.greeting import HELLO, Hello
from p2p.net.link import Link
from p2p.net.listen import own_host
from p2p.net.timeouts import LIMITS, TIMEOUTS, Limits, Timeouts
from p2p.net.tls import secure

# The errors of several addresses, the most telling first: that one is raised.
_TELLING = (
    VersionMismatch,
    WrongPeer,
    PeerBlocked,
    OwnIdentity,
    Unproven,
    LinkLost,
    NotSobremesa,
    TooSlow,
    Broken,
    Unreachable,
)


@dataclass(frozen=True, slots=True)
class Me:
    """Our side of a new connection, for both directions."""

    identity: Identity
    pem_path: Path
    hello: Hello = HELLO
    timeouts: Timeouts = TIMEOUTS
    limits: Limits = LIMITS
    blocked: frozenset[bytes] = frozenset()
    """Ids of peers to refuse."""
    failed: Callable[[Exception], object] = lambda _error: None
    """Called with each unexpected error while we serve a connection."""


async def greet(
    stream: trio.abc.Stream, me: Me, *, dialled: bool, address: Address, expect: bytes | None = None
) -> Link:
    """Make a link of a fresh connection: TLS, then WELCOME.

    Raises a NetError on any failure; the stream is then closed.
    """
    shown = show_address(address)
    try:
        with trio.fail_after(me.timeouts.handshake_s):
            secured = await secure(
                stream,
                me.identity,
                server_side=not dialled,
                pem_path=me.pem_path,
                expect=expect,
                blocked=me.blocked,
                address=shown,
                timeouts=me.timeouts,
            )
            link = Link(
                secured.stream,
                secured.id,
                secured.public,
                own=me.identity.id,
                dialled=dialled,
                address=address,
                timeouts=me.timeouts,
                limits=me.limits,
                carried=secured.carrier.take,
            )
            await link.greet(me.hello)
            if isinstance(stream, trio.SocketStream):
                link.local = own_host(stream)
    except trio.TooSlowError as error:
        raise TooSlow(shown, me.timeouts.handshake_s) from error
    except NetError:
        raise
    except Exception as error:
        await trio.aclose_forcefully(stream)
        raise _broken(me, shown, error) from error
    return link


def _broken(me: Me, address: str, error: Exception) -> Broken:
    """Report an unexpected error, and return the error that ends this connection alone."""
    me.failed(error)
    return Broken(address)


async def dial(addresses: Sequence[Address], me: Me, *, expect: bytes | None = None) -> Link:
    """Dial all addresses in a staggered race, and return the first link.

    The caller must run or close the link. `expect` is an id, or its first ten bytes. A machine with
    two addresses sees one link. If none answers, the most telling error is raised; `Unreachable`
    names all addresses that failed in the same way.
    """
    if not addresses:
        raise Unreachable("?", "failed")
    links: list[Link] = []
    errors: list[NetError] = []
    turn = trio.Lock()

    async def attempt(address: Address, failed: trio.Event) -> None:
        try:
            async with greeted(address, me, expect, turn) as link:
                # No checkpoint lies between making a link and cancelling its rivals.
                links.append(link)
                nursery.cancel_scope.cancel()
        except NetError as error:
            errors.append(error)
            failed.set()
        except Exception as error:  # noqa: BLE001 -- one connection fails, and nothing else
            errors.append(_broken(me, show_address(address), error))
            failed.set()

    try:
        async with trio.open_nursery() as nursery:
            for address in addresses:
                failed = trio.Event()
                nursery.start_soon(attempt, address, failed)
                with trio.move_on_after(me.timeouts.stagger_s):
                    await failed.wait()
    except BaseException:
        for link in links:
            await link.abort()
        raise
    if not links:
        raise _most_telling(errors, addresses)
    return links[0]


@asynccontextmanager
async def greeted(
    address: Address, me: Me, expect: bytes | None, turn: trio.Lock
) -> AsyncIterator[Link]:
    """Connect at once, greet when it is our turn, and hold the turn until the body ends.

    Connections are raced so, greetings are not.
    """
    stream = await connect(address, me.timeouts)
    try:
        await turn.acquire()
    except trio.Cancelled:
        await trio.aclose_forcefully(stream)
        raise
    try:
        yield await greet(stream, me, dialled=True, address=address, expect=expect)
    finally:
        turn.release()


def _most_telling(errors: Sequence[NetError], addresses: Sequence[Address]) -> NetError:
    """Return the error to raise; if nobody was reached, it names all addresses with its hint."""
    found = next(
        error for kind in (*_TELLING, NetError) for error in errors if isinstance(error, kind)
    )
    if isinstance(found, Unreachable):
        alike = {
            error.address
            for error in errors
            if isinstance(error, Unreachable) and error.hint == found.hint
        }
        tried = [address for address in addresses if show_address(address) in alike]
        found.address = show_addresses(tried)
    return found


async def connect(address: Address, timeouts: Timeouts) -> trio.SocketStream:
    """Open a TCP connection; raise Unreachable with a hint."""
    shown = show_address(address)
    try:
        with trio.fail_after(timeouts.connect_s):
            return await trio.open_tcp_stream(*address)
    except trio.TooSlowError as error:
        raise Unreachable(shown, "silent") from error
    except (OSError, ValueError, UnicodeError) as error:
        raise Unreachable(shown, why(error)) from error


def why(error: BaseException) -> str:
    """Return the hint for a failed connection, from the first errno in its causes.

    `Unreachable.hint` takes it.
    """
    if isinstance(error, socket.gaierror | UnicodeError):
        return "unknown"
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EHOSTUNREACH and sys.platform == "darwin":
        return "blocked"
    by_number = {
        errno.ECONNREFUSED: "refused",
        errno.ETIMEDOUT: "silent",
        errno.EHOSTUNREACH: "no route",
        errno.ENETUNREACH: "no network",
        errno.EADDRNOTAVAIL: "no network",
        errno.ENETDOWN: "no network",
    }
    if number in by_number:
        return by_number[number]
    below = error.exceptions if isinstance(error, BaseExceptionGroup) else (error.__cause__,)
    return next((why(cause) for cause in below if cause is not None), "failed")
