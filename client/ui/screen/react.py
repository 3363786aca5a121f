"""What a message does to the desk, and which commands follow from it: the full screen's `update`. Pure."""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _, later
from client.session.messages import (
    Away,
    Command,
    Lobby,
    Message,
    News,
    Notice,
    Parted,
    Refused,
    Said,
    Seated,
    Stored,
    Tables,
    TimeLeft,
    Trusted,
    Words,
)
from client.ui.games import screen_of
from client.ui.games.screen import Moment
from client.ui.model import Model, Phase
from client.ui.plain.lines import lines
from client.ui.screen import keys, lobby
from client.ui.screen.messages import Ended, Key, Ring, Shelf, Steps, Tick, Wrong
from client.ui.screen.phrases import AGAIN, with_remark
from client.ui.screen.play import scene_of
from client.ui.screen.state import LOG, Desk, Overlay, Page, Remark
from client.ui.update import update
from engine.core.moves import Seat
from p2p.table.events import Accused, Asked, Dealt, Differs, Moved, Told, Voted

Result = tuple[Desk, tuple[Command, ...]]
BANNER = 1.6
"""Seconds for which a call stays, unless a key is pressed."""
REMARK = 20.0
"""Seconds for which a remark stands at its seat; after that it is in the log only."""
TYPED = {"`without`": "`W`", "`aside`": "`Esc`"}
"""Commands that lines of the plain face name, and the keys that stand for them here."""


def react(desk: Desk, message: Message) -> Result:
    """Return the desk after a message, and what is to be done."""
    match message:
        case Key(key, text):
            return keys.press(desk, key, text)
        case Tick(seconds):
            return _tick(desk, seconds), ()
        case Tables(tables, blind):
            return replace(lobby.held(desk), tables=tables, blind=blind), ()
        case Shelf(past):
            # They come first into a fresh lobby: unless something is chosen, or tables are being read, they have the choice.
            return replace(lobby.held(desk) if desk.tables else desk, past=past), ()
        case Steps(steps):
            return replace(desk, page=Page.REPLAY, steps=steps, step=0, busy=""), ()
        case Wrong(why):
            return replace(desk, notice=why), ()
        case Ended(why):
            # What was the matter is to be read, but nothing else of an evening that is over.
            fresh = _cleared(desk)
            stays = desk.page in (Page.PAST, Page.REPLAY)
            return replace(fresh, page=desk.page if stays else Page.LOBBY, steps=desk.steps, notice=why), ()
        case Parted(seat):
            gone = _("{who} has gone.").format(who=desk.match.names[seat])
            return replace(desk, again=tuple(other for other in desk.again if other != seat), notice=gone), ()
        case Said(seat, text, phrase):
            if desk.done and phrase and text == AGAIN and seat not in desk.again:
                desk = replace(desk, again=(*desk.again, seat))
            return with_remark(desk, Remark(seat, text, phrase)) if desk.hears(seat) else desk, ()
    return _hear(desk, message)


def _cleared(desk: Desk) -> Desk:
    """Return a desk without what was on it, but what outlasts an evening."""
    fresh = Desk(settings=desk.settings, called=desk.called, fingerprint=desk.fingerprint, ascii=desk.ascii)
    return replace(fresh, past=desk.past, form=desk.form)


def _hear(desk: Desk, message: Message) -> Result:
    """Take in what comes from the table."""
    before = desk.match
    match, commands = update(before, message)
    desk = replace(desk, match=match)
    if isinstance(message, News | Stored):
        desk = replace(desk, waited=_waited(desk, message))
    if desk.overlay is not None and desk.overlay.kind == "without" and not desk.match.late:
        desk = replace(desk, overlay=None)
    if desk.done and desk.overlay is not None and desk.overlay.kind in keys.ASKED:
        desk = replace(desk, overlay=None)  # what it asks is asked no more
    past = isinstance(message, News) and message.past
    told = [] if past else _lines(before, message, match)
    if isinstance(message, Words):  # read aloud from a sheet, and then done with
        said = _("Read them aloud to each other. The same on both screens? `t`: trust that player. ✓ marks whom you trust.")
        overlay = Overlay("words", _("Words to compare"), (said,) if message.of else tuple(told))
        return replace(desk, overlay=overlay, compared=message.of), commands
    desk = replace(desk, log=(*desk.log, *told)[-LOG:])
    match message:
        case Lobby() if match.phase is Phase.LOBBY:
            return replace(desk, page=Page.GATHER, busy=""), commands
        case Seated():
            fresh = replace(_cleared(desk), page=Page.PLAY, match=match, muted=desk.muted)
            reading = desk.overlay if desk.overlay and desk.overlay.kind == "words" else None  # aloud, perhaps
            return replace(fresh, overlay=reading, compared=desk.compared if reading else {}), commands
        case News(event) if not past:
            return _news(desk, before, event, told, commands)
        case Notice("table-open" | "next-invite", params):
            return replace(desk, invite=str(params["invite"])), commands
        case TimeLeft():
            return replace(desk, notice=told[-1]), (*commands, *_ring(desk))
        case Notice() | Refused() | Trusted():
            return replace(desk, notice=told[-1] if told else desk.notice), commands
        case Stored() if match.phase is Phase.OVER:
            return replace(desk, notice=""), commands
    return desk, commands


