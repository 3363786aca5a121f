"""`sobremesa doctor`: check network, machine and terminal, and say how to solve each problem.

It looks at the chosen interface alone, changes nothing, and asks nobody for anything but whether
they are there.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from client.i18n.notices import NOTICES
from client.i18n.sentences import said
from client.i18n.translation import _, later, ngettext, outside
from client.session.answers import LONGEST_MS, SHORTEST_MS
from client.session.signals import run_trio
from client.session.status import Status
from client.session.thinking import NoThinkerError, Thinker
from client.storage.hardening import wide
from client.storage.home import StoreError, open_home
from client.ui.interactive import is_dumb
from client.ui.plain.printing import say
from crypto.backend import best, native
from crypto.dalek import Dalek
from crypto.errors import NoBackend, WrongAnswers
from crypto.identity import fingerprint
from crypto.plain import Plain
from p2p.net.addresses import (
    LOOPBACK,
    PORTS,
    OwnAddress,
    all_networks,
    is_link_local,
    is_loopback,
    is_own,
    own_networks,
)
from p2p.net.errors import NetError
from p2p.net.listen import open_listeners, port_of
from p2p.net.selftest import Echo, listen_for_ourselves

EXAMPLE = "sobremesa doctor --interface 192.168.1.23"
NARROWEST, LOWEST = 60, 20
NETWORK = ("interfaces", "port", "multicast")
"""The findings whose trouble is the network's."""
THINKS_HERE = NOTICES["thinks-here"]
PACKAGE = "sobremesa_native"
NATIVE = "python -m pip install ./crypto/native"
"""The optional package with faster arithmetic, and the command that installs it."""


@dataclass(frozen=True)
class Finding:
    """The finding of one check.

    If it is not `ok`, or could be better, `do` names one thing to do.
    """

    check: str
    ok: bool
    says: str
    do: str = ""


LABELS = {
    "home": later("home"),
    "arithmetic": later("arithmetic"),
    "terminal": later("terminal"),
    "thinking": later("computer players"),
    "interfaces": later("interfaces"),
    "port": later("port"),
    "multicast": later("multicast"),
    "system": later("system"),
    "firewall": later("firewall"),
}
"""The labels of the checks for people; JSON has their ids."""


def _fine(check: str, says: str, do: str = "") -> Finding:
    return Finding(check, ok=True, says=says, do=do)


