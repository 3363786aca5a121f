"""A spectator sees all that is public, verifies it all, keeps the players' log, and knows no card
before all do."""

from __future__ import annotations

from random import Random

import pytest

from client.session.spectator.table import SpectatorTable
from client.storage.home import Home, StoreError
from engine.bots import chance_for
from p2p.table.events import Accused, Dealt, Gone, Moved, Sealed
from p2p.table.faults import BadSignature
from p2p.table.replay import verify_log
from p2p.table.spectating import WatchedMatch
from p2p.wire import Malformed
from tests.adversary import liar, proofs
from tests.ring import Ring
from tests.standin import standin_group
from tests.table.weather import Storm

GROUP = standin_group()


def shown(ring: Ring) -> WatchedMatch:
    return WatchedMatch(ring.terms, tuple(ring.signatures), (), 0)


@pytest.fixture
def sit(tmp_path):
    made: list[SpectatorTable] = []

    def sit(match: WatchedMatch) -> SpectatorTable:
        for spectator_table in made:
            spectator_table.close()
        made.append(SpectatorTable(match, Home(tmp_path), GROUP))
        return made[-1]

    yield sit
    for spectator_table in made:
        spectator_table.close()


def played(game: str = "escoba", seats: int = 2, **options) -> Ring:
    ring = Ring(game, seats, group=GROUP, **options)
    player, random = chance_for(game), Random(1)
    ring.play(lambda view: player(view, random.randrange))
    assert all(table.sealed for table in ring.tables)
    return ring


def unseen(spectator_table: SpectatorTable) -> dict[int, int]:
    """Return who holds which slot that is not public."""
    game = spectator_table.table.run.game
    return {slot: holder for slot, holder in game.holder.items() if slot not in game.faces}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["escoba", "siete-y-media", "domino"])
def test_a_spectator_sees_it_all_and_no_hidden_card_and_has_the_players_log(sit, game):
    ring = played(game, seats=2)
    spectator_table, events, hidden = sit(shown(ring)), [], 0
    showing: dict[int, int] = {}  # slots that their holder shows in a step that is not whole yet
    for _seat, data in ring.sent:
        events += spectator_table.verify([data])
        view, masks, steps = (
            spectator_table.table.view(),
            spectator_table.table.progress.here.masks,
            spectator_table.table.steps,
        )
        assert view.faces == {}
        assert view.options is None
        for slot, holder in unseen(spectator_table).items():
            if holder in masks.shares.get(slot, {}):  # its own share is what hides a card
                assert showing.setdefault(slot, steps) == steps, (
                    f"slot {slot} of p{holder + 1} is known, and not public"
                )
            hidden += 1
    assert hidden > 20
    assert spectator_table.table.sealed
    assert sum(isinstance(event, Moved) for event in events) == sum(
        isinstance(event, Moved) for event in ring.events[0]
    )
    assert all(not event.mine for event in events if isinstance(event, Dealt))
    assert Sealed() in events
    assert spectator_table.files.log.read_bytes() == ring.logs[0]
    assert verify_log(ring.logs[0], GROUP).complete


def test_a_returning_spectator_goes_on_from_its_log(sit):
    ring = played(target=5)
    first = sit(shown(ring))
    half = len(ring.sent) // 2
    before = first.verify([data for _seat, data in ring.sent[:half]])
    ask = first.ask()
    assert ask.steps > 5
    again = sit(shown(ring))
    assert again.ask() == ask
    assert [type(event) for event in again.before] == [type(event) for event in before][
        : len(again.before)
    ]
    rest = ring.tables[0].lacking(ask.need)
    assert len(rest) < len(ring.sent)
    again.verify(rest)
    assert again.table.sealed
    assert again.files.log.read_bytes() == ring.logs[0]


def test_a_log_that_is_another_matchs_is_not_gone_on_from(sit, tmp_path):
    ring, other = played(target=1), played(target=5)
    path = Home(tmp_path).logs / sit(shown(ring)).files.log.name
    path.write_bytes(other.logs[0])
    with pytest.raises(StoreError, match="does not fit"):
        sit(shown(ring))
    assert path.read_bytes() == other.logs[0]


def test_forged_entries_are_reported_and_the_rest_is_good(sit):
    ring = played(target=1)
    spectator_table = sit(shown(ring))
    good = [data for _seat, data in ring.sent]
    for bad, error in (
        (b"noise", Malformed),
        (good[3][:-1] + bytes([good[3][-1] ^ 1]), BadSignature),
    ):
        with pytest.raises(error):
            spectator_table.verify([*good[:2], bad])
    spectator_table.verify(good)
    assert spectator_table.files.log.read_bytes() == ring.logs[0]


@pytest.mark.parametrize("lie", [proofs.lies()[0], proofs.lies()[-1]], ids=str)
def test_a_spectator_sees_who_cheats_and_keeps_the_log_that_shows_it(sit, monkeypatch, lie):
    liar.list_games(monkeypatch)
    ring = liar.tell(lie)
    fault = liar.must_name(ring, lie.seat)
    spectator_table = sit(shown(ring))
    events = spectator_table.verify([data for _seat, data in ring.sent])
    assert [event.fault.seat for event in events if isinstance(event, Accused)] == [fault.seat]
    assert spectator_table.files.log.read_bytes() == ring.logs[ring.others(lie.seat)[0]]
    ((notice, path),) = spectator_table.reports
    path.unlink()  # a kill has come before it was written
    assert sit(shown(ring)).reports == [(notice, path)]
    verdict = verify_log(path.read_bytes(), GROUP)
    assert verdict.convicts
    assert [found.seat for found in verdict.faults] == [lie.seat]


@pytest.mark.parametrize("number", range(10))
def test_a_spectator_goes_where_those_who_stay_go_when_somebody_leaves_in_any_weather(sit, number):
    """It may have heard more than those who stay agree on, and goes back with its log as they
    do."""
    chance, player = Random(f"spectator {number}"), chance_for("siete-y-media")
    ring = Leaving(
        "siete-y-media", 3, weather=number, seed=f"spectator {number}", group=GROUP, deals=2
    )
    ring.spectator_table = sit(shown(ring))
    ring.play(lambda view: player(view, chance.randrange))
    for _ in range(3):
        ring.show([data for _seat, data in ring.sent])
    assert [event.how for event in ring.seen if isinstance(event, Gone)] == ["left"]
    assert not any(isinstance(event, Accused) for event in ring.seen)
    assert ring.spectator_table.files.log.read_bytes() == ring.logs[0]


class Leaving(Storm):
    """Weather in which the last seat leaves, and a spectator hears everything in another order."""

    spectator_table: SpectatorTable

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.seen = []
        self.left = 9 * options["weather"] + 10

    def deliver(self) -> bool:
        self.left -= 1
        last = self.tables[-1]
        if (
            self.left <= 0
            and not last.out
            and not last.over
            and last.run.game.may_leave(len(self.tables) - 1)
        ):
            last.leave()
        if self.sent and self._chance.random() < 0.3:
            self.show([self._chance.choice(self.sent[-12:])[1]])
        return super().deliver()

    def show(self, entries: list[bytes]) -> None:
        self.seen += self.spectator_table.verify(entries)
