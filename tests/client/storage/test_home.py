"""The files of a match: whole or cut to whole records, for our eyes only, and gone when it is
over."""

from __future__ import annotations

import resource
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from client.storage import phone_secrets
from client.storage.home import Home, StoreError, reading, using, writing
from client.storage.match_files import MatchFiles
from client.storage.resume_record import ResumeRecord, look_through, nodes_reached
from crypto.identity import Identity
from p2p.table.lobby import Endpoint
from p2p.table.log import opening_record, record
from p2p.table.terms import Terms
from p2p.wire import pack
from tests.ring import identities, terms_for
from tests.standin import seeded

MATCH = b"m" * 32
LONG = pack(b"1" * 50)
"""No entry, but a value as one is."""


TAILS = {
    "length": b"\0",
    "body": b"\0\0\0\x09torn",
    "zeros": b"\0" * 8,
    "page": b"\0" * 4097,
    "whole, but no value": b"\0\0\0\x05hello",
    "a value, but no record": b"\0\0\0\x01\xc0",
    "far too long": b"\xff" * 40,
    "text": b"text that stood there before",
}
"""Bytes that a crash may leave behind the last record."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def terms_of(*who: Identity) -> Terms:
    terms = terms_for("escoba", len(who), target=1)
    return replace(
        terms,
        participants=tuple(
            replace(place, public=one.public)
            for place, one in zip(terms.participants, who, strict=True)
        ),
    )


def signed(home: Home) -> tuple[Terms, tuple[bytes, ...]]:
    one = resume_record(home)
    return one.terms, one.signatures


def resume_record(home: Home, *, seat: int = 0, seats: int = 2) -> ResumeRecord:
    who = [home.identity if place == seat else one for place, one in enumerate(identities(seats))]
    terms = terms_of(*who)
    nodes = (Endpoint(who[1 - seat].id, 47748, ("192.168.1.5", "10.0.0.5")),)
    return ResumeRecord(terms, tuple(terms.sign(one) for one in who), {seat: b""}, nodes, 47747)


@pytest.mark.parametrize("tail", TAILS.values(), ids=TAILS)
def test_a_torn_tail_is_cut_off_before_anything_is_added(home, tail):
    terms, signatures = signed(home)
    log = opening_record(terms, signatures)
    files = MatchFiles(home, MATCH, (0, 1))
    journal = home.journals / f"{MATCH.hex()[:32]}.p1.journal"
    journal.write_bytes(record({"entry": b"1"}) + tail)
    files.log.write_bytes(log + tail)
    assert files.take_up(terms) == ({0: record({"entry": b"1"}), 1: b""}, log)
    files.write_journal(0, record({"entry": b"2"}))
    files.close(finished=False)
    assert journal.read_bytes() == record({"entry": b"1"}) + record({"entry": b"2"})
    assert files.log.read_bytes() == log


def test_an_unfinished_match_is_read_as_it_was_written_and_only_we_may_read_it(home):
    saved = resume_record(home)
    saved.save(home)
    assert look_through(home) == ([saved], [])
    assert [path.stat().st_mode & 0o777 for path in home.journals.iterdir()] == [0o600]
    assert saved.agreement([*saved.seat_requests(home, seeded(1)).values()]).complete


def test_the_keys_of_computer_players_come_back_and_are_never_shown(home):
    seed = bytes(range(32))
    who = [home.identity, Identity.from_seed(seed)]
    terms = terms_of(*who)
    saved = ResumeRecord(terms, tuple(terms.sign(one) for one in who), {0: b"", 1: seed}, (), 0)
    saved.save(home)
    ((found,), _damaged) = look_through(home)
    seat_requests = found.seat_requests(home, seeded(1))
    assert {seat: one.identity for seat, one in seat_requests.items()} == dict(enumerate(who))
    assert seed.hex() not in repr(found)
    assert str(seed) not in repr(found)


def test_the_newest_comes_first_and_a_finished_one_not_at_all(home):
    older, newer = resume_record(home), resume_record(home, seat=1)
    older.save(home)
    newer.save(home)
    assert look_through(home) == ([newer, older], [])
    files = MatchFiles(home, newer.terms.match, (1,))
    files.write_journal(1, b"secret")
    files.close(finished=True)
    assert look_through(home) == ([older], [])
    assert [path.suffix for path in home.journals.iterdir()] == [".match"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: data.replace(b"seats", b"seatz"),
        lambda data: data.replace(b"sobremesa\x01", b"sobremesa\x02"),
    ],
    ids=["cut", "empty", "another-name", "a-later-version"],
)
def test_a_damaged_file_is_named_in_one_sentence(home, damage):
    resume_record(home).save(home)
    (path,) = home.journals.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    found, (error,) = look_through(home)
    assert found == []
    assert "is damaged: that match cannot be resumed" in str(error)


@pytest.mark.parametrize("options", [{"teams": 0}, {"target": "1"}, {"more": 1}, {"target": 0}])
def test_a_match_that_no_program_can_play_is_a_damaged_record(home, options):
    saved = resume_record(home)
    terms = replace(saved.terms, options={**saved.terms.options, **options})
    replace(saved, terms=terms).save(home)
    found, (error,) = look_through(home)
    assert found == []
    assert "is damaged: that match cannot be resumed" in str(error)


def test_a_player_that_has_another_key_now_is_not_let_back(home, tmp_path):
    saved = resume_record(home)
    other = Home(tmp_path / "other")
    with pytest.raises(StoreError, match="does not belong to this folder's player"):
        saved.seat_requests(other, seeded(1))


@pytest.mark.parametrize("version", ["protocol", "rules"])
def test_a_match_of_another_version_is_told_as_such(home, version):
    saved = resume_record(home)
    older = replace(saved.terms, **{version: getattr(saved.terms, version) - 1})
    replace(saved, terms=older).save(home)
    (found,), _damaged = look_through(home)
    with pytest.raises(StoreError, match="is of another version of Sobremesa"):
        found.agreement([*found.seat_requests(home, seeded(1)).values()])


def test_peers_are_dialled_first_where_they_were_reached():
    told = Endpoint(b"a" * 32, 1000, ("10.0.0.1", "10.0.0.2"))
    silent = Endpoint(b"b" * 32, 1001, ("10.0.0.3",))
    reached = {
        b"a" * 32: ("10.0.0.2", 2000),
        b"b" * 32: None,
        b"c" * 32: ("10.0.0.4", 3000),
        b"d" * 32: ("10.0.0.5", 0),
    }
    assert nodes_reached((told, silent), reached) == (
        Endpoint(b"a" * 32, 2000, ("10.0.0.2", "10.0.0.1")),
        silent,
        Endpoint(b"c" * 32, 3000, ("10.0.0.4",)),
    )


def test_leftovers_of_a_killed_program_are_gone_at_the_next_start(home):
    """It holds secrets, and nobody would come back to it."""
    name, seat = resume_record(home).name, 0
    resume_record(home).save(home)
    files = MatchFiles(home, resume_record(home).terms.match, (seat,))
    files.write_journal(seat, record(1))
    files.close(finished=False)
    whole = sorted(home.journals.iterdir())
    for left in (
        f"{name}.match.2cb3a6b0.new",
        f"{'0' * 32}.match.2cb3a6b0.new",
        f"{'0' * 32}.p1.journal",
        f"{'0' * 32}.p2.journal",
    ):
        (home.journals / left).write_bytes(b"secret")
    with home.locked():
        assert (
            sorted(home.journals.iterdir())
            == whole
            == [home.journals / f"{name}.match", home.journals / f"{name}.p1.journal"]
        )


@pytest.mark.parametrize(
    "name", ["identity.key", "identity.pem", "peers.json", "settings.toml", phone_secrets.NAME]
)
def test_no_half_written_file_stays_beside_the_key(home, name):
    left, theirs = home.path / f"{name}.2cb3a6b0.new", home.path / "notes.new"
    for path in (left, theirs):
        path.write_bytes(b"secret")
    with home.locked():
        assert (left.exists(), theirs.exists()) == (False, True)


def test_while_the_home_is_in_use_nothing_in_it_is_taken_for_left(home):
    with home.locked():
        writing = home.journals / f"{'0' * 32}.match.2cb3a6b0.new"
        writing.touch()
        with pytest.raises(StoreError, match="another Sobremesa"), Home(home.path).locked():
            pass
        assert writing.exists()


@pytest.mark.parametrize("attempt", [reading, using, writing])
def test_an_error_of_the_disk_is_named_even_if_the_system_has_no_sentence_for_it(home, attempt):
    with (
        pytest.raises(StoreError, match=": out of order"),
        attempt(home.path / "lock"),
    ):
        raise OSError("out of order")


def test_a_write_that_the_disk_does_not_take_is_an_error(home):
    terms, _signatures = signed(home)
    files = MatchFiles(home, MATCH, (0,))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        files.write_journal(0, record({"entry": LONG}))
        with pytest.raises(StoreError, match="nothing more can be stored"):
            files.write_journal(0, record({"entry": LONG}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    files.close(finished=False)
    assert files.take_up(terms)[0] == {0: record({"entry": LONG})}
