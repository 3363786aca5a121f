"""Attacks of other programs of this machine on the browser window, with no secret, with the cookie
only, or put out."""

from __future__ import annotations

import json
import logging
import socket as sockets
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from zlib import MAX_WBITS, Z_SYNC_FLUSH, compressobj

import pytest
import trio
from wsproto.events import BytesMessage, Ping, TextMessage

from client.ui.browser import connections, entrance, page_socket, tab
from client.ui.browser.connections import CONNECTIONS
from client.ui.browser.server import TABS
from client.ui.screen.overlay import AlarmSheet
from client.ui.screen.reading import LessonSheet
from client.ui.screen.state import DealCount, ScreenState, TypedLine
from client.ui.screen.state import Page as ScreenPage
from tests.browser.chromium import PATIENCE_MS, needs_chromium, program
from tests.browser.wire import Page, Socket, open_page
from tests.patience import PATIENCE
from tests.screens.stage import Stage

KEY = "dGhlIHNhbXBsZSBub25jZQ=="


@pytest.fixture
async def page(tmp_path) -> AsyncIterator[Page]:
    async with open_page(tmp_path / "home") as found:
        yield found


async def none_open(page: Page) -> None:
    """Wait until no connection is open any more."""
    with trio.fail_after(PATIENCE_MS / 1000):
        while page.connections.count:
            await trio.sleep(0.05)


async def say(page: Page, *parts: bytes) -> None:
    """Say something as any program of this machine can, without any secret, and hang up."""
    async with await page.connect() as stream:
        for part in parts:
            await stream.send_all(part)
        with trio.move_on_after(0.3):
            await stream.receive_some()
    await trio.sleep(0.1)


def handshake(page: Page, more: bytes = b"", connection: bytes = b"Upgrade") -> bytes:
    head = (
        f"GET /socket HTTP/1.1\r\nHost: {page.host}\r\nUpgrade: "
        f"websocket\r\nSec-WebSocket-Key: "
        f"{KEY}\r\n"
    )
    return (
        head.encode()
        + b"Sec-WebSocket-Version: 13\r\nConnection: "
        + connection
        + b"\r\n"
        + more
        + b"\r\n"
    )


async def test_an_error_of_ours_before_the_pass_ends_one_connection_only(page, monkeypatch):
    """A browser sends the cookie to every port of this machine, so a stranger may have it."""

    def fails(text: str) -> None:
        raise RuntimeError(text)

    async with page.window() as window:
        monkeypatch.setattr(entrance, "read", fails)
        async with page.socket(window.cookie) as socket:
            await socket.send({"pass": "x"})
            assert await socket.closed() is None
        await window.click("settings")
        await window.until(lambda shown: shown["page"] == "settings")


async def test_an_error_of_ours_in_a_page_that_is_in_ends_the_program(tmp_path, monkeypatch):
    """Else it would show nothing any more, and nobody would know why."""

    def fails(state: ScreenState) -> None:
        raise RuntimeError(state.page)

    monkeypatch.setattr(tab, "shown", fails)
    with pytest.raises(ExceptionGroup) as raised, trio.fail_after(PATIENCE):
        await show_a_page(tmp_path / "home")
    assert raised.group_contains(RuntimeError)


async def show_a_page(home: Path) -> None:
    """Let one page in and wait for ever."""
    async with open_page(home) as page:
        cookie, word = await page.enter()
        async with page.socket(cookie) as socket:
            await socket.send({"pass": word})
            await trio.sleep_forever()


# 1. Anybody on this machine ends the program with one request: no cookie, no token, Host and Origin
#    are not even looked at.


@pytest.mark.parametrize("which", ["connection", "protocol", "extensions", "h2c", "data"])
async def test_no_request_of_a_stranger_ends_the_program(page, which):
    said = {
        "connection": handshake(page, connection=b"Upgrade, \xff"),
        "protocol": handshake(page, b"Sec-WebSocket-Protocol: \xff\r\n"),
        "extensions": handshake(page, b"Sec-WebSocket-Extensions: \xff\r\n"),
        "h2c": (
            f"GET / HTTP/1.1\r\nHost: {page.host}\r\nUpgrade: h2c\r\nHTTP2-Settings: a\r\n\r\n"
        ).encode(),
        "data": handshake(page) + b"x" * 100,
    }[which]
    for _ in range(5):
        await say(page, said)
    assert (await page.ask("GET", "/")).status == 200


