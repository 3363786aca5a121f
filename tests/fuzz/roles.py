"""Messages and links of one peer, in each role that it may have for a program of ours.

The first byte chooses the role. The peer then sends messages of every kind, most of them damaged,
some of them hundreds of times, and its links come and go. Our program may refuse all that; it makes
no unexpected error, tells its player few sentences, dials few addresses, and keeps on answering.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from client.session.context import Context
from client.session.messages import Message
from client.session.spectator.match import SpectatorSession
from client.session.status import NetworkError
from client.session.tell_limit import ALL_BURST, LOBBY_BURST, STATE_BURST, TellLimit
from client.storage import error_log
from client.storage.home import Home
from p2p.net.errors import UpdateHere, UpdateThere
from p2p.net.events import Event, LinkDown, LinkUp, PeerAway, TurnedAway
from p2p.net.link import CLOSED, DISPLACED, LOST
from p2p.table.admission import Visit
from p2p.table.lobby import Endpoint, SeatRequest, TableRefused, sit_message
from p2p.table.need import Need
from p2p.table.spectating import WatchedMatch, WatchRequest
from p2p.wire import MOST_SEATS
from tests.client.session.linked_player import NONCES, Network, Session, received
from tests.fuzz.draw import Draw, told
from tests.fuzz.frames import framed
from tests.ring import identities, terms_for
from tests.standin import seeded
from tests.table.lobbies import draft

MOST = 12
"""Different messages in one input, at most."""
LINES = 4 * ALL_BURST + LOBBY_BURST + 4 * STATE_BURST + 20
"""Sentences and displays that one input may bring about."""
EVE, ZOE = b"e" * 32, b"z" * 32
WHO = identities(2)
TERMS = replace(terms_for("escoba", 2), spectators=True)
FACTS = {"rules": TERMS.rules, "options": TERMS.options}
"""A table that fills, as our terms are."""

maxima: Counter[str] = Counter()
"""The most that an input has brought about: lines of the screen, and addresses to dial."""


class Dialled(Network):
    """A network that notes where it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[bytes, set[Any]] = {}

    def keep(self, peer: bytes, addresses: Any) -> None:
        self.kept.setdefault(peer, set()).update(addresses)
        assert all(type(host) is str and 0 < port < 65536 for host, port in addresses)


def one_input(data: bytes) -> None:
    """Let a peer do something in one of its roles."""
    draw = Draw(data)
    role = draw.one((stranger, spectator, guest, host, seated, seated_again, watched))
    errors: list[BaseException] = []
    # A contained error is an error all the same.
    with (
        scratch() as folder,
        mock.patch.object(error_log, "note", lambda _home, error: errors.append(error)),
    ):
        network, lines = role(draw, folder)
    if errors:
        raise errors[0]
    dials = sum(map(len, network.kept.values()))
    assert len(network.kept) <= MOST_SEATS + 1
    assert len(lines) <= LINES, lines
    for name, count in (("lines", len(lines)), ("dials", dials), ("peers", len(network.kept))):
        maxima[name] = max(maxima[name], count)


