"""The phones of this program in lines, if no full screen can be shown."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress

import trio

from client.i18n.translation import _, outside
from client.session.context import Context
from client.session.messages import Message
from client.session.signals import heed_signals, run_trio
from client.session.status import Status
from client.storage.nicks import fit_nick
from client.ui.phone.keeper import Keeper
from client.ui.plain.printing import say
from client.ui.screen.kept import CodeShown, PhonesShown
from client.ui.screen.messages import LetIn, OfPhones, PhonesChanged, ShowCode, UseAddress
from client.ui.screen.phones import address_of, called, doing, in_groups, why_silent

COMMANDS = 8
"""Typed commands that may wait."""


class Printer:
    """It prints what is new of the phones."""

    def __init__(self) -> None:
        self._before = PhonesShown()

    @property
    def code(self) -> CodeShown | None:
        """The code that was printed last, if it is good."""
        return self._before.code

    @property
    def other(self) -> str:
        """Another address of ours; empty if there is none."""
        return next(iter(self._before.others), "")

    def tell(self, message: Message) -> None:
        """Print what has changed. No address is printed with its code twice."""
        if not isinstance(message, PhonesChanged):
            return
        now, before, self._before = message.phones, self._before, message.phones
        if message.said:
            say(message.said)
        if now.code is not None and (now.code, now.host) != (before.code, before.host):
            say(*_of_code(now, now.code))
        if now.digits and now.digits != before.digits:
            line = _(
                "A phone asks to be let in. Its digits: {digits}. Type `in {digits}` to let it in."
            )
            say(line.format(digits=now.digits))
        known = {one.id: doing(one) for one in before.visitors}
        for one in now.visitors:
            if known.get(one.id) != doing(one):
                say(f"{outside(called(one))}: {doing(one)}")
        sys.stdout.flush()


def _of_code(phones: PhonesShown, code: CodeShown) -> list[str]:
    if code.late:
        return [_("Five minutes have passed, and the code is void. Type `code` for another one.")]
    if code.silent:
        return [why_silent()]
    line = _("Are the phones in another network? Type `network` for the address {address}.")
    other = [line.format(address=phones.others[0])] if phones.others else []
    return [
        _("Open this address on the phone; it lets in one phone, within five minutes:"),
        f"  {address_of(phones.host, code.letters)}",
        _("Or open it without the code, and type that: {code}").format(
            code=in_groups(code.letters)
        ),
        *other,
        _("Ctrl-C ends the program, and with it the players on phones."),
    ]


def print_phones(context: Context, wanted: ShowCode) -> int:
    """Let phones play through this program until a signal ends it; return the exit status."""
    return run_trio(_spend, context, wanted)


async def _spend(context: Context, wanted: ShowCode) -> int:
    status: int = Status.OK

    def end(why: int) -> None:
        nonlocal status
        status = why
        nursery.cancel_scope.cancel()

    printer = Printer()
    outer, commands = trio.open_memory_channel[OfPhones](COMMANDS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(heed_signals, end)
        token = trio.lowlevel.current_trio_token()
        threading.Thread(target=_read, args=(printer, outer, token), daemon=True).start()
        await Keeper(context, printer.tell).spend(commands, [wanted])
    return status


def _read(
    printer: Printer, outer: trio.MemorySendChannel[OfPhones], token: trio.lowlevel.TrioToken
) -> None:
    """Take typed commands, in a thread, until there are no more."""
    with suppress(trio.RunFinishedError, trio.BrokenResourceError, trio.Cancelled, ValueError):
        for line in sys.stdin:
            command: OfPhones
            match line.casefold().split():
                case ["in", digits]:
                    command = LetIn(digits)
                case ["network"] if printer.other:
                    command = UseAddress(printer.other)
                case ["code", *_name] if _name:
                    command = ShowCode(nick=fit_nick(line.split(maxsplit=1)[1]))
                case ["code"]:
                    command = ShowCode(printer.code.visitor if printer.code is not None else "")
                case _:
                    continue
            trio.from_thread.run(outer.send, command, trio_token=token)
