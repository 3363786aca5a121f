"""Liveness: after a random beginning, honest members that hear each other and vote for who is away always go on (G5)."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.model.member import Label
from tests.model.search import Search, State
from tests.model.world import World


@dataclass
class Drained:
    """What the walks have come to."""

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
    weight = {kind: rng.choice((0.05, 0.3, 1, 3)) for kind in ("hear", "sign", "crash", "change", "out")}
    lies = rng.choice((0.1, 1, 3))
    for _ in range(length):
        steps = list(search.steps(state))
        if not steps:
            break
        weights = [weight[label[0]] * (lies if _of_liar(search, label) else 1) for label, _ in steps]
        label, state = rng.choices(steps, weights)[0]
        search.assert_step(search.first, label) if False else None
        labels.append(label)
        search.assert_state(state)
    return state, labels


def _of_liar(search: Search, label: Label) -> bool:
    return label[0] == "hear" and search.world.those(label[2])[0].seat == search.world.liar


def drain(search: Search, state: State) -> tuple[State, list[Label]]:
    """Deliver all that is known, and let members do what they owe; they vote only when nothing else is left."""
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
        end, more = drain(search, state)
        found.walks += 1
        verdict = judge(search, end)
        found.finished += verdict == "finished"
        found.aside += verdict == "aside"
        if verdict == "stuck" and not found.stuck:

            def tried(way: list[Label]) -> State | None:
                at = search.first
                for wanted in way:
                    step = next((s for s in search.steps(at) if Search._same(s[0]) == Search._same(wanted)), None)
                    if step is None:
                        continue
                    at = step[1]
                return at

            at = len(labels)
            while at:
                at -= 1
                shorter = labels[:at] + labels[at + 1 :]
                if judge(search, drain(search, tried(shorter))[0]) == "stuck":
                    labels = shorter
            end, more = drain(search, tried(labels))
            found.stuck = tuple([search.tell(l) for l in labels] + ["-- drained:"] + [search.tell(l) for l in more])
            found.stuck += tuple(str(search.members.locals[n]._replace(known=0)) for n in end)
    return found


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
