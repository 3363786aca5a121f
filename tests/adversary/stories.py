"""Two stories: a table that signs two different entries for one place, and tells one to each of the
others."""

from __future__ import annotations

import itertools
from typing import Any

from engine.core.moves import spell_move
from p2p.table.faults import BadForm, BadProof, Equivocation
from p2p.table.log import SEAL, Body, Entry, StageKey, make_entry
from tests.adversary.forms import ESCOBA, TINY
from tests.adversary.liar import KEPT, At, Liar, Lie, speaker
from tests.ring import Ring


class TwoFaced(Liar):
    """It has a second story, as good as the first where there is more than one truth to tell."""

    second: tuple[bytes, bytes] | None = None

    def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
        other = (
            self._other(stage_key, head, body)
            if not self.told and self.at(stage_key) == self.lie.at
            else None
        )
        entry = super().sign(stage_key, head, body)
        if other is not None and other != body:
            self.told = True
            self.second = (
                entry.data,
                make_entry(self.identity, self.match, stage_key, self.seat, head, other).data,
            )
        return entry

    def _other(self, stage_key: StageKey, head: bytes, body: Body) -> Body | None:
        if stage_key[0][0] == SEAL:
            return {"more": 1}  # a seal has but one spelling
        if self.at(stage_key) == KEPT:
            return {"burn": bytes(32)}
        if "nonce" in body:
            return {**body, "nonce": bytes(32)}  # and so has what was committed to
        if "yield" in body:
            return None
        turn, sealed = self.progress.exchange.round, self.journal.committed(self.progress.here.step)
        if "move" in body and self.lie.at[0] in ("ask", "any"):
            return self._other_move(turn, head, body)
        other: Body = turn.own(stage_key[1], head, self.progress.exchange.signed)
        if sealed is not None:
            self.journal.note_committed(self.progress.here.step, *sealed)
        return other

    def _other_move(self, turn: Any, head: bytes, body: Body) -> Body | None:
        options = self.run.options(self.seat, self.progress.here.own_faces)
        move = next(
            (move for move in itertools.islice(options, 9) if spell_move(move) != body["move"]),
            None,
        )
        return move and {"move": spell_move(move), "shares": turn.shares(move, head)}

    def story(self, sender: int, receiver: int, data: bytes) -> tuple[bytes, ...]:
        """The tap of its links: the last of the others hears the second story."""
        last = max(seat for seat in range(len(self.terms.participants)) if seat != self.seat)
        if sender == self.seat and receiver == last and self.second and data == self.second[0]:
            return (self.second[1],)
        return (data,)


def two_faced(ring: Ring, liar: TwoFaced) -> None:
    """Give the ring the links of this liar."""
    ring.tap = liar.story


def lies() -> list[Lie]:
    """List them; of the places of Escoba and Tiny those where a seat can choose its words, and some
    where it cannot."""

    def one(at: At, game: str) -> Lie:
        words = {("toss", 1): BadProof, ("sealed", 1): BadProof, ("seal", 0): BadForm}
        faults = (Equivocation, words[at]) if at in words else (Equivocation,)
        return Lie(
            "two stories", at, lambda liar, stage_key, head, body: None, faults, game, speaker(at)
        )

    # Attesting has one answer; where it shows a card, its proof has many spellings.
    return [one(at, game) for game, places in (("escoba", ESCOBA), ("tiny", TINY)) for at in places]
