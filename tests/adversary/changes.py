"""Lies about leaving: a flush that hides what was said, one that cannot be, two of them, votes that cannot be."""

from __future__ import annotations

from collections.abc import Callable

from p2p.table.events import Accused
from p2p.table.faults import FAULTS, BadForm, Equivocation, FalseFlush, Fault
from p2p.table.log import CUT, Body, Entry, Spot, make_entry
from p2p.table.replay import verify_log
from p2p.table.steps import Exchange
from p2p.table.table import Table
from tests.adversary.liar import Liar, Lie
from tests.ring import Ring
from tests.standin import standin_group

FLUSH, VOTE, LEAVING = ("cut", 0), ("expel", 0), ("leave", 0)
GAME = "siete-y-media"


def own_hidden(liar: Liar, spot: Spot, head: bytes, body: Body) -> Body | None:
    """Name nothing of one's own."""
    own = {entry.hash for entry in liar.inbox.known() if entry.seat == liar.seat}
    if (
        liar.progress.exchange is None
        or liar.seat not in liar.progress.exchange.said
        or liar.progress.exchange.place[0] != "step"
    ):
        return None
    held = [body["held"][at : at + 32] for at in range(0, len(body["held"]), 32)]
    return {**body, "held": b"".join(name for name in held if name not in own)}


def as_if_long_before(liar: Liar, spot: Spot, head: bytes, body: Body) -> Body:
    """Pretend to have stood where one stood long before: what came since would be undone."""
    return {**body, "step": 1, "first": 0, "trail": liar.trail[0], "held": b""}


def changed(**fields: object) -> Callable[[Liar, Spot, bytes, Body], Body]:
    return lambda liar, spot, head, body: {**body, **fields}


class Talker(Liar):
    """It flushes, and then says what it owes all the same."""

    late = False

    def _speak(self, exchange: Exchange) -> bool:
        return not self.late and super()._speak(exchange)

    def proceed(self) -> None:
        super().proceed()
        exchange = self.progress.exchange
        flushed = self._flushes.silenced(self.seat)
        if self.told or not flushed or exchange is None or exchange.place[0] != "step" or self.seat not in exchange.missing():
            return
        self.told = True
        super(Liar, self).sign(exchange.spot, exchange.head, {"more": 1})


class TwoFlushes(Liar):
    """It signs a second flush, in which it names nothing."""

    def sign(self, spot: Spot, head: bytes, body: Body) -> Entry:
        entry = super().sign(spot, head, body)
        if not self.told and spot[0][0] == CUT:
            self.told = True
            self.to_send.append(make_entry(self.identity, self.id, spot, self.seat, head, {**body, "held": b""}).data)
        return entry


KINDS: dict[str, type[Liar]] = {"says more after its flush": Talker, "signs two flushes": TwoFlushes}


class LongBefore(Liar):
    """It writes its flush on a head from long before."""

    def sign(self, spot: Spot, head: bytes, body: Body) -> Entry:
        return super().sign(spot, self.trail[0] if spot[0][0] == CUT and not self.told else head, body)


KINDS["stood there long before"] = LongBefore


def lies() -> list[Lie]:
    """Return all of them."""

    def one(name: str, at: tuple[str, int], tell: Callable[..., Body | None], *faults: type[Fault]) -> Lie:
        return Lie(name, at, tell, faults, GAME)

    return [
        one("names nothing of its own", FLUSH, own_hidden, FalseFlush),
        one("stood there long before", FLUSH, as_if_long_before, FalseFlush),
        one("says more after its flush", FLUSH, lambda *_: None, FalseFlush),
        one("signs two flushes", FLUSH, lambda *_: None, Equivocation),
        one("has no trail", FLUSH, changed(trail=b""), BadForm),
        one("has another trail than its head", FLUSH, changed(trail=bytes(32)), BadForm),
        one("has half a hash", FLUSH, changed(held=bytes(16)), BadForm),
        one("names one hash twice", FLUSH, changed(held=bytes(64)), BadForm),
        one("speaks in no step", FLUSH, changed(step=0), BadForm),
        one("begins before the beginning", FLUSH, changed(first=-1), BadForm),
        one("adds words to its flush", FLUSH, changed(more=1), BadForm),
        one("adds words to its leaving", LEAVING, changed(why="bored"), BadForm),
        one("adds words to its vote", VOTE, changed(why="slow"), BadForm),
    ]


def ring_for(lie: Lie, number: int) -> tuple[Ring, Liar]:
    """Four play siete y media; the second lies when the first has left, or in its own leaving or vote."""
    made: list[Liar] = []

    def liar(*args: object) -> Table:
        made.append(type("ALiar", (KINDS.get(lie.name, Liar),), {"lie": lie})(*args))
        return made[0]

    ring = Ring(GAME, 4, group=standin_group(), seed=f"cut{number}", table_class=[Table, liar, Table, Table], flood=True, deals=3)
    made[0].others = [table for table in ring.tables if table is not made[0]]
    ring.play(moves=3 + number)
    return ring, made[0]


def leave_in_mid_step(ring: Ring) -> None:
    """Keep back what the last seat says until the others can do nothing more; then the first leaves, and the rest arrives."""
    late: list[tuple[int, bytes]] = []
    for table in ring.tables:
        if isinstance(table, Talker):
            table.late = True
    ring.tap = lambda sender, receiver, data: () if sender == 3 and not late.append((receiver, data)) else (data,)
    ring.play()
    ring.tap = None
    if ring.tables[0].run.game.may_leave(0):
        ring.tables[0].leave()
    ring.settle()
    for receiver, data in late:
        ring.tables[receiver].receive(data)


def tell(lie: Lie) -> Ring:
    """Let matches come to the lie until one gives occasion for it; return that one, played to its end."""
    for number in range(20):
        ring, liar = ring_for(lie, number)
        if lie.at == LEAVING:
            liar.leave()
        elif lie.at == VOTE:
            liar.expel([3])
        elif not ring.tables[0].over and ring.tables[0].run.game.may_leave(0):
            leave_in_mid_step(ring)
        ring.play()
        if liar.told:
            return ring
    raise AssertionError(f"no occasion for this lie: {lie}")


def must_name(ring: Ring, lie: Lie) -> None:
    """Require that the honest seats who stay name the liar, and only it, go on without it, and have one log that shows it."""
    left = () if lie.at != FLUSH else ((0, "left"),)
    honest = [seat for seat in range(4) if seat != 1 and (seat, "left") not in left]
    for seat in honest:
        ring.store(seat)
        accused = [event.fault for event in ring.events[seat] if isinstance(event, Accused)]
        assert [fault.seat for fault in accused] == [1], (seat, accused)
        assert isinstance(accused[0], lie.faults or FAULTS), accused
        assert ring.tables[seat].sealed, (seat, ring.tables[seat].waiting)
    assert len({ring.logs[seat] for seat in honest}) == 1
    verdict = verify_log(ring.logs[honest[0]], ring.group)
    assert verdict.complete
    assert sorted(verdict.gone) == sorted([*left, (1, "convicted")])
    small = verify_log(ring.tables[honest[0]].verdict(verdict.faults[0]), ring.group)
    assert not small.complete
    assert not ring.charged
