"""The ways to a state: messages, keys, clicks; and the sheets above a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from client.i18n.translation import language, letter
from client.session.messages import (
    Command,
    Lobby,
    LobbySeat,
    Message,
    News,
    Notice,
    Tables,
    Words,
)
from client.storage.settings import Settings
from client.ui.screen.kept import KeptState
from client.ui.screen.menu import MuteSheet
from client.ui.screen.messages import Key, MatchHistory
from client.ui.screen.react import react
from client.ui.screen.settings import SettingsSheet
from client.ui.screen.state import DealCount, Overlay, ScreenState, TypedLine
from client.ui.screen.table_words import VOTE
from engine.core.run import ProvenLie
from p2p.table.events import Accused, Differs, Event
from p2p.table.faults import BadProof, IllegalPlay
from tests.client.ui.screen.boxes import FINGERPRINT, HISTORY, TABLES
from tests.screens.stage import Stage

INVITE = "SBM1-" + "-".join(["7K3M"] * 12)
ANE, JON, BOT = (
    LobbySeat("Ane", FINGERPRINT),
    LobbySeat("Jon", "JJJJ"),
    LobbySeat("Computer 1", "CCCC", bot=True),
)
BLIND = Notice("no-discovery", {"error": "this machine is on no network", "reason": "no network"})

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


def bare() -> ScreenState:
    """Return the lobby of somebody who has just come."""
    return ScreenState(kept=KeptState(settings=Settings(nick="Ane"), fingerprint=FINGERPRINT))


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
    usual = {"game": "escoba", "options": {"target": 21}, "limit": 120}
    lobby = Lobby(seats=seats, **{**usual, **about})
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


def above(sheet: Overlay) -> State:
    """Return the table with a sheet above it."""
    return lambda: replace(stage(), overlay=sheet)


def met() -> ScreenState:
    """Return the words to compare with two people, one of them trusted."""
    seats = (
        ANE,
        replace(JON, trust="known"),
        replace(JON, nick="Miren", fingerprint="MMMM", trust="trusted"),
    )
    words = Words({"JJJJ": "walnut trumpet elephant", "MMMM": "lemon apple violin"})
    return told(setup(*seats)(), words)


def alarmed(event: Event) -> State:
    """Return the table at which an event rings an alarm."""

    def make() -> ScreenState:
        state, view = stage(), stage().match.view
        assert view is not None
        return told(state, News(event, view, ()))

    return make


@once_a_language
def voting() -> ScreenState:
    """Return a table of three that waits, at which we are asked whether to go on without one."""
    away = Stage("escoba", 3).until(lambda stage: stage.state.match.turn not in ((), (0,))).tick(30)
    state = replace(away.state, count=DealCount(), held=(), moment=None)
    late = frozenset(state.match.turn)
    match = replace(state.match, late=late, waiting=state.match.turn)
    return pressed(replace(state, match=match), [letter(VOTE)])[0]


SHEETS: Mapping[str, State] = {
    "settings-at-table": above(SettingsSheet()),
    "phrases": lambda: pressed(stage(), ["f2"])[0],
    "talk": lambda: pressed(stage(), ["f2", "H"])[0],
    "move": lambda: pressed(stage(), [":", *"play 7"])[0],
    "people": above(MuteSheet("Mute players")),
    "help": lambda: pressed(stage(), [":", *"help", "enter"])[0],
    "log": lambda: pressed(stage(), ["escape", "5"])[0],
    "alarm": alarmed(Accused(BadProof(1, "a shuffle that is none", (b"evidence",)))),
    "alarm-rule": alarmed(
        Accused(IllegalPlay(1, ProvenLie(1, None, ("must-take", "7o", "5c")), (b"evidence",)))
    ),
    "alarm-differs": alarmed(Differs(1, 4, b"theirs", b"ours")),
    "alarm-no-card": alarmed(Differs(None, 4, b"", b"")),
    "quit": lambda: pressed(stage(), ["c-c"])[0],
    "leave": lambda: pressed(stage(), [":", *"leave", "enter"])[0],
    "rise": lambda: pressed(stage(), ["escape", "up", "up", "enter"])[0],
    "without": voting,
    "alarm-over-move": lambda: replace(
        alarmed(Differs(None, 4, b"", b""))(), typed=TypedLine("move", "pla", 1)
    ),
}
"""Every sheet, and every line that is typed."""
