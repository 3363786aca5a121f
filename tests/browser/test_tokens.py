"""Tokens that a browser brings which is in already, and secrets that nothing shows."""

from __future__ import annotations

import json

import pytest

from client.ui.browser import http
from client.ui.browser.access import SECRETS_KEPT, Gate
from client.ui.browser.asked import read


async def test_a_token_that_a_known_browser_brings_lets_nobody_else_in(page):
    """The program prints one address and opens another. If our player uses the printed one first,
    the other one is used up all the same."""
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
    for secret in (admitted.cookie, admitted.word, admitted.seal):
        assert secret not in shown


async def test_the_path_of_a_file_leads_from_another_site_to_the_page_until_it_is_used(page):
    """For a browser a file is another site."""
    address = page.gate.address()
    token, path = address.partition("#")[2], page.gate.by_file(address).partition(page.host)[2]
    leads = await page.ask("GET", path, sec_fetch_site="cross-site")
    assert leads.status == 200
    assert f"url=/#{token}".encode() in leads.body
    assert (await page.ask("GET", path, host="evil.example")).status == 403
    assert (await page.ask("GET", path[:-1], sec_fetch_site="cross-site")).status == 403
    assert (await page.ask("POST", path)).status == 404
    await page.enter(token)
    assert (await page.ask("GET", path, sec_fetch_site="cross-site")).status == 403


@pytest.mark.parametrize("known", [False, True])
async def test_a_file_is_deleted_when_its_address_lets_a_browser_in(page, known):
    used = list[str]()
    address = page.gate.address()
    page.gate.on_use(address, lambda: used.append(address))
    token = address.partition("#")[2]
    cookie = (await page.enter())[0] if known else None
    assert used == []
    await page.ask("POST", "/session" if known else "/enter", token.encode(), cookie=cookie)
    assert used == [address]


def test_the_file_of_an_address_that_is_forgotten_is_deleted_too():
    gate, deleted = Gate(1), list[str]()
    gate.on_use(address := gate.address(), lambda: deleted.append("file"))
    for _time in range(SECRETS_KEPT):
        assert deleted == []
        gate.address()
    assert deleted == ["file"]
    assert gate.exchange(address.partition("#")[2]) is None
