"""Machines with other interfaces than this one."""

from __future__ import annotations

from collections.abc import Collection
from types import SimpleNamespace

import ifaddr
import pytest

from p2p.net import addresses


def adapter(
    name: str, *ips: tuple[object, int], index: int = 1, friendly: str = ""
) -> SimpleNamespace:
    """Return an interface as `ifaddr` does, with its addresses and the lengths of their prefixes.

    On Windows `name` is its description, and people know it by a friendly name."""
    return SimpleNamespace(
        name=name,
        nice_name=name,
        index=index,
        ips=[
            SimpleNamespace(ip=ip, network_prefix=prefix, nice_name=friendly or name)
            for ip, prefix in ips
        ],
    )


def have(monkeypatch: pytest.MonkeyPatch, *found: object, broken: Collection[str] = ()) -> None:
    """Let this machine have these interfaces; the broken ones do not work."""
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: list(found))
    monkeypatch.setattr(addresses, "works", lambda name: name not in broken)


LO = adapter("lo", ("127.0.0.1", 8), (("::1", 0, 0), 128))
WLAN = adapter("wlan0", (("fe80::1", 0, 3), 64), (("fd00::5", 0, 0), 64), ("192.168.1.7", 24))
SILENT = adapter("eth0", (("fe80::2", 0, 2), 64), ("169.254.3.4", 16), index=2)
"""An interface that no router has given an address."""
INSIDE = [
    adapter("docker0", ("172.17.0.1", 16)),
    adapter("br-0123456789ab", ("172.18.0.1", 16)),
    adapter("virbr0", ("192.168.122.1", 24)),
    adapter("podman0", ("10.88.0.1", 16)),
    adapter("cni0", ("10.42.0.1", 24)),
    adapter("flannel.1", ("10.42.1.0", 32)),
    adapter("lxdbr0", ("10.5.6.1", 24)),
    adapter("lxcbr0", ("10.0.3.1", 24)),
    adapter("incusbr0", ("10.5.7.1", 24)),
    adapter("vboxnet0", ("192.168.56.1", 24)),
    adapter("vmnet8", ("192.168.100.1", 24)),
    adapter("VirtualBox Host-Only Ethernet Adapter", ("192.168.57.1", 24), friendly="Ethernet 2"),
    adapter("VMware Virtual Ethernet Adapter for VMnet1", ("192.168.101.1", 24)),
]
ASIDE = [
    adapter("br-lan", ("192.168.7.1", 24)),
    adapter("veth1", ("10.1.0.1", 16)),
    adapter("tun0", ("10.8.0.2", 24)),
    adapter("utun4", ("10.8.1.2", 24)),
    adapter("tailscale0", ("100.100.1.1", 32)),
    adapter("wg0", ("10.9.0.2", 24)),
    adapter("ztabc", ("10.10.0.2", 24)),
    adapter("Hyper-V Virtual Ethernet Adapter", ("192.168.1.9", 24), friendly="Switch"),
    adapter("Virtual Adapter", ("172.29.0.1", 20), friendly="vEthernet (WSL)"),
]
