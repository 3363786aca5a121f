"""Which players of our table are here, and how long the table waits for whom. Pure: time is an argument."""

from __future__ import annotations

import math
from collections.abc import Iterable

import trio

from client.session.messages import Away, Back, InTime, Late, Message, Notice, TimeLeft
from client.session.work import Wait
from engine.core.moves import Seat
from p2p.table.terms import Terms

Peer = bytes
DISPLACED, DISPLACED_S = 3, 60.0
"""A peer has so many times, within so many seconds, closed our link for another one to our key: there is another program."""
STAYS_AWAY_S = 2.0
"""Seconds without a link after which a single time is enough: that other link is not our own reconnect."""
LAST_WARNING_S = 30
"""Seconds before the limit at which our player is warned once more."""


class Presence:
    """The other peers of our table, and the seats that the table waits for. `linked` are the peers with a link now.

    A peer whose link was lost is away until it has a link again. A seat is late when the table has waited for it as long as
    the terms allow. The methods that return messages return what our player is to be told.
    """

    def __init__(self, linked: Iterable[Peer] = ()) -> None:
        self.others: frozenset[Peer] = frozenset()
        """The other peers of our table, to which there should be a link."""
        self.parted: set[Peer] = set()
        """Peers that have ended the session: there will be no link to them any more."""
        self.over = False
        """Whether our match is over: peers may go now."""
        self._linked, self._lost = set(linked), set[Peer]()
        self._told: set[Peer] = set()
        """Peers of whom our player was told that they are away."""
        self._told_missing: frozenset[Peer] = frozenset()
        self._displaced: dict[Peer, list[float]] = {}
        """When peers have closed our link for another one to our key."""
        self._copy_told = False
        self._seats: dict[Peer, Seat] = {}
        self._nicks: tuple[str, ...] = ()
        self._seat, self._ours = 0, frozenset[Seat]()
        self._wait: Wait | None = None
        """The wait of our table after its last piece of work; None before the match."""
        self._absence, self._countdown = Absence(math.inf), Countdown(math.inf)
        self._moved = trio.Event()

    # Links.

    def keep(self, peer: Peer) -> None:
        """There should be a link to a peer from now on."""
        self.others |= {peer}
        self._move()

    def forget(self, peer: Peer) -> None:
        """There need be no link to a peer any more."""
        self.others -= {peer}
        self._move()

    def up(self, peer: Peer) -> list[Message]:
        """There is a link to a peer."""
        self.parted.discard(peer)
        self._lost.discard(peer)
        self._linked.add(peer)
        return self._news()

    def silent(self, peer: Peer) -> list[Message]:
        """Nothing is heard from a peer."""
        self._lost |= self.others & {peer}
        return self._news()

    def down(self, peer: Peer) -> list[Message]:
        """The link to a peer is lost."""
        self._linked.discard(peer)
        return self.silent(peer)

    def displaced(self, peer: Peer, now: float) -> None:
        """A peer has closed our link, because it has another one to our key."""
        recent = [when for when in self._displaced.get(peer, []) if now - when < DISPLACED_S]
        self._displaced[peer] = [*recent, now]

    def part(self, peer: Peer) -> None:
        """A peer has ended the session."""
        self.parted.add(peer)

    @property
    def missing(self) -> frozenset[Peer]:
        """The others without a link."""
        return self.others - self._linked

    def newly_missing(self) -> frozenset[Peer] | None:
        """Return the others without a link, if they are not those of the last call; at first, if there are any."""
        before, self._told_missing = self._told_missing, self.missing
        return None if before == self.missing else self.missing

    @property
    def sought(self) -> frozenset[Peer]:
        """The peers to look for: without a link, and still in the match if it has begun."""
        return frozenset() if self.over else self.needed - self._linked

    async def moved(self) -> None:
        """Wait until `sought` may have changed."""
        await self._moved.wait()

    # The match.

    def follow_on(self, before: Presence) -> None:
        """Take over the seats of the match before: talk of its players still belongs to that table."""
        self._seats, self.parted = before._seats, before.parted

    def begin(self, terms: Terms, seat: Seat, ours: Iterable[Seat], wait: Wait) -> list[Message]:
        """The match begins; our player has a seat, and our process those of `ours`."""
        self._seats = {place.id: number for number, place in enumerate(terms.participants)}
        self._nicks = tuple(place.nick for place in terms.participants)
        self._seat, self._ours = seat, frozenset(ours)
        self._absence, self._countdown = Absence(terms.limit), Countdown(terms.limit)
        self.note(wait)
        return self._news()

    def note(self, wait: Wait) -> None:
        """Our tables have done a piece of work: now they wait for this."""
        self._wait = wait
        self._move()

    def end(self) -> None:
        """The match is over: peers may go now."""
        self.over = True
        self._move()

    def give_up(self) -> list[Message]:
        """Expect no first link any more: peers of our match without a link are away."""
        self._lost |= self.needed - self._linked
        return self._news()

    @property
    def needed(self) -> frozenset[Peer]:
        """The other peers of our table, once the match has begun those that are still in it."""
        if self._wait is None:
            return self.others
        return self.others & {peer for peer, seat in self._seats.items() if seat in self._wait.staying}

    def seat_of(self, peer: Peer) -> Seat | None:
        """Return the seat of a peer in our match, or in the one before until it begins."""
        return self._seats.get(peer)

    # Time.

    def look(self, now: float) -> list[Message]:
        """Note the time: report late seats, and the time left for our own."""
        wait = self._wait
        assert wait is not None
        others = [seat for seat in wait.seats if seat not in self._ours]
        late, in_time = self._absence.look(others, wait.at, now, changing=wait.changing)
        ours = self._seat in wait.seats and wait.votes_needed and len(self._ours) < len(wait.staying)
        left = self._countdown.look(wait.at if ours else None, now)
        messages: list[Message] = [Late(late, round(self._absence.limit))] if late else []
        messages += [InTime(in_time)] if in_time else []
        copies = [peer for peer in self._displaced if peer in self._seats and self._has_another(peer, now)]
        if copies and not self._copy_told:
            self._copy_told = True
            messages.append(Notice("copied-home", {"who": self._nicks[self._seats[copies[0]]]}))
        return messages + ([TimeLeft(left)] if left is not None else [])

    def _has_another(self, peer: Peer, now: float) -> bool:
        times = self._displaced[peer]
        return len(times) >= DISPLACED or (peer not in self._linked and now - times[-1] >= STAYS_AWAY_S)

    def all_late_are_away(self, now: float) -> bool:
        """Whether no player that is here is late."""
        return set(self._absence.late(now)) <= {self._seats[peer] for peer in self._told}

    def go_on(self, now: float) -> None:
        """From now on our player votes to go on without the seats that are late."""
        self._absence.go_on(now)

    @property
    def votes(self) -> list[Seat]:
        """The seats that our player votes to go on without."""
        return [] if self._wait is None or self._wait.done else sorted(self._absence.without)

    def _news(self) -> list[Message]:
        """Tell once that a player of this match is away, and once that it is back."""
        self._move()
        if self._wait is None or self.over:
            return []
        away = {peer for peer in self._lost - self._told if self._seats.get(peer) in self._wait.staying}
        back = self._told - self._lost
        self._told = self._told - back | away
        return [*(Away(self._seats[peer]) for peer in sorted(away)), *(Back(self._seats[peer]) for peer in sorted(back))]

    def _move(self) -> None:
        before, self._moved = self._moved, trio.Event()
        before.set()


