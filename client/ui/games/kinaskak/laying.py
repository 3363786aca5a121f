"""Laying down, laying off and fetching jokers: the moves that the picked cards make.

A laying down is made of melds, one after the other or several at once. Those that are ready wait
beside the hand until the contract is whole. A move that is shown is not made yet: the table and the
hand are drawn as they would be after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from client.ui.games.screen import Scene
from engine.core.cards import JOKER
from engine.core.moves import Face, Move, Slot
from engine.games.kinaskak.groups import groups
from engine.games.kinaskak.melds import (
    PLACES,
    RUN,
    SET,
    SUITS,
    Cards,
    Laid,
    contract_of,
    exchange,
    lay,
    lay_off,
)
from engine.games.kinaskak.moves import Lay, Meld, Swap
from engine.games.kinaskak.rules import Kinaskak
from engine.games.kinaskak.search import Asked, Layout, distance, ways_for

FEW = 6
"""The most ways to lay down that keep their jokers, if they cannot be laid off in this turn."""


def moves(scene: Scene) -> list[Move]:
    """Return the moves of the chosen action with the picked cards, the best first.

    With none picked, they are those of the whole hand. A `Meld` has only the melds that come to
    those that are ready.
    """
    return moves_of(scene, scene.picked.word)


def moves_of(scene: Scene, action: str) -> list[Move]:
    """Return the same for an action that is not chosen yet: `meld`, `lay` or `swap`."""
    match action:
        case "meld":
            return _melds(scene)
        case "lay" if len(picked(scene)) > 1:
            return list(_several(scene))
        case "lay":
            return _single(scene, Lay)
        case "swap":
            return _single(scene, Swap)
    return []


def shown(scene: Scene) -> Move | None:
    """Return the move that is shown: with the same key once more, or Enter, it is made."""
    found = moves(scene)
    return found[scene.picked.number % len(found)] if found else None


def whole(scene: Scene, move: Move | None) -> Meld:
    """Return a laying down with the melds that are ready before its own."""
    return Meld((*scene.picked.ready, *(move.melds if isinstance(move, Meld) else ())))


def still_asked(scene: Scene, move: Move | None = None) -> Asked:
    """R18. Return what is to be laid down besides the melds that are ready and those of a move."""
    runs, sets = contract_of(scene.of(Kinaskak).contract)
    known = {**scene.game.faces, **dict(scene.hand)}
    begun = whole(scene, move).melds
    used = [_suit(cards, known) for kind, cards in begun if kind == RUN]
    left = "".join(suit for suit in SUITS if suit not in used)
    return Asked(runs - len(used), sets - len(begun) + len(used), left)


def picked(scene: Scene) -> list[Slot]:
    """Return the picked cards of our hand; those of melds that are ready are not among them."""
    held = {slot for slot, _face in at_hand(scene)}
    return [slot for slot in scene.picked.cards if slot in held]


def at_hand(scene: Scene) -> list[tuple[Slot, Face]]:
    """Return our hand without the melds that are ready."""
    ready = set(whole(scene, None).shows)
    return [card for card in scene.hand if card[0] not in ready]


# The table and the hand as they would be.


def hand_after(scene: Scene) -> list[tuple[Slot, Face]]:
    """Return our hand as the shown move would leave it."""
    move = shown(scene)
    gone = set(move.shows) if move is not None else set()
    came = [_joker_of(scene, move)] if isinstance(move, Swap) else []
    return [*(card for card in at_hand(scene) if card[0] not in gone), *came]


def melds_after(scene: Scene) -> list[tuple[Laid, bool]]:
    """Return the melds on the table as they would be, and which of them are not so yet."""
    game, move = scene.of(Kinaskak), shown(scene)
    found = [(meld, False) for meld in game.melds]
    if isinstance(move, Lay | Swap):
        meld = game.melds[move.meld - 1]
        made = (
            lay_off(meld, move.cards, _known(scene), _limit(game), "")
            if isinstance(move, Lay)
            else exchange(meld, _place(scene, move), move.card)[0]
        )
        assert isinstance(made, Laid), "the rules have listed it"
        found[move.meld - 1] = (made, True)
    for kind, cards in whole(scene, move).melds:
        made = lay(scene.seat or 0, kind, cards, _known(scene), _limit(game))
        if isinstance(made, Laid):
            found.append((made, True))
    return found


def faces_after(scene: Scene) -> dict[Slot, Face]:
    """Return the faces of the cards of these melds."""
    return _known(scene)


def _joker_of(scene: Scene, move: Swap) -> tuple[Slot, Face]:
    return scene.of(Kinaskak).melds[move.meld - 1].cards[_place(scene, move)][0], JOKER


def _place(scene: Scene, move: Swap) -> int:
    place = scene.of(Kinaskak).melds[move.meld - 1].joker_for(_known(scene)[move.card])
    assert place is not None, "the rules have listed it"
    return place


def _known(scene: Scene) -> dict[Slot, Face]:
    return {**scene.game.faces, **dict(scene.hand)}


def _limit(game: Kinaskak) -> int:
    limit: int = game.options["max_jokers"]
    return limit


def _suit(cards: Cards, faces: dict[Slot, Face]) -> str:
    slot, stands = cards[0]
    return (stands or faces[slot])[-1]


# Laying down.


def _melds(scene: Scene) -> list[Move]:
    """R18. Return how the picked cards make melds that are asked for.

    With none picked, return the best ways to lay the rest of the contract down.
    """
    game = scene.of(Kinaskak)
    if scene.seat is None or game.down[scene.seat]:
        return []
    faces, some, asked = dict(scene.hand), picked(scene), still_asked(scene)
    cards = some or [slot for slot, _face in at_hand(scene)]
    in_faces = tuple(faces[slot] for slot in cards)
    if some:
        layouts = _groups(in_faces, asked, _limit(game))
    elif not scene.picked.ready and distance(in_faces, game.contract, _limit(game)).cards:
        return []
    else:
        next_turn = game.options["lay_off"] == "next-turn"
        layouts = _best(in_faces, asked, _limit(game), next_turn=next_turn)
    return [_spelled(layout, cards, faces) for layout in layouts]


@lru_cache(16)
def _groups(cards: tuple[Face, ...], asked: Asked, most_jokers: int) -> tuple[Layout, ...]:
    return tuple(groups(cards, asked, most_jokers))


@lru_cache(16)
def _best(
    cards: tuple[Face, ...], asked: Asked, most_jokers: int, *, next_turn: bool
) -> tuple[Layout, ...]:
    """Return the best ways; if jokers cannot be laid off in this turn, also with them all."""
    found = ways_for(cards, asked, most_jokers)
    if next_turn:
        found = [*found[:FEW], *ways_for(cards, asked, most_jokers, spend=True)]
    return tuple(dict.fromkeys(way.melds for way in found))


def _spelled(layout: Layout, slots: Sequence[Slot], faces: dict[Slot, Face]) -> Meld:
    left = list(slots)
    melds = []
    for kind, cards in layout:
        laid = []
        for face, stands in cards:
            slot = next(slot for slot in left if faces[slot] == face)
            left.remove(slot)
            laid.append((slot, stands))
        melds.append((kind, tuple(laid)))
    return Meld(tuple(melds))


# Laying off, and fetching jokers.


def _single(scene: Scene, kind: type[Lay] | type[Swap]) -> list[Move]:
    """R19, R20. Return the moves with one card; with none picked, with any."""
    if scene.seat is None or not scene.of(Kinaskak).may_lay_off(scene.seat):
        return []
    known = _known(scene)
    wanted = {known[slot] for slot in picked(scene)}
    listed = [move for move in islice(scene.view.options or (), 200) if isinstance(move, kind)]
    return [move for move in listed if not wanted or {known[slot] for slot in move.shows} <= wanted]


def _several(scene: Scene) -> Iterator[Move]:
    """Yield a move for each meld on which all picked cards fit, upwards or downwards.

    Jokers stand for the missing cards.
    """
    game, faces = scene.of(Kinaskak), dict(scene.hand)
    if scene.seat is None or not game.may_lay_off(scene.seat):
        return
    naturals = [slot for slot in picked(scene) if faces[slot] != JOKER]
    jokers = [slot for slot in picked(scene) if faces[slot] == JOKER]
    for number, meld in enumerate(game.melds, 1):
        for downwards in (False, True):
            cards = _in_order(meld, naturals, jokers, faces, downwards=downwards)
            if cards and isinstance(lay_off(meld, cards, faces, _limit(game), ""), Laid):
                yield Lay(cards, number)
                break


def _in_order(
    meld: Laid,
    naturals: Sequence[Slot],
    jokers: Sequence[Slot],
    faces: dict[Slot, Face],
    *,
    downwards: bool,
) -> Cards:
    """Return cards in the order in which they go on one end of a meld; none if they do not."""
    if meld.kind == SET:
        return (*((slot, "") for slot in naturals), *((slot, meld.of) for slot in jokers))
    left, spare = {faces[slot]: slot for slot in naturals}, list(jokers)
    found: list[tuple[Slot, str]] = []
    place = meld.low - 1 if downwards else meld.low + len(meld.cards)
    while (left or spare) and 0 <= place < len(PLACES):
        card = PLACES[place] + meld.of
        if card in left:
            found.append((left.pop(card), ""))
        elif spare:
            found.append((spare.pop(), card))
        else:
            break
        place += -1 if downwards else 1
    return () if left or spare or len(found) != len(naturals) + len(jokers) else tuple(found)
