"""The search: states of all honest members together, from the first one on, with the guarantees asserted on each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from tests.model.member import Label, Local, Members, Violation
from tests.model.world import World

State = tuple[int, ...]


@dataclass
class Report:
    """What a search has covered."""

    states: int
    whole: bool
    """Whether there is no other state within the bounds."""
    full_depth: int
    """Every state up to this depth has been met."""
    depth: int
    """The longest way to a state."""
    violation: str | None = None
    trace: tuple[str, ...] = ()


class Search:
    """A search of a world. The order depends on the seed; if it comes to an end nothing does."""

    def __init__(self, world: World, seed: int = 0) -> None:
        self.world, self.members = world, Members(world)
        self.rng = random.Random(seed)
        self.first = tuple(self.members.number(Local(seat, 0, 0)) for seat in world.honest)
        self._agreed: dict[tuple[int, int, int, int], str | None] = {}

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
        for i, local in enumerate(locals_):
            if local.status == "in":
                rest = exist & ~local.known & ~self._closed(local)
                while rest:
                    bit = rest & -rest
                    rest ^= bit
                    yield ("hear", local.seat, bit), (*state[:i], members.learn(state[i], bit), *state[i + 1 :])

    def _closed(self, local: Local) -> int:
        """Entries of views that are over for a member: nothing in them can matter to it."""
        first = self.members.views(local)[0][0]
        return sum(mask for view, mask in self.world.by_view.items() if view < first) if first else 0

    # Guarantees.

    def check(self, state: State) -> str | None:
        """Which guarantee on pairs of members does not hold."""
        locals_ = [self.members.locals[number] for number in state]
        for one, other in combinations(locals_, 2):
            if one.head != other.head:
                key = (one.seat, one.head, other.seat, other.head)
                if key not in self._agreed:
                    self._agreed[key] = self._disagree(one, other)
                if self._agreed[key] is not None:
                    return self._agreed[key]
        return None

    def _disagree(self, one: Local, other: Local) -> str | None:
        world, heads = self.world, self.world.heads
        if world.descends(one.head, other.head) or world.descends(other.head, one.head):
            return None
        removed = [other.seat not in heads[one.head].members, one.seat not in heads[other.head].members]
        if sum(removed) == 1:
            return None
        if all(removed) and not all(self._stood(one.head, other.head)):
            return None  # two majorities that share the liar alone: it is named by its two stands, not before
        both = heads[one.head].need | heads[other.head].need
        if world.liar is not None and world.fault(both & world.by_seat[world.liar]) is not None:
            return None
        return f"G3: p{one.seat} is at head {one.head}, p{other.seat} at head {other.head}"

    def _stood(self, *pair: int) -> list[bool]:
        """Whether each of two heads rests on a whole stand that the other does not rest on."""
        world, found = self.world, []
        for head, other in (pair, pair[::-1]):
            found.append(any(world.heads[at].kind == "stand" for at in world.heads[head].line if not world.descends(other, at)))
        return found

    def check_step(self, before: State, label: Label) -> str | None:
        """G1: whether a member may go where it goes."""
        if label[0] != "change":
            return None
        world, (_, seat, old, new) = self.world, label
        if world.descends(new, old):
            return None
        line = world.heads[old].line
        undone = next(head for head in line if not world.descends(new, head))
        union = 0
        for number in before:
            union |= self.members.locals[number].known
        if world.liar is None or world.fault(union & world.by_seat[world.liar]) is None:
            return f"G1: p{seat} goes back from head {old} to {new}, and nobody told two stories"
        change = world.heads[new]
        flushes = [e for e in world.those(change.need & ~world.heads[change.parent].need) if e.kind == "flush"]
        spoken = [e for e in world.those(union) if e.kind in ("word", "stand")]
        for flush in flushes:
            if world.descends(flush.body[2], undone):
                continue
            if not any(e.seat == flush.seat and world.descends(e.body[-2 if e.kind == "word" else 0], undone) for e in spoken):
                return None
        return f"G1: p{seat} goes back from head {old} to {new}, where nobody stands who could"

    # The search.

    def run(self, most: int) -> Report:
        """Search until nothing is left, or this many states are met, or a guarantee is broken."""
        parents: dict[State, State | None] = {self.first: None}
        levels: list[list[State]] = [[self.first]]
        rng = self.rng
        while levels and len(parents) < most:
            open_levels = [depth for depth, level in enumerate(levels) if level]
            if not open_levels:
                break
            depth = rng.choice(open_levels)
            level = levels[depth]
            at = rng.randrange(len(level))
            level[at], level[-1] = level[-1], level[at]
            state = level.pop()
            if depth + 1 == len(levels):
                levels.append([])
            broken: list[tuple[Label, State]] = []
            try:
                for label, after in self.steps(state):
                    if label[0] == "change" and (wrong := self.check_step(state, label)):
                        broken.append((label, after))
                        raise Violation(wrong)
                    if after in parents:
                        continue
                    if (wrong := self.check(after)) is not None:
                        broken.append((label, after))
                        raise Violation(wrong)
                    parents[after] = state
                    levels[depth + 1].append(after)
            except Violation:
                report = self._report(parents, levels)
                labels, report.violation = self.shorten(self._way(parents, state) + [label for label, _ in broken])
                report.trace = tuple(self.tell(label) for label in labels)
                return report
        return self._report(parents, levels)

    def _report(self, parents: dict[State, State | None], levels: list[list[State]]) -> Report:
        left = [depth for depth, level in enumerate(levels) if level]
        deepest = len(levels) - 1 if levels[-1] else len(levels) - 2
        return Report(len(parents), not left, left[0] - 1 if left else deepest, deepest)

    def _way(self, parents: dict[State, State | None], at: State) -> list[Label]:
        labels: list[Label] = []
        while (before := parents[at]) is not None:
            labels.append(next(label for label, after in self.steps(before) if after == at))
            at = before
        return labels[::-1]

    # Short traces.

    def replay(self, labels: list[Label]) -> tuple[list[Label], str | None]:
        """The steps that can be taken of these, in order, up to the first that breaks a guarantee, and which it breaks."""
        state, taken = self.first, []
        for wanted in labels:
            try:
                following = {self._same(label): (label, after) for label, after in self.steps(state)}
                if self._same(wanted) not in following:
                    continue
                label, after = following[self._same(wanted)]
                taken.append(label)
                if wrong := self.check_step(state, label) or self.check(after):
                    return taken, wrong
                state = after
                list(self.steps(state))  # what can be done next is asserted on too
            except Violation as error:
                return taken, str(error)
        return taken, None

    @staticmethod
    def _same(label: Label) -> Label:
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
