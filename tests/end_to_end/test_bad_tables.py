"""Tables that cannot be joined, each with its status and its sentence."""

from __future__ import annotations

from tests.end_to_end.processes import (
    LOOPBACK,
    address_of,
    invite_of,
)
from tests.end_to_end.stranger import Stranger, draft, ends, kind, stranger


def test_a_private_table(machine):
    host = machine.host("ane", "private", "escoba", "--private", "--option", "target=1")
    stranger_ = machine.join("mary", address_of(host))
    assert stranger_.ends() == 6
    assert stranger_.sentence() == "the table is private: ask for an invite"
    assert "Ane" not in stranger_.out
    assert "escoba" not in stranger_.out.lower()
    by_name = machine.join("mary", "private", "--wait", "1")
    assert by_name.ends() == 4  # it is not announced
    guest = machine.join("jon", invite_of(host))
    assert (guest.ends(), host.ends()) == (0, 0)


async def test_a_host_with_other_rules_is_left_with_a_status_of_its_own(machine, tmp_path):
    def shows(other: Stranger, peer: bytes, value: dict) -> None:
        other.mesh.send(peer, draft(rules=99).message() if value["t"] == "look" else {"t": "?"})

    async with stranger(tmp_path, shows) as other:
        player = machine.join("jon", f"{LOOPBACK}:{other.mesh.port}")
        assert await ends(player) == 5
        assert player.sentence().startswith("they play by another version of the rules")
        assert not any(kind("sign")(value) for _peer, value in other.heard)
