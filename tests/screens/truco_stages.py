"""Matches of Truco on a stage, with the cards of one deal, for tests."""

from __future__ import annotations

from client.session.messages import Act
from tests.screens.stage import Stage

TWO = ["1e", "1b", "3o", "2o", "4c", "5c"]  # p1: 1e 3o 4c = 4     p2: 1b 2o 5c = 5
# p1: 4o 5o 1e = 29   p2: 7c 4c 3b = 31   p3: 6e 5e 2b = 31   p4: 7b 6b 10o = 33
FOUR = ["4o", "7c", "6e", "7b", "5o", "4c", "5e", "6b", "1e", "3b", "2b", "10o"]


def two(*actions, seat=0, **options):
    return Stage("truco", 2, seat, decks=[TWO], **options).do(*actions).tick(20)


def four(*actions, seat=0, **options):
    return Stage("truco", 4, seat, decks=[FOUR], **options).do(*actions).tick(20)


def done(stage):
    """Return the moves that came of the pressed keys."""
    return [command.move for command in stage.commands if isinstance(command, Act)]
