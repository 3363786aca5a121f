"""The shares that a seat keeps open the cards that it saw from the log, and no other cards."""

from __future__ import annotations

import pytest

from crypto.errors import CryptoError
from crypto.masking import KEPT_SHARE, key_from_secret
from engine.core.moves import Face, Slot
from engine.games import GAMES
from p2p.table.events import Dealt
from p2p.table.replay import replay_log
from p2p.table.seen import SeenFaces
from tests.ring import Ring
from tests.standin import standin_group
from tests.table.deck_keys import share_of, shares_from_keys

GROUP = standin_group()
OPTIONS = {
    "escoba": {"target": 1},
    "truco": {"target": 5},
    "domino": {"target": 10},
    "siete-y-media": {"deals": 3},
    "kinaskak": {"last_contract": 1},
}


class Played:
    """A whole match, with the shares that each seat has kept."""

    def __init__(self, game: str, seed: str = "own") -> None:
        seats = min(GAMES[game].allowed_players)
        self.ring = Ring(game, seats, group=GROUP, seed=seed, **OPTIONS[game])
        self.ring.play()
        self.log = self.ring.logs[0]
        self.kept = [dict(table.kept_shares) for table in self.ring.tables]

    def dealt(self, seat: int) -> dict[Slot, Face]:
        """Return the cards that a seat was dealt."""
        return {
            slot: face
            for event in self.ring.events[seat]
            if isinstance(event, Dealt)
            for slot, face in event.mine.items()
        }

    def seen(self, seat: int | None, shares: dict[Slot, bytes] | None = None) -> SeenFaces:
        """Return the faces that a replay gives a seat with some shares."""
        seen = SeenFaces(seat, shares)
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
def test_the_kept_shares_of_a_seat_open_its_own_cards_and_nothing_else(
    game: str, played: dict[str, Played]
) -> None:
    match = match_of(played, game)
    public = match.seen(None).faces
    for seat, kept in enumerate(match.kept):
        dealt = match.dealt(seat)
        assert kept.keys() == dealt.keys() - public.keys(), (
            "the cards that stayed hidden, and no others"
        )
        assert match.seen(seat).faces == public, "without shares nothing else is seen"
        seen = match.seen(seat, kept)
        assert seen.faces == public | dealt
        assert seen.needed == kept
        assert seen.unfit == ()


def test_in_truco_some_cards_stay_hidden(played: dict[str, Played]) -> None:
    assert all(match_of(played, "truco").kept)


@pytest.mark.parametrize("game", ["truco", "kinaskak"])
def test_deck_keys_make_the_shares_that_a_table_keeps(game: str, played: dict[str, Played]) -> None:
    match = match_of(played, game)
    for seat, kept in enumerate(match.kept):
        assert shares_from_keys(match.log, match.ring.deck_keys(seat), GROUP) == kept


def test_shares_of_another_seat_or_another_match_open_nothing(played: dict[str, Played]) -> None:
    match = match_of(played, "truco")
    public = match.seen(None).faces
    other = Played("truco", seed="another")
    assert match.seen(0, match.kept[1]).faces == public
    assert match.seen(0, other.kept[0]).faces == public
    assert match.seen(None, match.kept[0]).faces == public
    first, *rest = match.kept[0].values()
    moved = dict(zip(match.kept[0], [*rest, first], strict=True))
    assert rest
    assert match.seen(0, moved).faces == public, "a share is of one slot"


def test_a_true_share_of_a_card_in_the_stock_opens_nothing_either(
    played: dict[str, Played],
) -> None:
    """Its seat could make one while it had the key; no other seat has given its share."""
    match = match_of(played, "truco")
    dealt = match.dealt(0).keys() | match.dealt(1).keys()
    stock = next(slot for slot in range(40) if slot not in dealt)
    keys = {key.public: key for key in map(read_key, match.ring.deck_keys(0))}
    for table, _events in replay_log(match.log, GROUP):
        share = share_of(table, stock, 0, keys)
        if share is not None:
            break
    assert share is not None
    seen = match.seen(0, {stock: share, **match.kept[0]})
    assert seen.faces == match.seen(0, match.kept[0]).faces
    assert seen.unfit == (stock,)


def read_key(secret: bytes):
    return key_from_secret(GROUP, GROUP.scalar(secret))


@pytest.mark.parametrize("at", [0, 31, 32, 63, 64, 95])
def test_a_changed_share_opens_nothing_and_shows_no_other_face(
    at: int, played: dict[str, Played]
) -> None:
    match = match_of(played, "truco")
    kept = match.kept[0]
    slot, share = next(iter(kept.items()))
    bad = share[:at] + bytes([share[at] ^ 1]) + share[at + 1 :]
    seen = match.seen(0, {**kept, slot: bad})
    assert seen.unfit == (slot,)
    assert seen.faces == {
        key: face for key, face in match.seen(0, kept).faces.items() if key != slot
    }


def test_a_share_that_would_show_another_card_opens_nothing(played: dict[str, Played]) -> None:
    """D + M - M' instead of D, with any proof that there is, would turn M into M'."""
    match = match_of(played, "truco")
    kept = match.kept[0]
    points = GROUP.family(b"sobremesa/v1/card", b"truco", 40)
    slot, share = next(iter(kept.items()))
    for other in points[:3]:
        forged = GROUP.add(share[:32], GROUP.sub(points[7], other)) + share[32:]
        if forged != share:
            assert match.seen(0, {slot: forged}).unfit == (slot,)


@pytest.mark.parametrize("share", [b"", b"x", bytes(KEPT_SHARE), b"\xff" * KEPT_SHARE])
def test_bytes_that_are_no_share_are_left_out(share: bytes, played: dict[str, Played]) -> None:
    match = match_of(played, "truco")
    slot = next(iter(match.kept[0]))
    assert match.seen(0, {slot: share}).unfit == (slot,)
    for table, events in replay_log(match.log, GROUP):
        if any(isinstance(event, Dealt) and slot in event.to.get(0, ()) for event in events):
            with pytest.raises(CryptoError):
                table.kept_face(slot, 0, share)


def test_shares_stand_in_no_description(played: dict[str, Played]) -> None:
    match = match_of(played, "truco")
    seen = match.seen(0, match.kept[0])
    for share in match.kept[0].values():
        assert share.hex() not in repr(seen)
        assert repr(share) not in repr(seen)


def test_a_table_keeps_shares_from_the_deal_on_and_has_no_keys_when_it_is_sealed(
    played: dict[str, Played],
) -> None:
    ring = Ring("truco", 2, group=GROUP, seed="under way", target=5)
    ring.play(moves=3)
    for seat, table in enumerate(ring.tables):
        assert set(ring.tables[0].run.game.hands[seat]) <= table.kept_shares.keys()
    for seat, table in enumerate(match_of(played, "truco").ring.tables):
        assert table.sealed
        assert table.kept_shares == match_of(played, "truco").kept[seat]
