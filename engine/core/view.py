"""The view of a seat: everything public, its own cards, and the question if it is asked.

Computer players are functions `View -> Move` and screens are functions of a view; neither gets a
table or a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.game import Game, copy_of
from engine.core.moves import Face, Move, Seat, Slot
from engine.core.requests import Ask
from engine.core.run import Answered, Run


@dataclass(frozen=True)
class View:
    """The match as one seat sees it.

    `faces` are those of its own cards, `turn` the seats that may choose now. `options` are the
    legal moves, None unless the seat may choose: a tuple, or, if there are many, an object that
    lists them when iterated and judges one with `move in`. Automatic questions are not shown.
    """

    seat: Seat | None
    game: Game
    faces: Mapping[Slot, Face]
    options: Iterable[Move] | None
    over: bool
    turn: tuple[Seat, ...]
    past: Sequence[Answered] = ()
    """The public choices of all deals of the match."""

    def face(self, slot: Slot) -> Face | None:
        """Return the face of a slot, if this seat has seen it."""
        return self.faces.get(slot) or self.game.faces.get(slot)


def view_for(run: Run, seat: Seat | None, own_faces: Mapping[Slot, Face]) -> View:
    """Return the view of a seat, given the faces of its own slots; seat None is a spectator."""
    game = copy_of(run.game)
    if seat is None:
        return View(None, game, {}, None, run.over, run.turn, tuple(run.past))
    mine = {slot: face for slot, face in own_faces.items() if game.holder.get(slot) == seat}
    return View(
        seat, game, mine, _options(run, game, seat, mine), run.over, run.turn, tuple(run.past)
    )


def _options(run: Run, game: Game, seat: Seat, mine: Mapping[Slot, Face]) -> Iterable[Move] | None:
    request = run.request
    if not isinstance(request, Ask) or seat not in run.turn:
        return None
    offered: Any = getattr(game, request.options.__name__)(seat, run.hand(seat, mine))
    return offered if hasattr(offered, "__contains__") else tuple(offered)
