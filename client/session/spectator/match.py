"""One match as a spectator: its tasks, which ask one player after another for its entries."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import trio

from client.i18n.translation import _
from client.session.containment import BROKEN, notice_or_raise, written
from client.session.context import Context
from client.session.host_link import HostLink
from client.session.lobby_message import lobby_message
from client.session.messages import Message, Notice, Seated, Stored
from client.session.patience import ANSWER_TIMEOUT_S, ASK_S, SEALS_TIMEOUT_S
from client.session.presence import Presence
from client.session.refusals import read_refusal
from client.session.seats import AT_ONCE
from client.session.seeking import Seeker
from client.session.spectator.table import SpectatorTable
from client.session.status import NetworkError, UsageError
from client.session.talk import Talk
from client.session.work import news_of, present_deal
from client.storage.resume_record import look_through
from engine.core.moves import Seat
from p2p.net.addresses import Address
from p2p.net.events import Failed, LinkDown, LinkUp, Peer, PeerAway, Received
from p2p.net.mesh import Mesh
from p2p.net.tasks import background
from p2p.table.events import Event
from p2p.table.faults import BadSignature
from p2p.table.lobby import Draft, TableRefused
from p2p.table.phase import Phase
from p2p.table.spectating import WatchedMatch, WatchRequest
from p2p.wire import Malformed

Shown = tuple[Peer, dict[str, Any]]
"""A player, and its message that shows a match."""
RETRY_S = 1.5
"""Seconds after which a busy player is asked again."""
NO_LINK_TIMEOUT_S = 60.0
"""Seconds without a link to any player before we stop."""
FIRST_LINK_S = 5.0
"""Seconds for links to all players once a match is shown."""
QUIET_S = 1.0
"""Seconds without a new entry after which we have caught up."""
MAX_WAITING_ENTRIES = 4096
"""The most entries that wait for verification; then the link waits too."""


class SpectatorSession:
    """One match as a spectator, from the first request to the end.

    `tell` takes the messages for the user interface.
    """

    def __init__(
        self, context: Context, mesh: Mesh, tell: Callable[[Message], None], secret: bytes = b""
    ) -> None:
        """Watch at a private table with the `secret` of its invite."""
        self.spectator_table: SpectatorTable | None = None
        self._context, self._mesh, self._secret = context, mesh, secret
        self._tell = tell
        self._players: dict[Peer, None] = {}
        """The known players, who can show us the match; the first asked is the first."""
        self._unfit: set[Peer] = set()
        """Players that refuse, or that showed a forged entry."""
        self._presence = Presence(mesh.links())
        self._host_link = HostLink(trio.current_time, self._tell)
        """Our link to the player that we ask, until it has shown us the match."""
        self._source: Peer | None = None
        """The player that shows us the match now."""
        self._shown_at = math.inf
        self._answered = False
        self._alone_s = 0.0
        """Seconds without a link to any player, not counting those in which this program was
        suspended."""
        self._asked_at = -math.inf
        self._busy = False
        """Whether the player was busy."""
        self._point = b""
        """Where the table waited at the last check."""
        self._entries_in, self._entries = trio.open_memory_channel[tuple[Peer, bytes]](
            MAX_WAITING_ENTRIES
        )
        self._next: tuple[Peer, bytes] | None = None
        """An entry that was received, but not processed with those before it."""
        self._target = 0
        """The number of steps when we came."""
        self._missed: list[Event] = []
        """Events from before we came, until all of them are here."""
        self._caught_up = False
        self._done = trio.Event()
        self._talk = Talk(tell)

    async def run(
        self, peer: Peer, seeker: Seeker | None = None, shown: dict[str, Any] | None = None
    ) -> bool:
        """Watch the match of a linked player; return whether all have sealed it.

        The player may have `shown` the match already. Raises StoreError; TableRefused if no player
        shows us a match; NetworkError if no player can be reached any more.
        """
        self.keep(peer)  # Before the first request: links that are not kept have a low rate limit.
        try:
            async with background() as nursery:
                if shown is not None:
                    self._source, self._asked_at = peer, trio.current_time()
                    with self._judging(peer):
                        await self._handle(shown)
                nursery.start_soon(self._listen)
                nursery.start_soon(self._verify_entries)
                nursery.start_soon(self._mind)
                if seeker is not None:
                    nursery.start_soon(seeker.run, self._presence, self._mesh)
                await self._done.wait()
        finally:
            if self.spectator_table is not None:
                with trio.CancelScope(shield=True):  # all verified entries must reach the disk
                    await trio.to_thread.run_sync(self.spectator_table.close)
        assert self.spectator_table is not None
        self._tell(Stored(str(self.spectator_table.files.log), self.spectator_table.table.sealed))
        return self.spectator_table.table.sealed

    async def next_match(self) -> Shown:
        """Wait after the match until a player shows us the next one; return its message.

        Show the players' talk meanwhile. TableRefused if every player refused, or showed a forged
        match.
        """
        self._source = None
        async for event in self._mesh.events:
            match event:
                case Received(peer, {"t": "say"} as message):
                    self._hear(peer, message)
                case Received(peer, {"t": "match" | "refuse"} as message) if (
                    self._seat_of(peer) is not None
                ):
                    with self._judging(peer):
                        if self._shows_another_match(message):
                            return peer, message
        raise AssertionError("the mesh outlasts its sessions")

    def release(self) -> None:
        """Stop keeping links to the players; those of the next match are kept again."""
        for peer in self._players:
            self._mesh.forget(peer)

    def _shows_another_match(self, message: dict[str, Any]) -> bool:
        """Return whether a message shows a match after ours. Raises TableRefused or Malformed."""
        assert self.spectator_table is not None
        if message["t"] == "match":
            return WatchedMatch.read(message).terms.match != self.spectator_table.match
        if message.get("why") == "no-spectators":
            raise TableRefused("no-spectators")
        return False

    async def _listen(self) -> None:
        async for event in self._mesh.events:
            if isinstance(event, LinkUp):
                self._presence.up(event.peer)
                self._tell_presence(self._presence.spoke(event.peer))
                self._ask_for_talk(event.peer)
            elif isinstance(event, LinkDown):
                self._tell_presence(self._presence.down(event.peer))
            match event:
                case Failed():
                    self._tell(written(self._context.home))
                case Received(peer, {"t": "say"} as message):
                    self._hear(peer, message)
                case LinkUp(peer) if peer in self._players and self._source in (None, peer):
                    self._ask(peer)
                case LinkDown(peer, reason) if peer == self._source:
                    if self.spectator_table is None:
                        self._host_link.down(reason)
                    self._turn_to_another()
                case PeerAway(peer, why) if peer in self._players and self.spectator_table is None:
                    self._host_link.away(why)
                case Received(peer, bytes() as data) if peer == self._source:
                    await self._entries_in.send((peer, data))
                case Received(peer, dict() as message) if peer == self._source:
                    with self._judging(peer):
                        await self._handle(message)

    def _ask_for_talk(self, peer: Peer) -> None:
        """Ask a player of our match for its own talk: it could invent the talk of others."""
        if self.spectator_table is not None and self._seat_of(peer) is not None:
            self._mesh.send(peer, {"t": "listen", "match": self.spectator_table.match})

    def _seat_of(self, peer: Peer) -> Seat | None:
        places = self.spectator_table.terms.participants if self.spectator_table is not None else ()
        return next((seat for seat, place in enumerate(places) if place.id == peer), None)

    def _hear(self, peer: Peer, message: dict[str, Any]) -> None:
        """Show the talk of a player, as players do."""
        try:
            self._talk.hear(peer, self._seat_of(peer), message, trio.current_time())
        except Malformed as error:
            self._mesh.drop(peer, str(error))

    def keep(self, peer: Peer, addresses: Sequence[Address] = ()) -> None:
        """Hold a link to a player, who can show us the match."""
        self._players[peer] = None
        self._presence.keep(peer)
        self._mesh.keep(peer, addresses)

    def _ask(self, peer: Peer) -> None:
        self._source = peer
        self._answered = False
        self._busy = False
        self._asked_at = trio.current_time()
        table = self.spectator_table
        if table is None:
            self._host_link.ask()
        ask = table.ask() if table is not None else WatchRequest(secret=self._secret)
        self._mesh.send(peer, ask.message())

    def _turn_to_another(self) -> None:
        """Ask another player to show us the match; without any link, the first one that returns."""
        before, self._source = self._source, None
        links = self._mesh.links()
        ready = [
            peer
            for peer in self._players
            if peer in links and peer not in self._unfit and peer != before
        ]
        if ready:
            self._ask(ready[0])

    @contextmanager
    def _judging(self, peer: Peer) -> Iterator[None]:
        """Reject a player that refuses or that shows something forged.

        TableRefused if no other player is known.
        """
        try:
            yield
        except (Malformed, BadSignature) as error:
            self._mesh.forget(peer)
            self._mesh.drop(peer, str(error))
            self._turn_from(peer, TableRefused("spoiled"))
        except TableRefused as refused:
            self._turn_from(peer, refused)
        except Exception as error:  # noqa: BLE001 -- an error of ours costs one link
            self._tell(notice_or_raise(self._context.home, error, peer))
            self._mesh.drop(peer, BROKEN)
            self._turn_from(peer, TableRefused("spoiled"))

    def _turn_from(self, peer: Peer, refused: TableRefused) -> None:
        self._unfit.add(peer)
        self._presence.forget(peer)
        if self.spectator_table is None or not self._players.keys() - self._unfit:
            raise refused
        if peer == self._source:
            self._turn_to_another()

    async def _handle(self, message: dict[str, object]) -> None:
        self._answered = True
        match message.get("t"):
            case "table" if self.spectator_table is None:
                self._tell_of(Draft.read(message))
            case "match":
                await self._sit_down(WatchedMatch.read(message))
            case "refuse" if message.get("why") == "busy":
                self._busy = True
            case "refuse":
                raise read_refusal(message, invited=bool(self._secret))

    def _tell_of(self, draft: Draft) -> None:
        if not draft.spectators:
            raise TableRefused("no-spectators")
        self._tell(lobby_message(draft, (), hosting=False, held=False))
        self._tell(Notice("watch-waits", about=self._source or b""))

    async def _sit_down(self, shown: WatchedMatch) -> None:
        """Open the match that is shown, and keep links to its players.

        Then others can show the rest if this player goes.
        """
        if self.spectator_table is not None:
            if shown.terms.match != self.spectator_table.match:
                raise Malformed("another match than before")
            return
        self.spectator_table = await trio.to_thread.run_sync(self._table_of, shown)
        self._target, self._missed = shown.steps, self.spectator_table.before
        places = {place.id for place in shown.terms.participants} - {self._context.identity.id}
        for node in shown.endpoints:
            if node.id in places:
                self.keep(node.id, [(host, node.port) for host in node.addresses])
        self._tell(Seated(shown.terms, None, self.spectator_table.match.hex()))
        self._shown_at = trio.current_time()
        wait = self.spectator_table.wait
        self._tell_presence(self._presence.begin(shown.terms, None, (), wait))
        for peer in self._mesh.links():
            self._ask_for_talk(peer)

    def _table_of(self, shown: WatchedMatch) -> SpectatorTable:
        """Return the table of a match, in a worker thread.

        Raises StoreError, or UsageError if we have a seat in the match.
        """
        # a match of ours with a damaged record may be watched: there is no other way to it
        ours, _damaged = look_through(self._context.home)
        if any(one.terms.match == shown.terms.match for one in ours):
            raise UsageError(
                _("you have a seat in that match yourself: return to it with `sobremesa resume`")
            )
        return SpectatorTable(shown, self._context.home)

    async def _verify_entries(self) -> None:
        while True:
            with trio.move_on_after(math.inf if self._caught_up else QUIET_S) as quiet:
                peer, batch = await self._receive()
            if self.spectator_table is None:
                continue  # entries before the match is named
            if quiet.cancelled_caught:
                self._target = 0  # nothing came for `QUIET_S`: stop waiting for the announced steps
                self._tell_events([])
                continue
            with self._judging(peer):
                try:
                    await self._verify(batch)
                except (Malformed, BadSignature):
                    await self._verify([])  # the entries before the forged one
                    raise

    async def _verify(self, entries: list[bytes]) -> None:
        assert self.spectator_table is not None
        events = await trio.to_thread.run_sync(self.spectator_table.verify, entries)
        self._presence.note(self.spectator_table.wait)
        self._tell_events(events)

    async def _receive(self) -> tuple[Peer, list[bytes]]:
        """Wait for entries; return a player and entries that only it sent."""
        peer, data = self._next or await self._entries.receive()
        batch, self._next = [data], None
        while self._entries.statistics().current_buffer_used and len(batch) < AT_ONCE:
            sender, data = self._entries.receive_nowait()
            if sender != peer:
                self._next = sender, data
                break
            batch.append(data)
        return peer, batch

    def _tell_events(self, events: list[Event]) -> None:
        """Report the events; of those before we came, only the present deal."""
        assert self.spectator_table is not None
        table, earlier = self.spectator_table.table, 0
        if missed := not self._caught_up:
            self._missed += events
            if table.steps < self._target and not table.over:
                return
            self._caught_up, events = True, self._missed
            earlier = present_deal(events)
        for news in news_of(table, events, earlier, repeated=missed):
            self._tell(news)
        for notice, path in self.spectator_table.reports:
            self._tell(Notice(notice, {"path": path}))
        self.spectator_table.reports.clear()
        if table.sealed or table.phase is Phase.DIVERGED:
            self._done.set()

    def _tell_presence(self, messages: Sequence[Message]) -> None:
        """Tell our player, until the match is over, which players have no link to us."""
        if self.spectator_table is not None and not self.spectator_table.wait.done:
            for message in messages:
                self._tell(message)

    async def _mind(self) -> None:
        """Keep asking for entries while a player can show them."""
        while True:
            await trio.sleep(QUIET_S)
            now = trio.current_time()
            if now - self._shown_at >= FIRST_LINK_S:
                self._tell_presence(self._presence.give_up())
            linked = self._players.keys() & self._mesh.links().keys()
            self._alone_s = 0.0 if linked else self._alone_s + QUIET_S
            if (
                self.spectator_table is not None
                and self.spectator_table.wait.done
                and self._alone_s > SEALS_TIMEOUT_S
            ):
                self._done.set()
            if self._alone_s > NO_LINK_TIMEOUT_S:
                raise NetworkError(_("no player of that match can be reached any more"))
            if self.spectator_table is None:
                self._host_link.check(ANSWER_TIMEOUT_S, answered=self._answered)
            if self._source is None:
                continue
            if not self._answered and now - self._asked_at > ANSWER_TIMEOUT_S:
                self._turn_to_another()
            elif self._busy and now - self._asked_at > RETRY_S:
                self._ask(self._source)
            elif self._answered and self.spectator_table is not None:
                self._ask_for_more(self._source, self.spectator_table, now)

    def _ask_for_more(self, source: Peer, spectator_table: SpectatorTable, now: float) -> None:
        """Ask for the entries that our table lacks, if it still waits."""
        need, before = spectator_table.wait.need, self._point
        self._point = need.point
        if need.seats and need.point == before and now - self._asked_at >= ASK_S:
            self._asked_at = now
            self._mesh.send(source, need.message(spectator_table.match))
