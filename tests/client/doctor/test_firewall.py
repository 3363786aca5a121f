"""The firewall of this machine, as far as the system tells everybody."""

from __future__ import annotations

import sys

import pytest

from client.doctor import firewall
from client.doctor.firewall import TRAFFIC, Known, of_linux, of_macos, of_windows, wall

UDP, TABLES, PHONES = TRAFFIC
SHUT, OPEN, MAYBE = Known.KEPT_OUT, Known.COMES_IN, Known.MAYBE


@pytest.fixture(autouse=True)
def linux(monkeypatch, tmp_path):
    """Linux without any firewall."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(firewall, "UFW", tmp_path / "ufw.conf")
    monkeypatch.setattr(firewall, "FIREWALLD", tmp_path / "firewalld")
    monkeypatch.setattr(firewall, "MODULES", tmp_path / "modules")
    monkeypatch.setattr(firewall, "is_root", lambda: False)
    (tmp_path / "modules").write_text("snd 4096 1 - Live 0x0\nnf_tables 4096 0 - Live 0x0\n")


@pytest.fixture
def answers(monkeypatch):
    """The programs of the system answer what the test says, and others may not be asked."""
    said: dict[str, str] = {}
    monkeypatch.setattr(firewall, "output_of", lambda *words: said.get(words[0]))
    return said


def looks(asked) -> tuple[Known, ...]:
    _name, look, _command = asked
    return tuple(look(one) for one in TRAFFIC)


# Linux.


def test_no_rules_are_no_firewall(answers):
    found = wall()
    assert found.ok
    assert found.says.startswith("none was found; if there is one, it must let in UDP port 5353")
    assert "TCP ports 47757 to 47766 (for phones)" in found.says


def test_traffic_that_is_kept_out_is_a_trouble_with_a_command(answers, tmp_path):
    (tmp_path / "firewalld").mkdir()
    answers["firewall-cmd"] = ZONE.format(target="default", services="mdns", ports="", rich="")
    found = wall()
    assert not found.ok
    assert found.says.startswith("firewalld keeps out TCP ports 47747 to 47756 (to play)")
    assert "sudo firewall-cmd" in found.do


def test_a_firewall_that_may_not_be_asked_is_named(answers, tmp_path):
    (tmp_path / "ufw.conf").write_text("ENABLED=yes\n")
    found = wall()
    assert found.ok
    assert found.says.startswith("ufw is on, and may keep out")
    assert "sudo ufw allow 47747:47756/tcp" in found.do


def test_nothing_known_is_not_taken_for_a_firewall(answers, tmp_path):
    (tmp_path / "modules").unlink()
    found = wall()
    assert found.ok
    assert found.says == "whether a firewall is on cannot be seen without root"
    assert found.do.startswith("`sudo nft list ruleset` shows the rules. If a chain with `hook")
    assert "47757" in found.do
    assert (found.name, found.phones) == ("", MAYBE)


def test_root_is_not_told_to_be_root(answers, tmp_path, monkeypatch):
    (tmp_path / "modules").unlink()
    monkeypatch.setattr(firewall, "is_root", lambda: True)
    assert wall().says == "whether a firewall is on cannot be seen: `nft` does not answer"


def test_a_packet_filter_in_use_may_keep_traffic_out(answers, tmp_path):
    (tmp_path / "modules").write_text("nf_tables 4096 7 - Live 0x0\n")
    found = wall()
    assert found.says.startswith("nftables is on, and may keep out UDP port 5353")
    assert found.do.startswith("`sudo nft list ruleset` shows the rules.")


RULES = """table inet filter {{
\tset friends {{
\t\ttype ipv4_addr
\t}}

\tchain forward {{
\t\ttype filter hook forward priority filter; policy drop;
\t}}

\tchain INPUT {{
\t\ttype filter hook input priority filter; policy {policy};
\t\tct state established,related accept
\t\t{rule}
\t}}

\tchain others {{
\t\tdrop
\t}}
}}
"""


@pytest.mark.parametrize(
    ("policy", "rule", "chains"),
    [
        ("accept", "", []),
        ("accept", "tcp dport 22 accept", []),
        ("drop", "", ["inet filter INPUT"]),
        ("accept", "counter packets 0 bytes 0 reject with icmpx port-unreachable", [1]),
        ("accept", "iifname eth0 jump others", [1]),
    ],
)
def test_root_reads_the_rules(answers, tmp_path, monkeypatch, policy, rule, chains):
    monkeypatch.setattr(firewall, "is_root", lambda: True)
    (tmp_path / "modules").write_text("nf_tables 4096 7 - Live 0x0\n")
    answers["nft"] = RULES.format(policy=policy, rule=rule)
    found = wall()
    assert len(firewall.dropping(answers["nft"])) == len(chains)
    if chains:
        assert found.says.startswith("nftables is on, and may keep out")
        assert "sudo nft insert rule inet filter INPUT tcp dport 47747-47756 accept" in found.do
    else:
        assert found.says.startswith("none was found")


def test_rules_of_the_older_filter_are_not_listed_by_nft(answers, tmp_path, monkeypatch):
    monkeypatch.setattr(firewall, "is_root", lambda: True)
    answers["nft"] = ""
    (tmp_path / "modules").write_text("iptable_filter 4096 1 - Live 0x0\n")
    assert wall().says.startswith("nftables is on, and may keep out")


ZONE = """public (active)
  target: {target}
  interfaces: wlan0
  services: dhcpv6-client {services}
  ports: {ports}
  rich rules: {rich}
