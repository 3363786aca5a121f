"""A laptop that serves phones, on a host of the LAN.

    python -m tests.networks.laptop HOME

It has one visitor, Jon. A line `code` on its input makes a code, `in NUMBER` lets a phone in. It
prints a line of JSON for its address, and for the news of its visitor.
"""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import asdict
from pathlib import Path

import trio

from client.storage.visitors import Visitors
from client.ui.phone.hosted import Hosted, News
from client.ui.phone.listening import listen, private_addresses
from client.ui.phone.messages import AdmitPhone, MakeCode
from client.ui.phone.phones import Phones


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


def told(_visitor: Hosted, news: News) -> None:
    say(news=type(news).__name__, **asdict(news))


async def spend(home: Path) -> None:
    """Serve until the input ends."""
    visitors = Visitors(home)
    known = visitors.all() or [visitors.create("Jon")]
    address = private_addresses()[0]
    listener = listen(address)
    host = f"{address}:{listener.getsockname()[1]}"
    phones = Phones(host, address, told, lambda _home: (b"", b""))
    async with trio.open_nursery() as nursery:
        outer, lines = trio.open_memory_channel[str](0)
        token = trio.lowlevel.current_trio_token()
        threading.Thread(target=read, args=(outer, token), daemon=True).start()
        await nursery.start(phones.spend, listener, [one.path for one in known])
        say(host=host)
        async for line in lines:
            word, _space, number = line.strip().partition(" ")
            if word == "code":
                await phones.visitors[0].tell(MakeCode())
            elif word == "in":
                await phones.visitors[0].tell(AdmitPhone(int(number)))
        nursery.cancel_scope.cancel()


def read(outer: trio.MemorySendChannel[str], token: trio.lowlevel.TrioToken) -> None:
    """Read lines, in a thread, until there are no more."""
    for line in sys.stdin:
        trio.from_thread.run(outer.send, line, trio_token=token)
    trio.from_thread.run_sync(outer.close, trio_token=token)


if __name__ == "__main__":
    trio.run(spend, Path(sys.argv[1]))
