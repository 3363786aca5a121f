"""Speaking out of turn at every place: where one is not asked, or for some other place on a head
that stands for this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2p.table.faults import OutOfTurn
from p2p.table.log import SEAL, StageKey
from tests.adversary.forms import ESCOBA, TINY
from tests.adversary.liar import At, Liar, Lie

Where = Callable[[Liar], "tuple[StageKey, bytes] | None"]


@dataclass(frozen=True)
class Interruption(Lie):
    """Said by itself, beside all that is due; `where` gives the place and the head."""

    where: Where = lambda liar: None


class Interrupter(Liar):
    """A table that says one thing more than it is asked for."""

    lie: Interruption

    def proceed(self) -> None:
        super().proceed()
        stage_key = (
            self.progress.exchange.stage_key if self.progress.exchange else self.progress.sealing
        )
        out = self.seat in self.epochs.gone or self.seat in self.epochs.now.gone
        if (
            self.told
            or out
            or self.over is not (stage_key[0][0] == SEAL)
            or self.at(stage_key) != self.lie.at
        ):
            return
        if (where := self.lie.where(self)) is not None:
            self.told = True
            super(Liar, self).sign(*where, {})


def head_of(liar: Liar) -> bytes:
    return liar.progress.exchange.head if liar.progress.exchange else liar.head


def unasked(liar: Liar) -> tuple[StageKey, bytes] | None:
    exchange = liar.progress.exchange
    if exchange is None or liar.seat in exchange.round.speakers(exchange.stage):
        return None
    return exchange.stage_key, exchange.head


def elsewhere(stage_key: Callable[[Liar], StageKey]) -> Where:
    return lambda liar: (stage_key(liar), head_of(liar))


def a_stage_later(liar: Liar) -> tuple[StageKey, bytes] | None:
    exchange = liar.progress.exchange
    return ((exchange.place, exchange.stage + 1), exchange.head) if exchange else None


def a_seal(liar: Liar) -> tuple[StageKey, bytes] | None:
    return (
        ((("seal", 0, liar.progress.here.step), 0), head_of(liar))
        if liar.progress.exchange
        else None
    )


def on_the_match(liar: Liar) -> tuple[StageKey, bytes] | None:
    """A step of the match on its head, while a deck with heads of its own is due."""
    return ((("step", 0, liar.progress.here.step), 0), liar.head)


ANYWHERE: dict[str, Where] = {
    "for the next step": elsewhere(lambda liar: (("step", 0, liar.progress.here.step + 1), 0)),
    "for a step long after": elsewhere(lambda liar: (("step", 0, 2**31 - 1), 0)),
    "for a stage that the first step has not": elsewhere(lambda liar: (("step", 0, 1), 40)),
    "for a deck of nobody": elsewhere(lambda liar: (("deck", 0, 9, bytes(32)), 0)),
    "for a stage later": a_stage_later,
    "a seal": a_seal,
}
NOT_ASKED: tuple[At, ...] = (
    ("shuffle", 0), ("shuffle", 1), ("shuffle", 2), ("shuffle", 3), ("open", 0), ("attest", 0),
    ("prove", 0), ("any", 0), ("ask", 0),
)  # fmt: skip
"""Places of Tiny in which not every seat speaks. (All deal, toss and bid.)"""


def lies() -> list[Interruption]:
    """List them."""

    def one(name: str, at: At, where: Where, game: str = "tiny") -> Interruption:
        # A seat that shuffles has said so and gone on before it can interrupt, so at seat 1's
        # shuffle seat 2 does.
        seat = 2 if at == ("shuffle", 2) else 1
        return Interruption(
            name,
            at,
            lambda liar, stage_key, head, body: None,
            (OutOfTurn,),
            game,
            seat,
            where=where,
        )

    found = [one("where it is not asked", at, unasked) for at in NOT_ASKED]
    found += [
        one("a step of the match while a deck is made", ("shuffle", stage), on_the_match)
        for stage in range(5)
    ]
    for game, places in (("tiny", TINY), ("escoba", ESCOBA)):
        for at in places:
            for name, where in ANYWHERE.items():
                if at[0] != "seal" or where not in (a_seal, a_stage_later):
                    found.append(one(name, at, where, game))
    return found
