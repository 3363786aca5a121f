"""The seats of this process in one match: tables, disk, and the computer players among them.

Nothing here knows a network or a task. `work` may take a tenth of a second (a shuffle) and blocks
on the disk, so it is called in a worker thread, one call at a time; it calls `post` with each entry
that may be sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import permutations

from client.i18n.translation import _, later
from client.session.containment import BROKEN, notice_or_raise
from client.session.context import Context
from client.session.messages import News
from client.session.work import (
    Answer,
    Behind,
    Chosen,
    EntryReceived,
    Input,
    ListeningOver,
    Post,
    Question,
    Vote,
    Wait,
    Work,
    news_of,
    present_deal,
)
from client.storage.departure import beyond_log
from client.storage.home import StoreError
from client.storage.incident_report import write_down
from client.storage.match_files import MatchFiles
from client.storage.resume_record import ResumeRecord
from crypto.chance import below
from crypto.group import Group
from crypto.identity import Identity
from engine.bots import Bot
from engine.core.moves import IllegalMove, Move, Seat
from engine.core.requests import Ask
from p2p.net.events import Peer
from p2p.table.events import Asked, Event
from p2p.table.faults import BadSignature, Forgotten
from p2p.table.need import Need
from p2p.table.phase import Phase
from p2p.table.table import Table
from p2p.table.terms import COMPUTER, PERSON
from p2p.wire import Malformed

TOO_OLD = later(
    "the match cannot go on from the files on disk: they are an older copy, without the keys of "
    "the cards dealt since. Bring the newer files back, and play with one copy of the folder only; "
    "otherwise the others can vote you out"
)

AT_ONCE = 32
"""Entries that tables take before they judge them: fewer than the pool of a seat holds."""


@dataclass(frozen=True)
class Beginning:
    """How our seats begin a match."""

    delayed: bool = False
    """Whether computer players answer a `Question` with an `Answer`; otherwise they choose at once.
    """
    again: bool = False
    """Whether an interrupted match is resumed from disk."""
    listening: bool = False
    """Whether resumed tables sign nothing until `ListeningOver`, since the disk may be an older
    copy that lacks our last entries."""
    group: Group | None = None
    kind: type[Table] = Table
    """The class of our tables."""


FRESH = Beginning()


class LocalSeats:
    """Our seats in one match.

    Other threads than that of `work` may read `wait`, and attributes that never change.
    """

    def __init__(
        self,
        context: Context,
        signed: ResumeRecord,
        seats: Mapping[Seat, Identity],
        bots: Mapping[Seat, Bot],
        beginning: Beginning = FRESH,
        files: MatchFiles | None = None,
    ) -> None:
        """Take these seats in a match that all have signed; `bots` play some of them.

        Without `files`, those of our home are used. Raises StoreError.
        """
        terms, entropy = signed.terms, context.entropy
        self.terms, self.match, self.signatures = terms, terms.match, signed.signatures
        self.home = context.home
        self.files = files or MatchFiles(context.home, self.match, tuple(seats))
        self._came_back = beginning.again
        self._stored = False
        """Whether our disk has everything that our tables have."""
        self._unjudged = 0
        """How many new entries our tables have not judged."""
        self.finished = False
        """Whether nothing of the match waits for us after our session."""
        self._own = next((seat for seat, seed in signed.seeds.items() if not seed), None)
        """The seat of our home's own key; our other seats are computer players'."""
        self._decks = 0
        """The number of decks when the shares of our cards were last written."""
        self._bots, self._delayed, self._entropy = dict(bots), beginning.delayed, entropy
        if beginning.again:
            self.tables = self._resumed(signed.signatures, seats, beginning)
        else:
            self.tables = {
                seat: beginning.kind(terms, signed.signatures, seat, who, entropy, beginning.group)
                for seat, who in sorted(seats.items())
            }
        self._questions: dict[Seat, bytes] = {}
        """The head of the last question to each of our computer players."""
        self._later: list[Chosen] = []
        """Our players' choices while the tables only listen."""
        self.seat = next((seat for seat in self.tables if seat not in bots), min(self.tables))
        """The seat whose news is shown."""
        self.wait = Wait.of(self.table)
        """The state of our table after its last round of work; other threads may read it."""

    def _resumed(
        self, signatures: Sequence[bytes], seats: Mapping[Seat, Identity], beginning: Beginning
    ) -> dict[Seat, Table]:
        """Return our tables as they were when we last stopped.

        StoreError if the files on disk do not fit together.
        """
        try:
            journals, log = self.files.take_up(self.terms)
            resumed = partial(
                beginning.kind.resumed, group=beginning.group, listening=beginning.listening
            )
            tables = {
                seat: resumed(self.terms, signatures, seat, who, self._entropy, journals[seat], log)
                for seat, who in sorted(seats.items())
            }
            if self._own is not None:
                self.files.write_own_cards(tables[self._own].kept_shares)
        except Forgotten as error:
            raise StoreError(_(TOO_OLD)) from error
        except (Malformed, BadSignature) as error:
            raise StoreError(
                _("the match cannot go on from the files on disk: {why}").format(why=error)
            ) from None  # a cause might show a key
        # The journal of one may be ahead of the log that both share.
        for one, other in permutations(tables.values(), 2):
            for data in other.held_since(Need.of(one.trail).shared(other.trail)):
                one.receive(data)
        return tables

    @property
    def table(self) -> Table:
        """The table of the seat whose news is shown: a person's, if there is one."""
        return self.tables[self.seat]

    @property
    def only_bots(self) -> bool:
        """Whether computer players have all our seats."""
        return set(self.tables) <= set(self._bots)

    @property
    def listening(self) -> bool:
        """Whether our tables sign nothing yet.

        They may have signed more than our disk knows.
        """
        return self.table.phase is Phase.LISTENING

    def work(self, inputs: Sequence[Input], post: Post) -> Work:
        """Take the inputs, let every table proceed once, then store and post new entries.

        Raises StoreError.
        """
        with self._storing():
            return self._work(inputs, post)

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Note whether a piece of work stores everything.

        StoreError if our journal lacks a key: our disk is older than our signatures.
        """
        self._stored = False
        try:
            yield
        except Forgotten as error:
            raise StoreError(_(TOO_OLD)) from error
        self._stored = True

    def _work(self, inputs: Sequence[Input], post: Post) -> Work:
        result = Work()
        # the newest of each peer
        behind = {item.peer: item for item in inputs if isinstance(item, Behind)}
        for item in inputs:
            self._take_in(item, post, result)
        more = self._go_on(post)
        for item in behind.values():  # only now are our players' choices stored
            if self.answer(item, post):
                result.shown.append(item.peer)
        for seat, table in self.tables.items():
            events = table.events()
            if seat == self.seat:
                result.news.extend(self._news(table, events))
                result.reports.extend(write_down(self.files, table, events))
        result.reports.extend(("branch", path) for path in self.files.log_file.branches())
        self.wait = Wait.of(self.table)
        result.questions, result.more = self.ask(), more
        return result

    def answer(self, behind: Behind, post: Post) -> bool:
        """Post the entries that a peer lacks.

        Return whether it lacked everything, and was sent all that we hold.
        """
        for data in self.table.lacking(behind.need):
            post(data, to=behind.peer)
        return not behind.need.point and self.table.shows_all(behind.need)

    def _take_in(self, item: Input, post: Post, result: Work) -> None:
        match item:
            case EntryReceived():
                self._receive(item, post, result)
            case ListeningOver():
                self._speak(result)
            case Chosen() if self.listening and item.move is not None:
                self._later.append(item)
            case Chosen():
                self._choose(item, result)
            case Vote(seat, without, at) if at == self.table.waiting_at:
                if self.tables[seat].may_vote(without):  # repeated as long as our player wants it
                    self.tables[seat].vote(without)
            case Answer(question, move):
                self._answer(question, move)

    def _news(self, table: Table, events: list[Event]) -> list[News]:
        """Return the events as news. After a resume, repeat the news of the present deal."""
        earlier = 0
        if repeated := self._came_back:
            self._came_back = False
            earlier = present_deal(events)
            if table.asked and Asked() not in events[earlier:]:
                events = [*events, Asked()]
        return news_of(table, events, earlier, repeated=repeated)

    def make_ahead(self, post: Post) -> bool:
        """Do one thing for the next deck in idle time; return whether there was one."""
        made = False
        with self._storing():
            for seat, table in self.tables.items():
                made = table.make_ahead() or made
                self.send(seat, table, post)
        self.wait = Wait.of(self.table)
        return made

    def leave_all(self) -> None:
        """Leave with every seat of ours that may, and store it. Raises StoreError."""
        with self._storing():
            for seat in self.tables:
                self._choose(Chosen(seat, None), Work())
            self._go_on(_to_nobody)

    def close(self) -> None:
        """Close the files; delete the journals if the match is over for all of us.

        A leave that no record of the log has yet is stored beside it, and received seals in it. If
        our disk lacks anything that our tables have, nothing is written or deleted. Raises
        StoreError.
        """
        over = False
        try:
            if self._stored:
                if self._own is not None and self.table.out:  # nobody else plays our computers
                    self.leave_all()
                self._write_the_last()
                over = all(table.sealed or table.out for table in self.tables.values())
        finally:
            self.files.close(finished=over)
        self.finished = over

    def _write_the_last(self) -> None:
        """Write what our tables have beyond the records of the log. Raises StoreError."""
        tables = self.tables.values()
        for table in tables:
            self.files.log_file.write(table, last=True)
        if self._own is not None:
            self.files.write_own_cards(self.tables[self._own].kept_shares)
        if any(table.out and table.seat not in table.gone for table in tables):
            beyond = [data for table in tables for data in beyond_log(table)]
            self.files.write_departure(beyond, max(tables, key=lambda table: table.steps).head)

    def _receive(self, item: EntryReceived, post: Post, result: Work) -> None:
        """Give a peer's entry to all our tables.

        If it is new to them, forward it before it is judged. Later entries would displace earlier
        ones, so the tables judge a few at a time.
        """
        try:
            fresh = [table.receive(item.data) for table in self.tables.values()]
        except (Malformed, BadSignature) as error:
            result.bad_links.append((item.peer, str(error)))
            return
        except Exception as error:  # noqa: BLE001 -- nothing of the entry has been judged yet
            result.bad_links.append((item.peer, BROKEN))
            result.contained.append(notice_or_raise(self.home, error, item.peer))
            return
        if any(fresh):
            post(item.data, skip=item.peer)
            self._unjudged += 1
        if self._unjudged == AT_ONCE:
            self._go_on(post)

    def _choose(self, item: Chosen, result: Work) -> None:
        table = self.tables[item.seat]
        if item.move is not None and item.head != table.head:
            # the same move may mean something else now
            result.refused.append(IllegalMove(item.seat, item.move, ("gone-on",)))
            return
        try:
            if item.move is None:
                table.leave()
            else:
                table.act(item.move)
        except IllegalMove as error:
            result.refused.append(error)

    def _speak(self, result: Work) -> None:
        """Sign the due entries again, then the choices that our players made meanwhile."""
        for table in self.tables.values():
            table.speak()
        later, self._later = self._later, []
        for item in later:
            self._choose(item, result)

    def decide(self, question: Question) -> Move:
        """Return the choice of a computer player.

        It uses only the question, so any thread may call this.
        """
        return self._bots[question.seat](question.view, self._choose_number)

    def _choose_number(self, bound: int) -> int:
        return below(bound, self._entropy)

    def ask(self) -> list[Question]:
        """Return the questions that our computer players have not been asked yet."""
        if not self._delayed:
            return []
        asked = [
            seat
            for seat in self._bots
            if self.tables[seat].asked
            and self._questions.get(seat) != self.tables[seat].head
            and not self._defers(seat)
        ]
        self._questions.update({seat: self.tables[seat].head for seat in asked})
        return [
            Question(
                seat,
                self.tables[seat].view(),
                self.tables[seat].head,
                self.terms.house.partner if self._shares(seat) else 0,
            )
            for seat in asked
        ]

    def _defers(self, seat: Seat) -> bool:
        """Whether a computer player leaves its question to a person, by the house rules."""
        return self._shares(seat) and not self.terms.house.partner

    def _shares(self, seat: Seat) -> bool:
        """Whether a person may answer a computer player's question instead.

        The terms say whether a seat is a person or a computer.
        """
        request, places = self.tables[seat].run.request, self.terms.participants
        if not isinstance(request, Ask) or request.kind != "any":
            return False
        asked = {places[one].kind for one in request.seats}
        return places[seat].kind == COMPUTER and PERSON in asked

    def _answer(self, question: Question, move: Move) -> None:
        table = self.tables[question.seat]
        if table.asked and table.head == question.head:
            table.act(move)
        elif self._questions.get(question.seat) == question.head:
            # the table stopped meanwhile: ask again when it continues from here
            del self._questions[question.seat]

    def _think(self, seat: Seat) -> None:
        table = self.tables[seat]
        if table.asked and not self._defers(seat):
            table.act(self._bots[seat](table.view(), self._choose_number))

    def _go_on(self, post: Post) -> bool:
        """Let every table proceed once, store its entries, and post them.

        Return whether there were any entries.
        """
        said, self._unjudged = False, 0
        for seat, table in self.tables.items():
            table.proceed()
            if seat in self._bots and not self._delayed:
                self._think(seat)
            said = self.send(seat, table, post) or said
        return said

    def send(self, seat: Seat, table: Table, post: Post) -> bool:
        """Store the new entries of a table, and only then post our own.

        Return whether there were any. The journal comes first: our entries in a log are useless
        without their secrets. The log comes before the post: a seat that lost the record before its
        last entry would contradict that entry in a flush.
        """
        self.files.write_journal(seat, table.data_to_store())
        self.files.log_file.write(table)
        said = table.data_to_send()
        for data in said:
            post(data)
            for other in self.tables.values():
                if other is not table:
                    other.receive(data)
        if seat == self._own and table.run.game.shuffles != self._decks:
            self._decks = table.run.game.shuffles
            self.files.write_own_cards(table.kept_shares)
        return bool(said)


def _to_nobody(data: bytes, *, to: Peer | None = None, skip: Peer | None = None) -> None:
    """Send an entry to nobody: no link is open."""
