"""One honest member: its knowledge, its disk, and the steps that it may take next, by the real
`Membership`.

A member is a small value, so that states can be hashed: its `Membership` is made anew from the
entries it knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from p2p.table.membership import Membership
from p2p.table.view_change import Call, ChangeRound
from tests.model import liar
from tests.model.world import Entry, World

Label = tuple[Any, ...]


class Violation(AssertionError):
    """A guarantee does not hold."""


class Local(NamedTuple):
    """A member. `known` is the mask of the entries it knows; `status` is in, left (by its own word)
    or out (by others')."""

    seat: int
    head: int
    known: int
    crashes: int = 0
    status: str = "in"


class Members:
    """All that members of a world may know and do, worked out once for each member."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.locals: list[Local] = []
        self._numbers: dict[Local, int] = {}
        self._learnt: dict[tuple[int, int], int] = {}
        self._acts: dict[int, list[tuple[Label, int]]] = {}
        self._offers: dict[int, int] = {}
        self.first_view: dict[int, int] = {}
        """The lowest view that is open for a member."""
        self.features: dict[int, tuple[int | str, ...]] = {}
        """Where a member stands, roughly: states that differ in this are worth as much to the
        search as each other."""
        self._views: dict[Local, list[tuple[int, Membership]]] = {}

    def number(self, local: Local) -> int:
        """The number of a member, once it has made the records that it can make."""
        while local.status == "in" and (head := self._settled(local)) is not None:
            local = local._replace(head=head)
        found = self._numbers.get(local)
        if found is None:
            found = self._numbers[local] = len(self.locals)
            self.locals.append(local)
        return found

    def learn(self, number: int, bit: int) -> int:
        """The member after it hears an entry."""
        found = self._learnt.get((number, bit))
        if found is None:
            local = self.locals[number]
            found = self._learnt[number, bit] = self.number(local._replace(known=local.known | bit))
        return found

    def acts(self, number: int) -> list[tuple[Label, int]]:
        """The steps that the member may take: label, and the member after it."""
        found = self._acts.get(number)
        if found is None:
            local = self.locals[number]
            found = (
                [(label, self.number(after)) for label, after in self._may(local)]
                if local.status == "in"
                else []
            )
            self._acts[number] = found
            self.features[number] = self._feature(local)
            self.first_view[number] = self.views(local)[0][0] if local.status == "in" else 0
        return found

    def offers(self, number: int) -> int:
        """The mask of the liar's possible entries, as far as this member's situation suggests
        it."""
        found = self._offers.get(number)
        if found is None:
            local = self.locals[number]
            found = self._offers[number] = (
                liar.offers(self.world, local.known, self.views(local))
                if local.status == "in"
                else 0
            )
        return found

    # The real object.

    def views(self, local: Local) -> list[tuple[int, Membership]]:
        """The views that are open for a member, the current one last."""
        found = self._views.get(local)
        if found is None:
            if len(self._views) > 5000:
                self._views.clear()
            found = self._views[local] = self._open(local)
        return found

    def _open(self, local: Local) -> list[tuple[int, Membership]]:
        world, heads = self.world, self.world.heads
        known = world.those(local.known)
        spoken: dict[bytes, set[int]] = {}
        for entry in known:
            if entry.kind in ("word", "stand"):
                spoken.setdefault(
                    world.point(entry.body[1 if entry.kind == "word" else 0]), set()
                ).add(entry.seat)
        view, completed = heads[local.head].view, self._completed(local)
        faults = {
            seat: world.fault(local.known & world.by_seat[seat]) for seat in range(world.members)
        }
        for seat in (seat for seat in world.honest if faults[seat] is not None):
            raise Violation(f"G7: entries that p{seat} signed convict it")
        found = []
        for open_view in sorted({view, *completed}):
            mine = [
                e.body[2]
                for e in known
                if e.kind == "flush" and e.seat == local.seat and e.view == open_view
            ]
            tip = max(mine, key=lambda head: len(heads[head].line)) if mine else local.head
            if mine and open_view == view and world.descends(local.head, tip):
                tip = local.head
            if heads[tip].view != open_view:
                continue
            member = self._member(local, open_view, tip, spoken)
            for seat, fault in faults.items():
                if self._left(known, seat, open_view) or (fault is not None and fault <= open_view):
                    member.lose(seat)
            self._receive(member, known, local.known)
            member.completed = completed.get(open_view)
            if (now := member.round) is not None:
                world.id_of(open_view, now)
            found.append((open_view, member))
        return found

    def _completed(self, local: Local) -> dict[int, ChangeRound]:
        """The rounds that a member has completed since the last whole stand, by their views."""
        completed: dict[int, ChangeRound] = {}
        for head in reversed(self.world.heads[local.head].line):
            here = self.world.heads[head]
            if here.kind == "stand":
                break
            if here.round is not None:
                completed[here.view - 1] = here.round
        return completed

    def _member(
        self, local: Local, view: int, tip: int, spoken: dict[bytes, set[int]]
    ) -> Membership:
        world = self.world
        member = world.cls(
            b"",
            view,
            world.heads[tip].members,
            local.seat,
            lambda point, seat: seat in spoken.get(point, ()),
        )
        for head in world.heads[tip].line:
            stage = world.stage(head)
            if world.heads[head].view == view and stage is not None:
                member.wait_at(world.point(head), stage[1])
        return member

    def _receive(self, member: Membership, known: list[Entry], mask: int) -> None:
        world = self.world
        mine = [
            e.body[1]
            for e in known
            if e.kind == "confirm" and e.seat == member.own and e.view == member.view
        ]
        for entry in sorted(
            known, key=lambda e: not any(world.bit(e) & flushes for flushes in mine)
        ):
            if entry.kind == "flush" and entry.view == member.view and entry.seat in member.members:
                of, records, number, _ = entry.body
                head = world.heads[number]
                if head.view == member.view and head.records == records and not head.need & ~mask:
                    world.id_of(member.view, of)
                    member.receive_flush(world.flush(entry))
        for entry in known:
            if (
                entry.kind == "confirm"
                and entry.view == member.view
                and entry.seat in member.members
            ):
                member.receive_confirm(entry.seat, entry.body[0], world.id_of_change(entry.body[1]))
        for entry in known:
            if entry.kind == "vote" and entry.view == member.view and entry.seat in member.members:
                point, seat = entry.body
                member.receive_vote(entry.seat, seat, point)
                if not member.may_owe(seat, point):
                    if entry.seat in world.honest:
                        raise Violation(
                            f"G7: {world.tell(entry)} is taken for a fault by p{member.own}"
                        )
                    member.lose(entry.seat)
        kept = [len(cast) for cast in member._votes._cast.values()] + [
            len(mine) for mine in member._flushes.values()
        ]
        if any(len(cast) > 16 for cast in member._votes._cast.values()) or any(
            count > 33 for count in kept
        ):
            raise Violation("G6: more votes or flushes of one member are kept than were said")

    def _settled(self, local: Local) -> int | None:
        head = self.world.settle(local.head, local.known)
        return head if head is not None and not self.views(local)[-1][1].stopped else None

    @staticmethod
    def _left(known: list[Entry], seat: int, view: int) -> bool:
        return any(
            entry.kind == "leave" and entry.seat == seat and entry.view <= view for entry in known
        )

    def _feature(self, local: Local) -> tuple[int | str, ...]:
        head = self.world.heads[local.head]
        if local.status != "in":
            return local.status, head.view, head.records
        now = self.views(local)[-1][1].round or ChangeRound(())
        own = self.world.those(local.known & self.world.by_seat[local.seat])
        sent = [sum(entry.kind == kind for entry in own) for kind in ("flush", "confirm")]
        return (
            head.kind,
            head.view,
            head.records,
            len(now.gone),
            len(now.called),
            len(now.answered),
            len(now.voted),
            *sent,
        )

    # Its steps.

    def _may(self, local: Local) -> list[tuple[Label, Local]]:
        world, seat = self.world, local.seat
        found: list[tuple[Label, Local]] = []

        def sign(entry: Entry) -> None:
            after = local._replace(
                known=local.known | world.bit(entry),
                status="left" if entry.kind == "leave" else "in",
            )
            found.append((("sign", seat, world.bit(entry)), after))

        own = world.those(local.known & world.by_seat[seat])
        views = self.views(local)
        view, member = views[-1]
        head = world.heads[local.head]
        stage = world.stage(local.head)
        if (
            stage is not None
            and seat in stage[1]
            and not member.stopped
            and seat not in world.sent(local.known, local.head)
        ):
            sign(
                Entry("stand", seat, view, (local.head,))
                if stage[0] == "stand"
                else Entry("word", seat, view, (head.records + 1, local.head, 0))
            )
        for entry in self._owed(local, own, views):
            sign(entry)
        if sum(entry.kind == "vote" for entry in own) < world.bounds.votes:
            for vote in _votes(seat, views):
                if vote not in own:
                    sign(vote)
        if self._may_leave(own, view):
            sign(Entry("leave", seat, view))
        after = self._changed(local, view, member)
        if after is not None:
            found.append((("change", seat, local.head, after.head), after))
        if self._followed(local, view, member):
            found.append((("out", seat), local._replace(status="out")))
        rest = self._disk(local)
        if rest != local.known and local.crashes < world.bounds.crashes:
            found.append((("crash", seat), local._replace(known=rest, crashes=local.crashes + 1)))
        return found

    def _owed(
        self, local: Local, own: list[Entry], views: list[tuple[int, Membership]]
    ) -> Iterator[Entry]:
        """Give the flushes and confirms that a member owes, in each view that is open for it."""
        world, seat = self.world, local.seat
        for view, member in views:
            owed = member.owes
            if owed is not None:
                world.id_of(view, owed)
                self._check_flush(local, view, member, owed)
                base = local.head if view == views[-1][0] else self._stopped_at(own, view)
                yield Entry(
                    "flush", seat, view, (owed, world.heads[base].records, base, member.done)
                )
            if (change := member.owes_confirm) is not None:
                yield Entry("confirm", seat, view, (member.round, world.mask(change)))

    def _stopped_at(self, own: list[Entry], view: int) -> int:
        heads = [entry.body[2] for entry in own if entry.kind == "flush" and entry.view == view]
        return max(heads, key=lambda number: len(self.world.heads[number].line))

    def _may_leave(self, own: list[Entry], view: int) -> bool:
        return not any(
            entry.kind == "flush" and entry.view == view and entry.body[0].voted for entry in own
        )

    def _changed(self, local: Local, view: int, member: Membership) -> Local | None:
        world = self.world
        change = member.decide()
        if change is None:
            return None
        numbers = [int.from_bytes(flush.head, "big") for flush in change.flushes]
        base = world.base(numbers)
        if change.round.voted and 2 * len(change.flushes) <= len(member.members) - len(
            change.round.gone
        ):
            raise Violation(
                f"G2: {len(change.flushes)} of {len(member.members)} go on without "
                f"{change.round.voted}"
            )
        if world.stage(base) is not None:
            if view == world.bounds.views:
                return None
            flushes = 0
            for flush, number in zip(change.flushes, numbers, strict=True):
                body = (flush.round, flush.records, number, flush.done)
                flushes |= world.bit(Entry("flush", flush.seat, view, body))
            base = world.change(base, view, change.round, flushes)
        return local._replace(head=base) if base != local.head else None

    def _followed(self, local: Local, view: int, member: Membership) -> bool:
        now = member.round
        if now is None or not any(local.seat in of.voted for of in (now, *member._rounds())):
            return False
        later = {entry.seat for entry in self.world.those(local.known) if entry.view > view}
        change = member.follow(lambda change, seat: seat in later)
        return change is not None and local.seat in change.round.leaving

    def _disk(self, local: Local) -> int:
        """All that a crash leaves: own entries, records, the grounds of own flushes, and the
        records that changes rest on."""
        world = self.world
        kept = local.known & world.by_seat[local.seat] | world.heads[local.head].need
        for number in world.heads[local.head].line:
            if world.heads[number].kind == "change":
                for entry in world.those(world.heads[number].need):
                    kept |= world.heads[entry.body[2]].need if entry.kind == "flush" else 0
        for mine in world.those(local.known & world.by_seat[local.seat]):
            if mine.kind == "confirm":
                kept |= mine.body[1] & local.known
            if mine.kind == "flush":
                kept |= sum(
                    world.bit(e)
                    for e in world.those(local.known & ~kept)
                    if world.justifies(e, mine.view, mine.body[0])
                )
        return kept

    # G2 and G4: the grounds of a flush of an honest member.

    def _check_flush(self, local: Local, view: int, member: Membership, of: ChangeRound) -> None:
        world = self.world
        known = world.those(local.known)
        for seat in of.gone:
            left = any(e.kind == "leave" and e.seat == seat and e.view <= view for e in known)
            fault = world.fault(local.known & world.by_seat[seat])
            unowed = any(e.kind == "vote" and e.seat == seat and e.view == view for e in known)
            if (
                not left
                and (fault is None or fault > view)
                and (seat in world.honest or not unowed)
            ):
                raise Violation(
                    f"G2: p{seat} goes by its own word in {world.tell_round(of)}, but it has "
                    f"signed none"
                )
        electorate = set(member.members) - set(of.gone)
        for call in set(of.called) - set(of.answered):
            if call[0] in of.voted:
                self._check_call(local, member, view, call, electorate)

    def _is_based(
        self, local: Local, member: Membership, flush: Entry, asking: frozenset[Entry] = frozenset()
    ) -> bool:
        """Whether a member knows the grounds of a flush: the leaves, the votes, the words and
        flushes; if not it is silence.

        `asking` are the flushes about which this is being asked.
        """
        world, of = self.world, flush.body[0]
        known = [e for e in world.those(local.known) if e.view == flush.view]
        electorate = set(member.members) - set(of.gone)
        for call in of.called:
            voters = {
                e.seat for e in known if e.kind == "vote" and e.body == call[::-1]
            } & electorate
            if 2 * len(voters) <= len(electorate):
                return False
        for seat, point in of.answered:
            if point not in world.rounds and point not in world.confirm_points:
                if seat not in world.sent(local.known, int.from_bytes(point, "big")):
                    return False
                continue
            found = (world.rounds.get(point) or world.confirm_points[point])[1]
            turned_up = any(
                (e.kind == "confirm" and point in world.confirm_points and e.body[0] == found)
                or (
                    e.kind == "flush"
                    and found.precedes(e.body[0])
                    and (e == flush or self._is_known(local, member, e, asking | {flush}))
                )
                for e in known
                if e.seat == seat
            )
            if not turned_up:
                return False
        return set(of.gone) <= member.gone

    def _is_known(
        self, local: Local, member: Membership, flush: Entry, asking: frozenset[Entry] = frozenset()
    ) -> bool:
        """Whether a flush of an honest member counts at a member, for sure."""
        if flush in asking or flush.body[3] or self.world.heads[flush.body[2]].need & ~local.known:
            return False
        return self._is_based(local, member, flush, asking)

    def _check_call(
        self, local: Local, member: Membership, view: int, call: Call, electorate: set[int]
    ) -> None:
        world, (seat, point) = self.world, call
        known = [e for e in world.those(local.known) if e.view == view]
        voters = {
            e.seat for e in known if e.kind == "vote" and e.body == (point, seat)
        } & electorate
        if 2 * len(voters) <= len(electorate) or len(electorate) < 3:
            raise Violation(
                f"G2: p{seat} is voted out at {world.tell_point(point)} by {sorted(voters)} of "
                f"{sorted(electorate)}"
            )
        if point in world.confirm_points:
            of = world.confirm_points[point][1]
            confirms = {e.seat: e.body[1] for e in known if e.kind == "confirm" and e.body[0] == of}
            own = confirms.get(local.seat)
            answered = seat in of.leaving or (
                seat in world.honest and own is not None and confirms.get(seat) == own
            )
        elif point in world.rounds:
            of = world.rounds[point][1]
            mine = [
                e
                for e in known
                if e.kind == "flush"
                and e.seat == seat
                and e.seat in world.honest
                and of.precedes(e.body[0])
            ]
            answered = seat in of.leaving or any(
                self._is_known(local, member, flush) for flush in mine
            )
        else:
            stage = world.stage(int.from_bytes(point, "big"))
            answered = (
                stage is None
                or seat not in stage[1]
                or seat in world.sent(local.known, int.from_bytes(point, "big"))
            )
        if answered:
            raise Violation(
                f"G2: p{local.seat} flushes without p{seat}, which has spoken at "
                f"{world.tell_point(point)} or owed nothing"
            )


def _votes(seat: int, views: list[tuple[int, Membership]]) -> Iterator[Entry]:
    """Give the votes that a member may sign now, in each view that is open for it."""
    for view, member in views:
        for other in member.members:
            point = member.point_for(other)
            if point is not None:
                yield Entry("vote", seat, view, (point, other))
