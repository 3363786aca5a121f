"""The computer players of Escoba. The strong one searches the last hand of two to its end.

Every card that was ever shown is known to a player that remembers, and so is what a lay has denied.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from engine.bots.escoba_ahead import tried_out
from engine.bots.escoba_end import searched
from engine.bots.escoba_mind import CARD, OFTEN_ENOUGH, Mind
from engine.bots.player import Character, Rated, Ratings, Strength, usual
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games.escoba.rules import Play

CLOSE = 1e-9
BY_EYE = 0.5
"""The share of the estimate by eye in that of a play."""
GLANCE = 1e-6
"""The share of the estimate by eye where the end is known: of plays that come to the same, the one
that looks best is made."""
TRIED = 40
"""Plays that are tried out; only a long table of low cards allows more."""


def play(view: View, choose: Choose) -> Move:
    """Return the best play as `rate` sees it; of equal ones any."""
    options = _options(view)
    return (
        options[0]
        if len(options) == 1
        else _any_best(options, _values(Mind(view), options, choose), choose)
    )


def rate(view: View, choose: Choose) -> Ratings:
    """Return the points that each play is worth in this deal, compared with the others' points.

    The estimate is that of a hint with any numbers, so that both say the same.
    """
    del choose
    options = _options(view)
    rated = [
        Rated(option, value)
        for option, value in zip(options, _values(Mind(view), options, usual), strict=True)
    ]
    return Ratings("points", tuple(sorted(rated, key=lambda one: -one.value)))


def _values(mind: Mind, options: Sequence[Play], choose: Choose) -> Sequence[float]:
    """Value the options by two estimates, by eye and by trying out.

    By eye, hidden cards are ignored; trying out samples them. Of very many options only those that
    look best are tried; the others rank behind these.
    """
    by_eye = [mind.gain(option) - mind.danger(option) for option in options]
    if exact := searched(mind, options):
        return [value + GLANCE * seen for value, seen in zip(exact, by_eye, strict=True)]
    likely = sorted(range(len(options)), key=lambda place: -by_eye[place])[:TRIED]
    tried = dict(
        zip(likely, tried_out(mind, [options[place] for place in likely], choose), strict=True)
    )
    least = min(tried.values())
    return [
        (1 - BY_EYE) * tried.get(place, least) + BY_EYE * value
        for place, value in enumerate(by_eye)
    ]


def _forgetfully(view: View, choose: Choose) -> Move:
    """Weigh gain and danger, but forget every card that is neither in the hand nor on the table."""
    options = _options(view)
    mind = Mind(view, forgetful=True)
    return _any_best(
        options, [mind.gain(option) - mind.danger(option) for option in options], choose
    )


def _greedily(view: View, choose: Choose) -> Move:
    """Sweep, or take the seven of golds, or else as many cards as possible.

    If nothing can be taken, lay a card that counts for little.
    """
    options = _options(view)
    mind = Mind(view, forgetful=True)
    values = []
    for option in options:
        cards = (*mind.taken(option), mind.faces[option.card]) if option.takes else ()
        values.append(mind.sweeps(option) + ("7o" in cards) + CARD * len(cards) - mind.loss(option))
    return _any_best(options, values, choose)


def _options(view: View) -> list[Play]:
    assert view.options is not None, "only a seat that is asked plays"
    return [move for move in islice(view.options, 10 * OFTEN_ENOUGH) if isinstance(move, Play)]


def _any_best(options: Sequence[Play], values: Sequence[float], choose: Choose) -> Play:
    best = [
        option for option, value in zip(options, values, strict=True) if value > max(values) - CLOSE
    ]
    return best[choose(len(best))]


CHARACTERS = (
    # "Remembers every card and thinks ahead to the end of the hand."
    Character("Carmen", Strength.STRONG, play),
    # "Plays with care but forgets the cards that have gone."
    Character("Joseba", Strength.MIDDLE, _forgetfully),
    # "Takes as many cards as it can and never asks what comes next."
    Character("Begoña", Strength.WEAK, _greedily),
)
"""The characters of the game, the strongest first; above each one its play in a sentence."""