# 2. The same with the cookie only, which every other port of 127.0.0.1 gets to see.


@pytest.mark.parametrize("deflated", [False, True])
async def test_a_message_without_end_fills_no_memory(page, deflated):
    """The server puts the pieces together even after it has refused the message; 58 KB that are
    deflated become 60 MB."""
    cookie, _word = await page.enter()
    more = (
        f"Origin: {page.gate.origin}\r\nCookie: {cookie}\r\nSec-WebSocket-Extensions: "
        f"permessage-deflate\r\n"
    )
    text = b" " * 60_000_000
    if deflated:
        deflate = compressobj(wbits=-MAX_WBITS)
        text = deflate.compress(text) + deflate.flush(Z_SYNC_FLUSH)
        frame = b"\xc1\xfe" + len(text).to_bytes(2) + bytes(4) + text
    else:
        frame = b"\x81\xff" + len(text).to_bytes(8) + bytes(4) + text
    async with await page.connect() as stream:
        await stream.send_all(handshake(page, more.encode()))
        assert b" 101 " in await stream.receive_some()
        tracemalloc.start()
        try:
            with trio.fail_after(entrance.PASS_S - 1), suppress(trio.BrokenResourceError):
                await stream.send_all(frame)
                while await stream.receive_some():
                    pass
            assert tracemalloc.get_traced_memory()[1] < 10_000_000
        finally:
            tracemalloc.stop()


# 3. A thief of the token is put out when the owner comes. Not if a socket of theirs waits with
#    its pass.


async def test_a_thief_that_is_put_out_does_not_come_in_with_a_socket_that_waits(page):
    token = page.token
    cookie, word = await page.enter(token)  # the thief
    async with page.socket(cookie) as socket:
        assert (await page.ask("POST", "/enter", token.encode())).status == 403  # the owner
        assert (await page.ask("POST", "/session", cookie=cookie)).status == 403  # the thief is out
        await sends(socket, {"pass": word}, {"click": "settings", "seen": 1})
        await trio.sleep(0.3)
        assert page.application.state.page is ScreenPage.LOBBY
        assert await socket.closed() in (4403, None)


async def sends(socket: Socket, *messages: object) -> None:
    for message in messages:
        try:
            await socket.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return


# 4. Connections are told apart by the port of the other side alone; 127.0.0.2 has the same ports
#    once more (Linux).


async def connect_from(address: str, port: int, to: int) -> trio.SocketStream:
    found = trio.socket.socket()
    found.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    await found.bind((address, port))
    await found.connect(("127.0.0.1", to))
    return trio.SocketStream(found)


async def test_connections_of_other_addresses_are_bounded_too(page):
    port = free_port()
    taken = [
        await connect_from(f"127.0.0.{number}", port, page.port)
        for number in range(2, CONNECTIONS + 22)
    ]
    await trio.sleep(0.3)
    still = 0
    for stream in taken:
        with trio.move_on_after(0.02) as waiting:
            with suppress(trio.BrokenResourceError):
                await stream.receive_some()
        still += waiting.cancelled_caught
        await trio.aclose_forcefully(stream)
    assert still <= CONNECTIONS


def free_port() -> int:
    with sockets.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


async def test_a_thief_that_is_put_out_does_not_stay_by_a_second_connection_of_the_same_port(page):
    token = page.token
    cookie, word = await page.enter(token)  # the thief
    async with page.socket(cookie) as socket:
        await socket.send({"pass": word})
        await socket.picture()
        port = socket.stream.socket.getsockname()[1]
        async with await connect_from("127.0.0.2", port, page.port):
            await trio.sleep(0.1)
            assert (await page.ask("POST", "/enter", token.encode())).status == 403  # the owner
            await sends(socket, {"click": "settings", "seen": 1})
            await trio.sleep(0.3)
            assert page.application.state.page is ScreenPage.LOBBY