@contextmanager
def scratch() -> Any:
    """Make a folder in memory, if there is one."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


Played = tuple[Dialled, list[Message]]


def stranger(draw: Draw, folder: Path) -> Played:
    """A peer of no table: we have one open, or a match, or nothing."""
    match draw.below(3):
        case 0:
            return linked(draw, folder, EVE, lambda session: session.open())
        case 1:
            return linked(draw, folder, EVE, lambda session: session.begin())
    return linked(draw, folder, EVE, lambda _session: None)


def spectator(draw: Draw, folder: Path) -> Played:
    """A peer that watches our match, or waits for it."""

    def begin(session: Session) -> None:
        (session.begin if draw.byte() % 4 else session.open)()
        session.asks(EVE)

    return linked(draw, folder, EVE, begin)


def guest(draw: Draw, folder: Path) -> Played:
    """A guest at our table."""

    def begin(session: Session) -> None:
        session.open()
        session.network.bring(LinkUp(session.other, b"", ("192.0.2.1", 4000)))
        session.network.bring(received(session.other, sit()))

    return linked(draw, folder, WHO[1].id, begin)


def host(draw: Draw, folder: Path) -> Played:
    """The host of the table at which we would sit down."""

    def begin(session: Session) -> None:
        session.router.setup.seek(session.other, b"")
        session.network.bring(LinkUp(session.other, b"", ("192.0.2.1", 4000)))

    return linked(draw, folder, WHO[1].id, begin)


def seated(draw: Draw, folder: Path) -> Played:
    """A player of our match."""

    def begin(session: Session) -> None:
        session.begin()
        session.network.bring(LinkUp(session.other, b"", ("192.0.2.1", 4000)))

    return linked(draw, folder, WHO[1].id, begin)


def seated_again(draw: Draw, folder: Path) -> Played:
    """A player of our match, into which we come back."""

    def begin(session: Session) -> None:
        session.come_back()
        session.network.bring(LinkUp(session.other, b"", ("192.0.2.1", 4000)))

    return linked(draw, folder, WHO[1].id, begin)


def linked(draw: Draw, folder: Path, peer: bytes, begin: Callable[[Session], None]) -> Played:
    """Let a peer speak to the links of our session."""
    session, network = Session(folder), Dialled()
    limited: list[Message] = []
    limit = TellLimit(limited.append)
    session.network = session.router.mesh = network  # type: ignore[assignment] # it stands for a mesh

    async def run() -> None:
        begin(session)
        await follow(session)
        for event in events(draw, peer, [value for _to, value in network.sent]):
            network.bring(event)
            await follow(session)
        network.sent.clear()
        network.bring(LinkUp(ZOE, b"", ("192.0.2.7", 4000)))
        network.bring(received(ZOE, {"t": "look", "secret": b""}))
        await follow(session)
        assert session.heard(ZOE), "it answers no more"
        for message in session.told:
            limit(message)

    async def follow(session: Session) -> None:
        try:
            await session.follow()
        except* TableRefused as refused:  # a guest's session ends by the words of its host
            for error in refused.exceptions:
                told(error)
        if session.local_seats is not None:
            result = session.local_seats.work(session.inputs.take_waiting(), lambda *_, **__: None)
            session.told += result.contained

    try:
        trio.run(run, clock=MockClock())
    finally:
        if session.local_seats is not None:
            session.local_seats.close()
    return network, limited


def watched(draw: Draw, folder: Path) -> Played:
    """A player whose match we watch, or another one of that match."""
    network, lines = Dialled(), list[Message]()
    shown = WatchedMatch(TERMS, tuple(TERMS.sign(one) for one in WHO), (), 0)
    peer = WHO[draw.below(2)].id

    async def run() -> None:
        session = SpectatorSession(Context(Home(folder)), network, TellLimit(lines.append))  # type: ignore[arg-type] # it stands for a mesh
        network.bring(LinkUp(WHO[0].id, b"", ("192.0.2.1", 1)))
        network.bring(LinkUp(WHO[1].id, b"", ("192.0.2.2", 1)))
        if draw.byte() % 4:
            network.bring(received(WHO[0].id, shown.message()))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch, session)
            await wait_all_tasks_blocked()
            for event in events(draw, peer, [shown.message()]):
                network.bring(event)
                await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

    async def watch(session: SpectatorSession) -> None:
        try:
            await session.run(WHO[0].id)
        except* (TableRefused, NetworkError) as ended:
            for error in ended.exceptions:
                told(error)

    # The slow calls are made here: no other thread's time is waited for.
    with mock.patch.object(trio.to_thread, "run_sync", here):
        trio.run(run, clock=MockClock())
    return network, lines


async def here(call: Callable[..., Any], *args: Any, **_more: Any) -> Any:
    await trio.lowlevel.checkpoint()
    return call(*args)


def events(draw: Draw, peer: bytes, heard: list[Any]) -> Any:
    """The acts of the peer: each event may come hundreds of times."""
    kinds = [*messages(), *heard]
    up = LinkUp(peer, b"", ("192.0.2.1", 4000))
    for _ in range(MOST):
        if not draw.more:
            return
        how = draw.byte()
        times = draw.one((1, 1, 1, 1, 1, 1, 20, 120))
        found: list[Event] = []
        match how % 16:
            case 0:
                found = [LinkDown(peer, draw.one((LOST, CLOSED, DISPLACED))), up]
            case 1:
                found = [PeerAway(peer, None)]
            case 2:
                kind = draw.one((UpdateHere, UpdateThere))
                found = [TurnedAway(kind(draw.some(32), 3, "1", 4, "\x1b[1m"))]
            case 3:
                found = [received(peer, value) for value in framed(draw.some(draw.byte()))]
            case _:
                like = draw.one(kinds)
                value = like if how >= 192 else draw.value(like)
                found = [
                    received(peer, each)
                    for each in framed(value)
                    if isinstance(each, bytes | list) or is_message(each)
                ]
        for _time in range(min(times, 900 // max(1, len(found)))):
            yield from found
        yield up


def is_message(value: Any) -> bool:
    """Whether a link hands this value over."""
    return isinstance(value, dict) and type(value.get("t")) is str


@cache
def messages() -> tuple[Any, ...]:
    """One message of each kind, as an honest program sends it."""
    match = TERMS.match
    ours = [TERMS.sign(one) for one in WHO]
    nodes = (Endpoint(WHO[1].id, 4000, ("192.0.2.1", "fe80::1")),)
    table = draft(2, game=TERMS.game, spectators=True, **FACTS)
    full = replace(table, seats=TERMS.participants)
    return (
        {"t": "look", "secret": b""},
        sit(),
        {"t": "stand"},
        table.message(),
        full.message(),
        {"t": "terms", "terms": TERMS.encode(), "nodes": [[WHO[1].id, 4000, ["192.0.2.1"]]]},
        {"t": "sign", "match": match, "seat": 1, "signature": ours[1]},
        *({"t": "refuse", "why": why} for why in ("playing", "other-match", "too-soon", "busy")),
        Need(0, (TERMS.first_head(),)).message(match),
        {"t": "shown", "match": match},
        {"t": "sealed", "match": match},
        {"t": "say", "text": "kaixo", "phrase": False},
        {"t": "listen", "match": match},
        WatchRequest().message(),
        WatchRequest(match, 0, TERMS.first_head()).message(),
        WatchedMatch(TERMS, tuple(ours), nodes, 3).message(),
    )


@cache
def sit() -> Any:
    """The request of a guest for a seat at our table over the link of these tests."""
    visit = Visit("mine", WHO[0].id, WHO[1].id, *NONCES)
    return sit_message([SeatRequest(WHO[1], "Jon", seeded("sit"))], b"", visit)
