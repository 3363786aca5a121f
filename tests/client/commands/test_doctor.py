"""`doctor` where all is well, and where something is in the way: each trouble with one thing to do,
and the right status."""

from __future__ import annotations

import errno
import json
import socket
import tempfile
from ipaddress import ip_interface
from types import SimpleNamespace

import pytest

from client.__main__ import main
from client.commands import doctor
from client.doctor import machine
from client.doctor.firewall import Wall
from p2p.net.addresses import OwnAddress, own_networks
from p2p.net.errors import NoDiscovery, PortInUse
from p2p.net.listen import open_listeners
from p2p.net.selftest import Echo
from tests.end_to_end.processes import LOOPBACK
from tests.net.adapters import INSIDE, LO, SILENT, WLAN, adapter, have

HERE = ["doctor", "--interface", LOOPBACK]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def quiet(monkeypatch):
    """No multicast in this test, but the finding about it."""

    def hears(echo):
        async def listen(interface):
            assert interface in (None, LOOPBACK)
            if isinstance(echo, Exception):
                raise echo
            return echo

        monkeypatch.setattr(doctor, "listen_for_ourselves", listen)

    hears(Echo(ourselves=True, others=3))
    return hears


def findings(capsys) -> dict[str, dict]:
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] == all(finding["ok"] for finding in found["findings"])
    for finding in found["findings"]:
        assert set(finding) == {"check", "ok", "says", "do"}
        assert finding["says"]
        assert finding["ok"] or finding["do"]  # each trouble has something to do
    return {finding["check"]: finding for finding in found["findings"]}


def test_all_is_well_on_the_chosen_interface(home, capsys):
    """With the true zeroconf, on loopback alone."""
    assert main([*HERE, "--json"]) == 0
    found = findings(capsys)
    assert {"home", "arithmetic", "terminal", "interfaces", "port", "multicast"} <= set(found)
    assert found["interfaces"]["says"] == "127.0.0.1, as you chose"
    assert found["multicast"]["says"].startswith("works")
    assert str(home) in found["home"]["says"]


def test_it_touches_nothing_but_the_chosen_interface(home, capsys, monkeypatch):
    """Every address that is bound, connected to or sent to is loopback, or the group of multicast
    DNS."""
    used = []
    real = socket.socket

    class Watched(real):
        def bind(self, address):
            used.append(("bind", address[0]))
            return super().bind(address)

        def connect(self, address):
            used.append(("connect", address[0] if isinstance(address, tuple) else "local"))
            return super().connect(address)

        def sendto(self, data, *rest):
            used.append(("sendto", rest[-1][0]))
            return super().sendto(data, *rest)

        def setsockopt(self, level, option, value, *rest):
            if level == socket.IPPROTO_IP and option in (
                socket.IP_MULTICAST_IF,
                socket.IP_ADD_MEMBERSHIP,
            ):
                used.append(("interface", socket.inet_ntoa(value[-4:])))
            return super().setsockopt(level, option, value, *rest)

    monkeypatch.setattr(socket, "socket", Watched)
    assert main(HERE) == 0
    assert {address for what, address in used if what == "interface"} == {LOOPBACK}
    # Of the group itself everybody listens at any address; the membership chooses which packets
    # come in there. Another test's zeroconf may ask at the same time: an answer to an address of
    # this machine does not leave it.
    here = {LOOPBACK, "224.0.0.251", *(str(own.interface.ip) for own in own_networks())}
    assert {address for what, address in used if what in ("connect", "sendto")} <= here
    assert {address for what, address in used if what == "bind"} <= {
        LOOPBACK,
        "",
        "0.0.0.0",
        "224.0.0.251",
    }


def test_as_text(home, capsys, quiet):
    assert main(HERE) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok  home: ")
    assert lines[-1] == "Nothing here keeps you from playing."
    assert "ok  multicast: works; 3 kinds of services were heard" in lines


