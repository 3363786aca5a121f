"""The shares that a seat keeps open the cards that it saw from the log, and no other cards."""

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
