"""The sheet with the words of the others: seats may change while two people compare them."""

from __future__ import annotations

from dataclasses import replace

from client.session.messages import Seated, Vouch, Words
from tests.screens.stage import NICKS, Stage, terms_of


def test_the_person_that_is_chosen_stays_chosen_where_the_seats_change():
    stage = Stage("siete-y-media", 3).tick(30)
    jon, miren = (player.fingerprint for player in stage.state.match.players[1:])
    terms = terms_of("siete-y-media", 3, NICKS, {})
    own, *others = terms.participants
    for chosen, keys in ((jon, ()), (miren, ("down",))):
        stage.tell(Words({jon: "apple river ten", miren: "lemon hotel jazz"})).press(*keys)
        for seats in (others[::-1], others):
            moved = replace(terms, participants=(own, *seats))
            stage.tell(Seated(moved, 0, moved.match.hex()))
            stage.commands.clear()
            assert stage.press("t").commands == [Vouch(chosen)]