# 5. A connection that ends while its queue is full is never given up: 48 of them, and nobody comes
#    in any more.


@pytest.mark.parametrize("passed", [False, True])
async def test_a_flood_of_messages_at_once_leaves_no_connection(page, passed):
    """Of a cookie alone, or of a page that is let in."""
    cookie, word = await page.enter()
    for _ in range(3):
        async with page.socket(cookie) as socket:
            first = [{"pass": word}] if passed else []
            texts = [json.dumps(one) for one in first] + ["{}"] * 100
            await socket.stream.send_all(
                b"".join(socket._wire.send(TextMessage(data=text)) for text in texts)
            )
            with trio.move_on_after(1):
                await socket.closed()
    await none_open(page)


# 6. A cookie alone takes all windows.


async def test_sockets_without_the_pass_keep_no_window_out(page):
    cookie, _word = await page.enter()
    async with trio.open_nursery() as nursery:
        for _ in range(TABS):
            await nursery.start(held, page, cookie)
        async with page.window() as socket:
            assert socket.shown["page"] == "lobby"
        nursery.cancel_scope.cancel()


async def test_sockets_without_the_pass_that_read_nothing_are_dropped(page, monkeypatch):
    """They are closed politely after `PASS_S`, but nobody waits for ever for them to read."""
    monkeypatch.setattr(entrance, "PASS_S", 2.0)
    monkeypatch.setattr(tab, "SEND_S", 2.0)
    page.listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 2048)
    cookie, _word = await page.enter()
    async with trio.open_nursery() as nursery:
        for _ in range(TABS):
            await nursery.start(deaf, page, cookie)
        assert page.connections.count == TABS
        await trio.sleep(6)
        assert page.connections.count == 0
        async with page.window() as socket:
            assert socket.shown["page"] == "lobby"
        nursery.cancel_scope.cancel()


async def held(page: Page, cookie: str, *, task_status=trio.TASK_STATUS_IGNORED) -> None:
    async with page.socket(cookie) as socket:
        task_status.started()
        await socket.stream.wait_send_all_might_not_block()
        await trio.sleep_forever()


async def connect_small(port: int) -> trio.SocketStream:
    """Connect with little room for bytes that are not read."""
    found = trio.socket.socket()
    found.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
    await found.connect(("127.0.0.1", port))
    return trio.SocketStream(found)


async def deaf(page: Page, cookie: str, *, task_status=trio.TASK_STATUS_IGNORED) -> None:
    """Ask for answers to as many pings as are allowed, and take none."""
    small = Page(page.application, page.gate)
    small.connect = lambda: connect_small(page.port)
    async with small.socket(cookie) as socket:
        for _ in range(page_socket.AT_ONCE):
            await socket.stream.send_all(socket._wire.send(Ping(payload=b"x" * 120)))
        task_status.started()
        await trio.sleep_forever()


# 9. A click that was meant for the count puts an accusation or a page of a lesson away unread: the
#    button of the latter has the same label.


@pytest.mark.parametrize("kind", [AlarmSheet, LessonSheet])
async def test_a_click_on_a_sheet_that_has_gone_puts_no_other_away(page, kind):
    counted = replace(Stage("escoba", 2, first=0).state, count=DealCount(("the count",)))
    page.application.state = counted
    async with page.window() as socket:
        number = socket.shown["number"]
        assert socket.shown["view"]["sheet"]["id"] == "count"
        page.application.state = replace(
            counted, overlay=kind("This does not verify", ("Jon has cheated.",))
        )
        page.application._redraw()
        await socket.send({"click": "key:enter", "seen": number})
        await trio.sleep(0.3)
        assert isinstance(page.application.state.overlay, kind)


# 10. A real browser, and a server of somebody else on another port of this machine.


