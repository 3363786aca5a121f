"""Networks with nothing in them, where the system lets us make such."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess

import pytest

UNSHARE = ["unshare", "--user", "--map-root-user", "--net"]


@functools.cache
def allowed() -> tuple[str, ...]:
    """Return how a command is run in an empty network namespace; nothing if that is not allowed
    here."""
    if shutil.which("unshare") is None:
        return ()
    for words in (UNSHARE, ["unshare", "--net"]):
        if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
            return tuple(words)
    return ()


def lacking_for_a_lan() -> str:
    """Return, in one line, the tools that are missing here to make hosts on a LAN of their own;
    nothing if they can be made."""
    if not allowed():
        return "this system lets nobody make a network namespace (unshare --net)"
    for tool in ("ip", "nsenter"):
        if shutil.which(tool) is None:
            return f"there is no `{tool}` here to put a host on a network with"
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "there are no taps here (/dev/net/tun)"
    return ""


def empty_network(*, loopback: bool) -> list[str]:
    """Return the words before a command that runs where no network is, with the loopback interface
    up or not.

    The test is skipped, and says so, where a process may not be given such a network.
    """
    words = allowed()
    if not words:
        pytest.skip("this system lets nobody make a network namespace (unshare --net)")
    if not loopback:
        return list(words)
    if shutil.which("ip") is None:
        pytest.skip("there is no `ip` here to bring the loopback interface up with")
    return [*words, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
