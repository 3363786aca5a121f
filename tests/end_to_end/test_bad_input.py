"""The table of what goes wrong at a table: command, status and sentence, with no traceback, and
nothing left running."""

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
from dataclasses import replace
from pathlib import Path

import pytest

from client.__main__ import main
from p2p.net.errors import UpdateThere
from p2p.net.invite import Invite, parse_invite
from p2p.table.terms import read_participant
from p2p.wire import PROTOCOL
from tests.end_to_end.namespaces import empty_network
from tests.end_to_end.processes import (
    LOOPBACK,
    ROOT,
    Machine,
    address_of,
    environment,
    invite_of,
    port_of,
)
from tests.end_to_end.stranger import Stranger, draft, ends, kind, stranger, waited
from tests.sample import sample

JOIN = f"join --plain --auto --interface {LOOPBACK}"
HOST = f"host escoba --plain --auto --interface {LOOPBACK}"

COMMANDS_THAT_LISTEN = ("join", "watch", "resume", "tables", "demo escoba", "play escoba")

# What is typed, the exit status, and what the one sentence says.
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
    (f"{JOIN} SBM1-ABCD-EFGH", 2, "This invite is not complete: "),
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
        """Return the one sentence it has ended with; it has printed nothing else but what is given
        here."""
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


# The folder.


def a_file(home):
    home.write_text("not a folder")


def logs_are_a_file(home):
    home.mkdir()
    (home / "logs").write_text("not a folder")


def no_key(home):
    home.mkdir()
    (home / "identity.key").write_text("xyzzy")


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
    (no_key, r"identity\.key cannot be read"),
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
    """Listen on a port, say something to whoever comes, and hang on."""
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


@pytest.mark.parametrize("words", [JOIN, "tables --wait 1"])
def test_no_network(machine, words):
    words = words.replace(f" --interface {LOOPBACK}", "")
    done = without_network(machine, words.split(), loopback=False)
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert (
        "sobremesa: the program cannot find tables on this network: join with an address or an "
        "invite" in done.stderr
    )


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
        _out, err = process.communicate(timeout=20)
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
        command, env=shown, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


# The table.


async def test_a_full_table(machine, tmp_path):
    host = await waited(
        lambda: machine.host("ane", "full", "escoba", "--seats", "3", "--bots", "1")
    )
    async with stranger(tmp_path) as slow:
        peer = await slow.dial(port_of(host))
        await slow.sit(peer)  # and does not sign
        await slow.hears(kind("terms"))
        third = machine.join("jon", address_of(host))
        assert await ends(third) == 6
        assert third.sentence() == "the table is full"
    # It has gone: its seat is free for somebody else, and the match begins.
    await waited(lambda: host.says("p3 is free again"))
    fourth = machine.join("mary", address_of(host))
    await waited(lambda: fourth.says("The match begins"))


def test_a_table_where_they_play(machine):
    host = machine.host("ane", "they-play", "escoba", "--option", "target=101")
    guest = machine.join("jon", address_of(host))
    host.says("The match begins")
    late = machine.join("mary", address_of(host))
    assert late.ends() == 6
    assert late.sentence() == "they play already; the table is closed"
    assert guest.process.poll() is None


def test_a_private_table(machine):
    host = machine.host("ane", "private", "escoba", "--private", "--option", "target=1")
    stranger_ = machine.join("mary", address_of(host))
    assert stranger_.ends() == 6
    assert stranger_.sentence() == "the table is private: ask for an invite"
    assert "Ane" not in stranger_.out
    assert "escoba" not in stranger_.out.lower()
    by_name = machine.join("mary", "private", "--wait", "1")
    assert by_name.ends() == 4  # it is not announced
    invite = invite_of(host)
    spoiled = machine.join("mary", invite[:-1])
    assert spoiled.ends() == 2
    assert spoiled.sentence().startswith("This invite is not complete")
    guest = machine.join("jon", invite)
    assert (guest.ends(), host.ends()) == (0, 0)


def test_an_old_invite_does_not_lead_to_the_next_table_of_its_host(machine):
    before = machine.host("ane", "one-table", "escoba")
    old = invite_of(before)
    before.end()
    host = machine.host("ane", "another", "escoba", "--option", "target=1")
    new = invite_of(host)
    # as if the host listened where it has listened before
    moved = replace(parse_invite(new), secret=parse_invite(old).secret)
    late = machine.join("jon", str(moved))
    assert late.ends() == 6
    assert late.sentence().startswith("the invite is for an earlier table of this host")
    guest = machine.join("jon", new)
    assert (guest.ends(), host.ends()) == (0, 0)


