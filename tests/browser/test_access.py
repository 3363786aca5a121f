"""Attacks on the page of the loopback interface: each is refused, with a plain status."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
import trio
from wsproto.events import BytesMessage
from wsproto.utilities import LocalProtocolError

from client.ui.browser import connections, entrance, http
from client.ui.browser.access import Gate
from client.ui.browser.asked import NotAsked, read
from client.ui.browser.connections import CONNECTIONS
from client.ui.browser.page_socket import IN_CLEAR
from client.ui.browser.server import TABS
from client.ui.screen.kept import KeptState
from client.ui.screen.overlay import AlarmSheet, TextSheet
from client.ui.screen.reading import LessonSheet
from client.ui.screen.state import DealCount, ScreenState
from client.ui.screen.state import Page as ScreenPage
from tests.browser.wire import Page, open_page
from tests.screens.stage import Stage

EVIL = [
    "http://evil.example",
    "null",
    "http://127.0.0.1",
    "http://localhost:{port}",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:1",
]
HOSTS = [
    "evil.example",
    "evil.example:{port}",
    "localhost:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "[::1]:{port}",
    "127.0.0.1:{port}.",
]
PATHS = ["/", "/session", "/art/en/spanish.svg", "/nothing"]


def filled(text: str, page: Page) -> str:
    return text.format(port=page.port)


@pytest.mark.parametrize("origin", EVIL)
async def test_another_origin_is_refused_everywhere(page, origin):
    cookie, _word = await page.enter()
    for path in PATHS:
        assert (
            await page.ask("GET", path, origin=filled(origin, page), cookie=cookie)
        ).status == 403
    token = page.token
    assert (
        await page.ask("POST", "/enter", token.encode(), origin=filled(origin, page))
    ).status == 403
    async with page.socket(cookie, origin=filled(origin, page)) as socket:
        assert socket.status == 403
    await page.enter(token)  # the token was not used up


@pytest.mark.parametrize("host", HOSTS)
async def test_a_name_that_was_rebound_to_this_machine_is_refused(page, host):
    cookie, _word = await page.enter()
    host = filled(host, page)
    for path in PATHS:
        answer = await page.ask("GET", path, host=host, origin=f"http://{host}", cookie=cookie)
        assert (answer.status, answer.body) == (403, b"refused")
        assert (await page.ask("GET", path, host=host, cookie=cookie)).status == 403
    assert (
        await page.ask("POST", "/enter", page.token.encode(), host=host, origin=f"http://{host}")
    ).status == 403
    async with page.socket(cookie, host=host, origin=f"http://{host}") as socket:
        assert socket.status == 403


@pytest.mark.parametrize("token", [b"", b"x", b"\xff\xfe", b"../..", b"0" * 43])
async def test_a_wrong_token_is_refused(page, token):
    page.gate.address()
    answer = await page.ask("POST", "/enter", token)
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


async def test_a_token_is_good_for_one_browser_and_a_second_use_puts_the_first_out(page):
    """One of the two has stolen it, from the list of processes or over a shoulder: nobody knows
    which."""
    token = page.token
    cookie, word = await page.enter(token)
    async with page.socket(cookie) as socket:
        await socket.send({"pass": word})
        await socket.picture()
        assert (await page.ask("POST", "/enter", token.encode())).status == 403
        assert await socket.closed() is None
    assert (await page.ask("POST", "/session", cookie=cookie)).status == 403
    assert (await page.ask("POST", "/enter", token.encode())).status == 403
    await page.enter()  # another address still lets in


async def test_a_form_of_another_site_enters_nothing(page):
    token = page.token
    form = {"content_type": "text/plain", "sec_fetch_site": "cross-site"}
    assert (
        await page.ask("POST", "/enter", token.encode(), origin="http://evil.example", **form)
    ).status == 403
    assert (await page.ask("POST", "/enter", token.encode(), origin=None, **form)).status == 403
    assert (await page.ask("POST", "/enter", token.encode(), **form)).status == 403
    assert (await page.ask("GET", f"/enter?{token}")).status == 403
    assert (await page.ask("GET", f"/enter?{token}", origin=page.gate.origin)).status == 405
    await page.enter(token)


@pytest.mark.parametrize("path", ["/", "/art/en/spanish.svg"])
async def test_no_page_of_another_site_opens_ours(page, path):
    """A key or a click that was meant for the other one could land in it."""
    for site, status in (
        ("cross-site", 403),
        ("same-site", 403),
        ("same-origin", 200),
        ("none", 200),
    ):
        assert (await page.ask("GET", path, sec_fetch_site=site)).status == status


@pytest.mark.parametrize("end", ["%0A", "%0a", "/"])
async def test_a_path_that_is_spelled_otherwise_is_asked_for_its_origin_too(page, end):
    """A route matches a path that ends with a line feed as well."""
    token = page.token
    cookie, _word = await page.enter()
    for more in ({}, {"sec_fetch_site": "cross-site"}):
        assert (
            await page.ask("POST", f"/enter{end}", token.encode(), origin=None, **more)
        ).status == 403
        assert (
            await page.ask("POST", f"/session{end}", origin=None, cookie=cookie, **more)
        ).status == 403
        async with page.socket(cookie, path=f"/socket{end}", origin=None, **more) as socket:
            assert socket.status == 403
    await page.enter(token)


async def test_the_cookie_is_for_this_server_and_no_script(page):
    answer = await page.ask("POST", "/enter", page.token.encode())
    name, *rest = answer.headers["set-cookie"].split("; ")
    assert name.startswith(f"sobremesa-{page.port}=")
    assert {part.lower() for part in rest} == {"httponly", "samesite=strict", "path=/"}


@pytest.mark.parametrize(
    "cookie",
    [None, "", "sobremesa-{port}=", "sobremesa-{port}=x", "sobremesa=x", "=;;=", "\xe9=\xff"],
)
async def test_a_socket_without_our_cookie_is_refused(page, cookie):
    _cookie, word = await page.enter()
    given = None if cookie is None else filled(cookie, page)
    async with page.socket(given) as socket:
        assert socket.status == 403
    async with page.socket(given, origin=None) as socket:
        assert socket.status == 403
    assert (await page.ask("POST", "/session", cookie=given)).status == 403
    assert word


@pytest.mark.parametrize(
    "first",
    [{"pass": ""}, {"pass": "x"}, {"pass": "\ud800"}, {"click": "settings", "seen": 1}, "x"],
)
async def test_a_cookie_alone_is_not_enough(page, first):
    """A browser sends it to every port of this machine, and so to a server of another user."""
    cookie, _word = await page.enter()
    async with page.socket(cookie) as socket:
        assert socket.status == 101
        await socket.send(first)
        assert await socket.closed() == 4403
    assert page.application.state.page is ScreenPage.LOBBY


async def test_a_pass_of_another_browser_is_refused(page):
    cookie, _word = await page.enter()
    _other, word = await page.enter()
    async with page.socket(cookie) as socket:
        await socket.send({"pass": word})
        assert await socket.closed() == 4403


async def test_a_socket_that_does_not_say_its_pass_is_closed(page, monkeypatch):
    monkeypatch.setattr(entrance, "PASS_S", 0.1)
    cookie, _word = await page.enter()
    async with page.socket(cookie) as socket:
        assert await socket.closed() == 4403


@pytest.mark.parametrize("path", [*PATHS, "/enter"])
@pytest.mark.parametrize("origin", [None, "http://evil.example"])
async def test_every_answer_forbids_frames_scripts_and_readers_of_elsewhere(page, path, origin):
    answer = await page.ask("GET", path, origin=origin)
    policy = dict(
        part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
    )
    assert (
        policy["default-src"]
        == policy["frame-ancestors"]
        == policy["base-uri"]
        == policy["form-action"]
        == "'none'"
    )
    # nothing but the page's own script and style
    one = r"'sha256-[0-9A-Za-z+/]{43}='"
    assert re.fullmatch(one, policy["script-src"])
    assert re.fullmatch(one, policy["style-src"])
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert not any(name.startswith("access-control") for name in answer.headers)


async def test_a_stranger_learns_nothing_from_the_files(page):
    """Every user of this machine may read them."""
    stage = Stage("escoba", 2)
    page.application.state = stage.state
    for path in PATHS:
        assert b"Ane" not in (await page.ask("GET", path)).body


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "[]", "{}", "null", "1", '"x"', "\x00", "[" * 4000, '{"typed":' * 600,
        '{"key":"1"}', '{"size":[800,600]}', '{"typed":"1"}{"typed":"1"}', '{"nothing":1}',
        '{"click":"x"}', '{"click":1,"seen":1}', '{"click":"x","seen":1.5}',
        '{"click":"x","seen":1e400}', '{"click":"x","seen":NaN}',
        '{"click":"x","seen":' + "9" * 4000 + "}",
        '{"click":"x","seen":-1}', '{"click":"x","seen":"1"}', '{"click":"x","seen":true}',
        '{"click":"' + "x" * 301 + '","seen":1}', '{"typed":1}', '{"typed":"' + "x" * 201 + '"}',
        '{"field":"motion","value":true}', '{"field":1,"value":true,"seen":1}',
        '{"field":"motion","value":null,"seen":1}', '{"field":"motion","value":1.5,"seen":1}',
        '{"field":"motion","value":[1],"seen":1}', '{"field":"motion","value":1000001,"seen":1}',
        '{"field":"nick","value":"' + "x" * 201 + '","seen":1}',
        '{"field":"nick","value":"\\ud800","seen":1}', '{"field":"nick","value":"x","seen":-1}',
        '{"save":false}', '{"save":1}', '{"save":true,"seen":1}',
        '{"typed":["x"]}', '{"typed":"\\ud800"}', '{"pass":1}', '{"pass":"x","key":"1"}',
    ],
)  # fmt: skip
def test_bytes_that_are_no_message_are_refused(text):
    with pytest.raises(NotAsked):
        read(text)


@pytest.mark.parametrize(
    "text", ['{"key":"no such"}', "{", '{"typed":"x","key":"1"}', '{"pass":"again"}', "[" * 4000]
)
async def test_a_window_that_sends_what_is_no_message_is_closed(page, text):
    async with page.window() as socket:
        await socket.send(text)
        assert await socket.closed() == 1008
    assert page.application.state == ScreenState(
        kept=KeptState(
            settings=page.application.state.kept.settings, ascii=page.application.state.kept.ascii
        )
    )


async def test_a_flood_of_messages_is_refused(page):
    async with page.window() as socket, trio.open_nursery() as nursery:
        nursery.start_soon(flood, socket)
        assert await socket.closed() in (1008, None)
        nursery.cancel_scope.cancel()
    async with page.window():  # and the next is served
        pass


async def flood(socket) -> None:
    for _ in range(2000):
        try:
            await socket.send({"typed": "x"})
        except (trio.BrokenResourceError, trio.ClosedResourceError, LocalProtocolError):
            return


async def test_a_token_that_is_too_long_is_refused(page):
    assert (await page.ask("POST", "/enter", b"x" * 201)).status == 413


async def test_a_request_that_comes_too_slowly_is_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(http, "IDLE_S", 0.2)
    monkeypatch.setattr(connections, "LIFE_S", 0.4)
    async with open_page(tmp_path / "home") as page:
        for said in (
            "",
            "GET / HT",
            f"POST /enter HTTP/1.1\r\nHost: {page.host}\r\nOrigin: "
            f"{page.gate.origin}\r\nContent-Length: 9\r\n\r\nx",
        ):
            async with await page.connect() as stream:
                await stream.send_all(said.encode())
                with trio.fail_after(60):
                    while await received(stream):
                        pass


async def received(stream: trio.SocketStream) -> bytes:
    try:
        return bytes(await stream.receive_some())
    except trio.BrokenResourceError:
        return b""


async def test_connections_are_bounded_and_windows_stay(page):
    async with page.window() as socket:
        held = [await page.connect() for _ in range(CONNECTIONS + 10)]
        with trio.fail_after(60):
            for stream in held[: len(held) - CONNECTIONS + 1]:  # the window takes one place
                assert await received(stream) == b""
        await socket.click("settings")
        await socket.until(lambda shown: shown["page"] == "settings")
        for stream in held:
            await trio.aclose_forcefully(stream)


async def test_windows_are_bounded(page):
    async with trio.open_nursery() as nursery:
        for _ in range(TABS):
            await nursery.start(held_window, page)
        cookie, word = await page.enter()
        async with page.socket(cookie) as socket:
            await socket.send({"pass": word})
            with trio.fail_after(60):
                assert await socket.closed() == 1013
        nursery.cancel_scope.cancel()


async def held_window(page: Page, *, task_status=trio.TASK_STATUS_IGNORED) -> None:
    async with page.window():
        task_status.started()
        await trio.sleep_forever()


async def test_a_click_acts_only_on_the_view_that_was_seen(page):
    page.application.state = Stage("escoba", 2, first=0).state
    async with page.window() as socket:
        number = socket.shown["number"]
        control = socket.shown["view"]["tools"][-1]["id"]  # the menu
        await socket.send({"click": control, "seen": 999})
        await socket.send({"click": "no such", "seen": number})
        await socket.click("key:f1")
        await socket.until(lambda shown: "sheet" in shown["view"])
        assert page.application.state.overlay.NAME == "text"
        await socket.click("key:escape")
        await socket.until(lambda shown: "sheet" not in shown["view"])
        await socket.send({"click": control, "seen": number})
        await socket.until(lambda shown: "sheet" in shown["view"])
        assert page.application.state.overlay.NAME == "menu"


SETTINGS = ScreenState(page=ScreenPage.SETTINGS)
COUNTED = replace(Stage("escoba", 2, first=0).state, count=DealCount(("the count",)))


@pytest.mark.parametrize(
    ("before", "key", "above"),
    [
        (SETTINGS, "key:escape", TextSheet("Words", ("words",))),  # Esc would lead to the lobby
        (COUNTED, "key:enter", AlarmSheet("This does not verify", ("Jon has cheated.",))),
        (COUNTED, "key:enter", LessonSheet("A page", ("of a lesson",))),  # with the same label
    ],
)
async def test_a_click_on_a_thing_that_has_changed_its_meaning_does_nothing(
    page, before, key, above
):
    """A button of a page and those of two sheets above it may have one name."""
    page.application.state = before
    async with page.window() as socket:
        number = socket.shown["number"]
        assert f'"{key}"' in json.dumps(socket.shown["view"])
        page.application.state = replace(before, overlay=above)
        for view in page.application.views:
            view.redraw()
        await socket.send({"click": key, "seen": number})
        await socket.is_heard()
        assert page.application.state.overlay is above
        assert f'"{key}"' in json.dumps(socket.shown["view"]["sheet"])
        await socket.click(key)
        await socket.until(lambda shown: shown["view"].get("sheet", {}).get("id") != above.NAME)


async def test_a_field_of_another_view_is_not_set(page):
    page.application.state = ScreenState(page=ScreenPage.SETTINGS)
    async with page.window() as socket:
        number = socket.shown["number"]
        await socket.send({"field": "motion", "value": "none", "seen": number + 5})
        await socket.send({"field": "no such", "value": False, "seen": number})
        await socket.send({"field": "nick", "value": True, "seen": number})
        page.application.state = ScreenState()
        await socket.send({"field": "motion", "value": "none", "seen": number})
        for view in page.application.views:
            view.redraw()
        await socket.until(lambda shown: shown["page"] == "lobby")
        await socket.click("help")
        await socket.until(lambda shown: shown["page"] == "lobby" and "sheet" in shown["view"])
        assert page.application.state.kept.settings.motion == "calm"


def test_secrets_are_long_random_and_forgotten_in_time():
    gate = Gate(1234)
    tokens = [gate.address().partition("#")[2] for _ in range(40)]
    assert len(set(tokens)) == 40
    assert all(len(token) >= 43 for token in tokens)
    assert gate.exchange(tokens[0]) is None
    assert gate.exchange(tokens[-1]) is not None


async def test_two_hosts_or_none_are_refused(page):
    for hosts in ("", f"Host: {page.host}\r\nHost: evil.example\r\n"):
        async with await page.connect() as stream:
            await stream.send_all(f"GET / HTTP/1.1\r\n{hosts}\r\n".encode())
            with trio.fail_after(60):
                assert b" 200 " not in await stream.receive_some()


async def test_bytes_are_refused(page):
    async with page.window() as socket:
        await socket.say(BytesMessage(data=b'{"typed":"s"}'))
        assert await socket.closed() == 1008
    assert page.application.state.page is ScreenPage.LOBBY


async def test_a_message_that_is_too_long_is_refused(page):
    async with page.window() as socket:
        await socket.send('{"typed":"' + "x" * IN_CLEAR.most + '"}')
        assert await socket.closed() == 1009
