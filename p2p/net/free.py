"""A free port, for a caller that must name it before it listens there."""

from __future__ import annotations

import socket


def free_port(address: str) -> int:
    """Return a TCP port that was free on this address a moment ago."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])
