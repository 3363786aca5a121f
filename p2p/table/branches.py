"""The branches of records that equivocation creates, each followed once.

Records can only fork where a seat signed two conflicting entries (a second story). A seat that
flushed on another branch shows its entries. We follow them with the stories that we hold, until we
reach the flushed head. A branch grows with later entries.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from p2p.table.inbox import Inbox
from p2p.table.log import DECK, STEP, Entry
from p2p.table.pool import POOL
from p2p.table.progress import Progress

BRANCHES = POOL
"""The most branches kept without a wanted head; the oldest are dropped."""


@dataclass
class Branch:
    """A branch: its records, and the stories by which it left our own, in order."""

    progress: Progress
    stories: tuple[Entry, ...] = ()
    tried: set[bytes] = field(default_factory=set)
    """Stories that this branch must not try (again): that of its parent, and those already tried
    for a missing entry."""

    def go_on(self, inbox: Inbox) -> None:
        """Proceed as far as the entries of an inbox allow."""
        ours = self.progress.inbox
        ours.hear(inbox)
        self.progress.go_on()
        while lacking := [
            two
            for _one, two in ours.stories()
            if two.data not in self.tried and self.progress.lacks(two)
        ]:
            self.tried.add(lacking[0].data)
            ours.prefer(lacking[0])
            self.progress.go_on()

    @property
    def goes_by(self) -> frozenset[bytes]:
        """The stories that this branch follows, without the others for their places."""
        told = (two for _one, two in self.progress.inbox.stories())
        heard = {two.data for two in told if self.progress.heard(two.key) == two.data}
        return frozenset(heard | {one.data for one in self.stories})

    def parting(self, stories: Collection[Entry], since: int) -> list[Entry]:
        """Return the stories that branch off here after `since` records, the latest first.

        A story branches off if it is on a head of this branch, which follows another story or lacks
        only this entry. A seat can sign any number of others.
        """
        before = {one.data: records_before(self.progress, one) for one in stories}
        least = max((records_before(self.progress, one) for one in self.stories), default=since)
        keys = {one.key for one in self.stories}
        found = [
            one
            for one in stories
            if self.progress.heads.known(one.head)
            and one.key not in keys
            and before[one.data] >= least
            and (self.progress.heard(one.key) not in (None, one.data) or self.progress.lacks(one))
        ]
        return sorted(found, key=lambda one: before[one.data])[::-1]


class Branches:
    """The branches of one table's records."""

    def __init__(self, anew: Callable[[Inbox], Progress]) -> None:
        self._anew = anew
        self._ours: Progress | None = None
        self._branches: list[Branch] = []
        self._followed: set[frozenset[bytes]] = set()

    def search(self, ours: Progress, inbox: Inbox, since: int) -> Iterator[Branch]:
        """Give the branches, as far as the entries that we hold lead.

        No seat that stays can have branched off before the first `since` records.
        """
        if self._ours is not ours:
            self._ours, self._branches, self._followed = ours, [], set()
        for branch in self._branches:
            branch.go_on(inbox)
            yield branch
        stories = [
            one
            for one in {one.data: one for pair in inbox.stories() for one in pair}.values()
            if one.kind in (STEP, DECK) and one.epoch == ours.here.epoch
        ]
        branches = [Branch(ours), *self._branches]
        for branch in branches:  # it grows
            for story in branch.parting(stories, since):
                chosen = (*branch.stories, story)
                names = frozenset(one.data for one in chosen)
                if names not in self._followed and not self._tried_beside(chosen):
                    self._followed.add(names)
                    other = branch.progress.heard(story.key)
                    branches.append(self._follow(ours, chosen, inbox, other))
                    self._branches.append(branches[-1])
                    yield branches[-1]

    def forget(self, sought: Collection[bytes]) -> None:
        """Drop the oldest branches that have none of these heads."""
        idle = [branch for branch in self._branches if not set(branch.progress.trail) & set(sought)]
        for branch in idle[:-BRANCHES]:
            self._branches.remove(branch)

    def _tried_beside(self, chosen: tuple[Entry, ...]) -> bool:
        """Whether a branch with the same parent still lacks this entry, or follows it."""
        *before, last = chosen
        return any(
            [*branch.stories[:-1]] == before and last.data in branch.tried
            for branch in self._branches
        )

    def _follow(
        self, ours: Progress, chosen: tuple[Entry, ...], inbox: Inbox, other: bytes | None
    ) -> Branch:
        """Return a branch that follows these stories as far as our entries lead.

        Its parent has `other` in the place of the last story.
        """
        start = min(records_before(ours, one) for one in chosen)
        records = ours.records[:start]
        taken = {entry.data for record in records for entry in record.entries}
        progress = self._anew(inbox.afresh(ours.here.epoch, taken, {one.data for one in chosen}))
        for record, head in zip(records, ours.trail[1:], strict=False):
            progress.take(record, head)
        progress.drain_events()
        branch = Branch(progress, chosen, {other} if other is not None else set())
        branch.go_on(inbox)
        return branch


def records_before(ours: Progress, entry: Entry) -> int:
    """Return how many of our records precede the step of an entry."""
    if entry.kind == STEP:
        return entry.number - 1
    numbers = (
        at for at, record in enumerate(ours.records) if record.entries[0].place == entry.place
    )
    return next(numbers, len(ours.records))
