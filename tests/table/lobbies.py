"""Tables that fill, for tests: drafts, guests, and messages of any kind."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from crypto.identity import Identity
from engine.games.escoba.rules import Escoba
from p2p.table.admission import Newcomer, Visit
from p2p.table.host import Host
from p2p.table.lobby import (
    Draft,
    SeatRequest,
    sit_message,
)
from p2p.table.terms import COMPUTER, Terms, vouch
from p2p.wire import pack, unpack

OPTIONS = {
    "target": 1,
    "capture": "hand",
    "leftovers": "capture",
    "all_replaces": False,
    "teams": False,
    "leaving": "go-on",
    "first_table": "dealer",
}
NOW = 1_000_000
IDENTITIES = [Identity.from_seed(bytes([number]) * 32) for number in range(1, 7)]


def seat_request(number: int, **changes) -> SeatRequest:
    return SeatRequest(IDENTITIES[number], f"nick{number}", Random(number).randbytes, **changes)


def computer_of(owner: int, number: int) -> SeatRequest:
    """Return the request of a computer player with the key `number`, vouched for by its owner."""
    machine, key = IDENTITIES[owner], IDENTITIES[number].public
    voucher = vouch(machine, key)
    return seat_request(number, kind=COMPUTER, machine=machine.public, voucher=voucher)


def draft(seats: int = 3, **changes) -> Draft:
    facts = {
        "table": "mine",
        "game": "escoba",
        "rules": Escoba.version,
        "options": OPTIONS,
        "limit": 60,
        "spectators": False,
    }
    return Draft(**{**facts, "seats": (None,) * seats, **changes})


def host(seats: int = 3, secret: bytes = b"", **changes) -> Host:
    return Host(draft(seats, **changes), [seat_request(0)], secret)


def newcomer(number: int, port: int = 4000) -> Newcomer:
    """Return a peer over the link that this test says it has: its nonces are made from its
    number."""
    return Newcomer(
        IDENTITIES[number].id,
        "192.0.2.1",
        port,
        f"192.0.2.{number}",
        (b"o" * 16, bytes([number]) * 16),
    )


def visit_of(guest: Newcomer, table: Host) -> Visit:
    return Visit(table.draft.table, table.seat_requests[0].identity.id, guest.peer, *guest.nonces)


def sit_message_of(
    guest: Newcomer, seat_requests: list[SeatRequest], table: Host, secret: bytes = b""
) -> dict:
    """Return the message by which a guest asks for these seats over its link."""
    return wired(sit_message(seat_requests, secret, visit_of(guest, table)))


def sit(
    table: Host, guest: SeatRequest, secret: bytes = b"", *, port: int = 4000, now: int = NOW
) -> bool:
    """Let the peer with the key of a request sit down; return whether anything changed."""
    peer = newcomer(IDENTITIES.index(guest.identity), port)
    return table.sit(peer, sit_message_of(peer, [guest], table, secret), now) is not None


def wired(message: dict) -> dict:
    """Return a message as it comes out at the other end of a link."""
    return unpack(pack(message), 65536)


def terms_message(terms: Terms, endpoints: list | None = None) -> dict:
    return {"t": "terms", "terms": terms.encode(), "nodes": endpoints or []}


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text(max_size=70)
    | st.binary(max_size=70)
    | st.sampled_from(
        [
            bytes(32),
            bytes(16),
            bytes(64),
            0,
            1,
            "escoba",
            "look",
            "sit",
            "table",
            "terms",
            "sign",
            "stand",
            "refuse",
        ]
    ),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def messages(*good: dict):
    """Return a strategy for messages that are nearly good, or not at all."""

    def spoiled(message: dict):
        keys = st.sampled_from(sorted(message))
        replaced = st.builds(lambda key, value: {**message, key: value}, keys, VALUES)
        lacking = keys.map(
            lambda key: {name: value for name, value in message.items() if name != key}
        )
        return replaced | lacking | st.just(message)

    return st.one_of(*map(spoiled, good)) | st.dictionaries(st.text(max_size=8), VALUES, max_size=4)
