"""The search: states of all honest members together, from the first one on, with the guarantees
asserted on each."""

from __future__ import annotations

import random
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from p2p.table.view_change import ChangeRound
from tests.model.member import Label, Local, Members, Violation
from tests.model.symmetry import Symmetry
from tests.model.world import World

State = tuple[int, ...]
Feature = tuple[tuple[int | str, ...], ...]
NOBODY = ChangeRound(())


@dataclass
class Report:
    """The states that a search has covered."""

    states: int
    whole: bool
    """Whether there is no other state within the bounds."""
    full_depth: int
    """Every state up to this depth has been met."""
    depth: int
    """The longest way to a state."""
    left: int = 0
    """States that were met and asserted on, but not those that follow from them."""
    kinds: int = 0
    """How many states differ in their features."""
    violation: str | None = None
    trace: tuple[str, ...] = ()


class Frontier:
    """States to go on from, by their depth and by their features."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.queue: deque[tuple[State, int, Feature]] = deque()
        self.buckets: dict[Feature, list[tuple[State, int]]] = {}
        self.open: list[Feature] = []
        self.count = 0

    def __len__(self) -> int:
        return self.count

    def add(self, state: State, depth: int, feature: Feature) -> None:
        self.queue.append((state, depth, feature))
        self.count += 1

    def pop(self, broad: bool) -> tuple[State, int]:
        """Take the state of least depth, or one at random of features at random."""
        self.count -= 1
        if broad:
            return self.queue.popleft()[:2]
        while self.queue:
            state, depth, feature = self.queue.popleft()
            if feature not in self.buckets:
                self.buckets[feature] = []
            if not self.buckets[feature]:
                self.open.append(feature)
            self.buckets[feature].append((state, depth))
        at = self.rng.randrange(len(self.open))
        bucket = self.buckets[self.open[at]]
        one = self.rng.randrange(len(bucket))
        bucket[one], bucket[-1] = bucket[-1], bucket[one]
        found = bucket.pop()
        if not bucket:
            self.open[at] = self.open[-1]
            self.open.pop()
        return found


class Search:
    """A search of a world. The order depends on the seed; if it comes to an end nothing does."""

    def __init__(self, world: World, seed: int = 0, members: type[Members] = Members) -> None:
        self.world, self.members = world, members(world)
        self.rng = random.Random(seed)
        self.first = tuple(self.members.number(Local(seat, 0, 0)) for seat in world.honest)
        self.symmetry = Symmetry(self.members)
        self.met: Counter[str] = Counter()
        self._changes: set[int] = set()
        self._one_chain: set[tuple[int, int]] = set()

    # Steps.

    def steps(self, state: State) -> Iterator[tuple[Label, State]]:
        """All that may happen next."""
        world, members = self.world, self.members
        locals_ = [members.locals[number] for number in state]
        union = 0
        for local in locals_:
            union |= local.known
        bounds = world.bounds
        leaves = sum(local.status == "left" for local in locals_)
        crashes = sum(local.crashes for local in locals_)
        for i, number in enumerate(state):
            for label, after in members.acts(number):
                if label[0] == "crash" and crashes >= bounds.crashes:
                    continue
                if members.locals[after].status == "left" and leaves >= bounds.leaves:
                    continue
                yield label, (*state[:i], after, *state[i + 1 :])
        exist = union
        if world.liar is not None:
            lies = union & world.by_seat[world.liar]
            if lies.bit_count() < bounds.lies:
                for number in state:
                    exist |= members.offers(number)
        for i, (number, local) in enumerate(zip(state, locals_, strict=True)):
            if local.status == "in":
                rest = exist & ~local.known & ~self._closed(number)
                while rest:
                    bit = rest & -rest
                    rest ^= bit
                    yield (
                        ("hear", local.seat, bit),
                        (*state[:i], members.learn(number, bit), *state[i + 1 :]),
                    )

    def _closed(self, number: int) -> int:
        """Entries of views that are over for a member: nothing in them can matter to it."""
        first = self.members.first_view[number]
        return (
            sum(mask for view, mask in self.world.by_view.items() if view < first) if first else 0
        )

    # Guarantees.

    def assert_state(self, state: State) -> None:
        """Raise if a guarantee does not hold: on each member by itself, and on each pair."""
        for number in state:
            self.members.acts(number)
        locals_ = [self.members.locals[number] for number in state]
        for one, other in combinations(locals_, 2):
            if one.head != other.head and (one.head, other.head) not in self._one_chain:
                if self.world.descends(one.head, other.head) or self.world.descends(
                    other.head, one.head
                ):
                    self._one_chain.add((one.head, other.head))
                    continue
                union = 0
                for local in locals_:
                    union |= local.known
                if (wrong := self._disagree(one, other, union)) is not None:
                    raise Violation(wrong)

    def _disagree(self, one: Local, other: Local, union: int) -> str | None:
        world, heads = self.world, self.world.heads
        removed = [
            other.seat not in heads[one.head].members,
            one.seat not in heads[other.head].members,
        ]
        if sum(removed) == 1:
            return None
        stood = self._stood(one.head, other.head)
        if all(removed) and "left" in (one.status, other.status):
            return None  # the one that has left has gone by its own word
        if all(removed) and not all(stood):
            # two majorities that share the liar alone: its two stands name it
            return None
        part = f"p{one.seat} is at head {one.head}, p{other.seat} at head {other.head}"
        changes = [
            heads[at] for at in self._apart(one.head, other.head) if heads[at].kind == "change"
        ]
        if len({change.view for change in changes}) < len(changes):
            # no way back to one match
            return f"G3: {part}, by two changes of one view"
        if world.liar is not None and self._names_the_liar(one.head, other.head, union):
            return None
        return f"G3: {part}"

    def _names_the_liar(self, one: int, other: int, union: int) -> bool:
        """Whether two chains that part name the liar: by their entries, or by two stories on the
        record where they part.

        A change for which somebody has gone back holds the second story as evidence, which the
        model does not write down.
        """
        world, heads = self.world, self.world.heads
        assert world.liar is not None
        lies = world.by_seat[world.liar]
        if world.fault((heads[one].need | heads[other].need) & lies) is not None:
            return True
        shared = next(at for at in reversed(heads[one].line) if world.descends(other, at))
        stories = [e for e in world.those(union & lies) if e.kind == "word" and e.body[1] == shared]
        return len(stories) > 1 and any(
            world.liar in (heads[at].round or NOBODY).gone for at in self._apart(one, other)
        )

    def _apart(self, one: int, other: int) -> list[int]:
        """The records of either of two chains that are not in the other."""
        lines = [self.world.heads[head].line for head in (one, other)]
        return sorted(set(lines[0]) ^ set(lines[1]))

    def _stood(self, one: int, other: int) -> list[bool]:
        """Whether each of two heads rests on a whole step or stand that the other does not rest
        on."""
        stands = [at for at in self._apart(one, other) if self.world.heads[at].kind != "change"]
        return [any(self.world.descends(head, at) for at in stands) for head in (one, other)]

    def assert_step(self, before: State, label: Label) -> None:
        """Raise if G1 does not hold: a member goes where it may not go."""
        if label[0] != "change":
            return
        world, (_, seat, old, new) = self.world, label
        self._count(new, old)
        if world.descends(new, old):
            return
        undone = next(head for head in world.heads[old].line if not world.descends(new, head))
        union = 0
        for number in before:
            union |= self.members.locals[number].known
        if world.liar is None or world.fault(union & world.by_seat[world.liar]) is None:
            raise Violation(
                f"G1: p{seat} goes back from head {old} to {new}, and nobody told two stories"
            )
        flushes = [e for e in world.those(world.heads[new].content) if e.kind == "flush"]
        spoken = [e for e in world.those(union) if e.kind in ("word", "stand")]
        for flush in flushes:
            if world.descends(flush.body[2], undone):
                continue
            if not any(
                e.seat == flush.seat
                and world.descends(e.body[-2 if e.kind == "word" else 0], undone)
                for e in spoken
            ):
                return
        raise Violation(
            f"G1: p{seat} goes back from head {old} to {new}, where nobody stands who could"
        )

    def _count(self, new: int, old: int) -> None:
        here = self.world.heads[new]
        if new not in self._changes and here.round is not None:
            self._changes.add(new)
            self.met["changes"] += 1
            self.met["with somebody voted out"] += bool(here.round.voted)
            self.met["where a word came in time"] += bool(here.round.answered)
            self.met["that go back"] += not self.world.descends(new, old)
            self.met["of a second view"] += here.view > 1

    # The search.

    def run(self, most: int, breadth: float = 0.2, seconds: float = float("inf")) -> Report:
        """Search until nothing is left, or this many states are met, or a guarantee is broken.

        A part of the states (`breadth`) is met in the order of their depth; then the search goes on
        from states that differ in their features, so that it comes to rare ones.
        """
        parents: dict[State, State | None] = {self.first: None}
        todo = Frontier(self.rng)
        todo.add(self.first, 0, ())
        report = Report(1, whole=False, full_depth=0, depth=0)
        end = time.monotonic() + seconds
        while len(parents) < most and todo and time.monotonic() < end:
            broad = len(parents) < most * breadth
            state, depth = todo.pop(broad)
            if broad:
                report.full_depth = depth
            try:
                for label, after in self.steps(state):
                    self.assert_step(state, label)
                    least = self.symmetry.least(after)
                    if least not in parents:
                        parents[least] = state
                        self.assert_state(after)
                        report.depth = max(report.depth, depth + 1)
                        feature = tuple(
                            sorted((self.members.features[number] for number in after), key=str)
                        )
                        todo.add(least, depth + 1, feature)
            except Violation:
                labels, report.violation = self.shorten(self._way(parents, state))
                report.trace = tuple(self.tell(label) for label in labels)
                break
        report.states, report.whole, report.left = (
            len(parents),
            not todo and report.violation is None,
            len(todo),
        )
        report.kinds = len(todo.buckets)
        return report

    def _way(self, parents: dict[State, State | None], at: State) -> list[Label]:
        """The steps to a state, or to one alike, and one that breaks a guarantee there."""
        states = [at]
        while (before := parents[states[-1]]) is not None:
            states.append(before)
        state, labels = self.first, []
        for least in states[-2::-1]:
            label, state = next(
                step for step in self.steps(state) if self.symmetry.least(step[1]) == least
            )
            labels.append(label)
        try:
            for label, after in self.steps(state):
                last = label
                self.assert_step(state, label)
                self.assert_state(after)
        except Violation:
            return [*labels, last]
        raise AssertionError("a violation came and went")

    # Short traces.

    def replay(self, labels: list[Label]) -> tuple[list[Label], str | None]:
        """The steps that can be taken of these, in order, up to the first that breaks a guarantee,
        and which it breaks."""
        state, taken = self.first, []
        for wanted in labels:
            try:
                following = {self.same(label): (label, after) for label, after in self.steps(state)}
                if self.same(wanted) not in following:
                    continue
                label, after = following[self.same(wanted)]
                taken.append(label)
                self.assert_step(state, label)
                self.assert_state(after)
                state = after
            except Violation as error:
                return taken, str(error)
        return taken, None

    @staticmethod
    def same(label: Label) -> Label:
        return label[:2] if label[0] == "change" else label

    def shorten(self, labels: list[Label]) -> tuple[list[Label], str]:
        """Leave out steps while the same guarantee is still broken."""
        labels, wrong = self.replay(labels)
        assert wrong is not None
        at = len(labels)
        while at:
            at -= 1
            taken, other = self.replay(labels[:at] + labels[at + 1 :])
            if other is not None and other[:2] == wrong[:2] and len(taken) < len(labels):
                labels, wrong = taken, other
                at = len(labels)
        return labels, wrong

    def tell(self, label: Label) -> str:
        """A step in words."""
        match label:
            case "sign", _, bit:
                return f"signs  {self.world.tell(self.world.those(bit)[0])}"
            case "hear", seat, bit:
                return f"p{seat} hears {self.world.tell(self.world.those(bit)[0])}"
            case "change", seat, old, new:
                return f"p{seat} goes from head {old} to head {new} by a view change"
            case "crash", seat:
                return f"p{seat} crashes and starts again"
        return f"p{label[1]} knows that it is out"
