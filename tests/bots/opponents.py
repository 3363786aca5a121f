"""Opponents that exploit a weakness: the players as they are, but for a habit of
`benchmarks.habits`."""

from __future__ import annotations

from benchmarks.habits import (
    RAISES,
    always,
    blocks,
    bluffs_late,
    lays,
    never_folds,
    opens_blindly,
    reads_stakes,
    stakes,
    stands_at,
    weight,
)
from engine.bots import Bot, chance, siete_y_media, truco
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games.truco.moves import ENVIDO, TRUCO, Call
from engine.games.truco.rules import Truco
from engine.games.truco.worth import envido_points
from tests.bots import card_opponents
from tests.bots.exploit_siete_y_media import replies


def in_second_half(late: Bot, base: Bot) -> Bot:
    """Play like another once a side has half of the points."""

    def play(view: View, choose: Choose) -> Move:
        half = 2 * max(view.game.score) >= view.game.options["target"]
        return (late if half else base)(view, choose)

    return play


def by_deals(one: Bot, other: Bot) -> Bot:
    """Play like one in every other deal, and like the other between."""

    def play(view: View, choose: Choose) -> Move:
        return (one if view.game.round % 2 else other)(view, choose)

    return play


def honest_envido(base: Bot) -> Bot:
    """Open the envido with 24 or more and with no less, and answer its calls by the number alone: a
    bluff on nothing loses."""

    def silent(view: View, choose: Choose) -> Move:
        for _again in range(6):
            move = base(view, choose)
            if not isinstance(move, Call) or move.word not in ENVIDO:
                return move
        return next(
            move
            for move in view.options or ()
            if not isinstance(move, Call) or move.word not in ENVIDO
        )

    def play(view: View, choose: Choose) -> Move:
        game, faces = view.game, dict(view.faces)
        assert isinstance(game, Truco)
        options = list(view.options or ())
        hand = [
            faces[slot] for slot, seat in game.holder.items() if seat == view.seat and slot in faces
        ]
        number = envido_points(hand)
        at_least = number + (0.5 if view.seat == game.mano else 0.0)  # the mano wins a tie
        if not game.bets:
            if Call("envido") not in options or (game.waiting and number >= 24):
                return base(view, choose)
            return Call("envido") if number >= 24 else silent(view, choose)
        if not game.betting:
            return base(view, choose)
        call, raised = game.calls()[-1], len(game.bets) > 1
        if call == "envido" and not raised:
            if number < 29 and at_least < 22:
                return base(view, choose)
            return Call("envido" if number >= 29 else "quiero")
        if call == "real-envido" and number >= 31:
            return Call("falta-envido")
        least = {"real-envido": 25, "falta-envido": 24 if raised else 26}.get(call, 26)
        return Call("quiero" if at_least >= least else "no-quiero")

    return play


LEAGUE: dict[str, dict[str, Bot]] = {
    "truco": {
        "unsolved": truco.player(truco.CALM),
        "envido": opens_blindly("envido", truco.play),
        "real-envido": opens_blindly("real-envido", truco.play),
        "falta-envido": opens_blindly("falta-envido", truco.play),
        "always-truco": always(TRUCO, truco.play),
        "always-raise": always(RAISES, never_folds(truco.play)),
        "raises-envido": always(("real-envido", "falta-envido", "quiero"), truco.play),
        "never-folds": never_folds(truco.play),
        "late-bluffs": bluffs_late(truco.play),
        "late-envido": in_second_half(opens_blindly("envido", truco.play), truco.play),
        "late-real": in_second_half(opens_blindly("real-envido", truco.play), truco.play),
        "accepts-all": always(("quiero",), truco.play),
        "folds-all": always(("no-quiero",), truco.play),
        "real-and-truco": opens_blindly("real-envido", always(TRUCO, truco.play)),
        "half-blind": by_deals(opens_blindly("envido", truco.play), truco.play),
        "real-or-truco": by_deals(
            opens_blindly("real-envido", truco.play), always(TRUCO, truco.play)
        ),
        "honest-envido": honest_envido(truco.play),
    },
    "siete-y-media": {
        "always-max": stakes(lambda least, most: most, siete_y_media.play),
        "always-min": stakes(lambda least, most: least, siete_y_media.play),
        "stand-at-five": stands_at(10, siete_y_media.play),
        "reads-stakes": reads_stakes(siete_y_media.play),
        "max-and-five": stakes(lambda least, most: most, stands_at(10, siete_y_media.play)),
        "replies": replies,
    },
    "domino": {
        "heavy-first": lays(weight, chance.play),
        "blocks": lays(blocks, chance.play),
    },
    "escoba": card_opponents.ESCOBA,
    "kinaskak": card_opponents.KINASKAK,
}
"""By game and name."""
