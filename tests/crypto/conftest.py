"""Shared by the tests of `crypto`: every group, and functions that compute."""

from __future__ import annotations

import pytest

from crypto import identity
from crypto.backend import backends
from crypto.group import Group
from crypto.sodium import Sodium
from tests.standin import standin_group

GROUPS = [Group(backend) for backend in backends()] + [standin_group()]


@pytest.fixture(params=GROUPS, ids=lambda group: group.backend.name)
def group(request: pytest.FixtureRequest) -> Group:
    chosen: Group = request.param
    return chosen


@pytest.fixture(autouse=True)
def computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo what tests/conftest.py remembers: a remembered result always equals itself."""
    for owner, name in (
        (identity, "check_equation"),
        (identity.Identity, "sign"),
        (Sodium, "_sum_of"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name).__wrapped__)
