"""The line of `doctor` about phones: the place where they come in, or the obstacle."""

from __future__ import annotations

import re

import pytest

from client.doctor import phones as looked_at
from client.doctor.firewall import Known, Wall
from client.doctor.phones import phones
from client.storage.visitors import Visitors
from client.ui.phone.listening import PORTS, NoListenerError, listen
from p2p.net.addresses import LOOPBACK

NONE = Wall(ok=True, says="none was found")
ADDRESS = "192.168.1.7"


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def wifi(monkeypatch):
    """A private address, at which this machine can listen in a test."""
    monkeypatch.setattr(looked_at, "private_addresses", lambda: [ADDRESS])
    monkeypatch.setattr(looked_at, "listen", lambda _address, before: listen(LOOPBACK, before))


@pytest.mark.parametrize(
    ("firewall", "ok", "says"),
    [
        (NONE, True, "; no firewall was found on this machine"),
        (Wall(ok=True, says="lets", name="ufw"), True, "; ufw lets them in"),
        (Wall(ok=True, says="may", name="ufw", phones=Known.MAYBE), True, ", if ufw lets them in"),
        (
            Wall(ok=False, says="out", do="allow", name="ufw", phones=Known.KEPT_OUT),
            False,
            "ufw keeps them out of",
        ),
    ],
)
def test_where_phones_come_in_and_past_which_firewall(wifi, firewall, ok, says):
    found = phones(None, firewall)
    assert (found.check, found.ok) == ("phones", ok)
    assert says in found.says
    assert re.search(rf"{LOOPBACK}:477[56]\d\b", found.says)
    assert "sobremesa phone" in found.do if ok else found.do == "allow"


def test_the_port_is_the_one_that_phones_know(wifi, home):
    Visitors(home).keep_place(LOOPBACK, PORTS[-1])
    assert f"{LOOPBACK}:{PORTS[-1]}" in phones(None, NONE).says


def test_no_phone_comes_to_a_machine_without_a_private_address(monkeypatch):
    monkeypatch.setattr(looked_at, "private_addresses", list)
    found = phones(None, NONE)
    assert found.ok
    assert "no IPv4 address of a private network" in found.says
    assert found.do == "Connect it to the Wi-Fi of the phones."


def test_no_phone_comes_where_all_ports_are_taken(wifi, monkeypatch):
    def taken(_address, _before):
        raise NoListenerError("Address already in use")

    monkeypatch.setattr(looked_at, "listen", taken)
    found = phones(None, NONE)
    assert f"{ADDRESS}: Address already in use" in found.says
    assert found.do


def test_no_phone_comes_to_loopback():
    assert "leads to this machine alone" in phones(LOOPBACK, NONE).says
