"""The knowledge of a seat of Kínaskák, and the cost it expects of each move.

The moves are the answers, laying down and off, and discards.

All values are on one scale, and less is worse: the cost of the cards in hand, and of the turns
until they can be laid down. A unit is far less than a point of the round, since most hands are laid
down in the end; `engine.bots.kinaskak.POINTS` has its worth. Nearness is that of
engine.games.kinaskak.search: the cards that are lacking, then how many copies of them may still
come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.cards import JOKER
from engine.core.moves import Face, Move, Seat
from engine.core.view import View
from engine.games.kinaskak.melds import LEAST, PACK, PLACES, RUN, SET, WORTH, Laid, lay_off
from engine.games.kinaskak.moves import Discard, Lay, Meld, Say, Swap
from engine.games.kinaskak.plays import Plays
from engine.games.kinaskak.rules import NO_BUYING, PENALTY, Kinaskak
from engine.games.kinaskak.search import Way, distance, ways

TURN = 16.14
"""The cost of a turn more until a hand can be laid down."""
STEP = 11.7
"""The turns that each card lacking takes after the next one."""
A_TURN = 3.28
"""Cards that a player sees in a turn: one drawn, and one open."""
DEAD = 16.35
"""The turns for a card that hardly can come."""
LONG = 99.0
"""The turns that a round may last while nobody is down."""
TOO_LATE = 0.02
"""The value of a turn that comes after the round's end, in turns."""
BOUGHT = 8.76
"""The cost of the two cards that a purchase brings, one of them unknown."""
SPARE = 14.8
"""The cost of each card that the contract has no use for, when a hand can be laid down later."""
DRAWN = 5.4
"""The cost of an unknown card to a seat that is down."""
KEPT = 100.0
"""The cost of throwing away a joker, or the card just taken, in comparison with all other
discards."""
FITS_SOON = 16.48
"""The value of a card that a run takes after the next one."""
TAKEN_OFF = 2.28
"""The cost of a joker left in a run, where others can take it."""
GIVEN = 8.4
"""The cost of giving the next seat, which is down, a card that it can lay."""
HELPED = 3.0
"""The cost of a card for each that the next seat has taken and that may lie in one meld with it."""
HELPED_LATER = 0.15
"""That cost in parts, for any other seat, which would have to buy."""
SOON = 0.5
"""The value of laying off in the better order, where nothing else differs."""
LAST = 2
"""The cards with which every player looks for a way to go out, on all melds."""
CLOSE = 1e-9


@dataclass(frozen=True)
class Style:
    """How a player differs from the one that knows all that can be known."""

    bought: float = BOUGHT
    """The cost that it sees in a purchase."""
    forgetful: bool = False
    """Whether it forgets the cards that have gone, and the cards that others have picked up."""
    own_melds_only: bool = False
    """Whether it lays all but its last cards off on its own melds only. Of the others' melds it
    sees which cards free a joker."""
    secretive: bool = False
    """Whether it takes an open card only if that is a joker or completes the hand, as others see
    what it takes."""


BY_THE_BOOK = Style()


