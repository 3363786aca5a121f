"""The bar below a match that is over: the step that is shown, deals, and costly choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from client.i18n.translation import _
from client.ui.model import Model
from client.ui.screen import analysis
from client.ui.screen.state import ScreenState


@dataclass(frozen=True)
class Deal:
    """A deal, and the step after which its first choice is made: the cards are dealt by then."""

    name: str
    step: int


@dataclass(frozen=True)
class Playback:
    """The step that is shown, and the last one, both from 0; and the deals."""

    step: int
    last: int
    deals: tuple[Deal, ...] = ()
    marks: tuple[int, ...] = ()
    """The steps of costly choices, once the match is analysed."""


def player_of(state: ScreenState) -> Playback | None:
    """Return the bar of the match that is stepped through; none while something is computed."""
    if state.busy or not state.replay.steps:
        return None
    deals = tuple(deals_of(model for model, _told in state.replay.steps))
    marks = tuple(int(item.id) for item in analysis.items(state))
    return Playback(state.replay.step, len(state.replay.steps) - 1, deals, marks)


def deals_of(models: Iterable[Model]) -> Iterator[Deal]:
    """Give the deals of a match, of which these are the steps."""
    last = 0
    for step, model in enumerate(models):
        number = model.view.game.round if model.view is not None and model.view.turn else 0
        if number > last:
            yield Deal(_("Deal {number}").format(number=number), step)
            last = number
