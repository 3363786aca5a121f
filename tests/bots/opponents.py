"""Opponents that exploit a weakness: each plays like another player but for one habit. Nothing here is shipped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from engine.bots import Bot, chance
from engine.bots import truco as truco_now
from engine.core.cards import pips
from engine.core.moves import Move
from engine.core.view import View
from engine.games.domino.moves import Place as Lay
from engine.games.siete_y_media.rules import WORTH, Bet, HitUp, SieteYMedia, Stand
from engine.games.truco.moves import TRUCO, Call
from engine.games.truco.rules import Truco
from tests.bots import card_opponents
from tests.bots.siete_y_media_knows import knows
from tests.bots.today import domino, siete_y_media, truco

Choose = Callable[[int], int]


def _first(options: Collection[Move], *words: str) -> Move | None:
    return next((Call(word) for word in words if Call(word) in options), None)


def _seen(view: View) -> list[Move]:
    assert view.options is not None
    return list(view.options)


# Truco.


def opens_blindly(word: str, base: Bot) -> Bot:
    """Sing this word of the envido at the first chance, whatever the hand."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        assert isinstance(view.game, Truco)
        opening = not view.game.bets and _first(_seen(view), word)
        return opening or base(view, choose)

    return play


def always(words: Sequence[str], base: Bot) -> Bot:
    """Say the first of these words that is allowed."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        return _first(_seen(view), *words) or base(view, choose)

    return play


def never_folds(base: Bot) -> Bot:
    """Accept instead of refusing or folding."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        move = base(view, choose)
        if move == Call("no-quiero"):
            return Call("quiero")
        if move == Call("mazo"):
            return next(option for option in _seen(view) if not isinstance(option, Call))
        return move

    return play


def bluffs_late(base: Bot) -> Bot:
    """Sing truco or its raise in the second and third trick, whatever the hand."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        assert isinstance(view.game, Truco)
        return (view.game.results and _first(_seen(view), *TRUCO)) or base(view, choose)

    return play


def in_second_half(late: Bot, base: Bot) -> Bot:
    """Play like another once a side has half of the points."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        half = 2 * max(view.game.score) >= view.game.options["target"]
        return (late if half else base)(view, choose)

    return play


def by_deals(one: Bot, other: Bot) -> Bot:
    """Play like one in every other deal, and like the other between."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        return (one if view.game.round % 2 else other)(view, choose)

    return play


# Siete y media.


def stakes(amount: Callable[[int, int], int], base: Bot) -> Bot:
    """Bet so much of the least and the most."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        options = view.options
        assert options is not None
        first = next(iter(options))
        if isinstance(first, Bet):
            bets = [move.chips for move in options if isinstance(move, Bet)]
            return Bet(amount(bets[0], bets[-1]))
        return base(view, choose)

    return play


def stands_at(total: int, base: Bot) -> Bot:
    """Stand at so many half points, as a punto and as the bank; as the bank it looks at nothing else."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        game, seat = view.game, view.seat
        assert isinstance(game, SieteYMedia)
        assert seat is not None
        if seat != game.bank and seat not in game.stakes:
            return base(view, choose)
        mine = sum(WORTH[face] for slot in game.hands[seat] if (face := view.face(slot)))
        return Stand() if mine >= total else HitUp()

    return play


def reads_stakes(base: Bot) -> Bot:
    """As the bank, take a stake of the half or more for six and a half or seven, and draw until that is beaten."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
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

    def play(view: View, choose: Callable[[int], int]) -> Move:
        laying = [move for move in _seen(view) if isinstance(move, Lay)]
        return max(laying, key=lambda move: key(view, move)) if laying else base(view, choose)

    return play


def _weight(view: View, move: Lay) -> int:
    return sum(pips(view.faces[move.shows[0]]))


LEAGUE: dict[str, dict[str, Bot]] = {
    "truco": {
        "today": truco.play,
        "envido": opens_blindly("envido", truco.play),
        "real-envido": opens_blindly("real-envido", truco.play),
        "falta-envido": opens_blindly("falta-envido", truco.play),
        "always-truco": always(TRUCO, truco.play),
        "always-raise": always(("vale4", "retruco", "truco", "envido", "real-envido", "falta-envido"), never_folds(truco.play)),
        "raises-envido": always(("real-envido", "falta-envido", "quiero"), truco.play),
        "never-folds": never_folds(truco.play),
        "late-bluffs": bluffs_late(truco.play),
        "late-envido": in_second_half(opens_blindly("envido", truco.play), truco.play),
        "late-real": in_second_half(opens_blindly("real-envido", truco.play), truco.play),
        "accepts-all": always(("quiero",), truco.play),
        "folds-all": always(("no-quiero",), truco.play),
        "real-and-truco": opens_blindly("real-envido", always(TRUCO, truco.play)),
        "half-blind": by_deals(opens_blindly("envido", truco.play), truco.play),
        "real-or-truco": by_deals(opens_blindly("real-envido", truco.play), always(TRUCO, truco.play)),
        "envido-now": opens_blindly("envido", truco_now.play),
        "real-envido-now": opens_blindly("real-envido", truco_now.play),
        "falta-envido-now": opens_blindly("falta-envido", truco_now.play),
        "always-truco-now": always(TRUCO, truco_now.play),
        "never-folds-now": never_folds(truco_now.play),
        "late-bluffs-now": bluffs_late(truco_now.play),
    },
    "siete-y-media": {
        "today": siete_y_media.play,
        "always-max": stakes(lambda least, most: most, siete_y_media.play),
        "always-min": stakes(lambda least, most: least, siete_y_media.play),
        "stand-at-five": stands_at(10, siete_y_media.play),
        "reads-stakes": reads_stakes(siete_y_media.play),
        "max-and-five": stakes(lambda least, most: most, stands_at(10, siete_y_media.play)),
        "knows": knows,
    },
    "domino": {
        "today": domino.play,
        "heavy-first": lays(_weight, chance.play),
    },
    "escoba": card_opponents.ESCOBA,
    "kinaskak": card_opponents.KINASKAK,
}
"""By game and name."""