class Mind:
    """The knowledge and plans of a seat when it is asked."""

    def __init__(self, view: View, style: Style = BY_THE_BOOK) -> None:
        """Look at the table."""
        game, seat = view.game, view.seat
        assert isinstance(game, Kinaskak)
        assert seat is not None
        self.game, self.seat, self.style = game, seat, style
        self.faces = {**game.faces, **view.faces}
        self.plays = Plays(game, seat, self.faces)
        self.hand = [self.faces[slot] for slot in game.hands[seat]]
        self.own_melds_only = style.own_melds_only and len(self.hand) > LAST
        self.points = sum([WORTH[face] for face in self.hand])
        self.limit: int = game.options["max_jokers"]
        self.known = [
            [game.faces[slot] for slot in hand if slot in game.faces and not style.forgetful]
            for hand in game.hands
        ]
        self.unseen = self._unseen()
        self.hidden = max(1, self.live(self.unseen))
        self.next = game.seats_from(seat + 1)[0]
        self.others = [other for other in game.seats if other != seat]
        runs, sets = game.asks_for()
        self.spare = SPARE * max(0, len(self.hand) - LEAST[RUN] * runs - LEAST[SET] * sets)
        self.to_come = self._turns_to_come()

    def live(self, faces: Iterable[Face]) -> int:
        """Return how many copies of these faces may still come."""
        return sum([max(0, self.unseen[face]) for face in faces])

    def _unseen(self) -> Counter[Face]:
        """Return the cards that may still come.

        When the stock has been renewed, all know which cards are in it.
        """
        game, deck = self.game, self.game.decks[-1]
        if self.style.forgetful:
            left = Counter(PACK)
            left.subtract(self.hand)
            return left
        came = (slot for slot in deck.slots if slot in self.faces and slot not in game.stock)
        left = Counter(deck.cards)
        left.subtract(self.faces[slot] for slot in came)
        if len(game.decks) > 1:
            left.update(game.faces_of(game.pile[:-1]))  # they will come again
        return left

    def _turns_to_come(self) -> float:
        """Return how many turns the round may last, by the hands of those who are down."""
        game = self.game
        fewest = min(
            [len(game.hands[other]) for other in self.others if game.down[other]], default=None
        )
        return LONG if fewest is None else 2.0 * fewest + 2.0

    def best_way(self) -> Meld | None:
        """Return the laying down that leaves least; None where nothing can be laid down now."""
        if self.game.phase != "play" or self.game.down[self.seat]:
            return None
        _, way = self._best_way(self.hand)
        return self.plays.spelled(way.melds) if way is not None else None

    def value(self, move: Move) -> float:
        """Return the cost of a legal move, as a value below zero."""
        match move:
            case Say(word):
                return self._answer(word)
            case Meld():
                return -self._cost_of_meld(move)
            case Lay() | Swap():
                return self._laying(move)
            case Discard(card):
                return self._discard(card)
        raise TypeError(f"{move!r} is no move of Kínaskák")

    def waiting(self, hand: Sequence[Face]) -> float:
        """Return the cost of the turns until a hand can be laid down."""
        lacking = distance(hand, self.game.contract, self.limit)
        if not lacking.cards:
            return 0.0
        live = self.live(lacking.wanted)
        first = min(self.hidden / (A_TURN * live), DEAD) if live else DEAD
        turns = first + STEP * (lacking.cards - 1)
        return TURN * (min(turns, self.to_come) + TOO_LATE * max(0.0, turns - self.to_come))

    # The open card.

    def _answer(self, word: str) -> float:
        card = self.game.faces[self.game.pile[-1]]
        if self.game.down[self.seat]:
            return self._answer_when_down(word, card)
        if word in ("decline", "no"):
            return (self._drawing() if word == "decline" else 0.0) - self._cost(self.hand)
        hand = [*self.hand, card]
        if word == "take":
            useful = card == JOKER or not distance(hand, self.game.contract, self.limit).cards
            return -self._cost_but_for_one(hand, card) - (
                KEPT if self.style.secretive and not useful else 0.0
            )
        penalty = PENALTY if self.game.purchases[self.seat] >= self.game.options["buys"] else 0
        cost = self._cost_but_for_one(hand, card)
        if not distance(hand, self.game.contract, self.limit).cards:
            # of the two cards, only the unknown one is not yet counted
            return -cost - self.style.bought / 2 - penalty
        caught = WORTH[card] * min(1.0, cost / (TURN * self.to_come))
        return -cost - caught - self.style.bought - penalty

    def _answer_when_down(self, word: str, card: Face) -> float:
        if word == "decline":
            return -DRAWN
        if word == "take":
            useful = self._can_lay(card, self.game.melds) or self._frees_a_joker(card)
            return 0.0 if useful else -DRAWN - WORTH[card]
        return -self.style.bought - WORTH[card] if word == "buy" else 0.0

    def _drawing(self) -> float:
        """Return the turns that an unknown card may save, if it is one of those lacking."""
        lacking = distance(self.hand, self.game.contract, self.limit)
        saved = STEP * TURN if lacking.cards > 1 else self.waiting(self.hand)
        return saved * self.live(lacking.wanted) / self.hidden

    def _cost(self, hand: Sequence[Face]) -> float:
        """Return the cards that laying a hand down would leave, or the turns until then."""
        waiting = self.waiting(hand)
        return waiting + self.spare if waiting else self._best_way(hand)[0]

    def _cost_but_for_one(self, hand: Sequence[Face], card: Face) -> float:
        """Return the cost of a hand that parts with its least useful card.

        The card just taken stays.
        """
        lacking = distance(self.hand, self.game.contract, self.limit)
        if not lacking.cards:
            return self._best_way(hand)[0]
        if card != JOKER and card not in lacking.wanted:
            return self.waiting(self.hand) + self.spare
        if not distance(hand, self.game.contract, self.limit).cards:
            # cards left may be laid off later, as those of a hand that waits
            return min(self._best_way(hand)[0], self.spare)
        rests = [_without(hand, face) for face in dict.fromkeys(self.hand) if face != JOKER]
        return min([self.waiting(rest) for rest in rests], default=0.0) + self.spare

    # Laying down and off.

    def _best_way(self, hand: Sequence[Face]) -> tuple[float, Way | None]:
        """Return the cost of the cheapest way to lay down, and that way.

        Without a way, the cost is that of the whole hand.
        """
        spend = self.game.options["lay_off"] == "next-turn"
        best: tuple[float, Way | None] = (float(sum([WORTH[face] for face in hand])), None)
        for way in ways(hand, self.game.contract, self.limit, spend=spend):
            cost = self._cost_of_way(
                [_as_laid(self.seat, kind, cards) for kind, cards in way.melds], way.kept
            )
            if best[1] is None or cost < best[0] - CLOSE:
                best = (cost, way)
        return best

    def _cost_of_way(self, laid: Sequence[Laid], kept: Sequence[Face]) -> float:
        """Return the cost of the cards left when all that fits is laid off.

        Add the cost of jokers that others can take.
        """
        left = _left_after(kept, [*self.game.melds, *laid])
        shown = [stands for meld in laid if meld.kind == RUN for _, stands in meld.cards if stands]
        risk = 0.0 if not left else sum([TAKEN_OFF + self.live([stands]) for stands in shown])
        return sum([WORTH[face] for face in left]) + risk

    def _cost_of_meld(self, move: Meld) -> float:
        laid = self.plays.laid(move)
        assert isinstance(laid, list), "the move is legal"
        kept = [self.faces[slot] for slot in self.game.hands[self.seat] if slot not in move.shows]
        return self._cost_of_way(laid, kept)

    def _laying(self, move: Lay | Swap) -> float:
        """Return the cost of the cards left when all that fits has followed.

        A swap comes first, then natural cards.
        """
        game = self.game
        melds = list(game.melds)
        kept = [self.faces[slot] for slot in game.hands[self.seat] if slot not in move.shows]
        meld = melds[move.meld - 1]
        if isinstance(move, Swap):
            if not self._joker_has_a_place() or self.own_melds_only:
                return -float(self.points + WORTH[JOKER])
            return SOON - sum([WORTH[face] for face in _left_after(kept, melds)])
        if self.own_melds_only and meld.owner != self.seat:
            return -float(self.points + WORTH[JOKER])
        longer = lay_off(meld, move.cards, self.faces, self.limit, "")
        assert isinstance(longer, Laid), "the move is legal"
        melds[move.meld - 1] = longer
        slot, stands = move.cards[0]
        taken_off = self.live([stands]) if stands and meld.kind == RUN else 0
        order = (
            0.2 * (not stands)
            + 0.1 * (meld.kind != RUN)
            - 0.001 * taken_off
            + 0.001 * WORTH[self.faces[slot]]
        )
        return SOON * order - sum([WORTH[face] for face in _left_after(kept, melds)])

    def _joker_has_a_place(self) -> bool:
        return any(
            meld.jokers < self.limit and (meld.kind != RUN or meld.ends())
            for meld in self.game.melds
        )

    def _frees_a_joker(self, card: Face) -> bool:
        """Return whether it would swap this card for a joker.

        A player that looks only at its own melds never does.
        """
        if self.own_melds_only:
            return False
        return (
            any(meld.joker_for(card) is not None for meld in self.game.melds)
            and self._joker_has_a_place()
        )

    def _can_lay(self, card: Face, melds: Sequence[Laid]) -> bool:
        if self.own_melds_only:
            melds = [meld for meld in melds if meld.owner == self.seat]
        return (
            self._joker_has_a_place() if card == JOKER else any(meld.takes(card) for meld in melds)
        )

    # The discard.

    def _discard(self, card: int) -> float:
        """Return the cost of the hand after a discard, and of its use to the others."""
        game, face = self.game, self.faces[card]
        rest = _without(self.hand, face)
        value = WORTH[face] - self.points - self._danger(face)
        if game.down[self.seat]:
            value += (1 - 2 / self.to_come) * self._laid_next(rest)
        last = game.hands[self.seat][-1]
        taken = last in game.faces and self.faces[last] == face and not game.down[self.seat]
        if rest and (face == JOKER or taken):
            value -= KEPT
        if game.down[self.seat]:
            return value - (FITS_SOON if self._nearly_fits(face) else 0.0)
        return value - self.waiting(rest)

    def _laid_next(self, hand: Sequence[Face]) -> int:
        """Return the points of the cards that this seat can still lay off at its next turn."""
        melds = self.game.melds
        if self.own_melds_only:
            melds = [meld for meld in melds if meld.owner == self.seat]
        left = _stay(hand, melds)
        return sum([WORTH[face] for face in hand if face != JOKER]) - sum(
            [WORTH[face] for face in left]
        )

    def _danger(self, face: Face) -> float:
        """Return what a card gives away: to the next seat above all, which takes it for nothing."""
        game = self.game
        useful = self._can_lay(face, game.melds) or any(
            meld.joker_for(face) is not None for meld in game.melds
        )
        danger = 0.0
        for other in self.others:
            later = 0.0 if game.contract == NO_BUYING else HELPED_LATER
            near = 1.0 if other == self.next else later
            if game.down[other]:
                danger += GIVEN if useful and other == self.next else 0.0
            else:
                helped = sum(_related(face, known) for known in self.known[other])
                danger += near * HELPED * helped
        return danger

    def _nearly_fits(self, face: Face) -> bool:
        """Whether one more card on a run would let this one be laid."""
        return any(
            face in _beyond(meld, end)
            for meld in self.game.melds
            if meld.kind == RUN
            for end in meld.ends()
        )


