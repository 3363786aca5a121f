"""One small class per request of the rules: who speaks in which stage, what to say, what to check, what it yields.

A round never sees the network, and it hears an entry only at its turn and on the right head. What `hear` raises is the
speaker's fault; `p2p.table.steps` turns it into a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from crypto.chance import Entropy, fresh
from crypto.commitment import COMMITMENT, NONCE, check_reveal, commit, toss_result, toss_value
from crypto.errors import CryptoError
from crypto.group import Group
from crypto.masking import Deck as Ciphers
from crypto.masking import decode_deck, encode_deck, joint_key, prove_key, starting_deck, verify_key
from crypto.shuffle import draw_permutation, prove_shuffle, shuffle_deck, verify_shuffle
from engine.moves import Face, Move, Seat, Slot, read_move, spell_move
from engine.requests import Ask, Deal, Open, Prove, Request, Shuffle, Toss
from engine.run import IllegalMove, Run
from p2p.table.events import Dealt, Event, Mixed, Moved, Opened, Proved, Shuffled, Tossed
from p2p.table.faults import BadProof
from p2p.table.journal import Journal
from p2p.table.log import Body, Entry
from p2p.table.masks import MaskedDeck, Masks
from p2p.table.terms import Terms
from p2p.wire import Malformed, pack, shape, unpack

R = TypeVar("R", bound=Request[Any])
VALUE_LIMIT = 4096
"""Bytes of a sealed choice."""
HASH = 32
"""Bytes of the hash by which an entry names another one."""


@dataclass
class Here:
    """What every round of a match works with."""

    terms: Terms
    match: bytes
    group: Group
    seat: Seat | None
    entropy: Entropy
    run: Run
    masks: Masks
    journal: Journal
    own_faces: dict[Slot, Face] = field(default_factory=dict, repr=False)
    step: int = 1


class Round(Generic[R]):
    """A request being answered by those who owe it a word."""

    def __init__(self, here: Here, request: R) -> None:
        self.here, self.request = here, request
        self.news: list[Event] = []

    @property
    def stages(self) -> int:
        """How many exchanges it takes."""
        return 1

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        """Return who speaks in a stage, in seat order."""
        raise NotImplementedError  # every request says who must speak

    def own(self, stage: int, head: bytes, said: Mapping[Seat, Entry]) -> Body | None:
        """Return what our seat says now, or None while it waits for its player or for others."""
        raise NotImplementedError  # every request says what to say

    def hear(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        """Check an entry and note what it brings. Our own, which we have just made, is not verified again."""
        raise NotImplementedError  # every request says what to check

    def ready(self, entry: Entry, said: Mapping[Seat, Entry]) -> bool:
        """Whether an entry can be judged with what has been said in its stage; else it waits."""
        return True

    def close(self, stage: int, said: Mapping[Seat, Entry]) -> None:
        """Check what can only be checked when all of a stage have spoken."""

    def finish(self) -> None:
        """Answer the run; `news` has what happened."""
        raise NotImplementedError  # every request has an answer


class ShuffleRound(Round[Shuffle]):
    """Keys of all holders at once, then one shuffle after the other (protocol 7, items 1 to 4)."""

    def __init__(self, here: Here, request: Shuffle) -> None:
        super().__init__(here, request)
        self.deck = request.deck
        self._keys: dict[Seat, bytes] = {}
        self._joint = b""
        self._ciphers: Ciphers = ()

    @property
    def stages(self) -> int:
        return 1 + len(self.deck.seats)

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.deck.seats)) if stage == 0 else (self.deck.seats[stage - 1],)

    def own(self, stage: int, head: bytes, said: Mapping[Seat, Entry]) -> Body | None:
        here, group = self.here, self.here.group
        assert here.seat is not None
        context = here.masks.context(self.deck, head)
        if stage == 0:
            key = here.journal.deck_key(group, self.deck.number, here.entropy)
            owner = here.terms.places[here.seat].id
            return {"key": key.public, "proof": prove_key(group, context, here.seat, owner, key, here.entropy)}
        permutation = draw_permutation(len(self._ciphers), here.entropy)
        masks = [group.random_scalar(here.entropy) for _ in self._ciphers]
        after = shuffle_deck(group, self._joint, self._ciphers, permutation, masks)
        proof = prove_shuffle(group, context, self._joint, self._ciphers, after, permutation, masks, here.entropy)
        return {"deck": encode_deck(after), "proof": proof}

    def hear(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        here, group = self.here, self.here.group
        context = here.masks.context(self.deck, head)
        if stage == 0:
            body = shape(entry.body, key=bytes, proof=bytes)
            owner = here.terms.places[entry.seat].id
            self._keys[entry.seat] = verify_key(group, context, entry.seat, owner, body["key"], body["proof"])
            return
        body = shape(entry.body, deck=bytes, proof=bytes)
        after = decode_deck(group, body["deck"], len(self._ciphers))
        if not ours:
            verify_shuffle(group, context, self._joint, self._ciphers, after, body["proof"])
        self._ciphers = after
        self.news.append(Mixed(self.deck.number, entry.seat))

    def close(self, stage: int, said: Mapping[Seat, Entry]) -> None:
        if stage == 0:
            group, masks = self.here.group, self.here.masks
            try:
                self._joint = joint_key(group, [self._keys[seat] for seat in sorted(self._keys)])
            except CryptoError as error:  # each key is proven, so only seats that share a secret can bring this about
                seat = _last_of_equals(self._keys)
                raise BadProof(seat, str(error), (said[seat].data,)) from error
            self._ciphers = starting_deck(group, masks.points(self.deck), self._joint)

    def finish(self) -> None:
        here, deck = self.here, self.deck
        points = dict(zip(here.masks.points(deck), deck.cards, strict=True))
        secret = here.journal.known_key(deck.number) if here.seat in deck.seats else None
        here.masks.add(MaskedDeck(deck, self._keys, self._ciphers, points, secret))
        self.news.append(Shuffled(deck.number, deck.seats, len(deck.cards)))
        here.run.answer()


class DealRound(Round[Deal]):
    """Every holder publishes its shares of all slots but its own, once (protocol 7.5)."""

    def __init__(self, here: Here, request: Deal) -> None:
        super().__init__(here, request)
        spared = {slot: seat for seat, slots in request.to.items() for slot in slots}
        self.owed = here.masks.owing(sorted(spared), spared)

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.owed))

    def own(self, stage: int, head: bytes, said: Mapping[Seat, Entry]) -> Body | None:
        here = self.here
        assert here.seat is not None
        return {"shares": here.masks.give(self.owed[here.seat], head, here.entropy)}

    def hear(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        body = shape(entry.body, shares=list)
        self.here.masks.take(entry.seat, self.owed[entry.seat], head, body["shares"], ours=ours)

    def finish(self) -> None:
        here = self.here
        own = self.request.to.get(here.seat, ()) if here.seat is not None else ()
        mine = {slot: here.masks.own_face(slot) for slot in own}
        here.own_faces.update(mine)
        self.news.append(Dealt(dict(self.request.to), mine))
        here.run.answer()


class OpenRound(Round[Open]):
    """The shares that are still missing: a dealt slot's holder's, or every holder's (protocol 7.6)."""

    def __init__(self, here: Here, request: Open) -> None:
        super().__init__(here, request)
        self.owed = here.masks.owing(request.slots, {})

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.owed))

    own = DealRound.own
    hear = DealRound.hear

    def finish(self) -> None:
        faces = {slot: self.here.masks.face(slot) for slot in self.request.slots}
        self.news.append(Opened(faces))
        self.here.run.opened(faces)


