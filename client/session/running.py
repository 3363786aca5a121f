"""Parts shared by all sessions: computer players, discovery, playing until the player stops."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from client.i18n.sentences import facts_of
from client.i18n.table_words import table_words
from client.i18n.translation import _
from client.session.admission import Admission
from client.session.characters import nicks_for, seat_characters
from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message, Notice
from client.session.player import Player
from client.session.seeking import Seeker
from client.session.setup_rules import LocalPlayer
from client.session.status import Status
from client.storage.computers import NICK, computer_identity
from crypto.chance import Entropy, below
from p2p.net.discovery import Discovery, open_discovery
from p2p.net.errors import NoDiscovery
from p2p.net.tasks import background
from p2p.table.lobby import SeatRequest
from p2p.table.table import Table
from p2p.table.terms import COMPUTER, vouch


def seat_bots(
    context: Context, characters: Sequence[str], others: Iterable[str]
) -> list[LocalPlayer]:
    """Return seats for these characters, whose nicks differ from `others`.

    Each signs with a key of its own, which only this home can derive again.
    """
    local_players = []
    for name, nick in zip(characters, nicks_for(characters, others, _(NICK)), strict=True):
        nonce, owner = context.entropy(16), context.identity
        computer = computer_identity(owner, nonce)
        voucher = vouch(owner, computer.public)
        request = SeatRequest(
            computer, nick, context.entropy, nonce, COMPUTER, owner.public, voucher
        )
        local_players.append(LocalPlayer(request, bot=True, character=name))
    return local_players


def chosen_characters(
    context: Context, game: str, wanted: Sequence[str], count: int, seated: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the characters of `count` computer players (`client.session.characters`).

    Those of one strength are chosen at random.
    """
    return seat_characters(game, wanted, count, lambda bound: below(bound, context.entropy), seated)


def table_name(entropy: Entropy) -> str:
    """Return a fresh name for a table, easy to say in the language of our player."""
    pick, words = int.from_bytes(entropy(8), "big"), table_words()
    return f"{words[pick % len(words)]}-{10 + pick // len(words) % 90}"


async def play_match(
    match_session: MatchSession,
    player: Player,
    enter: Callable[[], Awaitable[Table]],
    admission: Admission | None = None,
    seeker: Seeker | None = None,
) -> int:
    """Play a match with this player, and return the exit status."""
    table: Table | None = None
    player.sit_down(match_session, admission)
    try:
        async with background() as nursery:
            if not all(local_player.bot for local_player in match_session.setup.local_players):
                nursery.start_soon(player.read)
            if seeker is not None:
                nursery.start_soon(match_session.seek, seeker)
            table = await enter()
    finally:
        local_seats = match_session.local_seats
        if table is None and local_seats is None and match_session.waits:
            player.tell(Notice("signed"))
        elif table is None and local_seats is not None and not local_seats.finished:
            player.tell(Notice("unfinished", {"log": local_seats.files.log}))
    return Status.OK if table.sealed or table.out else Status.FAILED


async def once_more(player: Player) -> bool:
    """Return whether our player wants another match at the same table.

    Until the answer, handle the messages of that table.
    """
    async with background() as nursery:
        if player.match_session is not None:
            nursery.start_soon(player.match_session.linger)
        return await player.again()


@asynccontextmanager
async def discovery_or_none(
    context: Context, tell: Callable[[Message], None], known: Collection[bytes] = ()
) -> AsyncIterator[Discovery | None]:
    """Open discovery; if it is not available, say why and yield None.

    No flood of forged adverts hides the tables of `known` players.
    """
    async with AsyncExitStack() as stack:
        found: Discovery | None = None
        try:
            opened = open_discovery(context.interface, known, context.note_error)
            found = await stack.enter_async_context(opened)
        except NoDiscovery as error:
            tell(
                Notice("no-discovery", {"error": facts_of(error)["reason"], "reason": error.reason})
            )
        yield found
