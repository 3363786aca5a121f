"""The host of the next table, when a match into which its players had come back is over."""

from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from client.session import resuming
from client.session.context import Context
from client.session.resuming import company_of, first_here, resume_match
from client.storage.home import Home
from tests.client.storage.test_home import resume_record
from tests.ring import identities

WHO = [identity.id for identity in identities(3)]


def played(**gone: str):
    """Return a player and the match; `gone` says how seats went: p1="left"."""
    how = {int(seat[1:]) - 1: route for seat, route in gone.items()}
    table = SimpleNamespace(gone=tuple(how), how=how.get)
    player = SimpleNamespace(
        match_session=SimpleNamespace(local_seats=SimpleNamespace(table=table))
    )
    return player, SimpleNamespace(
        terms=SimpleNamespace(participants=[SimpleNamespace(id=one) for one in WHO])
    )


@pytest.mark.parametrize(
    ("route", "stays"), [("left", True), ("convicted", False), ("voted", False)]
)
def test_a_player_that_was_put_out_of_the_match_is_not_of_the_company_any_more(route, stays):
    assert (WHO[0] in company_of(*played(p1=route))) is stays


@pytest.mark.parametrize(
    ("own", "here", "host"),
    [(2, (0, 1), 0), (2, (1,), 1), (2, (), None), (0, (1, 2), None), (1, (0,), 0), (1, (2,), None)],
)
def test_a_player_that_sat_first_of_those_that_are_here_opens_the_next_table(own, here, host):
    mesh = SimpleNamespace(links=lambda: dict.fromkeys(WHO[seat] for seat in here))
    assert first_here(WHO[own], company_of(*played()), mesh) == (
        None if host is None else WHO[host]
    )


def test_a_player_that_was_put_out_does_not_open_it_though_there_is_a_link():
    mesh = SimpleNamespace(links=lambda: dict.fromkeys(WHO[:2]))
    assert first_here(WHO[2], company_of(*played(p1="convicted")), mesh) == WHO[1]


async def test_a_match_with_others_goes_online_even_if_no_address_is_known(tmp_path, monkeypatch):
    home = Home(tmp_path)
    record = replace(resume_record(home), nodes=())
    assert not record.alone

    def online(*_args):
        raise KeyError("the network")

    monkeypatch.setattr(resuming, "online", online)
    with pytest.raises(KeyError, match="the network"):
        await resume_match(Context(home), Mock(), record, auto=False)
