"""Presence: which players of a match are linked and speak of it. Time is an argument."""

from __future__ import annotations

from collections.abc import Iterable

import trio

from client.session.messages import Away, Back, Message, Notice
from client.session.time_limits import TimeLimits
from client.session.work import Wait
from engine.core.moves import Seat
from p2p.net.events import Peer
from p2p.table.terms import Terms

DISPLACED_TIMES, DISPLACED_S = 5, 30.0
"""If a peer replaces our link by another one to our key so often within so many seconds, another
program has our key."""
STAYS_AWAY_S = 20.0
"""Seconds without another link after which a single replacement is enough. A shorter time proves
nothing: of two links dialled at once, the one that stays may have lost a packet, and the next comes
in a few seconds."""
SPEAKS_WITHIN_S = 10.0
"""Seconds after which a linked peer is away if it has not spoken of our match."""


class Presence:
    """The other peers of our table.

    `linked` are the peers with a link now. A peer whose link was lost is away until it speaks of
    our match again: a link alone shows only that its program runs, perhaps at another table.
    Methods that return messages return what to tell our player.
    """

    def __init__(self, linked: Iterable[Peer] = ()) -> None:
        self.others: frozenset[Peer] = frozenset()
        """The other peers of our table, to which there should be a link."""
        self.parted: set[Peer] = set()
        """Peers that ended the session; there will be no link to them any more."""
        self.over = False
        """Whether our match is over, so that peers may go."""
        self._linked, self._lost = set(linked), set[Peer]()
        self._speaking: set[Peer] = set()
        """Peers that spoke of our match over their present link."""
        self.took_part: set[Peer] = set()
        """Peers that spoke of our match in this session."""
        self.nobody_speaks = False
        """Whether all others have been linked for SPEAKS_WITHIN_S, and none spoke of our match in
        this session, or plays elsewhere: perhaps they have never heard of it."""
        self._silent_since: dict[Peer, float] = {}
        """Since when each linked peer has not spoken of our match."""
        self._elsewhere: set[Peer] = set()
        """Peers that said over their present link that they play elsewhere."""
        self._told: dict[Peer, bool] = {}
        """Peers that our player knows to be away, and whether at another table."""
        self._told_leaving: frozenset[Seat] = frozenset()
        """Seats that our player knows to have left for good."""
        self._displaced: dict[Peer, list[float]] = {}
        """When peers replaced our link by another one to our key."""
        self._robbed: dict[Peer, float] = {}
        """Since when peers that did so have had no other link to us."""
        self._copy_told = False
        self._seats: dict[Peer, Seat] = {}
        self._computers: dict[Peer, list[Seat]] = {}
        """The seats of computer players, by the peer whose program runs them."""
        self._nicks: tuple[str, ...] = ()
        self._ours = frozenset[Seat]()
        self._wait: Wait | None = None
        """The wait of our table after its last round of work; None before the match."""
        self._times: TimeLimits | None = None
        """The time limits of our match; a spectator counts no time."""
        self.moved = trio.Event()
        """Set when `sought` may have changed, and then replaced."""

    def keep(self, peer: Peer) -> None:
        """Note that there should be a link to a peer from now on."""
        self.others |= {peer}
        self._move()

    def forget(self, peer: Peer) -> None:
        """Note that no link to a peer is needed any more."""
        self.others -= {peer}
        self._move()

    def up(self, peer: Peer) -> None:
        """Note a link to a peer, which may play another match."""
        self.parted.discard(peer)
        self._forget_words(peer)
        self._linked.add(peer)
        self._robbed.pop(peer, None)
        if self._wait is None:  # there is no match that it could play without us
            self._lost.discard(peer)
        self._move()

    def spoke(self, peer: Peer) -> list[Message]:
        """Note that a peer spoke of our match."""
        if peer in self._speaking:
            return []
        self._speaking.add(peer)
        self.took_part.add(peer)
        self._lost.discard(peer)
        return self._news()

    def says(self, peer: Peer, seats: Iterable[Seat], now: float) -> None:
        """Note that a peer claims to wait for these seats."""
        place = self._seats.get(peer)
        if place is not None and self._times is not None:
            others = sorted(set(seats) & set(self._seats.values()) - {place})
            self._times.says(place, tuple(others), now)

    def elsewhere(self, peer: Peer) -> list[Message]:
        """Note that a peer said that it does not play our match now."""
        if peer in self._elsewhere:
            return []
        self._elsewhere.add(peer)
        self._lost |= self.others & {peer}
        return self._news()

    @property
    def at_other_tables(self) -> frozenset[Peer]:
        """The linked peers that do not play our match now."""
        return frozenset(self._elsewhere - self._speaking)

    def silent(self, peer: Peer) -> list[Message]:
        """Note that a peer is silent."""
        self._lost |= self.others & {peer}
        self._forget_words(peer)
        return self._news()

    def _forget_words(self, peer: Peer) -> None:
        self._speaking.discard(peer)
        self._elsewhere.discard(peer)
        self._silent_since.pop(peer, None)

    def down(self, peer: Peer) -> list[Message]:
        """Note that the link to a peer is lost."""
        self._linked.discard(peer)
        return self.silent(peer)

    def displaced(self, peer: Peer, now: float) -> None:
        """Note that a peer closed our link because it has another one to our key."""
        recent = [when for when in self._displaced.get(peer, []) if now - when < DISPLACED_S]
        self._displaced[peer] = [*recent, now]
        self._robbed[peer] = now

    @property
    def missing(self) -> frozenset[Peer]:
        """The others without a link."""
        return self.others - self._linked

    @property
    def sought(self) -> frozenset[Peer]:
        """The peers to look for: without a link, and still in the match if it has begun."""
        return frozenset() if self.over else self.needed - self._linked

    def follow_on(self, before: Presence) -> None:
        """Take over the seats of the last match.

        Its players may still talk.
        """
        self._seats, self._nicks = before._seats, before._nicks
        self.parted = before.parted

    def begin(
        self,
        terms: Terms,
        seat: Seat | None,
        ours: Iterable[Seat],
        wait: Wait,
        host: Peer | None = None,
    ) -> list[Message]:
        """Begin the match; our player has `seat`, if any, and our process the seats `ours`.

        Others' computer players have no link of their own. They belong to the program that vouches
        for them in the terms; if that is no peer, to the host, if known.
        """
        self._seats = {place.id: number for number, place in enumerate(terms.participants)}
        self._nicks = tuple(place.nick for place in terms.participants)
        self._ours = frozenset(ours)
        self._times = None if seat is None else TimeLimits(terms.limit, seat, self._ours)
        only = next(iter(self.others)) if len(self.others) == 1 else None
        for peer, place in self._seats.items():
            if peer not in self.others and place not in self._ours:
                program = terms.participants[place].program
                owner = program if program in self.others else host or only
                if owner is not None:
                    self._computers.setdefault(owner, []).append(place)
        self.note(wait)
        return self._news()

    def note(self, wait: Wait) -> None:
        """Note what our tables wait for after a round of work."""
        self._wait = wait
        self._move()

    def end(self) -> None:
        """Note that the match is over: peers may go."""
        self.over = True
        self._move()

    def give_up(self) -> list[Message]:
        """Stop waiting for first links, and mark peers of our match without a link as away."""
        self._lost |= self.needed - self._linked
        return self._news()

    @property
    def needed(self) -> frozenset[Peer]:
        """The other peers of our table; once the match has begun, those still in it."""
        if self._wait is None:
            return self.others
        return frozenset(peer for peer in self.others if self._staying(peer, self._wait))

    def _seats_of(self, peer: Peer) -> tuple[Seat, ...]:
        """Return all seats of a peer in our match."""
        own = (self._seats[peer],) if peer in self._seats else ()
        return (*own, *self._computers.get(peer, ()))

    def _staying(self, peer: Peer, wait: Wait) -> list[Seat]:
        """Return the seats of a peer that are still in the match."""
        return [seat for seat in self._seats_of(peer) if seat in wait.staying]

    def seat_of(self, peer: Peer) -> Seat | None:
        """Return the seat of a peer in our match, or in the last one until it begins."""
        return self._seats.get(peer)

    def nick_of(self, peer: Peer) -> str:
        """Return the nick of a peer in that match."""
        return self._nicks[self._seats[peer]]

    def tick(self, now: float) -> list[Message]:
        """Note the time: report late seats, and the time left for our own."""
        wait, times = self._wait, self._times
        assert wait is not None
        assert times is not None
        messages = times.tick(wait, now)
        copies = [
            peer for peer in self._displaced if peer in self._seats and self._has_another(peer, now)
        ]
        if copies and not self._copy_told:
            self._copy_told = True
            messages.append(Notice("copied-home", {"who": self._nicks[self._seats[copies[0]]]}))
        self._miss_silent(now)
        return [*messages, *self._news(), *times.warn(wait, now)]

    def _miss_silent(self, now: float) -> None:
        """Mark linked peers as away that have not spoken of our match for SPEAKS_WITHIN_S."""
        silent = (self.needed & self._linked) - self._speaking
        self._silent_since = {peer: self._silent_since.get(peer, now) for peer in silent}
        long = {peer for peer in silent if now - self._silent_since[peer] >= SPEAKS_WITHIN_S}
        self._lost |= long
        known = bool(self.took_part or self.at_other_tables)
        self.nobody_speaks = bool(long) and long == self.needed and not known

    def _has_another(self, peer: Peer, now: float) -> bool:
        """Whether a peer has a link to another program with our key.

        That is so only for a peer in the running match; others need no link, so its end shows
        nothing.
        """
        if peer not in self.needed or self.over:
            return False
        stays_away = now - self._robbed.get(peer, now) >= STAYS_AWAY_S
        return stays_away or len(self._displaced[peer]) >= DISPLACED_TIMES

    def all_late_are_away(self, now: float) -> bool:
        """Whether every late seat belongs to an absent player."""
        away = {seat for peer in self._told for seat in self._seats_of(peer)}
        return self._times is not None and self._times.late(now) <= away

    def go_on(self, now: float) -> None:
        """Vote to continue without the late seats from now on."""
        if self._times is not None:
            self._times.go_on(now)

    @property
    def at(self) -> bytes:
        """The point at which the table waited at the last tick; `votes` are about it."""
        return self._times.at if self._times is not None else b""

    @property
    def head(self) -> bytes:
        """The head of our tables when our player was last told of them."""
        return self._wait.head if self._wait is not None else b""

    @property
    def votes(self) -> list[Seat]:
        """The seats that our player votes to continue without."""
        if self._wait is None or self._wait.done or self._times is None:
            return []
        return sorted(self._times.without)

    def _news(self) -> list[Message]:
        """Tell once that a player of this match is away or elsewhere, and once that it is back.

        A player that left for good is neither. If absent players do not know that yet, our player
        is told here; otherwise the rules report it at once.
        """
        self._move()
        if self._wait is None or self.over:
            return []
        others, leaving = self.at_other_tables, frozenset(self._wait.leaving)
        away = {
            peer: peer in others
            for peer in self._lost
            if self._told.get(peer) is not (peer in others) and self._staying(peer, self._wait)
        }
        back = self._told.keys() - self._lost
        self._told = {peer: at for peer, at in self._told.items() if peer not in back} | away
        absent = {seat for peer in self._told for seat in self._staying(peer, self._wait)}
        left = leaving - self._told_leaving - self._ours if absent - leaving else frozenset()
        self._told_leaving |= left
        return [
            *(Away(seat, leaving=True) for seat in sorted(left)),
            *(
                Away(seat, elsewhere=away[peer])
                for peer in sorted(away)
                for seat in self._staying(peer, self._wait)
                if seat not in leaving
            ),
            *(
                message
                for peer in sorted(back)
                for seat in self._seats_of(peer)
                if seat not in leaving
                for message in self._welcome(seat, self._wait)
            ),
        ]

    def _welcome(self, seat: Seat, wait: Wait) -> list[Message]:
        """Tell that a seat is back, whose time starts again.

        A change under way continues: the seat may answer in it, and then keeps its seat.
        """
        if self._times is None or wait.changing:
            return [Back(seat)]
        late = self._times.restart(seat)
        return [Back(seat)] if late is None else [Back(seat, anew=True), *late]

    def _move(self) -> None:
        before, self.moved = self.moved, trio.Event()
        before.set()
