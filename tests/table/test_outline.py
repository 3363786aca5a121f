"""The outline of a match says what verifying its log says, where the log is good; a log that does
not fit is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from p2p.table.outline import Outline
from p2p.table.read_outline import read_outline
from p2p.table.replay import BadLog, verify_log
from p2p.table.tail import RECORD_LIMIT, joined, split_records
from p2p.wire import pack, unpack
from tests.adversary.membership import GROUP, siete, silence, vote_out
from tests.ring import Ring
from tests.sample import sample

VECTORS = Path(__file__).parent.parent / "vectors"


def check(log: bytes, group=GROUP) -> Outline:
    """Require that the outline of a good log agrees with its verdict; return it."""
    (terms, found), verdict = read_outline(log, group), verify_log(log, group)
    table, game = verdict.table, verdict.table.run.game
    assert (terms, found.deals, found.score) == (table.terms, game.round, tuple(game.score))
    assert (found.winners, found.over, found.sides) == (game.winners, table.run.over, game.sides)
    assert found.begun is table.begun
    assert found.gone == tuple((one.seat, one.how) for one in verdict.gone)
    assert (found.over and not found.unsealed) is table.sealed
    assert found.convicts is verdict.convicts
    assert found.moves == verdict.checked["moves"]
    assert len(found.scores) == (found.deals if found.over else max(0, found.deals - 1))
    if found.over and found.scores:
        assert found.scores[-1] == found.score
    return found


OPTIONS = {
    "siete-y-media": {"deals": 3},
    "escoba": {"target": 5},
    "domino": {},
    "truco": {},
    "kinaskak": {},
}


@pytest.mark.slow
@pytest.mark.parametrize("game", sample(GAMES, 2))
def test_the_outline_of_a_whole_match_is_what_its_verdict_says(game):
    ring = Ring(
        game, min(GAMES[game].allowed_players), group=GROUP, seed="outline", **OPTIONS[game]
    )
    ring.play()
    found = check(ring.logs[0])
    assert found.over
    assert found.begun
    assert found.unsealed == ()


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_the_outline_of_a_log_that_was_cut_off(cut):
    ring = siete(3, moves=10_000)
    records = split_records(ring.logs[0])[0]
    found = check(joined(records[: min(cut, len(records) - 1)]))
    assert found.unsealed
    assert found.begun is (cut > 1)
    assert check(joined(records)[:-20]).unsealed == tuple(range(3)), "its seals are torn"


def test_a_seat_that_has_left_and_one_that_was_voted_out():
    ring = siete(4)
    ring.tables[1].leave()
    ring.settle()
    silence(ring, 3)
    if 3 not in ring.tables[0].waiting:
        ring.play(moves=1)
    vote_out(ring, 3, 0, 2)
    ring.settle()
    ring.store(0)
    assert check(ring.logs[0]).gone == ((1, "left"), (3, "voted"))


def spoil(log: bytes, change: Callable[[str, list[bytes]], list[bytes]]) -> bytes:
    """Return a log with its records changed after the first."""
    opening, *records = split_records(log)[0]
    found = [next(iter(unpack(item, RECORD_LIMIT).items())) for item in records]
    return joined([opening, *(pack({name: change(name, data)}) for name, data in found)])


def edit(field: str, body: Any) -> Callable[[str, list[bytes]], list[bytes]]:
    """Return a change of the bodies of each record with this field."""

    def changed(_name: str, entries: list[bytes]) -> list[bytes]:
        values = [unpack(entry, RECORD_LIMIT) for entry in entries]
        if not any(field in value[5] for value in values):
            return entries
        return [pack([*value[:5], body, value[6]]) for value in values]

    return changed


def test_an_epoch_without_a_flush_is_no_epoch():
    ring = siete(3)
    ring.tables[1].leave()
    ring.settle()
    ring.store(0)
    log = spoil(ring.logs[0], lambda name, data: data[:1] if name == "epoch" else data)
    with pytest.raises(BadLog, match="an epoch without a flush"):
        read_outline(log, GROUP)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda _name, data: data[::-1], "does not come next"),
        (lambda _name, data: data * 2, "does not come next"),
        (edit("shares", {"shares": [[b"", b""]]}), "not the length"),
        (edit("yield", {"yield": bytes(32)}), "nobody gave"),
    ],
    ids=["the last first", "all twice", "no shares", "only yields"],
)
def test_records_that_do_not_fit_have_no_outline(change, why):
    ring = Ring("tiny", 3, group=GROUP, seed="any")
    ring.play()
    check(ring.logs[0])
    with pytest.raises(BadLog) as caught:
        read_outline(spoil(ring.logs[0], change), GROUP)
    assert why in str(caught.value.facts["error"])
