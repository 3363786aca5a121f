"""The documents are enough: a program that knows nothing else verifies whole logs, and plays with a
table of ours."""

import ast
import re
import sys
from pathlib import Path

import pytest

from docs.example_match import LOG, PAGE
from p2p.table import rounds
from p2p.table.table import Table
from tests.adversary.membership import catch_up, silence, vote_out
from tests.engine import reader
from tests.ring import Ring
from tests.table import log_cryptography, log_reader
from tests.table.burning import burner
from tests.table.log_cryptography import Wrong
from tests.table.log_reader import Log
from tests.table.make_golden import GOLDEN

EXAMPLE = LOG.read_bytes()


def rules(terms):
    """Escoba as the reader of the engine's tests has it: of several answers it takes the only
    one."""
    escoba = reader.Escoba(len(terms["seats"]), terms["options"])
    match = escoba.match()
    value = next(match)
    while True:
        try:
            answer = yield value
        except log_reader.Left as left:
            match = escoba.leave(left.seats)
            value = next(match)
        else:
            value = match.send(answer[0][1:] if isinstance(answer, list) else answer)


@pytest.mark.parametrize(
    ("module", "known"),
    [
        (log_cryptography, {"msgpack", "crypto.group"}),
        (log_reader, {"msgpack", "crypto.identity", "tests.table.log_cryptography"}),
    ],
)
def test_the_second_program_knows_of_our_packages_only_crypto(module, known):
    named = set()
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            named.add(node.module)
    assert named - sys.stdlib_module_names == known


def test_the_example_is_recomputed_from_the_documents():
    log = Log(EXAMPLE, rules).verify()
    assert log.sealed == [0, 1]
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^    F ([0-9a-f]{64})$", page, re.MULTILINE) == [
        one.hex() for one in log.fingerprints
    ]
    assert re.findall(r"^    h ([0-9a-f]{64})$", page, re.MULTILINE) == [
        one.hex() for one in log.heads[1:]
    ]
    kinds = [request[0] for request in log.requests]
    assert kinds[:4] == ["toss", "shuffle", "deal", "open"]
    assert kinds.count("ask") == 36
    assert kinds.count("prove") > 0


def test_the_golden_log_too():
    log = Log(GOLDEN.read_bytes(), rules).verify()
    assert log.sealed == [0, 1, 2]
    assert log.state["round"] == 2


def test_kept_shares_open_a_hand_for_the_reader_too_and_nothing_else():
    ring = Ring("escoba", 2, seed="kept", target=1)
    ring.play(moves=5)
    log = Log(max(ring.logs, key=len), rules).verify()
    for seat, table in enumerate(ring.tables):
        view = table.view()
        assert set(view.game.hands[seat]) <= table.kept_shares.keys()
        for slot in view.game.hands[seat]:
            share = table.kept_shares[slot]
            deck = log.deck_of(slot)
            assert deck.kept_face(seat, slot, share) == view.face(slot)
            for bad in (share[:32] + share[:32] + share[64:], share[:95] + bytes([share[95] ^ 1])):
                with pytest.raises(Wrong):
                    deck.kept_face(seat, slot, bad)
            with pytest.raises(Wrong):
                deck.kept_face(1 - seat, slot, share)


def changed(end):
    """A log in which a seat is called and heard in time, which leaves no trace; then two leave at
    once, or one is voted out, and the others go on to the end."""
    ring = Ring("escoba", 4, seed="changed", target=1)
    ring.tap = lambda sender, receiver, data: () if sender == 2 else (data,)
    ring.play(moves=12)
    vote_out(ring, 2, 0, 1)
    ring.tap = lambda sender, receiver, data: () if {sender, receiver} & {2, 3} else (data,)
    vote_out(ring, 2, 3)
    ring.tap = None
    catch_up(ring, 0, 1, 2)
    catch_up(ring)
    ring.play(moves=5)
    if end == "leaves":
        ring.tables[1].leave()
        ring.tables[2].leave()
        ring.settle()
    else:
        asked = next(seat for seat in range(4) if ring.tables[seat].asked)
        silence(ring, asked)
        vote_out(ring, asked, *ring.others(asked))
    ring.play()
    return max(ring.logs, key=len)


def burnt(burns):
    """A log in which a seat burns so many keys for each deck."""
    ring = Ring("escoba", 2, target=1, table_class=[Table, burner(burns)])
    ring.play()
    return ring.logs[0]


@pytest.mark.slow
def test_burnt_keys_too(monkeypatch):
    assert Log(burnt(2), rules).verify().sealed == [0, 1]
    monkeypatch.setattr(rounds, "BURNS", 4)
    with pytest.raises(Wrong, match="burns"):
        Log(burnt(4), rules).verify()


@pytest.mark.parametrize(("end", "gone"), [("leaves", 2), ("votes", 1)])
def test_epochs_too(end, gone):
    log = Log(changed(end), rules).verify()
    assert log.epoch == 1
    assert len(log.state["seats"]) == 4 - gone
    assert log.state["round"] > 1
    assert log.sealed == log.state["seats"]
    assert set(log.state["winners"]) <= set(log.sealed)
