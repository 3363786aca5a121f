"""The resume record of the match that we have signed.

It is on disk before we send our signature, so that a crash loses no seat.

The other peers may begin as soon as they have our signature. The record of a match that never
begins is deleted.
"""

from __future__ import annotations

from client.session.context import Context
from client.session.router import Links
from client.storage.resume_record import ResumeRecord
from p2p.table.lobby import Agreement


class ResumePoint:
    """The file of the match that we have last signed; there is one at a time."""

    def __init__(self, context: Context, links: Links) -> None:
        self.present: ResumeRecord | None = None
        """The record on disk."""
        self._context, self._links = context, links

    def take_up(self, resume_record: ResumeRecord) -> None:
        """Go on from this record."""
        self.present = resume_record

    def put(self, agreement: Agreement) -> None:
        """Save the record of a signed agreement, and delete the record before it. StoreError."""
        now = self.of(agreement)
        now.save(self._context.home)
        before, self.present = self.present, now
        if before is not None and before.name != now.name:
            before.forget(self._context.home)

    def take_out(self) -> None:
        """Delete the record: the match was cancelled. StoreError."""
        if self.present is not None:
            self.present.forget(self._context.home)
            self.present = None

    def of(self, agreement: Agreement) -> ResumeRecord:
        """Return the record that leads back into a match."""
        terms, own, links = agreement.terms, self._context.identity, self._links
        keys = {
            seat_request.identity.public: seat_request.identity
            for seat_request in links.setup.seat_requests
        }
        ours = {
            seat: keys[place.public]
            for seat, place in enumerate(terms.participants)
            if place.public in keys
        }
        seeds = {seat: b"" if who == own else who.seed for seat, who in ours.items()}
        named = {
            one.seat_request.identity.public: one.character
            for one in links.setup.local_players
            if one.character
        }
        characters = {seat: named[who.public] for seat, who in ours.items() if who.public in named}
        signatures = tuple(
            agreement.signatures.get(seat, b"") for seat in range(len(terms.participants))
        )
        port = links.mesh.port if links.mesh is not None else 0
        nodes = links.nodes_reached()
        return ResumeRecord(
            terms, signatures, seeds, nodes, port, characters, self._host_of(terms.match)
        )

    def _host_of(self, match: bytes) -> bytes:
        """Return the peer that opened the table; after a resume only the record knows it."""
        before = self.present
        known = before.host if before is not None and before.terms.match == match else b""
        return self._links.setup.host_peer or known
