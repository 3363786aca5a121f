"""The evenings of somebody who sits before the full screen: carries out what the desk asks for, and tells it what comes of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import trio

from client.app import Outcome, Party
from client.desk import Desk, Ended, Key, Play, Ring, Rise, Tick
from client.gathering import Seating
from client.meeting import PACE, seat_bots, spend, table_name
from client.messages import Act, Command, Compare, Leave, Message, Quit, Without
from client.react import react
from client.screens import pages
from client.screens.canvas import Canvas
from client.status import Status, as_stop
from client.store import Home
from client.terminal import Screen
from engine.games import complete_options, game_class
from p2p.table.lobby import Chair, Draft

TICK = 0.1
"""Seconds between two steps of what moves."""


class Parlour:
    """A desk, the evening that it shows, and who plays: a face for `client.terminal` and for `client.meeting.spend`."""

    ascii = False
    colours = "auto"

    def __init__(self, home: Home, desk: Desk, first: Command | None = None) -> None:
        self.desk = desk
        self.quit: int | None = None
        self.choose: Callable[[int, Any], None] | None = None
        self.go_on_without: Callable[[], None] | None = None
        self.compare: Callable[[], None] | None = None
        self.stop: Callable[[], None] | None = None
        self._home = home
        self._screen: Screen | None = None
        self._wanted_in, self._wanted = trio.open_memory_channel[Command](8)
        self._moving = trio.Event()
        self._end: Callable[[], None] | None = None
        if first is not None:
            self._wanted_in.send_nowait(first)

    # For the terminal.

    def attach(self, screen: Screen) -> None:
        """Get to know the screen."""
        self._screen = screen

    def draw(self, columns: int, rows: int) -> Canvas:
        """Return what is to be seen."""
        return pages.draw(self.desk, columns, rows)

    def press(self, key: str, text: str) -> None:
        """Take a key."""
        self.tell(Key(key, text))

    # For the evening.

    def tell(self, message: Message) -> None:
        """Take a message in, show what it comes to, and do what follows from it."""
        self.desk, commands = react(self.desk, message)
        if self.desk.moment is not None:
            self._moving.set()
        if self._screen is not None:
            self._screen.redraw()
        for command in commands:
            self._obey(command)

    def end(self, status: int) -> None:
        """End the program with this status."""
        self.quit = status
        if self._end:
            self._end()

    async def read(self) -> None:
        """Wait: keys come by themselves."""
        await trio.sleep_forever()

    def _obey(self, command: Command) -> None:
        seat = self.desk.match.seat
        match command:
            case Act(move) if self.choose and seat is not None:
                self.choose(seat, move)
            case Leave() if self.choose and seat is not None:
                self.choose(seat, None)
            case Without() if self.go_on_without:
                self.go_on_without()
            case Compare() if self.compare:
                self.compare()
            case Quit(status):
                self.end(status)
            case Ring() if self._screen is not None:
                self._screen.bell()
            case Rise() if self.stop:
                self.stop()
            case Play():
                self._wanted_in.send_nowait(command)

    async def main(self) -> int:
        """Spend evening after evening until our player has had enough; return the exit status."""
        async with trio.open_nursery() as nursery:
            self._end = nursery.cancel_scope.cancel
            nursery.start_soon(self._tick)
            async for command in self._wanted:
                self.tell(Ended(await self._evening(command)))
        return Status.OK if self.quit is None else self.quit

    async def _tick(self) -> None:
        """Let time pass for what moves, and only while something does."""
        while True:
            await self._moving.wait()
            self._moving = trio.Event()
            while self.desk.moment is not None:
                await trio.sleep(TICK)
                self.tell(Tick())

    async def _evening(self, command: Command) -> str:
        """Spend an evening, and return a sentence if it has not ended as it should."""
        try:
            match command:
                case Play(form):
                    await self._alone(form)
        except Exception as error:
            stop = as_stop(error)
            if stop is None:
                raise
            return str(stop)
        return ""

    async def _alone(self, form: Any) -> int:
        """Play against computer players, in this process."""
        me = Seating(Chair(self._home.identity(), self.desk.settings.nick, os.urandom))
        options = complete_options(form.game, form.seats, dict(form.options))
        rules = game_class(form.game).version
        draft = Draft(table_name(), form.game, rules, options, limit=60, spectators=False, seats=(None,) * form.seats)
        party = Party(self._home, None, [me, *seat_bots(self._home, form.seats - 1)], os.urandom, self.tell, pace=PACE)

        async def evening(party: Party) -> Outcome:
            return await party.host(draft)

        return await spend(party, self, evening, auto=False)
