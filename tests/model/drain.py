"""Liveness: after a random beginning, honest members that hear each other and vote for absent seats
always go on (G5)."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.model.member import Label
from tests.model.search import Search, State
from tests.model.world import World


@dataclass
class Drained:
    """The results of the walks."""

    walks: int = 0
    finished: int = 0
    """Walks after which all honest members that are not out have come to the end of the rules."""
    aside: int = 0
    """Walks after which no majority of honest members is left: the match is put aside."""
    stuck: tuple[str, ...] = ()
    """The first walk that ends otherwise."""


def walk(search: Search, length: int) -> tuple[State, list[Label]]:
    """Go from the first state by random steps; some walks vote or lie more than others."""
    rng, state, labels = search.rng, search.first, []
    weight = {
        kind: rng.choice((0.05, 0.3, 1, 3)) for kind in ("hear", "sign", "crash", "change", "out")
    }
    lies = rng.choice((0.1, 1, 3))
    for _ in range(length):
        steps = list(search.steps(state))
        if not steps:
            break
        weights = [
            weight[label[0]] * (lies if _of_liar(search, label) else 1) for label, _ in steps
        ]
        label, state = rng.choices(steps, weights)[0]
        labels.append(label)
        search.assert_state(state)
    return state, labels


def _of_liar(search: Search, label: Label) -> bool:
    return label[0] == "hear" and search.world.those(label[2])[0].seat == search.world.liar


def drain(search: Search, state: State) -> tuple[State, list[Label]]:
    """Deliver all that is known, and let members do what they owe; they vote only when nothing else
    is left."""
    labels: list[Label] = []
    for _ in range(2000):
        known = 0
        for number in state:
            known |= search.members.locals[number].known
        step = _next(search, state, known)
        if step is None:
            return state, labels
        labels.append(step[0])
        state = step[1]
    raise AssertionError("members go on for ever")


def _next(search: Search, state: State, known: int) -> tuple[Label, State] | None:
    votes = None
    rest = None
    for label, after in search.steps(state):
        if label[0] == "hear":
            if label[2] & known:
                return label, after
        elif label[0] == "sign":
            entry = search.world.those(label[2])[0]
            if entry.kind == "vote":
                votes = votes or (label, after)
            elif entry.kind != "leave":
                rest = rest or (label, after)
        elif label[0] != "crash":
            return label, after
    return rest or votes


def walks(world: World, seed: int, count: int, longest: int = 60) -> Drained:
    """Drain the ends of random walks."""
    search, found = Search(world, seed), Drained()
    search.rng = random.Random(seed)
    for _ in range(count):
        state, labels = walk(search, search.rng.randrange(5, longest))
        end, _ = drain(search, state)
        found.walks += 1
        verdict = judge(search, end)
        found.finished += verdict == "finished"
        found.aside += verdict == "aside"
        if verdict == "stuck" and not found.stuck:
            labels = _shorten(search, labels)
            more = drain(search, _follow(search, labels))[1]
            found.stuck = (
                *map(search.tell, labels),
                "then all is delivered:",
                *map(search.tell, more),
            )
    return found


def _follow(search: Search, labels: list[Label]) -> State:
    """Take the steps that can be taken of these."""
    at = search.first
    for wanted in labels:
        steps = (step for step in search.steps(at) if search.same(step[0]) == search.same(wanted))
        at = next(steps, (wanted, at))[1]
    return at


def _shorten(search: Search, labels: list[Label]) -> list[Label]:
    at = len(labels)
    while at:
        at -= 1
        shorter = labels[:at] + labels[at + 1 :]
        if judge(search, drain(search, _follow(search, shorter))[0]) == "stuck":
            labels = shorter
    return labels


def judge(search: Search, end: State) -> str:
    world = search.world
    locals_ = [search.members.locals[number] for number in end]
    playing = [local for local in locals_ if local.status == "in"]
    if all(world.stage(local.head) is None for local in playing):
        return "finished"
    for local in playing:
        view, member = search.members.views(local)[-1]
        if view >= world.bounds.views:
            return "aside"
        honest = [other.seat for other in playing if other.seat in member.electorate]
        if 2 * len(honest) <= len(member.electorate):
            return "aside"
    return "stuck"
