"""Attacks of visitors, and of thieves with a secret or a photo of a code, on others."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from client.storage.phone_secrets import Secrets
from client.ui.phone import keeper, person
from client.ui.phone.hosted import REFUSED
from client.ui.phone.messages import Entered
from client.ui.screen.messages import EndVisitor, LetIn, RenameVisitor, ShowCode
from client.ui.screen.phones import called
from tests.client.ui.phone.test_access import OLD, Visitor
from tests.client.ui.phone.test_keeper import Owner, comes, does, running


@pytest.fixture
async def owner(monkeypatch, tmp_path) -> AsyncIterator[Owner]:
    async with running(monkeypatch, tmp_path / "home") as found:
        yield found


# A stolen secret.


async def test_a_thief_of_a_secret_is_not_let_in_by_the_next_code_after_the_owner_ended_it(owner):
    """The owner ends a player whom a thief has taken over, and shows a code to the real one."""
    visitor, secret = await comes(owner)
    async with owner.page(secret) as thief:
        await thief.comes_back()
        await owner.outer.send(EndVisitor(visitor))
        assert await thief.closed() == REFUSED
    code = await owner.code(visitor)
    async with owner.page(secret) as thief:
        await thief.is_refused_at_once()
    async with owner.page(code.letters) as page:
        await page.hello()
        assert await page.reads() == {"wait": True}
        await owner.until(lambda: owner.now.digits)
        await owner.outer.send(LetIn(owner.now.digits))
        assert len(bytes.fromhex((await page.reads())["secret"])) == 32


# A photo of a code.


@pytest.mark.parametrize("before", [Secrets(), Secrets(OLD)])
def test_a_thief_who_is_half_in_comes_no_further_when_another_code_is_shown(before):
    """The owner has seen that somebody took a photo of the code, and makes another one."""
    visitor = Visitor(before)
    thief = visitor.phone(visitor.code())
    new = before.current is None
    secret = thief.secret(thief.hello()) if new else thief.waits().let_in()
    visitor.access.turn_away()
    assert thief.is_closed_silently(visitor.access.turn_back())
    late = visitor.phone(secret)
    with_it = visitor.access.receive(late.number, late.page.first)
    assert late.is_closed_silently(with_it)
    phone = visitor.phone(visitor.code())
    assert len(phone.secret(phone.hello()) if new else phone.waits().let_in()) == 32
    assert phone.keeps() == [Entered(phone.number, "eu", by_code=True)]


async def test_a_used_code_that_comes_again_and_again_is_told_once(owner):
    code = await owner.code(nick="Jon")
    async with owner.page(code.letters) as page:
        await page.pairs()
        for _time in range(5):
            async with owner.page(code.letters) as other:
                await other.hello()
                assert await other.reads() == {"used": True}
                await other.closed()
        mary = await owner.code(nick="Mary")
        assert sum("second phone" in said for said in owner.said) == 1
        async with owner.page(mary.letters) as hers, owner.page(mary.letters) as other:
            await hers.pairs()
            await other.hello()
            await owner.until(lambda: sum("second phone" in said for said in owner.said) == 2)


async def test_a_thief_takes_no_place_in_the_moment_in_which_a_phone_is_let_in(owner, monkeypatch):
    """The thief breaks the connection of the phone that waits; its own digits have just come."""
    monkeypatch.setattr(person, "READ_S", 1000.0)
    visitor, _secret = await comes(owner)
    code = await owner.code(visitor)
    async with owner.page(code.letters) as page:
        await page.hello()
        assert await page.reads() == {"wait": True}
        await owner.until(lambda: owner.now.digits)
    await owner.until(lambda: not owner.now.digits)
    async with owner.page(code.letters) as thief:
        await thief.hello()
        assert await thief.reads() == {"wait": True}
        await owner.until(lambda: owner.now.digits)
        await owner.outer.send(LetIn(owner.now.digits))
        await owner.outer.send(RenameVisitor(visitor, "Peru"))  # so that was not carried out
        await owner.until(lambda: owner.now.visitors[0].nick == "Peru")
        assert owner.now.digits
        monkeypatch.setattr(person, "READ_S", 0.0)
        await owner.outer.send(LetIn(owner.now.digits))
        assert "secret" in await thief.reads()  # its owner has read the digits by now


async def test_a_thief_who_asks_again_and_again_makes_its_photo_worthless(owner, monkeypatch):
    """Else it fills the terminal of an owner who prints lines, and keeps the real phone out."""
    monkeypatch.setattr(keeper, "ASKS", 3)
    visitor, _secret = await comes(owner)
    code = await owner.code(visitor)
    for _time in range(3):
        async with owner.page(code.letters) as thief:
            await thief.hello()
            assert await thief.reads() == {"wait": True}
            await owner.until(lambda: owner.now.digits)
        await owner.until(lambda: not owner.now.digits)
    async with owner.page(code.letters) as thief:
        await thief.hello()
        await owner.until(lambda: owner.now.code and owner.now.code.letters != code.letters)
    async with owner.page(code.letters) as thief:
        await thief.is_refused_at_once()
    async with owner.page(owner.now.code.letters) as page:
        await page.hello()
        assert await page.reads() == {"wait": True}


# A visitor against the screen of the owner.


@pytest.mark.parametrize(
    ("nick", "names"),
    [
        ("Jon", ["Jon (1)", "Jon (2)"]),  # Mary came first, so hers has no right to the bare name
        ("J\N{CYRILLIC SMALL LETTER O}n", ["⚠J\N{CYRILLIC SMALL LETTER O}n (1)", "Jon (2)"]),
        ("JON", ["JON (1)", "Jon (2)"]),
        ("Jon (2)", ["Jon 2", "Jon"]),
        ("Jon (1)", ["Jon 1", "Jon"]),
        ("", ["A new player", "Jon"]),
    ],
)
async def test_a_visitor_that_is_called_like_another_is_not_ended_for_it(owner, nick, names):
    """The owner would end, or delete with all matches, another one than was meant."""
    mary, _secret = await comes(owner, "Mary")
    await comes(owner, "Jon")
    await does(owner.visitors[mary], owner, nick=nick)
    assert [called(one) for one in owner.now.visitors] == names


async def test_an_ended_player_stays_out_after_the_laptop_was_switched_off(monkeypatch, tmp_path):
    async with running(monkeypatch, tmp_path) as owner:
        visitor, secret = await comes(owner)
        await owner.outer.send(EndVisitor(visitor))
        await owner.until(lambda: [one.page for one in owner.now.visitors] == [""])
        await owner.code(nick="Mary")  # so the end has been carried out
    async with running(monkeypatch, tmp_path) as owner:
        await owner.code(nick="Mary")
        async with owner.page(secret) as thief:
            await thief.is_refused_at_once()


async def test_a_visitor_with_the_name_of_another_gets_no_code_for_that_one(owner):
    visitor, _secret = await comes(owner, "Mary")
    jon, _secret = await comes(owner, "Jon")
    await does(owner.visitors[visitor], owner, nick="Jon")
    await owner.outer.send(ShowCode(nick="Jon"))
    await owner.until(lambda: "2 players on phones are called Jon" in "".join(owner.said))
    assert owner.now.code is None
    assert [called(one) for one in owner.now.visitors] == ["Jon (1)", "Jon (2)"]
    assert (await owner.code(jon)).visitor == jon
