"""A visitor as its owner knows it, and the code that is shown for one."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field

import trio

from client.storage.home import StoreError, open_home
from client.storage.resume_record import look_through
from client.storage.visitors import VisitorHome
from client.ui.phone import messages
from client.ui.phone.hosted import News, Stopped
from p2p.net.names import clean_name

READ_S = 1.0
"""Seconds for which digits that come after others must have been on the screen."""


@dataclass
class Person:
    """A visitor, as its owner knows it."""

    home: VisitorHome
    nick: str
    unfinished: bool = False
    """Whether a match waited for it when we began."""
    doing: messages.Doing | None = None
    connection: int | None = None
    """The connection of its phone."""
    player: bytes = b""
    """The id of its player."""
    voucher: bytes = b""
    """Our signature for its seats."""
    second: bool = False
    """Whether a second phone has come with its last code."""
    knows: list[bytes] = field(default_factory=list)
    """The players whose phones are away, as its program was told last."""
    timer: trio.CancelScope = field(default_factory=trio.CancelScope)
    """The time of its last code, which goes on when that was used: a second phone is told so."""

    @property
    def id(self) -> str:
        """The name of its home."""
        return self.home.path.name

    @property
    def name(self) -> str:
        """Its nick without the signs of our own sentences: its player may have chosen any."""
        return clean_name(self.nick)

    @property
    def asleep(self) -> bool:
        """Whether its player sits at a table, and its phone is away."""
        return self.doing is not None and bool(self.doing.game) and self.connection is None

    def hear(self, news: News) -> None:
        """Note the news of its own."""
        match news:
            case messages.Entered(connection):
                self.connection = connection
            case messages.Doing(nick):
                self.doing, self.nick = news, nick
            case Stopped():
                self.knows = []

    def miss(self) -> None:
        """Note that its phone is away."""
        self.connection = None

    def call(self, nick: str) -> None:
        """Rename it."""
        self.nick = nick

    def rest(self) -> None:
        """Note that its program has ended."""
        self.doing = self.connection = None
        self.knows = []
        with suppress(StoreError):
            self.unfinished = waits(self.home)

    def begin_timer(self) -> trio.CancelScope:
        """Begin the time of a new code; that of an earlier one is over."""
        self.timer.cancel()
        self.timer, self.second = trio.CancelScope(), False
        return self.timer

    def hears_of_a_second_phone(self) -> bool:
        """Note that a second phone has come with a code; return whether it is the first to do so.

        It may come again and again, and is worth one sentence.
        """
        new, self.second = not self.second, True
        return new


@dataclass
class ShownCode:
    """The code that can be seen."""

    person: Person
    letters: str = field(default="", repr=False)
    again: bool = False
    since: float = math.inf
    late: bool = False
    silent: bool = False
    waits: messages.Asks | None = None
    """The phone that must be let in."""
    asked: int = 0
    """How many phones have asked to be let in."""
    waits_since: float = math.inf

    def begin(self, letters: str) -> None:
        """Be good from now on, with these letters."""
        self.letters, self.since, self.waits = letters, trio.current_time(), None
        self.late = self.silent = False

    def end(self) -> None:
        """Be void, because its time is over."""
        self.late = True

    def hear_silence(self, *, silent: bool) -> bool:
        """Note whether no phone has asked for anything; return whether that is new."""
        new, self.silent = silent != self.silent, silent
        return new

    def let_wait(self, asks: messages.Asks | None) -> None:
        """Note which phone waits until it is let in."""
        self.waits, self.waits_since = asks, trio.current_time()
        self.asked += asks is not None

    def is_seen(self, digits: str) -> bool:
        """Whether these are the digits of the phone that waits, and its owner can have read them.

        Somebody with a photo of the code, who can break connections, could take the place of
        another phone in the moment in which that is let in.
        """
        if self.waits is None or self.waits.digits != digits:
            return False
        return self.asked < 2 or trio.current_time() - self.waits_since >= READ_S

    def drop(self, connection: int) -> None:
        """Forget a phone that waited, if it was on this connection."""
        if self.waits is not None and self.waits.connection == connection:
            self.waits = None


def waits(home: VisitorHome) -> bool:
    """Return whether a match of a visitor is not finished. Raises StoreError."""
    return bool(look_through(open_home(home.path))[0])
