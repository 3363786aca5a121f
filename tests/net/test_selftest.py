"""The networks that multicast does not cross, on loopback and on networks of their own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from p2p.net import selftest
from p2p.net.addresses import LOOPBACK
from tests.end_to_end.namespaces import allowed
from tests.end_to_end.processes import ROOT
from tests.patience import PATIENCE

SHOW = (
    "import json; from p2p.net.selftest import silent_networks as silent; "
    "print(json.dumps([own.name for own in silent(None)]))"
)


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    monkeypatch.setattr(selftest, "ECHO_S", 0.5)


def test_a_datagram_to_the_group_comes_back_on_loopback():
    assert selftest.silent_networks(LOOPBACK) == []


def in_a_namespace(script: str) -> list[str]:
    for tool in ("ip", "nft"):
        if shutil.which(tool) is None:
            pytest.skip(f"there is no `{tool}` here to make a network with")
    if not allowed():
        pytest.skip("this system lets nobody make a network namespace (unshare --net)")
    done = subprocess.run(
        [*allowed(), "sh", "-euc", f'{script}\nexec "$@"', "sh", sys.executable, "-c", SHOW],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * PATIENCE,
    )
    if "Unknown device type" in done.stderr or "Operation not supported" in done.stderr:
        pytest.skip("this system has no veth interfaces or no nftables")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


TWO = """
ip link set lo up
for number in 1 2; do
    ip link add "lan$number" type veth peer name "far$number"
    ip link set "far$number" up
    ip address add "192.168.$number.7/24" dev "lan$number"
    ip link set "lan$number" up
done
"""


def test_a_firewall_that_keeps_multicast_out_of_one_of_two_networks():
    assert in_a_namespace(TWO) == []
    firewall = """
    nft add table inet t
    nft add chain inet t input '{ type filter hook input priority 0; }'
    nft add rule inet t input iifname lan2 udp dport 5353 drop
    """
    assert in_a_namespace(TWO + firewall) == ["lan2"]
