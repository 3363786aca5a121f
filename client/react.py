"""What a message does to the desk, and which commands follow from it: the full screen's `update`. Pure."""

from __future__ import annotations

from dataclasses import replace

from client.desk import LOG, Desk, Ended, Key, Moment, Overlay, Page, Picked, Ring, Rise, Speak, Tables, Tick
from client.games import words_of
from client.messages import Command, Lobby, Message, News, Notice, Quit, Refused, Seated, Typed
from client.model import Model, Phase
from client.plain import completions, lines
from client.screens import lobby, sheets
from client.screens.games import screen_of
from client.screens.games.base import Say
from client.screens.play import scene_of
from client.status import Status
from client.update import TYPED_LIMIT, update
from client.words import _
from p2p.table.events import Accused, Asked, Dealt, Moved, Told

Result = tuple[Desk, tuple[Command, ...]]
BANNER_TICKS = 14
"""How long a call stays, in ticks."""


def react(desk: Desk, message: Message) -> Result:
    """Return the desk after a message, and what is to be done."""
    match message:
        case Key(key, text):
            return _key(desk, key, text)
        case Tick():
            return _tick(desk), ()
        case Tables(tables):
            return replace(desk, tables=tables), ()
        case Ended(why):
            over = desk.page is Page.PLAY and desk.match.phase is Phase.OVER and not why
            return replace(desk, page=Page.PLAY if over else Page.LOBBY, notice=why, busy=""), ()
    return _hear(desk, message)


# What comes from the table.


def _hear(desk: Desk, message: Message) -> Result:
    before = desk.match
    match, commands = update(before, message)
    desk = replace(desk, match=match)
    past = isinstance(message, News) and message.past
    if not past:
        desk = replace(desk, log=(*desk.log, *_lines(before, message, match))[-LOG:])
    match message:
        case Lobby():
            return replace(desk, page=Page.GATHER, busy=""), commands
        case Seated():
            fresh = replace(desk, page=Page.PLAY, picked=Picked(), overlay=None, moment=None, count=(), remarks=(), notice="")
            return replace(fresh, busy="", log=()), commands
        case News(event) if not past:
            return _news(desk, before, event, commands)
        case Notice():
            return replace(desk, notice=desk.log[-1] if desk.log else ""), commands
        case Refused():
            return replace(desk, notice=desk.log[-1]), commands
    return desk, commands


def _lines(before: Model, message: Message, after: Model) -> list[str]:
    """Return what the plain face says; the question is not needed where the table is in sight."""
    if isinstance(message, News) and isinstance(message.event, (Asked, Dealt)):
        return []
    return lines(before, message, after)


def _news(desk: Desk, before: Model, event: object, commands: tuple[Command, ...]) -> Result:
    screen, scene = screen_of(desk.match.game), scene_of(desk)
    more: tuple[Command, ...] = ()
    if desk.match.asked and not before.asked:
        desk, more = replace(desk, picked=Picked()), _ring(desk)
    match event:
        case Moved():
            desk = replace(desk, counting=False, notice="")
        case Told(what, details):
            if what in screen.count:
                told = words_of(desk.match.game).told(desk.match.names, scene.view.game, what, details)
                desk = replace(desk, count=(*(desk.count if desk.counting else ()), *told), counting=True)
            if call := screen.moment(scene, what, details):
                desk, more = replace(desk, moment=Moment(call)), _ring(desk)
        case Accused():
            page = Overlay("alarm", _("This does not verify"), tuple(desk.log[-3:]))
            desk, more = replace(desk, overlay=page), _ring(desk)
    return desk, (*commands, *more)


def _ring(desk: Desk) -> tuple[Command, ...]:
    return (Ring(),) if desk.settings.sound and not desk.match.auto else ()


def _tick(desk: Desk) -> Desk:
    if desk.moment is None:
        return desk
    age = desk.moment.age + 1
    return replace(desk, moment=replace(desk.moment, age=age) if age < BANNER_TICKS else None)


# Keys.


def _key(desk: Desk, key: str, text: str) -> Result:
    desk = replace(desk, notice="")
    if key == "c-c":
        return _interrupt(desk)
    if desk.typed is not None:
        return _typing(desk, desk.typed, key, text)
    if desk.overlay is not None:
        return _on_sheet(desk, desk.overlay, key)
    if desk.count and key in ("enter", "escape", " "):
        return replace(desk, count=()), ()
    if desk.page is Page.PLAY:
        return _at_the_table(replace(desk, moment=None), key)
    if desk.page is Page.GATHER and key == "escape":
        return desk, (Rise(),)
    return (lobby.press(desk, key) if desk.page is Page.LOBBY else None) or (desk, ())