@pytest.mark.parametrize(
    ("echo", "says", "status"),
    [
        (Echo(ourselves=False, others=0), "does not even receive", 4),
        (NoDiscovery("another program keeps port 5353 for itself"), "port 5353", 4),
        (Echo(ourselves=True, others=0), "no other machine was heard", 0),
        (Echo(ourselves=True, others=1), "1 kind of service was heard", 0),
    ],
)
def test_multicast(home, capsys, quiet, echo, says, status):
    quiet(echo)
    assert main([*HERE, "--json"]) == status
    found = findings(capsys)["multicast"]
    assert says in found["says"]
    assert found["ok"] == (status == 0)


def test_a_network_that_multicast_does_not_cross_is_named(home, capsys, quiet):
    silent = OwnAddress(ip_interface("192.168.1.7/24"), "wlan0", 3)
    quiet(Echo(ourselves=True, others=3, silent=[silent]))
    assert main(HERE) == 0
    lines = capsys.readouterr().out.splitlines()
    place = lines.index("ok  multicast: works, but nothing comes back on 192.168.1.7 (wlan0)")
    assert "keeps out UDP port 5353" in lines[place + 1]


@pytest.mark.parametrize("address", ["203.0.113.9", "nonsense"])
def test_an_interface_that_is_not_ours(home, capsys, quiet, address):
    assert main(["doctor", "--interface", address, "--json"]) == 4
    found = findings(capsys)
    assert "no interface with the address" in found["interfaces"]["says"]
    assert "multicast" not in found


def test_the_interfaces_that_are_not_used_are_named(home, capsys, quiet, monkeypatch):
    have(monkeypatch, LO, WLAN, adapter("tun0", ("10.8.0.2", 24)), *INSIDE)
    assert main(["doctor", "--json"]) == 0
    found = findings(capsys)["interfaces"]
    assert "192.168.1.7 (wlan0)" in found["says"]
    aside, inside = found["do"].split("Not used, because by their names ")[1:]
    assert aside.startswith("these are tunnels or bridges")
    assert inside.startswith("these lead only to containers")
    assert "10.8.0.2 (tun0)" in aside
    assert "172.17.0.1 (docker0)" in inside
    assert all("--interface" in sentence for sentence in (aside, inside))
    have(monkeypatch, LO, WLAN)
    assert main(["doctor", "--json"]) == 0
    assert findings(capsys)["interfaces"]["do"] == ""
    have(monkeypatch, LO, WLAN, adapter("eth0", ("192.168.2.7", 24)), broken=["eth0"])
    assert main(["doctor", "--json"]) == 0
    unplugged = findings(capsys)["interfaces"]["do"]
    assert unplugged == "Not used, because they are not connected: 192.168.2.7 (eth0)."


@pytest.mark.parametrize("chosen", [[], ["--interface", "169.254.3.4"]])
def test_an_address_that_no_router_gave_is_a_trouble(home, capsys, quiet, monkeypatch, chosen):
    have(monkeypatch, LO, SILENT)
    monkeypatch.setattr(doctor, "listen_for_ourselves", hears_others)
    monkeypatch.setattr(doctor, "open_listeners", listens)
    assert main(["doctor", *chosen, "--json"]) == 4
    found = findings(capsys)
    assert not found["interfaces"]["ok"]
    assert "169.254.3.4" in found["interfaces"]["says"]
    assert "no router gave this machine an address" in found["interfaces"]["says"]
    # machines with such addresses may still find each other
    assert found["multicast"]["ok"]


async def hears_others(interface):
    return Echo(ourselves=True, others=3)


async def listens(interface, port):
    return await open_listeners(LOOPBACK, 0)


def test_a_firewall_that_keeps_players_out_is_a_trouble_of_the_network(
    home, capsys, quiet, monkeypatch
):
    found = Wall(ok=False, says="ufw keeps out TCP", do="sudo ufw allow")
    monkeypatch.setattr(doctor, "wall", lambda: found)
    assert main([*HERE, "--json"]) == 4
    assert findings(capsys)["firewall"]["do"] == "sudo ufw allow"


