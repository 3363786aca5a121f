"""The moves of Kínaskák, as values, and their notation.

Examples are `take` and `meld run 5h 6h *7h 8h set Kc Kd *K`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.cards import FRENCH_52, JOKER
from engine.core.moves import Face, Hand, IllegalMove, Move, NotAMove, Seat, Slot
from engine.core.notation import find_slots, read_number
from engine.games.kinaskak.melds import RANKS, RUN, SET, Cards, written

WORDS = ("take", "decline", "buy", "no")
NAMED = frozenset((*FRENCH_52, *RANKS))
"""R5. The meaning of a joker: a card in a run, a rank in a set."""


@dataclass(frozen=True)
class Say(Move):
    """R10, R12. An answer to the open card: take, decline, buy, no."""

    word: str


@dataclass(frozen=True)
class Meld(Move):
    """R18. Lay down: for each meld `run` or `set`, and its cards. The cards of a set are sorted."""

    melds: tuple[tuple[str, Cards], ...]

    def __post_init__(self) -> None:
        spelled = tuple(
            (kind, tuple(sorted(cards)) if kind == SET else cards) for kind, cards in self.melds
        )
        object.__setattr__(self, "melds", spelled)

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The cards laid down."""
        return tuple(slot for _, cards in self.melds for slot, _ in cards)


@dataclass(frozen=True)
class Lay(Move):
    """R19. Lay cards off on meld `m1`, `m2`, ... (a number from 1), in this order."""

    cards: Cards
    meld: int

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The cards laid off."""
        return tuple(slot for slot, _ in self.cards)


@dataclass(frozen=True)
class Swap(Move):
    """R20. Exchange a natural card for the joker that stands for it in a run."""

    card: Slot
    meld: int

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The natural card."""
        return (self.card,)


@dataclass(frozen=True)
class Discard(Move):
    """R21. Discard a card and end the turn."""

    card: Slot

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The discarded card."""
        return (self.card,)


def write_move(move: Move, faces: Mapping[Slot, Face]) -> str:
    """Return a move in the notation, given the faces of the slots it names."""
    match move:
        case Say(word):
            return word
        case Meld(melds):
            return " ".join(
                [
                    "meld",
                    *(word for kind, cards in melds for word in (kind, *written(cards, faces))),
                ]
            )
        case Lay(cards, meld):
            return f"lay {' '.join(written(cards, faces))} on m{meld}"
        case Swap(card, meld):
            return f"swap {faces[card]} in m{meld}"
        case Discard(card):
            return f"discard {faces[card]}"
    raise TypeError(f"{move!r} is no move of Kínaskák")


class Reader:
    """Reads moves for a seat: its slots, and the faces known to it and to everybody."""

    def __init__(
        self, seat: Seat, held: Sequence[Slot], hand: Hand, public: Mapping[Slot, Face]
    ) -> None:
        self._seat, self._held, self._hand, self._public = seat, held, hand, public

    def read(self, text: str) -> Move:
        """Return the move that `VERB ARGUMENTS` names.

        NotAMove, or IllegalMove for cards that are not there.
        """
        verb, *words = text.split() or [""]
        match verb, words:
            case _, [] if verb in WORDS:
                return Say(verb)
            case "meld", [_, *_]:
                return self._meld(words)
            case "lay", [_, *_] if words[-2:-1] == ["on"]:
                return self._lay(words[:-2], _meld_number(words[-1]))
            case "swap", [card, "in", meld]:
                number = _meld_number(meld)
                return Swap(self._card(card), number)
            case "discard", [card]:
                return Discard(self._card(card))
        raise NotAMove(f"{text!r} is no move of Kínaskák")

    def _meld(self, words: list[str]) -> Meld:
        """R18. Read all melds together, so that no card is used twice."""
        kinds: list[str] = []
        groups: list[list[tuple[Face, str]]] = []
        for word in words:
            if word in (RUN, SET):
                kinds.append(word)
                groups.append([])
            elif not kinds:
                raise NotAMove("a meld begins with `run` or `set`")
            else:
                groups[-1].append(_card(word))
        if not all(groups):
            raise NotAMove("a meld has cards")
        slots = iter(self._slots([face for group in groups for face, _ in group]))
        laid = [tuple((next(slots), stands) for _, stands in group) for group in groups]
        return Meld(tuple(zip(kinds, laid, strict=True)))

    def _lay(self, words: list[str], meld: int) -> Lay:
        if not words:
            raise NotAMove("`lay` needs cards")
        cards = [_card(word) for word in words]
        slots = self._slots([face for face, _ in cards])
        return Lay(
            tuple((slot, stands) for slot, (_, stands) in zip(slots, cards, strict=True)), meld
        )

    def _card(self, word: str) -> Slot:
        """R5. Read a card of the hand, where a joker stands for nothing."""
        face, stands = _card(word)
        if stands:
            raise IllegalMove(self._seat, None, ("joker-in-hand", word))
        return self._slots([face])[0]

    def _slots(self, faces: Sequence[Face]) -> tuple[Slot, ...]:
        return find_slots(self._seat, faces, self._held, self._hand, self._public)


def is_card(text: str) -> bool:
    """R5, R25. Whether this is a card, a joker, or a joker with its meaning."""
    return text in FRENCH_52 or text == JOKER or (text[:1] == JOKER and text[1:] in NAMED)


def _card(word: str) -> tuple[Face, str]:
    """Return a card's face, and its meaning if it is a named joker."""
    if not is_card(word):
        raise NotAMove(f"{word!r} is not a card of Kínaskák")
    return (JOKER, word[1:]) if word[0] == JOKER else (word, "")


def _meld_number(word: str) -> int:
    number = read_number(word[1:]) if word[:1] == "m" and len(word) > 1 else 0
    if not number:
        raise NotAMove(f"{word!r} is no meld: they are called m1, m2, ...")
    return number
