"""The common parts of all notations: strict parsing and writing of seats, words, numbers and cards.

Malformed text is NotAMove in every state. Well-formed text that names an absent card or seat is an
IllegalMove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.core.cards import FRENCH_52, JOKER, rank
from engine.core.moves import Face, Hand, IllegalMove, NotAMove, Seat, Slot

LEAVE = "leave"
"""The one verb that every game has: `p3 leave`."""

_TOO_LONG = 18  # digits; no number in any game has as many
_TOO_MUCH = 10**_TOO_LONG

_NAMED = (*FRENCH_52, *dict.fromkeys(map(rank, FRENCH_52)))  # a joker may stand for these
_FACES = {
    spelled.lower(): spelled for spelled in (*FRENCH_52, *(JOKER + named for named in _NAMED))
}
"""The faces with capitals, and the words for jokers, by their lower-case forms."""


def write_seat(seat: Seat) -> str:
    """Return `p1` for seat 0."""
    return f"p{seat + 1}"


def read_seat(text: str, players: int) -> Seat:
    """Return the seat that `p1` .. `pN` names, or raise NotAMove."""
    for seat in range(players):
        if text == write_seat(seat):
            return seat
    raise NotAMove(f"no seat is called {text!r}")


def read_action(text: str, players: int) -> tuple[Seat, str]:
    """Split `SEAT VERB ARGUMENTS` into the seat and the rest, or raise NotAMove."""
    seat, *words = text.split() or [""]
    if not words:
        raise NotAMove(f"an action is a seat and a verb, not {text!r}")
    return read_seat(seat, players), " ".join(words)


def read_number(text: str) -> int:
    """Return a number in decimal digits without sign or leading zeros, or raise NotAMove.

    The range is not checked; a number of absurd length is read as 10**18.
    """
    if not (text.isascii() and text.isdecimal()) or (text[0] == "0" and text != "0"):
        raise NotAMove(f"{text!r} is not a number")
    return int(text) if len(text) <= _TOO_LONG else _TOO_MUCH


def in_any_case(line: str) -> str:
    """Return a typed line with the case of the notation: `PLAY 7O`, `lay ac on M2`.

    No two cards differ in case only.
    """
    return " ".join(_FACES.get(word, word) for word in line.lower().split())


def read_card(text: str, is_card: Callable[[str], bool]) -> Face:
    """Return a card's face, or raise NotAMove if there is no such card in this game."""
    if not is_card(text):
        raise NotAMove(f"{text!r} is not a card of this game")
    return text


def find_slot(
    seat: Seat,
    face: Face,
    places: Sequence[Slot],
    hand: Hand,
    public: Mapping[Slot, Face],
    missing: str = "not-in-hand",
) -> Slot:
    """Return which of these slots holds the face: public ones first, then the lowest.

    IllegalMove, with the reason `missing`, if none is known to.
    """
    found = [slot for slot in places if (public.get(slot) or hand.get(slot)) == face]
    if not found:
        raise IllegalMove(seat, None, (missing, face))
    return min(found, key=lambda slot: (slot not in public, slot))


def find_slots(
    seat: Seat,
    faces: Iterable[Face],
    places: Sequence[Slot],
    hand: Hand,
    public: Mapping[Slot, Face],
    missing: str = "not-in-hand",
) -> tuple[Slot, ...]:
    """Return a different slot for each face.

    IllegalMove if a face is missing, or named more often than it is there.
    """
    left = list(places)
    found: list[Slot] = []
    for face in faces:
        try:
            slot = find_slot(seat, face, left, hand, public, missing)
        except IllegalMove as error:
            named_twice = any((public.get(slot) or hand.get(slot)) == face for slot in found)
            raise IllegalMove(
                seat, None, ("named-twice", face) if named_twice else error.why
            ) from None
        left.remove(slot)
        found.append(slot)
    return tuple(found)


def write_faces(slots: Iterable[Slot], faces: Mapping[Slot, Face]) -> str:
    """Return the faces of these slots, separated by spaces."""
    return " ".join(faces[slot] for slot in slots)
