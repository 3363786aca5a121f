"""The house rules in terms and tables: their one spelling, and that all agree on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2p.table.house import HINTS, LONGEST_S, House
from p2p.table.lobby import Draft
from p2p.table.terms import COMPUTER, Terms
from p2p.wire import Malformed, pack, unpack
from tests.ring import terms_for
from tests.table.lobbies import draft

OTHERS = [House("told"), House("free", 6), House(partner=LONGEST_S)]
BAD: list[Any] = [
    {},
    {"hints": "none"},
    {"hints": "told", "partner": 0},
    {"hints": "often"},
    {"hints": 1},
    {"partner": True},
    {"partner": -1},
    {"partner": LONGEST_S + 1},
    {"talk": "none"},
    {"hints": "told", "talk": "none"},
    [],
    ["hints"],
    "told",
    None,
]


@pytest.mark.parametrize("house", OTHERS)
def test_terms_and_tables_have_the_house_rules(house):
    terms = replace(terms_for("escoba", 2), house=house)
    assert Terms.decode(terms.encode()) == terms
    table = draft(house=house)
    assert Draft.read(unpack(pack(table.message()), 65536)) == table
    assert terms.match != terms_for("escoba", 2).match


@pytest.mark.parametrize("house", BAD)
def test_other_spellings_and_values_are_malformed(house):
    fields = unpack(terms_for("escoba", 2).encode(), 8192)
    with pytest.raises(Malformed):
        Terms.decode(pack({**fields, "house": house}))
    with pytest.raises(Malformed):
        Draft.read({**draft().message(), "house": house})


@pytest.mark.parametrize("hints", HINTS)
def test_hints_are_a_matter_between_people(hints):
    terms = replace(terms_for("escoba", 3), house=House(hints))
    assert terms.hints == hints
    people = terms.participants
    bots = tuple(replace(one, kind=COMPUTER) for one in people[1:])
    assert replace(terms, participants=(*people[:2], bots[1])).hints == hints
    assert replace(terms, participants=(people[0], *bots)).hints == "free"
