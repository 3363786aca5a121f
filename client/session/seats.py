"""The seats of this process in one match: their tables, the disk, and the computer players among them.

Nothing here knows a network or a task. `work` may take a tenth of a second (a shuffle) and waits for the disk, so it is
called in a worker thread, one call at a time; `post` is called from there with each entry that may go out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from client.i18n.translation import _, later
from client.session.work import Behind, Chosen, Heard, HeardOut, Input, News, Post, Result, Thought, Vote, Wait
from client.storage.home import Home, StoreError
from client.storage.incident_report import write_down
from client.storage.match_files import MatchFiles
from crypto.chance import Entropy, below
from crypto.group import Group
from crypto.identity import Identity
from engine.bots import Bot
from engine.core.moves import Seat
from engine.core.run import IllegalMove
from p2p.table.events import Asked, Event, Shuffling
from p2p.table.faults import BadSignature, Forgotten
from p2p.table.phase import Phase
from p2p.table.table import Table
from p2p.table.terms import Terms
from p2p.wire import Malformed

TOO_OLD = later(
    "the match cannot go on from what is on disk: it is an older copy, and has not the keys of what was dealt since. Bring the "
    "newer files back, and play with one copy of the folder only; otherwise the others can go on without you"
)


class Sitting:
    """Our seats at one match."""

    def __init__(
        self,
        terms: Terms,
        signatures: Sequence[bytes],
        seats: Mapping[Seat, Identity],
        bots: Mapping[Seat, Bot],
        home: Home,
        entropy: Entropy,
        *,
        paced: bool = False,
        group: Group | None = None,
        again: bool = False,
        listening: bool = False,
    ) -> None:
        """Sit down on these seats. `bots` play some of them: at once, or, if `paced`, when a `Thought` says so.

        With `again` it is a match that was broken off, and goes on from what is on disk; while `listening` nothing is said in it
        until `HeardOut`, for the disk may be a copy that is older than our last words. StoreError.
        """
        self.terms, self.match = terms, terms.match
        self.files = MatchFiles(home, self.match, tuple(seats))
        self._came_back = again
        self._crowded: int | None = None
        """At which step an entry found no room."""
        if again:
            self.tables = self._resumed(signatures, seats, entropy, group, listening=listening)
        else:
            self.tables = {seat: Table(terms, signatures, seat, who, entropy, group) for seat, who in sorted(seats.items())}
        self._bots, self._paced, self._entropy = dict(bots), paced, entropy
        self._later: list[Chosen] = []
        """What our players chose while nothing may be said."""
        self._teller = next((seat for seat in self.tables if seat not in bots), min(self.tables))
        self.wait = Wait.of(self.table)
        """Whom our table waits for, as it stood after the last piece of work."""

    def _resumed(
        self,
        signatures: Sequence[bytes],
        seats: Mapping[Seat, Identity],
        entropy: Entropy,
        group: Group | None,
        *,
        listening: bool,
    ) -> dict[Seat, Table]:
        """Return our tables as they were when we were last here. StoreError if what is on disk does not fit together."""
        try:
            journals, log = self.files.take_up(self.terms)
            tables = {
                seat: Table.resumed(self.terms, signatures, seat, who, entropy, journals[seat], log, group, listening=listening)
                for seat, who in sorted(seats.items())
            }
        except Forgotten as error:
            raise StoreError(_(TOO_OLD)) from error
        except (Malformed, BadSignature) as error:
            raise StoreError(
                _("the match cannot go on from what is on disk: {why}").format(why=error)
            ) from None  # a cause might show a key
        for one, other in permutations(tables.values(), 2):  # the journal of one may be ahead of the log that both share
            for data in other.lacking(one.steps, one.head):
                one.receive(data)
        return tables

    @property
    def table(self) -> Table:
        """The table of the seat whose news are told: a person's, if one sits here."""
        return self.tables[self._teller]

    @property
    def only_bots(self) -> bool:
        """Whether computer players have all our seats."""
        return set(self.tables) <= set(self._bots)

    @property
    def seat(self) -> Seat:
        """The seat whose news are told."""
        return self._teller

    @property
    def listening(self) -> bool:
        """Whether our tables say nothing yet, because they may have said more than our disk knows."""
        return self.table.phase is Phase.LISTENING

    def work(self, inputs: Sequence[Input], post: Post) -> Result:
        """Take in what has come, let every table go on once, store what was said and then post it. StoreError."""
        try:
            return self._work(inputs, post)
        except Forgotten as error:
            raise StoreError(_(TOO_OLD)) from error

    def _work(self, inputs: Sequence[Input], post: Post) -> Result:
        result, before = Result(), self._steps
        behind = {item.peer: item for item in inputs if isinstance(item, Behind)}  # the newest of each peer
        for item in inputs:
            self._take_in(item, post, result)
        result.more = self._go_on(post)
        for item in behind.values():  # only now: what our players have just chosen is stored
            for data in self.table.lacking(item.steps, item.head):
                post(data, to=item.peer)
            result.shown.append(item.peer)
        for seat, table in self.tables.items():
            events = table.events()
            if seat == self._teller:
                result.news += self._news(table, events)
                result.papers += write_down(self.files, table, events)
        result.papers += [("branch", path) for path in self.files.log_file.branches()]
        result.ask_again = self._has_room_again(before)
        self.wait = Wait.of(self.table)
        if self._paced:
            result.thinking = [seat for seat in self._bots if self.tables[seat].asked]
        return result

    def _take_in(self, item: Input, post: Post, result: Result) -> None:
        match item:
            case Heard():
                self._hear(item, post, result)
            case HeardOut():
                self._speak(result)
            case Chosen() if self.listening:
                self._later.append(item)
            case Chosen():
                self._choose(item, result)
            case Vote(seat, without) if self.tables[seat].may_vote(without):  # asked for every second, as long as it is wanted
                self.tables[seat].vote(without)
            case Thought(seat):
                self._think(seat)

    def _news(self, table: Table, events: list[Event]) -> list[News]:
        """Return what has happened as news. Who has come back hears once more of the deal that is being played."""
        past = 0
        if self._came_back:
            self._came_back = False
            past = max((at for at, event in enumerate(events) if isinstance(event, Shuffling)), default=0)
            if table.asked and Asked() not in events[past:]:
                events = [*events, Asked()]
        if not events:
            return []
        view, waiting, votes = table.view(), table.waiting, table.votes
        return [News(self._teller, event, view, waiting, votes, past=at < past) for at, event in enumerate(events)]

    def make_ahead(self, post: Post) -> bool:
        """While nothing else is to be done, do one thing for the next deck; return whether there was any."""
        made = False
        for seat, table in self.tables.items():
            made = table.make_ahead() or made
            self._send(seat, table, post)
        self.wait = Wait.of(self.table)
        return made

    def close(self, *, void: bool = False) -> None:
        """Close the files; the journals go if the match is over for all of us, or came to nothing."""
        self.files.close(finished=void or all(table.sealed or table.out for table in self.tables.values()))

    @property
    def _steps(self) -> int:
        """The steps that are over for all of our tables."""
        return min(table.steps for table in self.tables.values())

    def _has_room_again(self, before: int) -> bool:
        """Whether a step has ended since an entry found no room; `before` so many were over when this work began."""
        turned_away = [table.turned_away() for table in self.tables.values()]
        if any(turned_away) and self._crowded is None:
            self._crowded = before
        if self._crowded is None or self._crowded == self._steps:
            return False
        self._crowded = None
        return True

    def _hear(self, item: Heard, post: Post, result: Result) -> None:
        """Take an entry of a peer to every table of ours; if it is news to them, pass it on before it is judged."""
        try:
            fresh = [table.receive(item.data) for table in self.tables.values()]
        except (Malformed, BadSignature) as error:
            result.bad_links.append((item.peer, str(error)))
            return
        if any(fresh):
            post(item.data, skip=item.peer)

    def _choose(self, item: Chosen, result: Result) -> None:
        table = self.tables[item.seat]
        try:
            if item.move is None:
                table.leave()
            else:
                table.act(item.move)
        except IllegalMove as error:
            result.refused.append(error)

    def _speak(self, result: Result) -> None:
        """Say again what we have to say, and what our players have chosen meanwhile."""
        for table in self.tables.values():
            table.speak()
        later, self._later = self._later, []
        for item in later:
            self._choose(item, result)

    def _think(self, seat: Seat) -> None:
        table = self.tables[seat]
        if table.asked:
            table.act(self._bots[seat](table.view(), lambda bound: below(bound, self._entropy)))

    def _go_on(self, post: Post) -> bool:
        """Let every table go on once, store what it says, and post it; return whether anything was said."""
        said = False
        for seat, table in self.tables.items():
            table.proceed()
            if seat in self._bots and not self._paced:
                self._think(seat)
            said = self._send(seat, table, post) or said
        return said

    def _send(self, seat: Seat, table: Table, post: Post) -> bool:
        """Store what a table has said and heard, and only then post it; return whether there was anything.

        The journal comes first: a log in which we speak is no use without the secrets behind our words. The log comes before the
        post: a seat that has lost the record before its last word would deny that word in a flush.
        """
        self.files.write_journal(seat, table.data_to_store())
        self.files.log_file.write(table)
        said = table.data_to_send()
        for data in said:
            post(data)
            for other in self.tables.values():
                if other is not table:
                    other.receive(data)
        return bool(said)
