"""The player of this program, as a session uses it.

The plain interface and the full screen each implement it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from client.session.messages import (
    Act,
    Advise,
    Arrange,
    Command,
    Compare,
    Leave,
    Message,
    PutAside,
    Quit,
    Renew,
    Speak,
    Vouch,
    Without,
    Words,
)
from client.session.status import Status
from engine.core.moves import Move, Seat

if TYPE_CHECKING:
    from client.session.admission import Admission
    from client.session.match import MatchSession


class Player(ABC):
    """A person, or a computer player in the person's seat."""

    def __init__(self) -> None:
        self.quit: int | None = None
        """The status with which the player wants to stop."""
        self.match_session: MatchSession | None = None
        """The match session, if there is one."""
        self.admission: Admission | None = None
        """The admission at this table; None against computers, for a spectator, or before a table
        is found."""
        self._lesson: Callable[[Move], object] | None = None

    def sit_down(self, match_session: MatchSession, admission: Admission | None) -> None:
        """Carry out our player's commands at this table from now on."""
        self.match_session, self.admission = match_session, admission

    @property
    @abstractmethod
    def seat(self) -> Seat | None:
        """Our player's seat; None until the match has begun, and for a spectator."""

    @abstractmethod
    def tell(self, message: Message) -> None:
        """Take a message."""

    @abstractmethod
    async def read(self) -> None:
        """Read what is typed, until cancelled."""

    def learn(self, lesson: Callable[[Move], object] | None) -> None:
        """Give our moves to a lesson from now on; with None, to the match again."""
        self._lesson = lesson

    async def again(self) -> bool:
        """Return whether the player wants to play again at the same table; by default not."""
        return False

    @abstractmethod
    def end(self, status: int) -> None:
        """End the session, and the program with this status."""

    def obey(self, command: Command) -> None:
        """Carry out a command that concerns a match."""
        seat = self.seat
        match command:
            case Act(move) if self._lesson is not None:
                self._lesson(move)
            case Act(move) if self.match_session and seat is not None:
                self.match_session.choose(seat, move)
            case Leave() if self.match_session and seat is not None:
                self.match_session.choose(seat, None)
            case Speak(text, phrase) if self.match_session:
                self.match_session.router.say(text, phrase=phrase)
            case Advise(view, told) if self.match_session:
                self.match_session.advise(view, told=told)
            case Without() if self.match_session:
                self.match_session.go_on_without()
            case Compare() | Vouch():
                self._compare(command)
            case Renew() if self.match_session:
                self.match_session.setup.renew_invite()
            case Arrange(order) if self.match_session:
                self.match_session.setup.arrange(order)
            case PutAside():
                self.end(Status.OK)
            case Quit(status):
                self.end(status)

    def _compare(self, command: Compare | Vouch) -> None:
        if self.admission is None:
            self.tell(Words())
        elif isinstance(command, Compare):
            self.admission.compare(more=command.more)
        else:
            self.admission.trust(command.fingerprint, self._check_again)

    def _check_again(self) -> None:
        if self.match_session is not None:
            self.match_session.check_again()
