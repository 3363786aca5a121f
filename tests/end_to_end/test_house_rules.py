"""House rules in a match between processes: the terms have them, and all programs keep them."""

from __future__ import annotations

import os

import pytest

from p2p.table.house import House
from p2p.table.log import read_log
from tests.end_to_end.processes import SHORT, eventually, invite_of, log_at_rest


@pytest.mark.slow
@pytest.mark.parametrize("hints", ["none", "told"])
def test_two_people_take_a_hint_by_the_house_rules(machine, hints):
    pipes = [os.pipe() for _player in range(2)]
    words = ("escoba", "--private", *SHORT, *(("--hints", "told") if hints == "told" else ()))
    host = machine.host("ane", "house", *words, auto=False, stdin=pipes[0][0])
    guest = machine.join("jon", invite_of(host), auto=False, stdin=pipes[1][0])
    said = {"none": "Between people the programs give no hints", "told": "tell all players of each"}
    for player in (host, guest):
        player.says(said[hints])
        player.says("The match begins")
    players = (host, guest)
    eventually(lambda: any("Your turn" in player.out for player in players), "a turn")
    mine = next(at for at, player in enumerate(players) if "Your turn" in player.out)
    os.write(pipes[mine][1], b"hint\n")
    if hints == "told":
        nick = ("ane", "jon")[mine]
        players[1 - mine].says(f"{nick}: “I have taken a hint.”")
        players[mine].says("Hint: ")
    else:
        players[mine].says("The house rules of this table are that programs give no hints")
    for player in players:
        player.end()
    for ends in pipes:
        for end in ends:
            os.close(end)
    terms = read_log(log_at_rest(host)).terms
    assert terms.house == House(hints)
