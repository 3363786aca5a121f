"""House rules in a match between processes: the terms have them, and all programs keep them."""

from __future__ import annotations

import os

import pytest

from p2p.table.house import House
from p2p.table.log import read_log
from tests.end_to_end.processes import SHORT, eventually, invite_of, log_at_rest


@pytest.mark.slow
def test_two_people_take_a_hint_by_the_house_rules(machine):
    pipes = [os.pipe() for _player in range(2)]
    words = ("escoba", "--private", *SHORT, "--hints", "told")
    host = machine.host("ane", "house", *words, auto=False, stdin=pipes[0][0])
    guest = machine.join("jon", invite_of(host), auto=False, stdin=pipes[1][0])
    players = (host, guest)
    for player in players:
        player.says("tell all players of each")
        player.says("The match begins")
    eventually(lambda: any("Your turn" in player.out for player in players), "a turn")
    mine = next(at for at, player in enumerate(players) if "Your turn" in player.out)
    os.write(pipes[mine][1], b"hint\n")
    players[1 - mine].says(f"{('ane', 'jon')[mine]}: “I have taken a hint.”")
    players[mine].says("Hint: ")
    for player in players:
        player.end()
    for end in (end for ends in pipes for end in ends):
        os.close(end)
    assert read_log(log_at_rest(host)).terms.house == House("told")
