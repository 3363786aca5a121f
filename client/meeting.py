"""What the commands that play have in common: who sits here, how they are found, and the evening itself."""

from __future__ import annotations

import getpass
import os
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import trio

from client.app import Outcome, Party
from client.commands.common import number
from client.console import Console
from client.gathering import Seating
from client.messages import Message, Notice
from client.status import RefusedError, Status, Stop
from client.store import Home
from client.words import _
from crypto.identity import Identity
from crypto.transcript import digest
from crypto.wordlist import WORDS
from p2p.net.discovery import Discovery, open_discovery
from p2p.net.errors import NoDiscovery
from p2p.net.text import clean
from p2p.table.lobby import Chair, Refused
from p2p.table.terms import NICK_BYTES

NICK = 24
"""Columns of a nick."""
PACE = 0.7
"""Seconds that a computer player thinks when people play with it."""

Evening = Callable[[Party], Awaitable[Outcome]]


def add_seat_arguments(parser: ArgumentParser, *, listen: bool = True) -> None:
    """Let a parser take what says who sits in our seat."""
    parser.add_argument("--nick", metavar="NICK", help=_("what the others call you; otherwise the name you log in with"))
    parser.add_argument(
        "--auto", action="store_true", help=_("let a computer player take my seat; nothing is read from the keyboard")
    )
    parser.add_argument("--brief", action="store_true", help=_("tell only what happens once a deal"))
    if listen:
        about = _("listen on this port; otherwise 47747 or one near it")
        parser.add_argument("--port", metavar="P", type=number(1, 65535), help=about)


def nick_of(args: Namespace) -> str:
    """Return the nick to sit down with."""
    given: str | None = args.nick
    if given is None:
        with suppress(KeyError, OSError, ImportError):
            given = getpass.getuser()
    nick = clean(given or "", NICK)
    while len(nick.encode()) > NICK_BYTES:
        nick = clean(nick[:-1], NICK)
    return nick or _("somebody")


def seat_me(home: Home, args: Namespace) -> Seating:
    """Return our own seat, with a computer player on it if that was asked for."""
    return Seating(Chair(home.identity(), nick_of(args), os.urandom), bot=args.auto)


def seat_bots(home: Home, count: int) -> list[Seating]:
    """Return seats for computer players. Each signs with a key of its own, which only this home can make again."""
    seatings = []
    for place in range(1, count + 1):
        nonce = os.urandom(16)
        identity = Identity.from_seed(digest("bot", home.identity().seed, nonce)[:32])
        seatings.append(Seating(Chair(identity, _("Computer {number}").format(number=place), os.urandom, nonce), bot=True))
    return seatings


def table_name() -> str:
    """Return a fresh name for a table, easy to say."""
    pick = int.from_bytes(os.urandom(8), "big")
    return f"{WORDS[pick % len(WORDS)]}-{10 + pick // len(WORDS) % 90}"


async def spend(party: Party, console: Console, evening: Evening, *, auto: bool) -> int:
    """Play with the console as the face, and return the exit status. Refused and store errors end it with their sentence."""
    outcome: Outcome | None = None
    console.choose = party.choose
    async with trio.open_nursery() as nursery:
        console.stop = nursery.cancel_scope.cancel
        nursery.start_soon(_heed_signals, console)
        if not auto:
            nursery.start_soon(console.read)
        outcome = await evening(party)
        nursery.cancel_scope.cancel()
    if outcome is None:
        return Status.OK if console.quit is None else console.quit
    return Status.OK if outcome.sealed or outcome.left else Status.FAILED


async def _heed_signals(console: Console) -> None:
    """Who ends us from outside, or closes the window, gets the terminal back as it was."""
    names = ("SIGTERM", "SIGHUP")  # there is no SIGHUP on Windows
    with trio.open_signal_receiver(*(getattr(signal, name) for name in names if hasattr(signal, name))) as caught:
        async for number in caught:
            console.end(128 + number)


def refusal(error: Refused) -> Stop:
    """Return the sentence for why a table cannot be joined."""
    sentences = {
        "full": _("the table is full"),
        "not-invited": _("the table is private: ask for an invite"),
        "already-seated": _("that key already sits at this table"),
        "not-as-shown": _("the host proposed other terms than it had shown; nothing was signed"),
        "other-protocol": _("they speak another version of the protocol; the older side must update"),
        "cannot-return": _("you sat at this table before and left; this version cannot go back into a match"),
        "not-signed": _("the table did not hear that you agree to its terms, and gave your seat to others"),
        "playing": _("they play already; the table is closed"),
        "no-table": _("nobody has opened a table there"),
        "no-answer": _("who answers there shows no table"),
        "host-gone": _("whoever opened the table has gone"),
        "reopened": _("somebody went before the match began, and the table was opened again: join once more"),
        "unknown-game": _("they play a game that this version does not know; update Sobremesa here"),
        "other-rules": _("they play by another version of the rules; the older side must update"),
        "bad-option": _("they play with options that this version does not know; update Sobremesa here"),
    }
    return RefusedError(sentences.get(error.why, _("the table cannot be joined: {why}").format(why=clean(error.why, 40))))


@asynccontextmanager
async def discovery_or_none(args: Namespace, tell: Callable[[Message], None]) -> AsyncIterator[Discovery | None]:
    """Find and be found, or, where that cannot be, say why and go on without."""
    async with AsyncExitStack() as stack:
        found: Discovery | None = None
        try:
            found = await stack.enter_async_context(open_discovery(args.interface))
        except NoDiscovery as error:
            tell(Notice("no-discovery", {"error": _(error.reason)}))
        yield found
