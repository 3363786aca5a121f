"""Kills players of running matches, brings them back with `resume`, and demands that nothing comes
of it.

    python -m tests.kills --kills 50 --seed 1

Players are processes of the program with homes of their own, on loopback, as in `demo`; computers
play without pauses. They are killed with SIGKILL: at any moment, while a deck is being shuffled, or
within 50 ms of coming back from the kill before (of the start of the process, or of its saying that
it is back). Every match must end by itself, its logs equal and verified.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from client.storage.home import Home
from p2p.table.replay import verify_log
from p2p.table.tail import split_records
from p2p.wire import unpack
from tests.end_to_end.processes import LOOPBACK, Machine, Player, address_of, eventually, same_logs

MATCHES: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "escoba": ((2, 3, 4), ("target=21",)),
    "domino": ((3, 4, 2), ("target=120",)),
    "siete-y-media": ((4, 2, 3), ("deals=30", "chips=1000")),
    "truco": ((2, 4), ("target=30",)),
    "kinaskak": ((3, 4), ("last_contract=3",)),
}
"""Of each game, with how many players it is played in turn, and the options that make a match of it
long enough."""
AT_ANY_MOMENT, IN_A_SHUFFLE, ON_STARTING, ON_RETURN = "any", "shuffle", "starting", "return"
SOON = 0.05
"""Seconds after a restart that count as at once."""
PLAY = 0.6
"""Seconds of play, at most, before a kill at any moment."""
LOOK = 3.0
"""Seconds that a shuffle is waited for."""
GOING_ON = 60.0
"""Seconds in which play must go on after a restart."""
MATCH = 300.0
"""Seconds in which a match must end, once nobody is killed any more."""
EACH = 10
"""Kills of one match, at most."""


@dataclass
class Table:
    """One match: its players, by seat, and the kills."""

    game: str
    machine: Machine
    chance: Random
    players: list[Player] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    pauses: list[float] = field(default_factory=list)
    """Seconds from the start of the process that came back (the last of two) until all had gone on
    by a step at least."""
    restarted: float = 0.0

    def open(self, seats: int, options: tuple[str, ...]) -> None:
        """Start everybody, and wait until all play."""
        words = [word for option in options for word in ("--option", option)]
        host = self.machine.host(
            "p1", f"kills-{self.game}", self.game, "--seats", str(seats), "--brief", *words
        )
        where = address_of(host)
        guests = [
            self.machine.join(f"p{number}", where, "--brief") for number in range(2, seats + 1)
        ]
        self.players = [host, *guests]
        eventually(
            lambda: all(player.logs and player.journals for player in self.players), "the match"
        )

    @property
    def over(self) -> bool:
        """Whether somebody has come to the end."""
        return any(player.process.poll() is not None for player in self.players)

    def kill_some(self, most: int) -> None:
        """Kill players, one after the other or two at a time, until it has been enough or the match
        is over."""
        while sum(self.kills.values()) < most and not self.over:
            first = self.chance.randrange(len(self.players))
            self._kill_when_due(first)
            victims = [first]
            if (
                len(self.players) > 2
                and self.chance.random() < 0.2
                and sum(self.kills.values()) < most
            ):
                second = self.chance.choice(
                    [seat for seat in range(len(self.players)) if seat != first]
                )
                victims.append(second)
                self._kill(second, AT_ANY_MOMENT)
            for victim in victims:
                self._bring_back(victim, most)
            sizes = [_size(player) for player in self.players]
            eventually(
                lambda sizes=sizes: self.over or self._grown(sizes),
                "play after a restart",
                GOING_ON,
                self._story,
            )
            self.pauses.append(time.monotonic() - self.restarted)

    def end(self) -> None:
        """Wait for the end, and look at the disks."""
        for player in self.players:
            # on its way out
            if player.process.poll() == -signal.SIGKILL and not _unfinished(player):
                with Home(player.home).locked():
                    continue  # files that it had no time to delete the next start deletes
            assert player.ends(seconds=MATCH) == 0, self._story()
        log = same_logs(*{player.home: player for player in self.players}.values())
        assert verify_log(log).complete, "the log does not verify"
        for player in self.players:
            assert "does not verify" not in player.out, self._story()

    def _kill_when_due(self, seat: int) -> None:
        if self.chance.random() < 0.5:
            time.sleep(self.chance.random() * PLAY)
            self._kill(seat, AT_ANY_MOMENT)
            return
        until = time.monotonic() + LOOK
        player = self.players[seat]
        while time.monotonic() < until and player.process.poll() is None and not _shuffling(player):
            time.sleep(0.002)
        self._kill(seat, IN_A_SHUFFLE)

    def _kill(self, seat: int, aim: str) -> None:
        player = self.players[seat]
        if player.process.poll() is not None:
            return
        player.signal(signal.SIGKILL)
        player.process.wait()
        if _unfinished(player):  # else it had come to the end, and was killed on its way out
            self.kills[aim] += 1

    def _bring_back(self, seat: int, most: int) -> None:
        """Restart a player; some are killed again at once."""
        while True:
            if not _unfinished(self.players[seat]):
                return
            self.restarted = time.monotonic()
            self.players[seat] = player = self.machine.player(
                self.players[seat].home.name,
                "resume",
                "--auto",
                "--at-once",
                "--plain",
                "--interface",
                LOOPBACK,
            )
            again = self.chance.random() < 0.35 and sum(self.kills.values()) < most
            if again and self.chance.random() < 0.3:
                time.sleep(self.chance.random() * SOON)
                self._kill(seat, ON_STARTING)
                continue
            player.says("Back in match")
            if not again:
                return
            time.sleep(self.chance.random() * SOON)
            self._kill(seat, ON_RETURN)

    def _grown(self, sizes: list[int]) -> bool:
        return all(_size(player) > size for player, size in zip(self.players, sizes, strict=True))

    def _story(self) -> str:
        return "\n".join(
            f"--- {player.home.name} {player.words} "
            f"{player.process.poll()}\n{player.out[-1500:]}\n{player.err[-1500:]}"
            for player in self.players
        )


def _unfinished(player: Player) -> bool:
    """Whether there is a match to go back into."""
    return any((player.home / "journals").glob("*.match"))


def _size(player: Player) -> int:
    return sum(path.stat().st_size for path in player.logs)


def _shuffling(player: Player) -> bool:
    """Whether a player has spoken last for a deck that is being shuffled."""
    for path in player.journals:
        if path.suffix == ".journal":
            records, _torn = split_records(path.read_bytes())
            entries = [
                value["entry"]
                for value in (unpack(item, 1 << 20) for item in records[-2:])
                if "entry" in value
            ]
            return bool(entries) and unpack(entries[-1], 1 << 20)[1][0] == "deck"
    return False


def play(game: str, number: int, kills: int, seed: int, folder: Path, *more: str) -> Table:
    """Play one match of a game, with `more` options, and so many kills at most. AssertionError if
    anything is wrong."""
    players, options = MATCHES[game]
    folder.mkdir(parents=True)
    machine = Machine(folder)
    table = Table(game, machine, Random(f"kills {seed} {game} {number}"))
    try:
        table.open(players[number % len(players)], (*options, *more))
        table.kill_some(kills)
        table.end()
    finally:
        machine.end()
    return table


def main(words: list[str] | None = None) -> int:
    """Play matches until there have been enough kills in every game; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=list(MATCHES), action="append")
    args = parser.parse_args(words)
    games = args.game or list(MATCHES)
    each = -(-args.kills // len(games))
    with tempfile.TemporaryDirectory(prefix="sobremesa-kills-") as folder:
        for game in games:
            total, number = Counter[str](), 0
            while total.total() < each:
                home, most = Path(folder) / f"{game}-{number}", min(EACH, each - total.total())
                try:
                    table = play(game, number, most, args.seed, home)
                except AssertionError as error:
                    print(f"{game} {number}: {error}")
                    print(f"Again: python -m tests.kills --kills {args.kills} --seed {args.seed}")
                    return 1
                number, total = number + 1, total + table.kills
            print(
                f"{game}: {number} matches ended with equal logs, killed {dict(total)}", flush=True
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
