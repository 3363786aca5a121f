"""The loopback server's HTTP and WebSocket, as any program of this machine may speak to them."""

from __future__ import annotations

from random import Random

import pytest
import trio
from trio.testing import memory_stream_pair

from client.ui.browser.http import BadRequest, Exchange, Gone
from client.ui.browser.page_socket import IN_CLEAR, PageSocket
from tests.browser.wire import Page, said

MASK = bytes(4)


def head(page: Page, line: str = "GET / HTTP/1.1", *more: str) -> bytes:
    return "\r\n".join([line, f"Host: {page.host}", *more, "", ""]).encode()


async def test_a_second_request_on_a_connection_is_not_answered(page):
    heard = await said(page, head(page) * 2)
    assert heard.count(b"HTTP/1.1 ") == 1
    assert heard.lower().count(b"\r\nconnection: close\r\n") == 1


async def test_a_request_within_the_body_of_another_one_is_not_answered(page):
    inner = head(page)
    heard = await said(page, head(page, "GET / HTTP/1.1", f"Content-Length: {len(inner)}") + inner)
    assert heard.count(b"HTTP/1.1 ") == 1


async def test_a_second_cookie_of_another_port_does_not_keep_the_owner_out(page):
    """Cookies do not tell ports apart, and a page of another port may set one for our path."""
    cookie, _word = await page.enter()
    name = cookie.partition("=")[0]
    for given in (f"{cookie}; {name}=x", f"{name}=x; {cookie}", f"a=b; {cookie}"):
        assert (await page.ask("POST", "/session", cookie=given)).status == 200
    for given in (f"{name}=; {name}=x", f"{name}x={cookie.partition('=')[2]}", f"{cookie}x"):
        assert (await page.ask("POST", "/session", cookie=given)).status == 403


async def test_a_socket_needs_the_whole_handshake(page):
    cookie, _word = await page.enter()
    ours = (f"Origin: {page.gate.origin}", f"Cookie: {cookie}")
    whole = (
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )
    for left_out in range(len(whole)):
        rest = whole[:left_out] + whole[left_out + 1 :]
        heard = await said(page, head(page, "GET /socket HTTP/1.1", *ours, *rest))
        assert heard.startswith(b"HTTP/1.1 400 ")


async def test_no_extension_of_a_socket_is_accepted(page):
    """An inflated message could be a thousand times as long as it was when it came."""
    cookie, _word = await page.enter()
    async with page.socket(cookie, sec_websocket_extensions="permessage-deflate") as socket:
        assert socket.status == 101
        assert socket.extensions == []


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x83\x80" + MASK, 1002),  # no such kind of frame
        (b"\x80\x80" + MASK, 1002),  # the rest of a message that has not begun
        (b"\x81\x81" + MASK + b"\xff", 1007),  # no UTF-8
        (b"\xc1\x80" + MASK, 1002),  # deflated
        (b"\x89\xfe\x00\x7e" + MASK, 1002),  # a ping that is too long
    ],
)
async def test_a_frame_that_is_none_closes_the_socket(page, frame, code):
    async with page.window() as socket:
        await socket.stream.send_all(frame)
        assert await socket.closed() == code


def frame(random: Random) -> bytes:
    """Return a frame as a client would send it, or nearly."""
    first = random.choice([0x81, 0x01, 0x80, 0x00, 0x82, 0x88, 0x89, 0x8A, random.randrange(256)])
    said = random.randbytes(random.choice([0, 1, 2, 125, 126, random.randrange(300)]))
    if first & 15 == 8 and random.random() < 0.7:
        said = random.choice([1000, 1005, 1006, 1015, 3000, 65535]).to_bytes(2) + said[2:125]
    size = bytes([0x80 | len(said)]) if len(said) < 126 else b"\xfe" + len(said).to_bytes(2)
    whole = bytes([first]) + size + MASK + said
    return whole if random.random() < 0.9 else whole[: random.randrange(len(whole))]


@pytest.mark.parametrize("seed", range(200))
async def test_frames_that_are_nearly_right_give_messages_or_end_the_socket(seed):
    """An error of another kind would be taken for a bug of a picture, and end the program."""
    random = Random(seed)
    asked = bytearray(
        b"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    if random.random() < 0.2:
        asked[random.randrange(len(asked))] = random.randrange(256)
    stranger, ours = memory_stream_pair()
    await stranger.send_all(asked + b"".join(frame(random) for _ in range(random.randrange(8))))
    await stranger.send_eof()
    with pytest.raises((Gone, BadRequest)):
        await listen(Exchange(ours, ()), ours)


async def listen(exchange: Exchange, ours: trio.SocketStream) -> None:
    socket = PageSocket(ours, exchange, await exchange.request())
    await socket.accept()
    while True:
        message = await socket.receive()
        data = message.encode() if isinstance(message, str) else message
        assert len(data) <= IN_CLEAR.most


async def test_a_header_that_is_given_twice_is_not_ours(page):
    origin = f"Origin: {page.gate.origin}"
    for second in ("Origin: http://evil.example", origin):
        heard = await said(page, head(page, "POST /session HTTP/1.1", origin, second))
        assert heard.startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("HEAD / HTTP/1.1", 405),
        ("POST / HTTP/1.1", 405),
        ("DELETE /art/en/french.svg HTTP/1.1", 405),
        ("GET /nothing HTTP/1.1", 404),
        ("GET /art/../ HTTP/1.1", 404),
        ("GET /%2e HTTP/1.1", 404),
        ("POST /socket HTTP/1.1", 403),
        ("GET / HTTP/9", 400),
        ("GET  HTTP/1.1", 400),
        ("\x00\x00", 400),
    ],
)
async def test_a_request_that_asks_for_nothing_of_ours_gets_a_status(page, line, status):
    heard = await said(page, head(page, line, f"Origin: {page.gate.origin}"))
    assert heard.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"default-src 'none'" in heard


async def test_a_head_that_is_too_long_gets_its_status(page):
    heard = await said(page, head(page, "GET / HTTP/1.1", "X: " + "x" * 20_000)[:12_000])
    assert heard.startswith(b"HTTP/1.1 431 ")
