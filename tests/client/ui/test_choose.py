"""A program that is ended from outside ends the plain face at once, also where nobody sits at a
table yet."""

from __future__ import annotations

import os
import signal
from argparse import Namespace

import pytest
import trio

from client.session.context import Context
from client.storage.home import Home
from client.ui.choose import run_session

ARGS = Namespace(plain=True, brief=False)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_session_that_has_not_begun(tmp_path, number):
    ended = []

    async def session(_player):
        await trio.sleep(0.05)
        os.kill(os.getpid(), number)
        try:
            await trio.sleep_forever()
        finally:
            ended.append(True)

    assert run_session(ARGS, Context(Home(tmp_path)), session) == 128 + number
    assert ended


def test_ctrl_c_ends_a_session_at_a_checkpoint_only(tmp_path):
    done = []

    async def session(_player):
        await trio.lowlevel.checkpoint()  # spawned tasks run now
        signal.raise_signal(signal.SIGINT)  # as between the creation of a coroutine and its start
        done.append("the line after")
        await trio.sleep_forever()

    with pytest.raises(BaseExceptionGroup) as ended:
        run_session(ARGS, Context(Home(tmp_path)), session)
    assert ended.group_contains(KeyboardInterrupt)
    assert done
