"""A player that makes any legal move, also those that a game does not list.

Of Kínaskák the rules list only the best ways to lay down, and cards to be laid off one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from engine.bots import bot_for, chance
from engine.core.cards import JOKER
from engine.core.moves import Face, Move, Slot
from engine.core.view import View
from engine.games.kinaskak.melds import (
    LEAST,
    PACK,
    PLACES,
    RANKS,
    RUN,
    SET,
    SUITS,
    Cards,
    contract_of,
)
from engine.games.kinaskak.moves import Discard, Lay, Meld
from engine.games.kinaskak.rules import Kinaskak

TRIES = 200
"""Melds that are tried out before the player does without."""


def play(view: View, random: Random) -> Move:
    """Return any legal move; in Kínaskák, one that brings the round on where there are several."""
    game = view.game
    assert view.options is not None
    if not isinstance(game, Kinaskak):
        return chance.play(view, random.randrange)
    sensible = bot_for(game.name)(view, random.randrange)
    if game.phase != "play":
        return sensible
    if not isinstance(sensible, Discard):
        for move in _tried(view, game, random):
            if move in view.options:
                return move
        return sensible
    face = view.face(sensible.card)
    return Discard(random.choice([slot for slot in _held(view) if view.face(slot) == face]))


def _tried(view: View, game: Kinaskak, random: Random) -> Iterable[Move]:
    """Yield moves, legal or not, made of cards of the hand by chance."""
    if not game.melds or view.seat is None or not game.down[view.seat]:
        yield from layings(view, random)
        return
    for _try in range(TRIES):
        left = _held(view)
        random.shuffle(left)
        yield _laid_off(view, game, left, random)


def layings(view: View, random: Random) -> Iterable[Meld]:
    """Yield what might be laid down, legal or not."""
    assert isinstance(view.game, Kinaskak)
    runs, sets = view.game.asks_for()
    for _try in range(TRIES):
        left, kinds = _held(view), [RUN] * runs + [SET] * sets
        random.shuffle(left)
        random.shuffle(kinds)
        yield Meld(tuple((kind, _meld(view, kind, left, random)) for kind in kinds))


def rich_hand(contract: int, random: Random) -> list[Face]:
    """Return fourteen cards with which this contract of Kínaskák can be laid down."""
    runs, sets = contract_of(contract)
    wanted: list[list[Face]] = []
    for suit in random.sample(SUITS, runs):
        low = random.randrange(len(PLACES) - 3)
        wanted.append([place + suit for place in PLACES[low : low + 4]])
    wanted += [
        [rank + random.choice(SUITS) for _card in range(3)] for rank in random.sample(RANKS, sets)
    ]
    left, hand = list(PACK), list[Face]()
    for card in (card for cards in wanted for card in cards):
        taken = card if card in left and random.random() < 0.8 else JOKER
        left.remove(taken)
        hand.append(taken)
    while len(hand) < 14:
        similar = [card for card in left if card[0] in {one[0] for one in hand}]
        hand.append(random.choice(similar if random.random() < 0.7 else left))
        left.remove(hand[-1])
    return hand


def _meld(view: View, kind: str, left: list[Slot], random: Random) -> Cards:
    """Take the cards of a meld out of those left, and jokers for the others."""
    length = LEAST[kind] + random.choice((0, 0, 1, 3))
    naturals = [face for slot in left if (face := view.face(slot)) and face != JOKER]
    start = random.choice(naturals or ["Ac"])
    if kind == SET:
        wanted = [start[0]] * length
    else:
        low = max(0, PLACES.index(start[0]) - random.randrange(4))
        wanted = [place + start[1] for place in PLACES[low : low + length]]
    cards = []
    for card in wanted:
        slot = next((slot for slot in left if (view.face(slot) or "").startswith(card)), None)
        joker = next((slot for slot in left if view.face(slot) == JOKER), None)
        taken = joker if slot is None or random.random() < 0.2 else slot
        if taken is not None:
            left.remove(taken)
            cards.append((taken, card if taken == joker else ""))
    return tuple(cards)


def _laid_off(view: View, game: Kinaskak, left: list[Slot], random: Random) -> Lay:
    """Lay several cards off at once, a joker for any card."""
    number = random.randrange(len(game.melds))
    meld = game.melds[number]
    cards = []
    for slot in left[: random.choice((1, 2, 3))]:
        named = meld.of if meld.kind == SET else random.choice(meld.ends() or ["Ac"])
        cards.append((slot, named if view.face(slot) == JOKER else ""))
    return Lay(tuple(cards), number + 1)


def _held(view: View) -> list[Slot]:
    assert view.seat is not None
    return list(view.game.hands[view.seat])