@needs_chromium
@pytest.mark.slow
def test_an_address_is_used_up_in_a_browser_that_is_in_already(browser, tmp_path):
    """The program prints one address and opens another. Where both are opened, the token of the
    second one is shown no longer either."""
    with program(tmp_path / "home") as running:
        context = browser.new_context()
        page = context.new_page()
        page.goto(running.address)
        page.wait_for_selector("body[data-page]")
        page.goto("about:blank")
        brought: list[str | None] = []
        page.on("request", lambda request: brought.append(request.post_data))
        # the program does not say whether it knows the token: any will do here
        page.goto(f"{running.origin}/#{'x' * 43}")
        page.wait_for_selector("body[data-page]")
        for _ in range(PATIENCE_MS // 50):
            if "x" * 43 in brought and "#" not in page.url:
                break
            page.wait_for_timeout(50)
        shown = page.url
        context.close()
        assert "#" not in shown
        assert brought.count("x" * 43) == 1


async def test_a_stranger_writes_nothing_to_the_terminal(page, monkeypatch, capfd):
    """The server cannot refuse a socket that has sent something already."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # those of pytest
    with suppress(trio.BrokenResourceError):
        await say(page, handshake(page), b"\x89\x80\0\0\0\0" * 20_000)
    assert capfd.readouterr() == ("", "")


async def test_a_cookie_alone_does_not_end_the_program(page):
    cookie, _word = await page.enter()
    offer = "permessage-deflate; server_max_window_bits=x"
    wrong = (
        f"Origin: {page.gate.origin}\r\nCookie: {cookie}\r\nSec-WebSocket-Extensions: {offer}\r\n"
    )
    await say(page, handshake(page, wrong.encode()))
    assert (await page.ask("GET", "/")).status == 200


async def test_a_piece_of_bytes_after_a_message_that_is_too_long_does_not_end_the_program(page):
    """The pieces of the refused message are kept, as text; those that follow are put to them."""
    cookie, _word = await page.enter()
    for _ in range(5):
        async with page.socket(cookie) as socket:
            await socket.send("{}" * 3000)
            await trio.sleep(0.05)
            await socket.say(BytesMessage(data=b"x"))
            await trio.sleep(0.1)
    assert (await page.ask("GET", "/")).status == 200


async def test_a_refused_message_before_a_broken_one_does_not_end_the_program(page):
    """Both ends close at once: one task sends while the other ends the stream (`BusyResourceError`,
    which is no OSError)."""
    cookie, _word = await page.enter()
    for _ in range(100):
        async with page.socket(cookie) as socket:
            await socket.stream.send_all(
                b"\x82\x81\x00\x00\x00\x00x" + b"\xc0\x81\x00\x00\x00\x00a"
            )
            await trio.sleep(0.02)
    assert (await page.ask("GET", "/")).status == 200


async def test_connections_whose_body_is_not_read_are_given_up(tmp_path, monkeypatch):
    """No secret is needed. A client that does not read, and whose request has a body in many
    chunks."""
    monkeypatch.setattr(connections, "LIFE_S", 1.0)
    async with open_page(tmp_path / "home") as page:
        head = (
            f"GET /art/en/spanish.svg HTTP/1.1\r\nHost: {page.host}\r\nTransfer-Encoding: "
            f"chunked\r\n\r\n"
        )
        asked = (head.encode() + b"1\r\nx\r\n" * 60 + b"0\r\n\r\n") * 100
        streams = [await connect_small(page.port) for _ in range(3)]
        for stream in streams:
            with trio.move_on_after(0.5), suppress(trio.BrokenResourceError):
                await stream.send_all(asked)
        await trio.sleep(2)  # twice the time that a connection may last
        for stream in streams:
            await trio.aclose_forcefully(stream)
        await none_open(page)


@pytest.mark.parametrize("frame", [Ping(), TextMessage(data="", message_finished=False)])
async def test_a_page_that_floods_with_pings_or_empty_pieces_is_closed(page, frame):
    async with page.window() as socket:
        with suppress(trio.BrokenResourceError):
            for _ in range(200):
                await socket.say(frame)
        assert await socket.closed() in (1008, None)
    async with page.window():
        pass


@pytest.mark.parametrize("text", ["\ud800", "x\udfff"])
async def test_half_a_character_does_not_end_the_program(page, text):
    page.application.state = ScreenState(typed=TypedLine("join"))
    async with page.window() as socket:
        await sends(socket, {"typed": text})
        await trio.sleep(0.3)
    assert (await page.ask("GET", "/")).status == 200
