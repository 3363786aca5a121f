"""A table that lies in exactly one way, the ring it sits in, and the fault that the others must
then name.

A lie says at which place (a round's name and a stage) it is told and how. It is told once, at the
first occasion. A changed entry is signed rightly: only its content is wrong. The group is the
stand-in: its equations are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.requests import Ask, Deal, Open, Prove, Request, Shuffle, Toss
from engine.games import GAMES
from p2p.table.events import Accused
from p2p.table.faults import FAULTS, Fault
from p2p.table.log import FLUSH, LEAVE, SEAL, STAND, VOTE, Body, Entry, StageKey
from p2p.table.phase import Phase
from p2p.table.replay import Verdict, verify_log
from p2p.table.table import Table
from tests.engine.tiny_game import Tiny
from tests.ring import Ring, bare
from tests.standin import standin_group

FIRST, SEEDS = 20, 60
"""The first match gives occasion for most lies; at most so many are tried."""

At = tuple[str, int]
"""A round's name and a stage."""

NAMES: dict[type[Request[Any]], str] = {
    Shuffle: "shuffle",
    Deal: "deal",
    Open: "open",
    Prove: "prove",
    Toss: "toss",
}


class Trusting(Tiny):
    """Tiny without proofs: a false denial or pass comes out when the hands are opened."""

    name = "trusting"

    async def prove(self, seats, among, slots=None):
        del seats, among, slots


KEPT: At = ("shuffle", 4)
"""Where the holders of a deck of three keep it, or burn their keys."""


def speaker(at: At) -> int:
    """Return the seat that lies at a place: a seat that shuffles is asked in turn; of all others
    the second one."""
    return at[1] - 1 if at[0] == "shuffle" and 0 < at[1] < KEPT[1] else 1


GAMES_HERE = {"tiny": Tiny, "trusting": Trusting}


@dataclass(frozen=True)
class Lie:
    """`tell` returns what is said instead of the body, or None where there is no occasion."""

    name: str
    at: At
    tell: Callable[[Liar, StageKey, bytes, Body], Body | None]
    faults: tuple[type[Fault], ...]
    game: str = "tiny"
    seat: int = 1
    last: bool = False
    """Whether the liar first hears what all others say."""

    def __str__(self) -> str:
        names = "|".join(fault.__name__ for fault in self.faults)
        return f"{self.game}: {self.at[0]}, stage {self.at[1]}: {self.name} -> {names}"


class Liar(Table):
    """A table that speaks as its lie makes it."""

    lie: Lie
    others: list[Table]
    told = False

    def at(self, stage_key: StageKey) -> At:
        """Name a place as lies do."""
        if stage_key[0][0] in (SEAL, LEAVE, VOTE, FLUSH, STAND):
            return (stage_key[0][0], stage_key[1])
        assert self.progress.exchange is not None
        return (round_name(self.progress.exchange.round), stage_key[1])

    def proceed(self) -> None:
        try:
            super().proceed()
        except StopIteration:  # it named another's card, so it has no true answer any more
            if not self.told:
                raise
            self.enter(Phase.DIVERGED)

    def may_sign_on(self, head: bytes) -> bool:
        exchange = self.progress.exchange
        if (
            self.lie.last
            and not self.told
            and exchange is not None
            and self.at(exchange.stage_key) == self.lie.at
        ):
            return exchange.missing() == (self.seat,) and super().may_sign_on(head)
        return super().may_sign_on(head)

    def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
        if not self.told and self.at(stage_key) == self.lie.at:
            said = self.lie.tell(self, stage_key, head, body)
            if said is not None and said != body:
                self.told = True
                body = said
        return super().sign(stage_key, head, body)


def some_lies(lies: Sequence[Lie], every: int) -> list[Lie]:
    """Return every n-th lie, and the first of each name, and the first at each place."""
    seen: set[object] = set()
    some = []
    for number, lie in enumerate(lies):
        marks = {lie.name, (lie.game, lie.at)}
        if number % every == 0 or not marks <= seen:
            seen |= marks
            some.append(lie)
    return some


