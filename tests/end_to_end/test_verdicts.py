"""A liar is convicted by an entry that it signed, and each of the others has a small file that
shows it to anybody."""

from __future__ import annotations

import json

import pytest

from tests.end_to_end.processes import address_of


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
