"""The program with a liar at its table: `python -m tests.end_to_end.liar LIE join …`. All that it
says is rightly signed.

proof      the proofs of its second deal do not hold
votes      it votes against all others at once, and flushes as if that were enough (A1)
back       it flushes as if another had left, which would bring everybody back to the beginning (A2)
seal       it never seals (A6)
deafen     it tells one peer 80 words that fit nowhere yet, before any other (B1)
"""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

from client.__main__ import main
from client.session import match
from client.session.router import Router
from client.session.seats import Beginning, LocalSeats
from p2p.table.epoch_entries import ChangeRound
from p2p.table.hashing import h
from p2p.table.log import FLUSH, VOTE, Body, Entry, StageKey, make_entry
from p2p.table.member_entries import flush_place
from p2p.table.table import Table

AFTER = 12
"""Records after which it votes."""


class Proof(Table):
    """It says shares with proofs that do not hold."""

    deals = 0

    def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
        if set(body) == {"shares"} and stage_key[0][0] == "step":
            self.deals += 1
            if self.deals == 2:
                body = {"shares": [[shares, bytes(len(proof))] for shares, proof in body["shares"]]}
        return super().sign(stage_key, head, body)


class Votes(Table):
    """It is alone against all others."""

    back = False
    told = False

    def take_in(self, entry: Entry) -> bool:
        """Forget what it has said about membership, and so play on."""
        if entry.seat == self.seat and entry.kind in (VOTE, FLUSH):
            return False
        return super().take_in(entry)

    def proceed(self) -> None:
        super().proceed()
        now, point = self.epochs.now, self.epochs.records.stage
        if self.steps < AFTER or self.told or self.over or point is None:
            return
        self.told = True
        assert self.seat is not None
        assert self.identity is not None
        others = tuple(seat for seat in now.members if seat != self.seat)
        begin = self.epochs.begins[now.number]
        votes = [
            make_entry(
                self.identity,
                self.match,
                ((VOTE, now.number, point, seat), 0),
                self.seat,
                begin,
                {},
            )
            for seat in others
        ]
        of = ChangeRound((), tuple((seat, point) for seat in others))
        head, records = self.head, self.steps
        if self.back:
            of, head, records = ChangeRound(others[:1]), begin, 0
        body = {"records": records, "done": b"", "reasons": sorted(vote.hash for vote in votes)}
        flush = (flush_place(now.number, of), 0)
        said = [*votes, make_entry(self.identity, self.match, flush, self.seat, head, body)]
        self.to_send += [entry.data for entry in said]


class Back(Votes):
    """It is alone against all others, and against the moves that have been played."""

    back = True


class Seal(Table):
    """It plays to the end, and goes without having sealed."""

    def seal(self) -> bool:
        return False


LIES = {
    "proof": Proof,
    "votes": Votes,
    "back": Back,
    "seal": Seal,
    "deafen": Table,
}


def deafen(
    router: Router, local_seats: LocalSeats, host: bytes | None = None, begin: Any = Router.sit_down
) -> None:
    """Begin the match, and tell one peer words that fit nowhere yet."""
    victim = max(router.setup.members)
    for held in local_seats.tables.values():
        assert held.identity is not None
        assert held.seat is not None
        for number in range(80):
            stage_key = (("step", 0, 1000 + number), 0)
            word = make_entry(held.identity, held.match, stage_key, held.seat, h("no", number), {})
            router.post(word.data, to=victim)
    begin(router, local_seats, host)


def lie(kind: str) -> Any:
    """Run the program with that match: the liar's own program is another one."""
    match.Beginning = partial(Beginning, kind=LIES[kind])  # type: ignore[misc, assignment]  # the program sits down with this
    if kind == "deafen":
        Router.sit_down = deafen
    return main()


if __name__ == "__main__":
    sys.exit(lie(sys.argv.pop(1)))
