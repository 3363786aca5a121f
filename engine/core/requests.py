"""The requests that rules may make of the table.

Awaiting a request passes it out of the rules and returns its answer. Nothing else passes in or out.
`engine.core.game` has the verbs that make requests; `engine.core.run` answers them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from engine.core.moves import Face, Hand, Move, Seat, Slot

T = TypeVar("T")
M = TypeVar("M", bound=Move)

Options: TypeAlias = Callable[[Seat, Hand], Iterable[M]]
"""The legal moves of a seat, as a bound method of the game. A caller that sees the hand iterates
over them; all others use `move in`. Knowing fewer faces never makes a move illegal: one that is
legal with the whole hand is legal with any part of it that has the slots that the move shows."""


class Request(Generic[T]):
    """Something that rules await; T is the type of its answer."""

    def __await__(self) -> Generator[Request[Any], T, T]:
        """Pass this request to the driver, and return the driver's answer."""
        return (yield self)


@dataclass(frozen=True)
class Deck:
    """A pack laid face down: nobody knows which of its slots holds cards[j].

    `seats` hold its keys.
    """

    number: int
    """The number of its shuffle in the match, from 1."""
    first: Slot
    cards: tuple[Face, ...]
    seats: tuple[Seat, ...]

    @property
    def slots(self) -> range:
        """Its slots, consecutive from `first`."""
        return range(self.first, self.first + len(self.cards))


@dataclass(frozen=True)
class Shuffle(Request[None]):
    """Lay the cards of this deck face down, in an order that nobody knows."""

    deck: Deck


@dataclass(frozen=True)
class Deal(Request[None]):
    """Show each seat its slots, and nobody else."""

    to: Mapping[Seat, tuple[Slot, ...]]


@dataclass(frozen=True)
class Open(Request[None]):
    """Make these slots public."""

    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Prove(Request[None]):
    """Each seat proves that its slots here hold faces of `among`, without showing them."""

    claims: Mapping[Seat, tuple[Slot, ...]]
    among: tuple[Face, ...]


@dataclass(frozen=True)
class Toss(Request[int]):
    """A fair number from 0 to sides - 1, drawn by all these seats together."""

    seats: tuple[Seat, ...]
    sides: int


@dataclass(frozen=True)
class Ask(Request[dict[Seat, M]], Generic[M]):
    """Choices of seats.

    `one`: that seat. `all`: each, without knowing the others'. `any`: the first answer counts. The
    question has the name of the method that lists the options. With `auto` it has one honest
    answer, the first option, which the seat's program gives.
    """

    seats: tuple[Seat, ...]
    options: Options[M]
    kind: Literal["one", "all", "any"] = "one"
    auto: bool = False


class Left(Exception):
    """Thrown into the rules at the pending `await`: these seats, in seat order, have left for good.

    Seats that go at once are in one exception, and none of them is among the winners.
    """

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        super().__init__(f"{' '.join(f'p{seat + 1}' for seat in seats)} left")
        self.seats = seats


def described(request: Request[Any] | None) -> tuple[Any, ...] | None:
    """Return a request as in the public state (docs/states, "Requests").

    None if the match is over.
    """
    match request:
        case None:
            return None
        case Shuffle(deck):
            return ("shuffle", deck)
        case Deal(to):
            return ("deal", to)
        case Open(slots):
            return ("open", slots)
        case Prove(claims, among):
            return ("prove", claims, among)
        case Toss(seats, sides):
            return ("toss", seats, sides)
        case Ask(seats, options, kind, auto):
            return ("ask", kind, options.__name__, seats, auto)
    raise TypeError(f"rules may only await the table, not {request!r}")