def _related(face: Face, other: Face) -> bool:
    """Whether two cards may lie in one meld."""
    if JOKER in (face, other):
        return False
    if face[0] == other[0]:
        return True
    gaps = [
        abs(one - two)
        for one, rank in enumerate(PLACES)
        if rank == face[0]
        for two, more in enumerate(PLACES)
        if more == other[0]
    ]
    return face[1] == other[1] and min(gaps) <= 2


def _without(hand: Sequence[Face], face: Face) -> list[Face]:
    rest = list(hand)
    rest.remove(face)
    return rest


def _beyond(meld: Laid, card: Face) -> list[Face]:
    """Return what a run takes next once this card has been laid on it."""
    high = meld.low + len(meld.cards)
    if meld.low > 0 and PLACES[meld.low - 1] == card[0]:
        return [PLACES[meld.low - 2] + meld.of] if meld.low > 1 else []
    return [PLACES[high + 1] + meld.of] if high + 1 < len(PLACES) else []


def _as_laid(seat: Seat, kind: str, cards: Sequence[tuple[Face, str]]) -> Laid:
    """Return a meld as it would lie on the table; its slots are of no matter."""
    first = cards[0][1] or cards[0][0]
    of, low = (first[1], PLACES.index(first[0])) if kind == RUN else (first[0], 0)
    return Laid(seat, kind, of, low, tuple((0, stands) for _, stands in cards))


def _left_after(kept: Sequence[Face], melds: Sequence[Laid]) -> list[Face]:
    """Return the cards left in hand when all that fits is laid off, and the dearest thrown away."""
    left = _stay(kept, melds)
    dearest = max(left, key=WORTH.__getitem__, default=None)
    if dearest:
        left.remove(dearest)
    return left


def _stay(kept: Sequence[Face], melds: Sequence[Laid]) -> list[Face]:
    """Return the cards that fit nowhere, when all others are laid off.

    A joker always finds a place.
    """
    left = [face for face in kept if face != JOKER]
    spans = list(melds)
    again = True
    while again:
        again = False
        for face, (number, meld) in (
            (face, pair) for face in list(left) for pair in enumerate(spans)
        ):
            if face in left and meld.takes(face):
                left.remove(face)
                below = meld.kind == RUN and meld.low > 0 and PLACES[meld.low - 1] == face[0]
                spans[number] = Laid(
                    meld.owner, meld.kind, meld.of, meld.low - below, (*meld.cards, (0, ""))
                )
                again = True
                break
    return left
