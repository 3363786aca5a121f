"""An honest member: its knowledge, and the real `Epoch`, which says the entries that it signs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeVar

from p2p.table.epoch import Epoch
from p2p.table.epoch_entries import Change, Flush, Outcome, Stand
from p2p.table.owed import flush_owed, followed, stand_owed
from p2p.table.pool import Pool
from p2p.table.remember import remembered
from p2p.table.votes import Votes
from tests.model.heads import Entry, Heads, Record, Seats

Method = TypeVar("Method", bound=Callable[..., Any])


class Broken(AssertionError):
    """A guarantee does not hold."""


def claim(fact: object, text: str) -> None:
    if not fact:
        raise Broken(text)


class View:
    """The answers to the questions of an epoch about records."""

    def __init__(self, member: Member, number: int) -> None:
        self.member, self.number = member, number

    def known(self, head: bytes) -> bool:
        records = self.member.heads.records
        ours = head in records and records[head].epoch == self.number
        return ours and self.member.known(head)

    def heads_to(self, head: bytes) -> Sequence[bytes]:
        records = self.member.heads.records
        line = self.member.heads.line(head)
        return [one for one in line if records[one].epoch == self.number]

    def holders(self, head: bytes) -> Collection[int]:
        return ()  # of no deck

    def leads_to(self, flush: Flush) -> bool:
        return self.known(flush.head)  # its flushes do not count records

    def explains(self, flush: Flush) -> bool:
        return not flush.reasons  # and name none

    def has_entry(self, seat: int, head: bytes) -> bool:
        return (seat, head) in self.member.words

    def owing(self, head: bytes) -> Collection[int]:
        return self.member.points(self.number).get(head, ())

    def turn(self, seat: int, head: bytes) -> int:
        earlier = list(self.member.points(self.number).items())
        at = [one for one, _ in earlier].index(head)
        return sum(seat in owing for _, owing in earlier[:at])

    @property
    def stage(self) -> bytes | None:
        now = self.member.stage(self.number)
        return None if now is None else now[0]

    @property
    def settled(self) -> bytes:
        log = self.member.logs[self.number]
        return log[self.member.settled] if self.number == self.member.epoch else log[-1]


class Member:
    """An honest member. `out` are the seats that have gone where the rules had ended."""

    epoch_class = Epoch
    bounded = True
    """Whether its pool must not overflow: a planted bug may have another one."""

    def __init__(self, heads: Heads, seat: int) -> None:
        self.heads, self.seat = heads, seat
        self.got: dict[tuple[Any, ...], Entry] = {}
        self.more: dict[Entry, bool] = {}
        """Second stories, evidence with the first; further ones on the branch of a flush."""
        self.words: dict[tuple[int, bytes], Entry] = {}
        self.evidence: dict[int, tuple[Entry, Entry]] = {}
        self.pool: Pool[Entry] = Pool()
        self.logs = {0: [heads.begin]}
        self.settled = 0
        self.epoch = 0
        self.out: Seats = ()
        self.spoken: dict[Any, Any] = {}
        """Our choices, by members, step and stage: for the checks."""
        self.signed: list[Entry] = []
        self.met: list[str] = []
        self.saved: Member | None = None
        self.cached: dict[tuple[Any, ...], Any] = {}
        members = heads.records[heads.begin].members
        self.epochs = {0: self.epoch_class(b"", 0, members, seat, View(self, 0))}

    def copy(self) -> Member:
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list):
                setattr(other, name, value.copy())
        other.logs = {number: list(log) for number, log in self.logs.items()}
        other.cached = {}
        other.pool = copy.copy(self.pool)
        other.pool.waiting = {seat: list(some) for seat, some in self.pool.waiting.items()}
        other.epochs = {
            number: clone(epoch, View(other, number)) for number, epoch in self.epochs.items()
        }
        return other

    def save(self) -> None:
        """Write down what we know: a crash goes back to here."""
        self.saved = self.copy()
        self.saved.saved, self.saved.signed, self.saved.met = None, [], []

    def state(self) -> tuple[Any, ...]:
        """All that tells this member from another."""
        return (
            self.seat,
            frozenset(self.got.values()),
            frozenset(self.more),
            frozenset(self.words.values()),
            tuple(self.logs[self.epoch]),
            self.settled,
            self.out,
            tuple(epoch_state(epoch) for epoch in self.epochs.values()),
            tuple((seat, tuple(some)) for seat, some in sorted(self.pool.waiting.items()) if some),
        )

    @property
    def now(self) -> Epoch:
        return self.epochs[self.epoch]

    # Results of our knowledge.

    def holds(self, entry: Entry) -> bool:
        if entry.kind == "vote":
            epoch = self.epochs.get(entry.epoch)
            known = epoch is not None and entry.seat in epoch.voters(entry.place)
            return known or entry.key in self.got
        return self.got.get(entry.key) == entry or entry in self.more

    def held(self) -> Iterator[Entry]:
        """All that we could show."""
        yield from list(self.got.values())
        yield from list(self.more)
        for number, epoch in self.epochs.items():
            for call in list(epoch.calls()):
                for voter in sorted(epoch.voters(call)):
                    yield Entry("vote", voter, number, call)
        yield from list(self.pool)

    def branch(self, entry: Entry) -> bool:
        """Whether a word leads to the head of a flush: there every story is needed."""
        return any(
            entry in self.heads.content[at][2]
            for flush in self.got.values()
            if flush.kind == "flush"
            for at in self.heads.back(flush.body[0])
            if self.heads.content[at][0] in ("stage", "step")
        )

    @remembered
    def known(self, head: bytes) -> bool:
        if any(head in self.logs.get(epoch, ()) for epoch in (self.epoch, self.epoch - 1)):
            return True
        kind, *rest = self.heads.content[head]
        return kind in ("stage", "step") and all(map(self.holds, rest[1])) and self.known(rest[0])

    @remembered
    def stage(self, epoch: int) -> tuple[bytes, int, Seats, tuple[Entry, ...]] | None:
        """Where the match waits: head of the stage, its number, speakers, words."""
        last = head = self.logs[epoch][-1]
        if self.heads.ended(last):
            return None
        stages = self.heads.speakers(last)
        for number, speakers in enumerate(stages):
            found = (self.words.get((seat, head)) for seat in speakers)
            words = tuple(word for word in found if word is not None)
            if len(words) < len(speakers) or number == len(stages) - 1:
                break
            head = self.heads.of("stage", head, words)
            self.heads.under[head] = last
        return head, number, speakers, words

    @remembered
    def points(self, epoch: int) -> dict[bytes, Seats]:
        """The heads of stages of an epoch that we have come to, in order, and who owes a word."""
        now = self.stage(epoch)
        found = [] if now is None else [(now[0], now[2])]
        for at in self.heads.back(self.logs[epoch][-1] if now is None else now[0]):
            content = self.heads.content[at]
            if content[0] not in ("stage", "step"):
                break
            found.append((content[1], tuple(word.seat for word in content[2])))
        return dict(reversed(found))

    # Input.

    def needs(self, entry: Entry) -> bool:
        """Keep by need: whether something waits for this entry."""
        if entry.kind == "leave":
            return entry.epoch <= self.epoch
        epoch = self.epochs.get(entry.epoch)
        if epoch is None and entry.kind in ("word", "vote"):
            return self.leads(entry)
        if epoch is None or entry.kind == "junk":
            return False
        if entry.kind == "word":
            return self.known(entry.body[0])
        if entry.kind == "vote":
            return epoch.needs_vote(*entry.place)
        if entry.kind == "flush":
            return epoch.needs_flush(entry.seat, entry.place)
        return epoch.needs_stand(entry.seat, entry.place)

    def hear(self, entry: Entry) -> bool:
        """Take an entry that somebody shows; return whether anything is new."""
        if self.holds(entry):
            return False
        if entry.key in self.got:
            told = any(entry.key == other.key for other in self.more)
            if told and not self.branch(entry):
                return False
            self.more[entry] = True
            self.convict(self.got[entry.key], entry)
            return True
        if not self.needs(entry):
            return self.wait(entry)
        self.take(entry)
        self.proceed()
        return True

    def wait(self, entry: Entry) -> bool:
        """Keep an entry that nothing needs yet."""
        return self.pool.put(entry.seat, entry)

    def convict(self, first: Entry, second: Entry) -> None:
        """Take evidence as a whole, about any seat: everybody needs it."""
        self.evidence.setdefault(first.seat, (first, second))
        self.got.setdefault(first.key, first)
        self.got.setdefault(second.key, second)
        for entry in (first, second):
            if not self.holds(entry):
                self.more[entry] = True
            self.give(entry)
        for epoch in self.epochs.values():
            epoch.lose(first.seat)
        self.learn()
        self.proceed()

    def take(self, entry: Entry) -> None:
        """Take an entry that we need."""
        if entry.kind != "vote" or entry.epoch not in self.epochs:
            self.got[entry.key] = entry
        denied = self.give(entry)
        self.learn()
        if denied is not None:
            self.convict(denied, entry)

    def give(self, entry: Entry) -> Entry | None:
        """Hand an entry to its receiver; return another one that it denies."""
        if entry.kind == "word":
            self.words.setdefault((entry.seat, entry.body[0]), entry)
        if entry.kind == "leave":
            for number, epoch in self.epochs.items():
                if entry.epoch <= number:
                    epoch.lose(entry.seat)
        if (epoch := self.epochs.get(entry.epoch)) is None:
            return None
        if entry.kind == "vote":
            epoch.receive_vote(entry.seat, *entry.place)
        if entry.kind == "stand":
            epoch.receive_stand(Stand(entry.seat, entry.place, entry.body))
        if entry.kind == "flush" and (denied := epoch.receive_flush(entry.flush)) is not None:
            held = (*self.got.values(), *self.more)
            return next(e for e in held if e.kind == "flush" and e.flush == denied)
        return self.behind(entry)

    def behind(self, entry: Entry) -> Entry | None:
        """A flush behind a word of its seat, or the word. (From a round in which nobody is gone one
        resumes.)"""
        for other in self.got.values():
            if other.seat == entry.seat and other.epoch == entry.epoch:
                pair = {entry.kind: entry, other.kind: other}
                word, flush = pair.get("word"), pair.get("flush")
                if word is None or flush is None or not flush.place.gone:
                    continue
                if self.heads.under[word.body[0]] not in self.heads.line(flush.body[0]):
                    return other
        return None

    def learn(self) -> None:
        self.cached.clear()
        for epoch in self.epochs.values():
            epoch.learn()

    # Output: the entries that a program signs by itself.

    def sign(self, kind: str, epoch: int, place: Any = (), body: Any = ()) -> None:
        held = frozenset[Any]()
        if kind == "flush":
            held = frozenset(c for c in place.called if self.epochs[epoch].is_heard(c))
        entry = Entry(kind, self.seat, epoch, place, body, held)
        claim(entry.key not in self.got, f"p{self.seat} signs twice for {entry.key}")
        if kind == "word":
            self.check_word(entry)
        self.take(entry)
        self.save()
        self.signed.append(entry)

    def check_word(self, entry: Entry) -> None:
        record = self.heads.records[self.heads.under[entry.body[0]]]
        key = (record.members, record.done, entry.place[1])
        again = f"p{self.seat} chooses again in step {record.done} with the same seats"
        claim(key not in self.spoken, f"G9: {again}")
        before = self.spoken.get(entry.epoch, self.heads.begin)
        two = f"p{self.seat} speaks on two branches of epoch {entry.epoch}"
        claim(before in self.heads.back(entry.body[0]), f"G12: {two}")
        self.spoken[key], self.spoken[entry.epoch] = True, entry.body[0]

    def proceed(self) -> None:
        while self.one_thing():
            pass

    def one_thing(self) -> bool:
        entry = self.pool.take(self.needs)
        if entry is not None:
            if entry.kind == "vote" or entry.key not in self.got:
                self.take(entry)
            return True
        now, log = self.stage(self.epoch), self.logs[self.epoch]
        if now is not None and len(now[3]) == len(now[2]):
            self.end_step(now[0], now[3])
            return True
        if not self.now.bound and self.settled < len(log) - 1:
            self.settled = len(log) - 1
            self.learn()
            return True
        return self.flush_or_stand() or self.make()

    def end_step(self, head: bytes, words: tuple[Entry, ...]) -> None:
        log = self.logs[self.epoch]
        last = self.heads.records[log[-1]]
        after = self.heads.of("step", head, words)
        self.heads.record(
            after, Record(log[-1], last.epoch, last.members, last.count + 1, last.done + 1)
        )
        log.append(after)
        self.learn()

    def flush_or_stand(self) -> bool:
        for number, epoch in self.epochs.items():
            if (flush := flush_owed(epoch)) is not None:
                self.met.append("flushes where nobody goes" if not epoch.goes(flush.round) else "")
                self.met.append("flushes that name a change as done" if flush.done else "")
                self.sign("flush", number, flush.round, (flush.head, flush.done))
                return True
        for number, epoch in self.epochs.items():
            if (stand := stand_owed(epoch)) is not None:
                self.sign("stand", number, stand.round, stand.on)
                return True
        return False

    def next_head(self, change: Change) -> bytes:
        """The head of the epoch that a change begins."""
        return self.heads.of("epoch", change.base, change.k)

    def leads(self, entry: Entry) -> bool:
        """Whether a word or vote of the next epoch rests on a change that is whole."""
        head = entry.body[0] if entry.kind == "word" else entry.place[1]
        if entry.epoch != self.epoch + 1 or head not in self.heads.content:
            return False
        line = set(self.heads.back(head))
        whole = (self.now.whole(of) for of in self.now.flushed_rounds())
        return any(one is not None and self.next_head(one.change) in line for one in whole)

    def begun(self, change: Change, seat: int) -> bool:
        """Whether a seat is known to have signed something on the head after a change."""
        head = self.next_head(change)
        return any(
            entry.seat == seat and entry.epoch == self.epoch + 1 and head in self.heads.back(at)
            for entry in (*self.got.values(), *self.pool)
            if entry.kind in ("word", "vote")
            and (at := entry.body[0] if entry.kind == "word" else entry.place[1])
            in self.heads.content
        )

    def make(self) -> bool:
        epoch, outcome = self.now, self.now.change_owed or followed(self.now, self.begun)
        if outcome is None:
            return False
        self.met.append("changes followed" if self.now.change_owed is None else "")
        change = outcome.change
        self.check_change(epoch, outcome)
        self.met.append("changes")
        self.met.append("changes by votes" if set(change.goes) > set(change.round.gone) else "")
        self.met.append("changes taken over from an earlier round" if outcome.adopts else "")
        late = epoch.make(outcome)
        line = self.heads.line(change.base)
        if self.heads.ended(change.base):
            self.logs[self.epoch], self.settled, self.out = line, len(line) - 1, change.goes
            self.learn()
            return True
        after, last = self.heads.of("epoch", change.base, change.k), self.heads.records[change.base]
        members = tuple(seat for seat in last.members if seat not in change.goes)
        self.heads.record(
            after, Record(change.base, last.epoch + 1, members, last.count + 1, last.done)
        )
        epoch.over = True
        self.logs[self.epoch] = line
        self.begin(self.epoch + 1, [*line, after], late)
        return True

    def begin(self, number: int, log: list[bytes], late: dict[int, int]) -> None:
        """Begin the next epoch; the one before the last is over for good."""
        self.epoch, self.logs[number], self.settled = number, log, len(log) - 1
        members = self.heads.records[log[-1]].members
        epoch = self.epoch_class(b"", number, members, self.seat, View(self, number), late)
        for seat in members:
            left = any(("leave", seat, e, ()) in self.got for e in range(number + 1))
            if left or seat in self.evidence:
                epoch.lose(seat)
        self.epochs = {self.epoch - 1: self.epochs[number - 1], number: epoch}
        for entry in [one for one in self.got.values() if one.epoch == number]:
            if entry.kind == "vote":
                del self.got[entry.key]
                self.pool.put(entry.seat, entry)
        self.learn()

    def check_change(self, epoch: Epoch, outcome: Outcome) -> None:
        change, of = outcome.change, outcome.change.round
        claim(change.goes, "G9: a change in which nobody goes")
        settled = self.logs[self.epoch][self.settled]
        kept = settled in self.heads.line(change.base)
        lied = any(seat in self.evidence for seat in change.goes)
        out = self.seat not in change.stays  # then it follows those who stay
        claim(kept or lied or out, f"G1: p{self.seat} goes back behind a settled record")
        electorate = len(epoch.members) - len(of.gone)
        for seat in set(change.goes) - set(of.gone):
            few = f"{len(change.stays)} of {electorate} go on without p{seat}"
            claim(2 * len(change.stays) > electorate, f"G2: {few}")
            unheard = {call for call in of.unheard if call[0] == seat}
            flushes = [f for f in self.held() if f.kind == "flush" and f.flush in change.flushes]
            fair = unheard and not any(unheard & flush.held for flush in flushes)
            claim(
                fair or epoch.is_late(seat, of.called),
                f"G2: p{seat} is removed though one that stays held its entry when it flushed",
            )


def clone(epoch: Epoch, view: View) -> Epoch:
    """A copy of an epoch, for another member."""
    other = copy.copy(epoch)
    vars(other).update({name: deep(value) for name, value in vars(epoch).items()})
    other.records, other.cached = view, {}
    return other


def deep(value: Any) -> Any:
    """A copy of dictionaries, lists, sets and votes, and of those in them."""
    if isinstance(value, Votes):
        return copy.deepcopy(value)
    if isinstance(value, dict):
        return {key: deep(item) for key, item in value.items()}
    return value.copy() if isinstance(value, list | set) else value


def epoch_state(epoch: Epoch) -> tuple[Any, ...]:
    votes = frozenset((call, epoch.voters(call)) for call in epoch.calls())
    return epoch.number, epoch.gone, votes, epoch.made, epoch.stood, epoch.over
