"""Lies about membership: flushes that deny each other, calls without a form, two stories."""

from __future__ import annotations

from collections.abc import Callable

from p2p.table.events import Accused
from p2p.table.faults import BadForm, Equivocation, FalseFlush, Fault
from p2p.table.log import FLUSH, LEAVE, STAND, VOTE, Body, Entry, StageKey, make_entry
from p2p.table.replay import verify_log
from p2p.table.table import Table
from tests.adversary.liar import Liar, Lie, lying, the_liar
from tests.ring import Ring, bare
from tests.standin import standin_group

GAME = "siete-y-media"
Other = Callable[[Liar, StageKey, Body], "tuple[StageKey, Body] | None"]


def changed(**fields: object) -> Callable[[Liar, StageKey, bytes, Body], Body]:
    return lambda liar, stage_key, head, body: {**body, **fields}


class AlsoSigns(Liar):
    """Beside its flush, or its vote, it signs something else."""

    other: Other = staticmethod(lambda liar, stage_key, body: None)

    def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
        entry = super().sign(stage_key, head, body)
        other = (
            type(self).other(self, stage_key, body)
            if not self.told and self.at(stage_key) == self.lie.at
            else None
        )
        if other is not None:
            self.told = True
            assert self.identity is not None
            self.to_send.append(
                make_entry(self.identity, self.match, other[0], self.seat, head, other[1]).data
            )
        return entry


def two_flushes(liar: Liar, stage_key: StageKey, body: Body) -> tuple[StageKey, Body]:
    return stage_key, {**body, "reasons": []}


def of_round(*of: object) -> Other:
    """Sign its flush for another round as well."""
    return lambda liar, stage_key, body: (((FLUSH, stage_key[0][1], *of), 0), body)


CALL = (0, bytes(32))
OTHERS: dict[str, Other] = {
    "signs two flushes": two_flushes,
    "flushes for others too": of_round((3,), (), ()),
    "flushes when it has gone itself": of_round((0, 1), (), ()),
    "flushes though nobody goes": of_round((), (), ()),
    "calls a seat that is gone": of_round((0,), (CALL,), ()),
    "hears what was not called": of_round((), (), (CALL,)),
}


def lies() -> list[Lie]:
    """Return all of them."""

    def one(
        name: str, at: str, fault: type[Fault], tell: Callable[..., Body | None] = lambda *_: None
    ) -> Lie:
        return Lie(name, (at, 0), tell, (fault,), GAME)

    return [
        one("flushes for others too", FLUSH, FalseFlush),
        one("signs two flushes", FLUSH, Equivocation),
        *[one(name, FLUSH, BadForm) for name in list(OTHERS)[2:]],
        one("has no reasons", FLUSH, BadForm, changed(reasons=b"")),
        one("has a reason that is no hash", FLUSH, BadForm, changed(reasons=[b"half"])),
        one("has a reason twice", FLUSH, BadForm, changed(reasons=[bytes(32)] * 2)),
        one("has reasons out of order", FLUSH, BadForm, changed(reasons=[b"z" * 32, bytes(32)])),
        one("counts its reasons", FLUSH, BadForm, changed(reasons=[1])),
        one("has done what is no change", FLUSH, BadForm, changed(done=b"half")),
        one("adds words to its flush", FLUSH, BadForm, changed(more=1)),
        one("adds words to its stand", STAND, BadForm, changed(more=1)),
        one("adds words to its leaving", LEAVE, BadForm, changed(why="bored")),
        one("adds words to its vote", VOTE, BadForm, changed(why="slow")),
    ]


def kind(lie: Lie) -> type[Liar]:
    """Return the class of the liar that tells a lie of this file."""
    other = OTHERS.get(lie.name)
    return type("AlsoSignsThis", (AlsoSigns,), {"other": staticmethod(other)}) if other else Liar


def tell(lie: Lie) -> Ring:
    """Four play siete y media; the second lies when the first leaves, or in its own leaving or
    vote; then they play on."""
    for number in range(20):
        kinds = [Table, lying(kind(lie), lie=lie), Table, Table]
        ring = Ring(
            GAME,
            4,
            group=standin_group(),
            seed=f"change{number}",
            table_class=kinds,
            flood=True,
            deals=3,
        )
        liar = the_liar(ring, 1)
        ring.play(moves=3 + number)
        late = [seat for seat in (0, 2, 3) if ring.tables[1].may_vote(seat)]
        if lie.at[0] == LEAVE:
            ring.tables[1].leave()
        elif lie.at[0] == VOTE and late:
            ring.tables[1].vote(late[0])
        elif lie.at[0] in (FLUSH, STAND) and not ring.tables[0].over:
            ring.tables[0].leave()
        ring.play()
        if liar.told:
            return ring
    raise AssertionError(f"no occasion for this lie: {lie}")


def must_name(ring: Ring, lie: Lie) -> None:
    """Require that the honest seats that stay name the liar, and only it, go on without it, and
    have a log that shows it."""
    left = [(0, "left")] if lie.at[0] in (FLUSH, STAND) else []
    honest = [2, 3] if left else [0, 2, 3]
    for seat in honest:
        ring.store(seat)
        accused = [event.fault for event in ring.events[seat] if isinstance(event, Accused)]
        assert {fault.seat for fault in accused} == {1}, (seat, accused)
        assert isinstance(accused[0], lie.faults), accused
        assert ring.tables[seat].sealed, (seat, ring.tables[seat].phase, ring.tables[seat].waiting)
        assert bare(ring.logs[seat]) == bare(ring.logs[honest[0]])
        verdict = verify_log(ring.logs[seat], ring.group)
        assert verdict.complete
        assert sorted((one.seat, one.how) for one in verdict.gone) == sorted(
            [*left, (1, "convicted")]
        )
        small = verify_log(ring.tables[seat].verdict(accused[0]), ring.group)
        assert small.convicts
        assert {fault.seat for fault in small.faults} == {1}
    assert not ring.charged
