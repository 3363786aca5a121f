"""The documents are enough: a program that knows nothing else verifies whole logs, and plays with a
table of ours."""

import ast
import re
import sys
from functools import partial
from pathlib import Path
from random import Random

import msgpack
import pytest

from crypto.identity import Identity
from docs import example_match
from docs.example_match import LOG, PAGE
from p2p.table import rounds
from p2p.table.log import opening_record
from p2p.table.table import Table
from tests.engine import reader
from tests.ring import Ring
from tests.table import log_cryptography, log_reader, second_player
from tests.table.burning import burner
from tests.table.log_cryptography import Wrong
from tests.table.log_reader import Log
from tests.table.make_golden import GOLDEN
from tests.table.member_changes import catch_up, silence, vote_out

EXAMPLE = LOG.read_bytes()
SHUFFLE, DEAL, PLAY, PROOF = 2, 3, 8, 9
"""Records of the example, the first one being 0."""


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
        (second_player, {"msgpack", "tests.table.log_cryptography", "tests.table.log_reader"}),
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


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda votes: votes[1:], "the reasons"),
        (lambda votes: votes[::-1], "the order"),
        (lambda votes: votes, ""),
    ],
)
def test_the_reader_finds_what_does_not_justify_a_change(change, what):
    values = list(log_reader.records(changed("votes")))
    record = [value for value in values if "epoch" in value][-1]
    votes, signed = record["epoch"][:3], record["epoch"][3:]
    record["epoch"] = [*change(votes), *signed]
    if what:
        with pytest.raises(Wrong, match=what):
            Log(packed(values), rules).verify()
    else:
        Log(packed(values), rules).verify()


def packed(values):
    """Write records."""
    return b"".join(len(data).to_bytes(4, "big") + data for data in map(msgpack.packb, values))


@pytest.mark.parametrize(("seat", "burns"), [(0, 0), (1, 0), (0, 1)])
def test_a_match_between_a_table_and_the_second_program(seat, burns, monkeypatch):
    """The table takes every word of it, and both come to the same heads and seals."""
    monkeypatch.setattr(example_match, "Table", burner(burns))
    table = example_match.sit_down()[1 - seat]
    theirs = []

    def heard():
        table.proceed()
        while table.asked:
            table.act(list(table.view().options)[-1])
        table.data_to_store()
        theirs.extend(table.data_to_send())
        return theirs

    opening = opening_record(table.terms, table.signatures)
    identity = Identity.from_seed(bytes([seat + 1]) * 32)
    sign = partial(identity.sign, "sobremesa/3 entry")
    player = second_player.Player(
        opening, rules, seat, Random(seat).randrange, sign, table.receive, heard
    )
    player.play()
    assert player.sealed == [0, 1]
    heard()
    assert table.sealed
    assert list(table.trail) == player.heads
    assert {request[0] for request in player.requests} == {
        "toss",
        "shuffle",
        "deal",
        "open",
        "prove",
        "ask",
    }


def altered(number, change):
    """Return the example with one record changed by its keys' owners: every entry of it is signed
    anew."""
    records = list(log_reader.records(EXAMPLE))
    ((name, entries),) = records[number].items()
    found = []
    for data in entries:
        *said, _signature = msgpack.unpackb(data)
        change(said)
        signature = Identity.from_seed(bytes([said[3] + 1]) * 32).sign(
            "sobremesa/3 entry", msgpack.packb(said)
        )
        found.append(msgpack.packb([*said, signature]))
    records[number] = {name: found}
    return packed(records)


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def spoil(name):
    """Change a scalar of a proof, or a commitment's nonce."""

    def change(said):
        body = said[5]
        if name not in body:
            return
        if name == "shares":
            body[name][0][1] = flip(body[name][0][1], 32)
        elif name == "claims":
            body[name][0] = flip(body[name][0], 32)
        else:
            body[name] = flip(body[name], 0)

    return change


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "commit"),
        (1, "nonce"),
        (SHUFFLE, "proof"),
        (DEAL, "shares"),
        (PLAY, "shares"),
        (PROOF, "claims"),
    ],
)
def test_the_reader_finds_what_does_not_hold(number, name):
    assert Log(altered(number, lambda said: None), rules).verify()
    with pytest.raises(Wrong):
        Log(altered(number, spoil(name)), rules).verify()


def test_the_reader_finds_another_move_on_the_next_head():
    """A move that the reader takes changes F, and so the head that the next entry must be written
    on."""

    def take_one_less(said):
        if said[5]["move"][2]:
            said[5]["move"][2] = said[5]["move"][2][1:]

    with pytest.raises(Wrong, match="head of an entry"):
        Log(altered(5, take_one_less), rules).verify()
