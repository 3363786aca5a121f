"""Spectating, sans I/O: a spectator's request, and the player's reply before the entries.

spectator -> player {"t": "watch", match, steps, head, secret}  I have these steps: show the rest
player -> spectator {"t": "table", ...}                 while the table fills; then the match
player -> spectator {"t": "match", terms, signatures, nodes, steps}  then each later entry
player -> spectator {"t": "refuse", why}
spectator -> player {"t": "listen", match}              send me your talk, not the match
spectator -> player {"t": "say", text, phrase}
"""

from __future__ import annotations

from dataclasses import dataclass, field

from crypto.errors import CryptoError
from engine.core.options import BadOption
from p2p.table.hashing import HASH
from p2p.table.lobby import (
    Endpoint,
    Message,
    TableRefused,
    encode_endpoints,
    of_participants,
    read_endpoints,
    require_ours,
)
from p2p.table.need import Need
from p2p.table.terms import Terms
from p2p.wire import Malformed, shape


@dataclass(frozen=True)
class WatchRequest:
    """A spectator's request: the match's id, the number of its steps, and the head after them.

    The id is empty if the spectator knows none yet.
    """

    match: bytes = b""
    steps: int = 0
    head: bytes = bytes(HASH)
    secret: bytes = field(default=b"", repr=False)
    """The secret of an invite. A peer that names the match has seen it, and needs none."""

    @property
    def need(self) -> Need:
        """The need of the spectator: everything after its steps."""
        return Need(self.steps, (self.head,))

    def message(self) -> Message:
        """Return the spectator's message."""
        facts = {"match": self.match, "steps": self.steps, "head": self.head}
        return {"t": "watch", **facts, "secret": self.secret}

    @staticmethod
    def read(message: Message) -> WatchRequest:
        """Read a spectator's message. Raises Malformed."""
        fields = shape(message, t=str, match=bytes, steps=int, head=bytes, secret=bytes)
        if (
            len(fields["match"]) not in (0, HASH)
            or len(fields["head"]) != HASH
            or fields["steps"] < 0
        ):
            raise Malformed("a spectator names a match, a number of steps and a head")
        return WatchRequest(fields["match"], fields["steps"], fields["head"], fields["secret"])


@dataclass(frozen=True)
class WatchedMatch:
    """A match to watch: its signed terms, its peers' endpoints, and the number of its steps."""

    terms: Terms
    signatures: tuple[bytes, ...]
    endpoints: tuple[Endpoint, ...]
    steps: int

    def message(self) -> Message:
        """Return the player's message."""
        facts = {
            "terms": self.terms.encode(),
            "signatures": list(self.signatures),
            "nodes": encode_endpoints(self.endpoints),
        }
        return {"t": "match", **facts, "steps": self.steps}

    @staticmethod
    def read(message: Message) -> WatchedMatch:
        """Read a player's reply.

        Malformed if the seats have not signed it; TableRefused if spectators, or we, may not watch.
        """
        fields = shape(message, t=str, terms=bytes, signatures=list, nodes=list, steps=int)
        terms, endpoints = Terms.decode(fields["terms"]), read_endpoints(fields["nodes"])
        if (
            any(type(signature) is not bytes for signature in fields["signatures"])
            or fields["steps"] < 0
        ):
            raise Malformed("a match has signatures and a number of steps")
        require_ours(terms.protocol, terms.game, terms.rules)
        try:
            terms.check_game()
            terms.check_signatures(fields["signatures"])
        except CryptoError as error:
            raise Malformed("the terms are not signed by all seats") from error
        except BadOption as error:
            raise TableRefused("bad-option", error=error) from error
        if not terms.spectators:
            raise TableRefused("no-spectators")
        endpoints = of_participants(terms, endpoints)
        return WatchedMatch(terms, tuple(fields["signatures"]), endpoints, fields["steps"])