"""


@pytest.mark.parametrize(
    ("target", "services", "ports", "rich", "known"),
    [
        ("default", "mdns", "1025-65535/udp 1025-65535/tcp", "", (OPEN, OPEN, OPEN)),
        ("default", "mdns ssh", "", "", (OPEN, SHUT, SHUT)),
        ("default", "ssh", "47757/tcp", "", (SHUT, SHUT, OPEN)),
        ("default", "ssh", "", "rule accept", (MAYBE, MAYBE, MAYBE)),
        ("ACCEPT", "", "", "", (OPEN, OPEN, OPEN)),
    ],
)
def test_firewalld_tells_its_zone_to_everybody(
    answers, tmp_path, target, services, ports, rich, known
):
    (tmp_path / "firewalld").mkdir()
    answers["firewall-cmd"] = ZONE.format(target=target, services=services, ports=ports, rich=rich)
    asked = of_linux()
    assert looks(asked) == known
    assert asked[0] == "firewalld"
    assert "--add-port=47757-47766/tcp" in asked[2]


# Others.

PYTHON = r"C:\Python\python.exe"
RULE = "v2.30|Action={action}|Active={active}|Dir=In|Protocol=6|{more}App=c:\\python\\PYTHON.exe|"


@pytest.mark.parametrize(
    ("rules", "known"),
    [
        ([], MAYBE),
        ([RULE.format(action="Allow", active="TRUE", more="")], OPEN),
        ([RULE.format(action="Allow", active="FALSE", more="")], MAYBE),
        ([RULE.format(action="Allow", active="TRUE", more="LPort=80|")], MAYBE),
        ([RULE.format(action=one, active="TRUE", more="") for one in ("Allow", "Block")], SHUT),
        (["", "v2.30", RULE.format(action="Block", active="TRUE", more="").lower()], SHUT),
    ],
)
def test_the_rules_of_windows_for_our_python(rules, known):
    name, look, command = of_windows(True, rules, PYTHON)  # noqa: FBT003 - as the registry says it
    assert name == "Windows"
    assert {look(one) for one in TRAFFIC} == {known}
    assert PYTHON in command
    assert ("delete" in command) == (known is SHUT)


@pytest.mark.parametrize(
    ("state", "blocked", "known"),
    [
        (None, None, None),
        ("Firewall is disabled. (State = 0)\n", None, None),
        (
            "Firewall is enabled. (State = 1)\n",
            "Firewall has block all state set to disabled.",
            MAYBE,
        ),
        (
            "Firewall is enabled. (State = 1)\n",
            "Firewall has block all state set to enabled.",
            SHUT,
        ),
    ],
)
def test_the_firewall_of_macos(state, blocked, known):
    _name, look, _command = of_macos(state, blocked)
    assert (None if look is None else look(PHONES)) == known
