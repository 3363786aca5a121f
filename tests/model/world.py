"""The seats together, all that has been signed, and the checks. The adversary chooses what happens
next."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from p2p.table import pool
from p2p.table.epoch import Epoch
from p2p.table.epoch_entries import ChangeRound
from tests.model.heads import Entry, Heads
from tests.model.member import Member, claim

Action = tuple[Any, ...]
Schedule = tuple[tuple[Any, ...], ...]

STORIES = 4
"""Entries that a liar signs for one place, at most."""
LIMITS = 40
"""Time limits after which everybody should have come to the end."""


class World:
    """One match. A member that others have too (`shared`) is copied before it changes."""

    def __init__(
        self,
        seats: int,
        liars: tuple[int, ...],
        schedule: Schedule,
        budget: Mapping[str, int],
        member: type[Member] = Member,
    ) -> None:
        self.heads = Heads(tuple(range(seats)), schedule)
        self.liars = frozenset(liars)
        self.signed: dict[Entry, None] = {}
        self.budget = Counter(budget)
        self.story: list[Action] = []
        self.met: Counter[str] = Counter()
        honest = [seat for seat in range(seats) if seat not in self.liars]
        self.members = {seat: member(self.heads, seat) for seat in honest}
        for one in self.members.values():
            one.save()

    def copy(self) -> World:
        other = self.alike()
        other.members = {seat: member.copy() for seat, member in self.members.items()}
        return other

    def alike(self) -> World:
        """A copy that shares its members with this world."""
        other = World.__new__(World)
        vars(other).update(vars(self))
        other.signed, other.budget = self.signed.copy(), Counter(self.budget)
        other.story, other.members = list(self.story), dict(self.members)
        return other

    # The actions.

    @staticmethod
    def may_speak(member: Member) -> bool:
        now = member.stage(member.epoch)
        if now is None or member.settled < len(member.logs[member.epoch]) - 1:
            return False
        place = (member.heads.records[member.logs[member.epoch][-1]].count, now[1])
        return (
            member.seat in now[2]
            and member.now.may_speak(now[0])
            and (member.seat, now[0]) not in member.words
            and ("word", member.seat, member.epoch, place) not in member.got
            and ("leave", member.seat, member.epoch, ()) not in member.got
        )

    @staticmethod
    def votes(member: Member) -> list[tuple[int, Any]]:
        return [
            (number, call) for number, epoch in member.epochs.items() for call in epoch.votes_owed()
        ]

    def may(self, member: Member) -> Iterator[Action]:
        """The actions of a member by itself, and those of others on it."""
        seat = member.seat
        if self.may_speak(member):
            yield "speak", seat
        for number, call in self.votes(member):
            yield "vote", seat, number, call
        assert member.saved is not None
        if member.saved.state() != member.state():
            yield "crash", seat
        if ("leave", seat, member.epoch, ()) not in member.got and not member.now.stopped:
            yield "leave", seat, member.epoch

    def actions(self) -> list[Action]:
        """Everything that can happen next."""
        found: list[Action] = []
        for seat, member in self.members.items():
            found += [
                action
                for action in self.may(member)
                if action[0] not in ("vote", "crash", "leave") or self.budget[action[0]] > 0
            ]
            found += [("hear", seat, entry) for entry in self.deliverable(member)]
        if self.budget["lie"] > 0:
            found += [("lie", entry) for entry in self.lies()]
            if self.budget["junk"] > 0:
                found += [("junk", entry) for entry in self.junk()]
        return found

    def deliverable(self, member: Member) -> list[Entry]:
        waiting = set(member.pool)
        return [
            entry
            for entry in self.signed
            if entry.seat != member.seat and entry not in waiting and not member.holds(entry)
        ]

    def junk(self) -> list[Entry]:
        liar, number = min(self.liars), self.budget["junk"]
        epoch = max(member.epoch for member in self.members.values())
        of = ChangeRound((), ((max(self.members), bytes([255, number])),))
        return [
            Entry("junk", liar, epoch, number),
            Entry("flush", liar, epoch, of, (self.heads.begin, b"")),
        ]

    def lies(self) -> list[Entry]:
        """All that a liar may sign now, given its sight of the honest seats."""
        found: dict[Entry, None] = {}
        for member in self.members.values():
            for entry in self.offers(member):
                found[self.next_story(entry) if entry.kind == "word" else entry] = None
        told_at = Counter(entry.key for entry in self.signed)
        return [
            entry for entry in found if entry not in self.signed and told_at[entry.key] < STORIES
        ]

    def next_story(self, word: Entry) -> Entry:
        """A word with another body than those that its seat has signed on the same head."""
        head = word.body[0]
        told = sum(one.key == word.key and one.body[0] == head for one in self.signed)
        return word._replace(body=(head, told))

    def offers(self, member: Member) -> list[Entry]:
        """The entries that liars may sign, as the situation of one member suggests it."""
        if ("offers",) not in member.cached:
            found: dict[Entry, None] = {}
            for number, epoch in member.epochs.items():
                for liar in sorted(self.liars & set(epoch.members)):
                    found.update(dict.fromkeys(self.words(member, number, liar)))
                    calls = epoch.missing()
                    found |= {
                        Entry("vote", liar, number, call): None for call in calls if call[0] != liar
                    }
                    found[Entry("leave", liar, number)] = None
                    found.update(dict.fromkeys(self.flushes(member, number, epoch, liar)))
            member.cached[("offers",)] = list(found)
        offers: list[Entry] = member.cached[("offers",)]
        return offers

    def words(self, member: Member, number: int, liar: int) -> Iterator[Entry]:
        for at, owing in list(member.points(number).items())[-3:]:
            if liar in owing:
                stage = [self.heads.content[one][0] == "stage" for one in self.heads.back(at)]
                place = self.heads.records[self.heads.under[at]].count, stage.index(False)
                yield Entry("word", liar, number, place, (at, 0))
            for seat in sorted(set(owing) - {liar}):
                yield Entry("vote", liar, number, (seat, at))

    def flushes(self, member: Member, number: int, epoch: Epoch, liar: int) -> Iterator[Entry]:
        records = self.heads.records
        heads = [at for at in member.logs[number] if records[at].epoch == number][-2:]
        rounds = dict.fromkeys((epoch.round, *epoch.flushed_rounds()))
        whole = [of for of in rounds if epoch.whole(of) is not None]
        for of in rounds:
            if not of.can_be or liar in epoch.goes(of):
                continue
            earlier = [one for one in whole if one != of and one.precedes(of)]
            for at in heads:
                for done in (b"", *map(epoch.id_of, earlier)):
                    yield Entry("flush", liar, number, of, (at, done))
            outcome = epoch.outcome(of)
            if outcome is not None and liar in outcome.stays:
                yield Entry("stand", liar, number, of, outcome.id)

    def act(self, action: Action) -> None:
        kind, *rest = action
        self.story.append(action)
        if kind in self.budget:
            self.budget[kind] -= 1
        if kind in ("lie", "junk"):
            self.signed[rest[0]] = None
            return
        self.members[rest[0]] = self.change(self.members[rest[0]], action)
        self.gather(rest[0])
        self.check(rest[0])

    def change(self, member: Member, action: Action) -> Member:
        """A member after something has happened to it. It may be another object."""
        kind, *rest = action
        if kind == "crash":
            assert member.saved is not None
            back = member.saved.copy()
            back.save()
            back.spoken = member.spoken
            back.proceed()
            return back
        if kind == "hear":
            member.hear(rest[1])
        elif kind == "speak":
            now = member.stage(member.epoch)
            assert now is not None
            place = (member.heads.records[member.logs[member.epoch][-1]].count, now[1])
            member.sign("word", member.epoch, place, (now[0], 0))
        else:
            member.sign(kind, *rest[1:])
        member.proceed()
        return member

    def gather(self, seat: int) -> None:
        member = self.members[seat]
        self.signed |= dict.fromkeys(member.signed)
        self.met.update(filter(None, member.met))
        member.signed, member.met = [], []

    # The guarantees, in every state.

    def check(self, seat: int) -> None:
        """Raise Broken if the last change of a member breaks a guarantee."""
        member = self.members[seat]
        for sender, waiting in member.pool.waiting.items():
            few = len(waiting) <= pool.POOL or not member.bounded
            claim(few, f"G6: the pool of p{sender} overflows")
        for other in self.members.values():
            claim(other.seat not in member.evidence, f"G7: p{seat} convicts honest p{other.seat}")
            if other is not member:
                self.check_pair(member, other)
        epoch = member.now
        called = tuple(sorted(epoch.carried(epoch.gone)))
        if member.stage(member.epoch) is not None and not epoch.stopped:
            for one in epoch.members:
                late = one != seat and epoch.is_late(one, called)
                claim(not late, f"G10: p{seat} plays on with p{one} after {len(called)} calls")

    def check_pair(self, one: Member, other: Member) -> None:
        records = self.heads.records
        for epoch in range(1, min(one.epoch, other.epoch) + 1):
            a, b = (
                next(at for at in member.logs[member.epoch] if records[at].epoch == epoch)
                for member in (one, other)
            )
            both = {one.seat, other.seat} <= set(records[a].members) & set(records[b].members)
            different = f"p{one.seat} and p{other.seat} make different changes of epoch {epoch - 1}"
            claim(a == b or not both, f"G3: {different}")
        for ahead, behind in ((one, other), (other, one)):
            if ahead.epoch == behind.epoch + 1 and not set(ahead.evidence) | set(behind.evidence):
                self.check_behind(ahead, behind)

    def check_behind(self, ahead: Member, behind: Member) -> None:
        """Raise Broken if a change would take a member behind its settled records."""
        begun = next(
            at for at in ahead.logs[ahead.epoch] if self.heads.records[at].epoch == ahead.epoch
        )
        settled = behind.logs[behind.epoch][behind.settled]
        kept = settled in self.heads.back(begun)
        stays = behind.seat in self.heads.records[begun].members
        undone = f"p{ahead.seat} makes a change behind the settled records of p{behind.seat}"
        claim(kept or not stays, f"G1: {undone}")

    # Links heal, and people answer.

    def exchange(self) -> None:
        """Honest seats show each other all that they hold, until nothing is new."""
        more = True
        while more:
            more = False
            for one, other in permutations(self.members.values(), 2):
                for entry in [*one.held()]:
                    wanted = entry.key in other.got or other.needs(entry)
                    if entry.seat != other.seat and wanted:
                        more |= other.hear(entry)
                for seat in sorted(set(one.evidence) - set(other.evidence)):
                    more = True
                    other.convict(*one.evidence[seat])
        for seat in self.members:
            self.gather(seat)
            self.check(seat)

    def lie_on(self, chance: random.Random) -> bool:
        if not self.liars or self.budget["lie"] <= 0 or chance.random() >= 0.5:
            return False
        lies = sorted(self.lies(), key=repr)
        if not lies:
            return False
        entry = chance.choice(lies)
        self.act(("lie", entry))
        self.act(("hear", chance.choice(sorted(self.members)), entry))
        return True

    def drain(self, chance: random.Random | None) -> int:
        """Let everything arrive. People answer, and vote when nothing moves.

        Raise Broken if not all come to the end (G5, G8). Return the time limits that it took.
        """
        limits = 0
        while limits < LIMITS:
            self.exchange()
            if chance is not None and self.lie_on(chance):
                continue
            speaking = [seat for seat, one in self.members.items() if self.may_speak(one)]
            for seat in speaking:
                self.act(("speak", seat))
            if speaking:
                continue
            inside, electorate = self.inside()
            there = {member.seat for member in inside}
            waits = {call[0] for member in inside for _, call in self.votes(member)}
            in_vain = 2 * len(inside) > electorate > 2 and waits and not waits - there
            claim(not in_vain, f"G8: honest seats that are there wait in vain for {waits}")
            voting = [
                (one.seat, *vote) for one in self.members.values() for vote in self.votes(one)
            ]
            for seat, number, call in voting:
                if (number, call) in self.votes(self.members[seat]):
                    self.act(("vote", seat, number, call))
            if not voting:
                break
            limits += 1
        inside, electorate = self.inside()
        if 2 * len(inside) > electorate > 2:
            logs = {tuple(member.logs[member.epoch]) for member in inside}
            ended = all(member.stage(member.epoch) is None for member in inside)
            seats = [member.seat for member in inside]
            claim(ended and len(logs) == 1, f"G5: honest {seats} do not come to the end")
        return limits

    def inside(self) -> tuple[list[Member], int]:
        """The honest members of the last epoch that have not gone, and its electorate."""
        begun = {
            member.seat: [
                at for at in member.logs[member.epoch] if self.heads.content[at][0] == "epoch"
            ]
            for member in self.members.values()
        }
        last = max(
            self.members.values(),
            key=lambda m: (
                [sum(at in one for one in begun.values()) for at in begun[m.seat]],
                len(m.out),
                len(m.logs[m.epoch]),
            ),
        )
        epoch = last.now
        stay = set(epoch.members) - epoch.gone - set(last.out)
        called = epoch.round.called
        inside = [
            member
            for member in self.members.values()
            if member.seat in stay and not epoch.is_late(member.seat, called)
        ]
        return inside, len(stay)
