"""Any order of arrival gives the same log and the same verdict (protocol 4)."""

import pytest

from p2p.table.events import Accused
from p2p.table.replay import verify_log
from p2p.table.table import Table
from tests.adversary import plays, proofs, stories
from tests.adversary.liar import Liar, list_games, lying, the_liar
from tests.adversary.stories import TwoFaced
from tests.ring import Ring
from tests.sample import pairs, sample
from tests.standin import standin_group
from tests.table.weather import Storm

GROUP = standin_group()
LIES = [*proofs.lies()[::5], *plays.lies()[::5], *stories.lies()[::3]]


@pytest.mark.parametrize("weather", sample(range(4), 1))
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_match_of_escoba_has_the_same_log_in_any_weather(players, weather):
    calm = Ring("escoba", players, group=GROUP, target=1)
    calm.play()
    storm = Storm("escoba", players, weather=weather, group=GROUP, target=1)
    storm.play()
    assert set(storm.logs) == set(calm.logs) == {calm.logs[0]}
    assert all(table.sealed for table in storm.tables)


@pytest.mark.slow
@pytest.mark.parametrize("weather", sample(range(8), 3))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_every_request_all_have_the_same_log_in_any_weather(players, weather):
    # Which of two partners answers first is theirs to choose, so the log may be another one than in
    # calm weather.
    storm = Storm("tiny", players, weather=weather, group=GROUP, seed=f"tiny{weather}")
    storm.play()
    assert all(table.sealed for table in storm.tables)
    assert len(set(storm.logs)) == 1
    assert verify_log(storm.logs[0], GROUP).complete
    assert not storm.charged


@pytest.mark.parametrize(
    ("lie", "flood"), sample(pairs(LIES, [False, True]), len(LIES), rows=True), ids=str
)
@pytest.mark.parametrize("weather", sample(range(3), 1))
def test_the_verdict_is_the_same_in_any_weather(lie, weather, flood, monkeypatch):
    list_games(monkeypatch)
    kind = TwoFaced if lie.name == "two stories" else Liar
    for number in range(60):
        kinds = [Table] * 3
        kinds[lie.seat] = lying(kind, lie=lie)
        ring = Storm(
            lie.game,
            3,
            weather=weather,
            group=GROUP,
            seed=f"lie{20 + number}",
            table_class=kinds,
            flood=flood,
        )
        liar = the_liar(ring, lie.seat)
        if isinstance(liar, TwoFaced):
            ring.tap = liar.story
        ring.play()
        if liar.told:
            break
    assert liar.told
    for honest in ring.others(lie.seat):
        ring.store(honest)
        assert [
            event.fault.seat for event in ring.events[honest] if isinstance(event, Accused)
        ] == [lie.seat]
