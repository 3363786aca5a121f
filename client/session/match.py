"""One evening: the only file that owns tasks. Links bring bytes, tables turn them into events, events go to the face.

A `Party` is this process among its peers: first in the lobby, then in a match. The tables are worked in a worker thread,
one call at a time, so that the loop itself never proves, verifies or waits for a disk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import trio

from client.session.messages import InTime, Late, Message, News, Notice, Seated, Stored, TimeLeft
from client.session.messages import Refused as MoveRefused
from client.session.patience import MOMENT, ShuffleWatch
from client.session.presence import Absence, Countdown
from client.session.resume_point import Bookmark
from client.session.router import Links
from client.session.seats import Sitting
from client.session.seeking import Seeker
from client.session.setup import Seating
from client.session.work import Behind, Chosen, Input, Result, Thought, Vote
from client.storage.home import Home, StoreError
from client.storage.resume_record import Unfinished
from crypto.chance import Entropy
from engine.bots import bot_for
from engine.core.moves import Move, Seat
from p2p.net.mesh import Mesh
from p2p.table.lobby import Agreement, Draft, TableRefused
from p2p.table.phase import Phase

Peer = bytes
SEALS = 10.0
"""Seconds that we wait when a match is over: for missing seals, and for peers that may lack some of ours."""
ANSWER = 5.0
"""Seconds in which a host must show its table, and guests must sign."""
LOOK = 1.0
"""Seconds between two looks at who keeps the table waiting."""
IDLE = 0.05
"""Seconds without anything to do after which the next deck is worked at."""


@dataclass
class Outcome:
    """How the evening ended."""

    sealed: bool
    left: bool
    sitting: Sitting


class Party:
    """This process among its peers. `tell` takes every message for the face; `pace` is how long computer players think."""

    def __init__(
        self,
        home: Home,
        mesh: Mesh | None,
        seatings: Sequence[Seating],
        entropy: Entropy,
        tell: Callable[[Message], None],
        *,
        pace: float = 0.0,
        seeker: Seeker | None = None,
    ) -> None:
        self.home, self.mesh, self.entropy, self.tell, self.pace = home, mesh, entropy, tell, pace
        self._seeker = seeker
        self._inputs_in, self._inputs = trio.open_memory_channel[Input](math.inf)
        self.links = Links(mesh, seatings, self._inputs_in.clone(), tell)
        self.links.changed = self._look_at_links
        self.gathering = self.links.gathering
        self._bookmark = Bookmark(home, self.links)
        if mesh is not None:
            self.gathering.signed = self._bookmark.put
        self.sitting: Sitting | None = None
        self._void = False
        """Whether our match came to nothing before it had begun."""
        self._begun = trio.Event()
        self._seated = trio.Event()
        self._done = trio.Event()
        self._failed: Exception | None = None
        self._came_back = False
        self._sealed = False
        self._thinking: set[Seat] = set()
        self._shuffle = ShuffleWatch()
        self._absence, self._countdown = Absence(math.inf), Countdown(math.inf)

    @property
    def waits(self) -> bool:
        """Whether we have signed for a match that did not come to nothing: `resume` leads to it."""
        return self._bookmark.present is not None

    async def host(self, draft: Draft, secret: bytes = b"", wishes: Mapping[bytes, Seat] | None = None) -> Outcome:
        """Open a table, fill it, play. Chairs of ours are seated first; `wishes` are seats by public key."""
        return await self._evening(lambda: self.gathering.open(draft, secret, wishes))

    async def join(self, peer: Peer, secret: bytes = b"", *, again: bool = False) -> Outcome:
        """Sit down at the table of a peer to which there is a link, and play. Refused if that cannot be.

        With `again` the link has served an evening before, and nothing tells of it once more.
        """
        return await self._evening(lambda: self.gathering.seek(peer, secret, linked=again))

    async def resume(self, unfinished: Unfinished) -> Outcome:
        """Go back into a match that was broken off, and play on. StoreError if what is on disk does not allow it."""
        self._came_back, self._bookmark.present = True, unfinished
        agreement = unfinished.agreement(self.gathering.seat_requests)
        return await self._evening(lambda: self.gathering.return_to(agreement, unfinished.nodes))

    async def linger(self) -> None:
        """When the match is over: hear what is still said at the table, and show its end to who lacks it; until cancelled."""
        async with trio.open_nursery() as nursery:
            if self.mesh is not None:
                nursery.start_soon(self._follow_links, self.mesh)
            async for item in self._inputs:
                if isinstance(item, Behind) and self.sitting is not None:
                    for data in self.sitting.table.lacking(item.steps, item.head):
                        self.links.post(data, to=item.peer)
                    self.links.say_shown(item.peer)

    async def _mind_the_lobby(self) -> None:
        """A host must show its table, and guests must sign, within a while."""
        if self._came_back:
            await self._wait_for_signatures()
            return
        if await self._begins_within(ANSWER):
            return
        if self.gathering.table is None:
            self._fail(TableRefused("no-answer"))
        while not await self._begins_within(LOOK):
            self.gathering.free_late(ANSWER)

    async def _wait_for_signatures(self) -> None:
        """We had signed, and were gone before we heard of all others. If they are here now and have not either, it is off."""
        since, told = trio.current_time(), frozenset[Peer]()
        while trio.current_time() - since < ANSWER:
            if await self._begins_within(LOOK):
                return  # the match has begun: a Lobby message would now be out of date
            if missing := self.links.missing:
                since = trio.current_time()
            if missing != told:
                self.gathering.tell_unsigned(missing)
            told = missing
        self._void = True
        self._fail(TableRefused("never-begun"))

    async def _begins_within(self, seconds: float) -> bool:
        """Wait for all signatures, at most this many seconds; return whether the match begins."""
        with trio.move_on_after(seconds):
            await self._begun.wait()
        return self._begun.is_set()

    def ready(self) -> None:
        """Our player is ready: see `Gathering.held`."""
        self.gathering.ready()
        self._look_at_links()

    def vet_again(self) -> None:
        """Look anew at who sits at our table: our player has made sure of somebody."""
        try:
            self.gathering.vet_again()
        except TableRefused as refused:
            self._fail(refused)
        except StoreError as error:
            self.tell(Notice("not-remembered", {"error": str(error)}))

    def say(self, text: str, *, phrase: bool) -> None:
        """Say something to the others at our table: the id of a phrase, or words of our player's."""
        self.links.say(text, phrase=phrase)

    def choose(self, seat: Seat, move: Move | None) -> None:
        """Make a move of one of our players; None gives up its place."""
        self._inputs_in.send_nowait(Chosen(seat, move))

    def go_on_without(self) -> None:
        """Our player waits no longer for who is late: vote so, now and as long as they do not speak."""
        self._absence.go_on(trio.current_time())
        self._vote()

    def _vote(self) -> None:
        """Say in the name of all seats of this process that the table should go on without whom our player will not wait for."""
        assert self.sitting is not None
        for seat in self.sitting.tables:
            for without in sorted(self._absence.without):
                self._inputs_in.send_nowait(Vote(seat, without))

    async def _evening(self, begin: Callable[[], None]) -> Outcome:
        try:
            async with trio.open_nursery() as nursery:
                begin()
                self._look_at_links()
                if not self._begun.is_set():
                    nursery.start_soon(self._mind_the_lobby)
                nursery.start_soon(self._follow_tables, nursery)
                if self.mesh is not None:
                    nursery.start_soon(self._follow_links, self.mesh)
                    nursery.start_soon(self._seek, self.mesh)
                await self._done.wait()
                nursery.cancel_scope.cancel()
        finally:
            if self.sitting is not None:
                self.sitting.close(void=self._void)
            elif self._void or self.gathering.agreement is None:
                self._bookmark.take_out()
        if self._failed is not None:
            raise self._failed
        assert self.sitting is not None
        table = self.sitting.table
        self.tell(Stored(str(self.sitting.files.log), table.sealed))
        return Outcome(table.sealed, table.out, self.sitting)

    def _fail(self, error: Exception) -> None:
        self._failed = self._failed or error
        self._done.set()

    async def _follow_links(self, mesh: Mesh) -> None:
        try:
            await self.links.follow(mesh)
        except TableRefused as refused:
            self._void = refused.why == "reopened"
            self._fail(refused)
        except StoreError as error:
            self._fail(error)

    async def _seek(self, mesh: Mesh) -> None:
        """Look for who is away, from when the match begins; who comes back into one does so from the start."""
        if self._seeker is None:
            return
        if not self._came_back:
            await self._seated.wait()
        await self._seeker.run(self.links, mesh)

    def _look_at_links(self) -> None:
        """Begin when all have signed; end when nobody needs us any more."""
        if self.gathering.agreed:
            self._begun.set()
        if self.links.all_content:
            self._done.set()

    # At the tables.

    async def _follow_tables(self, nursery: trio.Nursery) -> None:
        """Begin the match when all have signed, then work the tables whenever something has come in."""
        await self._begun.wait()
        assert self.gathering.agreement is not None
        unfinished = self._bookmark.of(self.gathering.agreement)
        try:
            sitting = await trio.to_thread.run_sync(self._sit_down, self.gathering.agreement, unfinished)
        except StoreError as error:
            self._fail(error)
            return
        self.sitting = sitting
        self._seated.set()
        bots = {seating.seat_request.identity.public for seating in self.gathering.seatings if seating.bot}
        seats = tuple(seat for seat, place in enumerate(sitting.terms.participants) if place.public in bots)
        self.tell(Seated(sitting.terms, sitting.seat, sitting.match.hex(), sitting.seat in seats, seats))
        self._absence, self._countdown = Absence(sitting.terms.limit), Countdown(sitting.terms.limit)
        self.links.sit_down(sitting)
        nursery.start_soon(self._tell_slow_shuffles, sitting)
        nursery.start_soon(self._mind_the_absent, sitting)
        try:
            await self._play(sitting, nursery)
        except StoreError as error:
            self._fail(error)

    def _sit_down(self, agreement: Agreement, unfinished: Unfinished) -> Sitting:
        """Set up our tables; how to come back to them is on disk before anything is said. Called in a worker thread."""
        terms = agreement.terms
        by_key = {seating.seat_request.identity.public: seating for seating in self.gathering.seatings}
        ours = {seat: by_key[place.public] for seat, place in enumerate(terms.participants) if place.public in by_key}
        identities = {seat: seating.seat_request.identity for seat, seating in ours.items()}
        bots = {seat: bot_for(terms.game) for seat, seating in ours.items() if seating.bot}
        unfinished.save(self.home)
        return Sitting(
            terms,
            agreement.ordered(),
            identities,
            bots,
            self.home,
            self.entropy,
            paced=self.pace > 0,
            again=self._came_back,
            listening=self._came_back and bool(self.links.others),
        )

    async def _play(self, sitting: Sitting, nursery: trio.Nursery) -> None:
        batch: list[Input] = []
        while True:
            result = await trio.to_thread.run_sync(sitting.work, batch, self.links.post_from_thread)
            self._report(result, nursery)
            for peer in result.shown:
                self.links.say_shown(peer)
            if result.ask_again:
                self.links.say_what_we_have()
            if self._ended(sitting, result, nursery):
                return
            batch = [] if result.more else await self._next_inputs(sitting)
            while self._inputs.statistics().current_buffer_used:
                batch.append(self._inputs.receive_nowait())
            self.links.took_inputs()

    async def _next_inputs(self, sitting: Sitting) -> list[Input]:
        """Wait for something to do; when nothing comes for a while, the next deck is made meanwhile."""
        making = True
        while making:
            with trio.move_on_after(IDLE):
                return [await self._inputs.receive()]
            making = await trio.to_thread.run_sync(sitting.make_ahead, self.links.post_from_thread)
            if any(table.going for table in sitting.tables.values()):
                return []  # what was found in the next deck is told at once, and nobody need say anything for it
        return [await self._inputs.receive()]

    def _report(self, result: Result, nursery: trio.Nursery) -> None:
        for peer, reason in result.bad_links:
            self.links.drop(peer, reason)
        for error in result.refused:
            self.tell(MoveRefused(error.why))
        for news in result.news:
            self._shuffle.note(news.event, trio.current_time())
        for place, news in enumerate(result.news, 1):
            self.tell(News(news.event, news.view, news.waiting, place == len(result.news), news.past, news.votes))
        for notice, path in result.papers:
            self.tell(Notice(notice, {"path": path}))
        for seat in set(result.thinking) - self._thinking:
            self._thinking.add(seat)
            nursery.start_soon(self._think, seat)

    async def _tell_slow_shuffles(self, sitting: Sitting) -> None:
        while True:
            await trio.sleep(MOMENT / 3)
            seat = self._shuffle.slow(trio.current_time())
            if seat is not None:
                self.tell(Notice("shuffles", {"who": sitting.terms.participants[seat].nick}))

    async def _mind_the_absent(self, sitting: Sitting) -> None:
        """Tell who keeps the table waiting too long. Where only computers sit they go on without who has no link."""
        await trio.sleep(LOOK)
        if self._came_back:
            self.links.tell_who_is_missing()
        while True:
            await trio.sleep(LOOK)
            now = trio.current_time()
            self.links.look(now)
            self._look_at_the_clock(sitting, now)

    def _look_at_the_clock(self, sitting: Sitting, now: float) -> None:
        """Tell which seats keep the table waiting too long, ours among them, and vote as our player has asked for."""
        wait = sitting.wait
        others = [seat for seat in wait.seats if seat not in sitting.tables]
        late, in_time = self._absence.look(others, wait.at, now, changing=wait.changing)
        if late:
            self.tell(Late(late, sitting.terms.limit))
        if in_time:
            self.tell(InTime(in_time))
        ours = sitting.seat in wait.seats and wait.votes_needed and len(sitting.tables) < wait.staying
        left = self._countdown.look(wait.at if ours else None, now)
        if left is not None:
            self.tell(TimeLeft(left))
        if sitting.only_bots and set(self._absence.late(now)) <= self.links.away:
            self._absence.go_on(now)
        if not wait.done:
            self._vote()

    async def _think(self, seat: Seat) -> None:
        await trio.sleep(self.pace)
        self._thinking.discard(seat)
        self._inputs_in.send_nowait(Thought(seat))

    def _ended(self, sitting: Sitting, result: Result, nursery: trio.Nursery) -> bool:
        """Whether the match is over for us; missing seals are waited for, and those who lack ours, but not for ever."""
        tables = sitting.tables.values()
        if result.more:
            return False
        if all(table.seat in table.gone or table.phase is Phase.DIVERGED for table in tables):
            self._done.set()
            return True
        if (sitting.table.run.over or sitting.table.out) and not self.links.sealing:
            self.links.sealing = True
            nursery.start_soon(self._wait_for_seals)
        if not self._sealed and all(
            table.sealed or table.seat in table.gone or table.phase is Phase.DIVERGED for table in tables
        ):
            self._sealed = True
            self.links.say_sealed()
            self._look_at_links()
        return self._done.is_set()

    async def _wait_for_seals(self) -> None:
        await trio.sleep(SEALS)
        self._done.set()
