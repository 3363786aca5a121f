"""Random walks with a drain at the end, and a search of every order of everything."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from p2p.table import epoch_entries, pool
from tests.model.heads import Entry
from tests.model.member import Broken, Member
from tests.model.world import Action, Schedule, World


@contextmanager
def small_numbers(row: int = 2, most: int = 3, waiting: int = 2) -> Iterator[None]:
    """Fewer late calls and fewer waiting entries than in the program: a search comes to them."""
    before = epoch_entries.LATE_ROW, epoch_entries.LATE_ALL, pool.POOL
    epoch_entries.LATE_ROW, epoch_entries.LATE_ALL, pool.POOL = row, most, waiting
    try:
        yield
    finally:
        epoch_entries.LATE_ROW, epoch_entries.LATE_ALL, pool.POOL = before


@dataclass
class Walked:
    actions: int
    limits: int
    """Time limits that the drain took."""
    met: Counter[str]


def walk(
    seats: int, liars: int, seed: object, junk: int = 0, member: type[Member] = Member
) -> Walked:
    """One random run, and then a drain."""
    chance = random.Random(str(seed))
    kinds: list[tuple[Any, ...]] = [("toss",), ("chain",), *(("ask", s) for s in range(seats))]
    schedule = chance.choices(kinds, k=chance.randint(2, 4))
    budget = {
        "lie": chance.choice([0, 3, 8, 20]) if liars else 0,
        "vote": chance.choice([2, 6, 12]),
        "leave": chance.choice([0, 0, 1]),
        "crash": chance.choice([0, 1, 3]),
        "junk": junk,
    }
    lying = tuple(chance.sample(range(seats), liars))
    split = liars > 0 and chance.random() < 0.3
    if split:  # a liar that speaks alone tells each seat some story, and they go on from there
        schedule[0] = ("ask", lying[0])
    world = World(seats, lying, tuple(schedule), budget, member)
    try:
        for seat in world.members if split else ():
            word = Entry("word", lying[0], 0, (0, 0), (world.heads.begin, chance.randrange(3)))
            if word not in world.signed:
                world.act(("lie", word))
            world.act(("hear", seat, word))
        for _ in range(chance.randint(5, 90)):
            found = world.actions()
            if not found:
                break
            world.act(choose(world, found, chance, split))
        limits = world.drain(chance if chance.random() < 0.5 else None)
    except Broken as broken:
        raise Broken(f"{broken}; seed {seed}; {tell(world.story)}") from broken
    return Walked(len(world.story), limits, world.met)


def choose(world: World, found: list[Action], chance: random.Random, split: bool) -> Action:
    kinds = sorted({action[0] for action in found})
    usual = {"hear": 8, "speak": 4, "lie": 4, "junk": 3, "vote": 6 if split else 1}
    kind = chance.choices(kinds, weights=[usual.get(one, 1) for one in kinds])[0]
    found = sorted((action for action in found if action[0] == kind), key=repr)
    if kind == "lie" and chance.random() < 0.6:
        # a lie that goes with the known entries: attacks are made of these
        voted = {entry.place for entry in world.signed if entry.kind == "vote"}
        found = [
            one for one in found if one[1].kind in ("flush", "stand") or one[1].place in voted
        ] or found
    return chance.choice(found)


def tell(story: list[Action]) -> str:
    """The last actions of a run in words."""
    return "\n   ".join(["", *(" ".join(map(str, action)) for action in story[-12:])])


@dataclass
class Small:
    """A world that is small enough to search."""

    seats: int
    liars: int
    schedule: Schedule
    budget: dict[str, int] = field(default_factory=dict)

    def world(self, member: type[Member] = Member) -> World:
        lying = tuple(range(self.seats - self.liars, self.seats))
        return World(self.seats, lying, self.schedule, self.budget, member)


SMALL = [
    Small(3, 1, (("toss",),), {"lie": 3, "vote": 2}),
    Small(3, 1, (("ask", 0),), {"lie": 1, "vote": 2}),
    Small(3, 0, (("ask", 0),), {"vote": 3, "crash": 1}),
    Small(2, 1, (("toss",),), {"lie": 3, "vote": 2, "leave": 1, "crash": 1}),
    Small(3, 1, (("ask", 0), ("ask", 2)), {"lie": 4, "vote": 2, "crash": 1}),
    Small(4, 1, (("ask", 3),), {"lie": 3, "vote": 4}),
]


@dataclass
class Explored:
    states: int
    whole: bool
    """Whether these are all."""
    met: Counter[str]
    members: int
    """How many situations of single members occurred."""


State = tuple[tuple[int, ...], int, tuple[int, ...]]
Story = tuple[Any, ...]
"""The story before the last action, and that action; nothing at the beginning."""


class Search:
    """A search of every order of everything, up to a number of states.

    An action on one member depends on that member alone, so its result is computed once. A state is
    kept as numbers: of its members, of the set of signed entries, and of the budget.
    """

    def __init__(self, small: Small, seed: int = 0, member: type[Member] = Member) -> None:
        self.small, self.chance = small, random.Random(seed)
        self.first = small.world(member)
        self.members: list[Member] = []
        self._numbers: dict[Any, int] = {}
        self._after: dict[tuple[int, Action], tuple[int, list[Entry]]] = {}
        self._may: dict[int, list[Action]] = {}
        self._signed: list[dict[Entry, None]] = []
        self._signed_numbers: dict[frozenset[Entry], int] = {}
        self._met: Counter[str] = Counter()
        self.seats = tuple(self.first.members)
        self.spent = tuple(sorted(small.budget))

    def number(self, member: Member) -> int:
        """The number of a situation of a member."""
        saved = member.saved if self.small.budget.get("crash", 0) else None
        key = member.state(), saved.state() if saved is not None else None
        if key not in self._numbers:
            self._numbers[key] = len(self.members)
            self.members.append(member)
        return self._numbers[key]

    def signed_number(self, signed: dict[Entry, None]) -> int:
        key = frozenset(signed)
        if key not in self._signed_numbers:
            self._signed_numbers[key] = len(self._signed)
            self._signed.append(signed)
        return self._signed_numbers[key]

    def world(self, state: State) -> World:
        """The world of a state, which shares its members with others."""
        world = self.first.alike()
        members, signed, budget = state
        shared = (self.members[number] for number in members)
        world.members = dict(zip(self.seats, shared, strict=True))
        world.signed = self._signed[signed]
        world.budget = Counter(dict(zip(self.spent, budget, strict=True)))
        return world

    def act(self, state: State, action: Action) -> State:
        """The state after an action."""
        kind, *rest = action
        numbers, signed_number, budget = state
        signed = self._signed[signed_number]
        if kind in ("lie", "junk"):
            signed_number = self.signed_number(signed | {rest[0]: None})
        else:
            place = self.seats.index(rest[0])
            number, more = self.after(numbers[place], action)
            numbers = (*numbers[:place], number, *numbers[place + 1 :])
            if more:
                signed_number = self.signed_number(signed | dict.fromkeys(more))
        if kind in self.spent:
            budget = tuple(
                left - (kind == name) for name, left in zip(self.spent, budget, strict=True)
            )
        return numbers, signed_number, budget

    def after(self, number: int, action: Action) -> tuple[int, list[Entry]]:
        """A member after something has happened to it, and the entries that it has signed."""
        if (number, action) not in self._after:
            member = self.first.change(self.members[number].copy(), action)
            signed, member.signed = member.signed, []
            self._met.update(filter(None, member.met))
            member.met = []
            self._after[number, action] = self.number(member), signed
        return self._after[number, action]

    def actions(self, state: State, world: World) -> list[Action]:
        found: list[Action] = []
        for number, seat in zip(state[0], self.seats, strict=True):
            if number not in self._may:
                self._may[number] = list(world.may(world.members[seat]))
            found += [
                action
                for action in self._may[number]
                if action[0] not in ("vote", "crash", "leave") or world.budget[action[0]] > 0
            ]
            found += [("hear", seat, entry) for entry in world.deliverable(world.members[seat])]
        if world.budget["lie"] > 0:
            found += [("lie", entry) for entry in world.lies()]
        return found

    def run(self, most: int, drains: int = 20) -> Explored:
        """Search until nothing is left, or so many states are met. One of `drains` is drained."""
        first: State = (
            tuple(self.number(member) for member in self.first.members.values()),
            self.signed_number({}),
            tuple(self.small.budget[name] for name in self.spent),
        )
        seen: set[State] = {first}
        todo: list[tuple[State, Story]] = [(first, ())]
        while todo:
            # half of the time from the newest state on: only deep ones come to changes
            at = self.chance.choice((-1, self.chance.randrange(len(todo))))
            todo[at], todo[-1] = todo[-1], todo[at]
            state, story = todo.pop()
            for action in self.actions(state, self.world(state)):
                try:
                    after = self.act(state, action)
                    if after in seen:
                        continue
                    seen.add(after)
                    todo.append((after, (story, action)))
                    self.look(after, action, drain=len(seen) % drains == 0)
                except Broken as broken:
                    told = tell([*read(story), action])
                    raise Broken(f"{broken}; after {len(seen)} states; {told}") from broken
                if len(seen) >= most:
                    return self.report(len(seen), whole=False)
        return self.report(len(seen), whole=True)

    def look(self, state: State, action: Action, *, drain: bool) -> None:
        """Check a state, and its end."""
        world = self.world(state)
        if action[0] not in ("lie", "junk"):
            world.check(action[1])
        if drain:
            world.copy().drain(None)

    def report(self, states: int, *, whole: bool) -> Explored:
        return Explored(states, whole, self._met, len(self.members))


def read(story: Story) -> list[Action]:
    """The actions of a story, in order."""
    found = []
    while story:
        story, action = story
        found.append(action)
    return found[::-1]
