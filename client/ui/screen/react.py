"""The screen state after a message, and the commands that follow: the full screen's `update`.

Pure.
"""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _, later, letter
from client.session.messages import (
    Advised,
    Away,
    Command,
    Late,
    Lobby,
    Message,
    MoveRefused,
    News,
    Notice,
    Parted,
    Seated,
    Stored,
    Tables,
    Talked,
    TimeLeft,
    Trusted,
    Words,
)
from client.ui.analysis import progress_line
from client.ui.games import lesson_of, screen_of
from client.ui.games.screen import Moment
from client.ui.model import MatchPhase, Model
from client.ui.phrases import heard
from client.ui.plain.absence import late
from client.ui.plain.ending import ending, stored_in_short, voted
from client.ui.plain.lines import lines
from client.ui.screen import (
    analysis,
    fields,
    keys,
    lobby,
    obeying,
    phones,
    settings,
    waiting,
)
from client.ui.screen.choosing import write
from client.ui.screen.history import first_choice, stopped
from client.ui.screen.menu import WordsSheet
from client.ui.screen.messages import (
    Analysed,
    Analysing,
    Called,
    Ended,
    FieldSet,
    Key,
    LineWritten,
    MatchHistory,
    NotShown,
    PhonesChanged,
    Ring,
    Shared,
    Steps,
    Tick,
    Wrong,
)
from client.ui.screen.overlay import AlarmSheet
from client.ui.screen.parts import sentence
from client.ui.screen.phrases import AGAIN, with_remark
from client.ui.screen.presses import settling
from client.ui.screen.reading import with_lesson_page
from client.ui.screen.state import (
    HELD,
    LOG,
    SEEN,
    Countdown,
    DealCount,
    Held,
    OpenedLog,
    Page,
    Passing,
    Remark,
    Replay,
    Result,
    ScreenState,
)
from client.ui.screen.table_words import VOTE, partings, scene_of
from client.ui.update import update
from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Slot
from engine.core.view import View
from p2p.table.events import (
    Accused,
    Asked,
    Dealt,
    Differs,
    Event,
    Gone,
    Moved,
    OutOfKeys,
    Over,
    Told,
    Voted,
    WasLate,
)

BANNER_S = 1.6
"""Seconds for which a call stays, unless a key is pressed."""
COUNT_S = 8.0
"""Seconds for which the count of a deal is shown to a spectator."""
LEAST_S = 1e-6
"""Fewer seconds than this count as none: sums of ticks are not exact."""
REMARK_S = 20.0
"""Seconds for which a remark stands at its seat; after that it is in the log only."""


def react(state: ScreenState, message: Message) -> Result:
    """Return the state after a message, and the commands that follow."""
    if isinstance(message, Key):
        return keys.press(state, message.key, message.text)
    now, commands = _react(state, message)
    if now.overlay is not None and now.overlay is state.overlay:
        now = replace(now, overlay=now.overlay.after(state, now))
    return now, commands


def _react(state: ScreenState, message: Message) -> Result:
    match message:
        case LineWritten() | FieldSet() | PhonesChanged() | Called():
            return _from_elsewhere(state, message)
        case Tick(seconds):
            wish = state.overlay.wish(state) if state.overlay is not None else None
            return _tick(state, seconds), (wish,) if wish is not None else ()
        case Tables(tables, blind):
            why = lobby.why_blind(blind) if blind is not None else ""
            off = blind is not None and lobby.off_network(blind)
            now = replace(state, tables=tables, blind=why, off_network=off)
            return lobby.listed(state, now), ()
        case MatchHistory() | Steps() | Analysing() | Analysed() | NotShown() | Shared():
            return _past(state, message), ()
        case Wrong(why):
            return replace(state, notice=sentence(why)), ()
        case Advised():
            return obeying.advised(state, message), ()
        case Ended(why):
            return _ended(state, why), ()
        case Parted(seat):
            again = tuple(other for other in state.again if other != seat)
            parted = tuple(other for other in state.parted if other != seat)
            state = replace(state, again=again, parted=(*parted, seat))
            return replace(state, notice=partings(state)[-1]), ()
        case Talked(seat, text, phrase):
            if state.done and phrase and text == AGAIN and seat not in state.again:
                state = replace(state, again=(*state.again, seat))
            shown = heard(state.match, seat, text, phrase=phrase)
            return _said(state, Remark(seat, text, phrase)) if shown else state, ()
    return _hear(state, message)


