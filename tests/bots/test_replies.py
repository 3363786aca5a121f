"""The learned replies to the strongest players play whole matches, beside players that they leave
as they are."""

import pytest

from engine.bots import domino, escoba, kinaskak_mind
from tests.bots import exploit_domino, exploit_escoba
from tests.bots.climb import NUMBERS, Changed
from tests.bots.duel import measured
from tests.bots.logit import fitted, shares

SHORT = {"domino": {"target": 2}, "escoba": {"target": 1}, "kinaskak": {"last_contract": 1}}


def test_a_choice_that_was_always_made_is_the_likeliest():
    weights = fitted([([(1.0, 0.0), (0.0, 1.0)], 1)] * 20)
    assert shares(weights, [(1.0, 0.0), (0.0, 1.0)])[1] > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("game", NUMBERS)
def test_a_player_with_other_numbers_leaves_the_player_as_it_is(game):
    numbers = [vars(one).copy() for one in (domino, escoba, kinaskak_mind)]
    reply = Changed(game)
    reply.change(dict.fromkeys(NUMBERS[game], 0.5))
    assert measured(game, reply.play, 2, 3 if game == "kinaskak" else 2, SHORT[game]).took
    for name in NUMBERS[game]:
        for module, before in zip((domino, escoba, kinaskak_mind), numbers, strict=True):
            assert vars(module).get(name) == before.get(name)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["domino", "escoba"])
def test_a_player_that_reads_the_other_plays_whole_matches(game):
    exploit = {"domino": exploit_domino, "escoba": exploit_escoba}[game]
    choices = list(exploit.watched(1))
    assert all(0 <= made < len(seen) for seen, made in choices)
    assert measured(game, exploit.reply(fitted(choices), 0.2), 2, 2, SHORT[game]).took
