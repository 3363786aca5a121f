"""A session as the host: open a table on the network or alone, fill it, play, and play again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import trio

from client.i18n.sentences import facts_of
from client.i18n.translation import language
from client.session.admission import Admission, online
from client.session.context import Context
from client.session.inviting import Inviter
from client.session.match import MatchSession
from client.session.messages import Notice
from client.session.player import Player
from client.session.running import (
    chosen_characters,
    discovery_or_none,
    once_more,
    play_match,
    seat_bots,
    table_name,
)
from client.session.seeking import Seeker
from client.session.setup_rules import LocalPlayer, SetupRules
from client.session.table_choices import LIMIT_S
from crypto.chance import Entropy
from engine.core.moves import Seat
from engine.games import complete_options, game_class
from p2p.net.discovery import Discovery
from p2p.net.errors import NoDiscovery
from p2p.net.invite import SECRET
from p2p.net.sighting import Advert, seat_advert
from p2p.net.tasks import background
from p2p.table.admission import Invited
from p2p.table.house import USUAL, House
from p2p.table.lobby import Draft
from p2p.wire import PROTOCOL

ANNOUNCE_AGAIN_S = 5.0
"""Seconds until a failed announcement is tried again."""


@dataclass(frozen=True)
class Opening:
    """A table to open. `options` may be incomplete."""

    game: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    bots: int = 0
    computers: Sequence[str] = ()
    """Words for the computer players (`client.session.characters`); none means the default ones."""
    name: str = ""
    """If empty, a name is made up."""
    limit: int = LIMIT_S
    private: bool = False
    spectators: bool = False
    several: bool = False
    """Whether guests may bring computer players."""
    house: House = USUAL
    held: bool = False
    """Whether a full table waits for our player to begin."""

    def draft(self, entropy: Entropy) -> Draft:
        """Return the table with all seats free. Raises BadOption."""
        options = complete_options(self.game, self.seats, dict(self.options))
        rules = game_class(self.game).version
        seats = (None,) * self.seats
        return Draft(
            self.name or table_name(entropy),
            self.game,
            rules,
            options,
            self.limit,
            self.spectators,
            seats,
            self.private,
            self.several,
            self.house,
        )


async def play_alone(context: Context, player: Player, me: LocalPlayer, opening: Opening) -> int:
    """Play against computer players in this process until our player stops.

    Return the exit status of the last match.
    """
    local_players = _company(context, me, opening, opening.seats - 1)
    rules = SetupRules(timed=not me.bot)
    wishes: dict[bytes, Seat] = {}
    while True:
        match_session = MatchSession(context, None, local_players, player.tell, rules)
        enter = partial(match_session.host, opening.draft(context.entropy), wishes=wishes)
        status = await play_match(match_session, player, enter)
        if not await player.again():
            return status
        wishes = moved_on(match_session)


async def open_table(context: Context, player: Player, me: LocalPlayer, opening: Opening) -> int:
    """Open a table on the network, and play until our player stops.

    Return the exit status of the last match.
    """
    async with online(context, player.tell) as admission:
        return await host_at(admission, player, me, opening)


async def host_at(
    admission: Admission,
    player: Player,
    me: LocalPlayer,
    opening: Opening,
    welcome: Collection[bytes] = (),
) -> int:
    """Open a table where we already listen, and play until our player stops.

    Return the exit status. The `welcome` players need no invite to a private table.
    """
    context, mesh = admission.context, admission.mesh
    local_players = _company(context, me, opening, opening.bots)
    own = context.identity.id
    opening = replace(opening, name=opening.name or table_name(context.entropy))
    inviter = Inviter(mesh, own, player.tell)
    async with (
        discovery_or_none(context, player.tell) as discovery,
        background() as nursery,
    ):
        nursery.start_soon(inviter.run)
        announcer: Announcer | None = None
        if discovery is not None:
            announcer = Announcer(admission, me.seat_request.nick, discovery)
            nursery.start_soon(announcer.run)

        def changed(draft: Draft, secret: bytes, begins: bool) -> None:
            inviter.changed(draft, secret)
            if announcer is not None:
                announcer.changed(draft, begins)

        rules = SetupRules(
            admission.check_guests,
            changed,
            held=opening.held,
            private=opening.private,
            invited=Invited(),
            welcome=welcome,
            timed=not me.at_once,
            computers=opening.computers,
        )
        seeker = Seeker(own if discovery is None else None, context, discovery)
        wishes: dict[bytes, Seat] = {}
        before: MatchSession | None = None
        while True:
            match_session = MatchSession(
                context, mesh, local_players, admission.remembering(), rules
            )
            if before is not None:
                match_session.router.presence.follow_on(before.router.presence)
                match_session.router.spectators.follow_on(before.router.spectators)
            before = match_session
            secret = context.entropy(SECRET)
            inviter.open(opening.name, secret)
            draft = opening.draft(context.entropy)
            enter = partial(match_session.host, draft, secret, wishes)
            status = await play_match(match_session, player, enter, admission, seeker)
            if announcer is not None:
                announcer.over()
            if not await once_more(player):
                return status
            local_players = list(match_session.setup.local_players)
            wishes = moved_on(match_session)


def _company(context: Context, me: LocalPlayer, opening: Opening, count: int) -> list[LocalPlayer]:
    """Return our player and the computer players of a table."""
    characters = chosen_characters(context, opening.game, opening.computers, count)
    return [me, *seat_bots(context, characters, [me.seat_request.nick])]


def moved_on(match_session: MatchSession) -> dict[bytes, Seat]:
    """Return the seats of the next match, by public key: the next player gets the first seat."""
    agreement = match_session.setup.agreement
    places = agreement.terms.participants if agreement is not None else ()
    return {place.public: (seat - 1) % len(places) for seat, place in enumerate(places)}


class Announcer:
    """The announcements of a table on the LAN: only the newest state, repeated until it succeeds.

    A private table announces only its host's key and addresses, so that a guest finds the host if
    the addresses in its invite are out of date.
    """

    def __init__(self, admission: Admission, nick: str, discovery: Discovery) -> None:
        self._admission, self._nick, self._discovery = admission, nick, discovery
        self._newest: Advert | None = None
        self._unsaid = trio.Event()
        """Set if the newest state was not announced yet."""

    def changed(self, draft: Draft, begins: bool) -> None:
        """Announce the table as it is now."""
        advert = self._advert(draft, begins)
        if advert != self._newest:
            self._newest = advert
            self._unsaid.set()

    def _advert(self, draft: Draft, begins: bool) -> Advert:
        own, port = self._admission.context.identity.id, self._admission.mesh.port
        if draft.private:
            return seat_advert(own, port, PROTOCOL)
        full = "playing" if begins else "full"
        return Advert(
            id=own,
            nick=self._nick,
            game=draft.game,
            table=draft.table,
            seats_taken=draft.taken,
            seats=len(draft.seats),
            state="open" if draft.taken < len(draft.seats) else full,
            port=port,
            protocol=PROTOCOL,
            language=language(),
        )

    def over(self) -> None:
        """Stop announcing the table: its match is over, and nobody can sit down or watch."""
        self._newest = None
        self._unsaid.set()

    async def run(self) -> None:
        """Announce every state, until cancelled; tell our player once if that fails."""
        failed = False
        while True:
            await self._unsaid.wait()
            self._unsaid = trio.Event()
            try:
                if self._newest is None:
                    await self._discovery.withdraw()
                else:
                    await self._discovery.advertise(self._newest)
                failed = False
            except NoDiscovery as error:
                if not failed:  # players who know the address or the invite still come
                    reason = facts_of(error)["reason"]
                    self._admission.tell(Notice("no-discovery", {"error": reason}))
                failed = True
                await trio.sleep(ANNOUNCE_AGAIN_S)
                self._unsaid.set()
