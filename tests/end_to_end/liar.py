"""The program with a liar at its table: `python -m tests.end_to_end.liar LIE join …`. All that it
says is rightly signed.

proof      the proofs of its second deal do not hold
votes      it votes against all others at once, and flushes as if that were enough (A1)
back       the same, with a flush that would bring everybody back to the beginning (A2)
seal       it never seals (A6)
"""

from __future__ import annotations

import sys
from typing import Any

from client.__main__ import main
from p2p.table.calls import flush_place
from p2p.table.log import FLUSH, VOTE, Body, Entry, StageKey, make_entry
from p2p.table.match import Match
from p2p.table.table import Table
from p2p.table.view_change import ChangeRound

AFTER = 12
"""Records after which it votes."""


class Proof(Match):
    """It says shares with proofs that do not hold."""

    deals = 0

    def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
        if set(body) == {"shares"} and stage_key[0][0] == "step":
            self.deals += 1
            if self.deals == 2:
                body = {"shares": [[shares, bytes(len(proof))] for shares, proof in body["shares"]]}
        return super().sign(stage_key, head, body)


class Votes(Match):
    """It is alone against all others."""

    back = False
    told = False

    def take_in(self, entry: Entry) -> bool:
        """Forget what it has said about membership, and so play on."""
        if entry.seat == self.seat and entry.place[0] in (VOTE, FLUSH):
            return False
        return super().take_in(entry)

    def proceed(self) -> None:
        super().proceed()
        point = self.views.now.step_point
        if self.steps < AFTER or self.told or self.over or point is None:
            return
        self.told = True
        assert self.seat is not None
        others = [seat for seat in self.views.now.members if seat != self.seat]
        flush = flush_place(
            self.views.now.view, ChangeRound((), tuple((seat, point) for seat in others))
        )
        places = [*((VOTE, self.views.now.view, point, seat) for seat in others), flush]
        for place in places:
            at = 0 if self.back else self.steps
            body = {} if place[0] == VOTE else {"records": at, "done": b""}
            head = self.head if place[0] == VOTE else self.progress.trail[at]
            assert self.identity is not None
            self.to_send.append(
                make_entry(self.identity, self.id, (place, 0), self.seat, head, body).data
            )


class Back(Votes):
    """It is alone against all others, and against the moves that have been played."""

    back = True


class Seal(Match):
    """It plays to the end, and goes without having sealed."""

    def _seal(self) -> bool:
        return False


LIES = {"proof": Proof, "votes": Votes, "back": Back, "seal": Seal}


def lie(kind: str) -> Any:
    """Run the program with that match: the liar's own program is another one."""
    Table.kind = LIES[kind]
    return main()


if __name__ == "__main__":
    sys.exit(lie(sys.argv.pop(1)))
