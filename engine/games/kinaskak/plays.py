"""The actions of forhönd in Kínaskák after drawing: each judged, and a short list for a menu.

There are far too many ways to lay a hand down, so judging lists none of them. The menu has the best
ones, and all other actions card by card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.cards import JOKER
from engine.core.moves import Face, Hand, Move, Seat, Slot, Why
from engine.core.notation import find_slots
from engine.games.kinaskak.melds import RUN, SET, Laid, MeldRefused, contract_of, lay, lay_off
from engine.games.kinaskak.moves import Discard, Lay, Meld, Swap
from engine.games.kinaskak.search import Layout, ways
from engine.games.kinaskak.table import Spread

SHOWN_WAYS = 6
"""The most ways to lay down in the menu."""


class Plays:
    """A collection of moves: iteration lists a menu, and `move in plays` judges any move.

    `why_not` says what is wrong with a move.

    The ids: not-in-hand (cards), named-twice, already-down, not-the-contract (runs, sets),
    same-suit, joker-unnamed, joker-misnamed (as written), no-run, no-set, short-run, short-set,
    too-many-jokers (the limit), not-down, next-turn, no-meld (its name), does-not-fit (card, meld),
    no-joker-there (card, meld), jokers-stay (meld).
    """

    def __init__(self, game: Spread, seat: Seat, hand: Hand) -> None:
        """Refer to the game, whose state counts when asked."""
        self._game, self._seat, self._hand = game, seat, hand
        self._held = game.held(seat, hand)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self.why_not(move) is None

    def why_not(self, move: Move) -> Why | None:
        """Return why a move is refused, or None if it is legal."""
        match move:
            case Discard():
                return self._why_not_held(move.shows)
            case Meld():
                laid = self.laid(move)
                return laid.why if isinstance(laid, MeldRefused) else None
            case Lay(_, number):
                return (
                    self._why_not_lay_off(number)
                    or self._why_not_held(move.shows)
                    or self._why_not_fitting(move)
                )
            case Swap(card, number):
                return (
                    self._why_not_lay_off(number)
                    or self._why_not_held((card,))
                    or self._why_not_swapped(card, number)
                )
        return ("not-allowed-now",)

    def laid(self, move: Meld) -> list[Laid] | MeldRefused:
        """R18. Return the melds that a laying down makes, or why it is refused."""
        game = self._game
        if game.down[self._seat]:
            return MeldRefused(("already-down",))
        if why := self._why_not_held(move.shows):
            return MeldRefused(why)
        kinds = [kind for kind, _ in move.melds]
        if sorted(kinds) != sorted([RUN] * game.asks_for()[0] + [SET] * game.asks_for()[1]):
            return MeldRefused(("not-the-contract", *contract_of(game.contract)))
        laid: list[Laid] = []
        for kind, cards in move.melds:
            made = lay(self._seat, kind, cards, self._hand, game.options["max_jokers"])
            if isinstance(made, MeldRefused):
                return made
            laid.append(made)
        runs = [meld.of for meld in laid if meld.kind == RUN]
        return laid if len(set(runs)) == len(runs) else MeldRefused(("same-suit",))

    def _why_not_held(self, slots: Sequence[Slot]) -> Why | None:
        strange = [slot for slot in slots if slot not in self._held]
        if strange:
            return ("not-in-hand", *(self._hand[slot] for slot in strange if slot in self._hand))
        twice = {slot for slot in slots if list(slots).count(slot) > 1}
        return ("named-twice", *sorted(self._hand[slot] for slot in twice)) if twice else None

    def _why_not_lay_off(self, number: int) -> Why | None:
        """R19. Refuse a seat that has not laid down, or a meld that does not exist."""
        game = self._game
        if not game.may_lay_off(self._seat):
            return ("next-turn",) if game.down[self._seat] else ("not-down",)
        return None if 1 <= number <= len(game.melds) else ("no-meld", f"m{number}")

    def _why_not_fitting(self, move: Lay) -> Why | None:
        if not move.cards:
            return ("not-in-hand",)
        meld = self._game.melds[move.meld - 1]
        made = lay_off(
            meld, move.cards, self._hand, self._game.options["max_jokers"], f"m{move.meld}"
        )
        return made.why if isinstance(made, MeldRefused) else None

    def _why_not_swapped(self, card: Slot, number: int) -> Why | None:
        """R20. Require a joker that stands for just this card, in a run."""
        meld, name = self._game.melds[number - 1], f"m{number}"
        if meld.kind == SET:
            return ("jokers-stay", name)
        found = self._hand[card] != JOKER and meld.joker_for(self._hand[card]) is not None
        return None if found else ("no-joker-there", self._hand[card], name)

    def __iter__(self) -> Iterator[Move]:
        game = self._game
        if not game.down[self._seat]:
            hand = [self._hand[slot] for slot in self._held]
            limit, next_turn = game.options["max_jokers"], game.options["lay_off"] == "next-turn"
            found = ways(hand, game.contract, limit, spend=next_turn, best=SHOWN_WAYS)
            yield from dict.fromkeys(self.spelled(way.melds) for way in found)
        faces = list(dict.fromkeys(self._hand[slot] for slot in self._held))
        if game.may_lay_off(self._seat):
            yield from self._lays(faces)
            yield from self._swaps(faces)
        yield from self.discards()

    def discards(self) -> Iterator[Discard]:
        """R21. Yield any card of the hand."""
        yield from (
            Discard(self._slot(face))
            for face in dict.fromkeys(self._hand[slot] for slot in self._held)
        )

    def spelled(self, layout: Layout) -> Meld:
        """Return the laying down of these faces, with the slots that the notation would find."""
        slots = iter(self._slots([face for _, cards in layout for face, _ in cards]))
        return Meld(
            tuple(
                (kind, tuple((next(slots), stands) for _, stands in cards))
                for kind, cards in layout
            )
        )

    def _lays(self, faces: Sequence[Face]) -> Iterator[Lay]:
        """R19. Yield single cards, a joker for each card that it can stand for."""
        for number, meld in enumerate(self._game.melds, 1):
            for face in faces:
                standing = (
                    [""]
                    if face != JOKER
                    else [meld.of]
                    if meld.kind == SET
                    else dict.fromkeys(meld.ends())
                )
                for stands in standing:
                    move = Lay(((self._slot(face), stands),), number)
                    if self._why_not_fitting(move) is None:
                        yield move

    def _swaps(self, faces: Sequence[Face]) -> Iterator[Swap]:
        for number, meld in enumerate(self._game.melds, 1):
            for face in faces:
                if face != JOKER and meld.joker_for(face) is not None:
                    yield Swap(self._slot(face), number)

    def _slot(self, face: Face) -> Slot:
        return self._slots([face])[0]

    def _slots(self, faces: Sequence[Face]) -> tuple[Slot, ...]:
        return find_slots(self._seat, faces, self._held, self._hand, self._game.faces)
