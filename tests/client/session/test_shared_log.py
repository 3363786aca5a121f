"""Two seats of one process share a log, and each has its journal: after a crash one of them may be
ahead of the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.session.context import Context
from client.session.seats import Beginning, LocalSeats
from client.session.work import Behind, EntryReceived, Input
from client.storage.home import Home
from p2p.table.table import Table
from tests.bots.weak import weak_bot
from tests.client.session.linked_player import signed_by
from tests.ring import first_choice, identities, terms_for
from tests.standin import seeded, standin_group

GROUP = standin_group()
PEER = b"peer"


class KilledError(Exception):
    pass


class TwoAndTwo:
    """Two computer players in one process, and two seats elsewhere that make their first
    choices."""

    def __init__(self, folder: Path) -> None:
        self.who, self.terms = identities(4), terms_for("escoba", 4, target=3)
        self.signatures = [self.terms.sign(one) for one in self.who]
        self.home, self.lives = Home(folder), 0
        self.ours = self.sit(again=False)
        self.theirs = [
            Table(self.terms, self.signatures, seat, self.who[seat], seeded(seat + 5), GROUP)
            for seat in (2, 3)
        ]
        self.coming: list[Input] = []

    def sit(self, *, again: bool) -> LocalSeats:
        self.lives += 1
        seats = {seat: self.who[seat] for seat in (0, 1)}
        bots = dict.fromkeys(seats, weak_bot("escoba"))
        context = Context(self.home, entropy=seeded(self.lives))
        return LocalSeats(
            context,
            signed_by(self.terms, self.who),
            seats,
            bots,
            Beginning(again=again, group=GROUP),
        )

    def post(self, data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
        for table in self.theirs:
            table.receive(data)

    def they_go_on(self) -> bool:
        """Let the seats elsewhere go on once; return whether they signed anything."""
        signed = False
        for table in self.theirs:
            table.proceed()
            if table.asked:
                table.act(first_choice(table.view()))
            table.data_to_store()
            for data in table.data_to_send():
                signed = True
                self.coming.append(EntryReceived(PEER, data))
                for other in self.theirs:
                    if other is not table:
                        other.receive(data)
        return signed

    def we_go_on(self) -> bool:
        inputs, self.coming = self.coming, []
        return bool(self.ours.work(inputs, self.post).more or inputs)

    def come_back(self) -> None:
        """Sit down again, and let each side be shown what it lacks, as links do when they are
        made."""
        self.ours.files.close(finished=False)
        self.ours = self.sit(again=True)
        table = self.ours.table
        for other in self.theirs:
            self.coming += [EntryReceived(PEER, data) for data in other.lacking(table.need)]
            self.coming.append(Behind(PEER, other.need))


@pytest.mark.parametrize("kill", range(0, 9, 2))
def test_a_kill_between_the_journal_of_one_seat_and_the_log(
    kill: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KilledError

    match, chances = TwoAndTwo(tmp_path), 0
    for _ in range(3000):
        while match.they_go_on():
            pass
        behind = min(table.steps for table in match.ours.tables.values())
        chances += max(table.steps for table in match.theirs) >= behind + 2
        if chances == kill + 1:
            chances += 1
            with monkeypatch.context() as patched:
                patched.setattr(match.ours.files.log_file, "write", die)
                with pytest.raises(KilledError):
                    match.we_go_on()
            match.come_back()
        if not match.we_go_on() and not match.they_go_on() and not match.coming:
            break
    assert chances > kill + 1, "nobody was killed"
    match.ours.files.close(finished=False)
    assert [table.sealed for table in match.ours.tables.values()] == [True, True]
