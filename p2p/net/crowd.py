"""The choice of tables to show if too many are announced (sans-I/O, time is an argument).

An advert is a claim, and a claim costs nothing. A few claims are shown as they come. When there are
more, strangers must prove their keys first, and a proven table stays. Players that we know are
always shown. Of one address there are only so many tables; of one too many the newest goes, of the
address with most of them: a flood drives out its own.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import replace

from p2p.net.addresses import TOLD, Address, origin
from p2p.net.sighting import Sighting

MOST = 64
"""Tables of strangers shown at a time."""
CLAIMS = 16
"""Of these so many may be mere claims."""
OF_ONE_ORIGIN = 8
"""Tables of strangers at one address."""
ADDRESSES = TOLD
"""Kept of one table: all that a machine tells of itself. Where somebody else tells of more in its
name, the host is asked, and the address where it answers stays."""
PENANCE = 60.0
"""Seconds that a claim that has come to nothing is not looked at again, and that a crowd lasts
after the last surplus."""
REMEMBERED = 4096
"""Claims that have come to nothing."""


class Crowd:
    """The tables that are shown, by id. `known` tells of which players we know."""

    def __init__(self, known: Callable[[bytes], bool]) -> None:
        self._known = known
        self.shown: dict[bytes, Sighting] = {}
        self._failed: OrderedDict[bytes | Address, float] = OrderedDict()
        """Until when a player, or an address at which nothing answers, is not looked at again."""
        self._crowded_until = float("-inf")

    def crowded(self, now: float) -> bool:
        """Tell whether strangers must prove their keys now."""
        return now < self._crowded_until

    def matters(self, player: bytes) -> bool:
        """Tell whether everything that is heard of this player is looked at."""
        return player in self.shown or self._known(player)

    def welcomes(self, sighting: Sighting, now: float) -> bool:
        """Tell whether an advert may be shown as it is; it is shown then.

        If not, it may be after a proof (`wants_proof`).
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
        """Tell whether it is worth a connection to ask this stranger for a proof."""
        if self._failed.get(sighting.id, now) > now:
            return False
        # Somebody else may have added the silent ones.
        return any(self._failed.get(address, now) <= now for address in sighting.addresses)

    def claims(self) -> list[Sighting]:
        """Return what is shown and not proven, of strangers."""
        return [seen for seen in self.shown.values() if not (seen.proven or self._known(seen.id))]

    def proven(self, sighting: Sighting, address: Address) -> list[bytes]:
        """Show a table whose host has proven its key at this address; return who must go for it."""
        merged = _merged(self.shown.get(sighting.id, sighting), sighting)
        addresses = tuple(dict.fromkeys((address, *merged.addresses)))[:ADDRESSES]
        self.shown[sighting.id] = replace(merged, addresses=addresses, port=address[1], proven=True)
        return self._surplus()

    def failed(self, sighting: Sighting, now: float, *, silent: bool) -> bool:
        """Note that nobody has proven this claim; return whether it was shown.

        `silent`: nothing answers at its addresses at all, so other claims of these alone are not
        looked at either. Another port of the same machine may be a table.
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

    def gone(self, player: bytes) -> bool:
        """Show a table no more; return whether it was shown."""
        return self.shown.pop(player, None) is not None

    def _has_space(self, sighting: Sighting) -> bool:
        claims = self.claims()
        here = _origin(sighting)
        return (
            len(claims) < CLAIMS and sum(_origin(claim) == here for claim in claims) < OF_ONE_ORIGIN
        )

    def _surplus(self) -> list[bytes]:
        """Take away what is too much, and return it."""
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
    """Return what is told now, plus the addresses of before: the proven one first, else newest."""
    first = before.addresses[:1] if before.proven else ()
    addresses = tuple(dict.fromkeys((*first, *after.addresses, *before.addresses)))[:ADDRESSES]
    return replace(after, addresses=addresses, proven=before.proven)
