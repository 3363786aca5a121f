"""All lines of a pipe are there at once, and each line is for a turn of its own."""

from __future__ import annotations

import tempfile

import pytest


@pytest.mark.parametrize("answer", ["yes", "leave yes"])
def test_piped_lines_wait_for_the_turn_that_they_are_for(machine, answer):
    with tempfile.TemporaryFile() as lines:
        lines.write(f"hint\nleave\n{answer}\n".encode())
        lines.seek(0)
        player = machine.player("ane", "--plain", "play", "domino", stdin=lines)
        assert player.ends() == 0, player.err
    assert "It is not your turn" not in player.out
    assert "neither a move nor a command" not in player.out
    parts = (
        "Your turn.",
        "Hint: type ",
        "To leave all the same",
        "You leave.",
        "You have left the match, and lost it.",
    )
    places = [player.out.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    assert player.err == ""
