"""Stamps of a match: when a move is judged, the shortest path, claims, waits and work."""

from __future__ import annotations

import os
from random import Random

import pytest

from benchmarks import (
    deals,
    match,
    strategies,
    table,
    tables,
)
from benchmarks.match import Played, Seen, Stamp, Turn
from benchmarks.settings import BenchSettings
from crypto.group import KINDS, Group, ristretto255
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.domino.count import is_double
from engine.games.kinaskak.moves import Say
from p2p.table.events import Shuffled
from p2p.table.replay import replay_log, verify_log
from tests.counting import counting, whole_deals
from tests.standin import Integers


def ops(mult: int) -> dict[str, int]:
    return dict.fromkeys(KINDS, 0) | {"mult": mult}


def stamp(name: str, at: int, mult: int) -> Stamp:
    return Stamp(name, at * 1_000_000, ops(mult))


def test_a_move_is_judged_when_the_last_peer_has_judged_it_and_its_claim(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match, "claims_of", lambda _log: [0, 42])
    mover = Seen(
        0,
        None,
        (
            *(
                stamp("Seated", 1, 0),
                stamp("Asked", 10, 5),
                stamp("act", 20, 5),
                stamp("Moved", 22, 9),
            ),
            *(stamp("Moved", 55, 12), stamp("Proved", 70, 112)),
        ),
    )
    other = Seen(
        1,
        None,
        (
            *(
                stamp("Seated", 2, 0),
                stamp("Opened", 9, 7),
                stamp("Moved", 27, 8),
                stamp("Asked", 27, 8),
            ),
            *(stamp("act", 50, 8), stamp("Moved", 52, 10), stamp("Proved", 61, 60)),
        ),
    )
    turns = list(Played((mover, other), b"").turns())
    assert turns == [Turn(0, 7.0, (ops(4), ops(1)), 0), Turn(1, 20.0, (ops(103), ops(52)), 42)]


def test_the_shortest_path_is_the_movers_work_and_then_the_others_on_the_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table, "cores", lambda: 2)
    units = dict.fromkeys(KINDS, 1000.0)
    assert table.path_ms(Turn(1, 99.0, (ops(6), ops(10), ops(6), ops(6)), 60), units) == 10 + 9
    assert table.path_ms(Turn(1, 99.0, (ops(6), ops(10)), 60), units) == 10 + 6


def test_every_claim_of_a_log_has_its_branches() -> None:
    log = tables.match_log("escoba", 2, {"target": 1}, os.urandom, ristretto255())
    checked = verify_log(log).checked
    claims = match.claims_of(log)
    assert len(claims) == checked["moves"]
    assert whole_deals(len(claims))
    made = [branches for branches in claims if branches]
    assert len(made) == checked["claims"]
    assert all(1 <= branches <= 2 * 40 for branches in made)


def test_a_claim_after_entries_of_programs_belongs_to_no_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match, "claims_of", lambda _log: [0, 3])
    seen = Seen(
        0,
        None,
        (
            *(
                stamp("Seated", 1, 0),
                stamp("attested", 3, 0),
                stamp("Proved", 4, 0),
                stamp("act", 10, 0),
            ),
            *(
                stamp("Moved", 13, 0),
                stamp("attested", 14, 0),
                stamp("Proved", 19, 0),
                stamp("act", 30, 0),
            ),
            *(stamp("Moved", 32, 0), stamp("Proved", 37, 0)),
        ),
    )
    assert [turn.ms for turn in Played((seen,), b"").turns()] == [3.0, 7.0]


def test_claims_of_dominoes_are_those_of_passes() -> None:
    log = tables.match_log("domino", 4, {"target": 2}, os.urandom, Group(Integers(), "integers"))
    group = Group(Integers(), "integers")
    claims = match.claims_of(log, group)
    assert len(claims) == verify_log(log, group).checked["moves"]
    assert all(branches % 21 == 0 or branches % 15 == 0 for branches in claims)


