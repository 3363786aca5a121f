"""Which services were heard of: the names in mDNS packets, bounded and drawn by chance where there are too many.

zeroconf's own browser keeps a record of every name for an hour, and drops none. Anybody on the
network can invent names, so here only so many wait. Of more, chance decides which stay: a flood
then delays others, but it cannot shut them out. Names that matter are never dropped.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from p2p.net.errors import Malformed
from p2p.net.sighting import SERVICE, player_of

if TYPE_CHECKING:
    from zeroconf import DNSRecord, Zeroconf  # type: ignore[attr-defined]  # it has it, and does not list it

WAITING = 1024
"""Names of strangers that wait at a time."""
_A, _PTR, _TXT, _AAAA, _SRV, _IN = 1, 12, 16, 28, 33, 1


class Names:
    """The players whose services were heard of, until they are taken; filled by zeroconf's thread, emptied by ours."""

    def __init__(self, first: Callable[[bytes], bool], most: int = WAITING) -> None:
        """`first` tells of whom every name is kept, and taken before all others."""
        self._first, self._most = first, most
        self._lock = threading.Lock()
        self._urgent: dict[bytes, None] = {}
        self._others: list[bytes] = []
        self._waiting: set[bytes] = set()

    def __len__(self) -> int:
        return len(self._urgent) + len(self._others)

    @property
    def full(self) -> bool:
        """Whether the next name takes the place of another."""
        return len(self._others) >= self._most

    def put(self, player: bytes) -> bool:
        """Let a player wait; return whether nobody waited before."""
        with self._lock:
            empty = not len(self)
            if self._first(player):
                self._urgent[player] = None
            elif player not in self._waiting:
                self._waiting.add(player)
                if len(self._others) < self._most:
                    self._others.append(player)
                else:
                    place = random.randrange(self._most)  # noqa: S311 -- fair, not secret
                    self._waiting.discard(self._others[place])
                    self._others[place] = player
            return empty

    def take(self, count: int) -> tuple[list[bytes], list[bytes]]:
        """Take all that come first, and of the others as many as there are, up to `count`, by chance."""
        with self._lock:
            urgent = list(self._urgent)
            self._urgent.clear()
            taken = []
            for _ in range(min(count, len(self._others))):
                place = random.randrange(len(self._others))  # noqa: S311 -- the same
                self._others[place], self._others[-1] = self._others[-1], self._others[place]
                taken.append(self._others.pop())
            self._waiting.difference_update(taken)
            return urgent, taken


def listen(zeroconf: Zeroconf, heard: Callable[[bytes], None]) -> None:
    """Tell of every player whose service, or a change of it, is in a packet; `heard` is called in zeroconf's thread."""
    from zeroconf import RecordUpdate, RecordUpdateListener  # noqa: PLC0415 -- loaded already

    class Ears(RecordUpdateListener):
        def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
            del zc, now
            names = {_name_of(update.new) for update in records if update.new.type == _PTR or update.old is None}
            for player in map(_player, names):
                if player is not None:
                    heard(player)

        def async_update_records_complete(self) -> None:
            """Nothing is left to be done after a packet."""

    zeroconf.add_listener(Ears(), None)


def ask(zeroconf: Zeroconf) -> None:
    """Ask who is there; answers come to who listens. Blocks: call it in a thread."""
    # zeroconf has these, and does not list them.
    from zeroconf import DNSOutgoing, DNSQuestion  # type: ignore[attr-defined]  # noqa: PLC0415 -- loaded already

    question = DNSOutgoing(0)
    question.add_question(DNSQuestion(SERVICE, _PTR, _IN))
    zeroconf.send(question)


def remembered(zeroconf: Zeroconf, count: int) -> Collection[bytes]:
    """Return up to so many players whose services zeroconf remembers, by chance."""
    names = [_name_of(record) for record in zeroconf.cache.entries_with_name(SERVICE)]
    players = (_player(name) for name in random.sample(names, min(count, len(names))))
    return [player for player in players if player is not None]


def claimed_ports(zeroconf: Zeroconf, name: str) -> list[int]:
    """Return the ports that are claimed for a service, each once: of more than one all but one are forged."""
    records = zeroconf.cache.get_all_by_details(name, _SRV, _IN)
    return sorted({record.port for record in records if hasattr(record, "port")})


def _name_of(record: DNSRecord) -> str:
    """Return the service that a record belongs to, by its name."""
    if record.type == _PTR:
        return getattr(record, "alias", "") if record.name.lower() == SERVICE else ""
    if record.type in (_SRV, _TXT):
        return record.name
    # Our own hosts are called as their services are.
    return f"{record.name.partition('.')[0]}.{SERVICE}" if record.type in (_A, _AAAA) else ""


def _player(name: str) -> bytes | None:
    try:
        return player_of(name)
    except Malformed:
        return None  # not one of us
