"""The situations and events that lessons promise."""

from __future__ import annotations

from collections.abc import Callable

from client.ui.model import Model
from engine.games.domino import events as domino
from engine.games.domino.moves import Draw, Place
from engine.games.escoba import events as escoba
from engine.games.escoba.rules import Play
from engine.games.kinaskak import events as kinaskak
from engine.games.kinaskak.moves import Discard, Lay, Meld, Say
from engine.games.siete_y_media import events as siete
from engine.games.siete_y_media.moves import Bet, HitUp, Stand
from engine.games.truco import events as truco
from engine.games.truco.moves import Call
from engine.games.truco.moves import Play as Card
from engine.games.truco.moves import Say as Number


def _ways(model: Model) -> int:
    """In how many ways the suggested card of Escoba takes."""
    assert isinstance(model.advice, Play)
    assert model.view is not None
    return sum(
        move.card == model.advice.card and bool(move.takes)
        for move in model.view.options or ()
        if isinstance(move, Play)
    )


def _word(word: str) -> Callable[[Model], bool]:
    return lambda model: isinstance(model.advice, Call | Say) and model.advice.word == word


def _game(model: Model):
    assert model.view is not None
    return model.view.game


BEFORE: dict[str, dict[str, Callable[[Model], bool]]] = {
    "escoba": {
        "one way to take": lambda model: bool(model.advice.takes) and _ways(model) == 1,
        "several ways": lambda model: bool(model.advice.takes) and _ways(model) > 1,
        "an escoba": lambda model: len(model.advice.takes) == len(_game(model).on_table) > 0,
        "laying a card": lambda model: not model.advice.takes,
    },
    "domino": {
        "both ends alike": lambda model: (
            isinstance(model.advice, Place) and len(set(_game(model).ends)) == 1
        ),
        "two ends": lambda model: (
            isinstance(model.advice, Place) and len(set(_game(model).ends)) == 2
        ),
        "drawing": lambda model: isinstance(model.advice, Draw),
    },
    "siete-y-media": {
        "a bet": lambda model: isinstance(model.advice, Bet),
        "a card": lambda model: isinstance(model.advice, HitUp) and _game(model).bank != model.seat,
        "standing": lambda model: (
            isinstance(model.advice, Stand) and _game(model).bank != model.seat
        ),
        "the bank hits": lambda model: (
            isinstance(model.advice, HitUp) and _game(model).bank == model.seat
        ),
        "the bank stands": lambda model: (
            isinstance(model.advice, Stand) and _game(model).bank == model.seat
        ),
    },
    "truco": {
        "leading": lambda model: isinstance(model.advice, Card) and not _game(model).played(),
        "following": lambda model: isinstance(model.advice, Card) and bool(_game(model).played()),
        "singing envido": _word("envido"),
        "saying the number": lambda model: isinstance(model.advice, Number),
        "answering a truco": _word("quiero"),
        "raising": _word("retruco"),
        "singing truco": _word("truco"),
        "singing real envido": _word("real-envido"),
        "answering a falta envido": lambda model: _word("quiero")(model) and _game(model).betting,
    },
    "truco:flor": {
        "singing a flor": lambda model: _word("flor")(model) and not _game(model).waiting,
        "a flor while a truco waits": (
            lambda model: _word("flor")(model) and _game(model).waiting is not None
        ),
        "an envido that a flor annuls": _word("envido"),
        "no flor": _word("no-tengo"),
        "giving in": _word("con-flor-me-achico"),
        "raising a flor": _word("contraflor-al-resto"),
        "stating its value": lambda model: isinstance(model.advice, Number),
        "the tricks": lambda model: isinstance(model.advice, Card),
    },
    "kinaskak": {
        "leaving the open card": _word("decline"),
        "buying": _word("buy"),
        "not buying": _word("no"),
        "laying down": lambda model: isinstance(model.advice, Meld),
        "laying off": lambda model: isinstance(model.advice, Lay),
        "throwing away": lambda model: isinstance(model.advice, Discard),
    },
}
"""The situations in which our player chooses."""
EVENTS = {
    "escoba": (escoba.Eskoba, escoba.LastHand, escoba.Count),
    "domino": (domino.Opens, domino.Drawn, domino.Closed, domino.Lowest, domino.Count),
    "siete-y-media": (siete.Over, siete.Seven, siete.BankOver, siete.BankMoves, siete.Settled),
    "truco": (truco.Trick, truco.EnvidoWon, truco.Stake, truco.DealWon, truco.Shown),
    "truco:flor": (truco.FlorWon, truco.EnvidoAnnulled, truco.FlorShown, truco.Said, truco.Stake),
    "kinaskak": (
        kinaskak.Bought,
        kinaskak.LaidDown,
        kinaskak.OneCard,
        kinaskak.Out,
        kinaskak.Count,
    ),
}
"""The events that happen on the way."""
