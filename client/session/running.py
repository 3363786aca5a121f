"""What the commands that play have in common: who sits here, how they are found, and the evening itself."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager

import trio

from client.commands.common import number
from client.i18n.translation import Name, _, later
from client.session.match import Outcome, Party
from client.session.messages import Message, Notice
from client.session.player import Player
from client.session.setup import Seating
from client.session.status import RefusedError, Status, Stop, VersionError
from client.storage.home import Home
from client.storage.nicks import nick_of
from client.storage.settings import read_settings
from crypto.identity import Identity
from crypto.transcript import digest
from crypto.wordlist import WORDS
from p2p.net.discovery import Discovery, open_discovery
from p2p.net.errors import NoDiscovery
from p2p.net.text import clean
from p2p.table.lobby import Chair, Refused

PACE = 0.7
"""Seconds that a computer player thinks when people play with it."""

_VERSIONS = {
    "other-protocol": later("they speak another version of the protocol; {update}"),
    "unknown-game": later("they play a game that this version does not know; {update}"),
    "other-rules": later("they play by another version of the rules; {update}"),
    "bad-option": later("they play with options that this version does not know; {update}"),
}

Evening = Callable[[Party], Awaitable[Outcome]]


def add_seat_arguments(parser: ArgumentParser, *, nick: bool = True, listen: bool = True) -> None:
    """Let a parser take what says who sits in our seat."""
    if nick:
        parser.add_argument(
            "--nick",
            metavar="NICK",
            help=_("what the others call you; otherwise the name in the settings, or the one you log in with"),
        )
    parser.add_argument(
        "--auto", action="store_true", help=_("let a computer player take my seat; nothing is read from the keyboard")
    )
    parser.add_argument("--brief", action="store_true", help=_("tell only what happens once a deal"))
    if listen:
        about = _("listen on this port; otherwise 47747 or one near it")
        parser.add_argument("--port", metavar="P", type=number(1, 65535), help=about)


def seat_me(home: Home, args: Namespace) -> Seating:
    """Return our own seat, with a computer player on it if that was asked for."""
    return Seating(Chair(home.identity(), nick_of(args, read_settings(home.path).nick), os.urandom), bot=args.auto)


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


async def spend(party: Party, player: Player, evening: Evening, *, auto: bool) -> int:
    """Play with this player, and return the exit status. Refused and store errors end it with their sentence."""
    outcome: Outcome | None = None
    player.party = party
    try:
        async with trio.open_nursery() as nursery:
            player.stop = nursery.cancel_scope.cancel
            if not auto:
                nursery.start_soon(player.read)
            outcome = await evening(party)
            nursery.cancel_scope.cancel()
    finally:
        if outcome is None and party.sitting is not None:
            player.tell(Notice("unfinished", {"log": party.sitting.files.log}))
        elif outcome is None and party.waits:
            player.tell(Notice("signed"))
    if outcome is None:
        return Status.OK if player.quit is None else player.quit
    return Status.OK if outcome.sealed or outcome.left else Status.FAILED


async def once_more(player: Player) -> bool:
    """Whether our player wants another match with the same table. As long as that is open, what is said there is heard."""
    async with trio.open_nursery() as nursery:
        if player.party is not None:
            nursery.start_soon(player.party.linger)
        wanted = await player.again()
        nursery.cancel_scope.cancel()
    return wanted


def refusal(error: Refused) -> Stop:
    """Return the sentence for why a table cannot be joined, and with it the exit status."""
    if error.why in _VERSIONS:
        return VersionError(_other_version(error))
    if error.why in ("changed-key", "blocked") and error.details:  # we refuse them; without details they refuse us
        return RefusedError(kept_out(error))
    sentences = {
        "full": _("the table is full"),
        "not-invited": _("the table is private: ask for an invite"),
        "already-seated": _("that key already sits at this table"),
        "not-as-shown": _("the host proposed other terms than it had shown; nothing was signed"),
        "changed-key": _(
            "they know somebody else by your nick: take another (--nick, or Settings), or let them compare fingerprints"
        ),
        "blocked": _("they do not want to play with that key"),
        "cannot-return": _("you sat at this table before and left; this version cannot go back into a match"),
        "not-signed": _("the table did not hear that you agree to its terms, and gave your seat to others"),
        "too-soon": _("the terms of that table were not signed from your address: try again in a while"),
        "playing": _("they play already; the table is closed"),
        "no-table": _("nobody has opened a table there"),
        "no-spectators": _("nobody may look on at that match: its players have agreed on that"),
        "too-many": _("as many look on there already as may"),
        "other-match": _("they have gone on to another match"),
        "spoiled": _("what was shown of that match is not what its players have signed; it was left"),
        "no-answer": _("who answers there shows no table"),
        "host-gone": _("whoever opened the table has gone"),
        "never-begun": _("that match has never begun: not all had signed its terms"),
        "reopened": _("somebody went before the match began, and the table was opened again: join once more"),
    }
    return RefusedError(sentences.get(error.why, _("the table cannot be joined: {why}").format(why=clean(error.why, 40))))


def kept_out(error: Refused) -> str:
    """Return the sentence for why we will not sit at a table with somebody."""
    nick, letters, *present = error.details
    who = Name(nick)
    if error.why == "blocked":
        return _("{who} ({id}) sits there, whom you have blocked").format(who=who, id=letters)
    sentence = _(
        "This is not the {who} whom you trust: the key is {present}, and theirs was {trusted}. Ask {who}, not this table, "
        "whether they have a new one. Only if so: sobremesa peers forget {trusted}"
    )
    return sentence.format(who=who, present=present[0], trusted=letters)


def _other_version(error: Refused) -> str:
    """Say which side must update. The details are (…, theirs, ours), where both are known."""
    here, there = _("update Sobremesa here"), _("ask them to update")
    numbers = [number for number in error.details if type(number) is int]
    which = here if len(numbers) < 2 or numbers[0] > numbers[1] else there
    return _(_VERSIONS[error.why]).format(update=which)


@asynccontextmanager
async def discovery_or_none(
    interface: str | None, tell: Callable[[Message], None], known: Collection[bytes] = ()
) -> AsyncIterator[Discovery | None]:
    """Find and be found, or, where that cannot be, say why and go on without.

    No flood of forged adverts hides the tables of `known` players.
    """
    async with AsyncExitStack() as stack:
        found: Discovery | None = None
        try:
            found = await stack.enter_async_context(open_discovery(interface, known))
        except NoDiscovery as error:
            tell(Notice("no-discovery", {"error": _(error.reason)}))
        yield found
