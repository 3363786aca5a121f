"""Attacks from the network on the server for phones: without a key, with a recorded frame, with
floods; then phones that come, and their visitors."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trio
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage

from client.ui.phone import hosted, phones
from client.ui.phone.hosted import AGAIN, FRAMES, REFUSED, STARTS
from client.ui.phone.messages import AdmitPhone, Asks, Frame, LinkClosed
from client.ui.phone.page import files, phone_page
from client.ui.phone.phones import CONNECTIONS, OF_ONE, PER_SECOND
from client.ui.phone.visitor import TEXTS, SealedLink
from crypto.channel import FROM_PAGE_BYTES, TO_PAGE_BYTES
from crypto.noise import TAG_BYTES
from tests.browser.wire import connect_from, said
from tests.client.ui.phone.knock import House, KnockingPage, house
from tests.patience import PATIENCE

JON, MARY = Path("jon"), Path("mary")
EVIL = "http://evil.example"


@pytest.fixture
async def home(monkeypatch) -> AsyncIterator[House]:
    async with house(monkeypatch) as found:
        yield found


@pytest.fixture
async def two(monkeypatch) -> AsyncIterator[House]:
    async with house(monkeypatch, [JON, MARY]) as found:
        yield found


async def is_open(stream: trio.SocketStream) -> bool:
    with trio.move_on_after(0.02) as waiting, suppress(trio.BrokenResourceError):
        await stream.receive_some()
    return waiting.cancelled_caught


# Requests.


@pytest.mark.parametrize("path", ["/", "/art/eu/french.svg", "/socket", "/nothing"])
@pytest.mark.parametrize(
    "headers",
    [
        {"host": "sobremesa.example:47757"},
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1:1"},
        {"host": "localhost:{port}"},
        {"host": "127.0.0.1:{port}."},
        {"origin": EVIL},
        {"origin": "null"},
        {"origin": "http://127.0.0.1"},
        {"origin": "https://127.0.0.1:{port}"},
    ],
    ids=str,
)
async def test_a_page_of_another_site_and_another_name_for_us_get_nothing(home, path, headers):
    given = {name: value and value.format(port=home.port) for name, value in headers.items()}
    answer = await home.ask("GET", path, **given)
    assert answer.status in (400, 403)
    assert b"<html" not in answer.body
    assert not any(name.startswith("access-control") for name in answer.headers)


async def test_a_socket_needs_our_origin(home):
    for origin in (None, EVIL, "null"):
        async with home.open(origin=origin) as socket:
            assert socket.status == 403
    async with home.open() as socket:
        assert socket.status == 101


async def test_the_page_is_the_same_for_everybody_and_names_nobody(home):
    await home.code()
    page = (await home.ask("GET", "/")).body
    assert page == phone_page().encode()
    assert page == (await home.ask("GET", "/", **{"accept-language": "eu", "cookie": "a=b"})).body
    assert files().hex().encode() in page


# Sockets without a key.


FIRST = [
    b"",
    b"x",
    bytes(58),
    b"\1\0" + bytes(56),
    b"\1\1" + bytes(56),
    b"\2\0" + bytes(56),
    b"\1\2" + bytes(56),
    bytes(FROM_PAGE_BYTES + TAG_BYTES),
    bytes(FROM_PAGE_BYTES + TAG_BYTES + 1),
    bytes(300_000),
]


@pytest.mark.parametrize("frame", FIRST, ids=len)
async def test_a_first_frame_without_a_key_is_refused_and_no_visitor_hears_of_it(home, frame):
    await home.code()
    async with home.open() as socket:
        await socket.say(BytesMessage(data=frame))
        assert await socket.closed() == REFUSED
    assert not [one for one in home.visitor.taken if isinstance(one, Frame | LinkClosed)]


async def test_every_refusal_is_alike(home):
    """Also that of a key that is known: a tag that is wrong, a text, pieces without end."""
    code = await home.code()
    heard = []

    async def refused(*said) -> None:
        async with home.open() as socket:
            for event in said:
                await socket.say(event)
            event = await socket.next(CloseConnection)
            heard.append((event.code, event.reason))

    async with home.page(code) as page:
        first = page.sealed.first
    await refused(BytesMessage(data=b"\1\0" + bytes(56)))
    await refused(BytesMessage(data=first[:-1] + bytes([first[-1] ^ 1])))
    await refused(BytesMessage(data=first[:-1]))
    await refused(TextMessage(data="{}"))
    await refused(BytesMessage(data=bytes(5000)))
    await refused(*[BytesMessage(data=b"", message_finished=False) for _ in range(200)])
    await refused(*[Ping() for _ in range(200)])
    assert set(heard) == {(REFUSED, None)} or set(heard) == {(REFUSED, "")}


async def test_a_recorded_first_frame_gets_an_answer_and_five_seconds(home, monkeypatch):
    monkeypatch.setattr(hosted, "PROOF_S", 0.3)
    async with home.page(await home.code()) as page:
        await page.begins()
    async with home.open() as socket:
        await socket.say(BytesMessage(data=page.sealed.first))
        assert isinstance(await socket.next(BytesMessage), BytesMessage)
        with trio.fail_after(60):
            assert await socket.closed() == REFUSED


async def test_a_page_that_was_proven_lasts(home, monkeypatch):
    monkeypatch.setattr(phones, "PROOF_S", 0.2)
    monkeypatch.setattr(hosted, "PROOF_S", 0.2)
    code = await home.code()
    async with home.page(code) as page:
        secret = await page.pairs()
        await trio.sleep(0.6)
        await page.says({"ping": True})
        assert await page.reads() == {"pong": True}
    async with home.page(await home.code()) as other:
        await other.hello()
        assert await other.reads() == {"wait": True}
        await trio.sleep(0.6)
        asks = await home.until(Asks)
        assert isinstance(asks, Asks)
        assert asks.digits == other.sealed.digits
        await home.hosted().tell(AdmitPhone(asks.connection))
        assert bytes.fromhex((await other.reads())["secret"]) != secret


# Floods.


async def test_one_address_has_few_connections_and_its_oldest_makes_room(home):
    held = [await home.connect() for _ in range(OF_ONE + 4)]
    await trio.sleep(0.1)
    assert [await is_open(stream) for stream in held] == [False] * 4 + [True] * OF_ONE
    for stream in held:
        await trio.aclose_forcefully(stream)


async def test_all_addresses_together_are_bounded_and_phones_that_are_in_stay(home):
    code = await home.code()
    async with home.page(code) as page:
        await page.pairs()
        held = [
            await connect_from(f"127.0.0.{number}", home.port)
            for number in range(2, CONNECTIONS + 12)
        ]
        await trio.sleep(0.1)
        still = [await is_open(stream) for stream in held]
        assert still == [False] * 11 + [True] * (CONNECTIONS - 1)
        await page.says({"ping": True})
        assert await page.reads() == {"pong": True}
        for stream in held:
            await trio.aclose_forcefully(stream)


async def test_a_page_that_takes_nothing_in_is_dropped_and_holds_nobody_up(two):
    async with two.page(await two.code(JON)) as page, two.page(await two.code(MARY)) as other:
        await page.pairs()
        await other.pairs()
        slow = two.visitors[JON]
        assert slow.access is not None
        (number,) = two.hosted(JON).connections
        for _ in range(FRAMES + 80):
            slow.say(*slow.access.tell(number, "7" * TO_PAGE_BYTES))
        with trio.fail_after(PATIENCE):
            while two.hosted(JON).connections:
                await trio.sleep(0.01)
        await other.says({"ping": True})
        assert await other.reads() == {"pong": True}


# Phones and visitors.


async def test_frames_go_to_the_visitor_whose_key_they_name(two):
    codes = {home: await two.code(home) for home in (MARY, JON)}
    async with AsyncExitStack() as stack:
        for home, code in codes.items():
            page = await stack.enter_async_context(two.page(code))
            await page.pairs()
            await page.says({"click": home.name, "seen": 1})
        for home in codes:
            with trio.fail_after(PATIENCE):
                while not two.visitors[home].texts:
                    await trio.sleep(0.01)
            assert home.name in two.visitors[home].texts[0]
            assert len(two.visitors[home].texts) == 1


async def test_a_visitor_that_ends_again_and_again_is_not_started_at_every_knock(home):
    async with home.page(await home.code()) as page:
        secret = await page.pairs()
        home.visitor.fails = True
        home.visitor.crash()
        assert await page.closed() == AGAIN
    for _ in range(10):
        async with home.page(secret) as page:
            await page.sends(page.sealed.first)
            assert await page.closed() == AGAIN
    assert home.visitor.starts == STARTS


@asynccontextmanager
async def crowd(home: House, hosts: Iterable[int], each: int) -> AsyncIterator[None]:
    """Open connections that say nothing from some addresses."""
    held = [
        await connect_from(f"127.0.1.{host}", home.port) for host in hosts for _time in range(each)
    ]
    await trio.sleep(0.1)
    yield
    for stream in held:
        await trio.aclose_forcefully(stream)


async def test_a_phone_that_was_in_comes_back_through_a_crowd_of_addresses(home):
    async with home.page(await home.code()) as page:
        secret = await page.pairs()
    many = range(1, 2 * CONNECTIONS)
    async with crowd(home, many, 1), home.open() as socket:
        async with crowd(home, many, 1):
            assert await is_open(socket.stream)
        async with home.page(secret) as page:
            await page.comes_back()


async def test_an_address_that_asks_without_end_is_answered_as_often_as_a_browser_asks(home):
    answered, began = 0, trio.current_time()
    for _time in range(2 * phones.AT_ONCE):
        async with await connect_from("127.0.0.9", home.port) as stream:
            try:
                await stream.send_all(f"GET / HTTP/1.1\r\nHost: {home.host}\r\n\r\n".encode())
                answered += bool(await stream.receive_some(1))
            except trio.BrokenResourceError:
                continue
    took = trio.current_time() - began
    assert phones.AT_ONCE <= answered <= phones.AT_ONCE + PER_SECOND * took + 1
    assert (await home.ask("GET", "/")).status == 200  # another address
    await trio.sleep(1.5 / PER_SECOND)
    async with await connect_from("127.0.0.9", home.port) as stream:
        assert await is_open(stream)


async def asks(home: House, host: str) -> bool:
    """Ask for the page from an address; return whether it is answered."""
    with suppress(trio.BrokenResourceError):
        async with await connect_from(host, home.port) as stream:
            await stream.send_all(f"GET / HTTP/1.1\r\nHost: {home.host}\r\n\r\n".encode())
            return bool(await stream.receive_some(1))
    return False


async def test_a_crowd_that_asks_without_end_takes_only_so_much_time_of_the_owner(monkeypatch):
    monkeypatch.setattr(phones, "STRANGERS", 10)
    monkeypatch.setattr(phones, "STRANGERS_PER_SECOND", 0.0)
    async with house(monkeypatch) as home:
        async with home.page(await home.code()) as page:
            secret = await page.pairs()
        answers = [await asks(home, f"127.0.1.{host}") for host in range(1, 41)]
        assert 0 < sum(answers) <= 10
        assert await asks(home, "127.0.0.1")  # from which a phone was in
        async with home.page(secret) as page:
            await page.comes_back()


PAIRING = 2
"""Frames of a page that comes by a code, behind its first one."""


async def is_answered(page: KnockingPage) -> bool:
    await page.says({"ping": True})
    return await page.reads() == {"pong": True}


async def test_a_page_says_as_much_as_it_may_and_is_dropped_for_one_frame_more(monkeypatch):
    monkeypatch.setattr(hosted, "PER_SECOND", 0.0)
    async with (
        house(monkeypatch, [JON, MARY]) as found,
        found.page(await found.code(JON)) as page,
        found.page(await found.code(MARY)) as other,
    ):
        secret = await page.pairs()
        await other.pairs()
        for _time in range(hosted.AT_ONCE - PAIRING):
            assert await is_answered(page)
        taken = len(found.visitors[JON].taken)
        await page.says({"ping": True})
        assert await page.closed() == REFUSED
        assert await is_answered(other)
        told = found.visitors[JON].taken[taken:]
        assert [type(one).__name__ for one in told] == ["LinkClosed"]  # the frame did not reach it
        assert [one.starts for one in found.visitors.values()] == [1, 1]
        async with found.page(secret) as again:
            await again.comes_back()
            assert await is_answered(again)


async def test_texts_for_a_visitor_that_is_busy_wait_and_one_too_many_drops_their_page():
    nobody: Any = None
    link = SealedLink(nobody, 1)
    for number in range(TEXTS):
        link.take(str(number))
    assert not link.scope.cancel_called
    link.take("one more")
    assert link.scope.cancel_called
    with trio.fail_after(PATIENCE):
        assert [await link.receive() for _text in range(TEXTS)] == [*map(str, range(TEXTS))]


LONG = json.dumps("x" * 6_000_000)
"""A text that the system does not buffer for a page that reads nothing."""


@pytest.fixture
async def home_unread(monkeypatch) -> AsyncIterator[House]:
    async with house(monkeypatch, [JON, MARY]) as found:
        yield found


async def pairs(home_unread: House, visitor: Path) -> bytes:
    async with home_unread.page(await home_unread.code(visitor)) as page:
        return await page.pairs()


async def stops_reading(home_unread: House, page: KnockingPage, visitor: Path) -> None:
    """Let a page come back, send it more than it takes in, and read nothing of that."""
    await page.comes_back()
    number = max(home_unread.hosted(visitor).connections)
    access = home_unread.visitors[visitor].access
    assert access is not None
    home_unread.visitors[visitor].say(*access.tell(number, LONG))
    await trio.sleep(0.02)


async def test_a_visitor_that_reads_nothing_keeps_no_other_phone_out(home_unread):
    mary, jon = await pairs(home_unread, MARY), await pairs(home_unread, JON)
    async with AsyncExitStack() as stack:
        for _time in range(CONNECTIONS + 4):
            page = await stack.enter_async_context(home_unread.page(mary))
            await stops_reading(home_unread, page, MARY)
        async with home_unread.page(jon) as page:
            await page.comes_back()


async def test_a_page_that_was_displaced_and_reads_nothing_is_closed_soon(home_unread, monkeypatch):
    monkeypatch.setattr(hosted, "LAST_S", 0.2)
    mary = await pairs(home_unread, MARY)
    async with home_unread.page(mary) as first, home_unread.page(mary) as second:
        await stops_reading(home_unread, first, MARY)
        await second.comes_back()
        with trio.fail_after(60):
            while len(home_unread.hosted(MARY).connections) > 1:
                await trio.sleep(0.02)
        await second.says({"click": "nothing", "seen": 1})
        while '{"click": "nothing", "seen": 1}' not in home_unread.visitors[MARY].texts:
            await trio.sleep(0.02)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/", 405),
        ("HEAD", "/", 405),
        ("OPTIONS", "/art/en/french.svg", 405),
        ("POST", "/socket", 405),
        ("GET", "/enter", 404),
        ("POST", "/session", 404),
        ("GET", "/open/x", 404),
        ("GET", "/art/french.svg", 404),
        ("GET", "/art/xx/french.svg", 404),
        ("GET", "/art/../", 404),
        ("GET", "/%2e", 404),
        ("GET", "//", 404),
        ("GET", "/index.html", 404),
        ("GET", "/phone.key", 404),
    ],
)
async def test_there_are_files_and_nothing_else(home, method, path, status):
    assert (await home.ask(method, path, origin=home.phones.origin)).status == status


async def test_a_page_connects_to_its_own_server_only(home):
    """The other headers are those of the window too (`tests/browser/test_access.py`)."""
    headers = (await home.ask("GET", "/")).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["connect-src"] == f"'self' ws://{home.host}"
    assert headers["x-frame-options"] == "DENY"
    assert "set-cookie" not in headers
    assert "cross-origin-opener-policy" not in headers  # on plain HTTP a browser complains of it


async def test_a_browser_that_tries_https_first_is_closed_at_once(home):
    with trio.fail_after(60):
        assert await said(home, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500)) == b""
