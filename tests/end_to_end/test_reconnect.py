"""A link that is lost in mid-match comes back by itself, and the match goes on as if nothing had
been."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.end_to_end.processes import LOOPBACK, Player, port_of, same_logs

LONG = ("--option", "target=11")


def in_mid_match(*players: Player) -> None:
    """Wait until some of a match has been played, and make sure that it is not over."""
    for player in players:
        player.says(r"(?s)(?: (?:plays|lays) .*?){7}")
    assert all(player.process.poll() is None for player in players)


@pytest.mark.slow
def test_a_connection_that_breaks(machine):
    host = machine.host("ane", "breaks", "escoba", "--seats", "3", *LONG)
    with proxy(port_of(host)) as (port, cut):
        jon = machine.join("jon", f"{LOOPBACK}:{port}")
        host.says("p2: jon")
        mary = machine.join("mary", f"{LOOPBACK}:{port}")
        in_mid_match(host, jon, mary)
        assert cut() >= 2  # both dial: for a moment there may be a link too many
        assert [player.ends() for player in (host, jon, mary)] == [0, 0, 0]
    for player in (host, jon, mary):
        assert player.out.count("is away") == player.out.count("is back")
    assert "jon is away" in host.out
    assert "mary is away" in host.out
    same_logs(host, jon, mary)


@contextmanager
def proxy(target: int) -> Iterator[tuple[int, object]]:
    """Pass connections on to a port; the second value cuts all there are, in mid-sentence, and
    returns how many there were."""
    pairs: list[tuple[socket.socket, socket.socket]] = []
    threads: list[threading.Thread] = []

    def pump(source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                sink.sendall(data)

    def serve(listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                inside, _address = listener.accept()
                outside = socket.create_connection((LOOPBACK, target))
                pairs.append((inside, outside))
                for ends in ((inside, outside), (outside, inside)):
                    threads.append(threading.Thread(target=pump, args=ends))
                    threads[-1].start()

    def cut() -> int:
        for end in (end for pair in pairs for end in pair):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        return len(pairs)

    with socket.create_server((LOOPBACK, 0)) as listener:
        threads.append(threading.Thread(target=serve, args=(listener,)))
        threads[0].start()
        try:
            yield listener.getsockname()[1], cut
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            cut()
            for thread in threads:
                thread.join()
            for end in (end for pair in pairs for end in pair):
                end.close()
