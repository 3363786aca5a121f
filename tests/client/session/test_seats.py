"""Our seats in a match: the choices of a player, the losses of a disk, and the news after a
resume."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from client.session import seats as seats_module
from client.session.context import Context
from client.session.messages import News
from client.session.seats import Beginning, LocalSeats
from client.session.work import Behind, Chosen, EntryReceived, Input, Vote
from client.storage.home import Home, StoreError
from client.storage.match_files import MatchFiles
from engine.core.moves import IllegalMove
from engine.games.truco.moves import Call
from p2p.table.events import Asked, Shuffling, Told
from p2p.table.faults import Forgotten
from p2p.table.log import read_entry
from p2p.table.table import Table
from tests.bots.weak import weak_bot
from tests.client.session.linked_player import signed_by
from tests.ring import first_choice, identities, terms_for
from tests.standin import seeded, standin_group

PEER = b"the other one"


def test_a_choice_is_for_the_question_that_the_player_saw_and_for_no_later_one(
    tmp_path: Path,
) -> None:
    """A partner may answer first, and the next question may have the same words: here `quiero` to a
    truco would accept the other team's raise of the envido."""
    who, terms = identities(4), terms_for("truco", 4, envido_callers="any")
    context = Context(Home(tmp_path), entropy=seeded(4))
    beginning = Beginning(group=standin_group())
    seats = LocalSeats(context, signed_by(terms, who), dict(enumerate(who)), {}, beginning)

    def work(*inputs: Input) -> list[IllegalMove]:
        result = seats.work(inputs, lambda data, *, to=None, skip=None: None)
        return result.refused + (work() if result.more else [])

    def says(seat: int, word: str, head: bytes) -> list[IllegalMove]:
        return work(Chosen(seat, Call(word), head))

    work()
    (first,) = [seat for seat, table in seats.tables.items() if table.asked]
    slow, fast = (first + 1) % 4, (first + 3) % 4
    says(first, "truco", seats.tables[first].head)
    seen = seats.tables[slow].head
    assert seats.tables[slow].asked
    says(fast, "envido", seen)
    says(first, "real-envido", seats.tables[first].head)
    assert seats.tables[slow].asked
    head, (refused,) = seats.tables[slow].head, says(slow, "quiero", seen)
    assert refused.why == ("gone-on",)
    assert seats.tables[slow].asked
    assert seats.tables[slow].head == head
    assert says(slow, "quiero", head) == []
    assert seats.tables[slow].head != head
    seats.close()


