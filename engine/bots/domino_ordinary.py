"""Ordinary players of dominoes, which play nothing out.

They look at the tile and at the ends it leaves.

Each weighs these by habits of its own. None of them closes the line when its own tiles are surely
not the lightest, nor lets an opponent go out with a last tile that surely fits, if another play
prevents it.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.bots.domino_deal import FITS
from engine.bots.domino_worlds import Worlds
from engine.bots.player import Bot
from engine.bots.small_change import Dice
from engine.core.cards import pips
from engine.core.moves import Choose, Move, Seat
from engine.core.view import View
from engine.games.domino.count import is_double, weight
from engine.games.domino.moves import Place
from engine.games.domino.rules import Domino


@dataclass(frozen=True)
class Habits:
    """The points that a player gives each property of a play."""

    pip: float = 0.0
    """Each pip of the tile."""
    double: float = 0.0
    """A double."""
    mine: float = 0.0
    """Each tile left in the hand that fits one of the new ends."""
    variety: float = 0.0
    """Each number that the tiles left in the hand bear."""
    stops: float = 0.0
    """The next opponent surely passes or draws, as it has shown that it has neither number."""
    rare: float = 0.0
    """Each tile with one of the new ends that lies in the line or in the own hand, so that others
    cannot have it."""
    partner: float = 0.0
    """The new ends keep a number that the partner has played."""


WATCHFUL = Habits(pip=0.7, double=3.0, mine=2.0, variety=0.7, stops=4.0, rare=0.3, partner=1.5)
HEAVY_FIRST = Habits(pip=1.0, double=3.0)
STUBBORN = Habits(pip=0.1, mine=2.0)

CLOSED = 1000.0
"""The points for closing the line: they count more than all else."""
LETS_OUT = 200.0
"""The cost of letting the next opponent go out for sure: more than all habits together. Those after
it may be stopped yet."""


def ordinary(habits: Habits) -> Bot:
    """Return the player who has these habits."""

    def play(view: View, choose: Choose) -> Move:
        game, seat = view.game, view.seat
        assert isinstance(game, Domino)
        assert seat is not None
        assert view.options is not None, "only a seat that is asked plays"
        options = list(view.options)
        places = [move for move in options if isinstance(move, Place)]
        if len(places) < 2:
            return options[0]
        last = _last_tiles(view, game, seat)
        points = [
            _points(view, game, seat, place, habits) - _lets_out(view, game, place, last)
            for place in places
        ]
        best = [place for place, value in zip(places, points, strict=True) if value == max(points)]
        return best[choose(len(best))]

    return play


def _points(view: View, game: Domino, seat: Seat, place: Place, habits: Habits) -> float:
    face = view.faces[place.tile]
    ends = set(ends_after(game, place, face))
    rest = [view.faces[slot] for slot in game.hands[seat] if slot != place.tile]
    lying = [*game.table(), face]
    known = {*lying, *rest}
    if set(game.tile_set.with_any(ends)).issubset(lying):
        return CLOSED if _wins_block(game, seat, rest, lying) else -CLOSED
    following = game.seats_from(seat + 1)[0]
    lacking = [set(game.lacks.get(slot, ())) for slot in game.hands[following]]
    points = habits.pip * weight(face) + habits.double * is_double(face)
    points += habits.mine * sum(not ends.isdisjoint(pips(tile)) for tile in rest)
    points += habits.variety * len({number for tile in rest for number in pips(tile)})
    points += habits.rare * sum(not ends.isdisjoint(pips(tile)) for tile in known)
    if game.side(following) != game.side(seat) and all(ends <= lacks for lacks in lacking):
        points += habits.stops
    if (
        habits.partner
        and game.sides < game.players
        and game.placer == (seat + 2) % game.players
        and game.ends is not None
    ):
        points += habits.partner * len(ends & set(game.ends))
    return points


def _last_tiles(view: View, game: Domino, seat: Seat) -> list[tuple[int, int]]:
    """Return the turns until each opponent with one tile left, and its possible tiles."""
    slots = Worlds(view, game, seat, Dice(lambda _: 0)).slots
    last = [
        (other, tiles)
        for other, tiles, _ in slots
        if len(game.hands[other]) == 1 and game.side(other) != game.side(seat)
    ]
    order = game.seats_from(seat)
    return [(order.index(other), tiles) for other, tiles in last]


def _lets_out(view: View, game: Domino, place: Place, last: list[tuple[int, int]]) -> float:
    """Return the cost of the opponents whose last tile surely fits the ends that a play leaves."""
    left, right = ends_after(game, place, view.faces[place.tile])
    return sum([LETS_OUT / turns for turns, tiles in last if not tiles & ~FITS[left][right]])


def ends_after(game: Domino, place: Place, face: str) -> tuple[int, int]:
    """Return the ends of the line once a tile is placed."""
    high, low = pips(face)
    if game.ends is None:
        return high, low
    left, right = game.ends
    return (high + low - left, right) if place.end == "left" else (left, high + low - right)


def _wins_block(game: Domino, seat: Seat, rest: list[str], lying: list[str]) -> bool:
    """Return whether the own hand is probably the lightest once these tiles lie.

    Every other hand is taken for average.
    """
    seen = sum(map(weight, [*lying, *rest]))
    unseen = [slot for hand in game.hands for slot in hand if slot not in game.hands[seat]]
    whole = sum(map(weight, game.tile_set.tiles)) - seen
    each = whole / max(1, len(unseen) + len(game.stock))
    lightest = min(
        len(hand) for other, hand in enumerate(game.hands) if game.side(other) != game.side(seat)
    )
    return not rest or sum(map(weight, rest)) < each * lightest
