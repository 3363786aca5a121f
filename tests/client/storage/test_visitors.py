"""The homes of visitors: made, named, listed and deleted."""

from __future__ import annotations

import pytest

from client.storage.home import VISITORS, Home, StoreError
from client.storage.visitors import GOING, MOST, Visitors


def nicks(home):
    return [visitor.nick for visitor in Visitors(home).all()]


def test_visitors_are_listed_in_the_order_in_which_they_came(tmp_path):
    visitors = Visitors(tmp_path)
    made = [visitors.create(nick) for nick in ("Jon", "Ane", "Jon", "\x1b[31mEneko")]
    assert nicks(tmp_path)[:3] == ["Jon", "Ane", "Jon"]
    assert "\x1b" not in nicks(tmp_path)[3]
    assert len({Home(visitor.path).identity.id for visitor in made}) == 4
    made[1].delete()
    visitors.create("Unai")
    assert nicks(tmp_path)[-1] == "Unai"


def test_there_are_at_most_eight(tmp_path):
    visitors = Visitors(tmp_path)
    for number in range(MOST):
        visitors.create(f"Jon {number}")
    with pytest.raises(StoreError, match="8 phones"):
        visitors.create("one more")
    visitors.all()[3].delete()
    visitors.create("one more")


def test_a_deletion_that_was_cut_off_is_finished(tmp_path):
    visitor = Visitors(tmp_path).create("Jon")
    visitor.path.rename(visitor.path.with_name(visitor.path.name + GOING))
    assert Visitors(tmp_path).all() == []
    assert list((tmp_path / VISITORS).iterdir()) == []


def test_a_visitor_that_runs_is_neither_renamed_nor_deleted(tmp_path):
    visitor = Visitors(tmp_path).create("Jon")
    with Home(visitor.path).locked():
        with pytest.raises(StoreError, match="another Sobremesa"):
            visitor.delete()
        with pytest.raises(StoreError, match="another Sobremesa"):
            visitor.rename("Ane")
    assert nicks(tmp_path) == ["Jon"]


def test_only_we_may_look_into_the_folder(tmp_path):
    visitor = Visitors(tmp_path).create("Jon")
    for folder in (visitor.path, visitor.path.parent):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_links_and_other_files_are_no_visitors(tmp_path):
    Visitors(tmp_path).create("Jon")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / VISITORS / "002-link").symlink_to(elsewhere)
    (tmp_path / VISITORS / "notes").mkdir()
    (tmp_path / VISITORS / "003-file").write_text("")
    (tmp_path / VISITORS / f"004-link{GOING}").symlink_to(elsewhere)
    assert nicks(tmp_path) == ["Jon"]
    assert elsewhere.is_dir()
