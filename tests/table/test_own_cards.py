"""A seat's own deck keys open the cards that it saw from the log, and no other cards."""

from __future__ import annotations

import pytest

from engine.core.moves import Face, Slot
from engine.games import GAMES
from p2p.table.events import Dealt
from p2p.table.replay import replay_log
from p2p.table.seen import SeenFaces
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()
OPTIONS = {
    "escoba": {"target": 1},
    "truco": {"target": 5},
    "domino": {"target": 10},
    "siete-y-media": {"deals": 3},
    "kinaskak": {"last_contract": 1},
}


class Played:
    """A whole match, with the deck keys of each seat."""

    def __init__(self, game: str, seed: str = "own") -> None:
        seats = min(GAMES[game].allowed_players)
        self.ring = Ring(game, seats, group=GROUP, seed=seed, **OPTIONS[game])
        self.ring.play()
        self.log, self.keys = (
            self.ring.logs[0],
            [self.ring.deck_keys(seat) for seat in range(seats)],
        )

    def dealt(self, seat: int) -> dict[Slot, Face]:
        """Return the cards that a seat was dealt."""
        return {
            slot: face
            for event in self.ring.events[seat]
            if isinstance(event, Dealt)
            for slot, face in event.mine.items()
        }

    def seen(self, seat: int | None, keys: tuple[bytes, ...] = ()) -> SeenFaces:
        """Return the faces that a replay gives a seat with some keys."""
        seen = SeenFaces(seat, keys)
        for table, events in replay_log(self.log, GROUP):
            seen.take(table, events)
        return seen


@pytest.fixture(scope="module")
def played() -> dict[str, Played]:
    return {}


def match_of(played: dict[str, Played], game: str) -> Played:
    """Return a match, played once."""
    if game not in played:
        played[game] = Played(game)
    return played[game]


@pytest.mark.parametrize("game", OPTIONS)
def test_the_keys_of_a_seat_open_its_own_cards_and_nothing_else(
    game: str, played: dict[str, Played]
) -> None:
    match = match_of(played, game)
    public = match.seen(None).faces
    for seat, keys in enumerate(match.keys):
        assert match.seen(seat).faces == public, "without keys nothing else is seen"
        seen, dealt = match.seen(seat, keys), match.dealt(seat)
        assert seen.faces == public | dealt
        assert set(seen.needed) <= set(keys)
        assert bool(seen.needed) == bool(dealt.keys() - public.keys())
        assert match.seen(seat, seen.needed).faces == seen.faces


def test_in_truco_some_cards_stay_hidden(played: dict[str, Played]) -> None:
    match = match_of(played, "truco")
    public = match.seen(None).faces
    assert any(match.dealt(seat).keys() - public.keys() for seat in range(2))


def test_keys_of_another_seat_or_another_match_open_nothing(played: dict[str, Played]) -> None:
    match = match_of(played, "truco")
    public = match.seen(None).faces
    other = Played("truco", seed="another")
    assert match.seen(0, match.keys[1]).faces == public
    assert match.seen(0, other.keys[0]).faces == public
    assert match.seen(None, match.keys[0]).faces == public


def test_a_changed_key_opens_nothing_of_its_deck_and_shows_no_other_face(
    played: dict[str, Played],
) -> None:
    match = match_of(played, "truco")
    public, dealt = match.seen(None).faces, match.dealt(0)
    bad = tuple(bytes([key[0] ^ 1, *key[1:]]) for key in match.keys[0])
    assert match.seen(0, bad).faces == public
    mixed = match.seen(0, (bad[0], *match.keys[0][1:]))
    assert mixed.faces.items() <= (public | dealt).items()


@pytest.mark.parametrize("key", [bytes(32), b"\xff" * 32, b"", b"x", bytes(33)])
def test_bytes_that_are_no_key_are_left_out(key: bytes, played: dict[str, Played]) -> None:
    match = match_of(played, "truco")
    keys = (key, *match.keys[0])
    assert match.seen(0, keys).faces == match.seen(0, match.keys[0]).faces


def test_keys_stand_in_no_description(played: dict[str, Played]) -> None:
    match = match_of(played, "truco")
    seen = match.seen(0, match.keys[0])
    assert not any(key.hex() in repr(seen) or repr(key) in repr(seen) for key in match.keys[0])


def test_a_table_tells_its_deck_keys_until_it_is_sealed(played: dict[str, Played]) -> None:
    ring = Ring("truco", 2, group=GROUP, seed="under way", target=5)
    ring.play(moves=8)
    for seat, table in enumerate(ring.tables):
        assert table.deck_keys == ring.deck_keys(seat)
        assert table.deck_keys
    assert not any(table.deck_keys for table in match_of(played, "truco").ring.tables)
