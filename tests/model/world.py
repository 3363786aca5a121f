"""All that can be signed in the model, and the chains that come of it: entries and heads are
numbered, sets are bit masks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from p2p.table.membership import Membership
from p2p.table.view_change import Change, ChangeRound, Flush


class Entry(NamedTuple):
    """Something signed. `kind` is word, stand, leave, vote, flush or confirm; `body` depends on it.

    word: (n, head, story). stand: (head,). leave: (). vote: (point, seat). flush: (round, records,
    head, done). confirm: (round, mask of the flushes of the change).
    """

    kind: str
    seat: int
    view: int
    body: tuple[Any, ...] = ()

    @property
    def place(self) -> tuple[Any, ...]:
        match self.kind:
            case "word" | "flush" | "confirm":
                return self.kind, self.view, self.body[0]
            case "vote":
                return self.kind, self.view, self.body
        return self.kind, self.view


class Head(NamedTuple):
    """A record and all before it. `need` is the mask of the entries in them, `line` the heads up to
    this one."""

    parent: int
    kind: str
    view: int
    records: int
    step: int
    members: tuple[int, ...]
    need: int
    line: tuple[int, ...]
    round: ChangeRound | None = None
    """The round that this view change is for."""
    content: int = 0
    """The mask of the entries in this record alone."""


@dataclass(frozen=True)
class Bounds:
    """How much may happen in a run."""

    votes: int = 2
    """Votes that one honest member signs."""
    leaves: int = 1
    """Honest members that leave."""
    crashes: int = 1
    """Crashes, of all honest members together."""
    lies: int = 4
    """Different entries that the liar signs."""
    views: int = 2
    """View changes in a chain."""
    stories: int = 2
    """Stories that the liar tells for one word."""


@dataclass
class World:
    """The seats, the schedule of the rules (by step: the seats that owe a word), and all entries
    and heads met so far."""

    members: int
    liar: int | None
    schedule: tuple[tuple[int, ...], ...]
    bounds: Bounds = field(default_factory=Bounds)
    cls: type[Membership] = Membership

    def __post_init__(self) -> None:
        everybody = tuple(range(self.members))
        self.honest = tuple(seat for seat in everybody if seat != self.liar)
        self.entries: list[Entry] = []
        self.number: dict[Entry, int] = {}
        self.by_seat = [0] * self.members
        self.by_view: dict[int, int] = {}
        self.heads = [Head(-1, "begin", 0, 0, 0, everybody, 0, (0,))]
        self.head_number: dict[tuple[Any, ...], int] = {}
        self.rounds: dict[bytes, tuple[int, ChangeRound]] = {}
        self.confirm_points: dict[bytes, tuple[int, ChangeRound]] = {}
        self.ids: dict[tuple[int, ChangeRound], bytes] = {}
        self._faults: dict[int, int | None] = {}

    # Entries.

    def bit(self, entry: Entry) -> int:
        number = self.number.get(entry)
        if number is None:
            number = self.number[entry] = len(self.entries)
            self.entries.append(entry)
            self.by_seat[entry.seat] |= 1 << number
            self.by_view[entry.view] = self.by_view.get(entry.view, 0) | 1 << number
        return 1 << number

    def those(self, mask: int) -> list[Entry]:
        """The entries of a mask, in the order in which they were first met."""
        found = []
        while mask:
            low = mask & -mask
            found.append(self.entries[low.bit_length() - 1])
            mask ^= low
        return found

    def fault(self, mask: int) -> int | None:
        """The lowest view in which entries of one seat contradict each other, None if they do
        not."""
        if mask not in self._faults:
            self._faults[mask] = self._fault(self.those(mask))
        return self._faults[mask]

    def _fault(self, mine: list[Entry]) -> int | None:
        found: list[int] = []
        for view in sorted({entry.view for entry in mine}):
            here = [entry for entry in mine if entry.view == view]
            flushes = [entry for entry in here if entry.kind == "flush"]
            spoken = max((entry.body[0] - 1 for entry in here if entry.kind == "word"), default=0)
            spoken = max(
                [spoken, *(self.heads[e.body[0]].records for e in here if e.kind == "stand")]
            )
            member = self.cls(b"", view, range(self.members), None, lambda _point, _seat: False)
            if (
                len({entry.place for entry in here}) < len(here)
                or any(member.receive_flush(self.flush(entry)) is not None for entry in flushes)
                or (any(e.kind == "leave" for e in here) and any(e.body[0].voted for e in flushes))
                or any(entry.body[1] < spoken for entry in flushes)
            ):
                found.append(view)
        return min(found, default=None)

    # Rounds and points.

    def flush(self, entry: Entry) -> Flush:
        of, records, head, done = entry.body
        return Flush(
            entry.seat,
            of,
            records,
            self.point(head),
            done,
            self.bit(entry).bit_length().to_bytes(4, "big"),
        )

    def id_of_change(self, flushes: int) -> bytes:
        """The id of a change, of the mask of its flushes."""
        found = sorted(self.those(flushes))
        change = Change(found[0].body[0], tuple(self.flush(entry) for entry in found))
        return self.cls(b"", 0, (), None, lambda _point, _seat: False).id_of_change(change)

    @staticmethod
    def mask(change: Change) -> int:
        """The mask of the flushes of a change."""
        return sum(1 << int.from_bytes(flush.entry, "big") - 1 for flush in change.flushes)

    def id_of(self, view: int, of: ChangeRound) -> bytes:
        found = self.ids.get((view, of))
        if found is None:
            member = self.cls(b"", view, (), None, lambda _point, _seat: False)
            found = member.id_of(of)
            self.ids[view, of] = found
            self.rounds[found] = self.confirm_points[member.confirm_point(of)] = view, of
        return found

    def confirm_point(self, view: int, of: ChangeRound) -> bytes:
        self.id_of(view, of)
        return next(point for point, found in self.confirm_points.items() if found == (view, of))

    @staticmethod
    def point(head: int) -> bytes:
        return head.to_bytes(32, "big")

    # Chains.

    def stage(self, head: int) -> tuple[str, tuple[int, ...]] | None:
        """The entries that the match waits for on a head: words or stands, and the seats that owe
        them; None when the rules are over."""
        here = self.heads[head]
        if here.kind == "change":
            return "stand", here.members
        if here.step == len(self.schedule):
            return None
        return "word", tuple(
            seat for seat in self.schedule[here.step] if seat in here.members
        ) or here.members

    def sent(self, known: int, head: int) -> dict[int, int]:
        """The words on a head that are known: the bit of each by seat, the first met if there are
        two."""
        found: dict[int, int] = {}
        for entry in self.those(known & self.by_view.get(self.heads[head].view, 0)):
            if (entry.kind == "word" and entry.body[1] == head) or (
                entry.kind == "stand" and entry.body[0] == head
            ):
                found.setdefault(entry.seat, self.bit(entry))
        return found

    def settle(self, head: int, known: int) -> int | None:
        """The head after the stage on this head, None while words are missing."""
        stage = self.stage(head)
        if stage is None:
            return None
        sent = self.sent(known, head)
        if not all(seat in sent for seat in stage[1]):
            return None
        return self.record(head, sum(sent[seat] for seat in stage[1]))

    def record(self, head: int, words: int) -> int:
        """The head after a step or a stand with these words on a head."""
        here, stage = self.heads[head], self.stage(head)
        assert stage is not None
        kind = "stand" if stage[0] == "stand" else "step"
        return self._head(
            (head, words),
            Head(head, kind, here.view, 0, here.step + (kind == "step"), here.members, words, ()),
        )

    def change(self, base: int, view: int, of: ChangeRound, flushes: int) -> int:
        """The head after a view change, of a view, from the base, for a round, by these flushes."""
        here = self.heads[base]
        members = tuple(seat for seat in here.members if seat not in of.leaving)
        return self._head(
            (base, view, of, flushes),
            Head(base, "change", view + 1, 0, here.step, members, flushes, (), of),
        )

    def _head(self, key: tuple[Any, ...], head: Head) -> int:
        if key not in self.head_number:
            number, parent = len(self.heads), self.heads[head.parent]
            more = {
                "records": parent.records + 1,
                "need": parent.need | head.need,
                "content": head.need,
                "line": (*parent.line, number),
            }
            self.heads.append(head._replace(**more))
            self.head_number[key] = number
        return self.head_number[key]

    def justifies(self, entry: Entry, view: int, of: ChangeRound) -> bool:
        """Whether a flush of a round in a view rests on an entry."""
        if entry.seat in of.gone:
            return entry.view <= view
        if entry.view != view:
            return False
        if entry.kind == "vote":
            return (entry.body[1], entry.body[0]) in of.called
        points = {point for _, point in of.called}
        if entry.kind in ("flush", "confirm"):
            rounds = {
                known[point][1]
                for point in points
                for known in (self.rounds, self.confirm_points)
                if point in known
            }
            return entry.body[0] in rounds or any(entry.seat == seat for seat, _ in of.answered)
        if entry.kind in ("word", "stand"):
            point = self.point(entry.body[1 if entry.kind == "word" else 0])
            return (entry.seat, point) in of.answered
        return False

    def descends(self, head: int, ancestor: int) -> bool:
        line = self.heads[head].line
        depth = len(self.heads[ancestor].line) - 1
        return len(line) > depth and line[depth] == ancestor

    def base(self, heads: list[int]) -> int:
        """The furthest of these heads if they lie on one chain, else the last record that they
        share."""
        furthest = max(heads, key=lambda head: len(self.heads[head].line))
        if all(self.descends(furthest, head) for head in heads):
            return furthest
        shared = 0
        for level in zip(*(self.heads[head].line for head in heads), strict=False):
            if len(set(level)) > 1:
                break
            shared = level[0]
        return shared

    # Words for people.

    def tell(self, entry: Entry) -> str:
        who = "liar" if entry.seat == self.liar else f"p{entry.seat}"
        match entry.kind, entry.body:
            case "word", (n, head, story):
                text = f"word {n} on head {head}" + (f" (story {story})" if story else "")
            case "stand", (head,):
                text = f"stand on head {head}"
            case "vote", (point, seat):
                text = f"vote for p{seat} at {self.tell_point(point)}"
            case "flush", (of, records, head, done):
                text = f"flush for {self.tell_round(of)} with {records} records, head {head}"
                text += f", done {self.tell_point(done)}" if done else ""
            case "confirm", (of, flushes):
                text = (
                    f"confirm for {self.tell_round(of)} of flushes "
                    f"{[self.tell(one) for one in self.those(flushes)]}"
                )
            case _:
                text = entry.kind
        return f"{who}/view {entry.view}: {text}"

    def tell_point(self, point: bytes) -> str:
        if point in self.confirm_points:
            return f"confirm of round {self.tell_round(self.confirm_points[point][1])}"
        return (
            f"round {self.tell_round(self.rounds[point][1])}"
            if point in self.rounds
            else f"head {int.from_bytes(point, 'big')}"
        )

    def tell_round(self, of: ChangeRound) -> str:
        calls = [
            f"{seat}@{self.tell_point(point)}" + ("*" if (seat, point) in of.answered else "")
            for seat, point in of.called
        ]
        return f"[gone {list(of.gone)} called {' '.join(calls) or '-'}]"
