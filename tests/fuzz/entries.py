"""Entries of a seat that lies, rightly signed, into a match of honest tables that is under way.

The bytes choose the moment, then the acts of each seat: honest tables move, hear each other and
leave; the liar says the words of its own honest table, or spoils them, or something to one and
something else to the other. The moment may be one at which something about membership is in
progress: a vote cast, a flush out, a leave half way, an equivocation known.

With all its words, nobody but it is ever accused, and it only if it has lied; no table finds itself
in a state that cannot be; the logs of the honest say the same as far as they go, and each, and each
verdict, is found good by a verifier that has only that.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Any

from engine.core.moves import IllegalMove
from p2p.table.events import Accused, Differs, WentBack
from p2p.table.faults import BadSignature, Fault
from p2p.table.log import (
    FLUSH,
    LEAVE,
    SEAL,
    STAND,
    STEP,
    VOTE,
    Entry,
    Place,
    make_entry,
    read_entry,
)
from p2p.table.logbook import LogMark
from p2p.table.phase import Phase
from p2p.table.replay import verify_log
from p2p.table.table import Table
from p2p.wire import Malformed
from tests.fuzz.draw import Draw, told
from tests.fuzz.matches import LIAR, Moment, list_tiny, moments
from tests.ring import bare, identities
from tests.standin import standin_group

MOST = 16
"""Statements in one input at most."""
ROUNDS = 100
"""Times that everything said is carried about at most; honest tables are silent long before."""
BACK = 20
"""Times that a table goes back at most."""
LISTED = 12
"""Options of which one is chosen."""

STRANGER = identities(9)[8]


def one_input(data: bytes) -> None:
    list_tiny()
    draw = Draw(data)
    at = draw.one(moments())
    Session(at, draw).spend()


class Session:
    """The honest tables, and the liar's own, which says what an honest program would."""

    def __init__(self, moment: Moment, draw: Draw) -> None:
        self.draw, self.who = draw, moment.who
        self.tables = moment.tables()
        self.journals = [journal for journal, _log, _held in moment.disks]
        self.logs = [b"" for _ in self.tables]
        self.marks: list[LogMark | None] = [None for _ in self.tables]
        self.liar = self.tables[LIAR]
        self.honest = [seat for seat in range(len(self.tables)) if seat != LIAR]
        self.waiting: deque[bytes] = deque()
        """Entries that the liar's table has said and nobody has heard."""
        self.past: list[Entry] = []
        """The entries that have been made of them."""
        self.lied = False
        self.back = [0] * len(self.tables)
        """How often each went back."""
        self.slow: int | None = None
        """An honest seat that nobody hears for a while."""
        self.late: list[bytes] = []
        """The entries of that seat."""
        self.accused: dict[int, Fault] = {}
        """The fault that each honest seat has found."""
        self.verdicts: list[tuple[Fault, bytes]] = []

        self.calls = moment.calls

    def spend(self) -> None:
        self.settle()
        self.begin()
        self.settle()
        for _ in range(MOST):
            if not self.draw.more:
                break
            self.statement(self.draw.byte())
            self.settle()
        while self.waiting:
            self.receive(self.waiting.popleft(), self.honest)
            self.settle()
        self.catch_up()
        self.judge()

    def begin(self) -> None:
        """Let something about membership be in progress when the liar first speaks."""
        others = self.honest[1:]
        if self.calls in ("voted", "flush", "lie"):
            self.slow = others[0]
        match self.calls:
            case "vote":
                self.vote(self.honest[0], LIAR)
            case "voted":
                for seat in self.honest:
                    self.vote(seat, LIAR)
            case "leave" | "flush":
                self.leave(others[-1])
            case "lie" if self.waiting:
                like = read_entry(self.liar.terms, self.liar.match, self.waiting.popleft())
                other = make_entry(
                    self.who[LIAR],
                    like.match,
                    like.stage_key,
                    LIAR,
                    like.head,
                    {**like.body, "value": 1},
                )
                self.past += [like, other]
                self.lied = True
                self.receive(like.data, self.honest)
                self.receive(other.data, others[:1])

    def catch_up(self) -> None:
        """Let everybody hear the slow seat."""
        late, self.late, seat, self.slow = self.late, [], self.slow, None
        for data in late:
            for other, table in enumerate(self.tables):
                if other != seat:
                    table.receive(data)
        self.settle()
        while self.waiting:
            self.receive(self.waiting.popleft(), self.honest)
            self.settle()

    def statement(self, how: int) -> None:
        draw = self.draw
        match how % 16:
            case 0 | 1 | 2:
                if self.waiting:
                    self.receive(self.waiting.popleft(), self.some())
            case 3 | 4 | 5 | 6:
                self.lie(self.template(keep=False), place=False)
            case 7:
                self.lie(self.template(keep=True), place=False)
            case 8 | 9:
                self.lie(self.template(keep=how % 2 == 0), place=True)
            case 10 | 11 | 12:
                self.move(draw.below(len(self.tables)))
            case 13:
                while self.tables[draw.below(len(self.tables))].make_ahead():
                    pass
            case 14:
                self.go(draw.byte())
            case _ if self.slow is not None:
                self.catch_up()
            case _:
                self.receive(draw.some(draw.byte()), self.honest)

    def template(self, *, keep: bool) -> Entry | None:
        """The next entry of the liar's table, or an earlier one."""
        if self.waiting:
            data = self.waiting[0] if keep else self.waiting.popleft()
            self.past.append(read_entry(self.liar.terms, self.liar.match, data))
            return self.past[-1]
        return self.draw.one(self.past) if self.past else None

    def lie(self, like: Entry | None, *, place: bool) -> None:
        """Say something else in the place of an entry; or the same, or something else, somewhere
        else."""
        if like is None:
            return
        draw, seat, who = self.draw, LIAR, self.who[LIAR]
        stage_key, head = like.stage_key, like.head
        if place:
            stage_key, head = self.stage_key(like), self.head(like)
            if draw.byte() > 240:
                seat, who = draw.below(18), draw.one((*self.who, STRANGER))
        body = draw.value(like.body)
        try:
            entry = make_entry(
                who,
                like.match,
                stage_key,
                seat,
                head,
                body if type(body) is dict else {"value": body},
            )
        except TypeError:  # nested too deeply to be spelled
            return
        self.lied |= entry.data != like.data and who in (self.who[LIAR], STRANGER)
        if who not in (self.who[LIAR], STRANGER) and seat in self.honest:
            return  # nobody else can sign for an honest seat
        if entry.data not in [old.data for old in self.past]:
            self.past.append(entry)
        self.receive(entry.data, self.some())

    def stage_key(self, like: Entry) -> Any:
        draw, step = self.draw, max(1, self.liar.steps + self.draw.below(5) - 1)
        epoch = (
            max(0, self.liar.mark[0] + draw.below(4) - 1)
            if draw.byte() % 4 == 0
            else self.liar.mark[0]
        )
        flush = self.flush_place(epoch)
        calls = ((LEAVE, epoch), self.vote_place(epoch), flush, (STAND, *flush[1:]))
        places: tuple[Place, ...] = (
            like.place,
            (STEP, epoch, step),
            *calls,
            (SEAL, epoch, step),
        )
        place = draw.one((*places, *(old.place for old in self.past[-4:]), None))
        if place is None:
            drawn = draw.value(_thawed(like.place))
            place = tuple(drawn) if type(drawn) is list else (drawn,)
        return (place, draw.one((like.stage, 0, 0, 1, 2, 63, 64)))

    def point(self) -> bytes:
        return self.draw.one(
            [
                *(table.waiting_at for table in self.tables),
                *(table.head for table in self.tables),
                bytes(32),
            ]
        )

    def vote_place(self, epoch: int) -> Place:
        return (VOTE, epoch, self.point(), self.draw.below(len(self.tables)))

    def flush_place(self, epoch: int) -> Place:
        """The place of a flush for the round of a table, or for another one."""
        draw = self.draw
        gone = tuple(sorted({draw.below(len(self.tables)) for _ in range(draw.below(3))}))
        called = tuple(
            sorted({(draw.below(len(self.tables)), self.point()) for _ in range(draw.below(3))})
        )
        heard = tuple(call for call in called if draw.byte() % 2)
        return (FLUSH, epoch, gone, called, heard)

    def head(self, like: Entry) -> bytes:
        heads = [
            like.head,
            *(table.head for table in self.tables),
            *(old.head for old in self.past[-4:]),
            bytes(32),
            b"",
        ]
        return self.draw.one(heads)

    def some(self) -> list[int]:
        """The honest seats that hear something: most often all."""
        chosen = self.draw.below(4 + len(self.honest)) - 4
        return self.honest if chosen < 0 else [self.honest[chosen]]

    def move(self, seat: int) -> None:
        table = self.tables[seat]
        if table.asked:
            view = table.view()
            assert view.options is not None
            table.act(self.draw.one(list(islice(view.options, LISTED))))

    def go(self, how: int) -> None:
        """Somebody leaves, or votes, or all honest seats want to go on without the liar."""
        count = len(self.tables)
        match how % 4:
            case 0:
                for seat in self.honest:
                    self.vote(seat, LIAR)
            case 1:
                self.vote((how >> 2) % 4 % count, (how >> 4) % count)
            case _:
                self.leave(how % count)

    def vote(self, seat: int, without: int) -> None:
        may = self.tables[seat].may_vote(without)
        try:
            self.tables[seat].vote(without)
            assert may
        except IllegalMove as error:
            assert not may
            told(error)

    def leave(self, seat: int) -> None:
        try:
            self.tables[seat].leave()
        except IllegalMove as error:
            told(error)

    # The mesh.

    def receive(self, data: bytes, seats: list[int]) -> None:
        for seat in seats:
            try:
                self.tables[seat].receive(data)
            except (Malformed, BadSignature) as error:
                told(error)
            self.tables[seat].proceed()

    def settle(self) -> None:
        """Carry the entries of honest tables about until they are silent; those of the liar's
        wait."""
        for _ in range(ROUNDS):
            busy = False
            for seat in range(len(self.tables)):
                for data in self.sent_by(seat):
                    busy = True
                    if seat == LIAR:
                        self.waiting.append(data)
                        continue
                    if seat == self.slow:
                        self.late.append(data)
                        continue
                    for other, table in enumerate(self.tables):
                        if other != seat:
                            table.receive(data)  # from an honest seat everything can be read
            if not busy:
                return
        raise AssertionError("the tables go on talking for ever")

    def sent_by(self, seat: int) -> list[bytes]:
        table = self.tables[seat]
        table.proceed()
        self.journals[seat] += table.data_to_store()
        mark = self.marks[seat]
        if mark is None or table.mark > mark:
            at, data = table.log_update(mark)
            self.logs[seat] = self.logs[seat][:at] + data
            self.marks[seat] = table.mark
        self.look(table, seat)
        said = table.data_to_send()
        return [data for data in said if seat != LIAR or data not in self.waiting]

    def look(self, table: Table, seat: int) -> None:
        assert table.phase is not Phase.DIVERGED
        for event in table.events():
            assert repr(event)
            if isinstance(event, WentBack):
                self.back[seat] += 1
                assert self.back[seat] < BACK, "a table goes back for ever"
            if isinstance(event, Accused):
                assert event.fault.seat == LIAR, event.fault
                assert self.lied, event.fault
                if seat != LIAR:
                    self.accused[seat] = event.fault
                    # else its log convicts, or nothing more comes of it
                    if LIAR not in table.gone and not table.over:
                        self.verdicts.append((event.fault, table.verdict(event.fault)))
            assert not (isinstance(event, Differs) and event.seat is None)
        table.view()

    # Results.

    def judge(self) -> None:
        logs = [self.logs[seat] for seat in self.honest]
        for seat, log in zip(self.honest, logs, strict=True):
            verdict = verify_log(log, standin_group())
            assert {fault.seat for fault in verdict.faults} <= {LIAR}
            assert verdict.complete == (self.tables[seat].sealed and not verdict.voted_out)
            if self.tables[seat].how(LIAR) == "convicted" and LIAR in self.tables[seat].gone:
                assert (LIAR, "convicted") in [(one.seat, one.how) for one in verdict.gone]
                assert verdict.faults  # perhaps by another one than we saw first
        records = [bare(log) for log in logs]
        longest = max(records, key=len)
        assert all(longest[: len(found)] == found for found in records), "two honest logs disagree"
        for fault, log in self.verdicts:
            verdict = verify_log(log, standin_group())
            # Perhaps of another fault: its evidence may show more than the one that we saw.
            assert fault.seat in {found.seat for found in verdict.faults}, (
                f"{fault!r}, but the verdict says {verdict.faults}"
            )


def _thawed(value: Any) -> Any:
    """Return a place with all its tuples as lists, as it is spelled."""
    return [_thawed(item) for item in value] if type(value) is tuple else value