def test_a_vote_is_about_the_point_at_which_the_player_saw_a_late_seat_and_no_later_one(
    tmp_path: Path,
) -> None:
    """A seat that answers while our player votes must not be voted about at its next entry."""
    who, terms = identities(3), terms_for("escoba", 3, target=1)
    context = Context(Home(tmp_path), entropy=seeded(3))
    beginning = Beginning(group=standin_group())
    seats = LocalSeats(context, signed_by(terms, who), {0: who[0]}, {}, beginning)
    said: list[str] = []

    def post(data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
        said.append(read_entry(terms, terms.match, data).kind)

    seats.work([], post)
    assert seats.table.waiting == (1, 2)
    for at, votes in ((bytes(32), 0), (seats.wait.at, 1)):
        seats.work([Vote(0, 1, at)], post)
        assert said.count("vote") == votes
    seats.close()


@pytest.mark.parametrize("piece", ["work", "make_ahead", "leave_all"])
def test_a_key_that_our_disk_has_lost_is_a_sentence_wherever_it_is_missed(
    piece: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    who, terms = identities(2), terms_for("escoba", 2, target=1)
    context = Context(Home(tmp_path), entropy=seeded(0))
    local_seats = LocalSeats(context, signed_by(terms, who), {0: who[0]}, {})

    def forgets(*_arguments: Any) -> None:
        raise Forgotten("our key for deck 1")

    for name in ("proceed", "make_ahead", "leave"):
        monkeypatch.setattr(Table, name, forgets)
    pieces: dict[str, Callable[[], object]] = {
        "work": lambda: local_seats.work([], lambda data, *, to=None, skip=None: None),
        "make_ahead": lambda: local_seats.make_ahead(lambda data, *, to=None, skip=None: None),
        "leave_all": local_seats.leave_all,
    }
    with pytest.raises(StoreError, match="they are an older copy, without the keys of the cards"):
        pieces[piece]()
    local_seats.close()


@pytest.fixture
def make_two(tmp_path: Path) -> Iterator[Callable[..., Two]]:
    """Return what makes two processes; their files are closed afterwards."""
    made: list[Two] = []

    def make(**options: Any) -> Two:
        made.append(Two(tmp_path, **options))
        return made[-1]

    yield make
    for two in made:
        for local_seats in two.processes:
            local_seats.close()


class Two:
    """Two processes with a seat each, which may die and sit down again; their links never break."""

    def __init__(self, folder: Path, *, bots: bool, target: int = 3) -> None:
        self.who, self.terms = identities(2), terms_for("escoba", 2, target=target)
        self.signed = signed_by(self.terms, self.who)
        self.homes = [Home(folder / str(seat)) for seat in range(2)]
        self.bots, self.lives = bots, 0
        self.coming: list[list[Input]] = [[], []]
        self.processes = [self.sit(seat) for seat in range(2)]
        self.news: list[list[News]] = [[], []]

    def sit(self, seat: int, *, again: bool = False) -> LocalSeats:
        self.lives += 1
        bots = {seat: weak_bot("escoba")} if self.bots else {}
        who = {seat: self.who[seat]}
        context = Context(self.homes[seat], entropy=seeded(self.lives))
        return LocalSeats(
            context, self.signed, who, bots, Beginning(again=again, group=standin_group())
        )

    def turn(self, seat: int) -> None:
        """Let a process work once."""
        local_seats = self.processes[seat]
        inputs, self.coming[seat] = self.coming[seat], []
        if not self.bots and local_seats.table.asked:
            table = local_seats.table
            inputs.append(Chosen(seat, first_choice(table.view()), table.head))

        def post(data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
            self.coming[1 - seat].append(EntryReceived(PEER, data))

        self.news[seat] += local_seats.work(inputs, post).news

    def come_back(self, seat: int) -> None:
        self.processes[seat].files.close(finished=False)
        self.news[seat] = []
        self.processes[seat] = self.sit(seat, again=True)
        tables = [local_seats.table for local_seats in self.processes]
        for one in range(2):  # both say what they have, as over a new link
            self.coming[one].append(Behind(PEER, tables[1 - one].need))


def test_a_journal_that_fails_in_mid_work_leaves_the_log_as_it_was(
    make_two: Callable[..., Two], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that is ahead of its journal cannot be resumed."""
    monkeypatch.setattr(seats_module, "AT_ONCE", 1)
    two, write, writes = make_two(bots=True), MatchFiles.write_journal, 0
    log, failed = two.processes[0].files.log, False

    def fails_the_second_time(files: MatchFiles, seat: int, data: bytes) -> None:
        nonlocal writes, failed
        writes += bool(data)
        failed = failed or (files.log == log and writes == 2)
        if failed:
            raise StoreError("the disk is full")
        write(files, seat, data)

    monkeypatch.setattr(MatchFiles, "write_journal", fails_the_second_time)

    def play_on() -> None:
        nonlocal writes
        for turn in range(400):
            writes = 0
            two.turn(turn % 2)

    with pytest.raises(StoreError, match="full"):
        play_on()
    size = log.stat().st_size
    two.processes[0].close()
    assert log.stat().st_size == size
    monkeypatch.undo()
    two.processes[0] = two.sit(0, again=True)


def test_a_resumed_seat_gets_news_of_this_deal_and_its_open_question_again(
    make_two: Callable[..., Two],
) -> None:
    two = make_two(bots=False, target=11)
    turn = 0
    while two.processes[0].table.run.game.shuffles < 3 or not two.processes[0].table.asked:
        two.turn(turn % 2)
        turn += 1
    hand = two.processes[0].table.view().faces
    told = [news.event for news in two.news[0]]
    two.come_back(0)
    two.coming = [[], []]
    news = two.processes[0].work((), lambda data, *, to=None, skip=None: None).news
    assert two.processes[0].table.view().faces == hand
    present = [item.event for item in news if not item.earlier]
    assert all(item.repeated for item in news)
    assert isinstance(present[0], Told), "the number of the deal, and the score"
    assert isinstance(present[1], Shuffling)
    assert present[-1] == Asked()
    assert [item.event for item in news if item.earlier and not isinstance(item.event, Asked)] == [
        event
        for event in told[: len(told) - told[::-1].index(present[0]) - 1]
        if not isinstance(event, Asked)
    ]
