"""The states of which pictures are made: every page but the table, and every sheet; and clicks on
their controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from client.i18n.translation import language, letter
from client.session.messages import Command, Lobby, LobbySeat, Message, Notice, Tables, Words
from client.storage.settings import Settings
from client.ui.drawing.picture import Area, Picture
from client.ui.pictures.pages import PARTS, page_parts
from client.ui.pictures.parts import Parts, together
from client.ui.pictures.sheets import sheet_parts
from client.ui.screen import pages
from client.ui.screen.messages import Key, MatchHistory, Steps
from client.ui.screen.react import react
from client.ui.screen.sheets import rules_sheet
from client.ui.screen.state import Overlay, ScreenState
from tests.client.ui.screen.boxes import FINGERPRINT, HISTORY, TABLES
from tests.screens.learner import Learner
from tests.screens.stage import Stage

SIZES = ((360, 640), (1280, 800))
"""Pixels of the windows of which golden pictures are kept."""
INVITE = "SBM1-" + "-".join(["7K3M"] * 12)
ANE, JON, BOT = (
    LobbySeat("Ane", FINGERPRINT),
    LobbySeat("Jon", "JJJJ"),
    LobbySeat("Computer 1", "CCCC", bot=True),
)
BLIND = Notice("no-discovery", {"error": "this machine is on no network"})

MUTING = "mute"
"""The sheet on which one chooses whom to hear."""

State = Callable[[], ScreenState]


def told(state: ScreenState, *messages: Message) -> ScreenState:
    """Return the state after messages."""
    for message in messages:
        state = react(state, message)[0]
    return state


def pressed(state: ScreenState, keys: Sequence[str]) -> tuple[ScreenState, tuple[Command, ...]]:
    """Return the state after keys, as a click presses them, and the commands that follow. `s:
    settings` is the letter for it."""
    found: list[Command] = []
    for name in keys:
        key = letter(name) if ": " in name else name
        state, commands = react(state, Key(key, key if len(key) == 1 else ""))
        found += commands
    return state, tuple(found)


def picture(state: ScreenState, width: int, height: int) -> Picture:
    """Return the picture of a page with its sheet. The table of a match is left out: it has a test
    of its own."""
    window = Area(0, 0, width, height)
    below = page_parts(state, window) if state.page in PARTS else Parts()
    return together(state.page.value, pages.title(state), window, below, sheet_parts(state, window))


def bare() -> ScreenState:
    """Return the lobby of somebody who has just come."""
    return ScreenState(settings=Settings(nick="Ane"), fingerprint=FINGERPRINT)


def keyed(
    *keys: str, messages: Sequence[Message] = (MatchHistory(HISTORY[:2]), Tables(TABLES))
) -> State:
    """Return the state after these keys, in the lobby with tables."""
    return lambda: pressed(told(bare(), *messages), keys)[0]


def setup(
    *seats: LobbySeat | None, invite: str = "", keys: Sequence[str] = (), **facts: Any
) -> State:
    """Return a table that fills."""
    about: dict[str, Any] = {
        "hosting": True,
        "held": True,
        "mine": (0,),
        "table": "apple-12",
        **facts,
    }
    lobby = Lobby("escoba", {"target": 21}, seats, **{"limit": 120, **about})
    notice = [Notice("invite", {"invite": invite})] if invite else []
    return lambda: pressed(told(bare(), lobby, *notice), keys)[0]


def once_a_language(make: Callable[[], Any]) -> Callable[[], Any]:
    """Make something once for each language that is read in: a state keeps words."""
    found = cache(lambda _language: make())
    return lambda: found(language())


@once_a_language
def stage() -> ScreenState:
    """Return a match of Escoba in which we are asked."""
    found = Stage("escoba", 2, first=1).until(lambda stage: stage.state.match.asked).tick(30)
    return found.state


@once_a_language
def counted() -> ScreenState:
    """Return a match with a count to be read."""
    return Stage("escoba", 2).until(lambda stage: bool(stage.state.count)).state


@once_a_language
def steps() -> tuple:
    """Return a match that is stepped through."""
    found, models = Stage("escoba", 2), []
    for _step in range(25):
        found.step()
        models.append((found.state.match, ("a step",)))
    return tuple(models)


def sheet(kind: str, title: str = "", lines: tuple[str, ...] = (), scroll: int = 0) -> State:
    """Return the table with a sheet above it."""
    return lambda: replace(stage(), overlay=Overlay(kind, title, lines, scroll))


def met() -> ScreenState:
    """Return the words to compare with two people, one of them trusted."""
    seats = (
        ANE,
        replace(JON, trust="known"),
        replace(JON, nick="Miren", fingerprint="MMMM", trust="trusted"),
    )
    words = Words({"JJJJ": "walnut trumpet elephant", "MMMM": "lemon apple violin"})
    return told(setup(*seats)(), words)


PAGES: Mapping[str, State] = {
    "replay": lambda: replace(told(bare(), Steps(steps())), step=11),
    "replay-end": lambda: replace(told(bare(), Steps(steps())), step=24),
}
"""Every page but the table, by a name for its golden picture."""
SHEETS: Mapping[str, State] = {
    "rules": lambda: replace(stage(), overlay=rules_sheet("escoba")),
    "menu": lambda: pressed(stage(), ["escape"])[0],
    "settings-at-table": sheet("settings"),
    "phrases": lambda: pressed(stage(), ["f2"])[0],
    "talk": lambda: pressed(stage(), ["f2", "H"])[0],
    "move": lambda: pressed(stage(), [":", *"play 7"])[0],
    "people": sheet(MUTING, "Mute players"),
    "help": lambda: pressed(stage(), [":", *"help", "enter"])[0],
    "log": lambda: pressed(stage(), ["escape", "5"])[0],
    "count": counted,
    "lesson": lambda: Learner("escoba").state,
    "alarm": sheet(
        "alarm",
        "This does not verify",
        ("Jon has sent a proof that does not verify.", "The log keeps it."),
    ),
    "quit": lambda: pressed(stage(), ["c-c"])[0],
    "leave": lambda: pressed(stage(), [":", *"leave", "enter"])[0],
    "rise": lambda: pressed(stage(), ["escape", "up", "up", "enter"])[0],
    "without": sheet(
        "without", "Go on without?", ("1 of 2 votes.", "A vote cannot be taken back.")
    ),
    "alarm-over-move": lambda: replace(
        sheet("alarm", "The match cannot go on.", ("Two logs differ.",))(), typed="pla"
    ),
}
"""Every sheet, and every line that is typed."""
STATES: Mapping[str, State] = {**PAGES, **SHEETS}


def all_states() -> dict[str, ScreenState]:
    """Return all of them, in the language of now."""
    return {name: state() for name, state in STATES.items()}
