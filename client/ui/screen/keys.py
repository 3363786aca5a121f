"""The screen state after a key, and the resulting commands.

Pure. Each page handles its own keys.
"""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _, letter
from client.session.messages import Act, Command, Quit
from client.session.status import Status
from client.session.talk import TALK_CHARACTERS
from client.storage.nicks import fit_nick
from client.ui.games import screen_of
from client.ui.games.screen import CHOOSE, Picked, Refused, Say, effect, takes_two_keys
from client.ui.model import MatchPhase, Pending
from client.ui.screen import (
    going,
    history,
    lobby,
    menu,
    newcomer,
    opening,
    phones,
    reading,
    settings,
    table_setup,
)
from client.ui.screen.analysis import ANALYSE
from client.ui.screen.choosing import choose, completed, write
from client.ui.screen.messages import (
    Again,
    InBrowser,
    Join,
    Open,
    OpenLog,
    Rise,
    StopReading,
)
from client.ui.screen.obeying import obey, speak
from client.ui.screen.overlay import AlarmSheet, CountSheet, QuitQuestion
from client.ui.screen.pages import PRESS
from client.ui.screen.phrases import AGAIN
from client.ui.screen.play import may_analyse, may_play_again
from client.ui.screen.presses import paused
from client.ui.screen.state import (
    LOG,
    WHOLE,
    DealCount,
    Overlay,
    Page,
    Result,
    ScreenState,
    TypedLine,
)
from client.ui.screen.table_words import PLAY_AGAIN, TO_LOBBY, VOTE, partings, scene_of
from p2p.net.text import bare

SCROLLS = {
    "up": -1,
    "down": 1,
    "pageup": -10,
    "pagedown": 10,
    " ": 10,
    "home": -WHOLE,
    "end": WHOLE,
}
"""Keys that move a sheet, and by how many lines."""


CARET = ("left", "right", "home", "end")
"""Keys that move the cursor in the line being typed."""


def press(state: ScreenState, key: str, text: str) -> Result:
    """Return the state after a key; `text` is what it types or pastes.

    Before the first table a name is asked for.
    """
    state, commands = _press(state, key, text)
    if state.kept.unnamed and (
        wanted := next((command for command in commands if isinstance(command, Open | Join)), None)
    ):
        known = "" if state.kept.on_phone else state.kept.nick  # the login name is the owner's
        line = TypedLine("first-nick", known, prefilled=True, wanted=wanted)
        return replace(state, busy="", typed=line), ()
    return state, commands


def _press(state: ScreenState, key: str, text: str) -> Result:
    state = replace(state, notice=_notice_with(state, key))
    if key == "c-c":
        return interrupt(state)
    if (
        key.startswith(CHOOSE)
        and len(key) > 1
        and (state.page is not Page.PLAY or state.overlay is not None)
    ):
        return choose(state, key.removeprefix(CHOOSE)), ()
    reads = isinstance(state.overlay, AlarmSheet) and key in ("enter", "escape")
    if state.typed is not None and not reads:
        return _typing(state, state.typed, key, text)
    if state.overlay is not None:
        return _on_sheet(state, state.overlay, key)
    if state.looking or (state.busy and state.page is not Page.PLAY):
        return _while_busy(state, key)
    if state.page is Page.PLAY:
        if state.held:
            return _on_held(state, key)
        if state.count.lines:
            return _on_count(state, key)
        if state.lesson:
            return _on_lesson(state, key)
        state = replace(state, moment=None)
        return paused(state, *_at_the_table(state, key))
    if (found := PRESS[state.page](state, key)) is not None:
        return found
    if key in ("f1", "?"):
        return replace(state, overlay=newcomer.help_sheet(state)), ()
    return state, (InBrowser(),) if key == "b" and state.kept.movable else ()


def _notice_with(state: ScreenState, key: str) -> str:
    """Return the notice to keep: only the one about a line being typed, while its cursor moves."""
    return state.notice if state.typed is not None and key in CARET else ""


def _while_busy(state: ScreenState, key: str) -> Result:
    """Stop what our player waits for, if the key is Esc."""
    if key != "escape":
        return state, ()
    return (history.stopped(state), (StopReading(),)) if state.looking else (state, (Rise(),))


