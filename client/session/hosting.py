"""A session as the host: open a table on the network or alone, fill it, play, and play again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import trio

from client.i18n.sentences import facts_of
from client.i18n.translation import language
from client.session.admission import Admission, online
from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message, Notice
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
from p2p.net.invite import MOST_ADDRESSES, Invite
from p2p.net.sighting import Advert
from p2p.table.lobby import Draft
from p2p.wire import PROTOCOL

SECRET_BYTES = 5
"""Bytes of an invite's secret."""


@dataclass(frozen=True)
class Opening:
    """A table to be opened. `options` need not be complete."""

    game: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    bots: int = 0
    computers: Sequence[str] = ()
    """Words for the computer players, as `client.session.characters` has them; none: the usual
    ones."""
    name: str = ""
    """Empty: one is made up."""
    limit: int = LIMIT_S
    private: bool = False
    spectators: bool = False
    held: bool = False
    """Whether a full table waits for our player to begin."""

    def draft(self, entropy: Entropy) -> Draft:
        """Return the table while all its seats are free. BadOption."""
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
    """Open a table where we listen already, and play until our player stops.

    Return the exit status.

    The `welcome` players need no invite to a private table.
    """
    context, mesh = admission.context, admission.mesh
    local_players = _company(context, me, opening, opening.bots)
    secret, own = context.entropy(SECRET_BYTES), context.identity.id
    rules = SetupRules(
        check=admission.check_guests,
        held=opening.held,
        private=opening.private,
        spent={},
        welcome=welcome,
        timed=not me.at_once,
        computers=opening.computers,
    )
    opening = replace(opening, name=opening.name or table_name(context.entropy))
    hosts = [host for host, _port in mesh.addresses() if "%" not in host][:MOST_ADDRESSES]
    invite = Invite(tuple(hosts), mesh.port, own[:10], secret)
    where = Notice("table-open", {"table": opening.name, "invite": str(invite), "port": mesh.port})
    async with (
        discovery_or_none(context.interface, player.tell) as discovery,
        trio.open_nursery() as nursery,
    ):
        wishes: dict[bytes, Seat] = {}
        before: MatchSession | None = None
        while True:
            listed = discovery is not None and not opening.private
            seeker = Seeker(None if listed else own, context.interface, discovery)
            if opening.private:
                rules = replace(rules, changed=_inviter(invite, player.tell))
            elif discovery is not None:
                rules = replace(
                    rules, changed=_announcer(admission, me.seat_request.nick, discovery, nursery)
                )
            match_session = MatchSession(
                context, mesh, local_players, admission.remembering(), rules
            )
            if before is not None:
                match_session.follow_on(before)
            before = match_session
            player.tell(where)
            enter = partial(match_session.host, opening.draft(context.entropy), secret, wishes)
            status = await play_match(match_session, player, enter, admission, seeker)
            if not await once_more(player):
                break
            local_players = list(match_session.setup.local_players)
            wishes = moved_on(match_session)
            secret = match_session.setup.secret or secret
        nursery.cancel_scope.cancel()
    return status


def _company(context: Context, me: LocalPlayer, opening: Opening, count: int) -> list[LocalPlayer]:
    """Return our player and the computer players of a table."""
    characters = chosen_characters(context, opening.game, opening.computers, count)
    return [me, *seat_bots(context, characters, [me.seat_request.nick])]


def moved_on(match_session: MatchSession) -> dict[bytes, Seat]:
    """Return the seats of the next match, by public key.

    The first seat moves on to the next player.
    """
    agreement = match_session.setup.agreement
    places = agreement.terms.participants if agreement is not None else ()
    return {place.public: (seat - 1) % len(places) for seat, place in enumerate(places)}


def _inviter(invite: Invite, tell: Callable[[Message], None]) -> Callable[[Draft, bytes], None]:
    """Return a function that shows the next invite to a private table.

    It shows the invite as soon as a guest has used the one before.
    """
    shown = [invite.secret]

    def changed(draft: Draft, secret: bytes) -> None:
        if draft.taken < len(draft.seats) and secret != shown[-1]:
            shown.append(secret)
            tell(Notice("next-invite", {"invite": str(replace(invite, secret=secret))}))

    return changed


def _announcer(
    admission: Admission, nick: str, discovery: Discovery, nursery: trio.Nursery
) -> Callable[[Draft, bytes], None]:
    """Return a function that announces the table on the LAN at every change.

    It announces the newest state only.
    """
    newest: list[Advert] = []
    something = trio.Semaphore(0, max_value=1)

    async def announce() -> None:
        while True:
            await something.acquire()
            try:
                # it may have changed again before we came here, and been told with that
                while newest:
                    await discovery.update(newest.pop())
            except NoDiscovery as error:
                # Those who know the address or the invite still come.
                admission.tell(Notice("no-discovery", {"error": facts_of(error)["reason"]}))

    nursery.start_soon(announce)

    def changed(draft: Draft, _secret: bytes) -> None:
        state = "open" if draft.taken < len(draft.seats) else "playing"
        who, port = admission.context.identity.id, admission.mesh.port
        advert = partial(Advert, id=who, nick=nick, game=draft.game, table=draft.table, port=port)
        newest[:] = [
            advert(
                seats_taken=draft.taken,
                seats=len(draft.seats),
                state=state,
                protocol=PROTOCOL,
                language=language(),
            )
        ]
        if not something.value:
            something.release()

    return changed
