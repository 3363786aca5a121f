"""Several tables in one process: an entry of one reaches all others, as over a mesh of links,
without any network.

A `tap` stands for the change that a link makes to an entry (nothing, the same, another one,
several); an entry that a table refuses to read is charged to the sender in `charged`. With `flood`
a table that finds an entry new passes it on, as real peers do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from crypto.group import Group
from crypto.identity import Identity
from engine.core.moves import Move
from engine.core.view import View
from engine.games import complete_options, game_class
from p2p.table.events import Event
from p2p.table.faults import BadSignature
from p2p.table.log import (
    LEAVE,
    STAND,
    VOTE,
    Body,
    Entry,
    LogFile,
    Place,
    make_entry,
    read_entry,
    read_log,
    read_unsigned,
)
from p2p.table.logbook import LogMark
from p2p.table.table import Table
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.table.terms import Participant, Terms
from p2p.wire import Malformed, unpack
from tests.standin import seeded

Player = Callable[[View], Move]
Tap = Callable[[int, int, bytes], Iterable[bytes]]


def identities(count: int) -> list[Identity]:
    """Return so many players."""
    return [Identity.from_seed(bytes([number + 1]) * 32) for number in range(count)]


def terms_for(game: str, players: int, **options: Any) -> Terms:
    """Return terms that these players would sign."""
    places = tuple(
        Participant(who.public, f"nick{seat}", bytes([seat]) * 16)
        for seat, who in enumerate(identities(players))
    )
    return Terms(
        game,
        game_class(game).version,
        complete_options(game, players, options),
        60,
        spectators=False,
        participants=places,
    )


def first_choice(view: View) -> Move:
    """Play the first legal move."""
    assert view.options is not None
    return next(iter(view.options))


def bare(log: bytes) -> list[tuple[str, list[bytes]]]:
    """Return what all whole logs of one match share: all records, without the seals and stands."""
    read = read_log(log)
    return [
        (name, [one for one in data if name == "step" or not _is_stand(read, one)])
        for name, data in read.records
        if name != "seals"
    ]


def _is_stand(log: LogFile, data: bytes) -> bool:
    return read_unsigned(log.terms, log.terms.match, data).kind == STAND


class Ring:
    """All tables of one match."""

    def __init__(
        self,
        game: str,
        players: int,
        *,
        group: Group | None = None,
        seed: str = "ring",
        table_class: Sequence[Callable[..., Table]] | None = None,
        tap: Tap | None = None,
        flood: bool = False,
        **options: Any,
    ) -> None:
        who = self.who = identities(players)
        self.tap, self.flood, self.group, self.seed = tap, flood, group, seed
        self.terms = terms_for(game, players, **options)
        self.signatures = [self.terms.sign(one) for one in who]
        kinds = table_class or [Table] * players
        self.tables = [
            kinds[seat](
                self.terms, self.signatures, seat, who[seat], seeded(f"{seed}/{seat}"), group
            )
            for seat in range(players)
        ]
        self.logs = [b""] * players
        self.marks: list[LogMark | None] = [None] * players
        self.journals = [b""] * players
        self.events: list[list[Event]] = [[] for _ in range(players)]
        self.sent: list[tuple[int, bytes]] = []
        self.charged: list[tuple[int, int, Exception]] = []
        """The seat that would not read it, the sender, and why not."""

    def store(self, seat: int) -> list[bytes]:
        """Store what a table wants stored, and return what it may now send."""
        table = self.tables[seat]
        self.journals[seat] += table.data_to_store()
        if self.marks[seat] is None or table.mark > self.marks[seat]:
            at, data = table.log_update(self.marks[seat])
            self.logs[seat] = self.logs[seat][:at] + data
            self.marks[seat] = table.mark
        self.events[seat] += table.events()
        return table.data_to_send()

    def resumed(
        self,
        seat: int,
        seed: object = "again",
        *,
        journal: bytes | None = None,
        log: bytes | None = None,
        listening: bool = False,
    ) -> Table:
        """Return the table of a seat that sits down again, with its files or with others."""
        return Table.resumed(
            *(self.terms, self.signatures, seat, self.who[seat], seeded(f"{seed}")),
            self.journals[seat] if journal is None else journal,
            self.logs[seat] if log is None else log,
            self.group,
            listening=listening,
        )

    def read(self, data: bytes) -> Entry:
        """Read an entry of this match, and check its signature."""
        return read_entry(self.terms, self.terms.match, data)

    def signed(
        self,
        seat: int,
        place: Place,
        body: Body | None = None,
        head: bytes | None = None,
        stage: int = 0,
    ) -> Entry:
        """Sign anything with the key of a seat; if no head is given, a leave or vote on the one
        with which its epoch began, all else on that of its table."""
        table = self.tables[seat]
        begins = table.epochs.begins[place[1] :] if place[0] in (LEAVE, VOTE) else []
        on = head or (begins[0] if begins else table.head)
        return make_entry(self.who[seat], self.terms.match, (place, stage), seat, on, body or {})

    def deck_keys(self, seat: int) -> tuple[bytes, ...]:
        """Return the secrets of a seat's deck keys, from its journal."""
        records = (unpack(one, RECORD_LIMIT) for one in split_records(self.journals[seat])[0])
        return tuple(one["key"] for one in records if "key" in one)

    def carry(self, sender: int, data: bytes, receivers: Iterable[int]) -> None:
        """Carry an entry over the links to these seats."""
        for receiver in receivers:
            for arriving in self.tap(sender, receiver, data) if self.tap else (data,):
                try:
                    new = self.tables[receiver].receive(arriving)
                except (Malformed, BadSignature) as error:
                    self.charged.append((receiver, sender, error))
                    continue
                if new and self.flood:
                    self.carry(receiver, arriving, self.others(sender, receiver))

    def others(self, *but: int) -> list[int]:
        """Return all seats but these."""
        return [seat for seat in range(len(self.tables)) if seat not in but]

    def deliver(self) -> bool:
        """Carry everything that waits to everybody; return whether there was anything."""
        busy = False
        for seat, table in enumerate(self.tables):
            table.proceed()
            for data in self.store(seat):
                busy = True
                self.sent.append((seat, data))
                self.carry(seat, data, self.others(seat))
                for peer in self.others(seat):
                    self.tables[peer].proceed()
        return busy

    def settle(self) -> None:
        """Deliver until nobody has anything to say."""
        while self.deliver():
            pass

    def after_move(self) -> None:
        """Let everybody hear of a move."""
        self.settle()

    def play(self, players: Player | Sequence[Player] = first_choice, moves: int = 100000) -> int:
        """Let players play, by rights the whole match; return how many moves were made."""
        made = 0
        self.settle()
        while made < moves:
            asked = [seat for seat, table in enumerate(self.tables) if table.asked]
            if not asked:
                break
            for seat in asked:
                table = self.tables[seat]
                if table.asked:
                    player = players if callable(players) else players[seat]
                    table.act(player(table.view()))
                    made += 1
                    self.after_move()
        self.settle()
        return made
