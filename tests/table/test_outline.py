"""The outline of a match says what verifying its log says, where the log is good; a log that does
not fit is none."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.games.siete_y_media.events import Deal
from p2p.table.events import Told
from p2p.table.faults import BadSignature
from p2p.table.log import opening_record, read_entry, read_log, read_unsigned, record, split_records
from p2p.table.outline import Outline
from p2p.table.read_outline import read_outline
from p2p.table.replay import BadLog, OtherLog, replay_log, verify_log
from p2p.table.tail import joined
from p2p.wire import Malformed, pack, unpack
from tests.ring import Ring, identities, terms_for
from tests.sample import sample
from tests.standin import standin_group
from tests.table.member_changes import GROUP, siete, silence, vote_out

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
    assert found.convicts is verdict.sentence_only
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


@pytest.mark.parametrize("name", ["golden-escoba-v3.sobremesa", "../../docs/example.sobremesa"])
def test_the_outline_of_a_log_on_disk_over_the_real_group(name):
    assert check((VECTORS / name).read_bytes(), None).over


def test_the_score_after_each_deal_is_that_of_the_table_when_the_next_one_begins():
    ring = siete(2, moves=10_000)
    began = []
    for table, events in replay_log(ring.logs[0], GROUP):
        if any(isinstance(event, Told) and isinstance(event.event, Deal) for event in events):
            began.append(tuple(table.run.game.score))
    found = check(ring.logs[0])
    assert found.scores == (*began[1:], found.score)
    assert len(set(found.scores)) > 1


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


def test_a_log_that_only_convicts():
    ring = siete(2)
    ring.play()
    entry = read_log(ring.logs[0]).records[0][1][0]
    log = opening_record(ring.terms, ring.signatures) + record({"verdict": [entry]})
    _terms, found = read_outline(log, GROUP)
    assert (found.convicts, found.begun, found.over) == (True, False, False)


def test_an_outline_looks_at_no_signature_and_no_proof():
    ring = siete(2, moves=10_000)
    records = split_records(ring.logs[0])[0]
    value = unpack(records[-2], 1 << 20)  # the last step: later decks name the head of others
    fields = unpack(value["step"][0], 1 << 20)
    value["step"][0] = pack([*fields[:-1], bytes(64)])
    log = joined([*records[:-2], pack(value), records[-1]])
    with pytest.raises(BadLog):
        verify_log(log, GROUP)
    assert read_outline(log, GROUP) == read_outline(ring.logs[0], GROUP)
    with pytest.raises(BadSignature):
        read_entry(ring.terms, ring.terms.match, value["step"][0])
    assert read_unsigned(ring.terms, ring.terms.match, value["step"][0]).seat == fields[3]
    with pytest.raises(Malformed):
        read_unsigned(ring.terms, bytes(32), value["step"][0])


def test_the_signatures_of_the_terms_are_looked_at():
    ring = siete(2)
    with pytest.raises(BadLog):
        read_outline(opening_record(ring.terms, [bytes(64), *ring.signatures[1:]]), GROUP)


def test_a_log_of_other_rules_is_of_another_version():
    terms = replace(terms_for("escoba", 2), rules=99)
    log = opening_record(terms, [terms.sign(one) for one in identities(2)])
    with pytest.raises(OtherLog):
        read_outline(log, GROUP)
    for old in (1, 2):
        with pytest.raises(OtherLog):
            read_outline((VECTORS / f"protocol-{old}.sobremesa").read_bytes())


def test_a_log_whose_steps_do_not_fit_is_a_bad_log():
    ring = siete(2, moves=10_000)
    records = split_records(ring.logs[0])[0]
    for spoilt in (
        [records[0], *records[2:]],
        [*records[:-1], records[3]],
        [*records[:4], *records[2:]],
    ):
        with pytest.raises(BadLog):
            read_outline(joined(spoilt), GROUP)


@pytest.mark.slow
@pytest.mark.parametrize("number", sample(range(40), 8))
def test_any_bytes_give_an_outline_or_a_bad_log(number):
    """Bytes of entries change, entries change places, whole values are replaced: nothing else is
    ever raised."""
    chance = random.Random(number)
    logs = [_played(game) for game in ("siete-y-media", "escoba")]
    refused = 0
    for _time in range(60):
        data = bytearray(chance.choice(logs))
        match chance.randrange(4):
            case 0:
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            case 1:
                del data[chance.randrange(len(data)) :]
            case 2:
                records = split_records(bytes(data))[0]
                chance.shuffle(records)
                data = bytearray(joined(records))
            case 3:
                records = split_records(bytes(data))[0]
                at = chance.randrange(1, len(records))
                value = unpack(records[at], 1 << 20)
                entries = next(iter(value.values()))
                place = chance.randrange(len(entries))
                fields = unpack(entries[place], 1 << 20)
                fields[chance.randrange(2, 6)] = chance.choice(
                    [0, 1, 2, b"\0" * 32, {}, {"move": [], "shares": []}]
                )
                entries[place] = pack(fields)
                records[at] = pack(value)
                data = bytearray(joined(records))
        try:
            read_outline(bytes(data), GROUP)
        except BadLog:
            refused += 1
    assert refused


def _played(game: str) -> bytes:
    ring = Ring(
        game,
        2,
        group=GROUP,
        seed="any bytes",
        **({"deals": 2} if game == "siete-y-media" else {"target": 1}),
    )
    ring.play()
    return ring.logs[0]


def test_the_group_decides_what_the_cards_are():
    ring = siete(2)
    with pytest.raises(BadLog):
        read_outline(ring.logs[0])
    assert standin_group() is GROUP
