"""The base class of every round: a request of the rules, and the answers of the seats that owe one.

A round never sees the network, and receives an entry only in its stage and on the right head. An
error that `receive` raises is its seat's fault; `p2p.table.steps` makes a `Fault` of it.
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
    """The number of changes of members so far."""
    step: int = 1
    """The number of the next record, counted from 1."""


class Round(Generic[R]):
    """A request while seats answer it."""

    def __init__(self, here: Here, request: R) -> None:
        self.here, self.request = here, request
        self.news: list[Event] = []

    @property
    def stages(self) -> int:
        """The number of stages."""
        return 1

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        """Return the seats that sign in a stage, in seat order."""
        raise NotImplementedError  # every request names its seats

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        """Return the body of our entry, or None while we wait for our player or for others."""
        raise NotImplementedError  # every request has its own body

    def receive(self, stage: int, head: bytes, entry: Entry, *, trusted: bool) -> None:
        """Check an entry and store what it brings.

        `trusted`: its proofs were verified before, or need not be.
        """
        raise NotImplementedError  # every request says what to check

    def ready(self, entry: Entry, signed: Mapping[Seat, Entry]) -> bool:
        """Whether an entry can be judged with the others of its stage; otherwise it waits."""
        return True

    def close(self, stage: int, signed: Mapping[Seat, Entry]) -> None:
        """Check what requires all entries of a stage."""

    def finish(self) -> None:
        """Answer the run; `news` has the events."""
        raise NotImplementedError  # every request has an answer
