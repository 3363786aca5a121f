"""The phones that play through the program of an owner: codes, visitors, the page about them.

A code is good for five minutes, and while its sheet is open. A visitor that no phone has ever come
to is deleted with its code.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from socket import socket

import trio

from client.i18n.translation import _
from client.session.context import Context
from client.session.messages import Message
from client.storage.home import StoreError, open_home
from client.storage.visitors import VisitorHome, Visitors, last_place
from client.ui.phone import messages
from client.ui.phone.hosted import Hosted, News, Stopped
from client.ui.phone.listening import NoListenerError, listen, private_addresses
from client.ui.phone.person import Person, ShownCode, waits
from client.ui.phone.phones import Phones
from client.ui.phone.process import NoVisitorError
from client.ui.screen.kept import CodeShown, PhonesShown, VisitorShown
from client.ui.screen.messages import (
    DeleteVisitor,
    EndVisitor,
    HideCode,
    LetIn,
    OfPhones,
    PhonesChanged,
    RenameVisitor,
    ShowCode,
    UseAddress,
)
from client.ui.screen.phones import called
from crypto.identity import fingerprint
from p2p.net.names import look_alike
from p2p.table.terms import vouch

CODE_S = 300.0
"""Seconds for which a code is good."""
SILENT_S = 30.0
"""Seconds without a request of any phone after which the screen says so."""
AWAY_S = 2.0
"""Seconds for which a phone may be gone before the screen shows that: it may come back at once."""
ASKS = 20
"""Phones that may ask to be let in by one code: a photo of it could be used for ever."""
LOOK_S = 1.0
"""Seconds between two looks at a code."""
PLACES_S = 3.0
"""Seconds between two looks at our addresses. One that is gone at both looks is given up."""


class Keeper:
    """The visitors of a home."""

    def __init__(self, context: Context, tell: Callable[[Message], None]) -> None:
        """Set up; `tell` gets what the screen shows."""
        self._context, self._tell = context, tell
        self._people: dict[str, Person] = {}
        self._phones: Phones | None = None
        self._visitors: Visitors | None = None
        self._addresses: list[str] = []
        """Ours; phones come in at the first one."""
        self._lost = False
        """Whether that one was gone when we looked last."""
        self._code: ShownCode | None = None
        self._nursery: trio.Nursery | None = None
        self._changed = trio.Event()
        self._order = trio.Lock()
        """One thing is done after the other: commands, moves to another address, new codes."""

    async def spend(
        self, commands: trio.MemoryReceiveChannel[OfPhones], first: Sequence[OfPhones] = ()
    ) -> None:
        """Carry out commands until cancelled, `first` ones before the others.

        If a match of a visitor waits, its phone can come in from the beginning.
        """
        async with trio.open_nursery() as self._nursery:
            self._nursery.start_soon(self._tell_asleep)
            await self._safely(self._begin)
            for command in first:
                await self._safely(partial(self._obey, command))
            async for command in commands:
                await self._safely(partial(self._obey, command))

    async def _safely(self, act: Callable[[], Awaitable[None]]) -> None:
        """Do something; the screen shows why it could not be done."""
        said = ""
        try:
            async with self._order:
                await act()
        except (StoreError, NoListenerError) as error:
            said = str(error)
        except NoVisitorError:
            said = _("The program of this phone could not be started.")
        self._show(said)

    async def _begin(self) -> None:
        wrong = await trio.to_thread.run_sync(self._find)
        if wrong:
            self._show(str(wrong[-1]))
        waits = [person for person in self._people.values() if person.unfinished]
        if waits:
            await self._serve()
            said = _("A match of {names} is not finished, so phones can come in at {host}.")
            names = ", ".join(person.name for person in waits)
            self._show(said.format(names=names, host=self._host))

    def _find(self) -> list[StoreError]:
        """Find all visitors, and delete those that no phone has ever come to. Raises StoreError.

        Return the errors of those that cannot be used.
        """
        wrong = []
        visitors = self._visitors = Visitors(self._context.home.path)
        for home in visitors.all():
            if not home.has_had_a_phone:
                home.delete()
                continue
            try:
                self._people[home.path.name] = self._met(home)
            except StoreError as error:
                wrong.append(error)
        return wrong

    @property
    def _host(self) -> str:
        return self._phones.host if self._phones is not None else ""

    # Commands.

    async def _obey(self, command: OfPhones) -> None:
        match command:
            case ShowCode(visitor, nick):
                await self._show_code(visitor, nick)
            case UseAddress(address) if address in self._addresses:
                await self._move(address)
            case HideCode():
                await self._end_code()
            case LetIn(digits):
                await self._let_in(digits)
            case EndVisitor(visitor) if visitor in self._people:
                await self._send_away(self._people[visitor])
                await trio.to_thread.run_sync(self._people[visitor].home.shut_out)
            case RenameVisitor(visitor, nick) if visitor in self._people:
                await self._rename(self._people[visitor], nick)
            case DeleteVisitor(visitor) if visitor in self._people:
                person = self._people[visitor]
                await self._send_away(person)
                await trio.to_thread.run_sync(person.home.delete)
                del self._people[visitor]

    async def _show_code(self, visitor: str, nick: str) -> None:
        """Make a code for a visitor, or for a new one. Raises StoreError or NoListenerError."""
        if self._code is None or self._code.person.id != visitor:
            await self._end_code()
        await self._serve()
        person = self._people.get(visitor) or self._named(nick)
        if person is None:
            assert self._visitors is not None
            home = await trio.to_thread.run_sync(self._visitors.create, nick)
            person = self._people[home.path.name] = await trio.to_thread.run_sync(self._met, home)
        self._code = ShownCode(person, again=person.home.has_had_a_phone)
        try:
            await self._running(person).tell(messages.MakeCode())
        except NoVisitorError:
            await self._end_code()
            raise

    async def _show_another(self, code: ShownCode) -> None:
        """Show another code instead of one that is no longer valid.

        Raises StoreError or NoListenerError.
        """
        if self._code is code:
            await self._show_code(code.person.id, "")

    def _named(self, nick: str) -> Person | None:
        """Return the visitor with a name. StoreError if two have it: a player may take any name."""
        found = [one for one in self._people.values() if nick and one.nick == nick]
        if len(found) > 1:
            raise StoreError(
                _(
                    "{count} players on phones are called {nick}: give them other names first"
                ).format(count=len(found), nick=nick)
            )
        return found[0] if found else None

    def _running(self, person: Person) -> Hosted:
        """Return a visitor to which phones can come. We serve."""
        assert self._phones is not None
        return self._hosted(person) or self._phones.add(person.home.path)

    def _hosted(self, person: Person) -> Hosted | None:
        found = self._phones.visitors if self._phones is not None else []
        return next((one for one in found if one.home == person.home.path), None)

    async def _end_code(self) -> None:
        """End the code; with it goes the visitor to which no phone has come."""
        code, self._code = self._code, None
        if code is None:
            return
        code.person.timer.cancel()
        if not code.person.home.has_had_a_phone:
            await self._send_away(code.person)
            self._people.pop(code.person.id, None)
            await trio.to_thread.run_sync(code.person.home.delete)
        elif (hosted := self._hosted(code.person)) is not None and hosted.runs:
            with suppress(NoVisitorError):
                await hosted.tell(messages.EndCode())

    async def _let_in(self, digits: str) -> None:
        """Let a phone in that waits. Another one may have come since its owner saw the digits."""
        code = self._code
        if code is None or code.waits is None or not code.is_seen(digits):
            return
        hosted, asks = self._hosted(code.person), code.waits
        code.let_wait(None)
        if hosted is not None:
            await hosted.tell(messages.AdmitPhone(asks.connection))

    async def _send_away(self, person: Person) -> None:
        hosted = self._hosted(person)
        if hosted is not None and self._phones is not None:
            await self._phones.remove(hosted)
        await trio.to_thread.run_sync(person.rest)

    async def _rename(self, person: Person, nick: str) -> None:
        hosted = self._hosted(person)
        if hosted is not None and hosted.runs:
            await hosted.tell(messages.Rename(nick))
        else:
            await trio.to_thread.run_sync(person.home.rename, nick)
        person.call(nick)

    # Listening.

    async def _serve(self) -> None:
        """Let phones come in, if they cannot yet. Raises NoListenerError or StoreError."""
        if self._phones is not None:
            return
        assert self._nursery is not None
        if self._visitors is None:  # they could not be read before
            await trio.to_thread.run_sync(self._find)
        assert self._visitors is not None
        wanted = self._context.interface
        self._addresses = [wanted] if wanted else private_addresses()
        self._addresses.sort(key=lambda one: one != self._before)
        if not self._addresses:
            raise NoListenerError(
                _(
                    "Phones come to an IPv4 address of a private network, and this machine has "
                    "none. Connect it to the network of the phones."
                )
            )
        listener, host = self._listener(self._addresses[0])
        homes = [person.home.path for person in self._people.values()]
        self._phones = Phones(host, wanted or "", self._hear, self._vouch)
        await self._nursery.start(self._phones.spend, listener, homes)
        if not wanted:
            self._nursery.start_soon(self._watch_addresses)

    @property
    def _before(self) -> str:
        """The address at which phones came in last: their pages have kept its secrets."""
        return last_place(self._context.home.path)[0] if self._visitors is not None else ""

    def _listener(self, address: str) -> tuple[socket, str]:
        """Listen at an address of ours; return that with its port.

        Raises NoListenerError or StoreError.
        """
        assert self._visitors is not None
        try:
            listener = listen(address, last_place(self._context.home.path)[1])
        except NoListenerError as error:
            said = _("Phones cannot come to {address}: {why}")
            raise NoListenerError(said.format(address=address, why=error)) from error
        port = listener.getsockname()[1]
        try:
            self._visitors.keep_place(address, port)
        except StoreError:
            listener.close()
            raise
        return listener, f"{address}:{port}"

    async def _move(self, address: str) -> None:
        """Serve at another address of ours. Raises NoListenerError or StoreError."""
        if self._phones is None or self._host.startswith(f"{address}:"):
            return
        listener, host = self._listener(address)
        await self._phones.move(listener, host)
        self._addresses.sort(key=lambda one: one != address)
        self._lost = False

    async def _watch_addresses(self) -> None:
        """Follow this machine into another network: to its new address when ours is gone."""
        while True:
            await trio.sleep(PLACES_S)
            found = await trio.to_thread.run_sync(private_addresses)
            if self._lost or sorted(found) != sorted(self._addresses):
                await self._safely(partial(self._see_addresses, found))

    async def _see_addresses(self, found: list[str]) -> None:
        """Note our present addresses. Raises NoListenerError or StoreError."""
        here = self._host.rpartition(":")[0]
        said = ""
        if here in found:
            self._addresses = sorted(found, key=lambda one: one != here)
            if self._lost:
                said = _("This machine is in its network again: phones come in at {host}.")
            self._lost = False
        elif not self._lost:
            self._lost = True
            said = _("This machine has its address {address} no more: phones cannot come in now.")
        elif found:
            self._addresses = found
            await self._move(found[0])
            said = _(
                "This machine has another address now: phones come in at {host}. Each phone needs "
                "a new code, and then its match goes on."
            )
        if said:
            self._show(said.format(address=here, host=self._host))

    def _vouch(self, home: Path) -> tuple[bytes, bytes]:
        """Return our key, and our voucher for the visitor of a home."""
        return self._context.identity.public, self._people[home.name].voucher

    def _met(self, home: VisitorHome) -> Person:
        """Return a visitor that was found or made, with our voucher for its seats.

        Raises StoreError.
        """
        identity = open_home(home.path).identity
        voucher = vouch(self._context.identity, identity.public)
        return Person(home, home.nick, waits(home), player=identity.id, voucher=voucher)

    # News.

    def _hear(self, hosted: Hosted, news: News) -> None:
        person, code = self._people.get(hosted.home.name), self._code
        assert self._nursery is not None
        if person is None:
            return
        mine = code if code is not None and code.person is person else None
        said = ""
        match news:
            case messages.Code(letters) if mine is not None:
                self._see(mine, letters)
            case messages.Asks() if mine is not None:
                mine.let_wait(news)
                if mine.asked > ASKS:
                    self._nursery.start_soon(self._safely, partial(self._show_another, mine))
            case messages.CodeUsed() if person.hears_of_a_second_phone():
                said = _("A second phone came with this code, and reads that it is used.")
            case messages.Entered(by_code=True) if mine is not None:
                self._code = None
                said = _("A phone has come in.")
            case messages.LinkClosed(connection) if mine is not None:
                mine.drop(connection)
            case Stopped() if mine is not None and not mine.late:
                self._nursery.start_soon(self._safely, partial(self._show_another, mine))
        person.hear(news)
        if isinstance(news, messages.LinkClosed):
            self._nursery.start_soon(self._miss, person, news.connection)
        self._show(said)

    async def _miss(self, person: Person, connection: int) -> None:
        """Show that a phone is away, unless it is back by then."""
        if person.connection == connection:
            await trio.sleep(AWAY_S)
        if person.connection == connection:
            person.miss()
            self._show()

    def _see(self, code: ShownCode, letters: str) -> None:
        """Note the letters of a code, which is valid from now on."""
        assert self._nursery is not None
        code.begin(letters)
        self._nursery.start_soon(self._watch, code, code.person.begin_timer())

    async def _watch(self, code: ShownCode, scope: trio.CancelScope) -> None:
        """End a code after its time, and look whether any phone asks for anything."""
        with scope:
            while (age := trio.current_time() - code.since) < CODE_S:
                asked = self._phones is not None and self._phones.asked >= code.since
                if code.hear_silence(silent=age >= SILENT_S and not asked):
                    self._show()
                await trio.sleep(LOOK_S)
            code.end()
            with suppress(NoVisitorError):
                if (hosted := self._hosted(code.person)) is not None and hosted.runs:
                    await hosted.tell(messages.EndCode())
            self._show()

    # The screen.

    def _show(self, said: str = "") -> None:
        code = self._code
        shown = None
        if code is not None and code.letters:
            shown = CodeShown(code.person.id, code.letters, code.late, code.silent, code.again)
        digits = code.waits.digits if code is not None and code.waits is not None else ""
        came = [person for person in self._people.values() if person.home.has_had_a_phone]
        people = told_apart([self._shown(person) for person in came])
        others = tuple(self._addresses[1:])
        asleep = frozenset(fingerprint(person.player) for person in came if person.asleep)
        now = PhonesShown(self._host, others, people, shown, asleep, digits)
        self._tell(PhonesChanged(now, said))
        self._changed.set()

    async def _tell_asleep(self) -> None:
        """Tell every visitor that runs whose phones are away, whenever that changes."""
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            now = sorted(person.player for person in self._people.values() if person.asleep)
            for person in list(self._people.values()):
                hosted = self._hosted(person)
                if hosted is None or not hosted.runs or person.knows == now:
                    continue
                person.knows = now
                with suppress(NoVisitorError):
                    await hosted.tell(messages.Asleep(now))

    def _shown(self, person: Person) -> VisitorShown:
        hosted, doing = self._hosted(person), person.doing
        if hosted is None or not hosted.runs or doing is None:
            return VisitorShown(person.id, person.name, bound=person.unfinished)
        here = person.connection is not None
        return VisitorShown(person.id, person.name, doing.page, doing.game, doing.bound, here)


def told_apart(people: Sequence[VisitorShown]) -> tuple[VisitorShown, ...]:
    """Return visitors with numbers for those whose names look alike."""
    alike = [[one for one in people if look_alike(called(one), called(mine))] for mine in people]
    return tuple(
        replace(mine, twin=group.index(mine) + 1) if len(group) > 1 else mine
        for mine, group in zip(people, alike, strict=True)
    )
