"""The firewall of this machine, as far as the system tells: by its rules where we may read them,
and by its own words elsewhere."""

from __future__ import annotations

import shutil
import subprocess
import sys
from ipaddress import IPv4Interface

import pytest

from client.commands import firewall
from client.commands.firewall import TRAFFIC, Known, of_macos, of_windows, wall
from p2p.net.addresses import OwnAddress
from tests.end_to_end.namespaces import empty_network

OWN = [OwnAddress(IPv4Interface("192.168.1.7/24"), "wlan0", 2)]
UDP, TABLES, PHONES = TRAFFIC
SHUT, OPEN, MAYBE = Known.KEPT_OUT, Known.COMES_IN, Known.MAYBE


@pytest.fixture(autouse=True)
def linux(monkeypatch, tmp_path):
    """Linux without any firewall, in one network."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(firewall, "own_networks", lambda: OWN)
    monkeypatch.setattr(firewall, "UFW", tmp_path / "ufw.conf")
    monkeypatch.setattr(firewall, "FIREWALLD", tmp_path / "firewalld")
    monkeypatch.setattr(firewall, "_has_rules", lambda: False)


@pytest.fixture
def answers(monkeypatch):
    """The programs of the system answer what the test says, and others may not be asked."""
    said: dict[str, str] = {}
    monkeypatch.setattr(firewall, "_output", lambda *words: said.get(words[0]))
    return said


def looks(asked) -> tuple[Known, ...]:
    _name, look, _command = asked
    return tuple(look(one) for one in TRAFFIC)


# The rules of Linux.

BEGIN = """table inet f {{
  chain allowed {{
    tcp dport 22 accept
    tcp dport {{ 47740-47760, 80 }} accept
  }}
  chain near {{
    ip saddr {near} jump allowed
    meta l4proto udp ip daddr 224.0.0.251 udp dport 5353 accept
  }}
  chain i {{
    type filter hook input priority 0; policy {policy};
    iif lo accept
    ct state vmap {{ established : accept, related : accept, invalid : drop }}
    {rules}
  }}
}}"""
NFT = [
    ("accept", "", (OPEN, OPEN, OPEN)),
    ("drop", "", (SHUT, SHUT, SHUT)),
    ("drop", "jump near", (OPEN, OPEN, OPEN)),
    ("accept", 'iifname != "wlan0" accept; reject', (SHUT, SHUT, SHUT)),
    ("accept", 'iifname "wl*" tcp dport 47757 drop', (OPEN, OPEN, SHUT)),
    ("drop", "tcp dport != 47757 accept", (SHUT, OPEN, SHUT)),
    ("drop", "meta mark 7 accept", (MAYBE, MAYBE, MAYBE)),
    ("drop", "meta mark 7 drop", (SHUT, SHUT, SHUT)),
    ("accept", "ip6 saddr fe80::/10 drop; icmp type echo-request drop", (OPEN, OPEN, OPEN)),
    ("drop", "udp dport 5353 limit rate 10/second accept", (OPEN, SHUT, SHUT)),
    ("accept", "jump allowed; drop", (SHUT, OPEN, OPEN)),
]


def by_nft(rules: str) -> str:
    """Return the list of these rules, as the system has it."""
    if shutil.which("nft") is None:
        pytest.skip("nftables is not installed")
    done = subprocess.run(
        [*empty_network(loopback=False), "sh", "-c", "nft -f - && nft -j list ruleset"],
        input=rules, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "Operation not supported" in done.stderr:
        pytest.skip("this system has no nftables")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("policy", "rules", "known"), NFT)
def test_the_rules_of_nftables(answers, policy, rules, known):
    lines = rules.replace("; ", "\n    ")
    answers["nft"] = by_nft(BEGIN.format(policy=policy, rules=lines, near="192.168.0.0/16"))
    assert looks(firewall._of_linux(OWN)) == known
    assert (
        "sudo nft insert rule inet f i tcp dport 47757-47766 accept" in (firewall._of_linux(OWN)[2])
    )


def test_rules_for_another_network_do_not_concern_neighbours(answers):
    answers["nft"] = by_nft(BEGIN.format(policy="drop", rules="jump near", near="10.0.0.0/8"))
    assert looks(firewall._of_linux(OWN)) == (OPEN, SHUT, SHUT)


SAVED = """*nat
:PREROUTING ACCEPT [0:0]
COMMIT
*filter
:INPUT {policy} [0:0]
:FORWARD DROP [0:0]
:near - [0:0]
-A INPUT -i lo -j ACCEPT
-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
{rules}
-A near -d 224.0.0.251/32 -p udp -m udp --dport 5353 -j ACCEPT
-A near -p tcp -m comment --comment "two words" -m multiport --dports 22,47740:47760 -j ACCEPT
-A near -j RETURN
COMMIT
"""
IPTABLES = [
    ("ACCEPT", "", (OPEN, OPEN, OPEN)),
    ("DROP", "", (SHUT, SHUT, SHUT)),
    ("DROP", "-A INPUT -j near", (OPEN, OPEN, OPEN)),
    ("DROP", "-A INPUT ! -i eth0 -p tcp -m state --state NEW -j ACCEPT", (SHUT, OPEN, OPEN)),
    ("DROP", "-A INPUT ! -s 192.168.1.0/24 -j ACCEPT", (SHUT, SHUT, SHUT)),
    ("ACCEPT", "-A INPUT -j LOG\n-A INPUT -i wl+ -j REJECT", (SHUT, SHUT, SHUT)),
    ("DROP", "-A INPUT -m set --match-set known src -j ACCEPT", (MAYBE, MAYBE, MAYBE)),
    ("DROP", "-A INPUT -m addrtype --dst-type MULTICAST -j ACCEPT", (OPEN, SHUT, SHUT)),
]


@pytest.mark.parametrize(("policy", "rules", "known"), IPTABLES)
def test_the_rules_of_iptables(answers, policy, rules, known):
    answers["iptables-save"] = SAVED.format(policy=policy, rules=rules)
    assert looks(firewall._of_linux(OWN)) == known


def test_tables_of_iptables_in_nftables_are_read_as_those_of_iptables(answers):
    answers["iptables-save"] = SAVED.format(policy="DROP", rules="-A INPUT -j near")
    chain = {"family": "ip", "table": "filter", "name": "INPUT", "hook": "input", "policy": "drop"}
    rule = {"family": "ip", "table": "filter", "chain": "INPUT", "expr": [{"xt": None}]}
    answers["nft"] = str({"nftables": [{"chain": chain}, {"rule": rule}]}).replace("'", '"')
    answers["nft"] = answers["nft"].replace("None", "null")
    assert looks(firewall._of_linux(OWN)) == (OPEN, OPEN, OPEN)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"nftables": [{"rule": {}}]}', "nonsense"])
def test_a_list_of_another_kind_says_nothing(answers, text, tmp_path):
    (tmp_path / "ufw.conf").write_text("ENABLED=yes\n")
    answers["nft"] = text
    assert looks(firewall._of_linux(OWN)) == (MAYBE, MAYBE, MAYBE)


def test_no_rules_are_no_firewall(answers):
    answers["nft"] = '{"nftables": [{"metainfo": {}}]}'
    answers["iptables-save"] = "*filter\n:INPUT ACCEPT [0:0]\nCOMMIT\n"
    found = wall(None)
    assert found.ok
    assert found.says.startswith("none was found; if there is one, it must let in UDP port 5353")
    assert "TCP ports 47757 to 47766 (for phones)" in found.says


def test_traffic_that_is_kept_out_is_a_trouble_with_a_command(answers, tmp_path):
    (tmp_path / "ufw.conf").write_text("ENABLED=yes\n")
    answers["iptables-save"] = SAVED.format(policy="DROP", rules="")
    found = wall("192.168.1.7")
    assert not found.ok
    assert found.says.startswith("ufw keeps out UDP port 5353")
    assert "sudo ufw allow 47757:47766/tcp" in found.do
    assert "sudo ufw allow 5353/udp" in found.do


def test_a_firewall_that_may_not_be_asked_is_named(answers, tmp_path):
    (tmp_path / "ufw.conf").write_text("ENABLED=yes\n")
    found = wall(None)
    assert found.ok
    assert found.says.startswith("ufw is on, and may keep out")
    assert "sudo ufw allow 47747:47756/tcp" in found.do


def test_a_settings_file(tmp_path):
    path = tmp_path / "ufw.conf"
    assert not firewall._is_on(path, "ENABLED=yes")
    path.write_text("# ufw\nENABLED=yes\n")
    assert firewall._is_on(path, "ENABLED=yes")
    path.write_text("# ENABLED=yes\nENABLED=no\n")
    assert not firewall._is_on(path, "ENABLED=yes")


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
    asked = firewall._of_linux(OWN)
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


def test_windows_without_a_firewall():
    assert of_windows(False, [], PYTHON)[1] is None  # noqa: FBT003 - as the registry says it


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


def test_a_program_of_the_system_that_fails_or_hangs_says_nothing(monkeypatch):
    monkeypatch.setattr(firewall, "ANSWER_S", 0.2)
    assert firewall._output("false") is None
    assert firewall._output("sleep", "30") is None
    assert firewall._output("no-such-program-here") is None
    assert firewall._output("echo", "so") == "so\n"
