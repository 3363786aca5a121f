"""Everything that goes wrong before a match: command, status and sentence, without a traceback, and
no process is left running."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.__main__ import main
from p2p.net.errors import UpdateThere
from p2p.wire import PROTOCOL
from tests.end_to_end.namespaces import empty_network
from tests.end_to_end.processes import (
    LOOPBACK,
    ROOT,
    Machine,
    address_of,
    environment,
    port_of,
)
from tests.end_to_end.stranger import ends, stranger, waited
from tests.patience import PATIENCE
from tests.sample import sample

JOIN = f"join --plain --auto --interface {LOOPBACK}"
HOST = f"host escoba --plain --auto --interface {LOOPBACK}"

COMMANDS_THAT_LISTEN = ("join", "watch", "resume", "tables", "demo escoba", "play escoba")

# The typed words, the exit status, and a part of the one sentence.
BAD_INPUT = [
    (f"{HOST} --bots 2", 2, "of 2 seats at most 1 can be computer players"),
    (f"{HOST} --bots -1", 2, "expected a whole number from 0 to 9, not '-1'"),
    (
        f"{HOST} --table a.b",
        2,
        "a table's name is at most 32 letters, digits and dashes, not 'a.b'",
    ),
    (
        f"{HOST} --table ñandú",
        2,
        "a table's name is at most 32 letters, digits and dashes, not 'ñandú'",
    ),
    (f"{HOST} --port 0", 2, "expected a whole number from 1 to 65535, not '0'"),
    (f"{HOST} --port 65536", 2, "expected a whole number from 1 to 65535, not '65536'"),
    ("host --plain --auto", 2, "required: GAME"),
    ("host eskoba --plain --auto", 2, "there is no game 'eskoba'; did you mean escoba?"),
    ("host escoba --seats 5", 2, "escoba is for 2, 3, 4 or 6 players, not 5"),
    (
        "host escoba --plain --auto --interface 203.0.113.9",
        4,
        "This machine has no interface with the address 203.0.113.9",
    ),
    (
        "host escoba --plain --auto --interface nonsense",
        4,
        "This machine has no interface with the address nonsense",
    ),
    *(
        (
            f"{words} --plain --interface 203.0.113.9",
            4,
            "This machine has no interface with the address 203.0.113.9",
        )
        for words in ("", *COMMANDS_THAT_LISTEN)
    ),
    (f"{JOIN} one two", 2, "unrecognized arguments: two"),
    (f"{JOIN} nobody-is-here --wait 0", 2, "expected a whole number from 1 to 3600, not '0'"),
    (f"{JOIN} SBM1-ABCD-EFGH", 2, "This invite cannot be right: "),
    (f"{JOIN} 127.0.0.1:99999", 2, "127.0.0.1:99999 is not an address. Write HOST or HOST:PORT"),
    (f"{JOIN} 127.0.0.1:", 2, "is not an address. Write HOST or HOST:PORT"),
    (f"{JOIN} {LOOPBACK}:1", 4, f"Nobody can be reached at {LOOPBACK}:1: no program listens there"),
    ("tables --wait 0", 2, "expected a whole number from 1 to 600, not '0'"),
    ("demo escoba --players 5", 2, "escoba is for 2, 3, 4 or 6 players, not 5"),
    (f"demo escoba --keep {__file__}", 2, "is not a folder"),
]


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


@pytest.mark.parametrize(
    ("typed", "status", "sentence"), BAD_INPUT, ids=[row[0] for row in BAD_INPUT]
)
def test_bad_input(here, typed, status, sentence):
    assert here(typed) == status
    assert sentence in here.sentence()


def test_a_table_that_is_not_there(here):
    assert here(f"{JOIN} nobody-is-here --wait 1") == 4
    said = here.sentence(before="Looking for table nobody-is-here…\n")
    assert said.startswith(
        "no table called nobody-is-here was found in 1 s; join with an address or an invite"
    )


def test_a_spectator_that_finds_no_table_is_told_how_to_watch_one(here):
    assert here(f"watch nobody-is-here --wait 1 --plain --interface {LOOPBACK}") == 4
    said = here.sentence("Looking for table nobody-is-here…\n")
    assert said.startswith("no table called nobody-is-here was found in 1 s; ")
    assert "type the invite, or the address of a player" in said
    assert "sobremesa host" not in said


# The folder.


def a_file(home):
    home.write_text("not a folder")


def logs_are_a_file(home):
    home.mkdir()
    (home / "logs").write_text("not a folder")


def no_key(home):
    home.mkdir()
    (home / "identity.key").write_text("xyzzy")


def binary_key(home):
    home.mkdir()
    (home / "identity.key").write_bytes(b"\xffxyzzy")


def short_key(home):
    home.mkdir()
    (home / "identity.key").write_text("abcd")


def key_is_a_folder(home):
    (home / "identity.key").mkdir(parents=True)


def lock_is_a_folder(home):
    (home / "lock").mkdir(parents=True)


BAD_HOMES = [
    (a_file, r"ane cannot be used: (File exists|Not a directory)"),
    (logs_are_a_file, "ane cannot be used: File exists"),
    (no_key, r"identity\.key contains no key\n"),
    (binary_key, r"identity\.key contains no key\n"),
    (short_key, r"identity\.key contains no key"),
    (key_is_a_folder, r"identity\.key cannot be read: Is a directory"),
    (lock_is_a_folder, "lock cannot be used: Is a directory"),
]


@pytest.mark.parametrize(
    ("spoil", "sentence"), BAD_HOMES, ids=[row[0].__name__ for row in BAD_HOMES]
)
def test_a_folder_that_cannot_be_used(here, spoil, sentence):
    spoil(here.home)
    assert here(HOST) == 1
    said = here.sentence()
    assert re.search(sentence, said)
    assert "xyzzy" not in said


def test_a_folder_in_use(machine):
    host = machine.host("ane", "folder-in-use", "escoba")
    for words in (HOST, JOIN, "play escoba --auto"):
        second = machine.player("ane", *words.split())
        assert second.ends() == 1
        assert second.sentence() == (
            f"another Sobremesa is running with the folder {host.home}: close it, or set "
            f"SOBREMESA_HOME to another folder"
        )


def test_a_copied_folder(machine):
    host = machine.host("ane", "folder-copied", "escoba")
    shutil.copytree(host.home, machine.folder / "copy")
    copy = machine.join("copy", address_of(host))
    assert copy.ends() == 6
    assert "has your own key" in copy.sentence()


# The network.


def test_a_port_in_use(machine):
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))
        taken.listen()
        port = taken.getsockname()[1]
        for words in (HOST, f"{JOIN} 127.0.0.1:1"):
            player = machine.player("ane", *words.split(), "--port", str(port))
            assert player.ends() == 4
            assert player.sentence().startswith(f"Port {port} is already in use")


@contextmanager
def server(says: bytes) -> Iterator[int]:
    """Listen on a port, say something to each newcomer, and hang on."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        open_: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    inside, _address = listener.accept()
                except OSError:
                    return
                open_.append(inside)
                if says:
                    inside.sendall(says)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for inside in open_:
                inside.close()