def _interrupt(desk: Desk) -> Result:
    """Ctrl-C: in a match it asks once, since others would wait."""
    if desk.page is Page.PLAY and desk.match.phase is Phase.PLAYING and not (desk.overlay and desk.overlay.kind == "quit"):
        lines = (
            _("The match is not over: it waits for you, and so do the others. `sobremesa resume` brings you back."),
            "",
            _("Enter: close all the same.   Esc: stay."),
        )
        return replace(desk, overlay=Overlay("quit", _("Close?"), lines), typed=None), ()
    return desk, (Quit(Status.INTERRUPTED),)


def _typing(desk: Desk, typed: str, key: str, text: str) -> Result:
    match key:
        case "escape":
            return replace(desk, typed=None), ()
        case "enter":
            return _say(replace(desk, typed=None), typed) if typed.strip() else (replace(desk, typed=None), ())
        case "backspace":
            return replace(desk, typed=typed[:-1]), ()
        case "c-u":
            return replace(desk, typed=""), ()
        case "tab":
            return replace(desk, typed=_completed(desk, typed)), ()
    return replace(desk, typed=(typed + text)[:TYPED_LIMIT]), ()


def _completed(desk: Desk, typed: str) -> str:
    """Return what all moves and commands that begin so have in common."""
    fitting = [line for line in completions(desk.match) if line.startswith(typed)]
    if not fitting:
        return typed
    least, most = min(fitting), max(fitting)
    same = next((place for place, (one, other) in enumerate(zip(least, most, strict=False)) if one != other), len(least))
    return least[:same]


def _on_sheet(desk: Desk, overlay: Overlay, key: str) -> Result:
    rows = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, " ": 10}
    if key in rows:
        return replace(desk, overlay=sheets.moved(overlay, rows[key])), ()
    desk = replace(desk, overlay=None)
    if key == "enter":
        if overlay.kind == "quit":
            return desk, (Quit(Status.OK),)
        if listed := sheets.choices(overlay):
            return _chosen(desk, overlay.kind, listed[overlay.cursor][0])
    return desk, ()


def _chosen(desk: Desk, kind: str, choice: str) -> Result:
    """Do what was chosen on a sheet."""
    if kind == "phrases":
        return desk, (Speak(choice),)
    if choice == "log":
        return replace(desk, overlay=Overlay("text", _("What happened so far"), desk.log, scroll=len(desk.log))), ()
    if choice == "rules":
        return replace(desk, overlay=sheets.rules_sheet(desk.match.game)), ()
    if choice == "say":
        return replace(desk, overlay=Overlay("phrases", _("Say"))), ()
    if choice == "quit":
        return _interrupt(desk)
    return _say(desk, choice)


def _at_the_table(desk: Desk, key: str) -> Result:
    if desk.match.phase is Phase.OVER and key == "enter":
        return replace(desk, page=Page.LOBBY), (Rise(),)
    if desk.match.view is not None and desk.match.phase is Phase.PLAYING:
        match screen_of(desk.match.game).press(scene_of(desk), key):
            case Picked() as picked:
                return replace(desk, picked=picked, notice=""), ()
            case Say(line, picked):
                return _say(replace(desk, picked=picked), line)
    match key:
        case "f1":
            return replace(desk, overlay=sheets.rules_sheet(desk.match.game)), ()
        case "?":
            return _say(desk, "hint")
        case ":":
            return replace(desk, typed=""), ()
        case "escape":
            return replace(desk, overlay=Overlay("menu", _("Menu"))), ()
    return desk, ()


def _say(desk: Desk, line: str) -> Result:
    """Do what a typed line does; a short answer stands in the foot, a long one on a sheet."""
    before = desk.match
    match, commands = update(before, Typed(line))
    answer = lines(before, Typed(line), match)
    desk = replace(desk, match=match)
    if commands:
        desk = replace(desk, picked=Picked())
    if len(answer) > 2:
        return replace(desk, overlay=Overlay("text", "", tuple(answer))), commands
    return replace(desk, notice="  ".join(answer), log=(*desk.log, *answer)[-LOG:]), commands
