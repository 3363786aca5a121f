"""The choice of tables to show if too many are announced (sans-I/O; time is an argument).

An advert is a claim, and claims are free. The first few are shown unproven. Beyond these, strangers
must prove their keys, and a proven table stays. Known players are always shown. The number of
tables per origin is limited; over the limits the newest of the most crowded origin goes, so a flood
displaces only its own.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import replace

from p2p.net.addresses import Address, origin
from p2p.net.sighting import Sighting
from p2p.wire import MOST_ANNOUNCED

MOST = 64
"""The most tables of strangers shown at a time."""
CLAIMS = 16
"""The most of these that may be unproven."""
OF_ONE_ORIGIN = 8
"""The most tables of strangers at one origin."""
PENANCE = 60.0
"""Seconds for which a failed claim is ignored, and for which a crowd lasts after the last surplus.
"""
REMEMBERED = 4096
"""The most failed claims remembered."""


class Crowd:
    """The tables that are shown, by id. `known` says whether we know a player."""

    def __init__(self, known: Callable[[bytes], bool]) -> None:
        self._known = known
        self.shown: dict[bytes, Sighting] = {}
        self._failed: OrderedDict[bytes | Address, float] = OrderedDict()
        """When the ban on a player, or on a silent address, ends."""
        self._crowded_until = float("-inf")

    def crowded(self, now: float) -> bool:
        """Whether strangers must prove their keys now."""
        return now < self._crowded_until

    def matters(self, player: bytes) -> bool:
        """Whether all that is heard of this player is looked at."""
        return player in self.shown or self._known(player)

    def show(self, sighting: Sighting, now: float) -> bool:
        """Show an advert if that needs no proof; return whether it is shown.

        If not, it may be shown after a proof (see `wants_proof`).
        """
        player = sighting.id
        if player in self.shown:
            self.shown[player] = _merged(self.shown[player], sighting)
        elif self._known(player) or (not self.crowded(now) and self._has_space(sighting)):
            self.shown[player] = sighting
        else:
            self._crowded_until = now + PENANCE
            return False
        return True

    def wants_proof(self, sighting: Sighting, now: float) -> bool:
        """Whether asking this stranger for a proof is worth a connection."""
        if self._failed.get(sighting.id, now) > now:
            return False
        # Silent addresses may be another's forgery, so one that is not silent is enough.
        return any(self._failed.get(address, now) <= now for address in sighting.addresses)

    def claims(self) -> list[Sighting]:
        """Return the unproven tables of strangers that are shown."""
        return [seen for seen in self.shown.values() if not (seen.proven or self._known(seen.id))]

    def note_proof(self, sighting: Sighting, address: Address) -> list[bytes]:
        """Show a table whose host proved its key at this address; return the ids to remove."""
        merged = _merged(self.shown.get(sighting.id, sighting), sighting)
        addresses = tuple(dict.fromkeys((address, *merged.addresses)))[:MOST_ANNOUNCED]
        self.shown[sighting.id] = replace(merged, addresses=addresses, port=address[1], proven=True)
        return self._surplus()

    def note_failure(self, sighting: Sighting, now: float, *, silent: bool) -> bool:
        """Note that nobody proved this claim; return whether it was shown.

        `silent`: nothing answered at its addresses, so other claims with only these addresses are
        ignored too. Another port of that machine may still have a table.
        """
        keys: list[bytes | Address] = [sighting.id, *(sighting.addresses if silent else ())]
        for key in keys:
            self._failed[key] = now + PENANCE
            self._failed.move_to_end(key)
        while len(self._failed) > REMEMBERED:
            self._failed.popitem(last=False)
        if self._known(sighting.id):
            return False
        return self.shown.pop(sighting.id, None) is not None

    def remove(self, player: bytes) -> bool:
        """Stop showing a table; return whether it was shown."""
        return self.shown.pop(player, None) is not None

    def _has_space(self, sighting: Sighting) -> bool:
        claims = self.claims()
        here = _origin(sighting)
        return (
            len(claims) < CLAIMS and sum(_origin(claim) == here for claim in claims) < OF_ONE_ORIGIN
        )

    def _surplus(self) -> list[bytes]:
        """Remove the tables over the limits, and return their ids."""
        gone = []
        while (
            strangers := [seen for seen in self.shown.values() if not self._known(seen.id)]
        ) and (most := Counter(map(_origin, strangers)).most_common(1)[0]):
            if len(strangers) <= MOST and most[1] <= OF_ONE_ORIGIN:
                break
            newest = [seen.id for seen in strangers if _origin(seen) == most[0]][-1]
            del self.shown[newest]
            gone.append(newest)
        return gone


def _origin(sighting: Sighting) -> str:
    return origin(sighting.addresses[0][0]) if sighting.addresses else ""


def _merged(before: Sighting, after: Sighting) -> Sighting:
    """Return the new advert with the old addresses added: a proven one first, then the newest.

    If more than MOST_ANNOUNCED are claimed, we ask the host, and keep the address where it answers.
    """
    first = before.addresses[:1] if before.proven else ()
    addresses = tuple(dict.fromkeys((*first, *after.addresses, *before.addresses)))[:MOST_ANNOUNCED]
    return replace(after, addresses=addresses, proven=before.proven)
