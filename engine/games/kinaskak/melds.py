"""The cards and melds of Kínaskák: costs, runs, sets, and cards that fit a meld on the table.

In a meld a card is a slot and the card for which a joker stands: `7h` in a run, `K` in a set; the
empty string for a natural card. The places of a run count from 0, the ace below the 2, to 13, the
ace above the king.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from engine.core.cards import FRENCH_52, JOKER, french_packs, rank, suit
from engine.core.moves import Face, Seat, Slot, Why

PACK: tuple[Face, ...] = french_packs(3, 3)
"""R1. Three times 52 cards and three jokers, in canonical order."""

RANKS = "A23456789TJQK"
PLACES = RANKS + "A"
SUITS = "cdhs"

WORTH: Mapping[Face, int] = {
    JOKER: 50,
    **{card: 20 if rank(card) == "A" else 10 if rank(card) in "TJQK" else 5 for card in FRENCH_52},
}
"""R2. The cost of a card left in hand."""

CONTRACTS = ("RS", "SS", "RR", "SSR", "RRS", "SSS", "RRR", "RRSS")
"""R6. Contracts 1 to 8: `R` is a run, `S` a set."""

RUN, SET = "run", "set"
LEAST: Mapping[str, int] = {RUN: 4, SET: 3}
"""R3, R4. The fewest cards of a meld."""

MEANINGS: Mapping[str, frozenset[str]] = {RUN: frozenset(FRENCH_52), SET: frozenset(RANKS)}
"""R5. The meanings of a joker in a meld: a card in a run, a rank in a set."""

Cards: TypeAlias = tuple[tuple[Slot, str], ...]
"""Cards of a meld in the order written: slots, with the meanings of jokers."""


def contract_of(number: int) -> tuple[int, int]:
    """R6. Return the numbers of runs and of sets in a contract."""
    melds = CONTRACTS[number - 1]
    return melds.count("R"), melds.count("S")


class MeldRefused(NamedTuple):
    """Why a meld or a card of one is refused: the id of a sentence, then its details."""

    why: Why


@dataclass(frozen=True)
class Laid:
    """A meld on the table.

    `of` is the suit of a run or the rank of a set; `low` is the place of a run's first card.
    """

    owner: Seat
    kind: str
    of: str
    low: int
    cards: Cards

    @property
    def jokers(self) -> int:
        """The number of jokers in it."""
        return sum([bool(stands) for _, stands in self.cards])

    def ends(self) -> list[Face]:
        """R19. The cards that can extend a run, the lower one first."""
        high = self.low + len(self.cards)
        places = [*([self.low - 1] if self.low else []), *([high] if high < len(PLACES) else [])]
        return [PLACES[place] + self.of for place in places]

    def takes(self, card: str) -> bool:
        """R19. Whether a card, or the card of a joker, fits this meld now."""
        if self.kind == SET:
            return card in (self.of, *(self.of + suit for suit in SUITS))
        return card in self.ends()

    def joker_for(self, card: Face) -> int | None:
        """R20. Return the index of the first joker in this run that stands for a card."""
        if self.kind == SET:
            return None
        return next((at for at, (_, stands) in enumerate(self.cards) if stands == card), None)


def named(face: Face, stands: str) -> str | None:
    """R5. Return the face that a card counts as; None if a joker is unnamed or a natural named."""
    if face == JOKER:
        return stands or None
    return None if stands else face


def _not_named(face: Face, stands: str) -> MeldRefused:
    return MeldRefused(
        ("joker-unnamed",) if face == JOKER else ("joker-misnamed", f"{face} {stands}")
    )


def lay(
    owner: Seat, kind: str, cards: Cards, faces: Mapping[Slot, Face], most_jokers: int
) -> Laid | MeldRefused:
    """R3, R4, R5. Return the meld that these cards make, or why they make none."""
    if len(cards) < LEAST[kind]:
        return MeldRefused(("short-run",) if kind == RUN else ("short-set",))
    counted: list[str] = []
    for slot, stands in cards:
        card = named(faces[slot], stands)
        if card is None:
            return _not_named(faces[slot], stands)
        if stands and stands not in MEANINGS[kind]:
            return MeldRefused(("joker-misnamed", JOKER + stands))
        counted.append(card)
    made = Laid(owner, kind, suit(counted[0]), PLACES.find(counted[0][0]), cards)
    if kind == RUN:
        if [*counted] != run_from(counted[0], len(counted)):
            return MeldRefused(("no-run", *written(cards, faces)))
    elif len({card[0] for card in counted}) > 1:
        return MeldRefused(("no-set", *written(cards, faces)))
    else:
        made = replace(made, of=counted[0][0], low=0)
    return made if made.jokers <= most_jokers else MeldRefused(("too-many-jokers", most_jokers))


def run_from(card: Face, length: int) -> list[Face]:
    """R3. Return cards in sequence from a card, an ace being low; fewer if the high ace ends it."""
    low = PLACES.index(card[0])
    return [place + suit(card) for place in PLACES[low : low + length]]


def lay_off(
    meld: Laid, cards: Cards, faces: Mapping[Slot, Face], most_jokers: int, name: str
) -> Laid | MeldRefused:
    """R19. Return the meld with these cards laid off in turn, or why they do not fit."""
    for slot, stands in cards:
        card = named(faces[slot], stands)
        if card is None:
            return _not_named(faces[slot], stands)
        if not meld.takes(card) or (meld.kind == SET and bool(stands) != (len(card) == 1)):
            return MeldRefused(("does-not-fit", JOKER + stands if stands else card, name))
        below = meld.kind == RUN and meld.low > 0 and PLACES[meld.low - 1] == card[0]
        if below:
            meld = replace(meld, low=meld.low - 1, cards=((slot, stands), *meld.cards))
        else:
            meld = replace(meld, cards=(*meld.cards, (slot, stands)))
    return meld if meld.jokers <= most_jokers else MeldRefused(("too-many-jokers", most_jokers))


def exchange(meld: Laid, place: int, slot: Slot) -> tuple[Laid, Slot]:
    """R20. Return the run with a natural card in the place of a joker, and that joker."""
    joker, _ = meld.cards[place]
    return replace(meld, cards=(*meld.cards[:place], (slot, ""), *meld.cards[place + 1 :])), joker


def written(cards: Cards, faces: Mapping[Slot, Face]) -> list[str]:
    """R5. Return the cards of a meld in the notation: `7h`, `*7h`, `*K`."""
    return [faces[slot] + stands for slot, stands in cards]


def canonical(cards: Sequence[Face]) -> tuple[Face, ...]:
    """R16. Return cards in the order of the pack; copies of a face take its first places there."""
    left = list(cards)
    order: list[Face] = []
    for card in PACK:
        if card in left:
            left.remove(card)
            order.append(card)
    return tuple(order)
