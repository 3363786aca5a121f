"""The program with a liar at its table: `python -m tests.end_to_end.liar LIE join …`. All that it
says is rightly signed.

proof      the proofs of its second deal do not hold
votes      it votes against all others at once, and flushes as if that were enough (A1)
back       it flushes as if another had left, which would bring everybody back to the beginning (A2)
seal       it never seals (A6)
shuffle    it never shuffles
flor       it sings a flor that it has not, when the other one at its table has none
deafen     it tells one peer 80 words that fit nowhere yet, before any other (B1)
"""

from __future__ import annotations

import sys
from typing import Any

from client.__main__ import main
from client.session import seats
from client.session.router import Links
from client.session.seats import LocalSeats
from engine.core.moves import Face, spell_move
from engine.games.truco.moves import Call, Show
from engine.games.truco.rules import Truco
from engine.games.truco.worth import is_flor
from p2p.table.calls import flush_place
from p2p.table.choices import AskRound
from p2p.table.epoch_entries import ChangeRound
from p2p.table.log import DECK, FLUSH, VOTE, Body, Entry, StageKey, make_entry
from p2p.table.table import Table
from p2p.table.terms import h

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
        if entry.seat == self.seat and entry.place[0] in (VOTE, FLUSH):
            return False
        return super().take_in(entry)

    def proceed(self) -> None:
        super().proceed()
        now, point = self.epochs.now, self.epochs.line.stage
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

    def _seal(self) -> bool:
        return False


class Shuffle(Table):
    """It gives keys for decks, and nothing more."""

    def may_sign_on(self, head: bytes) -> bool:
        exchange = self.progress.exchange
        made = exchange is not None and exchange.place[0] == DECK and exchange.stage > 0
        return not made and super().may_sign_on(head)


class Flor(Table):
    """It sings a flor that it has not."""

    def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
        if "move" in body and self.may_sing() and not is_flor(self.own()):
            here = self.progress.here
            shares = here.masks.give((), head, here.entropy)
            body = {"move": spell_move(Call("flor")), "shares": shares}
        return super().sign(stage_key, head, body)

    def _one_thing(self) -> bool:
        """Show the flor that it has won with: its own rules find none to show."""
        asked = self.progress.exchange.round if self.progress.exchange is not None else None
        game = self.run.game
        assert isinstance(game, Truco)
        sung = game.flors and game.flors[0][0] == self.seat
        if sung and isinstance(asked, AskRound) and asked.request.auto and asked.move is None:
            holder, faces = game.holder, game.faces
            dealt = [slot for slot, seat in holder.items() if seat == self.seat]
            asked.move = Show(tuple(slot for slot in dealt if slot not in faces))
        return super()._one_thing()

    def may_sing(self) -> bool:
        """Whether as far as the other one can see its seat may sing a flor, and gets its points at
        once: the other one has played a card, and has none."""
        game = self.run.game
        assert isinstance(game, Truco)
        assert self.seat is not None
        return bool(game.played_by(1 - self.seat)) and game.flor_due(self.seat, {})[0]

    def own(self) -> list[Face]:
        """Return the cards dealt to its seat."""
        faces, holder = self.progress.here.own_faces, self.run.game.holder
        return [faces[slot] for slot, seat in holder.items() if seat == self.seat]


LIES = {
    "flor": Flor,
    "proof": Proof,
    "votes": Votes,
    "back": Back,
    "seal": Seal,
    "shuffle": Shuffle,
    "deafen": Table,
}


def deafen(
    links: Links, local_seats: LocalSeats, host: bytes | None = None, begin: Any = Links.sit_down
) -> None:
    """Begin the match, and tell one peer words that fit nowhere yet."""
    victim = max(links.setup.members)
    for held in local_seats.tables.values():
        assert held.identity is not None
        assert held.seat is not None
        for number in range(80):
            stage_key = (("step", 0, 1000 + number), 0)
            word = make_entry(held.identity, held.match, stage_key, held.seat, h("no", number), {})
            links.post(word.data, to=victim)
    begin(links, local_seats, host)


def lie(kind: str) -> Any:
    """Run the program with that match: the liar's own program is another one."""
    seats.Table = LIES[kind]  # type: ignore[misc]  # the program sits down with this one
    if kind == "deafen":
        Links.sit_down = deafen
    return main()


if __name__ == "__main__":
    sys.exit(lie(sys.argv.pop(1)))