def test_a_wait_is_from_the_last_move_of_a_deal_to_the_first_question_of_the_next() -> None:
    first = Seen(
        0,
        None,
        (
            *(
                stamp("Seated", 1, 0),
                stamp("Shuffling", 2, 0),
                stamp("Asked", 10, 9),
                stamp("act", 11, 9),
            ),
            *(
                stamp("Moved", 15, 10),
                stamp("Shuffling", 16, 10),
                stamp("Shuffling", 40, 20),
                stamp("Asked", 72, 40),
            ),
            *(
                stamp("act", 75, 40),
                stamp("Moved", 77, 41),
                stamp("Shuffling", 85, 41),
                stamp("Dealt", 93, 44),
            ),
        ),
    )
    other = Seen(
        1,
        None,
        (
            *(
                stamp("Seated", 1, 0),
                stamp("Shuffling", 2, 0),
                stamp("Asked", 12, 9),
                stamp("act", 20, 9),
            ),
            *(
                stamp("Moved", 21, 11),
                stamp("Shuffling", 22, 11),
                stamp("Shuffling", 41, 21),
                stamp("Moved", 78, 50),
            ),
            *(
                stamp("Asked", 78, 50),
                stamp("act", 80, 50),
                stamp("Shuffling", 84, 52),
                stamp("Asked", 92, 53),
            ),
        ),
    )
    void, plain = deals.waits(Played((first, other), b""))
    assert void == deals.Wait(52.0, (ops(30), ops(41)), 2)
    assert plain == deals.Wait(12.0, (ops(3), ops(3)), 1)
    assert deals._times([], dict.fromkeys(KINDS, 1.0), 150.0) == {"count": 0, "aim_ms": 150.0}


def test_a_first_deck_that_nobody_could_play_is_no_wait() -> None:
    """Five doubles, say: the deck after it is the first."""
    lines = ["Shuffling 2", "Shuffling 9", "Asked 40", "act 50", "Shuffling 60", "Asked 67"]
    seen = [(name, int(at)) for name, at in map(str.split, lines)]
    players = tuple(
        Seen(seat, None, tuple(stamp(name, at, at) for name, at in seen)) for seat in (0, 1)
    )
    assert list(deals.waits(Played(players, b""))) == [deals.Wait(17.0, (ops(27), ops(27)), 1)]


def test_the_work_of_a_deck_is_that_of_all_peers() -> None:
    """One that makes it, and one more that checks each of the two shuffles: the same as by
    themselves."""
    settings = BenchSettings(quick=True, group=counting()[0])
    two, four = (
        tables.making(settings, "escoba", peers, {})["ops"]["public_term"] for peers in (2, 4)
    )
    assert 2 * two < four < 8 * two
    kinaskak = tables.making(settings, "kinaskak", 3, {})["ops"]["public_term"]
    assert kinaskak > 165 / 40 * two


def test_strategies_reach_their_aims() -> None:
    stock = OpenDeck(
        new_game("kinaskak", 3, {"buys": 0, "overbuy": "forbidden"}), shuffled(Random(1).randrange)
    )
    while stock.game.shuffles < 2:
        stock.act(stock.turn[0], strategies.drawing(stock.view(stock.turn[0]), Random(1).randrange))
    assert len(stock.answers) < 2 * 165
    asked = OpenDeck(new_game("kinaskak", 3))
    asked.act(asked.turn[0], strategies.drawing(asked.view(asked.turn[0]), Random(1).randrange))
    assert asked.game.phase == "window"
    assert str(strategies.drawing(asked.view(asked.turn[0]), Random(1).randrange)) == str(Say("no"))
    tiles = OpenDeck(new_game("domino", 4), shuffled(Random(3).randrange))
    while tiles.game.round == 1:
        tiles.act(tiles.turn[0], strategies.doubles(tiles.view(tiles.turn[0]), Random(1).randrange))
    held = tiles.hand(tiles.turn[0])
    tiles.act(tiles.turn[0], strategies.doubles(tiles.view(tiles.turn[0]), Random(1).randrange))
    high, low = tiles.game.ends
    assert high == low or not any(is_double(tile) for tile in held)


@pytest.mark.slow
def test_when_the_players_have_measured_all_there_is_nobody_plays_another_deal() -> None:
    log = match.play(4, {}, decks=1).log
    events = [type(event) for _table, found in replay_log(log) for event in found]
    assert events.count(Shuffled) == 1
