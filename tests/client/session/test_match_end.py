"""The end of a match on a disk that is full, or that loses power: nothing is lost.

When our player has come back, the log has every seal and is that of the other player, the shares of
our cards are there, and no journal is left. Until then there is a way back.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from client.session.context import Context
from client.session.seats import Beginning, LocalSeats
from client.session.work import Behind, EntryReceived, Input
from client.storage.earlier_match import entries_for
from client.storage.home import Home, StoreError
from client.storage.own_cards import own_cards_file, read_own_cards
from client.storage.resume_record import ResumeRecord, look_through
from p2p.table.replay import verify_log
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import unpack
from tests.bots.weak import weak_bot
from tests.client.storage.faulty_disk import LOSSES, FaultyDisk, PowerLost
from tests.ring import identities, terms_for
from tests.sample import pairs, sample
from tests.standin import seeded, standin_group
from tests.table.deck_keys import shares_from_keys

ANE, JON = range(2)
NAMES = ("ane", "jon")
PEER = b"the other one"
GROUP = standin_group()
CALLS = 20
"""Calls to the system before the end of the match at which a disk may fail."""
BEFORE_THE_END = 6
"""Pieces of work of each player from which on a disk may fail."""


class Two:
    """Ane and Jon at a match of two; each has a home."""

    def __init__(self, folder: Path) -> None:
        who, self.terms = identities(2), terms_for("truco", 2, target=5)
        signatures = tuple(self.terms.sign(one) for one in who)
        self.records = [
            ResumeRecord(self.terms, signatures, {seat: b""}, (), 4000) for seat in range(2)
        ]
        self.folder, self.lives = folder, 0
        self.keys: list[bytes] = []
        """Jon's deck keys, from his journal of before the end."""
        for seat, name in enumerate(NAMES):
            (folder / name).mkdir(parents=True, exist_ok=True)
            (folder / name / "identity.key").write_text(who[seat].seed.hex())
        self.waiting: list[list[Input]] = [[], []]
        self.players: list[LocalSeats | None] = [None, None]

    @property
    def homes(self) -> list[Home]:
        return [Home(self.folder / name) for name in NAMES]

    def sit(self, seat: int, *, again: bool) -> LocalSeats:
        self.lives += 1
        context = Context(self.homes[seat], entropy=seeded(self.lives))
        if not again:
            self.records[seat].save(context.home)
        beginning = Beginning(again=again, group=GROUP)
        bots = {seat: weak_bot("truco")}
        made = LocalSeats(context, self.records[seat], {seat: context.identity}, bots, beginning)
        self.players[seat] = made
        return made

    def turn(self, seat: int) -> bool:
        """Let a player work once; return whether there was anything to do."""
        player = self.players[seat]
        assert player is not None
        inputs, self.waiting[seat] = self.waiting[seat], []

        def post(data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
            self.waiting[1 - seat].append(EntryReceived(PEER, data))

        return player.work(inputs, post).more or bool(inputs)

    def play(self, turns: int = 10_000) -> int:
        """Let all who are here work until nobody has anything to do; return how often they did."""
        done = idle = 0
        while done < turns and idle < 2:
            for seat in range(2):
                idle = 0 if self.players[seat] is not None and self.turn(seat) else idle + 1
            done += 1
        return done

    def come_back(self, seat: int) -> None:
        """Start a player's program again, unless it runs, or there is no match to be resumed.

        The other shows what it lacks: at the table, or from its log if it has ended the match.
        """
        home, other = self.homes[seat], self.players[1 - seat]
        with home.locked():
            if self.players[seat] is not None or not look_through(home)[0]:
                return
            made = self.sit(seat, again=True)
        table = made.table
        if other is not None:
            self.waiting[1 - seat].append(Behind(PEER, table.need))
            self.waiting[seat].append(Behind(PEER, other.table.need))
        else:
            mine, theirs = home.identity.id, self.homes[1 - seat]
            shown = entries_for(theirs, mine, self.terms.match, table.steps, table.head)
            entries = shown.entries if shown is not None else []
            self.waiting[seat] += [EntryReceived(PEER, data) for data in entries]

    def end(self, seat: int) -> None:
        """Let a player's session end: if the match is over for it, its keys end with it."""
        player, self.players[seat] = self.players[seat], None
        if player is not None:
            player.close()
            journals = (self.folder / NAMES[seat] / "journals").iterdir()
            assert not player.finished or list(journals) == []

    def check(self) -> None:
        """Require that nothing is lost."""
        logs = [next(home.logs.glob("*.sobremesa")).read_bytes() for home in self.homes]
        assert logs[ANE] == logs[JON]
        assert verify_log(logs[JON], GROUP).complete
        shares = shares_from_keys(logs[JON], self.keys, GROUP)
        assert shares
        assert read_own_cards(self.folder / "jon", self.terms.match) == shares
        (file,) = self.homes[JON].cards.iterdir()
        assert not any(key in file.read_bytes() for key in self.keys)
        for home in self.homes:
            with home.locked():
                assert list(home.journals.iterdir()) == []
            assert len(list(home.logs.iterdir())) == 1


def near_the_end(folder: Path) -> Two:
    """Let a match come close to its end, and both programs be killed. Jon's disk did not take the
    shares of his cards before."""
    whole = Two(folder / "whole")
    for seat in range(2):
        whole.sit(seat, again=False)
    turns = whole.play()
    two = Two(folder / "part")
    for seat in range(2):
        two.sit(seat, again=False)
    two.play(turns - BEFORE_THE_END)
    for made in (whole, two):
        for player in made.players:
            assert player is not None
            player.files.close(finished=False)
    (journal,) = two.homes[JON].journals.glob("*.journal")
    records = [unpack(one, RECORD_LIMIT) for one in split_records(journal.read_bytes())[0]]
    two.keys = [record["key"] for record in records if "key" in record]
    own_cards_file(two.folder / "jon", two.terms.match).unlink()
    return two


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Two:
    return near_the_end(tmp_path_factory.mktemp("before"))


@pytest.fixture
def two(before: Two, tmp_path: Path) -> Iterator[Two]:
    """Return the match, shortly before its end."""
    shutil.copytree(before.folder, tmp_path, dirs_exist_ok=True)
    made = Two(tmp_path)
    made.keys = before.keys
    yield made
    for player in made.players:
        if player is not None:
            player.files.close(finished=False)


def plays_on(two: Two, disk: FaultyDisk) -> None:
    """Let both come back and play to the end, Jon on this disk, until it fails."""
    with disk.in_use(), suppress(PowerLost, StoreError):
        two.come_back(ANE)
        two.come_back(JON)
        two.play()
        two.end(JON)
    player, two.players[JON] = two.players[JON], None
    if player is not None and not disk.lost_power:
        with disk.in_use(), suppress(StoreError):
            player.close()
    elif player is not None:
        player.files.close(finished=False)


@pytest.fixture(scope="module")
def calls(before: Two, tmp_path_factory: pytest.TempPathFactory) -> int:
    """Return with how many calls to the system the end of the match comes on a good disk."""
    folder = tmp_path_factory.mktemp("good")
    shutil.copytree(before.folder, folder, dirs_exist_ok=True)
    two = Two(folder)
    disk = FaultyDisk(folder / "jon")
    plays_on(two, disk)
    two.end(ANE)
    two.keys = before.keys
    two.check()
    return disk.calls


@pytest.mark.parametrize("ane_waits", [False, True], ids=["ane-goes", "ane-waits"])
@pytest.mark.parametrize(
    ("last", "loss"), sample(pairs(range(CALLS), ("", *LOSSES)), CALLS, rows=True)
)
def test_nothing_is_lost(two: Two, calls: int, last: int, loss: str, ane_waits: bool) -> None:
    """The disk fails before the last calls, so many, or after all of them."""
    assert calls > CALLS
    disk = FaultyDisk(two.folder / "jon", calls - last, loss)
    plays_on(two, disk)
    if loss:
        assert disk.failed or not last
        disk.come_up()
    two.play()
    if not ane_waits:
        two.end(ANE)
    two.come_back(JON)
    two.come_back(ANE)
    two.play()
    for seat in range(2):
        two.end(seat)
    two.check()
