"""A player's links in a match of two, over a network on which a test brings whoever it likes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import Mock

import trio
from trio.testing import wait_all_tasks_blocked

from client.session.context import Context
from client.session.earlier_matches import EarlierMatches
from client.session.inputs import Inputs
from client.session.messages import Message
from client.session.router import Router
from client.session.seats import Beginning, LocalSeats
from client.session.setup_rules import NO_SETUP_RULES, LocalPlayer
from client.session.work import Behind, Input
from client.storage.home import Home
from client.storage.resume_record import ResumeRecord
from crypto.identity import Identity
from p2p.net.events import Event, LinkDown, LinkUp, Received
from p2p.table.lobby import Draft, Endpoint, SeatRequest, request_of
from p2p.table.phase import Phase
from p2p.table.spectating import WatchRequest
from p2p.table.terms import Terms
from tests.ring import identities, terms_for
from tests.standin import seeded, standin_group

NONCES = (b"o" * 16, b"t" * 16)
"""Of every link here: ours and the other side's."""


def signed_by(terms: Terms, who: Sequence[Identity]) -> ResumeRecord:
    """Return a match that all have signed."""
    return ResumeRecord(terms, tuple(terms.sign(one) for one in who), {}, (), 0)


def received(peer: bytes, value: Any) -> Received:
    return Received(peer, value, NONCES)


class Network:
    """Stands for a mesh: it notes what is sent, and brings what a test says."""

    port = 4000

    def __init__(self) -> None:
        self.up: set[bytes] = set()
        self.sent: list[tuple[bytes, Any]] = []
        self.unread: dict[bytes, int] = {}
        """How many bytes wait for a peer."""
        self.dropped: dict[bytes, str] = {}
        self._in, self.events = trio.open_memory_channel[Event](1000)

    def links(self) -> dict[bytes, Any]:
        facts = {"address": ("192.0.2.1", 4000), "nonces": NONCES}
        return {
            peer: type("Link", (), {**facts, "unread": self.unread.get(peer, 0)})
            for peer in self.up
        }

    def send(self, peer: bytes, value: Any) -> bool:
        self.sent.append((peer, value))
        return True

    def broadcast(self, value: Any, skip: set[bytes]) -> None:
        self.sent += [(peer, value) for peer in sorted(self.up) if peer not in skip]

    def drop(self, peer: bytes, reason: str) -> None:
        self.dropped[peer] = reason

    def keep(self, peer: bytes, addresses: Any) -> None:
        pass

    def forget(self, peer: bytes) -> None:
        pass

    def bring(self, *events: Event) -> None:
        for event in events:
            self.up |= {event.peer} if isinstance(event, LinkUp) else set()
            self.up -= {event.peer} if isinstance(event, LinkDown) else set()
            self._in.send_nowait(event)


class Session:
    """A player's links in a match of two, and the peers that come over them."""

    def __init__(self, folder: Any, *, spectators: bool = True) -> None:
        self.network = Network()
        self.told: list[Message] = []
        self.who = identities(2)
        self.other = self.who[1].id
        random = Random(1)
        local_players = [LocalPlayer(SeatRequest(self.who[0], "nick0", random.randbytes))]
        self.inputs = Inputs()
        self.earlier = EarlierMatches(Home(folder))
        self.router = Router(
            self.network,  # type: ignore[arg-type] # it stands for a mesh
            local_players,
            NO_SETUP_RULES,
            self.inputs,
            self.earlier,
            self.told.append,
            signed=Mock(),
            changed=Mock(),
        )
        self.folder, self.spectators = folder, spectators
        self.terms = replace(terms_for("escoba", 2), spectators=spectators)
        self.signatures = [self.terms.sign(one) for one in self.who]
        self.local_seats: LocalSeats | None = None

    def open(self, secret: bytes = b"", *, private: bool = False) -> None:
        """Open the table; the other has not come yet."""
        facts = {
            "rules": self.terms.rules,
            "options": self.terms.options,
            "limit": 60,
            "spectators": self.spectators,
            "private": private,
        }
        self.router.setup.open(Draft("mine", "escoba", seats=(None, None), **facts), secret)

    def agree(self, *, private: bool = False) -> None:
        """Complete the agreement: all seats have signed."""
        own = request_of(self.terms.participants[0], self.who[0], Random(1).randbytes)
        agreement = signed_by(self.terms, self.who).agreement([own])
        nodes = [Endpoint(self.other, 4000, ("192.0.2.1",))]
        self.router.setup.return_to(agreement, nodes, private=private)

    def begin(self, *, private: bool = False) -> None:
        """Let the match begin."""
        self.agree(private=private)
        seats = {0: self.who[0]}
        context = Context(Home(self.folder), entropy=seeded(1))
        self.local_seats = LocalSeats(
            context, signed_by(self.terms, self.who), seats, {}, Beginning(group=standin_group())
        )
        self.router.sit_down(self.local_seats)

    def come_back(self) -> None:
        """Go back into the match, in which nothing is said until others have been heard."""
        self.begin()
        assert self.local_seats is not None
        self.local_seats.table.enter(Phase.LISTENING)
        self.router.sit_down(self.local_seats)

    def asks(self, peer: bytes, ask: WatchRequest | None = None) -> None:
        self.network.bring(
            LinkUp(peer, b"", ("192.0.2.9", 0)), received(peer, (ask or WatchRequest()).message())
        )

    async def follow(self) -> None:
        """Take in all that was brought."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.router.follow, self.network)  # type: ignore[arg-type] # it stands for a mesh
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

    def heard(self, peer: bytes) -> list[Any]:
        return [value for to, value in self.network.sent if to == peer]

    def refusals(self, peer: bytes) -> list[str]:
        return [
            value["why"]
            for value in self.heard(peer)
            if isinstance(value, dict) and value["t"] == "refuse"
        ]

    def brought(self, kind: type[Input] = Behind) -> list[Any]:
        """Return what of a kind has come for the tables."""
        return [item for item in self.inputs.take_waiting() if isinstance(item, kind)]
