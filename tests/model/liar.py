"""The entries of the liar, as far as the situation of an honest member suggests them."""

from __future__ import annotations

from p2p.table.membership import Membership
from p2p.table.view_change import ChangeRound
from tests.model.world import Entry, World


def offers(world: World, known: int, views: list[tuple[int, Membership]]) -> int:
    """Return the mask of the entries that the situation of an honest member suggests to the liar.

    The member knows `known`, and these views are open for it.
    """
    liar, found = world.liar, 0
    if liar is None:
        return 0
    for view, member in views:
        if liar not in member.electorate:
            continue
        points = list(member._owed)[-2:]
        for point in points:
            found |= _offer_word(world, known, view, int.from_bytes(point, "big"))
        rounds = _offer_rounds(world, member)
        votes = [(point, seat) for point in points for seat in member._owed[point]]
        at = [(world.id_of(view, of), of) for of in rounds]
        at += [
            (world.confirm_point(view, of), of) for of in rounds if member._outcome(of) is not None
        ]
        votes += [
            (point, seat) for point, of in at for seat in member.members if seat not in of.leaving
        ]
        found |= sum(
            world.bit(Entry("vote", liar, view, vote)) for vote in votes if vote[1] in world.honest
        )
        found |= _offer_flushes(world, view, member, rounds)
        for of in rounds:
            if liar not in of.leaving and (change := member._outcome(of)) is not None:
                found |= world.bit(Entry("confirm", liar, view, (of, world.mask(change))))
        found |= world.bit(Entry("leave", liar, view))
    return found


def _offer_word(world: World, known: int, view: int, head: int) -> int:
    liar, stage = world.liar, world.stage(head)
    assert liar is not None
    if stage is None or liar not in stage[1]:
        return 0
    if stage[0] == "stand":
        return world.bit(Entry("stand", liar, view, (head,)))
    n = world.heads[head].records + 1
    first = world.bit(Entry("word", liar, view, (n, head, 0)))
    # Stories are alike: the second is told only where the first has been told.
    return (
        first | world.bit(Entry("word", liar, view, (n, head, 1)))
        if first & known and world.bounds.stories > 1
        else first
    )


def _offer_rounds(world: World, member: Membership) -> list[ChangeRound]:
    now = member.round
    found = dict.fromkeys(member._rounds())
    if now is not None:
        found[now] = None
    electorate = set(member.electorate)
    # old calls that carry: a flush may mention them
    for call, voters in member._votes.by_call():
        if 2 * len(voters & electorate) > len(electorate) and (
            now is None or call not in now.called
        ):
            called = tuple(sorted({*(now.called if now else ()), call}))
            found[ChangeRound(tuple(sorted(member.gone)), called, now.answered if now else ())] = (
                None
            )
    return [of for of in found if world.liar not in of.gone]


def _offer_flushes(world: World, view: int, member: Membership, rounds: list[ChangeRound]) -> int:
    liar, found = world.liar, 0
    assert liar is not None
    points = [int.from_bytes(point, "big") for point in member._owed]
    heads = {*points[-2:]} or {world.heads[point].parent for point in points}
    for of in rounds:
        dones = [
            b"",
            *(world.id_of(view, done) for done in rounds if done != of and done.precedes(of)),
        ]
        for head in sorted(heads):
            for done in dones:
                found |= world.bit(
                    Entry("flush", liar, view, (of, world.heads[head].records, head, done))
                )
    return found