class ProveRound(Round[Prove]):
    """Each seat proves of each of its hidden slots that it holds one of the faces in question (protocol 7.7)."""

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.request.claims))

    def own(self, stage: int, head: bytes, said: Mapping[Seat, Entry]) -> Body | None:
        here, among = self.here, self.request.among
        assert here.seat is not None
        slots = self.request.claims[here.seat]
        claims = [here.masks.claim(slot, here.own_faces[slot], among, head, here.entropy) for slot in slots]
        return {"claims": claims}

    def hear(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        slots = self.request.claims[entry.seat]
        claims = shape(entry.body, claims=list)["claims"]
        if len(claims) != len(slots) or any(type(claim) is not bytes for claim in claims):
            raise Malformed(f"{len(slots)} claims are due")
        if not ours:
            for slot, proof in zip(slots, claims, strict=True):
                self.here.masks.check_claim(entry.seat, slot, self.request.among, head, proof)
        self.news.append(Proved(entry.seat, slots))

    def finish(self) -> None:
        self.here.run.answer()


class TossRound(Round[Toss]):
    """All commit to a number, then all reveal; the sum is the toss (protocol 7.8)."""

    def __init__(self, here: Here, request: Toss) -> None:
        super().__init__(here, request)
        self._commitments: dict[Seat, bytes] = {}
        self._values: dict[Seat, int] = {}

    @property
    def stages(self) -> int:
        return 2

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.request.seats))

    def own(self, stage: int, head: bytes, said: Mapping[Seat, Entry]) -> Body | None:
        here = self.here
        if stage == 0:
            return {"commit": _commit(here, pack(toss_value(self.request.sides, here.entropy)))}
        return _reveal(here)

    def hear(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        if stage == 0:
            self._commitments[entry.seat] = _commitment(entry.body)
            return
        value = shape(entry.body, nonce=bytes, value=int)["value"]
        _check_reveal(self.here, entry, self._commitments[entry.seat])
        if not 0 <= value < self.request.sides:
            raise Malformed(f"a toss is a number below {self.request.sides}")
        self._values[entry.seat] = value

    def finish(self) -> None:
        number = toss_result([self._values[seat] for seat in sorted(self._values)], self.request.sides)
        self.news.append(Tossed(self.request.sides, number))
        self.here.run.answer(number)


class AskRound(Round[Ask[Move]]):
    """A choice of one seat, of several at once (sealed: commit, then reveal), or of any of a few (protocol 4, 7.8).

    A move and the shares of what it shows are one entry. The answers to an automatic question are no choice: they are
    neither sealed nor waited for.
    """

    def __init__(self, here: Here, request: Ask[Move]) -> None:
        super().__init__(here, request)
        self.sealed = request.kind == "all" and len(request.seats) > 1 and not request.auto
        self.move: Move | None = None
        self._commitments: dict[Seat, bytes] = {}
        self._yields: set[Seat] = set()
        self._shown: dict[Slot, Face] = {}

    @property
    def stages(self) -> int:
        return 2 if self.sealed else 1

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.request.seats))

    def own(self, stage: int, head: bytes, said: Mapping[Seat, Entry]) -> Body | None:
        here = self.here
        assert here.seat is not None
        if self.request.auto and self.move is None:
            self.move = next(here.run.options(here.seat, here.own_faces))
        if stage == 1:
            body = _reveal(here)
            move = read_move(here.run.game.moves, body["value"])
            return {**body, "shares": self._shares(move, head)}
        if self.move is not None:
            value = spell_move(self.move)
            if self.sealed:
                return {"commit": _commit(here, pack(value))}
            return {"move": value, "shares": self._shares(self.move, head)}
        answers = [said[seat] for seat in self.request.seats if seat in said and "move" in said[seat].body]
        return {"yield": answers[0].hash} if answers and self.request.kind == "any" else None

    def hear(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        body = entry.body
        if self.sealed and stage == 0:
            self._commitments[entry.seat] = _commitment(body)
        elif self.sealed:
            shape(body, nonce=bytes, value=list, shares=list)
            _check_reveal(self.here, entry, self._commitments[entry.seat])
            self._hear_move(head, entry, body["value"], ours=ours)
        elif self.request.kind == "any" and "yield" in body:
            if len(_yielded(body)) != HASH or len(self.request.seats) == 1:
                raise Malformed("a yield names a partner's answer by its hash")
            self._yields.add(entry.seat)
        else:
            self._hear_move(head, entry, shape(body, move=list, shares=list)["move"], ours=ours)

    def ready(self, entry: Entry, said: Mapping[Seat, Entry]) -> bool:
        """Whether the answer that a yield names is here: who lacks it waits for it.

        That it never comes is no proof against the yield's seat: a partner may have told it another answer than us.
        """
        named = entry.body["yield"] if self.request.kind == "any" and set(entry.body) == {"yield"} else None
        if type(named) is not bytes or len(named) != HASH or len(self.request.seats) == 1:
            return True
        return any(named == answer.hash for seat, answer in said.items() if seat not in self._yields)

    def finish(self) -> None:
        run, request = self.here.run, self.request
        order = [seat for seat in request.seats if seat in run.chosen]
        counted = order[:1] if request.kind == "any" else order
        faces = {**run.game.faces, **self._shown}
        for seat in counted:
            move = run.chosen[seat]
            shown = {slot: faces[slot] for slot in move.shows}
            self.news.append(Moved(seat, move, run.game.write(move, faces), request.auto, shown))
        run.settle()

    def _hear_move(self, head: bytes, entry: Entry, value: Any, *, ours: bool) -> None:
        run, masks = self.here.run, self.here.masks
        move = read_move(run.game.moves, value)
        shown = _hidden(run, move)
        if any(run.game.holder.get(slot) != entry.seat for slot in shown):
            raise IllegalMove(entry.seat, move, ("not-in-hand",))
        masks.take(entry.seat, shown, head, entry.body["shares"], ours=ours)
        faces = {slot: masks.face(slot) for slot in shown}
        run.choose(entry.seat, move, faces)
        self._shown.update(faces)

    def _shares(self, move: Move, head: bytes) -> list[Any]:
        return self.here.masks.give(_hidden(self.here.run, move), head, self.here.entropy)


def _last_of_equals(keys: Mapping[Seat, bytes]) -> Seat:
    """Return the last seat whose key another one has too; if none has, the last seat."""
    values = list(keys.values())
    return max((seat for seat, key in keys.items() if values.count(key) > 1), default=max(keys))


def _hidden(run: Run, move: Move) -> list[Slot]:
    """Return the slots that a move shows and nobody has yet seen."""
    return sorted({slot for slot in move.shows if slot not in run.game.faces})


def _commit(here: Here, value: bytes) -> bytes:
    """Choose a nonce for a value, note both in the journal, and return the commitment.

    We are asked once: a commitment that has been sent is in the journal as an entry, and that is said again. Of two values
    in the journal for one step the later counts.
    """
    assert here.seat is not None
    nonce = fresh(here.entropy, NONCE)
    here.journal.seal(here.step, nonce, value)
    return commit(here.match, here.step, here.seat, nonce, value)


def _commitment(body: Body) -> bytes:
    """Read what a seat commits to. Malformed if it has not the size of a commitment."""
    found: bytes = shape(body, commit=bytes)["commit"]
    if len(found) != COMMITMENT:
        raise Malformed(f"a commitment has {COMMITMENT} bytes, not {len(found)}")
    return found


def _yielded(body: Body) -> bytes:
    named: bytes = shape(body, **{"yield": bytes})["yield"]
    return named


def _reveal(here: Here) -> Body:
    sealed = here.journal.sealed(here.step)
    assert sealed is not None, "what we committed to is in the journal"
    nonce, value = sealed
    return {"nonce": nonce, "value": unpack(value, VALUE_LIMIT)}


def _check_reveal(here: Here, entry: Entry, commitment: bytes) -> None:
    """Raise InvalidProof unless a reveal opens what its seat committed to."""
    body = entry.body
    check_reveal(commitment, here.match, here.step, entry.seat, body["nonce"], pack(body["value"]))


def round_for(here: Here, request: Request[Any]) -> Round[Any]:
    """Return the round that answers a request."""
    kinds: dict[type[Request[Any]], type[Round[Any]]] = {
        Shuffle: ShuffleRound,
        Deal: DealRound,
        Open: OpenRound,
        Prove: ProveRound,
        Toss: TossRound,
        Ask: AskRound,
    }
    return kinds[type(request)](here, request)
