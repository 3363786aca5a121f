"""The base class of every round: a request of the rules, and the answers of the seats that owe one.

A round never sees the network, and it receives an entry only at its turn and on the right head. An
error that `receive` raises is the speaker's fault; `p2p.table.steps` turns it into a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from crypto.chance import Entropy
from crypto.group import Group
from engine.core.moves import Face, Seat, Slot
from engine.core.requests import Request
from engine.core.run import Run
from p2p.table.events import Event
from p2p.table.journal import Journal
from p2p.table.log import Body, Entry
from p2p.table.masks import Masks
from p2p.table.terms import Terms

R = TypeVar("R", bound=Request[Any])


@dataclass
class Here:
    """The context of every round of a match."""

    terms: Terms
    match: bytes
    group: Group
    seat: Seat | None
    entropy: Entropy
    run: Run
    masks: Masks
    journal: Journal
    own_faces: dict[Slot, Face] = field(default_factory=dict, repr=False)
    epoch: int = 0
    """How many changes of members there were."""
    step: int = 1
    """The number of the next record, counted from 1."""


class Round(Generic[R]):
    """A request being answered by those who owe it a word."""

    def __init__(self, here: Here, request: R) -> None:
        self.here, self.request = here, request
        self.news: list[Event] = []

    @property
    def stages(self) -> int:
        """How many exchanges it takes."""
        return 1

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        """Return the seats that sign in a stage, in seat order."""
        raise NotImplementedError  # every request says who must speak

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        """Return the body of our entry now, or None while we wait for our player or for others."""
        raise NotImplementedError  # every request has its own body

    def receive(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        """Check an entry and note what it brings.

        Our own, which we have just made, is not verified again.
        """
        raise NotImplementedError  # every request says what to check

    def ready(self, entry: Entry, signed: Mapping[Seat, Entry]) -> bool:
        """Whether an entry can be judged with the entries of its stage; else it waits."""
        return True

    def close(self, stage: int, signed: Mapping[Seat, Entry]) -> None:
        """Check what can only be checked when all of a stage have spoken."""

    def finish(self) -> None:
        """Answer the run; `news` has the events."""
        raise NotImplementedError  # every request has an answer
