"""A home that a power cut, a full disk or a careless copy has left behind: one sentence, and
nothing that is lost for good."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2p.table.replay import verify_log
from tests.end_to_end.processes import LOOPBACK, Machine, Player, address_of, same_logs
from tests.end_to_end.test_resume import PLAY, killed
from tests.sample import sample

BACK = ("--plain", "--interface", LOOPBACK, "--auto", "--at-once")
"""Options of a player that comes back."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def broken_off(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return where the homes of ane and jon lie, who were killed in mid-match."""
    machine = Machine(tmp_path_factory.mktemp("broken-off"))
    try:
        host = machine.host("ane", "broken-off", "escoba", "--option", "target=11")
        jon = machine.join("jon", address_of(host))
        jon.says(PLAY % 6)
        killed(jon)
        killed(host)
        yield machine.folder
    finally:
        machine.end()


@pytest.fixture
def homes(machine: Machine, broken_off: Path) -> Callable[..., Path]:
    """Return what copies a home for this test, under another name if one is given."""

    def copy(home: str, name: str = "") -> Path:
        return Path(shutil.copytree(broken_off / home, machine.folder / (name or home)))

    return copy


def content(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.rglob("*") if path.is_file()}


def back(machine: Machine, home: str) -> Player:
    return machine.player(home, "resume", *BACK)


@pytest.mark.parametrize("words", [("resume", *BACK), ("id",)])
def test_without_its_key_a_home_with_matches_gets_no_new_one(machine, homes, words):
    home = homes("jon")
    (home / "identity.key").unlink()
    before = content(home)
    player = machine.player("jon", *words)
    assert player.ends() == 1
    assert player.sentence().startswith(
        f"{home / 'identity.key'} is missing, and the matches in this folder belong to that key."
    )
    assert content(home) == before


def test_damage_inside_the_log_names_the_file_and_without_it_the_match_goes_on(machine, homes):
    homes("ane")
    home = homes("jon")
    (log,) = (home / "logs").iterdir()
    data = log.read_bytes()
    log.write_bytes(data[:5000] + bytes(9) + data[5009:])
    player = back(machine, "jon")
    assert player.ends() == 1
    assert player.sentence().startswith(f"{log} is damaged at byte ")
    log.unlink()
    players = [back(machine, name) for name in ("ane", "jon")]
    assert [player.ends() for player in players] == [0, 0]
    assert verify_log(same_logs(*players)).complete


@pytest.mark.parametrize(
    "damage",
    sample([b"{", b"", b'{"peers": [1]}', bytes(300)], 1),
    ids=["torn", "empty", "other", "zeros"],
)
def test_damaged_contacts_keep_nobody_from_playing(machine, homes, damage):
    homes("ane")
    contacts = homes("jon") / "peers.json"
    contacts.write_bytes(damage)
    players = [back(machine, name) for name in ("ane", "jon")]
    assert [player.ends() for player in players] == [0, 0]
    aside = contacts.with_name("peers.json.damaged1")
    assert f"was damaged, and is now called {aside}" in players[1].out
    assert aside.read_bytes() == damage
    assert "ane" in contacts.read_text()
