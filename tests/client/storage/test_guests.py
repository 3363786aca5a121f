"""The homes of guests: made, named, listed and deleted."""

from __future__ import annotations

import pytest

from client.storage.guests import FOLDER, GOING, MOST, Guests, TooManyGuests
from client.storage.home import Home, HomeInUse, StoreError


def nicks(home):
    return [guest.nick for guest in Guests(home).all()]


def test_a_home_without_guests_has_none_and_gets_no_folder(tmp_path):
    assert Guests(tmp_path).all() == []
    assert not (tmp_path / FOLDER).exists()


def test_guests_are_listed_in_the_order_in_which_they_came(tmp_path):
    guests = Guests(tmp_path)
    made = [guests.create(nick) for nick in ("Jon", "Ane", "Jon", "\x1b[31mEneko")]
    assert nicks(tmp_path)[:3] == ["Jon", "Ane", "Jon"]
    assert "\x1b" not in nicks(tmp_path)[3]
    assert len({Home(guest.path).identity.id for guest in made}) == 4
    made[1].delete()
    guests.create("Unai")
    assert nicks(tmp_path)[-1] == "Unai"


def test_a_guest_gets_another_name_and_keeps_its_key(tmp_path):
    guest = Guests(tmp_path).create("Jon")
    key = Home(guest.path).identity.id
    guest.rename("Jone")
    assert nicks(tmp_path) == ["Jone"]
    assert Home(guest.path).identity.id == key


def test_there_are_at_most_eight(tmp_path):
    guests = Guests(tmp_path)
    for number in range(MOST):
        guests.create(f"Jon {number}")
    with pytest.raises(TooManyGuests, match="8 phones"):
        guests.create("one more")
    guests.all()[3].delete()
    guests.create("one more")


def test_a_deletion_that_was_cut_off_is_finished(tmp_path):
    guest = Guests(tmp_path).create("Jon")
    guest.path.rename(guest.path.with_name(guest.path.name + GOING))
    assert Guests(tmp_path).all() == []
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_a_guest_that_runs_is_neither_renamed_nor_deleted(tmp_path):
    guest = Guests(tmp_path).create("Jon")
    with Home(guest.path).locked():
        with pytest.raises(HomeInUse):
            guest.delete()
        with pytest.raises(HomeInUse):
            guest.rename("Ane")
    assert nicks(tmp_path) == ["Jon"]


def test_only_we_may_look_into_the_folder(tmp_path):
    guest = Guests(tmp_path).create("Jon")
    for folder in (guest.path, guest.path.parent):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_links_and_other_files_are_no_guests(tmp_path):
    Guests(tmp_path).create("Jon")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / FOLDER / "002-link").symlink_to(elsewhere)
    (tmp_path / FOLDER / "notes").mkdir()
    (tmp_path / FOLDER / "003-file").write_text("")
    (tmp_path / FOLDER / f"004-link{GOING}").symlink_to(elsewhere)
    assert nicks(tmp_path) == ["Jon"]
    assert elsewhere.is_dir()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / FOLDER).write_text("")
    with pytest.raises(StoreError, match=FOLDER):
        Guests(tmp_path).create("Jon")
