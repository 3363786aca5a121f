"""`sobremesa doctor`: check network, machine and terminal, and say how to solve each problem.

It uses the chosen interface alone and changes nothing. It sends only an announcement of its own and
queries for other services.
"""

from __future__ import annotations

import json
import platform
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from client.doctor.findings import Finding, fine, trouble
from client.doctor.firewall import wall
from client.doctor.machine import machine
from client.doctor.phones import phones
from client.i18n.sentences import said
from client.i18n.translation import _, later, listed, ngettext, outside
from client.session.signals import run_trio
from client.session.status import Status
from client.ui.plain.printing import say
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
NETWORK = ("interfaces", "port", "multicast", "firewall", "phones")
"""The findings about the network."""

LABELS = {
    "home": later("home"),
    "clock": later("clock"),
    "arithmetic": later("arithmetic"),
    "libraries": later("libraries"),
    "terminal": later("terminal"),
    "thinking": later("computer players"),
    "interfaces": later("interfaces"),
    "port": later("port"),
    "multicast": later("multicast"),
    "system": later("system"),
    "firewall": later("firewall"),
    "phones": later("phones"),
}
"""The labels of the checks for people; JSON has their ids."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `doctor`."""
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    parser.set_defaults(examines=True)  # a missing interface is a finding like others


def run(args: Namespace) -> int:
    """Run all checks, and print the findings."""
    findings = [*machine(), *network(args.interface)]
    bad = {finding.check for finding in findings if not finding.ok}
    if args.json:
        say(json.dumps({"ok": not bad, "findings": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            say(f"{'ok' if finding.ok else '!!'}  {_(LABELS[finding.check])}: {finding.says}")
            if finding.do:
                say(f"    {finding.do}")
        say(_verdict([finding for finding in findings if not finding.ok]))
    if bad & set(NETWORK):
        return Status.NETWORK
    return Status.FAILED if bad else Status.OK


def _verdict(troubles: list[Finding]) -> str:
    """Return a line that says whether one can play with others here."""
    if not troubles:
        return _("Nothing here keeps you from playing.")
    labels = listed([_(LABELS[finding.check]) for finding in troubles])
    return _("This keeps you from playing: {labels}.").format(labels=labels)


def network(interface: str | None) -> Iterator[Finding]:
    """Check this network and our ways into it."""
    yield _interfaces(interface)
    if not _addresses(interface):
        return  # the rest would only repeat this
    yield run_trio(_port, interface)
    yield run_trio(_multicast, interface)
    found = wall()
    yield Finding("firewall", found.ok, found.says, found.do)
    yield phones(interface, found)
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
        return trouble("interfaces", says.format(address=interface), do)
    if interface is not None:
        says = _("{address}, as you chose").format(address=interface)
        do = _("Other machines cannot join there.") if is_loopback(interface) else ""
    else:
        says, do = own, " ".join(filter(None, (_last_choice(), _skipped())))
    if not used:
        says = _("this machine is on no network with other machines (loopback does not count)")
        plug = _("Switch on Wi-Fi, or plug in a cable.")
        return trouble("interfaces", says, f"{plug} {do}".rstrip())
    if all(map(is_link_local, used)):
        says = _("{own}: no router gave this machine an address, so it chose one itself")
        check = _(
            "Check Wi-Fi, cable and router. Until then only machines on the same Wi-Fi or cable "
            "may find this one."
        )
        return trouble("interfaces", says.format(own=interface or own), f"{check} {do}".rstrip())
    return fine("interfaces", says, do)


def _named(networks: Iterable[OwnAddress]) -> str:
    """Return addresses with the names of their interfaces."""
    return ", ".join(f"{own.interface.ip} ({outside(own.name)})" for own in networks)


def _last_choice() -> str:
    """Return the sentence for a machine with only tunnels or bridges, or an empty string."""
    aside = [own for own in own_networks() if own.aside]
    if not aside:
        return ""
    return _(
        "There is no other network, so the program uses tunnels and bridges ({names}). A "
        "player must be on one of them, too."
    ).format(names=_named(aside))


def _skipped() -> str:
    """Return which interfaces are not used, and why; empty if all are."""
    networks = all_networks()
    sentences = (
        (
            networks.aside,
            _(
                "Not used, because by their names these are tunnels or bridges, and there is a "
                "network that leads to more players: {addresses}. To use one, name its address "
                "with --interface."
            ),
        ),
        (
            networks.inside,
            _(
                "Not used, because by their names these lead only to containers and virtual "
                "machines on this machine: {addresses}. To use one, name its address with "
                "--interface."
            ),
        ),
        (networks.broken, _("Not used, because they are not connected: {addresses}.")),
    )
    return " ".join(text.format(addresses=_named(found)) for found, text in sentences if found)


async def _port(interface: str | None) -> Finding:
    try:
        listeners = await open_listeners(interface, None)
    except NetError as error:
        return trouble("port", said(error), _("End other copies of Sobremesa."))
    port = port_of(listeners[0])
    for listener in listeners:
        await listener.aclose()
    if port == PORTS[0]:
        return fine("port", _("{port} is free").format(port=port))
    says = _("{wanted} is taken by another program; {port} would be used").format(
        wanted=PORTS[0], port=port
    )
    return fine(
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
        return trouble("multicast", said(error), join)
    return _heard(echo, join)


def _heard(echo: Echo, join: str) -> Finding:
    if not echo.ourselves:
        return trouble(
            "multicast", _("this machine does not even receive its own announcements"), join
        )
    if echo.silent:
        says = _("works, but nothing comes back on {silent}").format(silent=_named(echo.silent))
        blocked = _(
            "There a firewall of this machine keeps out UDP port 5353, or that network carries no "
            "multicast."
        )
        return fine("multicast", says, f"{blocked} {join}")
    if not echo.others:
        says = _(
            "works on this machine, but no other machine was heard; the network may filter it "
            "(guest Wi-Fi?)"
        )
        return fine("multicast", says, join)
    says = ngettext(
        "works; {count} kind of service was heard",
        "works; {count} kinds of services were heard",
        echo.others,
    )
    return fine("multicast", says.format(count=echo.others))


def _in_the_way() -> Iterator[Finding]:
    """Yield the known obstacles between players, as far as they can be detected.

    None of them is a fault in itself.
    """
    if "microsoft" in platform.release().casefold():
        says = _("this is WSL, which other machines see only in mirrored mode")
        yield fine(
            "system",
            says,
            _("Set networkingMode=mirrored in .wslconfig, or use Python for Windows."),
        )
    if sys.platform == "darwin":
        says = _("macOS asks once whether the terminal may use the local network")
        yield fine(
            "system",
            says,
            _("System Settings, Privacy & Security, Local Network: switch on your terminal."),
        )
