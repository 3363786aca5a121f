"""Two programs that do not agree where the match stands, though nobody has lied: nobody is accused,
and both write it down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from p2p.table.replay import verify_log
from tests.end_to_end.processes import Player, address_of, eventually


def account(player: Player) -> dict[str, Any]:
    """Return what a player's program wrote down."""
    path = Path(
        player.says(
            "This file has the state of the match here. Compare it with the other player's: (.*)"
        )[1]
    )
    assert path == player.logs[0].with_suffix(".desync")
    eventually(
        lambda: path.exists() and path.read_text(encoding="utf-8").endswith("}\n"), "the account"
    )
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
def test_two_programs_that_differ_write_down_how_and_accuse_nobody(machine):
    host = machine.host("ane", "differ", "escoba", "--option", "target=101")
    jon = machine.join("jon", address_of(host), program="tests.end_to_end.other_rules")
    accounts = [account(player) for player in (host, jon)]
    for player, other in ((host, "jon"), (jon, "ane")):
        assert f"{other} continues from another state of the match than ours." in player.out
        assert "Nobody is accused" in player.out
        assert "STOP" not in player.out
        assert player.process.poll() is None  # it waits, and its player may vote or go
        assert not [*player.logs[0].parent.glob("*.verdict")]
    ours, theirs = accounts
    assert ours["match"] == theirs["match"]
    parted = next(
        at
        for at, (one, two) in enumerate(zip(ours["heads"], theirs["heads"], strict=False))
        if one != two
    )
    assert parted > 10
    differing = [
        name
        for name in ours["state"].keys() | theirs["state"].keys()
        if ours["state"].get(name) != theirs["state"].get(name)
    ]
    assert differing == ["eldest"]
    assert (ours["state"]["eldest"], theirs["state"]["eldest"]) == (1, 0)
    assert ours["fingerprint"] != theirs["fingerprint"]
    assert (ours["differs"], theirs["differs"]) == (2, 1)
    for player in (host, jon):
        player.interrupt()
        assert player.ends() == 130
    # ours is good as far as it goes
    assert verify_log(host.logs[0].read_bytes()).missing == "end"
    bad = machine.player("judge", "verify", str(jon.logs[0]))
    assert bad.ends() == 7  # and so is theirs: the step that differs is whole in neither
