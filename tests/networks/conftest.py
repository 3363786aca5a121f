"""The LAN on which these tests play, where the machine allows one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.end_to_end.namespaces import lacking_for_a_lan
from tests.networks.lan import Lan, lan
from tests.networks.phone import chromium_on


@pytest.fixture
def hosts(request: pytest.FixtureRequest) -> int:
    """The number of hosts that a module asks for by its `HOSTS`."""
    return getattr(request.module, "HOSTS", 4)


@pytest.fixture
def net(tmp_path: Path, hosts: int) -> Iterator[Lan]:
    """Hosts on a switch. The test is skipped, and says so, where the machine makes no network for
    us."""
    if missing := lacking_for_a_lan():
        pytest.skip(missing)
    with lan(tmp_path, hosts) as made:
        yield made


@pytest.fixture
def browser(net: Lan, tmp_path: Path) -> Iterator[Browser]:
    """The browser of all phones, on the second host."""
    with chromium_on(net, 1, tmp_path) as found:
        yield found
