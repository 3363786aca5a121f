"""A process keeps shares of its player's cards while it plays; with them a replay and an analysis
show the whole hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from client.session.context import Context
from client.session.seats import Beginning, LocalSeats
from client.session.work import Chosen, EntryReceived, Input
from client.storage.home import Home
from client.storage.own_cards import own_cards_file, read_own_cards
from client.ui.replay import faces_in
from engine.core.moves import Face, Slot
from p2p.table.events import Dealt
from tests.client.session.linked_player import signed_by
from tests.ring import first_choice, identities, terms_for
from tests.standin import seeded

PEER = b"the other one"

pytestmark = pytest.mark.slow


class Match:
    """Two processes that play Truco over the real group: Ane's has two seats, of which a computer
    player has one."""

    def __init__(self, folder: Path) -> None:
        self.who, self.terms = identities(4), terms_for("truco", 4, target=5)
        self.signed = signed_by(self.terms, self.who)
        self.ours = ((0, 1), (2, 3))
        self.homes = [Home(folder / str(process)) for process in range(2)]
        self.coming: list[list[Input]] = [[], []]
        self.dealt: dict[Slot, Face] = {}
        """Ane's cards."""
        self.processes = [self.sit(process) for process in range(2)]

    def sit(self, process: int, *, again: bool = False) -> LocalSeats:
        person, computer = self.ours[process]
        signed = replace(self.signed, seeds={person: b"", computer: b"c" * 32})
        entropy = seeded(f"{process}/{again}")
        who = {seat: self.who[seat] for seat in self.ours[process]}
        context = Context(self.homes[process], entropy=entropy)
        return LocalSeats(context, signed, who, {}, Beginning(again=again))

    def turn(self, process: int) -> None:
        local_seats = self.processes[process]
        inputs, self.coming[process] = self.coming[process], []
        inputs += [
            Chosen(seat, first_choice(table.view()), table.head)
            for seat, table in local_seats.tables.items()
            if table.asked
        ]

        def post(data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
            self.coming[1 - process].append(EntryReceived(PEER, data))

        result = local_seats.work(inputs, post)
        if process == 0:
            for news in result.news:
                if isinstance(news.event, Dealt):
                    self.dealt |= news.event.mine

    def play(self, until: Callable[[], bool]) -> None:
        for turn in range(4000):
            if until():
                return
            self.turn(turn % 2)
        raise AssertionError("it takes too long")

    @property
    def over(self) -> bool:
        return all(local_seats.table.sealed for local_seats in self.processes)

    @property
    def kept(self) -> Mapping[Slot, bytes]:
        return read_own_cards(self.homes[0].path, self.terms.match)

    @property
    def deals(self) -> int:
        """How many decks there are of which Ane has kept a share."""
        return len({slot // 40 for slot in self.kept})

    @property
    def log(self) -> Path:
        return self.processes[0].files.log

    def close(self) -> None:
        for local_seats in self.processes:
            local_seats.close()


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """Return a match in which Ane's process is killed in the second deal, and comes back."""
    match = Match(tmp_path_factory.mktemp("own"))
    match.play(lambda: match.deals == 1)
    assert own_cards_file(match.homes[0].path, match.terms.match).exists(), "it is not over yet"
    match.play(lambda: match.deals == 2)
    match.processes[0].files.close(finished=False)
    match.processes[0] = match.sit(0, again=True)
    match.coming[0] = [EntryReceived(PEER, data) for data in match.processes[1].table.held_since(0)]
    for data in match.processes[0].table.held_since(0):
        match.coming[1].append(EntryReceived(PEER, data))
    match.play(lambda: match.over)
    match.close()
    return match


def test_the_shares_open_every_card_of_our_player_and_no_card_of_its_computer_player(
    match: Match,
) -> None:
    log = match.log.read_bytes()
    public = faces_in(log, 0, {})
    assert match.dealt.keys() - public.keys(), "some stayed hidden"
    assert faces_in(log, 0, match.kept) == {**public, **match.dealt}
    for seat in (1, 2, 3):
        assert faces_in(log, seat, match.kept) == public
