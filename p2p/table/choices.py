"""The rounds in which seats choose a number or a move: open, or sealed until all committed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crypto.chance import below, fresh
from crypto.commitment import COMMITMENT, NONCE, check_reveal, commit
from engine.core.moves import Face, IllegalMove, Move, Seat, Slot, read_move, spell_move
from engine.core.requests import Ask, Toss
from engine.core.run import Run
from p2p.table.events import Moved, Tossed
from p2p.table.faults import Forgotten
from p2p.table.hashing import HASH
from p2p.table.log import Body, Entry
from p2p.table.round import Here, Round
from p2p.wire import Malformed, pack, shape, unpack

VALUE_LIMIT = 4096
"""The most bytes of a sealed choice."""


class TossRound(Round[Toss]):
    """All seats commit to a number, then all reveal; the sum is the toss (protocol 7.8).

    It is fair if any seat is honest.
    """

    def __init__(self, here: Here, request: Toss) -> None:
        super().__init__(here, request)
        self._commitments: dict[Seat, tuple[bytes, bytes]] = {}
        self._values: dict[Seat, int] = {}

    @property
    def stages(self) -> int:
        return 2

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.request.seats))

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        here = self.here
        if stage == 0:
            value = pack(below(self.request.sides, here.entropy))
            return {"commit": _commit(here, head, value)}
        return _reveal(here)

    def receive(self, stage: int, head: bytes, entry: Entry, *, trusted: bool) -> None:
        if stage == 0:
            self._commitments[entry.seat] = head, _commitment(entry.body)
            return
        value = shape(entry.body, nonce=bytes, value=int)["value"]
        _check_reveal(self.here, entry, *self._commitments[entry.seat])
        if not 0 <= value < self.request.sides:
            raise Malformed(f"a toss is a number below {self.request.sides}")
        self._values[entry.seat] = value

    def finish(self) -> None:
        number = sum(self._values.values()) % self.request.sides
        self.news.append(Tossed(self.request.sides, number))
        self.here.run.answer(number)


class AskRound(Round[Ask[Move]]):
    """A choice of one seat, of several at once (sealed), or of any of several (protocol 4, 7.8).

    Sealed choices are committed first, then revealed. A move and the shares of the cards that it
    shows are one entry. Answers to an automatic question are not sealed, and nobody waits for a
    player.
    """

    def __init__(self, here: Here, request: Ask[Move]) -> None:
        super().__init__(here, request)
        self.commits = request.kind == "all" and len(request.seats) > 1 and not request.auto
        """Whether answers are committed first, then revealed."""
        self.move: Move | None = None
        self._commitments: dict[Seat, tuple[bytes, bytes]] = {}
        self._yields: set[Seat] = set()
        self.shown: dict[Slot, Face] = {}

    @property
    def stages(self) -> int:
        return 2 if self.commits else 1

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.request.seats))

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        here = self.here
        assert here.seat is not None
        if self.request.auto and self.move is None:
            self.move = next(here.run.options(here.seat, here.own_faces))
        if stage == 1:
            body = _reveal(here)
            move = read_move(here.run.game.moves, body["value"])
            return {**body, "shares": self.shares(move, head)}
        if self.move is not None:
            value = spell_move(self.move)
            if self.commits:
                return {"commit": _commit(here, head, pack(value))}
            return {"move": value, "shares": self.shares(self.move, head)}
        answers = [
            signed[seat]
            for seat in self.request.seats
            if seat in signed and "move" in signed[seat].body
        ]
        return {"yield": answers[0].hash} if answers and self.request.kind == "any" else None

    def receive(self, stage: int, head: bytes, entry: Entry, *, trusted: bool) -> None:
        body = entry.body
        if self.commits and stage == 0:
            self._commitments[entry.seat] = head, _commitment(body)
        elif self.commits:
            shape(body, nonce=bytes, value=list, shares=list)
            _check_reveal(self.here, entry, *self._commitments[entry.seat])
            self._receive_move(head, entry, body["value"], trusted=trusted)
        elif self.request.kind == "any" and "yield" in body:
            if len(_yielded(body)) != HASH or len(self.request.seats) == 1:
                raise Malformed("a yield names a partner's answer by its hash")
            self._yields.add(entry.seat)
        else:
            self._receive_move(
                head, entry, shape(body, move=list, shares=list)["move"], trusted=trusted
            )

    def ready(self, entry: Entry, signed: Mapping[Seat, Entry]) -> bool:
        """Whether the answer that a yield names is here; if not, the yield waits.

        A missing answer proves nothing against the yield's seat: a partner may have sent it another
        answer than us.
        """
        named = (
            entry.body["yield"]
            if self.request.kind == "any" and set(entry.body) == {"yield"}
            else None
        )
        if type(named) is not bytes or len(named) != HASH or len(self.request.seats) == 1:
            return True
        return any(
            named == answer.hash for seat, answer in signed.items() if seat not in self._yields
        )

    def finish(self) -> None:
        run, request = self.here.run, self.request
        order = [seat for seat in request.seats if seat in run.chosen]
        if not order:  # only a log that nobody has verified can have a step in which all yield
            raise Malformed("yields to an answer that nobody gave")
        counted = order[:1] if request.kind == "any" else order
        faces = {**run.game.faces, **self.shown}
        for seat in counted:
            move = run.chosen[seat]
            shown = {slot: faces[slot] for slot in move.shows}
            self.here.masks.forget_kept(shown)
            self.news.append(Moved(seat, move, run.game.write(move, faces), request.auto, shown))
        run.conclude()

    def _receive_move(self, head: bytes, entry: Entry, value: Any, *, trusted: bool) -> None:
        run, masks = self.here.run, self.here.masks
        if len(pack(value)) > VALUE_LIMIT:
            raise Malformed(f"a choice of more than {VALUE_LIMIT} bytes")
        move = read_move(run.game.moves, value)
        shown = _hidden(run, move)
        if any(run.game.holder.get(slot) != entry.seat for slot in shown):
            raise IllegalMove(entry.seat, move, ("not-in-hand",))
        masks.take(entry.seat, shown, head, entry.body["shares"], trusted=trusted)
        faces = {slot: masks.face(slot) for slot in shown}
        run.choose(entry.seat, move, faces)
        self.shown.update(faces)

    def shares(self, move: Move, head: bytes) -> list[Any]:
        """Return our shares of the hidden cards that a move shows."""
        return self.here.masks.give(_hidden(self.here.run, move), head, self.here.entropy)


def _hidden(run: Run, move: Move) -> list[Slot]:
    """Return the slots that a move shows and that are not public yet."""
    return sorted({slot for slot in move.shows if slot not in run.game.faces})


def _commit(here: Here, head: bytes, value: bytes) -> bytes:
    """Choose a nonce for a value, note both in the journal, and return the commitment.

    This happens once: a sent commitment is in the journal as an entry, and is repeated from there.
    Of two values for one step, the later counts.
    """
    assert here.seat is not None
    nonce = fresh(here.entropy, NONCE)
    here.journal.note_committed(here.step, nonce, value)
    return commit(here.match, head, here.seat, nonce, value)


def _commitment(body: Body) -> bytes:
    """Read a seat's commitment. Malformed if it has the wrong size."""
    found: bytes = shape(body, commit=bytes)["commit"]
    if len(found) != COMMITMENT:
        raise Malformed(f"a commitment has {COMMITMENT} bytes, not {len(found)}")
    return found


def _yielded(body: Body) -> bytes:
    named: bytes = shape(body, **{"yield": bytes})["yield"]
    return named


def _reveal(here: Here) -> Body:
    committed = here.journal.committed(here.step)
    if committed is None:
        raise Forgotten(f"our commitment of step {here.step}")
    nonce, value = committed
    return {"nonce": nonce, "value": unpack(value, VALUE_LIMIT)}


def _check_reveal(here: Here, entry: Entry, head: bytes, commitment: bytes) -> None:
    """Raise InvalidProof unless a reveal opens the commitment that its seat made on a head."""
    body = entry.body
    check_reveal(commitment, here.match, head, entry.seat, body["nonce"], pack(body["value"]))
