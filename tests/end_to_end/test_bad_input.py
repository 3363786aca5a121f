"""Everything that goes wrong before a match: command, status and sentence, without a traceback, and
no process is left running. More are in tests/client/bad_input.txt."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from client.__main__ import main
from p2p.wire import PROTOCOL
from tests.end_to_end.namespaces import empty_network
from tests.end_to_end.processes import (
    LOOPBACK,
    ROOT,
    Machine,
    address_of,
    environment,
)
from tests.end_to_end.stranger import ends, stranger
from tests.patience import PATIENCE

JOIN = f"join --plain --auto --interface {LOOPBACK}"
HOST = f"host escoba --plain --auto --interface {LOOPBACK}"


class Here:
    """The program in this very process: these cases end before there is anything that could be left
    running."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home, self._capsys = home, capsys

    def __call__(self, typed: str) -> int:
        return main(typed.split())

    def sentence(self, before: str = "") -> str:
        """Return the one sentence it has ended with; it has printed nothing else but `before`."""
        out, err = self._capsys.readouterr()
        assert out == before
        assert err.startswith("sobremesa: ")
        assert err.count("\n") == 1
        return err.removeprefix("sobremesa: ")


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Here:
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "ane"))
    return Here(tmp_path / "ane", capsys)


def test_a_table_that_is_not_there(here):
    assert here(f"{JOIN} nobody-is-here --wait 1") == 4
    said = here.sentence(before="Looking for table nobody-is-here…\n")
    assert said.startswith(
        f"no table called nobody-is-here was found in 1 s on the network of {LOOPBACK} (UDP 5353); "
        "join with an address or an invite"
    )


# The folder.


def test_a_folder_that_is_in_use_or_was_copied(machine):
    host = machine.host("ane", "folder-in-use", "escoba")
    second = machine.player("ane", *JOIN.split())
    assert second.ends() == 1
    assert second.sentence() == (
        f"another Sobremesa is running with the folder {host.home}: close it, or set "
        f"SOBREMESA_HOME to another folder"
    )
    shutil.copytree(host.home, machine.folder / "copy")
    copy = machine.join("copy", address_of(host))
    assert copy.ends() == 6
    assert "has your own key" in copy.sentence()


BAD_HOMES = [
    ("", b"not a folder", r"ane cannot be used: (File exists|Not a directory)"),
    ("logs", b"not a folder", "ane cannot be used: File exists"),
    ("identity.key", b"xyzzy", r"identity\.key contains no key\n"),
    ("identity.key", b"\xffxyzzy", r"identity\.key contains no key\n"),
    ("identity.key", b"abcd", r"identity\.key contains no key"),
    ("identity.key", None, r"identity\.key cannot be read: Is a directory"),
    ("lock", None, "lock cannot be used: Is a directory"),
]
"""A name in the home, its content (None: a folder), and the sentence."""


@pytest.mark.parametrize(("name", "content", "sentence"), BAD_HOMES)
def test_a_folder_that_cannot_be_used(here, name, content, sentence):
    path = here.home / name
    if content is None:
        path.mkdir(parents=True)
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    assert here(HOST) == 1
    said = here.sentence()
    assert re.search(sentence, said)
    assert "xyzzy" not in said


# The network.


def test_a_port_in_use_and_another_program_on_a_port(machine):
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        player = machine.player("ane", *HOST.split(), "--port", str(port))
        assert player.ends() == 4
        assert player.sentence().startswith(f"Port {port} is already in use")
        guest = machine.join("jon", f"{LOOPBACK}:{port}")
        inside, _address = taken.accept()
        inside.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        assert guest.ends() == 4
        assert guest.sentence().startswith(f"The program at {LOOPBACK}:{port} is not Sobremesa")
        inside.close()


@pytest.mark.parametrize(
    ("protocol", "sentence"), [(PROTOCOL + 1, "Update Sobremesa here: "), (PROTOCOL - 1, "Ask ")]
)
async def test_a_table_of_another_version(machine, tmp_path, protocol, sentence):
    async with stranger(tmp_path, protocol=protocol) as other:
        player = machine.join("jon", f"{LOOPBACK}:{other.mesh.port}")
        assert await ends(player) == 5
        assert player.sentence().startswith(sentence)
        assert f"speak protocol {protocol} (" in player.sentence().replace("speaks", "speak")
        assert f"you speak {PROTOCOL} (" in player.sentence()


def test_no_network(machine):
    done = without_network(machine, ["join", "--plain", "--auto"], loopback=False)
    assert done.returncode == 4
    assert done.stderr == (
        "sobremesa: the program cannot find tables on this network: join with an address or an "
        "invite, or open one with `sobremesa host`\n"
    )


HOLDER = (
    "import os, socket, sys; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('', "
    "5353)); s.set_inheritable(True); os.execvp(sys.argv[1], sys.argv[1:])"
)


def test_no_multicast(machine):
    before = [sys.executable, "-c", HOLDER]
    done = without_network(machine, JOIN.split(), loopback=True, before=before)
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert "sobremesa: the program cannot find tables on this network" in done.stderr


def test_a_host_whom_nobody_can_find_says_so_and_waits(machine):
    inside = [*empty_network(loopback=True), sys.executable, "-c", HOLDER]
    host = machine.player("ane", *HOST.split(), inside=inside)
    host.says("The program cannot find tables on this network: ")
    host.says("is open on port")
    host.interrupt()
    assert host.ends() == 130


def without_network(
    machine: Machine, words: list[str], *, loopback: bool, before: list[str] | tuple[str, ...] = ()
):
    command = [*empty_network(loopback=loopback), *before, sys.executable, "-m", "client", *words]
    # zeroconf leaves a socket open when it may not begin
    shown = environment(machine.folder / "ane", warnings=False)
    return subprocess.run(
        command, env=shown, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


# Ctrl-C, wherever one is.


def test_ctrl_c_while_a_table_is_looked_for(machine):
    guest = machine.join("jon", "there-is-none", "--wait", "60")
    guest.says("Looking for table there-is-none…")
    guest.interrupt()
    assert (guest.ends(), guest.err) == (130, "")


def test_ctrl_c_while_others_are_waited_for(machine):
    host = machine.host("ane", "wait-for-others", "escoba", "--seats", "3")
    guest = machine.join("jon", address_of(host))
    guest.says("1 seat is free")
    guest.interrupt()
    assert (guest.ends(), guest.err) == (130, "")
    host.says("p2 is free again")


def test_when_nothing_can_be_typed_play_ends_at_our_turn(machine):
    player = machine.player("ane", "--plain", "play", "escoba", stdin=subprocess.DEVNULL)
    assert player.ends() == 1
    assert "Your turn." in player.out
    assert "the input has ended" in player.err
