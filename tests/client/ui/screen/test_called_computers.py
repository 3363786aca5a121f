"""Computer players that the host calls to a table that is filling: those that sit there stay, and
nicks of people come first."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message
from client.session.setup_rules import LocalPlayer, SetupRules
from client.storage.home import Home
from client.ui.screen.sessions import seat_computers
from engine.bots import Character, Strength, chance
from p2p.table.lobby import Draft, SeatRequest
from tests.ring import terms_for
from tests.standin import seeded


def test_characters_come_and_go_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tuple(Character(name, Strength.STRONG, chance.play) for name in ("Carmen", "Miren"))
    monkeypatch.setattr("engine.bots.escoba.CHARACTERS", made)
    context, told = Context(Home(tmp_path), entropy=seeded(3)), list[Message]()
    me = LocalPlayer(SeatRequest(context.identity, "carmen", context.entropy))
    terms = terms_for("escoba", 4, target=1)
    draft = Draft(
        "t", "escoba", terms.rules, terms.options, 60, spectators=False, seats=(None,) * 4
    )

    async def main() -> None:
        match_session = MatchSession(
            context, None, [me], told.append, SetupRules(held=True, computers=("strong",))
        )
        match_session.setup.open(draft, b"")
        seen = []
        for count in (1, 2, 3, 1, 9):
            seat_computers(match_session, context, count)
            table = match_session.setup.table
            assert table is not None
            players = match_session.setup.local_players
            characters = tuple(one.character for one in players if one.bot)
            assert len(characters) == table.taken - 1
            seen.append(([place.nick for place in table.seats if place], characters))
        first = seen[0][1][0]
        other = {"Carmen": "Miren", "Miren": "Carmen"}[first]
        assert [names for _nicks, names in seen[:2]] == [(first,), (first, other)]
        assert seen[2][1][:2] == (first, other)
        assert seen[3][1] == (first,)
        assert seen[4] == seen[3], "a table takes no more than its seats"
        for nicks, _names in seen:
            assert nicks[0] == "carmen"
            assert len({nick.casefold() for nick in nicks}) == len(nicks), (
                "two of one name are told apart"
            )

    trio.run(main)
