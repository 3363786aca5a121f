"""Signals that end the program, where no event loop heeds them."""

from __future__ import annotations

import signal

import pytest

from client.session.signals import exit_on_signals, late_signals


@pytest.mark.parametrize(
    ("number", "kind"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_a_signal_waits_until_modules_are_loaded(number, kind):
    loaded: list[int] = []

    def load() -> None:
        with exit_on_signals(), late_signals():
            signal.raise_signal(number)
            loaded.append(number)

    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(kind):
        load()
    assert loaded == [number]
    assert signal.getsignal(signal.SIGTERM) == before
