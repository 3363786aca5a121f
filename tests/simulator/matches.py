"""The matches that are simulated: one deal each, as far as the rules know any so short, of every
game and most of its options."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from engine.core.cards import JOKER
from engine.core.game import Game
from engine.games.kinaskak.melds import PACK, RUN
from engine.games.kinaskak.rules import Kinaskak
from tests.properties.matches import MATCHES

Kind: TypeAlias = "tuple[str, int, dict[str, Any]]"

ONE_DEAL: list[Kind] = [
    ("escoba", 2, {"target": 1}),
    ("escoba", 3, {"target": 1, "capture": "card", "all_replaces": True}),
    ("escoba", 4, {"target": 1}),
    ("escoba", 4, {"target": 1, "teams": True, "first_table": "first"}),
    ("escoba", 4, {"target": 1, "leaving": "end"}),
    ("escoba", 2, {"target": 1, "capture": "free", "leftovers": "sweep"}),
    ("domino", 2, {"target": 1, "capicua": "on"}),
    ("domino", 3, {"target": 1, "draw": False, "passes": "first", "capicua": "strict"}),
    ("domino", 3, {"target": 1}),
    ("domino", 4, {"target": 1}),
    ("domino", 4, {"target": 1, "partners": True, "passes": "none"}),
    ("domino", 2, {"target": 1, "set": "double-nine"}),
    ("truco", 2, {"target": 5}),
    ("truco", 2, {"target": 5, "third_tie": "first", "envido_first": False, "early_mazo": 1}),
    ("truco", 4, {"target": 5, "falta": "malas", "envido_callers": "any"}),
    ("truco", 6, {"target": 5, "envido_callers": "pies"}),
    ("truco", 2, {"target": 5, "flor": True}),
    ("truco", 4, {"target": 5, "flor": True, "envido_callers": "any"}),
    ("kinaskak", 3, {"last_contract": 1}),
    (
        "kinaskak",
        3,
        {"first_contract": 2, "last_contract": 2, "lay_off": "next-turn", "max_jokers": 2},
    ),
    ("kinaskak", 3, {"last_contract": 1, "overbuy": "forbidden", "dispute": "seat", "buys": 1}),
    ("kinaskak", 4, {"last_contract": 1}),
    ("siete-y-media", 2, {"deals": 1}),
    ("siete-y-media", 3, {"deals": 1, "chips": 10, "max_bet": 8}),
    ("siete-y-media", 4, {"deals": 1, "bank": "turn", "raises": False}),
    ("siete-y-media", 5, {"deals": 1, "bank": "fixed", "min_bet": 3, "max_bet": 9, "chips": 15}),
    ("tiny", 2, {"deals": 1}),
    ("tiny", 3, {"deals": 1}),
    ("tiny", 4, {"deals": 1}),
]


GOING_ON: list[Kind] = [
    ("escoba", 3, {"target": 5, "leaving": "go-on"}),
    ("escoba", 4, {"target": 5, "leaving": "go-on"}),
    ("domino", 3, {"target": 8, "leaving": "go-on"}),
    ("domino", 4, {"target": 8, "leaving": "go-on", "set": "double-nine"}),
    ("domino", 3, {"target": 8, "leaving": "go-on", "draw": False}),
    ("domino", 4, {"target": 8, "leaving": "go-on"}),
    ("kinaskak", 4, {"last_contract": 1, "leaving": "go-on"}),
    ("kinaskak", 5, {"last_contract": 1, "leaving": "go-on"}),
    ("kinaskak", 6, {"last_contract": 1, "leaving": "go-on"}),
]
"""Matches that the others play on when a seat leaves: of several deals, or of a round that is dealt
anew."""

SHORT = {"kinaskak": 9}
"""Seeds with which a game's smallest match is short, where it makes a difference."""


def kind_of(game: str, seed: int, *, longer: bool = False, going_on: bool = False) -> Kind:
    """Return the match that this seed plays: they take turns.

    `longer`: those of several deals; `going_on`: those that go on when somebody leaves.
    """
    of_all = GOING_ON if going_on else MATCHES if longer else ONE_DEAL
    kinds = [kind for kind in of_all if kind[0] == game]
    return kinds[seed % len(kinds)]


def smallest(game: str) -> Kind:
    """Return the first, the smallest, of a game's matches."""
    return kind_of(game, 0)


def smallest_of_three(game: str) -> Kind:
    """Return the first of a game's matches in which two remain when one leaves."""
    return next(kind for kind in ONE_DEAL if kind[0] == game and kind[1] > 2)


def never_ends(game: Game) -> bool:
    """Return whether a round can go on for ever: at Kínaskák when all are down and no card outside
    the melds fits one. The rules end no such round, so somebody has to leave."""
    if not isinstance(game, Kinaskak) or not all(game.down[seat] for seat in game.seats):
        return False
    laid = [game.faces[slot] for meld in game.melds for slot, _ in meld.cards]
    free = (Counter(PACK) - Counter(laid)).keys()
    stood_for = {stands for meld in game.melds if meld.kind == RUN for _, stands in meld.cards}
    return not (
        JOKER in free
        or free & stood_for
        or any(meld.takes(card) for meld in game.melds for card in free)
    )
