"""A process that may open few files: it says so in a sentence, and in time."""

from __future__ import annotations

import pytest

from tests.end_to_end.processes import LOOPBACK
from tests.sample import sample


@pytest.mark.slow
@pytest.mark.parametrize("files", sample([12, 15, 20, 13, 14, 16, 17, 30], 3))
def test_a_player_that_may_open_few_files_hears_so_in_time(machine, files):
    resource = pytest.importorskip("resource", reason="only Unix counts the files of a process so")

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    words = (
        "join",
        "--nick",
        "jon",
        "--auto",
        "--at-once",
        "--plain",
        "--interface",
        LOOPBACK,
        "--wait",
        "2",
    )
    player = machine.player("jon", *words, preexec_fn=few)
    assert player.ends() in (1, 4)
    assert player.sentence()
