"""The analysis of a match: each choice is judged with the knowledge of its moment, and the same log
gives the same analysis."""

from __future__ import annotations

from random import Random

import pytest

from client.session.analysis import COSTLIEST, Analysis, NoAnalysisError, analyse
from client.ui.analysis import compared, told
from client.ui.model import Names
from engine.bots.player import Rated, Ratings
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games import GAMES
from engine.games.kinaskak.moves import Meld
from p2p.table.replay import BadLog, replay_log
from p2p.table.tail import joined, split_records
from tests.properties import anyhow
from tests.ring import Ring
from tests.sample import sample
from tests.screens.judged import judged

MATCHES = {
    "escoba": {"target": 1},
    "truco": {"target": 5},
    "domino": {"target": 10},
    "siete-y-media": {"deals": 2},
    "kinaskak": {"last_contract": 1},
}
NICKS = ("Ane", "Bittor", "Carmen")


@pytest.fixture(scope="module")
def logs() -> dict[str, Ring]:
    return {}


def ring(logs: dict[str, Ring], game: str) -> Ring:
    """Return a whole match, played once."""
    if game not in logs:
        logs[game] = Ring(game, min(GAMES[game].allowed_players), seed="analysis", **MATCHES[game])
        logs[game].play()
    return logs[game]


def by_chance(view: View, choose: Choose) -> Ratings:
    """Rate each move by a draw."""
    moves = [Rated(move, choose(1000) / 1000) for move in view.options or ()]
    return Ratings("win", tuple(sorted(moves, key=lambda one: -one.value)))


@pytest.mark.slow
@pytest.mark.parametrize("game", sample(reversed(MATCHES), 4))
def test_each_choice_between_moves_is_judged_with_the_view_that_its_seat_had(
    game: str, logs: dict[str, Ring]
) -> None:
    match = ring(logs, game)
    views: list[View] = []

    def rate(view: View, choose: Choose) -> Ratings:
        views.append(view)
        return by_chance(view, choose)

    for seat in range(len(match.tables)):
        views.clear()
        found = analyse(match.logs[0], seat, raters={game: rate})
        assert found.unit in ("win", "points")
        assert len(found.judged) == len(views)
        for view in views:
            assert view.seat == seat
            assert view.turn
            holders = {view.game.holder[slot] for slot in view.faces}
            assert holders <= {seat}, "no card of another seat"
            assert all(view.face(slot) for slot in view.game.hands[seat])
        assert len(found.judged) + found.hidden >= 1
        assert all(one.lost >= 0 for one in found.judged)
        for one in found.judged:
            _played, better, _lost = compared(found, one, Names(NICKS, seat))
            hint = better.removeprefix("Better: ")
            assert better != hint
            _played, better, _lost = compared(found, one, Names(NICKS, None))
            assert f"A hint would have said: “{hint}”" in better, "the others read it quoted"


def test_a_seat_is_shown_what_it_saw_and_no_later_move(logs: dict[str, Ring]) -> None:
    match = ring(logs, "escoba")
    seen: list[tuple[int, int]] = []

    def rate(view: View, choose: Choose) -> Ratings:
        seen.append((len(view.past), view.game.round))
        return by_chance(view, choose)

    found = analyse(match.logs[0], 0, raters={"escoba": rate})
    lengths = {
        number: len(table.run.past)
        for number, (table, _events) in enumerate(replay_log(match.logs[0]))
    }
    assert [lengths[one.record] for one in found.judged] == [past for past, _deal in seen]
    assert [one.deal for one in found.judged] == [deal for _past, deal in seen]


def test_the_costliest_moments_are_the_three_with_the_greatest_loss() -> None:
    moments = tuple(
        judged(number, 1, lost, best=f"b{number}")
        for number, lost in enumerate((0.0, 0.2, 0.5, 0.2, 0.1, 0.9))
    )
    found = Analysis("escoba", 0, "win", moments, 0)
    assert [one.record for one in found.costliest] == [5, 2, 1]
    assert len(found.costliest) == COSTLIEST
    assert found.average == pytest.approx(1.9 / 6)
    assert Analysis("escoba", 0, "win", (), 3).average == 0


@pytest.mark.parametrize(("doubt", "lost"), [(0.1, 0.0), (0.01, 0.05)])
def test_a_difference_within_the_doubt_of_the_estimate_is_none(
    doubt: float, lost: float, logs: dict[str, Ring]
) -> None:
    def rate(view: View, _choose: Choose) -> Ratings:
        rated = [
            Rated(move, 0.5 - 0.05 * bool(place), doubt)
            for place, move in enumerate(reversed(list(view.options or ())))
        ]
        return Ratings("win", tuple(rated))

    found = analyse(ring(logs, "escoba").logs[0], 0, raters={"escoba": rate})
    assert {round(one.lost, 6) for one in found.judged} <= {0.0, lost}
    assert max(one.lost for one in found.judged) == pytest.approx(lost)


def test_a_match_that_is_not_over_is_not_analysed(logs: dict[str, Ring]) -> None:
    running = joined(split_records(ring(logs, "escoba").logs[0])[0][:20])
    with pytest.raises(NoAnalysisError) as caught:
        analyse(running, 0, raters={"escoba": by_chance})
    assert caught.value.why == "not-over"


def test_a_log_that_does_not_verify_is_not_analysed(logs: dict[str, Ring]) -> None:
    data = bytearray(ring(logs, "escoba").logs[0])
    data[len(data) // 2] ^= 1
    with pytest.raises(BadLog):
        analyse(bytes(data), 0, raters={"escoba": by_chance})


@pytest.mark.slow
@pytest.mark.parametrize("game", sample(sorted(MATCHES, key=lambda game: game != "kinaskak"), 1))
def test_every_legal_move_is_judged_and_said(game: str) -> None:
    """Kínaskák lists the best ways to lay down only, and cards to be laid off one by one."""
    random, unlisted = Random(3), []
    match = Ring(game, min(GAMES[game].allowed_players), seed="any", **MATCHES[game])

    def player(view: View) -> Move:
        move = anyhow.play(view, random)
        if move not in list(view.options or ()):
            unlisted.append((view.seat, type(move)))
        return move

    match.play(player)
    assert game != "kinaskak" or Meld in [kind for _seat, kind in unlisted]
    for seat in range(len(match.tables)):
        found = analyse(match.logs[0], seat)
        names = Names(tuple(f"nick{seat}" for seat in range(len(match.tables))), seat)
        assert told(found, range(len(split_records(match.logs[0])[0])), names)
