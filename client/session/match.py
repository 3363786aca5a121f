"""One match in this process: its tasks.

Links bring bytes, tables turn them into events, and the user interface shows the events. A
`MatchSession` begins in the lobby and continues into the match. A worker thread runs the tables,
one call at a time, so during a match the event loop never proves, verifies or waits for a disk. In
the lobby it does: a few signatures are made and checked, and the resume record is synced, between a
message and its answer. So no other message can change the table in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import trio

from client.session.characters import bot_of
from client.session.computers import Computers, characters_at
from client.session.context import Context
from client.session.earlier_matches import EarlierMatches
from client.session.inputs import Inputs
from client.session.messages import Message, MoveRefused, News, Notice, Seated, Stored
from client.session.patience import (
    ANSWER_TIMEOUT_S,
    SEALS_TIMEOUT_S,
    SLOW_SHUFFLE_S,
    ShuffleWatch,
)
from client.session.resume_point import ResumePoint
from client.session.router import Router
from client.session.seats import Beginning, LocalSeats
from client.session.seeking import Seeker
from client.session.setup_rules import NO_SETUP_RULES, LocalPlayer, SetupRules, seated_at
from client.session.talk import TOOK_HINT
from client.session.work import Behind, Chosen, Input, Question, Vote, Work
from client.storage.home import StoreError
from client.storage.resume_record import ResumeRecord
from engine.core.moves import Move, Seat
from engine.core.view import View
from p2p.net.events import Peer
from p2p.net.mesh import Mesh
from p2p.net.tasks import background
from p2p.table.events import Gone
from p2p.table.lobby import Agreement, Draft, TableRefused
from p2p.table.phase import Phase
from p2p.table.table import Table

POLL_S = 1.0
"""Seconds between two checks of the seats that keep the table waiting."""
IDLE_S = 0.05
"""Seconds of idleness after which the next deck is prepared."""


class MatchSession:
    """This process among its peers. `tell` takes every message for the user interface."""

    def __init__(
        self,
        context: Context,
        mesh: Mesh | None,
        local_players: Sequence[LocalPlayer],
        tell: Callable[[Message], None],
        rules: SetupRules = NO_SETUP_RULES,
    ) -> None:
        self.tell = tell
        self._context, self._mesh, self._timed = context, mesh, rules.timed
        self._inputs, self._earlier = Inputs(), EarlierMatches(context.home)
        self.router = Router(
            mesh,
            local_players,
            rules,
            self._inputs,
            self._earlier,
            tell,
            signed=self.signed,
            changed=self.changed,
        )
        self.setup, self._presence = self.router.setup, self.router.presence
        self.resume_point = ResumePoint(context, self.router)
        self.local_seats: LocalSeats | None = None
        self._computers: Computers | None = None
        self._void = False
        """Whether our match was cancelled: all its peers are here, and have not begun it."""
        self._begun = trio.Event()
        self._seated = trio.Event()
        self._done = trio.Event()
        self._failed: Exception | None = None
        self._came_back = self._departed = False
        self._shuffle = ShuffleWatch()
        self._attention = trio.Event()
        self._attention.set()

    @property
    def waits(self) -> bool:
        """Whether we signed for a match that was not cancelled, and `resume` leads to it."""
        no_way = self._came_back and isinstance(self._failed, StoreError)
        return self.resume_point.present is not None and not no_way

    async def host(
        self, draft: Draft, secret: bytes = b"", wishes: Mapping[bytes, Seat] | None = None
    ) -> Table:
        """Open a table, fill it, play; return our table as it was at the end.

        Our own players get the first seats; `wishes` are seats by public key.
        """
        return await self._run(lambda: self.setup.open(draft, secret, wishes))

    async def join(self, peer: Peer, secret: bytes = b"", *, again: bool = False) -> Table:
        """Take a seat at the table of a linked peer, and play.

        With `again` the link is left from the last match, and no event reports it again. Raises
        TableRefused.
        """
        return await self._run(lambda: self.setup.seek(peer, secret, linked=again))

    async def resume(self, resume_record: ResumeRecord) -> Table:
        """Resume an interrupted match, and play on.

        StoreError if the files on disk do not allow it.
        """
        self._came_back = True
        agreement = resume_record.agreement(self.setup.seat_requests)
        self.resume_point.present = resume_record
        nodes, private = resume_record.nodes, resume_record.private
        return await self._run(lambda: self.setup.return_to(agreement, nodes, private=private))

    async def linger(self) -> None:
        """After the match, follow the links and give peers missing entries, until cancelled."""
        async with trio.open_nursery() as nursery:
            if self._mesh is not None:
                nursery.start_soon(self._follow_links, self._mesh)
            while True:
                for item in await self._inputs.take():
                    if (
                        isinstance(item, Behind)
                        and self.local_seats is not None
                        and self.local_seats.answer(item, self.router.post)
                    ):
                        self.router.send_shown(item.peer)

    async def _mind_the_lobby(self) -> None:
        """Enforce the timeouts of the lobby: a host must show its table, and guests must sign."""
        if self._came_back:
            await self._wait_for_signatures()
            return
        while not await self._begins_within(POLL_S):
            try:
                self.setup.mind_host(ANSWER_TIMEOUT_S)
            except TableRefused as refused:
                self._fail(refused)
            self.setup.free_late(ANSWER_TIMEOUT_S)

    async def _wait_for_signatures(self) -> None:
        """Wait for missing signatures after a resume; cancel the match if all peers are here."""
        since, told = trio.current_time(), frozenset[Peer]()
        while trio.current_time() - since < ANSWER_TIMEOUT_S:
            if await self._begins_within(POLL_S):
                return  # the match has begun: a Lobby message would be out of date
            if self._presence.missing:
                since = trio.current_time()
            if told != self._presence.missing:
                told = self._presence.missing
                self.setup.tell_unsigned(told)
        self._fail(TableRefused("never-begun"), void=True)

    async def _begins_within(self, seconds: float) -> bool:
        """Wait at most `seconds` for all signatures; return whether the match begins."""
        with trio.move_on_after(seconds):
            await self._begun.wait()
        return self._begun.is_set()

    def ready(self) -> None:
        """Mark our player as ready: see `TableSetup.held`."""
        self.setup.ready()
        self.changed()

    def check_again(self) -> None:
        """Check the players at our table again, because our player compared words with one."""
        try:
            self.setup.check_again()
        except TableRefused as refused:
            self._fail(refused)
        except StoreError as error:
            self.tell(Notice("not-remembered", {"error": str(error)}))

    def choose(self, seat: Seat, move: Move | None) -> None:
        """Make a move of one of our players; None leaves the match."""
        self._inputs.put(Chosen(seat, move, self._presence.head))

    def advise(self, view: View, *, told: bool) -> None:
        """Find a hint for our player, sent in `Advised`. If `told`, announce it to all first."""
        if self._computers is not None and (not told or self.router.say(TOOK_HINT, phrase=True)):
            self._computers.advise(view)

    def attend(self, *, attends: bool) -> None:
        """Note whether our player sees the present table, or still the end of the last deal.

        Meanwhile our computer players wait, unless people on other machines wait for them.
        """
        if attends:
            self._attention.set()
        elif self._mesh is None and self._attention.is_set():
            self._attention = trio.Event()

    def go_on_without(self) -> None:
        """Vote to continue without the late seats, now and as long as they do not act."""
        self._presence.go_on(trio.current_time())
        self._vote()

    def _vote(self) -> None:
        """Queue the votes of all local seats against seats that our player gave up waiting for."""
        assert self.local_seats is not None
        for seat in self.local_seats.tables:
            for without in self._presence.votes:
                self._inputs.put(Vote(seat, without, self._presence.at))

    async def _run(self, begin: Callable[[], None]) -> Table:
        try:
            async with background() as nursery:
                begin()
                self.changed()
                if not self._begun.is_set():
                    nursery.start_soon(self._mind_the_lobby)
                nursery.start_soon(self._follow_tables, nursery)
                nursery.start_soon(self._save_signed)
                if self._mesh is not None:
                    nursery.start_soon(self._follow_links, self._mesh)
                await self._done.wait()
        finally:
            if self._computers is not None:
                await self._computers.end()
            if self.local_seats is not None:
                await self._close(self.local_seats)
            if self._void or self.setup.bound is None:
                await self.resume_point.take_out()
        if self._failed is not None:
            raise self._failed
        assert self.local_seats is not None
        table = self.local_seats.table
        self.tell(Stored(str(self.local_seats.files.log), table.sealed))
        return table

    async def _close(self, local_seats: LocalSeats) -> None:
        """Close our tables, and say so if others do not know yet that our player has left.

        Raises StoreError.
        """
        with trio.CancelScope(shield=True):  # all signed entries must reach the disk
            await trio.to_thread.run_sync(local_seats.close)
        if local_seats.finished and self._tell_if_left(local_seats):
            self.tell(Notice("departure-kept"))
        elif not local_seats.finished and self._mesh is not None:
            with suppress(StoreError):  # the match can be resumed all the same
                await self.resume_point.break_off()

    def _tell_if_left(self, local_seats: LocalSeats) -> bool:
        """Tell once that our seat is out of the match, if the others have not made the change yet.

        Return whether our seat left so.
        """
        table, seat = local_seats.table, local_seats.seat
        if not table.out or seat in table.gone:
            return False
        gone = Gone(seat, table.how(seat))
        if not self._departed:
            self._departed = True
            self.tell(News(gone, table.view(), table.waiting, last=True))
        return gone.how == "left"

    def _fail(self, error: Exception, *, void: bool = False) -> None:
        self._failed, self._void = self._failed or error, self._void or void
        self._done.set()

    async def _follow_links(self, mesh: Mesh) -> None:
        async with background() as nursery:
            nursery.start_soon(self._earlier.answer, self.router.send, self.tell)
            try:
                await self.router.follow(mesh)
            except (TableRefused, StoreError) as error:
                self._fail(error)

    async def seek(self, seeker: Seeker) -> None:
        """Look for absent peers from the beginning of the match, until cancelled.

        After a resume, look for them at once.
        """
        if not self._came_back:
            await self._seated.wait()
        assert self._mesh is not None
        await seeker.run(self._presence, self._mesh)

    def signed(self, agreement: Agreement) -> None:
        """Let `_save_signed` save the resume record; our signatures are sent after that."""
        self.resume_point.put(agreement)

    async def _save_signed(self) -> None:
        try:
            await self.resume_point.keep()
        except StoreError as error:
            self._fail(error)

    def changed(self) -> None:
        """Begin when all have signed; end when no peer needs us any more."""
        if self.setup.agreed:
            self._begun.set()
        if self.router.all_content:
            self._done.set()

    async def _follow_tables(self, nursery: trio.Nursery) -> None:
        """Begin the match when all have signed, then run the tables whenever there is input."""
        await self._begun.wait()
        assert self.setup.agreement is not None
        resume_record = self.resume_point.of(self.setup.agreement)
        try:
            local_seats = await trio.to_thread.run_sync(self.sit_down, resume_record)
        except StoreError as error:
            self._fail(error)
            return
        self.local_seats = local_seats
        self.resume_point.present = resume_record
        self._seated.set()
        if self._came_back:
            self.tell(Notice("resumed", {"match": resume_record.name}))
        self.tell(self._who_sits(local_seats))
        self.router.sit_down(local_seats, resume_record.host or None)
        hidden = self._mesh is not None
        seats = characters_at(local_seats.terms, self.setup.local_players) if self._timed else {}
        self._computers = Computers(self._context, local_seats, seats, self.tell, hidden=hidden)
        nursery.start_soon(self._computers.run)
        nursery.start_soon(self._mind_the_absent, local_seats)
        try:
            await self._play(local_seats, nursery)
        except StoreError as error:
            self._fail(error)

    def sit_down(self, resume_record: ResumeRecord) -> LocalSeats:
        """Set up our tables; called in a worker thread.

        The resume record is on disk before the first entry is sent.
        """
        terms = resume_record.terms
        ours = seated_at(terms, self.setup.local_players)
        identities = {seat: one.seat_request.identity for seat, one in ours.items()}
        bots = {seat: bot_of(terms.game, one.character) for seat, one in ours.items() if one.bot}
        resume_record.save(self._context.home)
        listening = self._came_back and bool(self._presence.others)
        beginning = Beginning(self._timed, self._came_back, listening)
        return LocalSeats(self._context, resume_record, identities, bots, beginning)

    def _who_sits(self, local_seats: LocalSeats) -> Seated:
        """Return the message that the match begins."""
        seats = characters_at(local_seats.terms, self.setup.local_players)
        named = {seat: name for seat, name in seats.items() if name}
        auto = local_seats.seat in seats
        return Seated(
            local_seats.terms,
            local_seats.seat,
            local_seats.match.hex(),
            auto,
            tuple(seats),
            characters=named,
            apart=self._mesh is not None,
        )

    async def _play(self, local_seats: LocalSeats, nursery: trio.Nursery) -> None:
        batch: list[Input] = []
        while True:
            result = await trio.to_thread.run_sync(
                local_seats.work, batch, self.router.post_from_thread
            )
            self._presence.note(local_seats.wait)
            self._report(local_seats, result, nursery)
            for peer in result.shown:
                self.router.send_shown(peer)
            if self._end_if_over(local_seats, result, nursery):
                return
            batch = (
                self._inputs.take_waiting() if result.more else await self._next_inputs(local_seats)
            )

    async def _next_inputs(self, local_seats: LocalSeats) -> list[Input]:
        """Wait for inputs; when idle, prepare the next deck meanwhile."""
        making = True
        while making:
            with trio.move_on_after(IDLE_S):
                return await self._inputs.take()
            making = await trio.to_thread.run_sync(
                local_seats.make_ahead, self.router.post_from_thread
            )
            self._presence.note(local_seats.wait)
            if any(table.going for table in local_seats.tables.values()):
                # report a fault found in the next deck at once
                return self._inputs.take_waiting()
        return await self._inputs.take()

    def _report(self, local_seats: LocalSeats, result: Work, nursery: trio.Nursery) -> None:
        for peer, reason in result.bad_links:
            self.router.drop(peer, reason)
        for notice in result.contained:
            self.tell(notice)
        for error in result.refused:
            self.tell(MoveRefused(error.why))
        for news in result.news:
            if self._shuffle.note(news.event, trio.current_time()):
                nursery.start_soon(self._tell_slow_shuffle, local_seats)
        for news in result.news:
            event = news.event
            if self._departed and isinstance(event, Gone) and event.seat == local_seats.seat:
                continue  # told already
            self.tell(news)
        for report, path in result.reports:
            self.tell(Notice(report, {"path": path}))
        for question in result.questions:
            nursery.start_soon(self._answer, question)

    async def _tell_slow_shuffle(self, local_seats: LocalSeats) -> None:
        """Wait, and tell our player if the same seat is still shuffling."""
        await trio.sleep(SLOW_SHUFFLE_S)
        seat = self._shuffle.slow(trio.current_time())
        if seat is not None:
            self.tell(Notice("shuffles", {"who": local_seats.terms.participants[seat].nick}))

    async def _mind_the_absent(self, local_seats: LocalSeats) -> None:
        """Report the seats that keep the table waiting too long.

        If no person is here, vote against absent seats.
        """
        await trio.sleep(POLL_S)
        messages = self._presence.give_up() if self._came_back else []
        while True:
            for message in messages:
                self.tell(message)
            if local_seats.only_bots and self._presence.all_late_are_away(trio.current_time()):
                self._presence.go_on(trio.current_time())
            self._vote()
            await trio.sleep(POLL_S)
            self.router.try_gate(trio.current_time())
            self.router.ask(trio.current_time())
            messages = self._presence.tick(trio.current_time())
            if self._presence.nobody_speaks and not local_seats.wait.begun:
                self._fail(TableRefused("never-begun"), void=True)

    async def _answer(self, question: Question) -> None:
        """Let a computer player answer at its chosen time."""
        assert self._computers is not None
        await self._attention.wait()
        self._inputs.put(await self._computers.answer(question))

    def _end_if_over(self, local_seats: LocalSeats, result: Work, nursery: trio.Nursery) -> bool:
        """End our match if it is over for us; return whether it is.

        Missing seals, and peers that lack ours, are waited for, at most SEALS_TIMEOUT_S.
        """
        tables = local_seats.tables.values()
        if result.more:
            return False
        if all(table.seat in table.gone or table.phase is Phase.DIVERGED for table in tables):
            self._done.set()
            return True
        if (local_seats.table.run.over or local_seats.table.out) and not self._presence.over:
            if self._tell_if_left(local_seats) and self._presence.sought:
                self.tell(Notice("last-words", {"seconds": round(SEALS_TIMEOUT_S)}))
            self._presence.end()
            nursery.start_soon(self._wait_for_seals)
        if not self.router.sealed and all(
            table.sealed or table.seat in table.gone or table.phase is Phase.DIVERGED
            for table in tables
        ):
            self.router.send_sealed()
            self.changed()
        return self._done.is_set()

    async def _wait_for_seals(self) -> None:
        await trio.sleep(SEALS_TIMEOUT_S)
        self._done.set()