def round_name(turn: Any) -> str:
    """Name a round: that of its request; questions are `ask`, `sealed`, `any`, or `attest` if they
    are automatic."""
    request = turn.request
    if isinstance(request, Ask):
        if request.auto:
            return "attest"
        return "sealed" if turn.commits else "any" if request.kind == "any" else "ask"
    return NAMES[type(request)]


def lying(kind: type[Liar], **facts: Any) -> type[Table]:
    """Return the kind of a liar about which these facts hold."""
    return type("ALiar", (kind,), facts)


def the_liar(ring: Ring, seat: int) -> Any:
    """Return the liar at a seat, when it has been shown what the others hold."""
    liar = ring.tables[seat]
    assert isinstance(liar, Liar)
    liar.others = [table for table in ring.tables if table is not liar]
    return liar


def ring_with(
    lie: Lie, number: int = 0, kind: type[Liar] = Liar, **options: Any
) -> tuple[Ring, Liar]:
    """Seat three, one of whom lies. Escoba is one deal, and the match ends when the liar goes, as
    far as the rules allow that. The number stands for the cards."""
    kinds = [Table, Table, Table]
    kinds[lie.seat] = lying(kind, lie=lie)
    options = options or ({"target": 1} if lie.game == "escoba" else {})
    if lie.game in GAMES and "leaving" in GAMES[lie.game].choices:
        options = {"leaving": "end", **options}
    ring = Ring(
        lie.game,
        3,
        group=standin_group(),
        seed=f"lie{FIRST + number}",
        table_class=kinds,
        **options,
    )
    return ring, the_liar(ring, lie.seat)


def tell(lie: Lie, **options: Any) -> Ring:
    """Play matches until one gives occasion for the lie; return that one, played until nobody has
    anything to say."""
    for number in range(SEEDS):
        ring, liar = ring_with(lie, number, **options)
        ring.play()
        if liar.told:
            return ring
    raise AssertionError(f"no occasion for this lie: {lie}")


def must_name(ring: Ring, seat: int, faults: tuple[type[Fault], ...] = FAULTS) -> Fault:
    """Require that all others name that seat, and only it, with evidence that convinces whoever has
    only the log."""
    found, logs = [], []
    for honest in ring.others(seat):
        ring.store(honest)
        table = ring.tables[honest]
        accused = [event.fault for event in ring.events[honest] if isinstance(event, Accused)]
        assert [fault.seat for fault in accused] == [seat], f"p{honest + 1} names {accused}"
        assert table.over
        found.append(accused[0])
        if table.fault is None:  # the match had ended: nothing is undone, but it is said
            assert isinstance(accused[0], faults)
            assert verify_log(ring.logs[honest], ring.group).complete == table.sealed
            continue
        assert (table.fault.id, table.fault.seat) == (accused[0].id, seat)
        assert isinstance(table.fault, faults), repr(table.fault)
        assert not table.waiting
        assert table.sealed
        assert (seat, "convicted") in [(one.seat, one.how) for one in convinced(ring, honest).gone]
        logs.append(bare(ring.logs[honest]))
    assert all(log == logs[0] for log in logs)
    assert not ring.charged
    return found[0]


def convinced(ring: Ring, seat: int) -> Verdict:
    """Let somebody who has only a seat's log judge it: it was sealed without the liar, and shows
    why."""
    verdict = verify_log(ring.logs[seat], ring.group)
    assert verdict.complete
    return verdict


def list_games(monkeypatch: Any) -> None:
    """Put the games of these tests into the catalogue."""
    for name, game in GAMES_HERE.items():
        monkeypatch.setitem(GAMES.classes, name, game)


def leaves(value: Any, change: Callable[[bytes], bytes]) -> Any:
    """Change every string of bytes in a body."""
    if type(value) is bytes:
        return change(value)
    if type(value) is list:
        return [leaves(item, change) for item in value]
    if type(value) is dict:
        return {name: leaves(item, change) for name, item in value.items()}
    return value
