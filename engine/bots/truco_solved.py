"""The strongest player of Truco for two: by lot from solved games, and the worth of each move.

The lot is that of the caller; the worths take none, so that a hint and an analysis agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.bots.player import by_lot
from engine.bots.truco_envido import Word
from engine.bots.truco_fair import Here
from engine.bots.truco_odds import standing
from engine.bots.truco_past import heard
from engine.bots.truco_two import Two
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games.truco.moves import ENVIDO, TRUCO, Call
from engine.games.truco.rules import Truco

NOTHING = 1e-9
RARE = 0.02
"""Moves that the solved games make less often are left out: they are remains of the learning."""
SILLY = 0.75
"""Points: moves that are worse by more are not made, as cards and words tell more than the classes
of the table know."""


def is_solved(view: View) -> bool:
    """Return whether the game of this view is one of those that are solved."""
    return view.game.players == 2 and not view.game.options["flor"]


def plan(view: View) -> dict[Move, Word]:
    """Return how often to make each move, the likeliest kind first, and the chance to win with it.

    Moves that are mixed are worth alike. A move that loses the match at once is left out where
    another one may win it.
    """
    game, seat, options = view.game, view.seat, list(view.options or ())
    assert isinstance(game, Truco)
    assert seat is not None
    side, target = game.side(seat), game.options["target"]

    def worth(mine: int, theirs: int) -> float:
        return standing(target - game.score[side] - mine, target - game.score[1 - side] - theirs)

    faces = {**game.faces, **view.faces}
    own = [faces[slot] for slot, holder in game.holder.items() if holder == seat and slot in faces]
    here = Here.of(game, seat, own, worth)
    said = here.words() if game.betting or Call(ENVIDO[0]) in options else {}
    often = _without_losing(said)
    found: dict[Move, Word] = {
        Call(word): Word(often[word], one.worth) for word, one in said.items() if word
    }
    if not game.betting:
        words = [word for word in heard(game, view.past) if word.deal == game.round]
        path = [word.answer for word in words if word.question in {"open", "envido"}]
        two = Two(view, worth, here.told(path))
        quiet = said[""].worth if said else worth(0, 0)
        rest = _planned(
            two,
            [move for move in options if move not in found],
            max(0.0, quiet - worth(0, 0)),
            SILLY * (worth(1, 0) - worth(0, 1)) / 2,
        )
        more = max(one.worth for one in rest.values()) - quiet
        found = {move: Word(one.often, one.worth + more) for move, one in found.items()}
        found |= {move: Word(often[""] * one.often, one.worth) for move, one in rest.items()}
    top = min(1.0, max(one.worth for one in found.values()))
    kept = {move: one.often if one.often >= RARE else 0.0 for move, one in found.items()}
    kinds = _kinds(kept)
    return {
        move: Word(kept[move], top) if kept[move] else Word(0.0, min(1.0, max(0.0, worth)))
        for move, worth in sorted(
            [(move, one.worth) for move, one in found.items()],
            key=lambda item: (-kinds[_kind(item[0])], -kept[item[0]], repr(item[0])),
        )
    }


def drawn(planned: Mapping[Move, Word], choose: Choose) -> Move:
    """Return a move by lot: first a word or silence, then the card.

    In this order, hints name a word only if it is likelier than all cards together.
    """
    often = {move: word.often for move, word in planned.items()}
    kind = by_lot(_kinds(often), choose)
    return by_lot({move: part for move, part in often.items() if _kind(move) == kind}, choose)


def _kind(move: Move) -> str:
    """Return the word of a call, and nothing for a card."""
    return move.word if isinstance(move, Call) else ""


def _kinds(often: Mapping[Move, float]) -> dict[str, float]:
    """Return how often a move is of each kind."""
    found: dict[str, float] = {}
    for move, part in often.items():
        found[_kind(move)] = found.get(_kind(move), 0.0) + part
    return found


def _without_losing(said: Mapping[str, Word]) -> dict[str, float]:
    """Return how often to say each word of the envido; "" is to open nothing."""
    if not said:
        return {"": 1.0}
    best = max(said, key=lambda word: said[word].worth)
    often = {
        word: 0.0 if one.worth <= NOTHING < said[best].worth else one.often
        for word, one in said.items()
    }
    often[best] += NOTHING
    whole = sum(often.values())
    return {word: part / whole for word, part in often.items()}


def _planned(two: Two, options: Sequence[Move], awaited: float, silly: float) -> dict[Move, Word]:
    """Return what `plan` does for these moves of the tricks and the truco alone.

    A truco costs what is `awaited` of an envido that the other may open.
    """
    worths = two.worths(options)
    for move in options:
        if isinstance(move, Call) and move.word in TRUCO:
            worths[move] -= awaited
    best = max(worths.values())
    table, shares = two.often(), dict.fromkeys(options, 0.0)
    for act, move in {two.act(move): move for move in sorted(options, key=repr)}.items():
        if worths[move] >= best - silly and not worths[move] <= NOTHING < best:
            shares[move] = table.get(act, 0.0) + (worths[move] == best) * NOTHING
    whole = sum(shares.values())
    return {move: Word(shares[move] / whole, worths[move]) for move in options}
