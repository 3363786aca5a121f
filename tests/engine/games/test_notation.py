"""Lines that no game takes for a move."""

import pytest

from engine.core.moves import NotAMove
from engine.games import new_game

MALFORMED = {
    "escoba": "lay 7o, play 7o 5c, play 7o take, play 7o takes 5c, play 8o, play 7o take 8c",
    "domino": "play 6-7, play 5-6, play 6-5 up, play 6-5 left right, draw 1, pass on, left 6-5",
    "siete-y-media": "bet, bet x, bet 01, bet 1 2, bet 1 raise 1, hit, hit left, hit raise 1,"
    " raise 1, stand raise, stand raise x, stand 1, hit up raise -1, stand raise 1 raise 1",
    "truco": "play 8o, play 7o 6o, say, say 033, say x, say -1, say 33 33, truco truco, show 7o,"
    " Truco, sing",
    "kinaskak": "take 7h, sell, meld, meld 5h 6h, meld run, meld run set 5h, meld run 5h set,"
    " meld run 5H, meld run *7x, meld run **, meld run 10h, lay on m1, lay 5h m1, lay 5h on m0,"
    " lay 5h on m01, lay 5h on m, lay 5h on 1, lay 5h in m1, swap 5h on m1, swap 5h 6h in m1,"
    " swap 5h in m-1, discard, discard 5h 6h",
}


@pytest.mark.parametrize(
    ("game", "line"),
    [(game, line.strip()) for game, lines in MALFORMED.items() for line in lines.split(",")],
)
def test_malformed_moves(game, line):
    match = new_game(game, 3 if game == "kinaskak" else 2)
    for text in (line, "", "play"):
        with pytest.raises(NotAMove):
            match.read(text, 0, {})