def _trouble(check: str, says: str, do: str) -> Finding:
    return Finding(check, ok=False, says=says, do=do)


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `doctor` takes."""
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    parser.set_defaults(examines=True)  # an interface that is not there is a finding like others


def run(args: Namespace) -> int:
    """Look at everything, and show what was found."""
    findings = [*_machine(), *_network(args.interface)]
    bad = {finding.check for finding in findings if not finding.ok}
    if args.json:
        say(json.dumps({"ok": not bad, "findings": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            say(f"{'ok' if finding.ok else '!!'}  {_(LABELS[finding.check])}: {finding.says}")
            if finding.do:
                say(f"    {finding.do}")
    if bad & set(NETWORK):
        return Status.NETWORK
    return Status.FAILED if bad else Status.OK


# This machine.


def _machine() -> Iterator[Finding]:
    yield _home()
    yield _backend()
    yield _terminal()
    yield _thinking()


def _home() -> Finding:
    try:
        home = open_home()
        letters = fingerprint(home.identity.id)
        home.pem()
    except StoreError as error:
        return _trouble(
            "home", str(error), _("Free the folder, or name another one in SOBREMESA_HOME.")
        )
    if others := wide(home.secret()):
        names = ", ".join(outside(path.name) for path in others)
        says = _("{path}: other users of this machine can read {names}").format(
            path=outside(home.path), names=names
        )
        return _trouble(
            "home",
            says,
            _("Move the folder to a disk with file permissions, and own every file in it."),
        )
    free = shutil.disk_usage(home.path).free
    says = _("{path}; your fingerprint is {letters}").format(
        path=outside(home.path), letters=letters
    )
    if free < 50_000_000:
        return _trouble(
            "home",
            says,
            _(
                "The disk is almost full. Play stops when the program cannot write: free some "
                "space."
            ),
        )
    return _fine("home", says)


def _backend() -> Finding:
    name = best().name
    if name == Dalek.name:
        return _fine("arithmetic", name)
    if find_spec(PACKAGE) is not None:
        says = _("{name}, because the installed {package} {reason}").format(
            name=name, package=PACKAGE, reason=_unused()
        )
        return _trouble(
            "arithmetic",
            says,
            _("Install it again: {command}").format(command=f"{NATIVE} --force-reinstall"),
        )
    if name == Plain.name:
        says = _("no libsodium: shuffles take a hundred times as long")
        do = _(
            "Install rbcl (pip install rbcl) or the system's libsodium; or, in the sources (needs "
            "Rust): {command}"
        )
        return _fine("arithmetic", says, do.format(command=NATIVE))
    return _fine(
        "arithmetic",
        name,
        _("For faster proofs, in the sources (needs Rust): {command}").format(command=NATIVE),
    )


def _unused() -> str:
    """Return why the installed package is not used, as the end of a sentence."""
    try:
        native()
    except WrongAnswers:
        return _("gives wrong results here")
    except NoBackend as error:
        return _("does not load: {error}").format(error=error)
    return _("did not load when this program began")


def _terminal() -> Finding:
    if not sys.stdout.isatty():
        return _fine("terminal", _("none; the program prints line by line"))
    if is_dumb():
        return _fine("terminal", _("without a cursor (TERM=dumb); the program prints line by line"))
    size = shutil.get_terminal_size()
    says = _("{columns} columns, {rows} rows, {encoding}").format(
        columns=size.columns, rows=size.lines, encoding=sys.stdout.encoding
    )
    if sys.stdout.encoding.casefold().replace("-", "") != "utf8":
        return _fine(
            "terminal", says, _("Some letters will be shown as ?. Choose UTF-8 for the terminal.")
        )
    if size.columns < NARROWEST or size.lines < LOWEST:
        return _fine(
            "terminal", says, _("The terminal is small: make it at least 60 columns by 20 rows.")
        )
    return _fine("terminal", says)


def _thinking() -> Finding:
    try:
        slowness = run_trio(_slowness)
    except NoThinkerError as error:
        says = _("no process for them can be started: {error}").format(error=outside(str(error)))
        return _fine("thinking", says, _(THINKS_HERE))
    least, most = (round(slowness * ms / 1000, 1) for ms in (SHORTEST_MS, LONGEST_MS))
    says = _("in a process of their own; they answer after {least} to {most} seconds")
    return _fine("thinking", says.format(least=least, most=most))


async def _slowness() -> float:
    thinker = await Thinker.start("")
    await thinker.end()
    return thinker.slowness


# The network.


def _network(interface: str | None) -> Iterator[Finding]:
    yield _interfaces(interface)
    if not _addresses(interface):
        return  # the rest would only say the same again
    yield run_trio(_port, interface)
    yield run_trio(_multicast, interface)
    yield _firewall_rules()
    yield from _in_the_way()


def _addresses(interface: str | None) -> list[str]:
    """Return the addresses of this machine that are used."""
    if interface is None:
        return [str(own.interface.ip) for own in own_networks()]
    return [interface] if is_own(interface) else []


def _interfaces(interface: str | None) -> Finding:
    used, own = _addresses(interface), _named(own_networks())
    if interface is not None and not used:
        says = _("this machine has no interface with the address {address}")
        do = _("Leave --interface out, or name one of: {own}").format(own=own or LOOPBACK)
        return _trouble("interfaces", says.format(address=interface), do)
    if interface is not None:
        says = _("{address}, as you chose").format(address=interface)
        do = _("Other machines cannot join there.") if is_loopback(interface) else ""
    else:
        says, do = own, _skipped()
    if not used:
        says = _("this machine is on no network with other machines (loopback does not count)")
        plug = _("Switch on Wi-Fi, or plug in a cable.")
        return _trouble("interfaces", says, f"{plug} {do}".rstrip())
    if all(map(is_link_local, used)):
        says = _("{own}: no router gave this machine an address, so it chose one itself")
        check = _(
            "Check Wi-Fi, cable and router. Until then only machines on the same Wi-Fi or cable "
            "may find this one."
        )
        return _trouble("interfaces", says.format(own=interface or own), f"{check} {do}".rstrip())
    return _fine("interfaces", says, do)


def _named(networks: Iterable[OwnAddress]) -> str:
    """Return addresses with the names of their interfaces."""
    return ", ".join(f"{own.interface.ip} ({outside(own.name)})" for own in networks)


def _skipped() -> str:
    """Return which interfaces are not used, and why; nothing if all are."""
    networks = all_networks()
    by_name = _(
        "Not used, because by their names these are tunnels or lead to containers, where other "
        "players seldom are: {skipped}. To use one, name its address with --interface."
    )
    broken = _("Not used, because they are not connected: {broken}.")
    said = [
        by_name.format(skipped=_named(networks.skipped)) if networks.skipped else "",
        broken.format(broken=_named(networks.broken)) if networks.broken else "",
    ]
    return " ".join(filter(None, said))


async def _port(interface: str | None) -> Finding:
    try:
        listeners = await open_listeners(interface, None)
    except NetError as error:
        return _trouble("port", said(error), _("End other copies of Sobremesa."))
    port = port_of(listeners[0])
    for listener in listeners:
        await listener.aclose()
    if port == PORTS[0]:
        return _fine("port", _("{port} is free").format(port=port))
    says = _("{wanted} is taken by another program; {port} would be used").format(
        wanted=PORTS[0], port=port
    )
    return _fine(
        "port", says, "" if port in PORTS else _("Players who join by address must name the port.")
    )


async def _multicast(interface: str | None) -> Finding:
    join = _(
        "Others can join with the invite that `sobremesa host` shows, or with this machine's "
        "address."
    )
    try:
        echo = await listen_for_ourselves(interface)
    except NetError as error:
        return _trouble("multicast", said(error), join)
    return _heard(echo, join)


def _heard(echo: Echo, join: str) -> Finding:
    if not echo.ourselves:
        return _trouble(
            "multicast", _("this machine does not even receive its own announcements"), join
        )
    if not echo.others:
        says = _(
            "works on this machine, but no other machine was heard; the network may filter it "
            "(guest Wi-Fi?)"
        )
        return _fine("multicast", says, join)
    says = ngettext(
        "works; {count} kind of service was heard",
        "works; {count} kinds of services were heard",
        echo.others,
    )
    return _fine("multicast", says.format(count=echo.others))


def _firewall_rules() -> Finding:
    """Return the traffic without which no other machine finds a table or plays at it."""
    says = _(
        "if there is one, it must let in UDP port 5353 (multicast, to find tables), and TCP ports "
        "{first} to {last} (to play: a table takes the first that is free)"
    )
    return _fine("firewall", says.format(first=PORTS[0], last=PORTS[-1]))


def _in_the_way() -> Iterator[Finding]:
    """Yield the known obstacles between players, as far as they can be detected.

    None of them is a fault by itself.
    """
    ports = f"{PORTS[0]}:{PORTS[-1]}"
    if "microsoft" in platform.release().casefold():
        says = _("this is WSL, which other machines see only in mirrored mode")
        yield _fine(
            "system",
            says,
            _("Set networkingMode=mirrored in .wslconfig, or use Python for Windows."),
        )
    if _says_yes(Path("/etc/ufw/ufw.conf"), "ENABLED=yes"):
        yield _firewall("ufw", f"sudo ufw allow {ports}/tcp; sudo ufw allow 5353/udp")
    if Path("/run/firewalld").exists():
        yield _firewall(
            "firewalld",
            f"sudo firewall-cmd --add-service=mdns --add-port={ports.replace(':', '-')}/tcp",
        )
    if sys.platform == "win32":
        rule = (
            "netsh advfirewall firewall add rule name=Sobremesa dir=in action=allow "
            "protocol=TCP localport="
        )
        yield _firewall("Windows", rule + ports.replace(":", "-"))
    if sys.platform == "darwin":
        says = _("macOS asks once whether the terminal may use the local network")
        yield _fine(
            "system",
            says,
            _("System Settings, Privacy & Security, Local Network: switch on your terminal."),
        )


def _firewall(name: str, command: str) -> Finding:
    says = _("{name} is on, and may keep others from connecting to you").format(name=name)
    return _fine("firewall", says, _("If they cannot: {command}").format(command=command))


def _says_yes(path: Path, line: str) -> bool:
    if not os.access(path, os.R_OK):
        return False
    return line in path.read_text(encoding="utf-8", errors="replace").splitlines()
