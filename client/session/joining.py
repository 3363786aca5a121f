"""A session as a guest: reach the host, take a seat, play, and play again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

import trio

from client.i18n.translation import _
from client.session.admission import Admission, online
from client.session.context import Context
from client.session.match import MatchSession
from client.session.player import Player
from client.session.reaching import reach
from client.session.refusals import refusal, refusals_as_stops
from client.session.route import Route
from client.session.running import once_more, play_match, seat_bots
from client.session.seeking import Seeker
from client.session.setup_rules import LocalPlayer, SetupRules
from client.session.status import NetworkError
from p2p.table.lobby import TableRefused

RETRY_S = 0.5
"""Seconds between two checks for a reopened table."""
NOT_OPEN = ("no-table", "playing", "no-answer", "host-gone", "host-lost")
"""The refusals of a host that may open a table later."""


async def join_table(
    context: Context,
    player: Player,
    me: LocalPlayer,
    find: Callable[[], Awaitable[Route]],
    *,
    held: bool,
    bots: int = 0,
) -> int:
    """Take a seat at the table that is found, and play match after match.

    Our player ends this by leaving the table. Return the exit status of the last match. With `held`
    our player sees the table first, and takes the seat when ready. It brings `bots` computer
    players. Raises Stop or NetError.
    """
    async with online(context, player.tell) as admission:
        route, mesh = await find(), admission.mesh
        peer = await reach(context, mesh, route, player.tell)
        if route.expect is None:
            link = mesh.links().get(peer)
            try:
                admission.contacts.check_address([link.address] if link else route.addresses, peer)
            except TableRefused as refused:
                raise refusal(refused) from None
        with refusals_as_stops():
            guest = Guest(admission, player, me, peer, route.secret, bots)
            return await guest.stay(await guest.sit(held=held))


@dataclass(frozen=True)
class Guest:
    """Our player as a guest of a linked peer. `secret` is that of the invite."""

    admission: Admission
    player: Player
    me: LocalPlayer
    peer: bytes
    secret: bytes = field(default=b"", repr=False)
    bots: int = 0
    """The number of computer players that we bring, the strongest of the game."""

    async def stay(self, status: int) -> int:
        """Play at the following tables until our player stops; return the last exit status.

        If there are none, that is `status`.
        """
        while await once_more(self.player):
            status = await self.sit_when_open()
        return status

    async def sit(self, *, held: bool = False, again: bool = False) -> int:
        """Take a seat and play a match; return the exit status.

        With `again` the links of the last match stay, and we sign its terms only.
        """
        context, mesh = self.admission.context, self.admission.mesh
        last = self.player.match_session if again else None
        rules = SetupRules(
            self.admission.check_table,
            held=held,
            before=last.setup.precedent if last is not None else None,
            timed=not self.me.at_once,
        )
        local_players = [
            self.me,
            *seat_bots(context, [""] * self.bots, [self.me.seat_request.nick]),
        ]
        match_session = MatchSession(
            context, mesh, local_players, self.admission.remembering(), rules
        )
        if last is not None:
            match_session.router.presence.follow_on(last.router.presence)
            match_session.router.spectators.follow_on(last.router.spectators)
        enter = partial(match_session.join, self.peer, self.secret, again=again)
        seeker = Seeker(context.identity.id, context)
        return await play_match(match_session, self.player, enter, self.admission, seeker)

    async def sit_when_open(self) -> int:
        """Take a seat at the host's next table, as soon as there is one.

        A lost link is waited for, as in a match. Between attempts, follow the links of the last
        match, to notice that the host quits. NetworkError if the host ends its session.
        """
        last = self.player.match_session
        assert last is not None
        while self.peer not in last.router.presence.parted:
            if self.peer in self.admission.mesh.links():
                try:
                    return await self.sit(again=True)
                except TableRefused as refused:
                    if refused.id not in NOT_OPEN:
                        raise
            with trio.move_on_after(RETRY_S):
                await last.linger()
        raise NetworkError(_("the host has gone"))
