"""Which of the unfinished matches is gone on with."""

from types import SimpleNamespace

import pytest

from client.commands import resume
from client.session.status import UsageError
from client.storage.home import Home, StoreError

MUS, OTHER_MUS = SimpleNamespace(name="mus-2"), SimpleNamespace(name="mus-1")


def picked(monkeypatch, tmp_path, name, waiting, *damaged):
    monkeypatch.setattr(resume, "look_through", lambda home: (waiting, list(damaged)))
    return resume.pick(Home(tmp_path), name)


def test_the_newest_or_the_one_that_is_named_beside_a_damaged_one(monkeypatch, tmp_path, capsys):
    damaged = StoreError("it is damaged")
    assert picked(monkeypatch, tmp_path, None, [MUS, OTHER_MUS], damaged) is MUS
    assert capsys.readouterr().err == "sobremesa: it is damaged\n"
    assert picked(monkeypatch, tmp_path, "mus-1", [MUS, OTHER_MUS], damaged) is OTHER_MUS
    with pytest.raises(StoreError):
        picked(monkeypatch, tmp_path, "tute", [MUS], damaged)


@pytest.mark.parametrize("name", ["mus", "tute"])
def test_a_name_of_two_or_of_none(monkeypatch, tmp_path, name):
    with pytest.raises(UsageError, match="there is mus-2, mus-1"):
        picked(monkeypatch, tmp_path, name, [MUS, OTHER_MUS])
