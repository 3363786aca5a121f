"""Tokens that a browser brings which is in already, and secrets that nothing shows."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from client.ui.browser import http
from client.ui.browser.access import Gate
from client.ui.browser.asked import read
from tests.browser.wire import Page, open_page


@pytest.fixture
async def page(tmp_path) -> AsyncIterator[Page]:
    async with open_page(tmp_path / "home") as found:
        yield found


async def test_a_token_that_a_known_browser_brings_lets_nobody_else_in(page):
    """The program prints one address and opens another, which stands in the list of processes. If
    our player uses the printed one first, the other one is used up all the same."""
    cookie, _word = await page.enter()
    token = page.token
    for _time in range(2):  # a reload brings it no more, but an address may be opened again
        assert (await page.ask("POST", "/session", token.encode(), cookie=cookie)).status == 200
    assert (await page.ask("POST", "/enter", token.encode())).status == 403
    assert (await page.ask("POST", "/session", cookie=cookie)).status == 403  # used a second time


async def test_a_thief_of_an_address_is_put_out_when_a_known_browser_brings_it_too(page):
    token = page.token
    stolen, word = await page.enter(token)
    cookie, _word = await page.enter()
    async with page.socket(stolen) as socket:
        await socket.send({"pass": word})
        assert (await page.ask("POST", "/session", token.encode(), cookie=cookie)).status == 200
        assert await socket.closed() is None
    assert (await page.ask("POST", "/session", cookie=stolen)).status == 403
    assert (await page.ask("POST", "/session", cookie=cookie)).status == 200


def test_no_secret_is_in_a_repr():
    """Else an error that is logged could show it."""
    gate = Gate(1)
    admitted = gate.exchange(gate.address().partition("#")[2])
    assert admitted is not None
    cookie = {"cookie": f"{gate.cookie_name}={admitted.cookie}"}
    shown = repr(
        (
            admitted,
            read(json.dumps({"pass": admitted.word})),
            http.Request("GET", "1.1", "/", cookie),
        )
    )
    assert admitted.cookie not in shown
    assert admitted.word not in shown
