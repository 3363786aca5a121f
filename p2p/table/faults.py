"""Verdicts: the faults of seats, and their evidence.

Every `Fault` names one seat and holds entries that this seat signed. "Convinces" in a docstring
means: the log up to the head that the entry names, with the entry, shows the fault to anybody who
has never met the players.
"""

from __future__ import annotations

from engine.core.errors import Explained
from engine.core.run import IllegalMove, ProvenLie


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
    """An entry has not the form that its place asks for: fields, types or lengths. Convinces."""


class OutOfTurn(Fault):
    """A seat spoke where the rules do not let it speak. Convinces."""


class BadProof(Fault):
    """A key, a shuffle, a share, a claim or a reveal does not verify. Convinces."""


class IllegalPlay(Fault):
    """A move that the rules forbid, or that a card opened later shows to have been a lie.

    Convinces. `rule` is the reason of the refusal; `late`: faces that came later have shown it.
    """

    def __init__(self, seat: int, refused: IllegalMove, evidence: tuple[bytes, ...]) -> None:
        super().__init__(seat, str(refused), evidence)
        self.rule, self.late = refused.why, isinstance(refused, ProvenLie)


class Equivocation(Fault):
    """Two different entries signed for one place. The pair alone convinces."""


class FalseFlush(Fault):
    """A flush denies what its seat has signed in this epoch: another flush, or a word.

    The pair convinces.
    """


FAULTS: tuple[type[Fault], ...] = (
    BadForm,
    OutOfTurn,
    BadProof,
    IllegalPlay,
    Equivocation,
    FalseFlush,
)
"""All of them; the adversary tests must have a lying table for each."""


class BadSignature(Explained):
    """Bytes that the seat in them, `number` counted from 1, has not signed.

    It is charged to the link that brought them, to no seat.
    """


class Forgotten(Exception):
    """Our seat has said something whose secrets are not in our journal.

    The disk is older than our words.
    """


class Unstored(Exception):
    """Something would be sent before it was handed to the store.

    A mistake of the caller, never of a peer.
    """


class Desync(Exception):
    """Two seats stand on different heads and no two entries conflict: different versions, or a bug.

    Nobody is accused.
    """
