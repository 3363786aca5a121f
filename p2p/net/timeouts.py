"""Timeouts and limits of the network: all durations in one frozen record, amounts in another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Durations, in seconds. Only tests use others."""

    heartbeat_s: float = 2.0
    """An idle link sends a heartbeat after so long."""
    away_s: float = 6.0
    """After so long without a byte the other side is away and the link is given up."""
    certificate_s: float = 3.0
    """The certificate in clear: a few hundred bytes, so a peer that needs longer is not honest."""
    handshake_s: float = 10.0
    """From the connection to WELCOME, all told."""
    connect_s: float = 5.0
    """One address, from the first packet to the connection."""
    attempt_s: float = 3.0
    """One try at a peer we keep a link to; the next is near."""
    stagger_s: float = 0.25
    """The next address is tried along when the ones before have not answered for so long."""
    redial_s: float = 0.3
    redial_most_s: float = 1.0
    """Between two tries at a kept peer: this much at first, at most that much."""
    courtesy_s: float = 0.1
    """The larger id dials a kept peer this much later: the link that the smaller id dials is the
    one that stays."""
    settle_s: float = 3.0
    """Two links in opposite directions within so long were dialled at once; later the newer one is
    a come-back."""
    flush_s: float = 2.0
    """Time for the send queue of a link that closes."""
    ban_s: float = 60.0
    """A peer that has flooded us is not let in again for so long."""
    interfaces_s: float = 1.0
    """How often the machine's addresses are looked at again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Amounts. A peer over them is slowed down, then left."""

    handshakes: int = 32
    """Connections at a time that have not yet proven who they are."""
    links: int = 64
    """Links at a time to strangers; those to peers that we keep, and those that we have dialled,
    come on top."""
    queue_bytes: int = 8 * 1024 * 1024
    """Bytes waiting to be sent on one link; with more the other side is too slow for us. A whole
    match's log fits."""
    rate: float = 2000.0
    """Units per second that a link may bring; a message is one unit, and one more for each KiB."""
    burst: float = 8000.0
    """Units that it may bring at once after a quiet time."""
    stranger_rate: float = 20.0
    stranger_burst: float = 200.0
    """The same for a peer that we do not keep a link to: it looks at a table, and sits down."""
    patience_s: float = 10.0
    """Seconds that a link may go on at the limit before it is left."""


TIMEOUTS = Timeouts()
LIMITS = Limits()
