"""Another match with the same table: how one asks for it on the full screen, and how one sees that
others want it."""

from __future__ import annotations

from client.session.messages import Lobby, Speak, Stored, Talked
from client.ui.screen.messages import Again
from tests.screens.stage import Stage


def test_r_after_the_match_asks_for_another_lets_the_others_know_and_says_that_it_waits(over):
    over.commands.clear()
    wish = [Speak("again"), Again()]
    assert over.press("a").commands == wish
    assert "Waiting for the others" in over.text()
    # once is enough: another one would be the wish for a third match
    assert over.press("a").commands == wish


def test_a_player_that_wants_to_play_again_stands_below_the_result_until_the_next_match(over):
    assert "wants to play again" not in over.text()
    over.tell(Talked(1, "again", phrase=True)).tell(Talked(1, "again", phrase=True)).tick(60)
    assert over.text().count("Jon wants to play again: a.") == 1
    over.tell(Stored("logs/0123.sobremesa"))
    over.tell(Lobby("escoba", {}, over.state.match.players, (0,), 120, hosting=True, held=True))
    assert "wants to play again" not in over.text()


def test_a_spectator_cannot_ask_for_another_match():
    stage = (
        Stage("escoba", 2, None, target=5).until(lambda stage: stage.over).tick(30).press("enter")
    )
    assert Again() not in stage.press("a").commands
    stage.tell(Talked(1, "again", phrase=True)).tick(60)
    assert "wants to play again." in stage.text()
    assert "again: a" not in stage.text()
