"""What a key does to the desk, and which commands follow from it. Pure. The keys of a page are its own module's."""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _
from client.session.messages import Command, Quit, Typed, Vouch
from client.session.patience import TALK
from client.session.status import Status
from client.storage.nicks import fit_nick
from client.ui.games import screen_of
from client.ui.games.screen import Picked, Say
from client.ui.model import Pending, Phase
from client.ui.plain.lines import completions, lines
from client.ui.screen import lobby, opening, settings, sheets
from client.ui.screen.messages import Again, Rise, Speak
from client.ui.screen.pages import PRESS
from client.ui.screen.phrases import AGAIN, with_remark
from client.ui.screen.play import scene_of
from client.ui.screen.state import LOG, Desk, Overlay, Page, Remark
from client.ui.update import TYPED_LIMIT, update
from p2p.net.text import bare

Result = tuple[Desk, tuple[Command, ...]]
SCROLLS = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, " ": 10}
"""Keys that move a sheet, and by how many lines."""


def press(desk: Desk, key: str, text: str) -> Result:
    """Return the desk after a key; `text` is what it types or pastes."""
    desk = replace(desk, notice="")
    if key == "c-c":
        return interrupt(desk)
    if desk.typed is not None:
        return _typing(desk, desk.typed, key, text)
    if desk.overlay is not None:
        return _on_sheet(desk, desk.overlay, key)
    if desk.page is Page.PLAY:
        if desk.count:
            return _on_count(desk, key)
        return _at_the_table(replace(desk, moment=None), key)
    if desk.busy:
        return desk, (Rise(),) if key == "escape" else ()
    if (found := PRESS[desk.page](desk, key)) is not None:
        return found
    if key in ("f1", "?"):
        return replace(desk, overlay=_help(desk)), ()
    return desk, ()


def interrupt(desk: Desk) -> Result:
    """Ctrl-C: in a match it asks once, since others would wait."""
    if desk.page is Page.PLAY and desk.bound and not (desk.overlay and desk.overlay.kind == "quit"):
        said = (
            _("The match is not over: it waits for you, and so do the others. From the lobby you can come back to it."),
            "",
            _("Enter: close all the same.   Esc: stay."),
        )
        return replace(desk, overlay=Overlay("quit", _("Close?"), said), typed=None), ()
    return desk, (Quit(Status.INTERRUPTED),)


def _rise(desk: Desk) -> Result:
    """To the lobby: asked once while a match is on, since others would wait."""
    if not desk.bound:
        return desk, (Rise(),)
    how = (_("Enter: to the lobby.   Esc: stay."),)
    if desk.match.may_put_aside:
        said = _("Nobody loses by it: the match stands in the lobby as unfinished, and goes on when all are back.")
        return replace(desk, overlay=Overlay("rise", _("Put the match aside?"), (said, "", *how))), ()
    said = _("The match is not over: it waits for you, and so do the others.")
    return replace(desk, overlay=Overlay("rise", _("To the lobby?"), (said, "", *how))), ()


def _help(desk: Desk) -> Overlay:
    match desk.page:
        case Page.GATHER:
            return sheets.rules_sheet(desk.match.game)
        case Page.OPEN:
            return sheets.rules_sheet(desk.form.game)
        case Page.REPLAY:
            return sheets.rules_sheet(desk.steps[desk.step][0].game)
    return Overlay("text", "Sobremesa", lobby.about())


# A line that is typed.


def _typing(desk: Desk, typed: str, key: str, text: str) -> Result:
    match key:
        case "escape":
            return replace(desk, typed=None), ()
        case "enter":
            return _typed(replace(desk, typed=None), typed.strip())
        case "backspace":
            return replace(desk, typed=typed[:-1]), ()
        case "c-u":
            return replace(desk, typed=""), ()
        case "tab" if desk.typing == "move":
            return replace(desk, typed=_completed(desk, typed)), ()
    limit = TALK if desk.typing == "talk" else TYPED_LIMIT
    return replace(desk, typed=(typed + text.replace("\n", " "))[:limit]), ()


def _typed(desk: Desk, line: str) -> Result:
    if desk.typing == "table":
        return opening.named(desk, line), ()
    if not line:
        return desk, ()
    if desk.typing == "join":
        return lobby.join(desk, line)
    if desk.typing == "nick":
        return settings.set_to(desk, "nick", nick) if (nick := fit_nick(line)) else (desk, ())
    if desk.typing == "talk":
        words = bare(line, TALK)[:TALK]
        return speak(desk, words, phrase=False) if words else (desk, ())
    return say(desk, line)


def _completed(desk: Desk, typed: str) -> str:
    """Return what all moves and commands that begin so have in common."""
    fitting = [line for line in completions(desk.match) if line.startswith(typed)]
    if not fitting:
        return typed
    least, most = min(fitting), max(fitting)
    same = next((place for place, (one, other) in enumerate(zip(least, most, strict=False)) if one != other), len(least))
    return least[:same]


# A sheet.


def _on_count(desk: Desk, key: str) -> Result:
    """Put the count away with whatever key, so that none plays a card that it hides; those that scroll make a sheet of it."""
    overlay = Overlay("count", _("The count"), desk.count)
    desk = replace(desk, count=(), moment=None)  # the call was its title
    return _on_sheet(replace(desk, overlay=overlay), overlay, key) if key in SCROLLS and key != " " else (desk, ())


ASKED = ("quit", "leave", "rise", "without")
"""The sheets that ask whether to go from a match that is on."""
ANSWERED = (*ASKED, "alarm")
"""The sheets that stay until Enter or Esc, whatever else is pressed."""


