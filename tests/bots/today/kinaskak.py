"""A decent player of Kínaskák: as near to the contract as it can be, down as soon as it can, and
rid of cards from then on.

Nearness is that of engine.games.kinaskak.search: the cards that are lacking, then how many copies
of them may still come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from engine.core.cards import JOKER
from engine.core.moves import Face, Move, Seat
from engine.core.view import View
from engine.games.kinaskak.melds import PLACES, RUN, WORTH, Laid
from engine.games.kinaskak.moves import Lay, Meld, Say, Swap
from engine.games.kinaskak.plays import Plays
from engine.games.kinaskak.rules import NO_BUYING, Kinaskak
from engine.games.kinaskak.search import Way, distance, ways

LACKING = 40.0
"""The value of one card nearer to the contract, in points, while nobody is down."""
HURRIED = 10.0
"""The same when somebody is down and there is still time."""
HOPELESS = 3.0
"""The same when somebody will be out before."""
OUT = 0.005
"""The value of one more copy that would help, in cards."""
DEAD = 1.5
"""How many cards further away a hand is when nothing that it lacks can come."""
TAKEN_OFF = 6.0
"""The cost of a joker left in a run, where others can take it."""
CLOSE = 1e-9


def play(view: View, choose: Callable[[int], int]) -> Move:
    """Return what seems best; of equal discards any."""
    game, seat, options = view.game, view.seat, view.options
    assert isinstance(game, Kinaskak)
    assert seat is not None
    assert options is not None, "only a seat that is asked plays"
    mind = _Mind(view, game, seat)
    if isinstance(options, Plays):
        return mind.play(options, choose)
    words = {option.word: option for option in options if isinstance(option, Say)}
    if "buy" in words:
        return words["buy" if mind.would_buy() else "no"]
    return words["take" if "decline" not in words or mind.would_take() else "decline"]


def at_random(view: View, choose: Callable[[int], int]) -> Move:
    """Lay down and lay off when it can, buy only free cards, and do the rest by chance: the measure
    for the others.

    One that does everything by chance never ends a round, and one that buys without end seldom
    does.
    """
    game, seat = view.game, view.seat
    assert isinstance(game, Kinaskak)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    costs = game.purchases[seat] >= game.options["buys"]
    sensible = [
        move for move in options if isinstance(move, Meld | Lay) or (costs and move == Say("no"))
    ] or options
    return sensible[choose(len(sensible))]


class _Mind:
    """The knowledge and plans of a seat when it is asked."""

    def __init__(self, view: View, game: Kinaskak, seat: Seat) -> None:
        self.game, self.seat = game, seat
        self.faces = {**game.faces, **view.faces}
        self.hand = [self.faces[slot] for slot in game.hands[seat]]
        self.limit: int = game.options["max_jokers"]
        self.known = [
            [game.faces[slot] for slot in hand if slot in game.faces] for hand in game.hands
        ]
        self.unseen = self._unseen()
        self.next = (seat + 1) % game.players
        self.others = [other for other in game.seats if other != seat]
        self.fewest = min(
            (len(game.hands[other]) for other in self.others if game.down[other]), default=None
        )
        """How few cards somebody holds who is down."""

    def live(self, faces: Iterable[Face]) -> int:
        """Return how many copies of these faces may still come."""
        return sum([max(0, self.unseen[face]) for face in faces])

    def _unseen(self) -> Counter[Face]:
        """Return the cards that may still come. When the stock has been renewed, all know which
        cards are in it."""
        game, deck = self.game, self.game.decks[-1]
        came = (slot for slot in deck.slots if slot in self.faces and slot not in game.stock)
        left = Counter(deck.cards)
        left.subtract(self.faces[slot] for slot in came)
        if len(game.decks) > 1:
            left.update(game.faces_of(game.pile[:-1]))  # they will come again
        return left

    # The open card.

    def would_take(self) -> bool:
        """Whether the open card is better than one of the stock."""
        card = self.game.faces[self.game.pile[-1]]
        if self.game.down[self.seat]:
            return self._can_lay(card, self.game.melds) or self._frees_a_joker(card)
        return card == JOKER or self._brings_nearer(card)

    def _brings_nearer(self, card: Face) -> bool:
        """Whether a card helps a hand that then must part with another one."""
        now = self._lacking(self.hand)
        if not now:
            return self._best_way([*self.hand, card])[0] <= self._best_way(self.hand)[0]
        if card not in distance(self.hand, self.game.contract, self.limit).wanted:
            return False
        return (
            min(self._lacking(_without([*self.hand, card], face)) for face in set(self.hand)) < now
        )

    def _lacking(self, hand: Sequence[Face]) -> float:
        """Return how many cards a hand lacks; more if none of those that would help can come."""
        lacking = distance(hand, self.game.contract, self.limit)
        return lacking.cards + (DEAD if lacking.cards and not self.live(lacking.wanted) else 0.0)

    def would_buy(self) -> bool:
        """Whether the open card is worth a second, unknown one: only early, never for points, never
        when down."""
        game = self.game
        if (
            game.down[self.seat]
            or game.purchases[self.seat] >= game.options["buys"]
            or self.fewest is not None
        ):
            return False
        card = game.faces[game.pile[-1]]
        return card == JOKER or (
            distance(self.hand, game.contract, self.limit).cards > 0 and self._brings_nearer(card)
        )

    # The play.

    def play(self, options: Plays, choose: Callable[[int], int]) -> Move:
        """Lay down, then lay off, then throw away."""
        if not self.game.down[self.seat]:
            _, way = self._best_way(self.hand)
            if way is not None:
                return options.spelled(way.melds)
        moves = list(options) if self.game.may_lay_off(self.seat) else []
        return self._laying(moves) or self._discard(options, choose)

    def _best_way(self, hand: Sequence[Face]) -> tuple[float, Way | None]:
        """Return the way to lay down that leaves least, and the cards left; without one the whole
        hand."""
        game = self.game
        spend = game.options["lay_off"] == "next-turn"
        best: tuple[float, Way | None] = (float(sum(WORTH[face] for face in hand)), None)
        for way in ways(hand, game.contract, self.limit, spend=spend):
            melds = [*game.melds, *(_as_laid(self.seat, kind, cards) for kind, cards in way.melds)]
            left = _left_after(way.kept, melds)
            shown = [
                stands for kind, cards in way.melds if kind == RUN for _, stands in cards if stands
            ]
            risk = 0.0 if not left else sum(TAKEN_OFF + self.live([stands]) for stands in shown)
            cost = sum(WORTH[face] for face in left) + risk
            if best[1] is None or cost < best[0] - CLOSE:
                best = (cost, way)
        return best

    def _laying(self, moves: Sequence[Move]) -> Move | None:
        """Return how to be rid of a card, or None: by a joker's way if it opens one, a natural
        card, then a joker."""
        swaps = [move for move in moves if isinstance(move, Swap)]
        lays = [move for move in moves if isinstance(move, Lay)]
        if swaps and self._joker_has_a_place():
            return swaps[0]
        natural = [move for move in lays if not move.cards[0][1]]
        return max(natural or lays, key=self._worth_laying, default=None)

    def _worth_laying(self, move: Lay) -> tuple[float, ...]:
        """Prefer a place that lets a further card of the hand be laid, then a set, then where
        nobody can take the joker."""
        meld = self.game.melds[move.meld - 1]
        slot, stands = move.cards[0]
        card = stands or self.faces[slot]
        opens = meld.kind == RUN and any(face in self.hand for face in _beyond(meld, card))
        taken_off = self.live([stands]) if stands and meld.kind == RUN else 0
        return (opens, meld.kind != RUN, -taken_off, WORTH[self.faces[slot]])

    def _joker_has_a_place(self) -> bool:
        return any(
            meld.jokers < self.limit and (meld.kind != RUN or meld.ends())
            for meld in self.game.melds
        )

    def _frees_a_joker(self, card: Face) -> bool:
        return (
            any(meld.joker_for(card) is not None for meld in self.game.melds)
            and self._joker_has_a_place()
        )

    def _can_lay(self, card: Face, melds: Sequence[Laid]) -> bool:
        return (
            self._joker_has_a_place() if card == JOKER else any(meld.takes(card) for meld in melds)
        )

    # The discard.

    def _discard(self, options: Plays, choose: Callable[[int], int]) -> Move:
        """Return the best discard; a card just taken from the pile is kept, or it had been left
        there."""
        discards = list(options.discards())
        last = self.game.hands[self.seat][-1]
        if len(discards) > 1 and last in self.game.faces and not self.game.down[self.seat]:
            discards = [move for move in discards if self.faces[move.card] != self.faces[last]]
        scores = [self._score(self.faces[move.card]) for move in discards]
        best = [
            move
            for move, score in zip(discards, scores, strict=True)
            if score > max(scores) - CLOSE
        ]
        return best[choose(len(best))]

    def _score(self, face: Face) -> float:
        """Return how good it is to throw a card away: its points, less its use to us and its gain
        for the others."""
        if face == JOKER:
            return -1000.0
        score = WORTH[face] - self._danger(face)
        if self.game.down[self.seat]:
            return score - (4.0 if self._nearly_fits(face) else 0.0)
        rest = _without(self.hand, face)
        cards, live = (
            self._lacking(rest),
            self.live(distance(rest, self.game.contract, self.limit).wanted),
        )
        return score + self._per_card(cards) * (OUT * live - cards)

    def _per_card(self, lacking: float) -> float:
        if self.fewest is None:
            return LACKING
        return HURRIED if lacking <= max(1, self.fewest - 1) else HOPELESS

    def _danger(self, face: Face) -> float:
        """Return what a card gives away: to the next seat above all, which takes it for nothing."""
        game = self.game
        layable = self._can_lay(face, game.melds)
        danger = 0.0
        for other in self.others:
            near = 1.0 if other == self.next else 0.0 if game.contract == NO_BUYING else 0.3
            if game.down[other]:
                danger += near * 10.0 if layable and other == self.next else 0.0
            else:
                danger += near * sum([3.0 for known in self.known[other] if _related(face, known)])
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
    """Return what stays in hand when all that fits is laid off; a joker always finds a place, the
    dearest is thrown away."""
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
    dearest = max(left, key=WORTH.__getitem__, default=None)
    if dearest:
        left.remove(dearest)
    return left