def _from_elsewhere(
    state: ScreenState, message: LineWritten | FieldSet | PhonesChanged | Called
) -> Result:
    """Return the state after a line or a field was filled in, or after news of phones."""
    match message:
        case LineWritten(text):
            return write(state, text), ()
        case FieldSet(field, value):
            return fields.set_field(state, field, value)
        case PhonesChanged(now, said):
            return phones.changed(state, now, said), ()
        case Called(nick):
            line = state.typed
            if line is not None and line.kind == "first-nick" and line.wanted is None:
                state = replace(state, typed=None)
            return settings.set_to(state, "nick", nick)


def _past(
    state: ScreenState,
    message: MatchHistory | Steps | Analysing | Analysed | NotShown | Shared,
) -> ScreenState:
    """Note news of past matches."""
    match message:
        case NotShown(why):
            return replace(stopped(state), notice=sentence(why))
        case Shared():
            saved = _("Your browser saves the page. It shows what everybody saw.")
            return replace(stopped(state), notice=saved)
        case MatchHistory(history, unread):
            # In a fresh lobby matches are listed first, and the cursor starts on them.
            now = replace(state, kept=replace(state.kept, history=history), unread=unread)
            return lobby.listed(state, now) if state.tables or state.kept.history else now
        case Steps(steps, records, path, notice):
            looked = OpenedLog(path, records) if path else None
            return replace(
                state,
                page=Page.REPLAY,
                replay=Replay(steps, first_choice(steps), looked),
                busy="",
                notice=notice or state.notice,
            )
        case Analysing(done, whole):
            return replace(state, busy=progress_line(done, whole))
        case Analysed(made) if state.replay.opened is not None:
            state = replace(
                state,
                busy="",
                replay=replace(state.replay, opened=replace(state.replay.opened, analysis=made)),
            )
            return replace(state, overlay=analysis.sheet(state))
    return state


def _said(state: ScreenState, remark: Remark) -> ScreenState:
    """Return the state with a remark of another seat.

    Our player may be stepping through the match that is over, and sees no seat meanwhile.
    """
    state = with_remark(state, remark)
    return replace(state, notice=state.log[-1]) if state.page is Page.REPLAY else state


def _refused(state: ScreenState, why: str) -> str:
    """Return why we did not come to the chosen table, with its name if it is one of the list."""
    chosen = state.chosen.split(":")
    found = (one for one in state.tables if chosen[:2] == ["table", one.id.hex()])
    table = next(found, None) if why else None
    if table is None:
        return sentence(why)
    return f"{table.nick} · {table.table}: {why}{'' if why[-1] in '.!?…' else '.'}"


def _ended(state: ScreenState, why: str) -> ScreenState:
    """Return to the lobby, or stay with the past matches.

    Keep the error message; drop the rest of the session.
    """
    fresh = ScreenState(
        kept=state.kept,
        notice=_refused(state, why),
        joined=state.joined if why else "",
    )
    if state.page is Page.REPLAY:
        back = Page.LOBBY if state.back is Page.PLAY else state.back  # there is no table any more
        fresh = replace(fresh, replay=state.replay, overlay=state.overlay, back=back)
    if state.page is Page.PHONES:
        fresh = replace(fresh, overlay=state.overlay)
    if state.page in (Page.HISTORY, Page.REPLAY, Page.PHONES):
        return replace(fresh, page=state.page, chosen=state.chosen)
    return replace(fresh, page=Page.LOBBY, chosen=lobby.line_after(state))


