"""One step of a match as a picture of its own."""

from __future__ import annotations

from dataclasses import replace

from client.ui.pictures.draw import table_alone
from client.ui.pictures.svg import as_svg
from client.ui.replay_page.data import states_of
from client.ui.replay_page.match import Match
from client.ui.replay_page.words import title

WIDTH, HEIGHT = 1280, 720


def step_as_svg(match: Match, step: int) -> str:
    """Return a step, counted from 1, as SVG in the reader's language."""
    drawn = table_alone(states_of(match)[step - 1], WIDTH, HEIGHT)
    return as_svg(replace(drawn, title=title(match)))