@pytest.mark.parametrize(
    "says",
    sample(
        [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", b"SSH-2.0-OpenSSH_9.9\r\n", b"\x00" * 4096], 2
    ),
)
def test_another_program_on_that_port(machine, says):
    with server(says) as port:
        player = machine.join("jon", f"{LOOPBACK}:{port}")
        assert player.ends() == 4
        assert player.sentence().startswith(
            (f"The program at {LOOPBACK}:{port} is not Sobremesa", f"{LOOPBACK}:{port} did not")
        )


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


async def test_a_guest_of_another_version_is_turned_away(machine, tmp_path):
    host = await waited(lambda: machine.host("ane", "other-version", "escoba"))
    async with stranger(tmp_path, protocol=PROTOCOL + 1) as other:
        with pytest.raises(UpdateThere):
            await other.dial(port_of(host))
        await waited(lambda: host.says(f"A player was rejected: .* speaks protocol {PROTOCOL + 1}"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            JOIN,
            "the program cannot find tables on this network: join with an address or an invite",
        ),
        ("tables --wait 1", "this machine is on no network"),
    ],
)
def test_no_network(machine, words, sentence):
    words = words.replace(f" --interface {LOOPBACK}", "")
    done = without_network(machine, words.split(), loopback=False)
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert f"sobremesa: {sentence}" in done.stderr


HOLDER = (
    "import os, socket, sys; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('', "
    "5353)); s.set_inheritable(True); os.execvp(sys.argv[1], sys.argv[1:])"
)


@pytest.mark.parametrize("words", [JOIN, f"tables --wait 1 --interface {LOOPBACK}"])
def test_no_multicast(machine, words):
    done = without_network(
        machine, words.split(), loopback=True, before=[sys.executable, "-c", HOLDER]
    )
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert "sobremesa: the program cannot find tables on this network" in done.stderr


@pytest.mark.parametrize("loopback", [False, True])
def test_a_host_whom_nobody_can_find_says_so_and_waits(machine, loopback):
    before = [
        *empty_network(loopback=loopback),
        *([sys.executable, "-c", HOLDER] if loopback else []),
    ]
    process = subprocess.Popen(
        [
            *before,
            sys.executable,
            "-m",
            "client",
            "host",
            "escoba",
            "--auto",
            "--at-once",
            "--plain",
        ],
        env=environment(machine.folder / "ane", warnings=False),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        first = [process.stdout.readline() for _ in range(2)]
        assert "The program cannot find tables on this network: " in "".join(first)
        assert "is open on port" in "".join(first)
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, err) == (130, "")


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


def test_ctrl_c_while_the_table_waits(machine):
    host = machine.host("ane", "wait-for-ever", "escoba")
    host.interrupt()
    assert (host.ends(), host.err) == (130, "")


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


def test_ctrl_c_in_a_match(machine):
    host = machine.host("ane", "in-a-match", "escoba", "--option", "target=101")
    guest = machine.join("jon", address_of(host))
    guest.says("jon is dealt")
    host.interrupt()
    assert (host.ends(), host.err) == (130, "")
    guest.says("Ane is away|ane is away")
    guest.interrupt()
    assert (guest.ends(), guest.err) == (130, "")


def test_standard_input_that_is_closed(machine):
    player = machine.player(
        "ane",
        "--plain",
        "host",
        "escoba",
        "--interface",
        LOOPBACK,
        stdin=None,
        preexec_fn=lambda: os.close(0),
    )
    player.says("is open on port")
    player.interrupt()
    assert (player.ends(), player.err) == (130, "")


@pytest.mark.parametrize(
    "more",
    [{"stdin": subprocess.DEVNULL}, {"stdin": None, "preexec_fn": lambda: os.close(0)}],
    ids=["empty", "closed"],
)
def test_when_nothing_can_be_typed_play_ends_at_our_turn(machine, more):
    player = machine.player("ane", "--plain", "play", "escoba", **more)
    assert player.ends() == 1
    assert "Your turn." in player.out
    assert "the input has ended" in player.err
    assert "Traceback" not in player.err
