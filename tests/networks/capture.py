"""Everything that goes over the interfaces of a host, and the bytes of its connections.

    python -m tests.networks.capture FILE

It writes every frame behind its length of four bytes, until its input ends.
"""

from __future__ import annotations

import select
import socket
import struct
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

EVERYTHING = 0x0003
"""ETH_P_ALL of Linux, packet(7)."""
LONGEST = 1 << 17
ETHERNET, TCP = 14, 6
LOOPBACK = 127
"""The first byte of an address that a machine has for itself."""
PART = 256
"""Bytes of a frame that are looked at together."""
Ends = tuple[bytes, int, bytes, int]
"""From which address and port to which."""


def frames(file: Path) -> Iterator[bytes]:
    """Give the frames of a file."""
    data, at = file.read_bytes(), 0
    while at < len(data):  # a match of Kínaskák is too long to cut its beginning off each time
        (size,) = struct.unpack_from("!I", data, at)
        yield data[at + 4 : at + 4 + size]
        at += 4 + size


def of_networks(file: Path) -> Iterator[bytes]:
    """Give the frames of a file but those of 127.0.0.0/8, where an owner has a browser."""
    for frame in frames(file):
        if frame[12:14] != b"\x08\x00" or frame[ETHERNET + 16] != LOOPBACK:
            yield frame


def streams(file: Path, port: int) -> dict[Ends, bytes]:
    """Return the bytes that went each way over the connections of a port, by their ends."""
    parts: dict[Ends, dict[int, bytes]] = defaultdict(dict)
    begins: dict[Ends, int] = {}
    for frame in frames(file):
        if frame[12:14] != b"\x08\x00" or frame[ETHERNET + 9] != TCP:
            continue
        packet = frame[ETHERNET:]
        packet = packet[: int.from_bytes(packet[2:4], "big")]
        segment = packet[4 * (packet[0] & 15) :]
        source, sink = struct.unpack("!HH", segment[:4])
        if port not in (source, sink):
            continue
        ends = packet[12:16], source, packet[16:20], sink
        (number,) = struct.unpack("!I", segment[4:8])
        if segment[13] & 2:  # it begins
            begins[ends] = number + 1
        elif data := segment[4 * (segment[12] >> 4) :]:
            place = (number - begins.get(ends, number)) % 2**32
            parts[ends][place] = max(parts[ends].get(place, b""), data, key=len)
    return {ends: _whole(found) for ends, found in parts.items()}


def _whole(parts: dict[int, bytes]) -> bytes:
    """Put segments in their order, of which some may have come twice."""
    found = bytearray()
    for place in sorted(parts):
        assert place <= len(found), "something is missing"
        found += parts[place][len(found) - place :] if place < len(found) else parts[place]
    return bytes(found)


def payloads(stream: bytes) -> list[bytes]:
    """Return the frames of a WebSocket behind the head of its stream, unmasked (RFC 6455)."""
    head, end, _rest = stream.partition(b"\r\n\r\n")
    found, at = [], len(head) + len(end)
    while at + 2 <= len(stream):
        size, masked = stream[at + 1] & 127, stream[at + 1] >> 7
        at += 2
        if size >= 126:
            wide = 2 if size == 126 else 8
            size, at = int.from_bytes(stream[at : at + wide], "big"), at + wide
        mask = stream[at : at + 4] if masked else bytes(4)
        at += 4 * masked
        data = stream[at : at + size]
        key = (mask * (len(data) // 4 + 1))[: len(data)]
        found.append(
            (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(len(data), "big")
        )
        at += size
    return found


def is_clear(data: bytes) -> bool:
    """Whether some part of a frame reads like text, of which sealed bytes never look.

    Half of sealed bytes are beyond ASCII, and of `PART` such bytes a quarter in no lifetime.
    """
    parts = (data[at : at + PART] for at in range(0, len(data) - PART + 1, PART))
    return any(sum(byte > 127 for byte in part) < PART / 4 for part in parts)


def main(name: str) -> None:
    """Write all frames until the input ends."""
    with (
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERYTHING)) as wire,
        Path(name).open("wb") as file,
    ):
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 26)
        print("ready", flush=True)
        while (
            sys.stdin not in (ready := select.select([wire, sys.stdin], [], [])[0]) or wire in ready
        ):
            frame, (_interface, _protocol, kind, *_more) = wire.recvfrom(LONGEST)
            if kind != socket.PACKET_OUTGOING or frame[:12] != bytes(
                12
            ):  # else it comes twice on lo
                file.write(struct.pack("!I", len(frame)) + frame)


if __name__ == "__main__":
    main(sys.argv[1])