def _hear(state: ScreenState, message: Message) -> Result:
    """Handle a message of the table."""
    before = state.match
    match, commands = update(before, message)
    state = replace(state, match=match)
    if isinstance(message, News | Stored):
        state = replace(state, seen=_seen(state))
    state = waiting.heard(state, before, message)
    earlier = isinstance(message, News) and message.earlier
    told = [] if earlier else _lines(before, message, match)
    if isinstance(message, Words):  # read aloud from a sheet, and then done with
        opened = isinstance(state.overlay, WordsSheet)
        overlay = state.overlay if opened else WordsSheet(_("Words to compare"))
        return replace(state, overlay=overlay, compared=message.of), commands
    state = _with_lesson(replace(state, log=(*state.log, *told)[-LOG:]), message)
    match message:
        case Lobby() if match.phase is MatchPhase.LOBBY:
            page = Page.PHONES if state.page is Page.PHONES else Page.TABLE_SETUP
            return replace(state, page=page, busy=""), commands
        case Seated():
            return _seated(state), commands
        case News() if not earlier:
            return _news(state, before, message, told, commands)
        case Notice("invite" | "no-invite" | "only-here"):
            return _with_invite(state, message, told), commands
        case TimeLeft():
            return replace(state, notice=Countdown(told[-1])), (*commands, *_ring(state))
        case Notice() | MoveRefused() | Trusted():
            return replace(state, notice=told[-1] if told else state.notice), commands
        case Stored() if match.phase is MatchPhase.OVER:
            return replace(state, notice=""), commands
    return state, commands


def _seated(state: ScreenState) -> ScreenState:
    """Return the state at the beginning of a match; the page of phones stays, with its sheet."""
    fresh = ScreenState(Page.PLAY, state.kept, match=state.match, lesson=state.lesson)
    if state.page is Page.PHONES:
        return replace(fresh, page=state.page, chosen=state.chosen, overlay=state.overlay)
    # they may be reading the words aloud right now
    words = state.overlay if isinstance(state.overlay, WordsSheet) else None
    return replace(fresh, overlay=words, compared=state.compared if words else {})


def _with_invite(state: ScreenState, notice: Notice, told: list[str]) -> ScreenState:
    """Show this invite from now on."""
    if notice.id == "only-here":
        return replace(state, only_here=told[-1])
    invite = str(notice.params.get("invite", ""))
    return replace(state, invite=invite, cut_off=not invite)


def _lines(before: Model, message: Message, after: Model) -> list[str]:
    """Return what the plain interface says, with the keys of the full screen.

    The question is not needed if the table is in sight.
    """
    if isinstance(message, News) and isinstance(message.event, (Asked, Dealt)):
        return []
    if isinstance(message, Seated) and after.lesson:
        return []  # a page of the lesson says it
    if after.lesson and isinstance(message, News) and isinstance(message.event, Over):
        return ending(after, message.event)  # a page of the lesson says the rest
    if isinstance(message, Notice) and message.id in ("shuffles", "table-open"):
        return []  # the line of the turn, or the page of the table, says it
    if isinstance(message, Away) and not message.leaving:
        here = later("{who} is away: gone for now, or cut off. The table waits.")
        there = later("{who} is at another table. This table waits.")
        return [_(there if message.elsewhere else here).format(who=after.names[message.seat])]
    if isinstance(message, Stored) and not after.accused:
        return [stored_in_short(after, sealed=message.sealed)]
    if isinstance(message, Late):
        return late(after, message, without=letter(VOTE), aside="Esc")
    if isinstance(message, News):
        message = replace(message, repeated=False)  # the table is in sight
    found = lines(before, message, after)
    if isinstance(message, MoveRefused):
        found = found[:1]  # the allowed moves are in sight, and would hide the reason
    if isinstance(message, News) and isinstance(message.event, Voted):
        found[0] = voted(after, message.event, without=letter(VOTE))
    return found


def _with_lesson(state: ScreenState, message: Message) -> ScreenState:
    """Return the state with the pages of the lesson that follow from a message.

    Once they are put away, they stand in the log.
    """
    match, asked = state.match, isinstance(message, News) and isinstance(message.event, Asked)
    if not match.lesson:
        return state
    lesson = lesson_of(match.game, match.options)
    if isinstance(message, Seated):
        return replace(state, lesson=(tuple(lesson.welcome()),))
    if asked:
        return with_lesson_page(state)
    if isinstance(message, News) and isinstance(message.event, Over):
        return replace(state, lesson=(*state.lesson, tuple(lesson.farewell(match.game))))
    return state


def _seen(state: ScreenState) -> dict[Slot, Face]:
    """Return the faces of our own cards, of this deal and before.

    A view has only those of its own deal.
    """
    fresh = state.match.view.faces if state.match.view else {}
    return dict([*{**state.seen, **fresh}.items()][-SEEN:])