def test_an_invite_lets_one_in(machine):
    host = machine.host(
        "ane", "private-three", "escoba", "--private", "--seats", "3", "--option", "target=1"
    )
    invite = invite_of(host)
    first = machine.join("jon", invite)
    second = host.says(r"The next player joins with: sobremesa join (\S+)")[1]
    again = machine.join("mary", invite)
    assert again.ends() == 6
    assert again.sentence() == "the table is private: ask for an invite"
    third = machine.join("mary", second)
    assert [player.ends() for player in (host, first, third)] == [0, 0, 0]


async def test_an_invite_of_another_table(machine, tmp_path):
    host = await waited(lambda: machine.host("ane", "private-two", "escoba", "--private"))
    async with stranger(tmp_path) as other:
        # The invite of a table that was there before: another key answers on its port now.
        old = Invite((LOOPBACK,), port_of(host), other.identity.id[:10], b"12345")
        player = machine.join("jon", str(old))
        assert await ends(player) == 6
        assert "answered instead of" in player.sentence()


def shows(**changes: object):
    return lambda other, peer, value: other.mesh.send(
        peer, draft(**changes).message() if value["t"] == "look" else {"t": "?"}
    )


def refuses(why: object):
    return lambda other, peer, value: other.mesh.send(peer, {"t": "refuse", "why": why})


def says(message: object):
    return lambda other, peer, value: other.mesh.send(peer, message)


def cheats_with(**changes: object):
    """Show one table, and propose the terms of another."""

    def answer(other: Stranger, peer: bytes, value: dict) -> None:
        if value["t"] == "look":
            other.mesh.send(peer, draft().message())
        elif value["t"] == "sit":
            seats = (other.seat_request.participant(), read_participant(value["seats"][0][:3]))
            shown = draft(seats=seats)
            other.mesh.send(peer, shown.message())
            proposed = draft(**{"seats": seats, **changes})
            if changes.get("seats") == "turned":
                proposed = draft(seats=seats[::-1])
            other.mesh.send(peer, {"t": "terms", "terms": proposed.terms().encode(), "nodes": []})

    return answer


LONGER = {
    "target": 101,
    "capture": "hand",
    "leftovers": "sweep",
    "all_replaces": False,
    "teams": False,
}
BAD_HOSTS = [
    ("nobody's table", refuses("no-table"), "nobody has opened a table there"),
    ("unknown reason", refuses("be\x1b[31mcause"), "the table cannot be joined: because"),
    (
        "other rules",
        shows(rules=99),
        "they play by another version of the rules; update Sobremesa here",
    ),
    (
        "unknown game",
        shows(game="mus"),
        "they play a game that this version does not know; update Sobremesa here",
    ),
    (
        "unknown option",
        shows(options={"target": 7777}),
        "they play with options that this version does not know",
    ),
    (
        "too many seats",
        shows(seats=(None,) * 5),
        "they play with options that this version does not know",
    ),
    (
        "other options",
        cheats_with(options=LONGER),
        "the host proposed other terms than it had shown; nothing was signed",
    ),
    (
        "other order",
        cheats_with(seats="turned"),
        "the host proposed other terms than it had shown; nothing was signed",
    ),
    (
        "longer limit",
        cheats_with(limit=3600),
        "the host proposed other terms than it had shown; nothing was signed",
    ),
    ("no table at all", says({"t": "table", "seats": 7}), "the host has gone"),
    ("no reason", refuses(7), "the host has gone"),
    ("no message", says([1, 2, 3]), "the host has gone"),
]


@pytest.mark.parametrize(
    ("answer", "sentence"), [pytest.param(*row[1:], id=row[0]) for row in BAD_HOSTS]
)
async def test_a_host_that_is_none(machine, tmp_path, answer, sentence):
    async with stranger(tmp_path, answer) as other:
        player = machine.join("jon", f"{LOOPBACK}:{other.mesh.port}")
        assert await ends(player) == (5 if "version" in sentence else 6)
        assert player.sentence().startswith(sentence)
        assert not any(kind("sign")(value) for _peer, value in other.heard)


@pytest.mark.slow
async def test_a_host_that_never_shows_its_table(machine, tmp_path):
    async with stranger(tmp_path, says(b"\x00" * 40)) as other:
        player = machine.join("jon", f"{LOOPBACK}:{other.mesh.port}")
        assert await ends(player) == 6
        assert player.sentence() == "the host did not answer"


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
