"""The gain of the bank of siete y media in a deal."""

from random import Random

import pytest

from engine.bots import chance_for
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import complete_options
from engine.games.siete_y_media import events
from engine.games.siete_y_media.rules import SieteYMedia


@pytest.mark.parametrize("seed", range(6))
def test_R13_the_balance_is_the_gain_of_the_bank_in_the_whole_deal(seed):
    """Also where seats went over and had paid before, or all did."""
    heard, random = [], Random(seed)

    class Heard(SieteYMedia):
        def tell(self, event, *, picture=False):
            heard.append((event, list(self.score)))
            super().tell(event, picture=picture)

    options = complete_options("siete-y-media", 4, {"deals": 40})
    play = OpenDeck(Heard(4, options), shuffled(random.randrange))
    while play.turn:
        seat = play.turn[0]
        play.act(seat, chance_for("siete-y-media")(play.view(seat), random.randrange))
    dealt = [(event.bank, score) for event, score in heard if isinstance(event, events.Deal)]
    balances = [(event, score) for event, score in heard if isinstance(event, events.Balance)]
    assert [event for event, _score in balances] == [
        events.Balance(bank, after[bank] - before[bank])
        for (bank, before), (_event, after) in zip(dealt, balances, strict=True)
    ]
    assert any(isinstance(event, events.AllOver) for event, _score in heard)
