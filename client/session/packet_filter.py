"""The fate of a packet by the rules of Linux: those of nftables, and those of iptables.

A rule that this program does not understand may fit or not. So a packet has all fates that it may
have, and only where there is one does anybody know it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from ipaddress import IPv4Address, ip_network
from typing import Any


class Fate(Enum):
    """The fate of a packet behind a rule or a chain."""

    IN = "accept"
    OUT = "drop"
    ON = "return"
    """The next rule decides."""


@dataclass(frozen=True)
class Packet:
    """The first packet of a neighbour in our network to us."""

    protocol: str
    """`tcp` or `udp`."""
    port: int
    to: IPv4Address
    """Our address, or that of a group."""
    near: IPv4Address
    """An address in the network of the sender."""
    interface: str


Rule = tuple[bool | None, frozenset[Fate] | str]
"""Whether a rule fits a packet (None: nobody knows), and its effect: fates, or the name of the
chain to which it leads."""


@dataclass
class Chain:
    """A chain of rules, as far as they concern a packet."""

    policy: Fate = Fate.ON
    first: bool = False
    """Whether the system begins here with incoming packets."""
    rules: list[Rule] = field(default_factory=list)


DEEPEST = 16
"""Chains that lead to one another; the system allows no circles."""
VERDICTS = {"accept": Fate.IN, "drop": Fate.OUT, "reject": Fate.OUT, "return": Fate.ON}
ANY = frozenset((Fate.IN, Fate.OUT, Fate.ON))


def fates(chains: Mapping[str, Chain]) -> frozenset[Fate]:
    """Return the fates that a packet may have; it must pass all first chains."""
    found = frozenset((Fate.IN,))
    for name, chain in chains.items():
        if chain.first and Fate.IN in found:
            ends = _through(chains, name, DEEPEST)
            found = (found - {Fate.IN}) | ((ends - {Fate.ON}) or frozenset())
            if Fate.ON in ends:
                found |= {Fate.IN if chain.policy is Fate.ON else chain.policy}
    return found


def first_chains(read: Callable[[str, Packet], dict[str, Chain]], text: str | None) -> list[str]:
    """Return the names of the chains in which a firewall decides about incoming packets."""
    if text is None:
        return []
    any_packet = Packet("tcp", 1, IPv4Address("192.0.2.1"), IPv4Address("192.0.2.1"), "")
    try:
        found = read(text, any_packet)
    except ValueError:
        return []
    return [
        name
        for name, chain in found.items()
        if chain.first and (chain.rules or chain.policy is Fate.OUT)
    ]


def _through(chains: Mapping[str, Chain], name: str, depth: int) -> frozenset[Fate]:
    """Return the fates behind a chain; `ON` is its end."""
    if name not in chains or not depth:
        return ANY
    found: frozenset[Fate] = frozenset()
    for fits, does in chains[name].rules:
        if fits is False:
            continue
        then = does if isinstance(does, frozenset) else _through(chains, does, depth - 1)
        if does == frozenset((Fate.ON,)) and fits:  # back to the chain before
            return found | {Fate.ON}
        found |= then - {Fate.ON}
        if fits and Fate.ON not in then:
            return found
    return found | {Fate.ON}


def _all(conditions: Iterable[bool | None]) -> bool | None:
    """Return whether all conditions hold."""
    known = list(conditions)
    return False if False in known else None if None in known else True


# nftables, in JSON (libnftables-json(5)).


def of_nftables(text: str, packet: Packet) -> dict[str, Chain]:
    """Return the chains of `nft -j list ruleset`, as they concern a packet.

    Tables of iptables are left out: their rules are in its own list. ValueError for another text.
    """
    try:
        return _chains(json.loads(text)["nftables"], packet)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("no list of rules of this kind") from error


def _chains(parts: Sequence[Mapping[str, Any]], packet: Packet) -> dict[str, Chain]:
    foreign = {
        (rule["family"], rule["table"])
        for rule in (part["rule"] for part in parts if "rule" in part)
        if any("xt" in one for one in rule["expr"])
    }
    chains: dict[str, Chain] = {}
    for part in parts:
        one = part.get("chain") or part.get("rule")
        if one is None or one["family"] not in ("ip", "inet"):
            continue
        if (one["family"], one["table"]) in foreign:
            continue
        table = f"{one['family']} {one['table']} "
        if "chain" in part:
            policy = VERDICTS.get(one.get("policy", "return"), Fate.ON)
            chains[table + one["name"]] = Chain(policy, one.get("hook") == "input")
        else:
            chains[table + one["chain"]].rules.extend(_rules(one["expr"], table, packet))
    return chains


def _rules(expressions: Sequence[Mapping[str, Any]], table: str, packet: Packet) -> list[Rule]:
    """Return what a rule does: one rule for each of its verdicts."""
    conditions: list[bool | None] = []
    found: list[Rule] = []
    for one in expressions:
        (kind, value), *_more = one.items()
        if kind == "match":
            conditions.append(_matches(value, packet))
        elif kind == "vmap":
            found += _chosen(value, table, packet, conditions)
        elif kind in VERDICTS or kind in ("jump", "goto"):
            found.append((_all(conditions), _does(one, table)))
        elif kind not in ("counter", "log", "limit", "comment", "ct count"):
            conditions.append(None)
    return found


def _does(verdict: Mapping[str, Any], table: str) -> frozenset[Fate] | str:
    """Return what a verdict does.

    `goto` leads on like `jump`: behind it there is seldom anything that changes the fate.
    """
    (kind, value), *_more = verdict.items()
    if kind in VERDICTS:
        return frozenset((VERDICTS[kind],))
    return table + str(value["target"])


def _chosen(
    value: Mapping[str, Any], table: str, packet: Packet, conditions: Sequence[bool | None]
) -> list[Rule]:
    """Return the rules of a map of values to verdicts."""
    entries = value["data"].get("set") if isinstance(value["data"], dict) else None
    if entries is None:
        return [(None, ANY)]
    return [
        (_all([*conditions, _is(value["key"], wanted, packet)]), _does(verdict, table))
        for wanted, verdict in entries
    ]


OF_ALL = ("th", "ip", "ether")
"""The protocols of which every packet of ours has a part; `th` is TCP or UDP."""


def _matches(value: Mapping[str, Any], packet: Packet) -> bool | None:
    match value["left"]:
        case {"payload": {"protocol": protocol}} if protocol not in (*OF_ALL, packet.protocol):
            return False  # only a packet of that protocol has such a part
    fits = _is(value["left"], value["right"], packet)
    if value["op"] == "!=":
        return None if fits is None else not fits
    return fits if value["op"] in ("==", "in") else None


def _is(left: object, right: object, packet: Packet) -> bool | None:
    """Return whether a part of a packet has a value, or one of several."""
    match left:
        case {"meta": {"key": "iif" | "iifname"}}:
            known: object = packet.interface
        case {"meta": {"key": "l4proto"}} | {"payload": {"protocol": "ip", "field": "protocol"}}:
            known = packet.protocol
        case {"meta": {"key": "nfproto"}}:
            known = "ipv4"
        case {"meta": {"key": "protocol"}}:
            known = "ip"
        case {"ct": {"key": "state"}}:
            known = "new"
        case {"payload": {"protocol": "ip", "field": "saddr"}}:
            known = packet.near
        case {"payload": {"protocol": "ip", "field": "daddr"}}:
            known = packet.to
        case {"payload": {"protocol": protocol, "field": "dport"}} if protocol in (
            "th",
            packet.protocol,
        ):
            known = packet.port
        case _:
            return None
    return _has(known, right)


def _has(known: object, right: object) -> bool | None:
    match right:
        case {"set": list(values)}:
            held = [_has(known, value) for value in values]
            return True if True in held else None if None in held else False
        case list(values):
            return _has(known, {"set": values})
        case {"range": [least, most]}:
            if isinstance(known, int):
                return bool(least <= known <= most)
            return None
        case {"prefix": {"addr": str(start), "len": size}} if isinstance(known, IPv4Address):
            return known in ip_network(f"{start}/{size}", strict=False)
        case str(text) if isinstance(known, IPv4Address):
            return None if text.startswith("@") else str(known) == text
        case str(text) if isinstance(known, str) and text.endswith("*"):
            return known.startswith(text[:-1])
        case str(text) if text.startswith("@"):
            return None
        case str() | int():
            return known == right
    return None


# iptables, as `iptables-save` lists it.


def of_iptables(text: str, packet: Packet) -> dict[str, Chain]:
    """Return the chains of the table `filter`, as they concern a packet. ValueError."""
    chains: dict[str, Chain] = {}
    table = ""
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        match words:
            case [word] if word.startswith("*"):
                table = word[1:]
            case [name, policy, *_counted] if name.startswith(":") and table == "filter":
                fate = VERDICTS.get(policy.lower(), Fate.ON)
                chains[name[1:]] = Chain(fate, name == ":INPUT")
            case ["-A", name, *rest] if table == "filter":
                chains[name].rules.append(_of_words(rest, packet))
    return chains


def _of_words(words: Sequence[str], packet: Packet) -> Rule:
    """Return a rule of iptables: options with a value each."""
    conditions: list[bool | None] = []
    does: frozenset[Fate] | str = frozenset()
    places = [place for place, word in enumerate(words) if word.startswith("-")]
    for place, after in zip(places, [*places[1:], len(words)], strict=True):
        option, values = words[place], [one for one in words[place + 1 : after] if one != "!"]
        if option in ("-j", "-g", "--jump", "--goto"):
            target = values[0]
            known = {"ACCEPT": Fate.IN, "DROP": Fate.OUT, "REJECT": Fate.OUT, "RETURN": Fate.ON}
            does = frozenset((known[target],)) if target in known else target
            if target in ("LOG", "NFLOG", "MARK", "CONNMARK", "ULOG"):
                does = frozenset()  # it goes on
            break
        fits = _option(option, values, packet)
        negated = place > 0 and words[place - 1] == "!"
        conditions.append(None if fits is None else fits != negated)
    return _all(conditions) if does else False, does


_WITHOUT_SAY = {"-m", "--comment", "--limit", "--limit-burst", "--match"}
"""Options of iptables that a single packet fits."""


def _option(option: str, values: Sequence[str], packet: Packet) -> bool | None:
    value = values[0] if values else ""
    match option:
        case "-i":
            name = value.removesuffix("+")
            found = packet.interface
            return found.startswith(name) if value.endswith("+") else found == name
        case "-p":
            return value in (packet.protocol, "all")
        case "--dport" | "--destination-port" | "--dports":
            return any(_covers(part, packet.port) for part in value.split(","))
        case "--ctstate" | "--state":
            return "NEW" in value.split(",")
        case "-s":
            return packet.near in ip_network(value, strict=False)
        case "-d":
            return packet.to in ip_network(value, strict=False)
        case "--dst-type":
            return value == ("MULTICAST" if packet.to.is_multicast else "LOCAL")
    return True if option in _WITHOUT_SAY else None


def _covers(part: str, port: int) -> bool:
    first, _colon, last = part.partition(":")
    return int(first or 0) <= port <= int(last or first or 65535)