def _on_sheet(desk: Desk, overlay: Overlay, key: str) -> Result:
    if key in SCROLLS:
        return replace(desk, overlay=sheets.moved(desk, overlay, SCROLLS[key])), ()
    items = sheets.choices(desk, overlay)
    if key.isdecimal() and 1 <= int(key) <= len(items) and overlay.kind != "words":
        return _chosen(replace(desk, overlay=None), overlay, items[int(key) - 1].id)
    if overlay.kind == "words" and items:
        return _on_words(desk, overlay, items[overlay.cursor % len(items)].id, key)
    if overlay.kind == "phrases" and len(key) == 1 and key.isprintable():
        return replace(desk, overlay=None, typed=key, typing="talk"), ()  # no phrase is meant, but words of one's own
    if key not in ("enter", "escape") and (items or overlay.kind in ANSWERED):
        return desk, ()
    desk = replace(desk, overlay=None)
    if key == "enter":
        if overlay.kind == "quit":
            return desk, (Quit(Status.OK),)
        if overlay.kind == "rise":
            return desk, (Rise(),)
        if overlay.kind == "leave":
            return say(desk, "leave yes")
        if overlay.kind == "without":
            return say(desk, "without yes")
        if items:
            return _chosen(desk, overlay, items[overlay.cursor % len(items)].id)
    return desk, ()


def _on_words(desk: Desk, overlay: Overlay, who: str, key: str) -> Result:
    """Trust whose words were found the same; by a key of its own, for Enter and Esc put sheets away unread."""
    if key == "t":
        return desk, (Vouch(who),)
    return replace(desk, overlay=None if key in ("enter", "escape") else overlay), ()


def _chosen(desk: Desk, overlay: Overlay, choice: str) -> Result:
    """Do what was chosen on a sheet."""
    match overlay.kind, choice:
        case "phrases", "talk":
            return replace(desk, typed="", typing="talk"), ()
        case "phrases", _phrase:
            return speak(desk, choice, phrase=True)
        case "mute", _fingerprint:
            return replace(desk, muted=desk.muted ^ {choice}, overlay=overlay), ()
        case _kind, "log":
            return replace(desk, overlay=Overlay("text", _("What happened so far"), desk.log, scroll=4 * len(desk.log))), ()
        case _kind, "rules":
            return replace(desk, overlay=sheets.rules_sheet(desk.match.game)), ()
        case _kind, "say":
            return replace(desk, overlay=Overlay("phrases", _("Say"))), ()
        case _kind, "mute":
            return replace(desk, overlay=Overlay("mute", _("Whom not to hear"))), ()
        case _kind, "rise" | "aside":
            return _rise(desk)
    return say(desk, choice)


# The table.


def _at_the_table(desk: Desk, key: str) -> Result:
    if not desk.done and desk.match.view is not None:
        match screen_of(desk.match.game).press(scene_of(desk), key):
            case Picked() as picked:
                return replace(desk, picked=replace(picked, order=picked.order or desk.picked.order)), ()
            case Say(line, picked):
                return say(replace(desk, picked=replace(picked, order=desk.picked.order)), line)
    if desk.done and key in ("enter", "q"):
        return desk, (Rise(),)
    if desk.done and key == "r" and desk.match.seat is not None and not desk.busy:
        return _again(replace(desk, busy=_("Waiting for the others …")))
    match key:
        case "f1":
            return replace(desk, overlay=sheets.rules_sheet(desk.match.game)), ()
        case "f2" if desk.company:
            return replace(desk, overlay=Overlay("phrases", _("Say"))), ()
        case "?":
            return say(desk, "hint")
        case "W":
            return say(desk, "without")
        case ":":
            return replace(desk, typed="", typing="move"), ()
        case "escape":
            return replace(desk, overlay=Overlay("menu", _("Menu"))), ()
    return desk, ()


def _again(desk: Desk) -> Result:
    """Play again with the same table, and let the others know."""
    over = desk.match.phase is Phase.OVER  # else the others play on
    desk, said = speak(desk, AGAIN, phrase=True) if desk.company and over else (desk, ())
    return desk, (*said, Again())


def say(desk: Desk, line: str) -> Result:
    """Do what a typed line does; a short answer stands in the last line, a long one on a sheet."""
    if desk.done and line.casefold().split()[:1] == ["leave"]:
        return desk, (Rise(),)  # there is no match to be left any more, only the table
    before = desk.match
    match, commands = update(before, Typed(line))
    answer = lines(before, Typed(line), match)
    desk = replace(desk, match=match)
    if commands:
        desk = replace(desk, picked=desk.picked.back())
    if match.pending is Pending.PRICE:
        answer = [_("{price} Once more: do it all the same.").format(price=answer[0])]
    if match.pending is Pending.LEAVE:
        price = (answer[0], "", _("Enter: leave all the same.   Esc: stay."))
        return replace(desk, overlay=Overlay("leave", _("Leave?"), price)), commands
    if match.pending is Pending.WITHOUT:
        asked = (*answer[:-1], _("A vote cannot be taken back."), "", _("Enter: vote.   Esc: wait."))
        return replace(desk, overlay=Overlay("without", _("Go on without?"), asked)), commands
    if line == "help":
        answer = [_("Press : and type one of these; Tab completes it."), "", *answer]
    if len(answer) > 2:
        return replace(desk, overlay=Overlay("text", "", tuple(answer))), commands
    return replace(desk, notice=answer[0] if answer else "", log=(*desk.log, *answer)[-LOG:] if commands else desk.log), commands


def speak(desk: Desk, text: str, *, phrase: bool) -> Result:
    """Say something to the others, and see it said."""
    assert desk.match.seat is not None  # who looks on is not offered to talk
    return with_remark(desk, Remark(desk.match.seat, text, phrase)), (Speak(text, phrase),)
