"""Which tables are shown in a crowd: known players always, a few claims, and all that is proven."""

from __future__ import annotations

from dataclasses import replace

from p2p.net.crowd import CLAIMS, MOST, OF_ONE_ORIGIN, PENANCE, REMEMBERED, Crowd
from p2p.net.sighting import Sighting
from p2p.wire import MOST_ANNOUNCED

FRIEND = b"f" * 32


def crowd() -> Crowd:
    return Crowd(lambda player: player == FRIEND)


def sighting(
    number: int, host: str | None = None, port: int = 47747, *, player: bytes | None = None
) -> Sighting:
    who = player or number.to_bytes(32, "big")
    at = host or f"10.0.{number // 250}.{number % 250}"
    return Sighting(who, "Ane", "escoba", "goiz", 1, 2, "open", port, 1, addresses=((at, port),))


def filled() -> Crowd:
    """A crowd with as many claims as may be shown, one more having come."""
    made = crowd()
    for number in range(CLAIMS):
        assert made.show(sighting(number), 0.0)
    assert not made.crowded(0.0)
    assert not made.show(sighting(99), 0.0)
    return made


def test_claims_are_shown_until_there_are_too_many() -> None:
    made = filled()
    assert len(made.shown) == CLAIMS
    assert made.crowded(0.0)
    assert not made.crowded(PENANCE + 1)


def test_of_one_address_there_are_only_so_many_claims() -> None:
    made = crowd()
    for number in range(OF_ONE_ORIGIN):
        assert made.show(sighting(number, "10.0.0.1"), 0.0)
    assert not made.show(sighting(50, "10.0.0.1"), 0.0)
    assert made.crowded(0.0)


def test_in_a_crowd_a_place_that_is_free_again_is_not_given_to_the_next_claim() -> None:
    made = filled()
    assert made.note_failure(sighting(0), 1.0, silent=False)
    assert not made.show(sighting(100), 1.0)
    assert len(made.shown) == CLAIMS - 1


def test_known_players_are_shown_in_any_company_and_after_any_failure() -> None:
    made = filled()
    friend = sighting(0, "10.9.9.9", player=FRIEND)
    assert made.show(friend, 0.0)
    assert not made.note_failure(friend, 0.0, silent=True)
    assert FRIEND in made.shown


def test_a_proven_table_is_shown_and_stays() -> None:
    made = filled()
    stranger = sighting(500)
    assert made.note_proof(stranger, stranger.addresses[0]) == []
    assert made.shown[stranger.id].proven
    assert stranger not in made.claims()
    for number in range(600, 900):
        made.show(sighting(number), 0.0)
    assert stranger.id in made.shown


def test_of_one_address_there_are_only_so_many_proven_tables_and_the_newest_goes() -> None:
    made = crowd()
    for number in range(OF_ONE_ORIGIN):
        assert made.note_proof(sighting(number, "10.0.0.1"), ("10.0.0.1", number + 1)) == []
    more = sighting(77, "10.0.0.1")
    assert made.note_proof(more, ("10.0.0.1", 77)) == [more.id]
    assert len(made.shown) == OF_ONE_ORIGIN


def test_a_flood_of_proven_tables_drives_out_its_own() -> None:
    made = crowd()
    honest = sighting(1, "10.1.1.1")
    made.note_proof(honest, ("10.1.1.1", 1))
    for number in range(100, 100 + 3 * MOST):
        host = f"10.2.0.{number % 40}"
        made.note_proof(sighting(number, host), (host, number))
    assert honest.id in made.shown
    assert len(made.shown) == MOST


def test_a_claim_that_came_to_nothing_is_not_looked_at_again_for_a_while() -> None:
    made = filled()
    false = sighting(300, "10.7.7.7")
    assert made.wants_proof(false, 0.0)
    made.note_failure(false, 0.0, silent=True)
    assert not made.wants_proof(false, 1.0)
    assert not made.wants_proof(sighting(301, "10.7.7.7"), 1.0), (
        "nobody answers at that address at all"
    )
    assert made.wants_proof(sighting(301, "10.7.7.7", 5), 1.0), "another port may be a table"
    both = replace(sighting(301, "10.7.7.7"), addresses=(*false.addresses, ("10.6.6.6", 5)))
    assert made.wants_proof(both, 1.0), "somebody else may have added the silent address"
    assert made.wants_proof(sighting(301, "10.7.7.7"), PENANCE + 1)
    answering = sighting(302, "10.8.8.8")
    made.note_failure(answering, 0.0, silent=False)
    assert made.wants_proof(sighting(303, "10.8.8.8"), 1.0), (
        "somebody is there, who may have a table as well"
    )


def test_the_memory_of_failures_is_bounded() -> None:
    made = crowd()
    for number in range(REMEMBERED + 50):
        made.note_failure(sighting(number), 0.0, silent=True)
    asked = [made.wants_proof(sighting(number), 1.0) for number in range(REMEMBERED + 50)]
    assert asked.count(False) <= REMEMBERED
    assert asked[0]
    assert not asked[-1]


def test_an_advert_forged_in_anothers_name_takes_no_address_away() -> None:
    made = crowd()
    honest = sighting(1, "10.0.0.1")
    made.show(honest, 0.0)
    made.show(sighting(1, "10.0.0.66", 5), 0.0)
    assert set(made.shown[honest.id].addresses) == {("10.0.0.1", 47747), ("10.0.0.66", 5)}
    made.note_proof(honest, ("10.0.0.1", 47747))
    for port in range(50):
        made.show(sighting(1, "10.0.0.66", 100 + port), 0.0)
    assert made.shown[honest.id].addresses[0] == ("10.0.0.1", 47747)
    assert len(made.shown[honest.id].addresses) == MOST_ANNOUNCED
    assert made.shown[honest.id].proven