class Absence:
    """Seats of others that the table waits for. One is late after `limit` seconds: then the others may vote on it."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.without: frozenset[Seat] = frozenset()
        """The seats that our player wants to go on without."""
        self._at = b""
        self._since: dict[Seat, float] = {}
        self._told: frozenset[Seat] = frozenset()

    def look(
        self, waiting: Iterable[Seat], at: bytes, now: float, *, changing: bool = False
    ) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """Note which seats are waited for, and at which point of the match. Return those newly late, and those late no more.

        A seat's time begins anew at every point. Our player's wish holds until the seat has acted: so it holds through a view
        change, which waits only for the seats that have not acted.
        """
        awaited = frozenset(waiting)
        before = self._since if at == self._at else {}
        self._since = {seat: before.get(seat, now) for seat in awaited}
        self.without &= awaited if changing or at == self._at else frozenset()
        self._at = at
        late = frozenset(self.late(now))
        fresh, over = late - self._told, self._told - late
        self._told = late
        return tuple(sorted(fresh)), tuple(sorted(over))

    def late(self, now: float) -> tuple[Seat, ...]:
        """Return the seats that have been waited for too long, in seat order."""
        return tuple(sorted(seat for seat, since in self._since.items() if now - since >= self.limit))

    def go_on(self, now: float) -> tuple[Seat, ...]:
        """Wait no longer for the late seats; return them."""
        self.without = frozenset(self.late(now))
        return tuple(sorted(self.without))


class Countdown:
    """The time that our own player has for a move before the others can vote."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._at = b""
        self._since = 0.0
        self._told = 0

    def look(self, at: bytes | None, now: float) -> int | None:
        """Note at which point of the match our player is waited for, None if at none.

        Return the seconds left when our player is to be warned: at half time, and `LAST_WARNING_S` before the end.
        """
        if at is None or at != self._at:
            self._at, self._since, self._told = at or b"", now, 0
            return None
        marks = sorted({self._limit / 2, *({self._limit - LAST_WARNING_S} if self._limit > 2 * LAST_WARNING_S else ())})
        passed = sum(now - self._since >= mark for mark in marks)
        if passed <= self._told:
            return None
        self._told = passed
        return max(1, round(self._limit - (now - self._since)))
