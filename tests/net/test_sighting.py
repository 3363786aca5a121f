from __future__ import annotations

from dataclasses import replace

import pytest

from crypto.identity import Identity
from p2p.net.sighting import SERVICE, Advert, instance, player_of, sighting_of, told_by_host, txt_of
from p2p.wire import Malformed

PLAYER = bytes(range(32))
ADVERT = Advert(PLAYER, "Ane", "escoba", "goiz", 2, 4, "open", 47747, 1, "eu")


def txt(**changes) -> dict[bytes, bytes | None]:
    plain = {key.encode(): value.encode() for key, value in txt_of(ADVERT).items()}
    return plain | {key.encode(): value for key, value in changes.items()}


def test_an_advert_is_read_as_it_was_told():
    sighting = sighting_of(PLAYER, txt(), 47747, ("10.0.0.1", "fd00::2"))
    assert sighting.addresses == (("10.0.0.1", 47747), ("fd00::2", 47747))
    for name in (
        "id",
        "nick",
        "game",
        "table",
        "seats_taken",
        "seats",
        "state",
        "port",
        "protocol",
        "language",
    ):
        assert getattr(sighting, name) == getattr(ADVERT, name)


def test_a_nick_is_cleaned_at_both_ends():
    assert txt_of(replace(ADVERT, nick="\x1b[31mAne\u202e"))["n"] == "Ane"
    sighting = sighting_of(PLAYER, txt(n="\x1b]0;x\x07Jon\u202e".encode()), 5, ())
    assert sighting.nick == "Jon"


def test_a_nick_of_several_scripts_or_from_right_to_left_is_shown_as_such_and_sent_as_it_is():
    for nick, shown in (("\u0410ne", "⚠\u0410ne"), ("אבג", "\u2068אבג\u2069")):
        sent = txt_of(replace(ADVERT, nick=nick))["n"]
        assert sent == nick
        assert sighting_of(PLAYER, txt(n=sent.encode()), 5, ()).nick == shown


def test_keys_of_later_versions_are_passed_over():
    assert sighting_of(PLAYER, txt(zz=b"1", flag=None), 5, ()).nick == "Ane"


@pytest.mark.parametrize("key", ["v", "n", "g", "t", "s", "st", "l", "fp"])
def test_each_key_is_needed(key):
    with pytest.raises(Malformed):
        sighting_of(PLAYER, txt(**{key: None}), 5, ())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("v", b"one"),
        ("v", b"1\n"),
        ("v", "١".encode()),
        ("n", b"\xff"),
        ("n", b"x" * 97),
        ("g", b"Escoba"),
        ("g", b"../etc"),
        ("g", b""),
        ("t", b"a b"),
        ("t", b"x" * 65),
        ("s", b"2-4"),
        ("s", b"5/4"),
        ("s", b"0/0"),
        ("s", b"1/17"),
        ("st", b"OPEN"),
        ("st", b"\x1b[1m"),
        ("l", b"english"),
        ("fp", b"0" * 16),
        ("zz", b"x" * 400),
    ],
)
def test_a_field_of_another_form_is_malformed(key, value):
    with pytest.raises(Malformed):
        sighting_of(PLAYER, txt(**{key: value}), 5, ())


def test_of_a_table_that_a_host_shows_the_nick_is_that_of_its_own_seat():
    claim = sighting_of(PLAYER, txt(), 5, ())
    host, guest = (Identity.from_seed(bytes([number]) * 32) for number in (1, 2))
    seats = [[guest.public, "Zoe", b""], [host.public, "Jon", b""], None]
    shown = {"t": "table", "game": "truco", "table": "gau", "seats": seats}
    told = told_by_host(replace(claim, id=host.id), shown)
    assert (told.nick, told.seats_taken, told.seats, told.state) == ("Jon", 2, 3, "open")


@pytest.mark.parametrize("port", [None, 0, 65536])
def test_a_port_is_needed(port):
    with pytest.raises(Malformed):
        sighting_of(PLAYER, txt(), port, ())


def test_the_name_is_the_id():
    name = f"{instance(PLAYER)}.{SERVICE}"
    assert len(instance(PLAYER)) == 52
    assert player_of(name) == PLAYER


@pytest.mark.parametrize(
    "name",
    [
        f"ane.{SERVICE}",
        instance(PLAYER),
        f"{instance(PLAYER)}._other._tcp.local.",
        f"{instance(PLAYER).upper()}.{SERVICE}",
        f"{instance(PLAYER)[:-1]}b.{SERVICE}",  # the same id with other spare bits
        f"{instance(PLAYER)} (2).{SERVICE}",
        f"{'1' * 52}.{SERVICE}",
    ],
)
def test_names_that_are_no_players(name):
    with pytest.raises(Malformed):
        player_of(name)
