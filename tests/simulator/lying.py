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
from tests.simulator.peer import Parcel
from tests.simulator.weather import Storm

KINDS: dict[str, Kind] = {
    "tiny": ("tiny", 3, {"deals": 1}),
    "escoba": ("escoba", 3, {"target": 1}),
    "siete-y-media": ("siete-y-media", 4, {"deals": 2}),
}
"""The match of three or four in which a game's lies are told."""

OTHERS = ("another seat's", "that another has", "sum nothing", "rogue", "more than it shows", "last seat", "says more after")
"""Lies that need what others hide, show what the watch takes for a leak, or need more help than a storm gives."""


def lies(game: str) -> list[tuple[Lie, type[Liar]]]:
    """Return the lies that are told in this game, each with the table that tells it."""
    found: list[tuple[Lie, type[Liar]]] = [(lie, TwoFaced) for lie in stories.lies()]
    found += [(lie, Liar) for lie in (*plays.lies(), *proofs.lies()) if not lie.last]
    found += [(lie, cuts.KINDS.get(lie.name, Liar)) for lie in cuts.lies()]
    return [(lie, kind) for lie, kind in found if lie.game == game and not any(name in lie.name for name in OTHERS)]


class Lying(Storm):
    """A match in bad weather in which one seat lies once, if it finds occasion; others may leave, and are not voted out."""

    def __init__(self, game: str, seed: int, group: Group | None) -> None:
        found = lies(game)
        self.lie, kind = found[seed % len(found)]
        self.liar: Seat = self.lie.seat
        super().__init__(KINDS[game], seed, group, {self.liar: type("ALiar", (kind,), {"lie": self.lie})})
        self.name += " and a liar"
        self.climate = replace(self.climate, vote=0, leave=max(self.climate.leave, 0.005) if game in cuts.GAME else 0)

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

    def _crash(self, seat: Seat) -> None:
        if seat != self.liar:
            super()._crash(seat)

    def _moment(self, seat: Seat, name: str) -> None:
        if seat != self.liar:
            super()._moment(seat, name)
