"""Somebody in the network sees when frames go, and learns nothing about the hand by that."""

from __future__ import annotations

import pytest
import trio

from client.ui.phone.visitor import SHOW_S, SealedLink


class Program:
    """A visitor that notes when texts go to its page."""

    def __init__(self) -> None:
        self.moments: list[float] = []

    async def tell(self, _connection: int, _text: str) -> bool:
        await trio.lowlevel.checkpoint()
        self.moments.append(trio.current_time())
        return True


@pytest.mark.parametrize("took", [(0.0007, 0.0012), (0.004, 0.011), (0.0, 0.019)])
async def test_a_view_goes_when_it_would_have_gone_with_any_other_hand(autojump_clock, took):
    moments = []
    for made_in in took:
        program = Program()
        link = SealedLink(program, 1)
        began = (trio.current_time() // SHOW_S + 1) * SHOW_S
        await trio.sleep_until(began)
        await trio.sleep(made_in)
        await link.send("a view")
        moments.append(round(program.moments[0] - began, 9))
    assert moments == [SHOW_S, SHOW_S]
