"""The full screen: its start time, the time of a redraw, and its CPU use while nothing happens."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import median
from typing import Any

from benchmarks.settings import BenchSettings, Row, ms
from client.session.messages import News, Seated
from client.storage.settings import Settings as ScreenSettings
from client.ui.drawing.canvas import Canvas
from client.ui.screen import pages
from client.ui.screen.kept import KeptState
from client.ui.screen.react import react
from client.ui.screen.state import ScreenState
from client.ui.screen.terminal import Screen, application
from crypto.identity import Identity
from engine.bots import bot_for
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import GAMES, complete_options, new_game
from p2p.table.events import Asked
from p2p.table.terms import Participant, Terms

SIZES = ((80, 24), (120, 40))
MOVES = 12
"""The moves made before a table is drawn."""
START, REDRAW, IDLE = 500.0, 15.0, 2.0
"""The aims: milliseconds to the lobby, milliseconds for a redraw, per cent of a core."""
PAUSE_S = 4.0
"""Seconds for which a program runs before its idleness counts."""


class Picture:
    """A face that shows one state."""

    ascii = False
    colours, scheme = "always", "standard"

    def __init__(self, state: ScreenState) -> None:
        self._state = state

    def draw(self, columns: int, rows: int) -> Canvas:
        """Draw the state."""
        return pages.draw(self._state, columns, rows)

    def press(self, key: str, text: str) -> None:
        """Nobody presses keys here."""

    def attach(self, screen: Screen) -> None:
        """Nothing is asked of the screen."""

    def end(self, status: int) -> None:
        """No program runs here."""


def state_of(game: str) -> ScreenState:
    """Return the state of a seat in mid-match, on its turn; always the same one."""
    random = Random(7)  # noqa: S311 - a picture, no deck that anybody plays with
    seats = min(GAMES[game].allowed_players)
    options = complete_options(game, seats, {})
    places = tuple(
        Participant(
            Identity.from_seed(bytes([seat]) * 32).public,
            f"Computer {seat + 1}",
            bytes([seat]) * 16,
        )
        for seat in range(seats)
    )
    terms = Terms(game, GAMES[game].version, options, 60, False, places)  # noqa: FBT003 - as terms are written
    table = OpenDeck(new_game(game, seats, options), shuffled(random.randrange), 0)
    made = 0
    while made < MOVES or 0 not in table.turn:
        seat = table.turn[0]
        table.act(seat, bot_for(game)(table.view(seat), random.randrange))
        made += 1
    state, _commands = react(
        ScreenState(kept=KeptState(settings=ScreenSettings(nick="Ane"))),
        Seated(terms, 0, "00" * 32),
    )
    state, _commands = react(state, News(Asked(), table.view(0), table.turn, last=True))
    return state


def screens(settings: BenchSettings) -> dict[str, Any]:
    """Redraw every game's table in full, as the terminal would be sent it."""
    from prompt_toolkit.application import set_app  # noqa: PLC0415 - only here
    from prompt_toolkit.data_structures import Size  # noqa: PLC0415 - the same
    from prompt_toolkit.input import DummyInput  # noqa: PLC0415 - the same
    from prompt_toolkit.output.vt100 import Vt100_Output  # noqa: PLC0415 - the same

    found: dict[str, Any] = {}
    for game in GAMES:
        settings.say(game)
        state = state_of(game)
        for columns, rows in SIZES:
            output = Vt100_Output(io.StringIO(), partial(Size, rows, columns), enable_cpr=False)
            app = application(Picture(state), DummyInput(), output)
            took = []
            with set_app(app):
                for _again in range(settings.times(30)):
                    app.renderer.reset()
                    began = time.perf_counter()
                    app.renderer.render(app, app.layout)
                    took.append(1000 * (time.perf_counter() - began))
            found[f"{game} {columns}×{rows}"] = round(median(took), 2)
    return found


def screens_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Say each table's redraw."""
    for name, took in found.items():
        yield Row(name, ms(took), aim=ms(REDRAW), missed=took > REDRAW)


def window(settings: BenchSettings) -> dict[str, Any]:
    """Start the program on a terminal of its own, and leave it alone."""
    if sys.platform == "win32":
        return {}
    from benchmarks import window as measured  # noqa: PLC0415 - there is no such terminal on Windows

    settings.say("start")
    starts = [measured.start() for _again in range(settings.times(5))]
    found: dict[str, Any] = {"start_ms": round(median(starts), 1)}
    pause, seconds = (1.0, 1.0) if settings.quick else (PAUSE_S, 10.0)
    for name, words in (("lobby", ()), ("table", ("play", "escoba"))):
        settings.say(name)
        found[f"idle_{name}"] = round(
            100
            * max(0.0, measured.spent(pause + seconds, words) - measured.spent(pause, words))
            / seconds,
            2,
        )
    return found


def window_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Give the rows for the start of the lobby and for CPU use while waiting."""
    if not found:
        yield Row("the lobby is drawn", "not measured: this system has no pseudo-terminals")
        return
    yield Row(
        "the lobby is drawn",
        ms(found["start_ms"]),
        aim=ms(START),
        missed=found["start_ms"] > START,
    )
    for name, about in (
        ("lobby", "the lobby, waiting"),
        ("table", "a table, waiting for its player"),
    ):
        idle = found[f"idle_{name}"]
        yield Row(about, f"{idle:.2f} %", aim=f"{IDLE:.0f} %", missed=idle > IDLE)
