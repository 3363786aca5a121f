"""Opponents that exploit a weakness: each plays like another player but for one habit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from engine.bots import Bot
from engine.core.cards import pips
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games.domino.moves import ENDS
from engine.games.domino.moves import Place as Lay
from engine.games.domino.rules import Domino
from engine.games.siete_y_media.moves import Bet, HitUp, Stand
from engine.games.siete_y_media.rules import WORTH, SieteYMedia
from engine.games.truco.moves import TRUCO, Call
from engine.games.truco.rules import Truco

Habit = Callable[[Bot], Bot]
"""It makes of a player one with the habit."""


def _first(options: Collection[Move], *words: str) -> Move | None:
    return next((Call(word) for word in words if Call(word) in options), None)


def _seen(view: View) -> list[Move]:
    assert view.options is not None
    return list(view.options)


# Truco.

RAISES = ("vale4", "retruco", "truco", "envido", "real-envido", "falta-envido")
"""Every raise, the greatest of the truco first."""


def opens_blindly(word: str, base: Bot) -> Bot:
    """Sing this word of the envido at the first chance, with any hand."""

    def play(view: View, choose: Choose) -> Move:
        assert isinstance(view.game, Truco)
        opening = not view.game.bets and _first(_seen(view), word)
        return opening or base(view, choose)

    return play


def always(words: Sequence[str], base: Bot) -> Bot:
    """Say the first of these words that is allowed."""

    def play(view: View, choose: Choose) -> Move:
        return _first(_seen(view), *words) or base(view, choose)

    return play


def never_folds(base: Bot) -> Bot:
    """Accept instead of refusing or folding."""

    def play(view: View, choose: Choose) -> Move:
        move = base(view, choose)
        if move == Call("no-quiero"):
            return Call("quiero")
        if move == Call("mazo"):
            return next(option for option in _seen(view) if not isinstance(option, Call))
        return move

    return play


def bluffs_late(base: Bot) -> Bot:
    """Sing truco or its raise in the second and third trick, with any hand."""

    def play(view: View, choose: Choose) -> Move:
        assert isinstance(view.game, Truco)
        return (view.game.results and _first(_seen(view), *TRUCO)) or base(view, choose)

    return play


# Siete y media.


def stakes(amount: Callable[[int, int], int], base: Bot) -> Bot:
    """Bet the amount that `amount` makes of the least and the most."""

    def play(view: View, choose: Choose) -> Move:
        options = view.options
        assert options is not None
        first = next(iter(options))
        if isinstance(first, Bet):
            bets = [move.chips for move in options if isinstance(move, Bet)]
            return Bet(amount(bets[0], bets[-1]))
        return base(view, choose)

    return play


def stands_at(total: int, base: Bot) -> Bot:
    """Stand at `total` half points, as a punto and as the bank.

    As the bank it looks at nothing else.
    """

    def play(view: View, choose: Choose) -> Move:
        game, seat = view.game, view.seat
        assert isinstance(game, SieteYMedia)
        assert seat is not None
        if seat != game.bank and seat not in game.stakes:
            return base(view, choose)
        mine = sum(WORTH[face] for slot in game.hands[seat] if (face := view.face(slot)))
        return Stand() if mine >= total else HitUp()

    return play


def reads_stakes(base: Bot) -> Bot:
    """As the bank, infer a hand from a large stake, and draw until that hand is beaten.

    A stake of the half or more is taken for six and a half or seven.
    """

    def play(view: View, choose: Choose) -> Move:
        game, seat = view.game, view.seat
        assert isinstance(game, SieteYMedia)
        assert seat is not None
        if seat == game.bank and len(game.stood) == 1:
            other = game.stood[0]
            mine = sum(WORTH[face] for slot in game.hands[seat] if (face := view.face(slot)))
            if game.stakes[other] >= game.options["max_bet"] and other not in game.sevens:
                return Stand() if mine >= 13 else HitUp()
            if game.stakes[other] == 1 and not game.shown(other):
                return Stand() if mine >= 9 else HitUp()
        return base(view, choose)

    return play


# Dominoes.


def lays(key: Callable[[View, Lay], int], base: Bot) -> Bot:
    """Lay the tile of the greatest key."""

    def play(view: View, choose: Choose) -> Move:
        laying = [move for move in _seen(view) if isinstance(move, Lay)]
        return max(laying, key=lambda move: key(view, move)) if laying else base(view, choose)

    return play


def weight(view: View, move: Lay) -> int:
    """Return the pips of the tile that a move lays."""
    return sum(pips(view.faces[move.shows[0]]))


def blocks(view: View, move: Lay) -> int:
    """Return a score for how well a move blocks.

    The fewer tiles of others fit after the move, the higher the score. Among equal moves, the more
    of our tiles fit, the higher the score.
    """
    game = view.game
    assert isinstance(game, Domino)
    assert view.seat is not None
    high, low = pips(view.faces[move.tile])
    left, right = game.ends or (high, low)
    if game.ends is not None and move.end == ENDS[0]:
        left = high + low - left
    elif game.ends is not None:
        right = high + low - right
    fitting = set(game.tile_set.with_any((left, right)))
    ours = {view.faces[slot] for slot in game.hands[view.seat] if slot != move.tile}
    others = fitting - set(view.faces.values())
    return len(fitting & ours) - len(game.tile_set.tiles) * len(others)


HABITS: Mapping[str, Mapping[str, Habit]] = {
    "truco": {
        "calls-envido": partial(opens_blindly, "envido"),
        "calls-real-envido": partial(opens_blindly, "real-envido"),
        "calls-falta-envido": partial(opens_blindly, "falta-envido"),
        "always-truco": partial(always, TRUCO),
        "always-raise": lambda base: always(RAISES, never_folds(base)),
        "never-folds": never_folds,
        "bluffs-late": bluffs_late,
    },
    "siete-y-media": {
        "always-max": partial(stakes, lambda _least, most: most),
        "always-min": partial(stakes, lambda least, _most: least),
        "stands-at-five": partial(stands_at, 10),
        "reads-stakes": reads_stakes,
    },
    "domino": {"heavy-first": partial(lays, weight), "blocks": partial(lays, blocks)},
}
"""By game and name."""