def _lines(before: Model, message: Message, after: Model) -> list[str]:
    """Return what the plain face says; the question is not needed where the table is in sight."""
    if isinstance(message, News) and isinstance(message.event, (Asked, Dealt)):
        return []
    if isinstance(message, Notice) and message.id == "shuffles":
        return []  # the line of the turn says it, for as long as it lasts
    if isinstance(message, Away):
        return [_("{who} is away: no link. The table waits.").format(who=after.names[message.seat])]
    if isinstance(message, Stored) and not after.accused:
        sealed = later("The log is signed by all: `sobremesa verify` checks it, and it stands among the past matches.")
        not_sealed = later("The log is not signed by all: `sobremesa verify` checks it, and it stands among the past matches.")
        return [_(sealed if message.sealed else not_sealed)]
    found = lines(before, message, after)
    if isinstance(message, Refused):
        found = found[:1]  # what may be done instead is in sight, and would hide the reason
    for command, key in TYPED.items():
        found = [line.replace(command, key) for line in found]
    return found


def _waited(desk: Desk, message: Message) -> dict[Seat, float]:
    """Return for how long the table has waited for people, and for us if it can be voted on: a seat that moves begins anew."""
    match = desk.match
    counted = {*desk.company, *((match.seat,) if match.asked and match.votes_needed and desk.company else ())}
    moved = message.event.seat if isinstance(message, News) and isinstance(message.event, Moved) else None
    before = {seat: since for seat, since in desk.waited.items() if seat != moved}
    return {seat: before.get(seat, 0.0) for seat in match.waiting if seat in counted and not desk.done}


def _news(desk: Desk, before: Model, event: object, told: list[str], commands: tuple[Command, ...]) -> Result:
    screen, scene = screen_of(desk.match.game), scene_of(desk)
    more: tuple[Command, ...] = ()
    if desk.match.asked and not before.asked:
        desk = replace(desk, picked=desk.picked.back())
        if line := screen.answer(scene):
            desk, said_so = keys.say(desk, line)
            return desk, (*commands, *said_so)
        more = _ring(desk)
    match event:
        case Moved():
            desk = replace(desk, counting=False, notice="", moved=told[0] if told else "")
            desk, more = _call(desk, screen.moment(scene, event), more)
        case Told(told_event):
            if isinstance(told_event, screen.count) and (counted := screen.counted(scene, told_event)):
                last = (desk.moved,) if desk.moved and not screen.retold else ()
                desk = replace(desk, count=(*(desk.count if desk.counting else last), *counted), counting=True)
            desk, more = _call(desk, screen.moment(scene, told_event), more)
        case Voted(_seat, without) if without == desk.match.seat:
            desk, more = replace(desk, notice=told[-1]), _ring(desk)
        case Accused():
            desk, more = replace(desk, overlay=Overlay("alarm", _("This does not verify"), tuple(told))), _ring(desk)
        case Differs():
            desk, more = replace(desk, overlay=Overlay("alarm", _("The match cannot go on."), tuple(told))), _ring(desk)
    return desk, (*commands, *more)


def _call(desk: Desk, call: str | Moment, more: tuple[Command, ...]) -> Result:
    """Show a moment, if there is one, and ring for it."""
    if not call:
        return desk, more
    return replace(desk, moment=Moment(call) if isinstance(call, str) else call), _ring(desk)


def _ring(desk: Desk) -> tuple[Command, ...]:
    return (Ring(),) if desk.settings.sound and not desk.match.auto else ()


def _tick(desk: Desk, seconds: float) -> Desk:
    waited = {seat: since + seconds for seat, since in desk.waited.items()}
    moment = desk.moment
    if moment is not None:
        moment = replace(moment, age=moment.age + seconds) if moment.age + seconds < BANNER else None
    aged = (replace(remark, age=remark.age + seconds) for remark in desk.remarks)
    return replace(desk, waited=waited, moment=moment, remarks=tuple(remark for remark in aged if remark.age < REMARK))