def interrupt(state: ScreenState) -> Result:
    """Ctrl-C: it asks once in a match, and if others lose something with our table."""
    if isinstance(state.overlay, QuitQuestion):
        return state, (Quit(Status.INTERRUPTED),)
    if state.place is Page.TABLE_SETUP and table_setup.asks_before_closing(state.match):
        return replace(
            state, overlay=table_setup.closing(table_setup.QuitTableQuestion, state.match)
        ), ()
    if state.place is Page.PLAY and state.bound:
        ends = _("This ends the program. When you start it again, its lobby opens.")
        return replace(
            state,
            overlay=QuitQuestion(_("Close Sobremesa?"), (going.waits(state), ends)),
            typed=None,
        ), ()
    return phones.asked_before_the_end(state) or (state, (Quit(Status.INTERRUPTED),))


# A line that is typed.


def _typing(state: ScreenState, line: TypedLine, key: str, text: str) -> Result:
    length, caret = len(line.text), line.caret
    before, behind = line.text[: length - caret], line.text[length - caret :]
    match key:
        case "escape":
            return replace(state, typed=None), ()
        case "enter":
            return _typed(replace(state, typed=None), line, line.text.strip())
        case "tab" if line.kind == "move":
            return replace(state, typed=TypedLine("move", completed(state, line.text))), ()
        case "left" | "right" | "home" | "end":
            moved = {"left": min(caret + 1, length), "right": max(0, caret - 1), "home": length}
            at = moved.get(key, 0)
            return replace(state, typed=replace(line, caret=at, prefilled=False)), ()
        case "backspace":
            before = before[:-1]
        case "delete":
            behind = behind[1:]
        case "c-u":
            before = behind = ""
        case _ if not text:
            return state, ()
        case _:
            before, behind = ("", "") if line.prefilled else (before, behind)
            before += text.replace("\n", " ")
    return write(state, before, behind), ()


def _typed(state: ScreenState, line: TypedLine, text: str) -> Result:
    match line.kind:
        case "first-nick":
            nick = fit_nick(text) or ("" if state.kept.on_phone else state.kept.nick)
            return _named(state, nick, line.wanted)
        case "table":
            return opening.named(state, text), ()
        case "visitor":
            return phones.renamed(state, fit_nick(text))
        case _ if not text:
            return state, ()
        case "join":
            return lobby.join(state, text)
        case "nick":
            return settings.set_to(state, "nick", nick) if (nick := fit_nick(text)) else (state, ())
        case "talk":
            words = bare(text, TALK_CHARACTERS)[:TALK_CHARACTERS]
            return speak(state, words, phrase=False) if words else (state, ())
    return obey(state, text)


def _named(state: ScreenState, nick: str, wanted: Command | None) -> Result:
    """Keep the nick, and go to the table for which it was asked, if there is one."""
    if not nick:
        if wanted is None:
            return state, ()
        line = TypedLine("first-nick", wanted=wanted)
        return replace(state, typed=line, notice=_("Type a name first.")), ()
    state, saved = settings.set_to(state, "nick", nick)
    busy = lobby.going() if isinstance(wanted, Join) else ""
    return replace(state, busy=busy), (*saved, *([] if wanted is None else [wanted]))


# A sheet.


def _on_held(state: ScreenState, key: str) -> Result:
    """Put the held table away, or show another part of its words."""
    if key.startswith(reading.PARAGRAPH):
        return replace(state, paragraph=int(key.removeprefix(reading.PARAGRAPH))), ()
    moment = state.moment if state.count.lines else None
    return replace(state, held=state.held[1:], paragraph=0, moment=moment), ()


def _on_count(state: ScreenState, key: str) -> Result:
    """Put the count away with any key.

    Thus no key plays a card that the count hides. Keys that scroll make a sheet of the count.
    """
    overlay = CountSheet(_("The count"), state.count.lines)
    state = replace(state, count=DealCount(), moment=None)  # the call was its title
    return (
        _on_sheet(replace(state, overlay=overlay), overlay, key)
        if key in SCROLLS and key != " "
        else (state, ())
    )


