"""Attacks of other programs of this machine on the browser window, with no secret, with the cookie
only, or put out."""

from __future__ import annotations

import json
import logging
import socket as sockets
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
import trio
from wsproto.events import Ping, TextMessage

from client.ui.browser import connections, entrance, page_socket, tab
from client.ui.browser.connections import CONNECTIONS
from client.ui.browser.server import TABS
from client.ui.screen.state import Page as ScreenPage
from client.ui.screen.state import ScreenState
from p2p.net.free import free_port
from tests.browser.chromium import PATIENCE_MS, needs_chromium, program
from tests.browser.wire import Page, Socket, connect_from, open_page, said
from tests.patience import PATIENCE

KEY = "dGhlIHNhbXBsZSBub25jZQ=="


async def none_open(page: Page) -> None:
    """Wait until no connection is open any more."""
    with trio.fail_after(PATIENCE_MS / 1000):
        while page.connections.count:
            await trio.sleep(0.05)


def handshake(page: Page, more: str = "") -> bytes:
    return (
        f"GET /socket HTTP/1.1\r\nHost: {page.host}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n"
        f"{more}\r\n"
    ).encode()


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


async def test_a_message_without_end_fills_no_memory(page):
    cookie, _word = await page.enter()
    size = 60_000_000
    frame = b"\x81\xff" + size.to_bytes(8) + bytes(4) + b" " * size
    async with await page.connect() as stream:
        ours = f"Origin: {page.gate.origin}\r\nCookie: {cookie}\r\n"
        await stream.send_all(handshake(page, ours))
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


# A thief of the token is put out when the owner comes, and so are all sockets of the thief.


async def test_a_thief_that_is_put_out_does_not_come_in_with_a_socket_that_waits(page):
    token = page.token
    cookie, word = await page.enter(token)  # the thief
    async with page.socket(cookie) as socket:
        assert (await page.ask("POST", "/enter", token.encode())).status == 403  # the owner
        assert (await page.ask("POST", "/session", cookie=cookie)).status == 403  # the thief is out
        await sends(socket, {"pass": word}, {"click": "settings", "seen": 1})
        assert await socket.closed() in (4403, None)
    assert page.application.state.page is ScreenPage.LOBBY


async def sends(socket: Socket, *messages: object) -> None:
    for message in messages:
        try:
            await socket.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return


async def test_connections_of_other_addresses_are_bounded_too(page):
    """They have the same port: 127.0.0.2 has all ports once more."""
    port = free_port("127.0.0.1")
    taken = [
        await connect_from(f"127.0.0.{number}", page.port, port)
        for number in range(2, CONNECTIONS + 22)
    ]
    with trio.fail_after(PATIENCE):
        for stream in taken[:20]:
            with suppress(trio.BrokenResourceError):
                assert await stream.receive_some() == b""
    assert page.connections.count == CONNECTIONS
    for stream in taken:
        await trio.aclose_forcefully(stream)


async def test_a_thief_that_is_put_out_does_not_stay_by_a_second_connection_of_the_same_port(page):
    token = page.token
    cookie, word = await page.enter(token)  # the thief
    async with page.socket(cookie) as socket:
        await socket.send({"pass": word})
        await socket.picture()
        port = socket.stream.socket.getsockname()[1]
        async with await connect_from("127.0.0.2", page.port, port):
            with trio.fail_after(PATIENCE):
                while page.connections.count < 2:
                    await trio.sleep(0.01)
            assert (await page.ask("POST", "/enter", token.encode())).status == 403  # the owner
            await sends(socket, {"click": "settings", "seen": 1})
            assert await socket.closed() is None
            assert page.application.state.page is ScreenPage.LOBBY


@pytest.mark.parametrize("passed", [False, True])
async def test_a_flood_of_messages_at_once_leaves_no_connection(page, passed):
    """Of a cookie alone, or of a page that is let in: all end, although their queues are full."""
    cookie, word = await page.enter()
    for _ in range(3):
        async with page.socket(cookie) as socket:
            first = [{"pass": word}] if passed else []
            texts = [json.dumps(one) for one in first] + ["{}"] * 100
            await socket.say(*(TextMessage(data=text) for text in texts))
            with trio.move_on_after(1):
                await socket.closed()
    await none_open(page)


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
        await none_open(page)
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
            await socket.say(Ping(payload=b"x" * 120))
        task_status.started()
        await trio.sleep_forever()


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
    await said(page, handshake(page) + b"\x89\x80\0\0\0\0" * 20_000)
    await none_open(page)
    assert capfd.readouterr() == ("", "")


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
        await none_open(page)
        for stream in streams:
            await trio.aclose_forcefully(stream)


@pytest.mark.parametrize("frame", [Ping(), TextMessage(data="", message_finished=False)])
async def test_a_page_that_floods_with_pings_or_empty_pieces_is_closed(page, frame):
    async with page.window() as socket:
        with suppress(trio.BrokenResourceError):
            for _ in range(200):
                await socket.say(frame)
        assert await socket.closed() in (1008, None)
    async with page.window():
        pass
