"""A liar is convicted by an entry that it signed, and each of the others has a small file that
shows it to anybody."""

from __future__ import annotations

import json

import pytest

from tests.end_to_end.processes import address_of

RULE = "mary claimed to have a flor, without three cards of one suit."


@pytest.mark.slow
def test_the_others_write_down_what_convicts_a_liar(machine):
    host = machine.host("ane", "lied-to", "siete-y-media", "--seats", "3", "--option", "deals=3")
    jon = machine.join("jon", address_of(host))
    host.says("p2: jon")
    machine.join("mary", address_of(host), before=("proof",), program="tests.end_to_end.liar")
    assert [player.ends() for player in (host, jon)] == [0, 0]
    for player in (host, jon):
        assert "STOP: something does not verify" in player.out
        assert "mary is out of the match, convicted by an entry that mary signed." in player.out
        path = player.logs[0].with_suffix(".p3.verdict")
        assert f"The evidence, for anybody to check: {path}" in player.out
        assert path.stat().st_size < player.logs[0].stat().st_size
        judged = machine.player("judge", "verify", str(path))
        assert judged.ends() == 7  # no log of a whole match
        assert f"{path}: a valid verdict" in judged.out
        assert "mary sent a proof that does not hold." in judged.out
        judged = machine.player("judge", "verify", str(path), "--json")
        assert judged.ends() == 7
        found = json.loads(judged.out)
        assert [(fault["seat"], fault["kind"]) for fault in found["faults"]] == [(2, "BadProof")]
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        spoiled = machine.player("judge", "verify", str(path))
        assert spoiled.ends() == 3
        assert "NOT GOOD" in spoiled.out
    # One may have heard more of the step in which the lie was told; the records are the same all
    # the same.
    judged = machine.player("judge", "verify", str(host.logs[0]), str(jon.logs[0]))
    assert judged.ends() == 0
    assert "have the same records" in judged.out


@pytest.mark.slow
def test_a_flor_that_is_none_convicts_who_sang_it_when_its_cards_are_shown(machine):
    """Truco: at the end of the deal whose points it has won."""
    options = ("--option", "flor=true", "--option", "target=40")
    for table in ("false-flor", "again", "once-more"):
        host = machine.host("ane", table, "truco", *options)
        machine.join("mary", address_of(host), before=("flor",), program="tests.end_to_end.liar")
        assert host.ends() == 0
        if "mary: ¡Flor!" in host.out:  # else a falta envido has ended the match before
            break
    sung, stop = host.out.index("mary: ¡Flor!"), host.out.index("STOP: something does not verify")
    assert sung < host.out.index("The flor goes to mary (3 points)") < stop
    assert "mary made a move that the rules forbid." in host.out[stop:]
    assert RULE in host.out[stop:]
    assert "mary is out of the match, convicted by an entry that mary signed." in host.out[stop:]
    assert "ane wins." in host.out[stop:]
    log = max(host.logs, key=lambda path: path.stat().st_mtime)
    judged = machine.player("judge", "verify", "--json", str(log))
    assert judged.ends() == 0
    found = json.loads(judged.out)
    assert [(fault["seat"], fault["kind"]) for fault in found["faults"]] == [(1, "IllegalPlay")]
    assert (found["complete"], found["winners"]) == (True, [0])
    assert found["score"][1] >= 3, "its points stay, and win nothing"
    judged = machine.player("judge", "verify", str(log.with_suffix(".p2.verdict")))
    assert judged.ends() == 7
    assert "a valid verdict" in judged.out
    assert "mary made a move that the rules forbid." in judged.out
    assert RULE in judged.out