def _news(
    state: ScreenState, before: Model, news: News, told: list[str], commands: tuple[Command, ...]
) -> Result:
    screen, scene = screen_of(state.match.game), scene_of(state)
    more: tuple[Command, ...] = ()
    if not state.match.asked:
        state = replace(state, proposed=("", ""))
    if state.match.asked and not before.asked:
        state = settling(replace(state, picked=state.picked.back()))
        if line := screen.answer(scene):
            state, said_so = obeying.obey(state, line)
            return state, (*commands, *said_so)
        more = _ring(state)
    match event := news.event:
        case Moved():
            state = replace(
                state,
                count=replace(state.count, open=False),
                notice="",
                moved=told[0] if told else "",
            )
            state, more = _call(state, "" if news.repeated else screen.moment(scene, event), more)
        case Told(told_event, table):
            if table is not None:
                state = _held(state, table, told_event)
            if isinstance(told_event, screen.count) and (
                counted := screen.counted(scene, told_event)
            ):
                last = (state.moved,) if state.moved and not screen.retold else ()
                state = replace(
                    state,
                    count=DealCount(
                        (*(state.count.lines if state.count.open else last), *counted),
                        state.match.history,
                        open=True,
                    ),
                )
            state, more = _call(
                state, "" if news.repeated else screen.moment(scene, told_event), more
            )
        case Voted(without=us) | WasLate(seat=us) if us == state.match.seat and not state.done:
            state, more = replace(state, notice=Passing(told[-1])), _ring(state)
        case Gone(seat) if seat == state.match.seat:
            state = replace(state, notice="")
        case _ if told and (title := _alarm(event)):
            more = phones.hidden(state)
            state = replace(state, overlay=AlarmSheet(title, tuple(told), event=event))
            more += _ring(state)
    return state, (*commands, *more)


def _alarm(event: Event) -> str:
    """Return the title of the alarm that an event is; empty if it is none."""
    match event:
        case Accused():
            return _("This does not verify")
        case Differs(int()):
            return _("The programs do not agree")
        case Differs() | OutOfKeys():
            return _("The match cannot go on.")
    return ""


def _held(state: ScreenState, table: Game, event: GameEvent) -> ScreenState:
    """Keep a table for our player to see, if our player sits at it and plays.

    A lesson explains there the events up to this one.
    """
    match = state.match
    if match.auto or match.view is None or match.seat not in table.seats:
        return state
    mine = {slot: face for slot, face in state.seen.items() if table.holder.get(slot) == match.seat}
    view = View(match.seat, table, mine, None, over=False, turn=())
    still = replace(
        match,
        phase=MatchPhase.PLAYING,
        view=view,
        asked=False,
        turn=(),
        mixing=(),
        score=tuple(table.score),
    )
    words = ""
    if match.lesson:
        words = lesson_of(match.game, match.options).told(match, state.explained)
        state = replace(state, explained=event)
    return replace(state, held=(*state.held, Held(still, state.log, words))[-HELD:])


def _call(state: ScreenState, call: str | Moment, more: tuple[Command, ...]) -> Result:
    """Show a moment, if there is one, and ring for it."""
    if not call:
        return state, more
    return replace(state, moment=Moment(call) if isinstance(call, str) else call), _ring(state)


def _ring(state: ScreenState) -> tuple[Command, ...]:
    return (Ring(),) if state.kept.settings.sound and not state.match.auto else ()


def _tick(state: ScreenState, seconds: float) -> ScreenState:
    waited = {seat: since + seconds for seat, since in state.waited.items()}
    moment = state.moment
    if moment is not None and not state.held:  # the moment belongs to the table behind the held one
        moment = (
            replace(moment, age=moment.age + seconds) if moment.age + seconds < BANNER_S else None
        )
    count = state.count
    if count.lines and state.looks_on:
        count = replace(count, waited=count.waited + seconds)
    pause = state.settling - seconds
    aged = (replace(remark, age=remark.age + seconds) for remark in state.remarks)
    return replace(
        state,
        waited=waited,
        notice=waiting.counted_down(state, waited),
        settling=pause if pause > LEAST_S else 0.0,
        moment=moment,
        count=count if count.waited < COUNT_S else DealCount(),
        remarks=tuple(remark for remark in aged if remark.age < REMARK_S),
    )
