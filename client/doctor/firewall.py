"""Whether a firewall on this machine keeps phones and other players out, as far as we may know."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import NamedTuple

from client.i18n.translation import _, listed
from client.ui.phone.listening import PORTS as PHONE_PORTS
from p2p.net.addresses import PORTS

ANSWER_S = 5.0
"""Seconds in which a program of the system must answer."""
DISCOVERY = 5353
"""The port of multicast DNS (RFC 6762)."""
UFW, UFW_ON = Path("/etc/ufw/ufw.conf"), "ENABLED=yes"
FIREWALLD = Path("/run/firewalld")
MAC = "/usr/libexec/ApplicationFirewall/socketfilterfw"
MODULES = Path("/proc/modules")
WINDOWS = r"SYSTEM\CurrentControlSet\Services\SharedAccess\Parameters\FirewallPolicy"


class Known(Enum):
    """Our knowledge of traffic from our network."""

    COMES_IN = auto()
    KEPT_OUT = auto()
    MAYBE = auto()


class Traffic(NamedTuple):
    """Traffic that must come in."""

    protocol: str
    first: int
    last: int

    def __str__(self) -> str:
        """Name it, with its purpose."""
        ports = {"protocol": self.protocol.upper(), "first": self.first, "last": self.last}
        if self.first == DISCOVERY:
            return _("{protocol} port {first} (multicast, to find tables)").format(**ports)
        if self.first == PORTS[0]:
            return _("{protocol} ports {first} to {last} (to play)").format(**ports)
        return _("{protocol} ports {first} to {last} (for phones)").format(**ports)


PHONES = Traffic("tcp", PHONE_PORTS[0], PHONE_PORTS[-1])
TRAFFIC = (Traffic("udp", DISCOVERY, DISCOVERY), Traffic("tcp", PORTS[0], PORTS[-1]), PHONES)
"""A table takes the first free port of its ports, and so do phones."""
Look = Callable[[Traffic], Known]


class Wall(NamedTuple):
    """The answer for a person: whether all is well, the finding, and a thing to do."""

    ok: bool
    says: str
    do: str = ""
    name: str = ""
    """The name of the firewall; empty if none was found."""
    phones: Known = Known.COMES_IN
    """Our knowledge of the traffic of phones."""


def wall() -> Wall:
    """Return what is known of the firewall of this machine; it is asked, and never changed."""
    name, look, command = _asked()
    if name == UNSEEN:
        return _unseen()
    if look is None:
        says = _("none was found; if there is one, it must let in {traffic}")
        return Wall(ok=True, says=says.format(traffic=_named(TRAFFIC)))
    known = {one: look(one) for one in TRAFFIC}
    out = [one for one in TRAFFIC if known[one] is Known.KEPT_OUT]
    if out:
        says = _("{name} keeps out {traffic}").format(name=name, traffic=_named(out))
        do = _("Let them in: {command}").format(command=command)
        return Wall(ok=False, says=says, do=do, name=name, phones=known[PHONES])
    maybe = [one for one in TRAFFIC if known[one] is Known.MAYBE]
    if maybe:
        says = _("{name} is on, and may keep out {traffic}")
        do = _("If others or phones cannot connect: {command}").format(command=command)
        if not command:
            do = _nft_advice()
        says = says.format(name=name, traffic=_named(maybe))
        return Wall(ok=True, says=says, do=do, name=name, phones=known[PHONES])
    says = _("{name} lets in {traffic}").format(name=name, traffic=_named(TRAFFIC))
    return Wall(ok=True, says=says, name=name)


def _unseen() -> Wall:
    """Return the answer if nothing tells us whether a firewall is on."""
    says = (
        _("whether a firewall is on cannot be seen: `nft` does not answer")
        if is_root()
        else _("whether a firewall is on cannot be seen without root")
    )
    return Wall(ok=True, says=says, do=_nft_advice(), phones=Known.MAYBE)


def _nft_advice() -> str:
    advice = _(
        "`sudo nft list ruleset` shows the rules. If a chain with `hook input` drops packets, open "
        "these ports in it: {traffic}."
    )
    return advice.format(traffic=_named(TRAFFIC))


def _named(traffic: Sequence[Traffic]) -> str:
    return listed([str(one) for one in traffic])


Asked = tuple[str, Look | None, str]
"""The name of a firewall, a look at traffic (None: there is none), and the command to open it.

