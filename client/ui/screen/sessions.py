"""The sessions of the full screen: the function that carries out each command of the lobby.

The only file through which the full screen knows the network and the table, so that it is drawn
before they are loaded.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import trio

from client.i18n.translation import _
from client.session.abandoning import leave_for_good
from client.session.analysis import NoAnalysisError
from client.session.context import Context
from client.session.departures import show_departures
from client.session.hosting import Opening, open_table, play_alone
from client.session.joining import join_table
from client.session.lan import Lan
from client.session.lesson import teach
from client.session.match import MatchSession
from client.session.messages import Command, Message
from client.session.player import Player
from client.session.resuming import resume_match
from client.session.route import Route, direct
from client.session.running import chosen_characters, seat_bots
from client.session.setup_rules import LocalPlayer, own_seat
from client.session.spectator.watching import watch_match
from client.session.status import NetworkError, Status, UsageError
from client.session.thinking import NoThinkerError, raters_apart
from client.storage.deletion import delete_match
from client.storage.history import HistoryReader
from client.storage.resume_record import ResumeRecord, look_through
from client.ui.analysis import refusal
from client.ui.games import lesson_named
from client.ui.replay import NONE, Shares, analysis_of, shares_beside, steps_of
from client.ui.screen import opening
from client.ui.screen.kept import Form
from client.ui.screen.messages import (
    Abandon,
    Analyse,
    Analysed,
    Analysing,
    Delete,
    Join,
    Learn,
    Open,
    OpenLog,
    Resume,
    Steps,
    Watch,
)
from crypto.identity import player_id
from engine.bots import RATERS
from engine.bots.player import Rater
from engine.core.moves import Seat
from p2p.table.house import House
from p2p.table.lobby import TableRefused

__all__ = ["HistoryReader", "Lan", "open_log", "seat_computers", "session_of", "show_departures"]

Session = Callable[[Player], Awaitable[int]]


def session_of(context: Context, command: Command, nick: str, lan: Lan) -> Session:
    """Return the session that a command asks for."""
    me = LocalPlayer(own_seat(context, nick))

    async def spend(player: Player) -> int:
        if context.limits is not None and isinstance(command, Open | Join):
            await trio.to_thread.run_sync(context.limits.begin)
        match command:
            case Learn(name):
                return await teach(player, lesson_named(name).course, nick)
            case Open(form) if form.company == "computer":
                return await play_alone(context, player, me, opening_of(form))
            case Open(form):
                return await open_table(context, player, me, opening_of(form))
            case Join(where):
                # on the owner's machine we know whose table that is
                held = not context.machine or where != player_id(context.machine)
                return await join_table(
                    context, player, me, _finder(context, where, lan), held=held
                )
            case Watch(where):
                return await watch_match(context, player, _finder(context, where, lan), auto=False)
            case Resume(match):
                resume_record = _unfinished(context, match)
                return await resume_match(context, player, resume_record, auto=False)
            case Abandon(match):
                await trio.to_thread.run_sync(leave_for_good, context, _unfinished(context, match))
            case Delete(match):
                await trio.to_thread.run_sync(delete_match, context.home, match)
        return Status.OK

    return spend


async def open_log(
    context: Context, command: OpenLog | Analyse, tell: Callable[[Message], None]
) -> None:
    """Read or analyse a log, as a command asks. Raises Stop."""
    shares, notice = await trio.to_thread.run_sync(shares_beside, command.path, context.home.path)
    if isinstance(command, Analyse):
        await _analyse(command.path, command.seat, tell, shares)
        return
    found = await trio.to_thread.run_sync(
        steps_of, command.path, context.identity.id, shares, abandon_on_cancel=True
    )
    steps = tuple(step for _record, step in found)
    tell(Steps(steps, tuple(record for record, _step in found), command.path, notice))
    if command.analysis and steps and (seat := steps[0][0].seat) is not None:
        await _analyse(command.path, seat, tell, shares)


def _unfinished(context: Context, match: str) -> ResumeRecord:
    """Return the record of a match that is not finished. UsageError if there is none."""
    found = next((one for one in look_through(context.home)[0] if one.name == match), None)
    if found is None:
        raise UsageError(_("there is no unfinished match to resume"))
    return found


async def _analyse(
    path: str, seat: Seat, tell: Callable[[Message], None], shares: Shares = NONE
) -> None:
    """Analyse a match in a thread, which ends soon when the session is cancelled.

    The choices are rated in a process of their own, if there can be one.

    Raises Stop.
    """

    def progress(done: int, whole: int) -> None:
        trio.from_thread.check_cancelled()
        trio.from_thread.run_sync(tell, Analysing(done, whole))

    async def analyse(raters: Mapping[str, Rater]) -> None:
        made = await trio.to_thread.run_sync(
            analysis_of, path, seat, progress, shares, raters, abandon_on_cancel=True
        )
        tell(Analysed(made))

    try:
        try:
            async with raters_apart() as raters:
                await analyse(raters)
        except NoThinkerError:
            await analyse(RATERS)
    except NoAnalysisError as error:
        raise UsageError(refusal(error)) from error


def opening_of(form: Form) -> Opening:
    """Return the table that a form asks for."""
    return Opening(
        form.game,
        form.seats,
        form.options,
        form.bots,
        (form.computers,) if form.computers else (),
        form.name,
        form.limit,
        private=form.company == "invite",
        spectators=form.spectators,
        several=form.several,
        house=House(form.hints, form.partner if opening.partners_answer(form) else 0),
        held=form.company != "computer",
    )


def _finder(context: Context, where: str | bytes, lan: Lan) -> Callable[[], Awaitable[Route]]:
    """Return a function that finds the route to a table that was seen, or to a typed address."""
    typed = direct if context.limits is None else context.limits.route

    async def find() -> Route:
        route = lan.route_to(where) if isinstance(where, bytes) else typed(where)
        if route is None and isinstance(where, bytes):
            raise NetworkError(_("that table is not there any more"))
        if route is None:
            raise UsageError(_("{text!r} is neither an address nor an invite").format(text=where))
        return route

    return find


def seat_computers(match_session: MatchSession, context: Context, count: int) -> None:
    """Let `count` computer players sit at the table that we have opened.

    If guests were faster, the table shows them instead.

    Those that sit there stay.
    """
    setup = match_session.setup
    assert setup.table is not None
    bots = [one for one in setup.local_players if one.bot]
    seated = [one.character for one in bots]
    characters = chosen_characters(context, setup.table.game, setup.computers, count, seated)
    computers = {one.seat_request.identity.public for one in bots}
    people = [place.nick for place in setup.table.seats if place and place.public not in computers]
    try:
        setup.seat_computers(seat_bots(context, characters, people))
    except TableRefused:
        return
