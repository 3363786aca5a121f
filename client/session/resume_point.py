"""The resume record of the match that we signed.

It is on disk before we send our signature, so that a crash loses no seat. A worker thread writes
and syncs it, while the links and the screen continue. The other peers may begin as soon as they
have our signature. The record of a match that never begins is deleted.
"""

from __future__ import annotations

from dataclasses import replace

import trio

from client.session.context import Context
from client.session.router import Router
from client.session.setup_rules import seated_at
from client.storage.deletion import delete_match
from client.storage.resume_record import ResumeRecord
from p2p.table.lobby import Agreement


class ResumePoint:
    """The resume record of the match that we last signed; there is one at a time."""

    def __init__(self, context: Context, router: Router) -> None:
        self.present: ResumeRecord | None = None
        """The record on disk."""
        self._context, self._router = context, router
        self._next: Agreement | None = None
        """The signed agreement whose record is not on disk yet."""
        self._asked = trio.Event()
        """Set when there is one; then it is replaced."""

    def put(self, agreement: Agreement) -> None:
        """Let `keep` save the record of a signed agreement; of several, the newest."""
        self._next = agreement
        self._asked.set()

    async def keep(self) -> None:
        """Save the record of each signed agreement, then let the links send our signatures.

        The record before it is deleted. A match without a mesh has no record: nobody else can wait
        for us. Runs until cancelled. Raises StoreError.
        """
        while True:
            await self._asked.wait()
            self._asked, agreement, self._next = trio.Event(), self._next, None
            assert agreement is not None, "asked for"
            if self._router.mesh is not None:
                with trio.CancelScope(shield=True):
                    await self._save(self.of(agreement))
            await trio.lowlevel.checkpoint_if_cancelled()  # then we are bound to nothing
            self._router.saved(agreement)

    async def _save(self, now: ResumeRecord) -> None:
        before, home = self.present, self._context.home
        await trio.to_thread.run_sync(now.save, home)
        self.present = now
        if before is not None and before.name != now.name:
            await trio.to_thread.run_sync(before.forget, home)

    async def take_out(self) -> None:
        """Delete the record and all files of a cancelled match. Raises StoreError."""
        if self.present is not None:
            record, home = self.present, self._context.home
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(record.forget, home)
                await trio.to_thread.run_sync(delete_match, home, record.name)
            self.present = None

    def of(self, agreement: Agreement) -> ResumeRecord:
        """Return the record that leads back into a match."""
        terms, own, router = agreement.terms, self._context.identity, self._router
        ours = seated_at(terms, router.setup.local_players)
        keys = {seat: one.seat_request.identity for seat, one in ours.items()}
        seeds = {seat: b"" if who == own else who.seed for seat, who in keys.items()}
        characters = {seat: one.character for seat, one in ours.items() if one.character}
        signatures = tuple(
            agreement.signatures.get(seat, b"") for seat in range(len(terms.participants))
        )
        port = router.mesh.port if router.mesh is not None else 0
        nodes = router.nodes_reached()
        before = self.present
        known = before if before is not None and before.terms.match == terms.match else None
        # after a resume, only the record knows the host
        host = self._router.setup.host_peer or (known.host if known is not None else b"")
        broken_off_by = known.broken_off_by if known is not None else b""
        return ResumeRecord(
            terms,
            signatures,
            seeds,
            nodes,
            port,
            characters=characters,
            host=host,
            private=router.setup.private,
            broken_off_by=broken_off_by,
        )

    async def break_off(self) -> None:
        """Save who left first, at the end of a session in an unfinished two-player match.

        A player who took no part in this session changes nothing. The rest of the record stays: it
        says where absent players can be dialled. Raises StoreError.
        """
        record, presence = self.present, self._router.presence
        if record is None:
            return
        other = record.opponent
        if other in presence.took_part:
            away = other in presence.missing or other in presence.at_other_tables
            record = replace(record, broken_off_by=other if away else b"")
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(record.save, self._context.home)
