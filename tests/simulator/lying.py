"""Liars in the storm: a match of the adversary tests' liars in the simulator's weather.

The honest accuse nobody else (`Watch.looked`), and end with one log that verifies (`World.check_end`). The liar itself does not
crash, since what its own table makes of its lies is nobody's business.
"""

from __future__ import annotations

from dataclasses import replace

from crypto.group import Group
from engine.moves import Seat
from tests.adversary import cuts, plays, proofs, stories
from tests.adversary.liar import Liar, Lie
from tests.adversary.stories import TwoFaced
from tests.simulator.matches import Kind
from tests.simulator.peer import Parcel, Peer
from tests.simulator.weather import Storm

KINDS: dict[str, Kind] = {
    "tiny": ("tiny", 3, {"deals": 1}),
    "escoba": ("escoba", 3, {"target": 1}),
    "siete-y-media": ("siete-y-media", 4, {"deals": 2}),
}
"""The match of three or four in which a game's lies are told."""

LEFT_OUT = {
    "says more after its flush": "takes more help than a storm gives",
    "signs two flushes": "who has left may hold the other one than the only seat that stays, and not come to its log",
}
"""Lies that are not told here, and why not."""


def lies(game: str) -> list[tuple[Lie, type[Liar]]]:
    """Return the lies that are told in this game, each with the table that tells it.

    Not those in votes, for nobody is voted out here, and not those in seals: who has sealed is done, and need not help others to
    seal without who lies to them.
    """
    found: list[tuple[Lie, type[Liar]]] = [(lie, TwoFaced) for lie in stories.lies()]
    found += [(lie, Liar) for lie in (*plays.lies(), *proofs.lies()) if not lie.last]
    found += [(lie, cuts.KINDS.get(lie.name, Liar)) for lie in cuts.lies()]
    found = [(lie, kind) for lie, kind in found if lie.at[0] not in ("seal", "expel") and lie.name not in LEFT_OUT]
    return [(lie, kind) for lie, kind in found if lie.game == game]


class Lying(Storm):
    """A match in bad weather in which one seat lies once, if it finds occasion; others may leave, and are not voted out."""

    def __init__(self, game: str, seed: int, group: Group | None) -> None:
        found = lies(game)
        self.lie, kind = found[seed % len(found)]
        self.liar: Seat = self.lie.seat
        super().__init__(KINDS[game], seed, group, {self.liar: type("ALiar", (kind,), {"lie": self.lie})})
        self.name += " and a liar"
        self.climate = replace(self.climate, vote=0, leave=max(self.climate.leave, 0.02) if game == cuts.GAME else 0)

    @property
    def named(self) -> bool:
        """Whether all honest seats know who lies."""
        tables = [peer.here() for peer in self.peers if peer.seat != self.liar]
        return all(table.fault is not None and table.fault.seat == self.liar for table in tables)

    def post(self, sender: Seat, receiver: Seat, parcel: Parcel) -> None:
        """Put something on a link; who has two faces tells them apart."""
        table = self.peers[sender].table
        told = table.story(sender, receiver, parcel) if isinstance(table, TwoFaced) and isinstance(parcel, bytes) else (parcel,)
        for item in told:
            super().post(sender, receiver, item)

    def one_thing(self) -> bool:
        """Let the next thing happen; who has nothing else to do works at the next deck, where a lie may come to light."""
        return super().one_thing() or any(self._worked_ahead(peer) for peer in self.peers if peer.seat != self.liar)

    def _worked_ahead(self, peer: Peer) -> bool:
        made: list[bool] = []
        self._do(peer.seat, lambda: made.append(peer.make_ahead()))
        return any(made)

    def make_ahead(self, seat: Seat) -> None:
        """Let a peer work at the next deck; not the liar, which would take it for the place of its lie."""
        if seat != self.liar:
            super().make_ahead(seat)

    def _crash(self, seat: Seat) -> None:
        if seat != self.liar:
            super()._crash(seat)

    def _moment(self, seat: Seat, name: str) -> None:
        if seat != self.liar:
            super()._moment(seat, name)