def _on_lesson(state: ScreenState, key: str) -> Result:
    """Put a page of the lesson away.

    A key that it names does at once what it does at the table; keys that scroll scroll.
    """
    if key.startswith(reading.PARAGRAPH):
        return replace(state, paragraph=int(key.removeprefix(reading.PARAGRAPH))), ()
    if key == reading.MENU:
        return replace(state, overlay=menu.sheet()), ()
    page = reading.lesson_sheet(state)
    read = state.lesson[0]
    if state.log[-len(read) :] != read:  # it is in the log if it has been read before
        state = replace(state, log=(*state.log, *read)[-LOG:])
    state = replace(state, lesson=state.lesson[1:], paragraph=0)
    if key in ("pageup", "pagedown"):
        return _on_sheet(replace(state, overlay=page), page, key)
    return (
        (state, ())
        if key in ("enter", "escape") or state.lesson
        else _at_the_table(replace(state, moment=None), key)
    )


def _on_sheet(state: ScreenState, overlay: Overlay, key: str) -> Result:
    if key in SCROLLS:
        return replace(state, overlay=overlay.moved(state, SCROLLS[key])), ()
    items = overlay.items(state)
    if overlay.NUMBERED and key.isdecimal() and 1 <= int(key) <= len(items):
        return overlay.chosen(replace(state, overlay=None), items[int(key) - 1].id)
    if (done := overlay.press(state, key)) is not None:
        return done
    if key not in ("enter", "escape") and (items or overlay.ANSWERED):
        return state, ()
    if key == "enter":
        return overlay.entered(replace(state, overlay=None))
    return replace(state, overlay=overlay.opener if key == "escape" else None), ()


# The table.


def _at_the_table(state: ScreenState, key: str) -> Result:
    (proposed, _line), state = state.proposed, replace(state, proposed=("", ""))
    if proposed and key in ("enter", "escape"):
        if key == "escape":
            return state, ()
        key = proposed
    if not state.done and state.match.view is not None:
        key = "enter" if key in screen_of(state.match.game).chosen_by(scene_of(state)) else key
        match effect(scene_of(state), key):
            case Picked() as picked:
                return replace(state, picked=picked), ()
            case Refused(why):
                return replace(state, notice=why), ()
            case Say(line, picked):
                said = obey(replace(state, picked=picked), line, by_key=True)
                asked_twice = (
                    key == proposed
                    or state.match.pending is Pending.PRICE
                    or not takes_two_keys(scene_of(state), key)
                )
                moves = any(isinstance(command, Act) for command in said[1])
                return (
                    (replace(state, proposed=(key, line)), ())
                    if moves and not asked_twice
                    else said
                )
    return _of_any_table(state, key)


def _of_any_table(state: ScreenState, key: str) -> Result:
    """Do what a key does at the table of every game."""
    if state.done and key == letter(TO_LOBBY):
        return state, (Rise(),)
    if key == letter(PLAY_AGAIN) and may_play_again(state):
        return _again(replace(state, busy=_("Waiting for the others …")))
    if key == letter(ANALYSE) and may_analyse(state):
        busy = _("Checking the log …")
        return replace(state, busy=busy, back=Page.PLAY), (OpenLog(state.match.log, analysis=True),)
    if key == letter(VOTE):
        return obey(state, "without")
    match key:
        case "f1":
            rules = reading.rules_sheet(state.match.game, state.match.options)
            return replace(state, overlay=rules), ()
        case "f3" if state.match.lesson:
            return obey(state, "hands")
        case "f2" if state.company:
            return replace(state, overlay=menu.PhrasesSheet(_(menu.MENU["say"]))), ()
        case "?":
            return obey(state, "hint")
        case "B" if state.kept.movable:
            return state, (InBrowser(),)
        case ":":
            return replace(state, typed=TypedLine("move")), ()
        case "escape":
            return replace(state, overlay=menu.sheet()), ()
    return state, ()


def _again(state: ScreenState) -> Result:
    """Play again with the same table, and let the others know."""
    over = state.match.phase is MatchPhase.OVER  # else the others play on
    state, said = speak(state, AGAIN, phrase=True) if state.company and over else (state, ())
    state = replace(state, notice=" ".join(partings(state)))  # it is seen where the table fills
    return state, (*said, Again())
