"""The report that is written beside a log when something is wrong."""

from __future__ import annotations

import json

import pytest

from client.storage.home import Home
from client.storage.incident_report import account, write_down
from client.storage.match_files import MatchFiles
from p2p.table.events import Accused, Differs
from p2p.table.replay import no_entropy, verify_log
from p2p.table.table import Table
from tests.adversary import liar, proofs
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()


@pytest.fixture
def files(tmp_path):
    made = MatchFiles(Home(tmp_path), bytes(range(32)), ())
    yield made
    made.close(finished=False)


@pytest.mark.parametrize("game", ["escoba", "domino", "siete-y-media", "truco"])
def test_an_account_holds_nothing_that_is_not_public(game):
    """A player's account says no more than the account of somebody who looks on."""
    ring = Ring(game, 2, group=GROUP)
    ring.play(moves=3)
    spectator = Table(ring.terms, ring.signatures, None, None, no_entropy, GROUP)
    for _seat, data in ring.sent:
        spectator.receive(data)
        spectator.proceed()
    event = Differs(1, 7, bytes(32), ring.tables[0].head)
    told, seen = account(ring.tables[0], event), account(spectator, event)
    assert ring.tables[0].progress.here.own_faces, "it holds cards that nobody else sees"
    facts = json.loads(told)
    assert facts == json.loads(seen)
    assert facts["heads"][-1] == ring.tables[0].head.hex()
    assert facts["fingerprint"] == ring.tables[0].run.fingerprint().hex()
    assert account(ring.tables[1], event) == told


@pytest.mark.parametrize("lie", proofs.lies()[::7], ids=str)
def test_a_verdict_convicts_the_seat_that_it_names(files, monkeypatch, lie):
    liar.list_games(monkeypatch)
    ring = liar.tell(lie)
    fault = liar.must_name(ring, lie.seat)
    table = ring.tables[ring.others(lie.seat)[0]]
    ((notice, path),) = write_down(files, table, [Accused(fault)])
    assert notice == "verdict"
    verdict = verify_log(path.read_bytes(), GROUP)
    assert verdict.convicts
    assert [found.seat for found in verdict.faults] == [lie.seat]
    # again after a crash: in its place
    assert write_down(files, table, [Accused(fault)]) == [(notice, path)]
    assert verify_log(path.read_bytes(), GROUP).convicts


@pytest.mark.parametrize("old", [None, "verdict"], ids=["fresh", "beside a file of an old name"])
def test_no_verdict_replaces_another_also_after_a_new_start(tmp_path, old):
    evidence = {}
    for seat, data in ((0, b"against p1"), (1, b"against p2"), (0, b"more against p1")):
        files = MatchFiles(Home(tmp_path), bytes(range(32)), ())
        if old is not None:
            evidence[files.log.with_suffix(f".{old}")] = b"of an earlier version"
            files.log.with_suffix(f".{old}").write_bytes(b"of an earlier version")
        path = files.write_verdict(seat, data)
        assert path.name.endswith(f".p{seat + 1}.verdict")
        evidence.setdefault(path, data)
        files.close(finished=False)
    assert {path: path.read_bytes() for path in files.log.parent.iterdir()} == evidence
