"""Rules of epochs, each broken on purpose: the search must find every one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.core.moves import Seat
from p2p.table import pool
from p2p.table.epoch import Epoch
from p2p.table.epoch_entries import Call, ChangeRound, Outcome
from tests.model.heads import Entry
from tests.model.member import Member
from tests.model.search import Walked, walk


class KeepsAll(Member):
    """A member whose pool keeps all entries: its `hear` has another bound."""

    bounded = False

    def wait(self, entry: Entry) -> bool:
        waiting = self.pool.waiting.setdefault(entry.seat, [])
        if entry in waiting:
            return False
        waiting.append(entry)
        return True


class TheFirstDecide(KeepsAll):
    """The first entries of a seat that wait decide what of it can still be heard."""

    def hear(self, entry: Entry) -> bool:
        full = len(self.pool.waiting.get(entry.seat, [])) >= pool.POOL
        if full and entry.kind in ("word", "junk") and entry.key not in self.got:
            return False
        return super().hear(entry)


class TheFirstFlushesDecide(KeepsAll):
    """The first flushes of a seat decide which of it can still be heard."""

    def hear(self, entry: Entry) -> bool:
        known = [*self.got.values(), *self.pool]
        new = entry.kind == "flush" and entry.key not in self.got and entry not in known
        if new and sum(one[:2] == entry[:2] for one in known) >= pool.POOL:
            return False
        return super().hear(entry)


class NobodyGoes(Epoch):
    """A change that hears everybody is made all the same, and drops the step."""

    def may_go_on(self, of: ChangeRound, stays: Collection[Seat]) -> bool:
        return not self.goes(of) or super().may_go_on(of, stays)

    @property
    def stopped(self) -> bool:
        return bool(self.signed_by(self.own)) or super().stopped


class StopsForACall(NobodyGoes):
    """A member that holds the missing word stops for a call, and the step is dropped."""

    @property
    def stopped(self) -> bool:
        return bool(self.round.called) or super().stopped


class LateOnlyWhileWaiting(Epoch):
    """Lateness counts only while a call is open."""

    @property
    def round(self) -> ChangeRound:
        of, here = super().round, self.records.stage
        calls = [c for c in of.called if c[1] == here or not self.records.owing(c[1])]
        return ChangeRound(of.gone, tuple(calls), tuple(c for c in of.heard if c in calls))

    def make(self, outcome: Outcome, *, over: bool = False) -> dict[Seat, int]:
        super().make(outcome, over=over)
        return dict(self.late)


class NoStands(Epoch):
    """A change is made as soon as all have flushed."""

    @property
    def change_owed(self) -> Outcome | None:
        outcome = self.outcome(self.round)
        if self.over or self.made is not None or not self.stopped or outcome is None:
            return None
        return outcome if self.own in outcome.stays else None


class DoneIsNotNamed(Epoch):
    """A flush does not say which change its seat has made."""

    done = b""


class Unbound(Epoch):
    """A member that has stood goes on as soon as the word comes."""

    def released(self, of: ChangeRound) -> bool:
        return True


class AMinorityStays(Epoch):
    """Those who stay need not be more than half of the electorate."""

    def may_go_on(self, of: ChangeRound, stays: Collection[Seat]) -> bool:
        return bool(self.goes(of))


class TwoStories(Member):
    """Of a place only two stories are taken, also on the branch of a flush."""

    def branch(self, entry: Entry) -> bool:
        return False


class StageCallsRemove(Epoch):
    """A call at a stage removes a seat although another one goes."""

    def goes(self, of: ChangeRound) -> frozenset[Seat]:
        return super().goes(of) | {seat for seat, _ in of.unheard}


class CallsOnBranches(Epoch):
    """A call at a stage counts although somebody is gone."""

    def counts_when(self, call: Call, gone: frozenset[Seat]) -> bool:
        return True

    def is_heard(self, call: Call) -> bool:
        seat, point = call
        elsewhere = self.records.owing(point) and any(
            flush.round.gone and call not in flush.round.called and self.counts(flush)
            for flush in self.signed_by(seat)
        )
        return bool(elsewhere) or super().is_heard(call)


@dataclass(frozen=True)
class Bug:
    """A broken rule, and the walks in which it is looked for."""

    what: type[Member] | type[Epoch]
    seats: int
    liars: int = 1
    junk: int = 0
    seed: int = 0
    """The walk that shows it."""
    breaks: str = ""
    """The guarantee that it breaks there."""

    @property
    def name(self) -> str:
        return self.what.__name__

    @property
    def member(self) -> type[Member]:
        if issubclass(self.what, Member):
            return self.what
        return type(self.name, (Member,), {"epoch_class": self.what})

    def walk(self, seed: int) -> Walked:
        return walk(self.seats, self.liars, f"{self.name} {seed}", self.junk, self.member)


BUGS = (
    Bug(TheFirstDecide, 3, junk=6, seed=167, breaks="G5"),
    Bug(TheFirstFlushesDecide, 4, junk=6, seed=5, breaks="G8"),
    Bug(NobodyGoes, 3, seed=443, breaks="G9"),
    Bug(StopsForACall, 3, liars=2, seed=90, breaks="G9"),
    Bug(LateOnlyWhileWaiting, 4, seed=98, breaks="G8"),
    Bug(NoStands, 4, seed=16, breaks="G8"),
    Bug(DoneIsNotNamed, 4, seed=69, breaks="G8"),
    Bug(Unbound, 4, seed=97, breaks="G1"),
    Bug(AMinorityStays, 5, liars=2, seed=1831, breaks="G2"),
    Bug(TwoStories, 4, seed=23, breaks="G8"),
    Bug(StageCallsRemove, 3, seed=2954, breaks="G5"),
    Bug(CallsOnBranches, 4, seed=48, breaks="G8"),
)
