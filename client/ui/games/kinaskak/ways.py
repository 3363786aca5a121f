"""The moves of the picked cards of a hand of Kínaskák.

They are the lines that lay the cards down, lay them off, or swap them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from client.ui.games.screen import Scene
from engine.core.cards import JOKER
from engine.core.moves import Slot
from engine.games.kinaskak.melds import PLACES, SET, Laid, lay_off
from engine.games.kinaskak.plays import Plays
from engine.games.kinaskak.rules import Kinaskak, Lay, Swap
from engine.games.kinaskak.search import ways

MOST = 40
"""Ways to lay down among which one can be found that uses just the picked cards."""


def meld_lines(scene: Scene, picked: Sequence[Slot]) -> list[str]:
    """R18.

    Return how these cards are laid down, the best way first; with none picked the best ways of the
    whole hand.
    """
    game = scene.of(Kinaskak)
    assert scene.seat is not None
    faces = dict(scene.hand)
    some = [faces[slot] for slot in picked] or list(faces.values())
    found = ways(some, game.contract, game.options["max_jokers"], spend=bool(picked), best=MOST)
    if picked:
        found = [way for way in found if not way.kept]
    plays = Plays(game, scene.seat, faces)
    return [game.write(plays.spelled(way.melds), faces) for way in found[:6]]


def lay_lines(scene: Scene, picked: Sequence[Slot]) -> list[str]:
    """R19. Return how these cards are laid off; with none picked, every card that can be."""
    if len(picked) > 1:
        return list(_several(scene, picked))
    return _single(scene, picked, Lay)


def swap_lines(scene: Scene, picked: Sequence[Slot]) -> list[str]:
    """R20. Return which jokers these cards can fetch; with none picked, every card."""
    return _single(scene, picked, Swap)


def _single(scene: Scene, picked: Sequence[Slot], kind: type[Lay] | type[Swap]) -> list[str]:
    faces = dict(scene.hand)
    wanted = {faces[slot] for slot in picked}
    moves = [move for move in islice(scene.view.options or (), 200) if isinstance(move, kind)]
    fitting = [
        move for move in moves if not wanted or {faces[slot] for slot in move.shows} <= wanted
    ]
    known = {**scene.game.faces, **faces}
    return list(dict.fromkeys(scene.game.write(move, known) for move in fitting))


def _several(scene: Scene, picked: Sequence[Slot]) -> Iterator[str]:
    """Yield a line for each meld on which all these cards fit, upwards or downwards.

    Jokers stand for the missing cards.
    """
    game = scene.of(Kinaskak)
    faces = dict(scene.hand)
    known = {**game.faces, **faces}
    naturals = [slot for slot in picked if faces[slot] != JOKER]
    jokers = [slot for slot in picked if faces[slot] == JOKER]
    for number, meld in enumerate(game.melds, 1):
        for downwards in (False, True):
            cards = _in_order(meld, naturals, jokers, faces, downwards=downwards)
            made = (
                lay_off(meld, cards, faces, game.options["max_jokers"], f"m{number}")
                if cards
                else None
            )
            if isinstance(made, Laid):
                yield game.write(Lay(cards, number), known)
                break


def _in_order(
    meld: Laid,
    naturals: Sequence[Slot],
    jokers: Sequence[Slot],
    faces: dict[Slot, str],
    *,
    downwards: bool,
) -> tuple[tuple[Slot, str], ...]:
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
