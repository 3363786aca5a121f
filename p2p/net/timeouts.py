"""The timeouts and limits of the network."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Durations in seconds. Only tests use others."""

    heartbeat_s: float = 2.0
    """An idle link sends a heartbeat after this time."""
    away_s: float = 6.0
    """After this time without a byte the peer is away, and the link is given up."""
    certificate_s: float = 3.0
    """For the certificate in clear, a few hundred bytes."""
    handshake_s: float = 10.0
    """From the connection to WELCOME."""
    connect_s: float = 5.0
    """For the TCP connection to one address."""
    attempt_s: float = 3.0
    """For one attempt to dial a kept peer."""
    stagger_s: float = 0.25
    """If an address has not answered after this time, the next is dialled too."""
    redial_s: float = 0.3
    redial_most_s: float = 1.0
    """The pause between two attempts at a kept peer: at first, and at most."""
    courtesy_s: float = 0.1
    """The larger id dials a kept peer later by this time, since the link that the smaller id dials
    stays."""
    settle_s: float = 3.0
    """Two links in opposite directions within this time were dialled at once; after it, the newer
    one replaces a lost one."""
    flush_s: float = 2.0
    """For the send queue of a link that closes."""
    ban_s: float = 60.0
    """A peer that flooded us is refused for this time."""
    interfaces_s: float = 1.0
    """Between two checks of the machine's addresses."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Amounts. A peer over them is slowed down, then dropped."""

    handshakes: int = 32
    """The most connections at a time without a proven identity."""
    links: int = 64
    """The most links at a time to strangers, besides the links that we keep or dialled."""
    queue_bytes: int = 8 * 1024 * 1024
    """The most bytes queued on one link; with more, the peer is too slow for us. The log of a whole
    match fits."""
    rate: float = 2000.0
    """Units per second that a link may bring: one for each message, and one for each KiB."""
    burst: float = 8000.0
    """Units that it may bring at once after a quiet time."""
    stranger_rate: float = 20.0
    stranger_burst: float = 200.0
    """The same for a stranger, who looks at a table or joins it."""
    patience_s: float = 10.0
    """Seconds that a link may stay at the limit before it is dropped."""


TIMEOUTS = Timeouts()
LIMITS = Limits()