def test_ports(home, capsys, quiet, monkeypatch):
    # as if the free port were not the first choice
    monkeypatch.setattr(doctor, "PORTS", range(1, 65536))
    assert main([*HERE, "--json"]) == 0
    found = findings(capsys)["port"]
    assert "1 is taken by another program" in found["says"]
    assert not found["do"]
    monkeypatch.setattr(doctor, "PORTS", range(1, 3))
    assert main([*HERE, "--json"]) == 0
    assert "must name the port" in findings(capsys)["port"]["do"]

    async def none(interface, port):
        raise PortInUse(0)

    monkeypatch.setattr(doctor, "open_listeners", none)
    assert main([*HERE, "--json"]) == 4
    assert not findings(capsys)["port"]["ok"]


def test_a_home_that_cannot_be_written(home, capsys, quiet, monkeypatch):
    real = tempfile.TemporaryFile

    def full(**where):
        if where["dir"].name == "journals":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(**where)

    monkeypatch.setattr(machine.tempfile, "TemporaryFile", full)
    assert main([*HERE, "--json"]) == 1
    found = findings(capsys)["home"]
    assert found["says"] == f"{home} cannot be written: No space left on device"
    assert "SOBREMESA_HOME" in found["do"]


@pytest.mark.parametrize(
    ("now", "says_so"),
    [
        (machine.RELEASED_S - 1, True),
        (machine.RELEASED_S + 10, False),
    ],
)
def test_a_clock_that_is_earlier_than_the_program(home, capsys, quiet, monkeypatch, now, says_so):
    monkeypatch.setattr(machine.time, "time", lambda: float(now))
    assert main([*HERE, "--json"]) == 0
    found = findings(capsys)["clock"]
    assert ("which is earlier than" in found["says"]) == says_so
    assert bool(found["do"]) == says_so


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ("0.26.9", "trio 0.26.9 is older than 0.27"),
        ("0.9", "trio 0.9 is older than 0.27"),
        (None, "trio is missing"),
        ("0.27", ""),
        ("0.100.0", ""),
        ("0.27.0.post1", ""),
    ],
)
def test_a_library_that_is_too_old(home, capsys, quiet, monkeypatch, found, says):
    def version(name):
        if found is None:
            raise machine.metadata.PackageNotFoundError
        return found

    monkeypatch.setattr(machine.metadata, "requires", lambda name: ["trio>=0.27", "pytest>=9; x"])
    monkeypatch.setattr(machine.metadata, "version", version)
    assert main([*HERE, "--json"]) == (1 if says else 0)
    finding = findings(capsys)["libraries"]
    assert finding["ok"] != bool(says)
    if says:
        assert finding["says"] == says
        assert "-m pip install" in finding["do"]
    else:
        assert f"trio {found}" in finding["says"]


def arithmetic(capsys, monkeypatch, name: str, *, installed: bool) -> dict:
    monkeypatch.setattr(machine, "best", lambda: SimpleNamespace(name=name))
    monkeypatch.setattr(
        machine, "find_spec", lambda package: SimpleNamespace() if installed else None
    )
    status = main([*HERE, "--json"])
    found = findings(capsys)["arithmetic"]
    assert status == (0 if found["ok"] else 1)
    return found


def test_which_arithmetic_runs_and_how_to_get_a_faster_one(home, capsys, quiet, monkeypatch):
    native = arithmetic(capsys, monkeypatch, machine.Dalek.name, installed=True)
    assert (native["ok"], native["says"], native["do"]) == (True, "curve25519-dalek", "")
    usual = arithmetic(capsys, monkeypatch, "libsodium of rbcl", installed=False)
    assert (usual["ok"], usual["says"]) == (True, "libsodium of rbcl")
    assert "-m pip install crypto/native" in usual["do"]


def test_an_installed_package_that_is_not_used_is_a_trouble(home, capsys, quiet, monkeypatch):
    for name in ("libsodium of rbcl", machine.Plain.name):
        found = arithmetic(capsys, monkeypatch, name, installed=True)
        assert not found["ok"]
        assert found["says"].startswith(name)
        assert "--force-reinstall" in found["do"]