The command is empty if it cannot be known. The name is `UNSEEN` if nothing is known at all.
"""
UNSEEN = "?"


def _asked() -> Asked:
    if sys.platform == "win32":
        return of_windows(*_registry(), sys.executable)
    if sys.platform == "darwin":
        return of_macos(output_of(MAC, "--getglobalstate"), output_of(MAC, "--getblockall"))
    return of_linux()


def output_of(*words: str) -> str | None:
    """Return the output of a program of the system; None if it does not answer or may not."""
    path = shutil.which(words[0]) or shutil.which(words[0], path="/usr/sbin:/sbin")
    if path is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system, which lists its rules
            [path, *words[1:]], capture_output=True, text=True, timeout=ANSWER_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    return done.stdout if done.returncode == 0 else None


# Linux.


def of_linux() -> Asked:
    """Return what we may know of the firewall: its rules are read by administrators only."""
    if FIREWALLD.exists():
        zone = output_of("firewall-cmd", "--list-all")
        look = (lambda _traffic: Known.MAYBE) if zone is None else _by_zone(zone)
        return "firewalld", look, _firewalld_command()
    if _is_on(UFW, UFW_ON):
        return "ufw", lambda _traffic: Known.MAYBE, _ufw_command()
    loaded = _loaded()
    rules = output_of("nft", "list", "ruleset") if is_root() else None
    if rules is not None:
        if chains := dropping(rules):
            return "nftables", lambda _traffic: Known.MAYBE, _nft_command(chains)
        loaded = (loaded or set()) & {"iptable_filter"}  # `nft` does not list its rules
    if loaded is None:
        return UNSEEN, None, ""
    if loaded & {"nf_tables", "ip_tables", "iptable_filter"}:
        return "nftables", lambda _traffic: Known.MAYBE, ""
    return "", None, ""


def is_root() -> bool:
    """Whether the rules of a firewall of Linux may be read."""
    return sys.platform == "linux" and os.geteuid() == 0


def _loaded() -> set[str] | None:
    """Return the modules of the system that are in use; None if it does not tell."""
    try:
        modules = MODULES.read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    return {line.split()[0] for line in modules.splitlines() if line.split()[2] != "0"}


def dropping(rules: str) -> list[str]:
    """Return the chains with `hook input` that may drop packets: `inet filter input`."""
    found: list[str] = []
    table = chain = ""
    takes_in = False
    for line in rules.splitlines():
        words = line.split()
        if words[:1] == ["table"]:
            table = " ".join(words[1:3])
        elif words[:1] == ["chain"]:
            chain, takes_in = f"{table} {words[1]}", False
        elif "hook input" in line:
            takes_in = True
        drops = "policy drop" in line or {"drop", "reject", "jump", "goto"} & {*words}
        if takes_in and drops and chain not in found:
            found.append(chain)
    return found


def _by_zone(zone: str) -> Look:
    """Look at traffic by the zone of firewalld, which tells everybody."""
    fields = {
        name.strip(): value.split()
        for name, _colon, value in (line.partition(":") for line in zone.splitlines())
    }

    def look(traffic: Traffic) -> Known:
        if fields.get("target") == ["ACCEPT"]:
            return Known.COMES_IN
        if traffic.first == DISCOVERY and "mdns" in fields.get("services", []):
            return Known.COMES_IN
        for ports in fields.get("ports", []):
            span, _slash, protocol = ports.partition("/")
            first, _dash, last = span.partition("-")
            if protocol == traffic.protocol and int(first) <= traffic.first <= int(last or first):
                return Known.COMES_IN
        # rich rules, policies and protocols may let it in all the same
        return Known.MAYBE if fields.get("rich rules") else Known.KEPT_OUT

    return look


def _is_on(path: Path, line: str) -> bool:
    try:
        return line in path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False


def _ports(dash: str) -> list[tuple[str, str]]:
    """Return protocols and ports as a program wants them, with its sign between first and last."""
    return [
        (one.protocol, f"{one.first}{dash}{one.last}" if one.first != one.last else f"{one.first}")
        for one in TRAFFIC
    ]


def _ufw_command() -> str:
    return "; ".join(f"sudo ufw allow {ports}/{protocol}" for protocol, ports in _ports(":"))


def _firewalld_command() -> str:
    return "sudo firewall-cmd " + " ".join(
        f"--add-port={ports}/{protocol}" for protocol, ports in _ports("-")
    )


def _nft_command(chains: Sequence[str]) -> str:
    return "; ".join(
        f"sudo nft insert rule {chain} {protocol} dport {ports} accept"
        for chain in chains
        for protocol, ports in _ports("-")
    )


# macOS.


def of_macos(state: str | None, all_blocked: str | None) -> Asked:
    """Return what the firewall of macOS says of itself. It asks once for each program."""
    command = f"sudo {MAC} --add {sys.executable} --unblockapp {sys.executable}"
    if state is None or "State = 0" in state:
        return "", None, ""
    if all_blocked is not None and "block all state set to enabled" in all_blocked.casefold():
        return "macOS", lambda _traffic: Known.KEPT_OUT, f"sudo {MAC} --setblockall off"
    return "macOS", lambda _traffic: Known.MAYBE, command


# Windows.


def of_windows(on: bool | None, rules: Sequence[str], program: str) -> Asked:
    """Return what the rules of Windows, a line each, say of our Python."""
    command = (
        "netsh advfirewall firewall add rule name=Sobremesa dir=in action=allow "
        f'program="{program}"'
    )
    if on is False:
        return "", None, ""
    ours = [fields for fields in map(_fields, rules) if _concerns(fields, program)]
    actions = {fields.get("action") for fields in ours}
    known = Known.MAYBE
    if "block" in actions:  # it goes before all others; Windows asks again when it has gone
        known = Known.KEPT_OUT
        command = f'netsh advfirewall firewall delete rule name=all program="{program}"'
    if actions == {"allow"} and all("lport" not in one for one in ours):
        known = Known.COMES_IN
    return "Windows", lambda _traffic: known, command


def _fields(rule: str) -> dict[str, str]:
    """Return the fields of a rule: `v2.30|Action=Allow|Active=TRUE|Dir=In|App=C:/x.exe|`."""
    parts = (part.partition("=") for part in rule.casefold().split("|"))
    return {name: value for name, equals, value in parts if equals}


def _concerns(rule: dict[str, str], program: str) -> bool:
    wanted = {"active": "true", "dir": "in", "app": program.casefold()}
    return all(rule.get(name) == value for name, value in wanted.items())


def _registry() -> tuple[bool | None, list[str]]:
    """Return whether the firewall of Windows is on (None: unknown), and its rules."""
    rules: list[str] = []
    on: bool | None = None
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415 - of Windows alone

        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, WINDOWS + r"\StandardProfile") as key:
                on = bool(winreg.QueryValueEx(key, "EnableFirewall")[0])
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, WINDOWS + r"\FirewallRules") as key:
                count = winreg.QueryInfoKey(key)[1]
                rules = [str(winreg.EnumValue(key, place)[1]) for place in range(count)]
        except OSError:
            return on, rules
    return on, rules
