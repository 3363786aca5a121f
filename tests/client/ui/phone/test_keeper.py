"""The owner's side of phones: codes, visitors that come and go, and the page that it shows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import trio

from client.session.context import Context
from client.session.messages import Message
from client.session.setup_rules import own_seat
from client.storage.home import open_home
from client.storage.phone_secrets import Secrets, read_secrets, write_secrets
from client.storage.visitors import Visitors
from client.ui.phone import hosted, keeper, messages, person
from client.ui.phone.hosted import REFUSED
from client.ui.phone.keeper import Keeper
from client.ui.phone.phones import Phones
from client.ui.phone.process import NoVisitorError
from client.ui.screen.kept import CodeShown, PhonesShown
from client.ui.screen.messages import (
    DeleteVisitor,
    EndVisitor,
    HideCode,
    LetIn,
    OfPhones,
    PhonesChanged,
    RenameVisitor,
    ShowCode,
)
from crypto.channel import read_code
from crypto.identity import fingerprint
from p2p.table.terms import PERSON, read_participant
from tests.client.ui.phone.knock import House, KnockingPage, StandIn, unvouched
from tests.patience import PATIENCE


class Disk(list[Secrets]):
    """The secrets of a visitor, which are written to its home too."""

    def __init__(self, home: Path) -> None:
        super().__init__([Secrets()])
        self._home = home

    def append(self, secrets: Secrets) -> None:
        super().append(secrets)
        write_secrets(self._home, secrets)


class Owner:
    """The program of an owner, the messages to its screen, and its visitors."""

    def __init__(self, home: Path) -> None:
        self.context = Context(open_home(home), "127.0.0.1")
        self.told: list[PhonesChanged] = []
        self.outer, self.commands = trio.open_memory_channel[OfPhones](8)
        self.visitors: dict[str, StandIn] = {}
        self.fails = self.silent = False
        """Whether visitors cannot be started, or tell nothing."""

    @property
    def now(self) -> PhonesShown:
        return self.told[-1].phones

    @property
    def said(self) -> list[str]:
        return [one.said for one in self.told if one.said]

    def tell(self, message: Message) -> None:
        assert isinstance(message, PhonesChanged)
        self.told.append(message)

    async def start(self, home: Path) -> StandIn:
        await trio.lowlevel.checkpoint()
        if self.fails:
            raise NoVisitorError("it cannot be started")
        if home.name not in self.visitors:
            visitor = self.visitors[home.name] = StandIn(home)
            visitor.disk = Disk(home)
        list.append(self.visitors[home.name].disk, read_secrets(home))
        self.visitors[home.name].says_nothing = self.silent
        self.visitors[home.name].begin()
        return self.visitors[home.name]

    async def until(self, holds: Callable[[], object]) -> None:
        with trio.fail_after(PATIENCE):
            while not (self.told and holds()):
                await trio.sleep(0.005)

    async def code(self, visitor: str = "", nick: str = "") -> CodeShown:
        before = self.now.code.letters if self.told and self.now.code else ""
        await self.outer.send(ShowCode(visitor, nick))
        await self.until(lambda: self.now.code and self.now.code.letters != before)
        assert self.now.code is not None
        return self.now.code

    def page(self, root: bytes | str) -> AbstractAsyncContextManager[KnockingPage]:
        server = Phones(self.now.host, "127.0.0.1", lambda _visitor, _news: None, unvouched)
        house = House(self.now.host, {}, server)
        return house.page(read_code(root) if isinstance(root, str) else root)


@asynccontextmanager
async def running(monkeypatch: pytest.MonkeyPatch, home: Path) -> AsyncIterator[Owner]:
    owner = Owner(home)
    monkeypatch.setattr(hosted.VisitorProcess, "start", owner.start)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Keeper(owner.context, owner.tell).spend, owner.commands)
        await owner.until(lambda: True)
        yield owner
        nursery.cancel_scope.cancel()


@pytest.fixture
async def owner(monkeypatch, tmp_path) -> AsyncIterator[Owner]:
    async with running(monkeypatch, tmp_path / "home") as found:
        yield found


async def comes(owner: Owner, nick: str = "Jon") -> tuple[str, bytes]:
    """Let a phone come by a new code, and go; return the id of its visitor, and its secret."""
    code = await owner.code(nick=nick)
    async with owner.page(code.letters) as page:
        secret = await page.pairs()
        await owner.until(lambda: owner.now.code is None)
    return code.visitor, secret


async def does(visitor: StandIn, owner: Owner, **what: object) -> None:
    """Let a visitor say what its player does."""
    told = {"nick": "Jon", "page": "lobby", "game": "", "bound": False, **what}
    visitor.say(messages.Doing(**told))
    await owner.until(lambda: [one for one in owner.now.visitors if one.page == told["page"]])


# Codes.


async def test_a_phone_that_has_come_uses_the_code_and_a_second_one_is_told_so(owner):
    code = await owner.code(nick="Jon")
    async with owner.page(code.letters) as page, owner.page(code.letters) as other:
        await page.pairs()
        await owner.until(lambda: owner.now.code is None)
        assert owner.said == ["A phone has come in."]
        await other.hello()
        assert await other.reads() == {"used": True}
        await owner.until(lambda: "second phone" in owner.said[-1])
        await does(owner.visitors[code.visitor], owner, page="play", game="truco", bound=True)
        (shown,) = owner.now.visitors
        assert (shown.nick, shown.page, shown.game, shown.bound, shown.here) == (
            "Jon", "play", "truco", True, True,
        )  # fmt: skip
    await owner.until(lambda: not owner.now.visitors[0].here)


async def test_a_code_that_nobody_uses_leaves_no_visitor(owner, tmp_path):
    code = await owner.code()
    known = Visitors(tmp_path / "home")
    await owner.outer.send(HideCode())
    await owner.until(lambda: known.all() == [])
    await owner.until(lambda: owner.now.code is None)
    async with owner.page(code.letters) as page:
        await page.sends(page.sealed.first)
        assert await page.closed() == REFUSED


async def test_a_code_ends_after_its_time_and_another_one_is_good(owner, monkeypatch):
    monkeypatch.setattr(keeper, "LOOK_S", 0.01)
    monkeypatch.setattr(keeper, "CODE_S", 0.3)
    code = await owner.code()
    await owner.until(lambda: owner.now.code.late)
    async with owner.page(code.letters) as page:
        await page.sends(page.sealed.first)
        assert await page.closed() == REFUSED
    monkeypatch.setattr(keeper, "CODE_S", 300.0)
    again = await owner.code(code.visitor)
    assert again.visitor == code.visitor
    assert not again.late
    async with owner.page(again.letters) as page:
        await page.pairs()


async def test_a_code_for_a_phone_shows_the_digits_and_waits_for_the_owner(owner):
    visitor, secret = await comes(owner)
    code = await owner.code(visitor)
    assert code.again
    async with owner.page(secret) as old, owner.page(code.letters) as page:
        await old.comes_back()
        await page.hello()
        assert await page.reads() == {"wait": True}
        await owner.until(lambda: owner.now.digits)
        assert owner.now.digits == page.sealed.digits
        assert owner.now.code is not None  # the old phone has come in meanwhile, and used no code
        await owner.outer.send(LetIn(owner.now.digits))
        await owner.until(lambda: not owner.now.digits)
        assert bytes.fromhex((await page.reads())["secret"]) != secret
        await page.says({"kept": True})
        assert "set" in await page.reads()
        assert await old.reads() == {"moved": True, "void": True}
        await owner.until(lambda: owner.now.code is None)


async def test_a_phone_that_comes_in_the_last_moment_is_not_let_in_for_the_one_before(owner):
    visitor, _secret = await comes(owner)
    code = await owner.code(visitor)
    async with owner.page(code.letters) as first:
        await first.hello()
        assert await first.reads() == {"wait": True}
        await owner.until(lambda: owner.now.digits)
        seen = owner.now.digits
    async with owner.page(code.letters) as thief:
        await thief.hello()
        assert await thief.reads() == {"wait": True}
        await owner.until(lambda: owner.now.digits not in {"", seen})
        await owner.outer.send(LetIn(seen))
        await owner.outer.send(ShowCode(visitor))
        await owner.until(lambda: owner.now.code is not None and owner.now.code != code)
        assert await thief.closed() == REFUSED


async def test_a_visitor_that_cannot_be_started_is_told_and_leaves_nothing(owner, tmp_path):
    owner.fails = True
    await owner.outer.send(ShowCode())
    await owner.until(lambda: owner.said)
    assert owner.said == ["The program of this phone could not be started."]
    assert Visitors(tmp_path / "home").all() == []
    owner.fails = False
    await owner.code()


# Visitors.


async def test_a_visitor_that_was_ended_is_let_in_by_a_new_code_alone(owner):
    visitor, secret = await comes(owner)
    async with owner.page(secret) as page:
        await page.comes_back()
        await owner.outer.send(EndVisitor(visitor))
        assert await page.closed() == REFUSED
    async with owner.page(secret) as page:
        await page.is_refused_at_once()
    await owner.until(lambda: [one.page for one in owner.now.visitors] == [""])
    code = await owner.code(visitor)
    async with owner.page(code.letters) as page:
        await page.hello()
        assert await page.reads() == {"wait": True}


# A new start.


async def test_a_match_that_waits_lets_its_phone_in_from_the_beginning(monkeypatch, tmp_path):
    async with running(monkeypatch, tmp_path) as owner:
        await comes(owner)
        host = owner.now.host
    monkeypatch.setattr(person, "look_through", lambda _home: ([object()], []))
    async with running(monkeypatch, tmp_path) as owner:
        await owner.until(lambda: owner.now.host)
        assert owner.now.host == host
        assert owner.said == [f"A match of Jon is not finished, so phones can come in at {host}."]
        assert owner.now.visitors[0].bound


# The machine of the owner.


async def test_the_owner_vouches_for_the_seats_of_a_visitor(owner, tmp_path):
    visitor, _secret = await comes(owner)
    (begin,) = [one for one in owner.visitors[visitor].taken if isinstance(one, messages.Begin)]
    (home,) = Visitors(tmp_path / "home").all()
    context = Context(open_home(home.path), machine=begin.machine, voucher=begin.voucher)
    seat = read_participant(own_seat(context, "Jon").participant().encode())
    assert seat.kind == PERSON
    assert seat.program == owner.context.identity.id
    assert seat.id == context.identity.id


async def test_a_visitor_whose_key_is_damaged_keeps_nobody_else_out(monkeypatch, tmp_path):
    async with running(monkeypatch, tmp_path) as owner:
        await comes(owner, "Jon")
        await comes(owner, "Mary")
    home = Visitors(tmp_path).all()[0].path
    (home / "identity.key").write_bytes(b"?")
    async with running(monkeypatch, tmp_path) as owner:
        assert [one.nick for one in owner.now.visitors] == ["Mary"]
        assert "identity.key" in owner.said[-1]
        await owner.code("", "Mary")


async def test_nothing_listens_before_a_code_is_asked_for(owner):
    assert owner.now == PhonesShown()
    code = await owner.code()
    assert owner.now.host.startswith("127.0.0.1:477")
    assert len(code.letters) == 16
    assert not code.again
    assert owner.now.visitors == ()  # nobody has come yet


async def test_a_phone_that_waits_is_turned_away_when_the_owner_closes_the_sheet(owner):
    visitor, secret = await comes(owner)
    code = await owner.code(visitor)
    async with owner.page(code.letters) as page:
        await page.hello()
        assert await page.reads() == {"wait": True}
        await owner.until(lambda: owner.now.digits)
        await owner.outer.send(HideCode())
        assert await page.closed() == REFUSED
    async with owner.page(secret) as old:
        await old.comes_back()


async def test_a_visitor_is_renamed_while_it_runs_and_afterwards(owner, tmp_path):
    visitor, _secret = await comes(owner)
    await owner.outer.send(RenameVisitor(visitor, "Ion"))
    await owner.until(lambda: [one.nick for one in owner.now.visitors] == ["Ion"])
    assert messages.Rename("Ion") in owner.visitors[visitor].taken
    await owner.outer.send(EndVisitor(visitor))
    await owner.outer.send(RenameVisitor(visitor, "Mary"))
    await owner.until(lambda: [one.nick for one in owner.now.visitors] == ["Mary"])
    assert [one.nick for one in Visitors(tmp_path / "home").all()] == ["Mary"]


async def test_a_visitor_is_deleted_with_its_home(owner, tmp_path):
    visitor, secret = await comes(owner)
    known = Visitors(tmp_path / "home")
    await owner.outer.send(DeleteVisitor(visitor))
    await owner.until(lambda: known.all() == [])
    await owner.until(lambda: owner.now.visitors == ())
    async with owner.page(secret) as page:
        await page.sends(page.sealed.first)
        assert await page.closed() == REFUSED


async def test_all_who_play_through_us_learn_whose_phone_is_away(owner, monkeypatch, tmp_path):
    monkeypatch.setattr(keeper, "AWAY_S", 0.01)
    (jon, secret), (mary, _secret) = await comes(owner), await comes(owner, "Mary")
    await does(owner.visitors[jon], owner, page="play", game="escoba", bound=True)
    await does(owner.visitors[mary], owner, page="play", game="escoba", bound=True, nick="Mary")
    ids = {one: open_home(owner.visitors[one].home).identity.id for one in (jon, mary)}
    await owner.until(lambda: owner.now.asleep == {fingerprint(one) for one in ids.values()})
    both = messages.Asleep(sorted(ids.values()))
    await owner.until(lambda: owner.visitors[jon].taken[-1] == both)
    async with owner.page(secret) as page:
        await page.comes_back()
        await owner.until(lambda: owner.now.asleep == {fingerprint(ids[mary])})
        await owner.until(lambda: owner.visitors[mary].taken[-1] == messages.Asleep([ids[mary]]))
    await owner.until(lambda: owner.visitors[mary].taken[-1] == both)
    await does(owner.visitors[jon], owner, page="lobby")
    await owner.until(lambda: owner.now.asleep == {fingerprint(ids[mary])}), "it sits at no table"
