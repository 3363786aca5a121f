"""Faults of seats, with their evidence.

Every `Fault` names a seat and holds entries that this seat signed. "Convinces" in a docstring
means: the log up to the head that the entry names, together with the entry, shows the fault to
anybody, even to a stranger.
"""

from __future__ import annotations

from engine.core.errors import Explained
from engine.core.moves import IllegalMove
from engine.core.run import ProvenLie


class Fault(Exception):
    """A seat broke the protocol; `evidence` are the bytes of the entries that show it."""

    def __init__(self, seat: int, why: str, evidence: tuple[bytes, ...]) -> None:
        super().__init__(f"p{seat + 1}: {why}")
        self.seat, self.why, self.evidence = seat, why, evidence

    @property
    def id(self) -> str:
        """The name of the fault, as in the documents."""
        return type(self).__name__

    @property
    def facts(self) -> dict[str, str]:
        """The seat."""
        return {"who": f"p{self.seat + 1}"}


class BadForm(Fault):
    """The body of an entry has wrong fields, types or lengths for its place. Convinces."""


class OutOfTurn(Fault):
    """A seat signed where the rules do not let it sign. Convinces."""


class BadProof(Fault):
    """A key, a shuffle, a share, a claim or a reveal does not verify. Convinces."""


class IllegalPlay(Fault):
    """A move that the rules forbid, perhaps as a card opened later reveals. Convinces.

    `rule` is the reason of the refusal; `late` says that faces opened later revealed it.
    """

    def __init__(self, seat: int, refused: IllegalMove, evidence: tuple[bytes, ...]) -> None:
        super().__init__(seat, str(refused), evidence)
        self.rule, self.late = refused.why, isinstance(refused, ProvenLie)


class Equivocation(Fault):
    """A seat signed two different entries for one place. The pair alone convinces."""


class FalseFlush(Fault):
    """A flush contradicts another flush or entry of its seat in this epoch. The pair convinces."""


FAULTS: tuple[type[Fault], ...] = (
    BadForm,
    OutOfTurn,
    BadProof,
    IllegalPlay,
    Equivocation,
    FalseFlush,
)
"""All faults; the adversary tests have a lying table for each."""


class BadSignature(Explained):
    """An entry without a valid signature of its seat; `number` counts the seat from 1.

    Blame the link that delivered it, not the seat.
    """


class Forgotten(Exception):
    """Our seat signed something whose secrets are not in our journal.

    The disk is older than our signatures.
    """


class Unstored(Exception):
    """Data would be sent before it was stored: a bug of the caller, not of a peer."""


class Desync(Exception):
    """Two seats are on different heads without conflicting entries: other versions, or a bug.

    Nobody is accused.
    """
