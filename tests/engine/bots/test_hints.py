"""Hint and analysis never contradict each other, in any game at any number of seats."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import RATERS, bot_for, domino, usual
from engine.bots.player import offering
from engine.games import GAMES
from tests.engine.bots.test_players import positions
from tests.sample import sample


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the player of dominoes play few deals out, so that its estimates differ more."""
    monkeypatch.setattr(domino, "PLAYED_OUT", 100)
    monkeypatch.setattr(domino, "LAYINGS", 50)


@pytest.mark.parametrize("count", sample([25, 300], 1))
@pytest.mark.parametrize("game", GAMES)
def test_hint_and_analysis_never_contradict_each_other(game: str, count: int) -> None:
    """After any move, and with any draws of the analysis: no move is worth more than the hinted
    one, so it costs nothing to have followed the hint."""
    random = Random(6)
    for play in positions(game, count):
        view = play.view(play.turn[0])
        hint = bot_for(game)(view, usual)
        for made in (hint, random.choice(list(view.options or ()))):
            ratings = RATERS[game](offering(view, made), random.randrange)
            value = {one.move: one.value for one in ratings.moves}
            assert value[hint] == max(value.values())
