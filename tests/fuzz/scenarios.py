"""Scenario files as `sobremesa scenario` plays them: each has a status and an object to print."""

from __future__ import annotations

import json

from engine.games import GAMES
from engine.scenario import FALLS_SHORT, HOLDS, NO_SCENARIO, report

KEYS = ("game", "players", "first", "decks", "actions", "options", "expect", "after", "turn")
MORE = ("hands", "table", "legal", "illegal", "leave", "[[expect]]", "[options]", '["', '"]', " = ")
DICTIONARY = (*KEYS, *MORE, *GAMES)


def one_input(data: bytes) -> None:
    status, found = report("a.toml", data)
    assert "\n" not in json.dumps(found)
    if status == HOLDS:
        assert set(found) == {"file", "ok", "state"}
        return
    assert status in (FALLS_SHORT, NO_SCENARIO)
    assert found["error"]
    assert "\n" not in found["error"]
    assert ("state" in found) == (status == FALLS_SHORT)
