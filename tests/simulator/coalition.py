"""A coalition of liars in the storm: seats that hold their keys, know all that is said, and say
anything at any place.

A liar's table is a real one that plays on honestly, so that matches get far. Beside that the
coalition signs lies (`tests.simulator.lies`), says nothing to some, comes back with an old disk and
plays on otherwise, and seals nothing. G1 to G7 must hold of the honest (`tests.simulator.safety`);
G5 here, once the weather has cleared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from crypto.group import Group
from engine.core.moves import Seat
from p2p.table.hashing import h
from p2p.table.log import entries_record, make_entry, opening_record
from p2p.table.member_entries import in_order
from p2p.table.replay import BadLog, verify_log
from p2p.table.table import Table
from p2p.table.tail import split_records
from p2p.table.terms import TERMS_CONTEXT
from tests.adversary.signatures import another_signature
from tests.simulator.disk import LOG, Disk
from tests.simulator.lies import LIES, Knowledge
from tests.simulator.matches import Kind
from tests.simulator.peer import Crash, Parcel
from tests.simulator.records import (
    Broken,
    common,
    demand,
    in_agreement,
    key_of,
    records_of,
    signed_both,
)
from tests.simulator.weather import OFTEN_LEFT, Storm
from tests.simulator.world import ENOUGH, Link

ATTACKS = tuple(f"A{number}" for number in range(1, 12))
LAST_LIES = 30
"""Lies that are told at most when the weather has cleared."""
LIMITS = 2
"""Time limits that may pass without any progress, for each liar, and for the votes themselves."""


class Conspiracy(Storm):
    """A match in bad weather in which a coalition lies."""

    def __init__(
        self, kind: Kind, seed: int, group: Group | None, liars: int = 0, *, many_go: bool = False
    ) -> None:
        players = kind[1]
        count = liars or 1 + seed % (players - 1)
        chosen = [(seed // 3 + number * 2 + number // 3) % players for number in range(players)]
        seats = list(dict.fromkeys([*chosen, *range(players)]))[:count]
        super().__init__(kind, seed, group, dict.fromkeys(seats, Table))
        chance = self.chance
        self.liars: list[Seat] = sorted(seats)
        self.told: Counter[str] = Counter()
        self.split = False
        """Whether honest tables stand on different branches at the end, by the words of liars."""
        leave = chance.choice(OFTEN_LEFT if many_go else (0, 0, 0.005))
        self.climate = replace(self.climate, leave=leave)
        self.often = chance.choice((0.01, 0.03, 0.1))
        """How often something is said that no table says."""
        self.shuns = chance.choice((0, 0.01, 0.05))
        self.comes_back = chance.choice((0, 0.005, 0.02))
        self.unsealing = {seat for seat in self.liars if chance.random() < 0.3}
        self.shunned: set[tuple[Seat, Seat]] = set()
        """Pairs of a liar and somebody whom it tells nothing, and whom it does not hear."""
        self.silent: set[Seat] = set()
        """Liars that say nothing at all when the weather has cleared."""
        self.old: dict[Seat, list[Disk]] = {seat: [] for seat in self.liars}
        self.points: list[tuple[int, bytes]] = []
        if chance.random() < 0.3:
            self._sign_twice()

    # Acts of liars.

    def one_event(self) -> None:
        """Let something happen, and perhaps a lie be told."""
        super().one_event()
        chance = self.chance
        if chance.random() < self.often:
            self.lie()
        if chance.random() < self.shuns:
            pair = (chance.choice(self.liars), chance.randrange(len(self.peers)))
            self.shunned ^= {pair}
            self.told["silence to some"] += 1
        if chance.random() < self.comes_back:
            self._come_back(chance.choice(self.liars))
        if chance.random() < 0.05:
            seat = chance.choice(self.liars)
            self.old[seat] = [*self.old[seat][-4:], self.peers[seat].disk.copy()]
        if chance.random() < 0.002:
            self._forge_log()

    def lie(self) -> None:
        """Tell one lie, to all or to some."""
        chance = self.chance
        honest = [
            peer.table
            for peer in self.peers
            if peer.seat not in self.liars and peer.table is not None
        ]
        if not honest:
            return
        seat = chance.choice(self.liars)
        watch = self.watch
        know = Knowledge(
            chance,
            self.identities,
            self.liars,
            chance.choice(honest),
            watch.sent_by,
            self.points,
            watch.votes,
        )
        name, entries = chance.choice(LIES)(know, seat)
        if not entries:
            return
        self.told[name] += 1
        to_all = chance.random() < 0.6
        for entry in entries:
            for other in range(len(self.peers)):
                if other != entry.seat and (to_all or chance.random() < 0.5):
                    super().post(entry.seat, other, entry.data)

    def post(self, sender: Seat, receiver: Seat, parcel: Parcel) -> None:
        """Put something on a link; liars say nothing to those whom they shun, and some never
        seal."""
        if (sender, receiver) in self.shunned or (receiver, sender) in self.shunned:
            return
        if (
            sender in self.unsealing
            and isinstance(parcel, bytes)
            and key_of(parcel)[0][0] == "seal"
        ):
            self.told["A6"] += 1
            return
        super().post(sender, receiver, parcel)

    def _come_back(self, seat: Seat) -> None:
        """Come back with an old disk, and play on otherwise; perhaps with others than before."""
        if not self.old[seat]:
            return
        peer = self.peers[seat]
        self.told["an old disk"] += 1
        if peer.table is not None:
            self.crash(seat)
        peer.disk = self.chance.choice(self.old[seat]).copy()
        if self.chance.random() < 0.5:
            self.shunned ^= {
                (seat, other) for other in range(len(self.peers)) if self.chance.random() < 0.5
            }
        self._start(seat)

    def _sign_twice(self) -> None:
        """A9: tell each seat another signature of the terms."""
        seat = self.chance.choice(self.liars)
        for turn, peer in enumerate(self.peers):
            mine = list(self.signatures)
            mine[seat] = another_signature(
                self.identities[seat], TERMS_CONTEXT, self.terms.encode(), turn
            )
            peer.signatures = mine
        self.told["A9"] += 1

    def _forge_log(self) -> None:
        """A5: alone and offline, make a log that looks complete; nobody may take it for that
        (G4)."""
        self.told["A5"] += 1
        chance, seat = self.chance, self.chance.choice(self.liars)
        whole = split_records(self.peers[seat].disk.recover(LOG))[0]
        log = opening_record(self.terms, self.signatures)
        for data in whole[1 : 1 + chance.randrange(len(whole) + 1)]:
            log += len(data).to_bytes(4, "big") + data
        members = range(len(self.peers))
        others = [other for other in members if other not in self.liars]
        number = len(records_of(log))
        head = begin = chance.randbytes(32)
        epoch = sum(record.name == "epoch" for record in records_of(log))
        table = self.peers[seat].table
        if table is not None and number < len(table.trail):
            head, begin = table.trail[number], table.epochs.begins[0]
        sign = [(self.identities[one], one) for one in self.liars]
        calls = tuple((other, head) for other in others)
        votes = [
            make_entry(who, self.terms.match, (("vote", epoch, head, other), 0), one, begin, {})
            for who, one in sign
            for other in others
        ]
        body = {"records": number, "done": b"", "reasons": sorted(vote.hash for vote in votes)}
        flushes = [
            make_entry(who, self.terms.match, (("flush", epoch, (), calls, ()), 0), one, head, body)
            for who, one in sign
        ]
        k = h("stage", head, [flush.data for flush in flushes])
        stands = [
            make_entry(who, self.terms.match, (("stand", epoch, (), calls, ()), 0), one, k, {})
            for who, one in sign
        ]
        record = entries_record("epoch", [*sorted(votes, key=in_order), *flushes, *stands])
        seals = [
            make_entry(who, self.terms.match, (("seal", epoch, number + 1), 0), one, head, {})
            for who, one in sign
        ]
        for tail in (
            record,
            entries_record("seals", seals),
            record + entries_record("seals", seals),
        ):
            try:
                verdict = verify_log(log + tail, self.group)
            except BadLog:
                continue
            self.watch.judged(seat, log + tail, verdict)
            demand(
                not verdict.complete or self._all_sealed(log + tail),
                "G4: a log that the coalition made alone is complete",
            )

    def _all_sealed(self, log: bytes) -> bool:
        """Whether every honest seat has sealed this very match, or left it."""
        del log
        words = {
            seat: {word.place[0] for word in self.watch.sent_by(seat)}
            for seat in range(len(self.peers))
        }
        return all(words[seat] & {"seal", "leave"} for seat in words if seat not in self.liars)

    def _do(self, seat: Seat, what: Callable[[], object]) -> None:
        """Let a peer do something. The effect of its lies on a liar's own table is nobody's
        business: it dies of them."""
        if seat not in self.liars:
            super()._do(seat, what)
            table = self.peers[seat].table
            point = table.epochs.records.stage if table is not None else None
            if (
                table is not None
                and point is not None
                and (table.mark[0], point) not in self.points[-4:]
            ):
                self.points.append((table.mark[0], point))
            return
        self.count.events += 1
        try:
            what()
        except Exception as error:  # noqa: BLE001 - a liar's own program may break; that is no fault of ours
            if not isinstance(error, Crash):
                self.told["a liar's table ended"] += 1
            self.crash(seat)

    # Fine weather.

    def play(self) -> None:
        """Play the match in the storm, then in fine weather, as far as it goes."""
        self._begin()
        self._raging = False
        chance = self.chance
        self.silent = {seat for seat in self.liars if chance.random() < 0.4}
        self.shunned = {pair for pair in self.shunned if chance.random() < 0.5}
        self.clear_up()
        self.settle()
        self.check_end()

    def clear_up(self) -> None:
        """Let all but the silent sit at the table, with links to all."""
        for peer in self.peers:
            if peer.table is None and peer.seat not in self.silent:
                self.start(peer.seat)
        for link in self.links:
            self.join(link)

    def settle(self) -> None:
        """Let all arrive that is under way; the liars lie on for a while; then time limits pass,
        and the honest vote."""
        lies, still = self.chance.randrange(LAST_LIES), 0
        for _ in range(ENOUGH):
            self._come_to_rest()
            if any(not link.up and self._between_honest(link) for link in self.links):
                self.clear_up()
            elif lies:
                lies -= 1
                self.lie()
                self.clear_up()
            elif not self.ask_again() and not self.give_up():
                before = self._progress()
                voted = [seat for seat in self.honest() if self.vote(seat, range(len(self.peers)))]
                if not voted:
                    return
                self._come_to_rest()
                still = 0 if self._progress() != before else still + 1
                demand(
                    still <= LIMITS * (1 + len(self.liars)),
                    "G5: time limits pass, and nothing changes",
                )
        raise Broken("G5: it goes on for ever")

    def _come_to_rest(self) -> None:
        for _ in range(ENOUGH):
            if not self.one_thing():
                return
        raise Broken("G6: it does not come to rest")

    def honest(self) -> list[Seat]:
        """Return the seats that do not lie."""
        return [peer.seat for peer in self.peers if peer.seat not in self.liars]

    def _between_honest(self, link: Link) -> bool:
        return not set(link.ends) & set(self.liars)

    def _progress(self) -> list[object]:
        return [
            (table.mark, table.epochs.now.round)
            for table in (self.peers[seat].here() for seat in self.honest())
        ]

    def check_end(self) -> None:
        """Check G3, G4 and G5 of how it stands at the end."""
        honest = self.honest()
        logs = {seat: self.peers[seat].disk.recover(LOG) for seat in honest}
        complete = [seat for seat in honest if self.check_log(seat, logs[seat]).complete]
        for one, other in combinations(honest, 2):
            first, second = records_of(logs[one]), records_of(logs[other])
            at = common(first, second)
            if at == min(len(first), len(second)):
                demand(
                    not {one, other} <= set(complete) or first == second,
                    "G3: two complete logs differ",
                )
                continue
            self.split = True
            named = {
                seat
                for mine in first[at:]
                for theirs in second[at:]
                for seat in signed_both(mine, theirs)
            }
            unstood = any(len(log) == at + 1 and log[at].name == "epoch" for log in (first, second))
            excused = unstood or in_agreement(one, first, other, second)
            demand(
                bool(named) or excused,
                f"G3: the logs of p{one + 1} and p{other + 1} differ, and name nobody",
            )
            demand(named <= set(self.liars), f"G7: two logs name {named}")
            demand(not {one, other} <= set(complete), "G3: two complete logs differ")
        self._check_going_on()

    def _check_going_on(self) -> None:
        """G5: where more than half of the electorate is honest, the match has come to the end of
        the rules.

        Not for a seat that was voted out: it waits until all who stay have spoken on the next head,
        and says for whom.
        """
        voted = {
            seat
            for other in self.honest()
            for seat, how in self.watch.gone[other].items()
            if how == "voted"
        }
        for seat in self.honest():
            table = self.peers[seat].here()
            if seat in voted:
                demand(table.over or bool(table.waiting), f"G5: p{seat + 1} waits for nobody")
                continue
            members = table.epochs.now.electorate
            honest = [other for other in members if other not in self.liars]
            if seat in honest and 2 * len(honest) > len(members):
                demand(
                    table.over,
                    f"G5: p{seat + 1} waits for {[f'p{other + 1}' for other in table.waiting]} in "
                    f"{table.phase.name}",
                )
                # a seat that left before it knew of the end
                unsealed = set(table.waiting) & set(self.honest()) - self.watch.leaving
                demand(
                    not unsealed,
                    f"G5: p{seat + 1} waits for seals of {[f'p{other + 1}' for other in unsealed]}",
                )
